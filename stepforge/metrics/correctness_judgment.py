"""Whether a system can tell a right solution from a wrong one.  Source: AgenticMathBench, section 3, table 3."""

from typing import ClassVar

from pydantic import Field

from stepforge.metrics._base import Measure, Metric, Row, mean, register


class JudgmentRow(Row):
    """What is true of a trajectory and what the system says of it."""

    REPLY: ClassVar = ("predicted",)
    EXAMPLE: ClassVar = {"id": "p1", "gold": True, "predicted": False}

    gold: bool = Field(description="whether the trajectory is right")
    predicted: bool | None = Field(default=None, description="what the reply says; null: nothing that could be read")


register(
    Metric(
        name="correctness-judgment",
        title="Correctness judgment",
        source="AgenticMathBench, table 3",
        row=JudgmentRow,
        measures=lambda _: [
            Measure("accuracy", "share of trajectories that are judged as they are", "N(predicted = gold) / N",
                    mean(lambda row: not row.failed and row.predicted is row.gold)),
        ],
    )
)  # fmt: skip
