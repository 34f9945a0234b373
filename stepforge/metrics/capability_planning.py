"""Which capabilities a system plans to use.  Source: AgenticMathBench, sections 2.2.3 and 3, table 2 (P/R/F1, EM),
equations (4) and (5); macro over items."""

from typing import ClassVar

from pydantic import Field

from stepforge.metrics import _counting
from stepforge.metrics._base import Measure, Metric, Row, mean, register
from stepforge.vocabulary import Capability


class CapabilityRow(Row):
    """The capabilities of the reference trajectory and those that the reply selects."""

    REPLY: ClassVar = ("predicted",)
    EXAMPLE: ClassVar = {
        "id": "p1",
        "gold": ["calculation", "theorem_application"],
        "predicted": ["calculation", "spatial_perception"],
    }

    gold: frozenset[Capability] = Field(description="capabilities of the reference")
    predicted: frozenset[Capability] | None = Field(
        default=None, description="capabilities that the reply selects; null: no reply"
    )

    def counts(self) -> _counting.Counts:
        """Matches, predictions and targets."""
        found = frozenset() if self.failed else self.predicted or frozenset()
        return _counting.Counts(len(self.gold & found), len(found), len(self.gold))


register(
    Metric(
        name="capability-planning",
        title="Capability planning",
        source="AgenticMathBench, table 2, equations (4) and (5)",
        row=CapabilityRow,
        measures=lambda _: [
            Measure("precision", "share of the selected capabilities that are needed", "mean of t / max(1, p)",
                    mean(lambda row: _counting.precision(row.counts()))),
            Measure("recall", "share of the needed capabilities that are selected", "mean of t / g",
                    mean(lambda row: _counting.recall(row.counts()))),
            Measure("F1", "harmonic mean of the two, per item", "mean of 2t / (p + g)",
                    mean(lambda row: _counting.f1(row.counts()))),
            Measure("exact_match", "share of items with exactly the needed capabilities", "N(predicted = gold) / N",
                    mean(lambda row: None if not row.gold else not row.failed and row.gold == row.predicted)),
        ],
    )
)  # fmt: skip
