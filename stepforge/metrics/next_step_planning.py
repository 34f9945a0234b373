"""What a system does next after 20, 50 or 80 % of a trajectory.  Source: AgenticMathBench, section 3, table 2
(capability accuracy, sub-goal similarity; overall is their mean)."""

from typing import ClassVar

from pydantic import Field

from stepforge._bootstrap import Sums, ratio
from stepforge.metrics._base import BREAKDOWNS, Measure, Metric, Row, judged, mean, register
from stepforge.vocabulary import Capability


class NextStepRow(Row):
    """The next step of the reference and of the reply."""

    REPLY: ClassVar = ("capability",)
    JUDGED: ClassVar = ("sub_goal_similarity",)
    LABELS: ClassVar = ("cut", *BREAKDOWNS)
    EXAMPLE: ClassVar = {
        "id": "p1",
        "cut": 50,
        "gold_capability": "calculation",
        "capability": "calculation",
        "sub_goal_similarity": 0.62,
    }

    cut: int = Field(description="share of the trajectory that is shown, in %: 20, 50 or 80; a breakdown")
    gold_capability: Capability = Field(description="capability of the reference's next step")
    capability: Capability | None = Field(default=None, description="capability that the reply names; null: none")
    sub_goal_similarity: float | None = Field(
        default=None, ge=0, le=1, description="similarity of the two sub-goals by judge or embedding; null: undecided"
    )


def _capability(row: NextStepRow) -> bool:
    return not row.failed and row.capability is row.gold_capability


def _both(row: NextStepRow) -> tuple[float, ...]:
    return float(_capability(row)), 1.0, *(judged("sub_goal_similarity")(row) or (0.0, 0.0))


def _mean_of_means(sums: Sums) -> Sums:
    return (ratio(sums[..., :2]) + ratio(sums[..., 2:])) / 2


register(
    Metric(
        name="next-step-planning",
        title="Next-step planning",
        source="AgenticMathBench, table 2",
        row=NextStepRow,
        measures=lambda _: [
            Measure("capability", "share of next steps with the reference's capability", "N(a = a_gold) / N",
                    mean(_capability)),
            Measure("sub_goal", "similarity of the sub-goal to the reference's", "mean of the similarities",
                    judged("sub_goal_similarity")),
            Measure("overall", "mean of the two", "(capability + sub-goal) / 2", _both, _mean_of_means),
        ],
    )
)  # fmt: skip
