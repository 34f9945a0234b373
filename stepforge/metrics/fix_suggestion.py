"""How a judge finds a suggested repair.  Source: AgenticMathBench, section 3, tables 3 and 16 (reason, consistency).

The weights 0.45 and 0.55 are not in the text: they are what the tables imply (62.2 and 0 give 28.0).
"""

from typing import ClassVar

from pydantic import Field

from stepforge._bootstrap import Sums, ratio
from stepforge.metrics._base import Measure, Metric, Row, judged, register

REASON, CONSISTENCY = 0.45, 0.55


class FixRow(Row):
    """A judge's two scores of one repair."""

    JUDGED: ClassVar = ("reason", "consistency")
    EXAMPLE: ClassVar = {"id": "p1", "reason": 0.6, "consistency": 0.4}

    reason: float | None = Field(
        default=None, ge=0, le=1, description="how well the repair is reasoned; null: undecided"
    )
    consistency: float | None = Field(
        default=None, ge=0, le=1, description="how well the repaired step agrees with the reference; null: undecided"
    )


def _both(row: FixRow) -> tuple[float, ...] | None:
    reason, consistency = judged("reason")(row), judged("consistency")(row)
    return None if reason is None and consistency is None else (*(reason or (0, 0)), *(consistency or (0, 0)))


def _weighted(sums: Sums) -> Sums:
    return REASON * ratio(sums[..., :2]) + CONSISTENCY * ratio(sums[..., 2:])


register(
    Metric(
        name="fix-suggestion",
        title="Fix suggestion",
        source="AgenticMathBench, tables 3 and 16",
        row=FixRow,
        measures=lambda _: [
            Measure("reason", "a judge's score of the reasoning", "mean of the scores", judged("reason")),
            Measure("consistency", "a judge's score of the repaired step", "mean of the scores", judged("consistency")),
            Measure("overall", "weighted mean of the two", "0.45·reason + 0.55·consistency", _both, _weighted),
        ],
    )
)  # fmt: skip
