"""Final-answer accuracy.  Source: MAMath-Bench, equation (1)."""

from collections.abc import Sequence
from typing import ClassVar

from pydantic import Field

from stepforge.metrics._base import Measure, Metric, Row, mean, register
from stepforge.vocabulary import EquivalenceVerdict


def right(verdict: EquivalenceVerdict | None) -> bool:
    """Whether an answer counts as correct: only if it was found equal; undecided and missing answers are not."""
    return verdict is EquivalenceVerdict.EQUAL


def faa(verdicts: Sequence[EquivalenceVerdict | None]) -> float | None:
    """Correct final answers / N, in [0, 1]; None if N = 0."""
    return sum(right(v) for v in verdicts) / len(verdicts) if verdicts else None


class AnswerRow(Row):
    """A final answer and the verdict of the answer-equivalence engine: a line of `stepforge equivalent`."""

    REPLY: ClassVar = ("verdict",)
    EXAMPLE: ClassVar = {"id": "gsm8k/12:solve", "verdict": "equal", "difficulty": "easy"}

    verdict: EquivalenceVerdict | None = Field(
        default=None, description="of the answer engine; null: there was no answer to compare"
    )

    @property
    def undecided(self) -> bool:
        """Whether the engine could not tell: it is not right, and counted beside."""
        return self.verdict is EquivalenceVerdict.UNDECIDED


register(
    Metric(
        name="faa",
        title="Final-answer accuracy",
        source="MAMath-Bench, equation (1)",
        row=AnswerRow,
        measures=lambda _: [
            Measure("FAA", "share of final answers found equal to the reference", "N_correct / N",
                    mean(lambda row: not row.failed and right(row.verdict))),
        ],
    )
)  # fmt: skip
