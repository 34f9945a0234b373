"""Facts and values read from a figure.  Source: AgenticMathBench, appendix F.2, equations (13) and (14).

Differs from the paper, where a judge matches the facts: equal canonical predicates match; what a judge matched is
counted instead where it is given.  "A small tolerance" of values is 0.1 % of the reference here.
"""

import math
from collections.abc import Mapping
from typing import ClassVar, Self

from pydantic import Field, model_validator

from stepforge.answers.numbers import number
from stepforge.metrics import _counting
from stepforge.metrics._base import Measure, Metric, Parameters, Row, mean, register
from stepforge.metrics._predicates import fact, thing


class SpatialRow(Row):
    """Facts and numeric values of the reference and of the reply."""

    REPLY: ClassVar = ("facts",)
    JUDGED: ClassVar = ("pairs",)
    NEEDED: ClassVar = ("facts",)
    EXAMPLE: ClassVar = {
        "id": "p1",
        "gold_facts": ["AB ∥ CD", "perpendicular(AE, CD)"],
        "facts": ["parallel(DC, BA)", "midpoint(E, CD)"],
        "gold_values": {"AB": 5, "∠ABC": 60},
        "values": {"BA": "5", "∠CBA": 60.01},
    }

    gold_facts: tuple[str, ...] = Field(description="relations of the reference: name(argument, …) or AB ∥ CD")
    facts: tuple[str, ...] | None = Field(default=None, description="relations of the reply; null: no reply")
    pairs: tuple[tuple[int, int], ...] | None = Field(
        default=None,
        max_length=10_000,
        description="what a judge matched: [index in gold_facts, index in facts]; left out: equal predicates match; "
        "null: undecided",
    )
    gold_values: dict[str, float | str] = Field(
        default={}, description="values of the reference by object; none: not asked"
    )
    values: dict[str, float | str] = Field(default={}, description="values of the reply by object")

    @model_validator(mode="after")
    def _pairs_are_there(self) -> Self:
        _counting.check_pairs(self, self.pairs, self.gold_facts, self.facts or ())
        return self

    def counts(self) -> _counting.Counts | None:
        """Matches, predictions and targets; None where the judge did not decide."""
        gold = [fact(text) for text in self.gold_facts]
        if self.failed:
            return _counting.Counts(0, 0, len(set(gold)))
        if self.pairs is None and "pairs" in self.model_fields_set:
            return None
        return _counting.count(gold, [fact(text) for text in self.facts or ()], self.pairs)


class SpatialParameters(Parameters):
    """Tolerance of numeric values."""

    tolerance: float = Field(default=0.001, ge=0, description="relative error of a value that still counts as right")


def values_right(gold: Mapping[str, float | str], predicted: Mapping[str, float | str], tolerance: float) -> bool:
    """Whether every value of the reference is given for the same object, within the relative tolerance."""
    found = {thing(name): value for name, value in predicted.items()}
    return all(_same(value, found.get(thing(name)), tolerance) for name, value in gold.items())


def _same(gold: float | str, predicted: float | str | None, tolerance: float) -> bool:
    if predicted is None:
        return False
    one, other = _real(gold), _real(predicted)
    if one is None or other is None:
        return _counting.plain(str(gold)) == _counting.plain(str(predicted))
    return math.isclose(one, other, rel_tol=tolerance, abs_tol=1e-9)


def _real(value: float | str) -> float | None:
    if not isinstance(value, str):
        return value
    found = number(value.strip().rstrip("°"))
    return None if found is None else found.approx


def _measures(parameters: SpatialParameters) -> list[Measure]:
    def values(row: SpatialRow) -> bool | None:
        if not row.gold_values:
            return None
        return not row.failed and values_right(row.gold_values, row.values, parameters.tolerance)

    return [
        Measure("relation_F1", "agreement of the relations with the reference's, segments and symmetric relations "
                "without order", "mean of 2t / (p + g)",
                mean(lambda row: None if (c := row.counts()) is None else _counting.f1(c))),
        Measure("relation_precision", "share of the named relations that hold", "mean of t / max(1, p)",
                mean(lambda row: None if (c := row.counts()) is None else _counting.precision(c))),
        Measure("relation_recall", "share of the reference's relations that are named", "mean of t / g",
                mean(lambda row: None if (c := row.counts()) is None else _counting.recall(c))),
        Measure("value_accuracy", "share of the figures with values whose values are all right, within a tolerance",
                "N(all values right) / N(with values)", mean(values)),
    ]  # fmt: skip


register(
    Metric(
        name="spatial-perception",
        title="Spatial perception",
        source="AgenticMathBench, equations (13) and (14)",
        row=SpatialRow,
        measures=_measures,
        parameters=SpatialParameters,
    )
)
