"""Concepts that a statement needs, and whether it is understood.  Source: AgenticMathBench, appendix F.2, equations
(10)-(12)."""

from typing import ClassVar, Self

from pydantic import Field, model_validator

from stepforge.metrics import _counting
from stepforge.metrics._base import Measure, Metric, Row, judged, mean, register


class ConceptRow(Row):
    """Concepts of the reference and of the reply, and what a judge matched."""

    REPLY: ClassVar = ("predicted",)
    JUDGED: ClassVar = ("pairs", "understood")
    NEEDED: ClassVar = ("predicted",)
    EXAMPLE: ClassVar = {
        "id": "p1",
        "gold": ["triangle inequality", "absolute value"],
        "predicted": ["Absolute value", "the triangle inequality", "norm"],
        "pairs": [[0, 1], [1, 0]],
        "understood": True,
    }

    gold: tuple[str, ...] = Field(description="concepts of the reference")
    predicted: tuple[str, ...] | None = Field(default=None, description="concepts of the reply; null: no reply")
    pairs: tuple[tuple[int, int], ...] | None = Field(
        default=None,
        max_length=10_000,
        description="what a judge matched: [index in gold, index in predicted], from 0; left out: equal names match; "
        "null: undecided",
    )
    understood: bool | None = Field(
        default=None, description="whether the explanation captures the objects and the claim; left out: not asked"
    )

    @model_validator(mode="after")
    def _pairs_are_there(self) -> Self:
        _counting.check_pairs(self, self.pairs, self.gold, self.predicted or ())
        return self

    def counts(self) -> _counting.Counts | None:
        """Matches, predictions and targets; None where the judge did not decide."""
        gold = _counting.distinct(self.gold)
        if self.failed:
            return _counting.Counts(0, 0, len(set(gold)))
        if self.pairs is None and "pairs" in self.model_fields_set:
            return None
        return _counting.count(gold, _counting.distinct(self.predicted or ()), self.pairs)


def _understood(row: ConceptRow) -> tuple[float, float] | None:
    """A reply that failed understood nothing; where nothing was asked, nothing is counted."""
    return judged("understood")(row)


register(
    Metric(
        name="concept-understanding",
        title="Concept understanding",
        source="AgenticMathBench, equations (10)-(12)",
        row=ConceptRow,
        measures=lambda _: [
            Measure("set_F1", "agreement of the set of concepts with the reference's", "mean of 2t / (p + g)",
                    mean(lambda row: None if (c := row.counts()) is None else _counting.f1(c))),
            Measure("precision", "share of the named concepts that are needed", "mean of t / max(1, p)",
                    mean(lambda row: None if (c := row.counts()) is None else _counting.precision(c))),
            Measure("recall", "share of the needed concepts that are named", "mean of t / g",
                    mean(lambda row: None if (c := row.counts()) is None else _counting.recall(c))),
            Measure("accuracy", "share of explanations that capture the objects and the claim", "N_understood / N",
                    _understood),
        ],
    )
)  # fmt: skip
