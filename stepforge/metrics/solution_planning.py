"""How a judge finds a whole plan.  Source: AgenticMathBench, section 3, table 2 (step coverage, sub-goal, logic)."""

from typing import ClassVar

from pydantic import Field

from stepforge._bootstrap import Sums, ratio
from stepforge.metrics._base import Measure, Metric, Row, judged, register


class PlanRow(Row):
    """A judge's three scores of one plan."""

    JUDGED: ClassVar = ("step_coverage", "sub_goal", "logic")
    EXAMPLE: ClassVar = {"id": "p1", "step_coverage": 0.8, "sub_goal": 0.7, "logic": 0.9}

    step_coverage: float | None = Field(
        default=None, ge=0, le=1, description="how far the plan covers the reference's steps"
    )
    sub_goal: float | None = Field(
        default=None, ge=0, le=1, description="how far the sub-goals agree with the reference"
    )
    logic: float | None = Field(default=None, ge=0, le=1, description="how consistent the plan is in itself")


SCORES = {
    "step_coverage": "how far the reference's steps are covered",
    "sub_goal": "how far the sub-goals agree",
    "logic": "how consistent the plan is",
}


def _all(row: PlanRow) -> tuple[float, ...] | None:
    sums = [judged(name)(row) or (0.0, 0.0) for name in SCORES]
    return None if all(n == 0 for _, n in sums) else tuple(part for pair in sums for part in pair)


def _mean_of_means(sums: Sums) -> Sums:
    return (ratio(sums[..., 0:2]) + ratio(sums[..., 2:4]) + ratio(sums[..., 4:6])) / 3


register(
    Metric(
        name="solution-planning",
        title="Solution planning",
        source="AgenticMathBench, table 2, appendix F.1.1",
        row=PlanRow,
        measures=lambda _: [
            *(Measure(name, f"a judge's score: {words}", "mean of the scores", judged(name))
              for name, words in SCORES.items()),
            Measure("overall", "mean of the three", "(step coverage + sub-goal + logic) / 3", _all, _mean_of_means),
        ],
    )
)  # fmt: skip
