"""Scores on problems from before and from after a date, such as a model's training cut-off.  Source: this project's
own; a system that has seen the older problems does worse on the newer ones."""

from collections.abc import Callable
from datetime import date
from typing import ClassVar

from pydantic import Field

from stepforge._bootstrap import Sums, ratio
from stepforge.metrics._base import Measure, Metric, Parameters, Row, register


class DatedRow(Row):
    """A scored problem and its date."""

    JUDGED: ClassVar = ("score",)
    EXAMPLE: ClassVar = {"id": "p1", "published_on": "2025-06-12", "score": 1}

    published_on: date | None = Field(description="when the problem was published; null: unknown, in no denominator")
    score: float | None = Field(default=None, ge=0, le=1, description="any score of the reply; null: undecided")


class SplitParameters(Parameters):
    """Where the split is."""

    cutoff: date = Field(default=date(2025, 1, 1), description="first day that counts as after")


def _measures(parameters: SplitParameters) -> list[Measure]:
    def split(row: DatedRow) -> tuple[float, ...] | None:
        score = 0.0 if row.failed else row.score
        if score is None or row.published_on is None:
            return None
        late = row.published_on >= parameters.cutoff
        return (score, 1, 0, 0) if late else (0, 0, score, 1)

    def side(first: int) -> Callable[[DatedRow], tuple[float, ...] | None]:
        def sums(row: DatedRow) -> tuple[float, ...] | None:
            found = split(row)
            return found[first : first + 2] if found and found[first + 1] else None

        return sums

    return [
        Measure("before", "score on problems published before the date", "mean of the scores", side(2)),
        Measure("after", "score on problems published on the date or later", "mean of the scores", side(0)),
        Measure("difference", "how much better the newer problems are solved; below 0 speaks for contamination",
                "after − before", split, _difference, better=""),
    ]  # fmt: skip


def _difference(sums: Sums) -> Sums:
    return ratio(sums[..., :2]) - ratio(sums[..., 2:])


register(
    Metric(
        name="time-split",
        title="Contamination: problems before and after a date",
        source="this project's own",
        row=DatedRow,
        measures=_measures,
        parameters=SplitParameters,
    )
)
