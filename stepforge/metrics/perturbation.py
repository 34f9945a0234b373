"""Accuracy before and after the numbers of a problem were changed, and how often the old answer comes back.  Source:
GeoLaux, appendix F.2, table 8."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from pydantic import Field

from stepforge._bootstrap import Sums, ratio
from stepforge.metrics._base import Measure, Metric, Options, Row, judged, mean, register
from stepforge.metrics.comparison import compare
from stepforge.vocabulary import NOT_COUNTED


class PerturbationRow(Row):
    """One problem in its two forms."""

    JUDGED: ClassVar = ("before", "after", "original_answer")
    EXAMPLE: ClassVar = {"id": "p1", "before": 1, "after": 0, "original_answer": True}

    before: float | None = Field(
        default=None, ge=0, le=1, description="score on the original problem: ACS, PCS, …; null: undecided"
    )
    after: float | None = Field(default=None, ge=0, le=1, description="the same score on the perturbed problem")
    original_answer: bool | None = Field(
        default=None,
        description="whether the reply to the perturbed problem gives the original's answer; null: undecided",
    )


def _both(row: PerturbationRow) -> tuple[float, float] | None:
    """Scores after and before, where both were decided."""
    if row.failed:
        return (0.0, 0.0)
    return None if row.before is None or row.after is None else (row.after, row.before)


def _pair(row: PerturbationRow) -> tuple[float, ...] | None:
    both = _both(row)
    return None if both is None else (both[0], 1, both[1], 1)


def _difference(sums: Sums) -> Sums:
    return ratio(sums[..., :2]) - ratio(sums[..., 2:])


def _test(rows: Sequence[PerturbationRow], options: Options) -> Mapping[str, object]:
    """The paired comparison of the two forms."""
    found = {
        f"{k} {row.id}": both
        for k, row in enumerate(rows)
        if row.failure not in NOT_COUNTED and (both := _both(row)) is not None
    }
    after, before = ({k: (both[side], 1.0) for k, both in found.items()} for side in (0, 1))
    key = f"{options.seed}|perturbation|test"
    return {"test": compare(after, before, key=key, resamples=options.resamples)._asdict()}


register(
    Metric(
        name="perturbation",
        title="Robustness: numeric perturbation",
        source="GeoLaux, appendix F.2, table 8",
        row=PerturbationRow,
        measures=lambda _: [
            Measure("before", "score on the original problems", "mean of the scores", judged("before")),
            Measure("after", "score on the perturbed problems", "mean of the scores", judged("after")),
            Measure("delta", "change of the score by the perturbation, on problems scored in both forms",
                    "after − before", _pair, _difference, better=""),
            Measure("original_answer_rate", "share of perturbed problems that are given the original's answer",
                    "N_original / N", mean(lambda row: False if row.failed else row.original_answer), better="lower"),
        ],
        more=_test,
        more_words={"test": "paired comparison of the scores after and before: difference, interval, p-value, test"},
    )
)  # fmt: skip
