"""What the scores of one reply are made of, and whether its final answer is right."""

from collections.abc import Mapping
from typing import NamedTuple

from stepforge.judges import answer as answer_rubric
from stepforge.metrics import faa
from stepforge.records import Judgement, JudgeVerdict, LeanVerdict, Task
from stepforge.vocabulary import EquivalenceVerdict

UNDECIDED = "undecided"

Scored = tuple[float, float, str]  # value, weight, method


class Judged(NamedTuple):
    """All that is known of a reply; `verdicts`: of the judge whose word counts, by rubric."""

    task: Task
    judgement: Judgement
    lean: LeanVerdict | None = None
    verdicts: Mapping[str, JudgeVerdict] = {}

    def verdict(self, rubric: str) -> JudgeVerdict | None:
        """The judge's verdict; None where there is none or it is undecided."""
        found = self.verdicts.get(rubric)
        return found if found is not None and found.right is not None else None


def judge_method(reply: Judged, verdict: JudgeVerdict) -> str:
    """Which model judged; for what had not to be asked, why not."""
    if verdict.model is not None:
        return f"judge:{verdict.model}"
    return reply.judgement.failure.value if reply.judgement.failure is not None else "nothing_to_judge"


def _answered(reply: Judged) -> JudgeVerdict | None:
    """What a judge says of an answer that the engine left undecided."""
    undecided = reply.judgement.verdict is EquivalenceVerdict.UNDECIDED
    return reply.verdict(answer_rubric.NAME) if undecided else None


def answer_method(reply: Judged) -> str:
    """Which test or judge decided the final answer, or why it counts as wrong."""
    judgement, verdict = reply.judgement, _answered(reply)
    if judgement.failure is not None:
        return judgement.failure.value
    if verdict is not None:
        return judge_method(reply, verdict)
    if judgement.verdict is EquivalenceVerdict.UNDECIDED:
        return UNDECIDED
    return judgement.method or "none"


def is_right(reply: Judged) -> bool:
    """Whether the final answer is right: as the engine says, or a judge where that is undecided."""
    verdict = _answered(reply)
    return faa.right(reply.judgement.verdict) if verdict is None else verdict.right is True
