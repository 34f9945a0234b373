"""What one item's page is made from: the problem, its tasks, and what each system replied and got for it."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from stepforge.judges.answer import NAME as ANSWER
from stepforge.panel import FIRST
from stepforge.records import (
    Item,
    Judgement,
    JudgeVerdict,
    LeanVerdict,
    Prediction,
    Score,
    Task,
    Variant,
)
from stepforge.vocabulary import NOT_COUNTED, EquivalenceVerdict, TaskKind

NAME_DIGITS = 24  # hex digits of a page's name: no two of a billion items share one


class Reply(NamedTuple):
    """One reply to one task with all that was made of it."""

    prediction: Prediction
    judgement: Judgement
    scores: tuple[Score, ...] = ()
    verdicts: tuple[JudgeVerdict, ...] = ()
    lean: LeanVerdict | None = None


class Evidence(NamedTuple):
    """All that is known of one problem.  `item`: None where the problem is gone from the last filter's table.
    `replies`: by task; in the order of the leaderboard, then by sample.  `variants`: by task."""

    problem_id: str
    item: Item | None
    tasks: tuple[Task, ...]
    variants: Mapping[str, Variant]
    replies: Mapping[str, tuple[Reply, ...]]


class Outcome(NamedTuple):
    """What a system got for an item, in a sign and a word.  `right`: None where nothing was judged."""

    sign: str
    word: str
    right: bool | None


class Standing(NamedTuple):
    """One system on one item: its answer, milestone accuracy in [0, 1], and defects told right of those asked."""

    system: str
    answer: Outcome
    milestones: float | None
    detected: tuple[int, int] | None


NOTHING = Outcome("–", "not asked", None)


def page_name(problem_id: str) -> str:
    """File name of an item's page, whatever its id holds."""
    return f"{hashlib.sha256(problem_id.encode('utf-8', 'surrogatepass')).hexdigest()[:NAME_DIGITS]}.html"


def settled(judgement: Judgement, verdicts: Iterable[JudgeVerdict]) -> Judgement:
    """The judgement as the scores take it: where the engine left the answer undecided, as the first judge says.
    `verdicts`: those on this reply."""
    if judgement.verdict is not EquivalenceVerdict.UNDECIDED:
        return judgement
    words = (v.right for v in verdicts if v.rubric == ANSWER and v.judge == FIRST and v.right is not None)
    right = next(words, None)
    if right is None:
        return judgement
    if not right:
        return judgement.model_copy(update={"verdict": EquivalenceVerdict.DIFFERENT})
    return judgement.model_copy(update={"verdict": EquivalenceVerdict.EQUAL, "parts_right": judgement.parts_total})


def answer_outcome(judgement: Judgement) -> Outcome:
    """What became of the final answer; `judgement`: `settled`."""
    if judgement.failure in NOT_COUNTED:
        return Outcome("–", str(judgement.failure).replace("_", " "), None)
    if judgement.failure is not None:
        return Outcome("✗", str(judgement.failure).replace("_", " "), False)
    if judgement.verdict is None:
        return Outcome("·", "no answer asked", None)
    return {
        EquivalenceVerdict.EQUAL: Outcome("✓", "right", True),
        EquivalenceVerdict.DIFFERENT: Outcome("✗", "wrong", False),
        EquivalenceVerdict.UNDECIDED: Outcome("?", "undecided", False),
    }[judgement.verdict]


def detection_outcome(judgement: Judgement) -> Outcome:
    """Whether the defect was told right."""
    if judgement.failure in NOT_COUNTED or judgement.detection_right is None:
        return Outcome("–", str(judgement.failure or "not asked").replace("_", " "), None)
    if judgement.detection_right:
        return Outcome("✓", "right", True)
    return Outcome("✗", str(judgement.failure or "wrong").replace("_", " "), False)


def standings(tasks: Sequence[Task], judgements: Sequence[Judgement], systems: Sequence[str]) -> list[Standing]:
    """Each system on one item, in order, from the judgements of its tasks, `settled`; of several
    samples the first speaks."""
    kinds = {task.task_id: task.kind for task in tasks}
    firsts = [j for j in judgements if j.sample == 0 and j.task_id in kinds]
    return [_standing(system, [(kinds[j.task_id], j) for j in firsts if j.system == system]) for system in systems]


def _standing(system: str, own: Sequence[tuple[TaskKind, Judgement]]) -> Standing:
    solved = [judgement for kind, judgement in own if kind is TaskKind.SOLVE]
    detected = [
        outcome
        for kind, judgement in own
        if kind not in {TaskKind.SOLVE, TaskKind.FORMALIZE}
        and (outcome := detection_outcome(judgement)).right is not None
    ]
    judged = [j for j in solved if j.milestones_total and j.failure not in NOT_COUNTED]
    total = sum(j.milestones_total or 0 for j in judged)
    return Standing(
        system,
        answer_outcome(solved[0]) if solved else NOTHING,
        sum(j.milestones_matched or 0 for j in judged) / total if total else None,
        (sum(bool(outcome.right) for outcome in detected), len(detected)) if detected else None,
    )
