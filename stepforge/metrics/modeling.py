"""Variables, constraints and objective of a formal model.  Source: AgenticMathBench, equations (19)-(22)."""

from typing import ClassVar, Self

from pydantic import Field, model_validator

from stepforge.metrics import _counting
from stepforge.metrics._base import Measure, Metric, Row, judged, mean, register

Pairs = tuple[tuple[int, int], ...]


class ModelRow(Row):
    """A reference model, a predicted one, and what a judge matched between them."""

    REPLY: ClassVar = ("variables", "constraints")
    JUDGED: ClassVar = ("variable_pairs", "constraint_pairs", "objective")
    EXAMPLE: ClassVar = {
        "id": "p1",
        "gold_variables": ["price of a pen", "price of a book"],
        "variables": ["x: cost of one pen", "y: cost of one book"],
        "variable_pairs": [[0, 0], [1, 1]],
        "gold_constraints": ["2p + b = 9", "p + b = 6"],
        "constraints": ["2x + y = 9"],
        "constraint_pairs": [[0, 0]],
        "objective": True,
    }

    gold_variables: tuple[str, ...] = Field(description="variables of the reference")
    gold_constraints: tuple[str, ...] = Field(description="constraints of the reference")
    variables: tuple[str, ...] | None = Field(default=None, description="variables of the reply; null: no reply")
    constraints: tuple[str, ...] | None = Field(default=None, description="constraints of the reply; null: no reply")
    variable_pairs: Pairs | None = Field(
        default=None, max_length=10_000, description="matched variables: [index in gold, in reply]; null: undecided"
    )
    constraint_pairs: Pairs | None = Field(
        default=None,
        max_length=10_000,
        description="equivalent constraints: [index in gold, in reply]; null: undecided",
    )
    objective: bool | None = Field(
        default=None, description="whether the objective is the same quantity in the same direction; null: undecided"
    )

    @model_validator(mode="after")
    def _pairs_are_there(self) -> Self:
        _counting.check_pairs(self, self.variable_pairs, self.gold_variables, self.variables or ())
        _counting.check_pairs(self, self.constraint_pairs, self.gold_constraints, self.constraints or ())
        return self

    def variable_f1(self) -> float | None:
        """F1 of the variables; None where the judge did not decide, or there are none to find."""
        gold = _counting.distinct(self.gold_variables)
        if self.failed:
            return _counting.f1(_counting.Counts(0, 0, len(set(gold))))
        if self.variable_pairs is None:
            return None
        return _counting.f1(_counting.count(gold, _counting.distinct(self.variables or ()), self.variable_pairs))

    def constraint_coverage(self) -> float | None:
        """Covered reference constraints / reference constraints; None as above."""
        gold = _counting.distinct(self.gold_constraints)
        pairs = () if self.failed else self.constraint_pairs
        if pairs is None or not gold:
            return None
        return _counting.covered(gold, pairs) / len(set(gold))


register(
    Metric(
        name="modeling",
        title="Mathematics modeling",
        source="AgenticMathBench, equations (19)-(22)",
        row=ModelRow,
        measures=lambda _: [
            Measure("variable_F1", "agreement of the variables with the reference's", "mean of 2t / (p + g)",
                    mean(lambda row: row.variable_f1())),
            Measure("constraint_coverage", "share of the reference's constraints that some constraint is equivalent to",
                    "mean of h / g", mean(lambda row: row.constraint_coverage())),
            Measure("objective", "share of models that ask for the same quantity in the same direction", "N_same / N",
                    judged("objective")),
        ],
    )
)  # fmt: skip
