"""What the failed steps suffer from.  Source: GeoLaux, section 4.4 and figure 10 (four types); MV-MATH, section 4.4 and
appendix (five types)."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from pydantic import Field

from stepforge.metrics._base import Measure, Metric, Row, mean, register
from stepforge.vocabulary import StepError


class ErrorRow(Row):
    """The errors found in one solution."""

    REPLY: ClassVar = ("error_types",)
    EXAMPLE: ClassVar = {"id": "p1", "error_types": [None, "calculation", None, "logical_reasoning"]}

    error_types: tuple[StepError | None, ...] | None = Field(
        default=None,
        description="one entry a step, null for a sound step; GeoLaux: figure_comprehension, knowledge, calculation, "
        "logical_reasoning; MV-MATH: visual_perception, reasoning, calculation, knowledge, reject",
    )

    def failed_steps(self) -> list[StepError]:
        """The types of the failed steps."""
        return [kind for kind in self.error_types or () if kind is not None]


def _share(kind: StepError) -> Measure:
    def sums(row: ErrorRow) -> tuple[float, float] | None:
        failed = row.failed_steps()
        return (failed.count(kind), len(failed)) if failed else None

    words = f"share of the failed steps that have a {kind.value.replace('_', ' ')} error"
    return Measure(kind.value, words, "steps of this type / failed steps", sums, better="")


def _shares(rows: Sequence[ErrorRow], _: object) -> Mapping[str, Sequence[Measure]]:
    seen = {kind for row in rows for kind in row.failed_steps()}
    return {"shares": [_share(kind) for kind in StepError if kind in seen]}


register(
    Metric(
        name="error-types",
        title="Error types of failed steps",
        source="GeoLaux, section 4.4, figure 10; MV-MATH, section 4.4",
        row=ErrorRow,
        measures=lambda _: [
            Measure("failed_steps", "share of the steps that failed", "failed steps / steps",
                    lambda row: (len(row.failed_steps()), len(row.error_types)) if row.error_types else None,
                    better="lower"),
            Measure("failed_steps_per_solution", "failed steps of a solution that was read", "failed steps / solutions",
                    mean(lambda row: None if row.failed else float(len(row.failed_steps()))), better="lower"),
        ],
        tables=_shares,
        table_words={"shares": "of the failed steps, the share of each error type that occurs; they add up to 1"},
    )
)  # fmt: skip
