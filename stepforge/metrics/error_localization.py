"""Where the first error is, and what it is.  Source: AgenticMathBench, section 3, table 3 (step, type; overall is their
mean)."""

from typing import ClassVar

from pydantic import Field

from stepforge._bootstrap import Sums, ratio
from stepforge.metrics._base import Measure, Metric, Row, mean, register
from stepforge.metrics._counting import plain


class LocalizationRow(Row):
    """The first error of a trajectory and the one that the reply names."""

    REPLY: ClassVar = ("step", "type")
    EXAMPLE: ClassVar = {"id": "p1", "gold_step": 3, "gold_type": "calculation", "step": 3, "type": "logic"}

    gold_step: int = Field(description="index of the first wrong step")
    gold_type: str = Field(description="type of its error")
    step: int | None = Field(
        default=None, description="index that the reply names, counted as gold_step is; null: none"
    )
    type: str | None = Field(default=None, description="type that the reply names (case does not matter); null: none")

    def step_right(self) -> bool:
        """Whether the step is the one."""
        return not self.failed and self.step == self.gold_step

    def type_right(self) -> bool:
        """Whether the type is the one."""
        return not self.failed and self.type is not None and plain(self.type) == plain(self.gold_type)


def _mean_of_means(sums: Sums) -> Sums:
    return (ratio(sums[..., :2]) + ratio(sums[..., 2:])) / 2


register(
    Metric(
        name="error-localization",
        title="Error localization",
        source="AgenticMathBench, table 3",
        row=LocalizationRow,
        measures=lambda _: [
            Measure("step", "share of trajectories whose first wrong step is named", "N(step = gold) / N",
                    mean(lambda row: row.step_right())),
            Measure("type", "share of trajectories whose error type is named", "N(type = gold) / N",
                    mean(lambda row: row.type_right())),
            Measure("overall", "mean of the two", "(step + type) / 2",
                    lambda row: (row.step_right(), 1, row.type_right(), 1), _mean_of_means),
        ],
    )
)  # fmt: skip
