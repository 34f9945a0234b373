"""Process scores of geometry solutions from step verdicts.  Source: GeoLaux, section 4.2, equations (3)-(6).

Differs from the paper's worked example, which its formula does not give; the formula stands (see METRICS).
"""

import math
from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

import numpy as np
from pydantic import Field, field_validator

from stepforge._bootstrap import Sums
from stepforge.metrics._base import Measure, Metric, Parameters, Row, also, mean, register

ALPHA = 3.5  # main text of the paper; its appendix computes with 5, its printed example fits 2.5

BUCKETS = ((1, 4), (5, 8), (9, 12), (13, 24))


class GeoLauxParameters(Parameters):
    """Parameters of the process quality score."""

    alpha: float = Field(default=ALPHA, gt=0, description="steepness of the activation of PQS")


def pqs_prime(steps: Sequence[int]) -> float | None:
    """PQS′ = Σ η_i·e^(−i/n) / Σ e^(−i/n), i = 1..n, in [0, 1]; None if n = 0.  `steps`: η, each 0 or 1."""
    n = len(steps)
    if n == 0:
        return None
    weights = [math.exp(-i / n) for i in range(1, n + 1)]
    return sum(w * s for w, s in zip(weights, steps, strict=True)) / sum(weights)


def pqs(steps: Sequence[int] | None, alpha: float = ALPHA) -> float:
    """PQS = tanh(α(PQS′ − 1)) + 1; one step: its score; none, or no vector: 0 (as the official code)."""
    if not steps:
        return 0.0
    if len(steps) == 1:
        return float(steps[0])
    prime = pqs_prime(steps)
    return math.tanh(alpha * ((prime or 0.0) - 1)) + 1


def acs(final_right: bool) -> int:
    """Answer correctness: 1 if the final answer is right."""
    return int(final_right)


def pcs(final_right: bool, steps: Sequence[int] | None) -> int:
    """Process correctness: 1 if the answer is right, there are step verdicts, and none is 0."""
    return int(final_right and bool(steps) and 0 not in (steps or ()))


def false_positive(final_right: bool, steps: Sequence[int] | None) -> int:
    """1 if the answer is right and the process is not: ACS = 1 and PCS = 0 (section 5.3)."""
    return int(final_right and not pcs(final_right, steps))


def delta_pcs(short: float | None, long: float | None) -> float | None:
    """ΔPCS: relative fall of PCS from 1-4 steps (`short`) to 13-24 steps (`long`); None if it has no base."""
    return (short - long) / short if short and long is not None else None


def bucket(step_length: int | None) -> str | None:
    """The paper's bucket of a reference step length; 25+ is this project's own; None if the length is unknown."""
    if step_length is None or step_length < 1:
        return None
    return next((f"{low}-{high}" for low, high in BUCKETS if low <= step_length <= high), "25+")


class GeoLauxRow(Row):
    """A geometry solution with the verdict on its answer and on each step.  The text `"null"` is null."""

    JUDGED: ClassVar = ("right",)
    NEEDED: ClassVar = ("right", "steps")
    EXAMPLE: ClassVar = {"id": "1_2_1", "step_length": 10, "steps": [1, 1, 0, 1], "right": True}

    right: bool | None = Field(
        default=None,
        validation_alias=also("right", "final_judgment"),
        description="whether the final answer is right; null: undecided",
    )
    steps: tuple[Literal[0, 1], ...] | None = Field(
        default=None,
        validation_alias=also("steps", "step_scores"),
        description="η: 1 for a sound step, 0 for a failed one, in order; null or empty: PQS = PCS = 0",
    )

    @field_validator("steps", mode="before")
    @classmethod
    def _null_is_written_as_text(cls, value: object) -> object:
        return None if value == "null" else value


def _measures(parameters: GeoLauxParameters) -> list[Measure]:
    def pcs_of(row: GeoLauxRow) -> int | None:
        return 0 if row.failed else None if row.right is None else pcs(row.right, row.steps)

    def false_positive_of(row: GeoLauxRow) -> int | None:
        return 0 if row.failed else None if row.right is None else false_positive(row.right, row.steps)

    def halves(row: GeoLauxRow) -> tuple[float, ...] | None:
        value, where = pcs_of(row), bucket(row.step_length)
        short, long = where == "1-4", where == "13-24"
        return None if value is None or not (short or long) else (value * short, short, value * long, long)

    return [
        Measure("ACS", "share of right final answers", "mean of [answer right]",
                mean(lambda row: 0 if row.failed else row.right)),
        Measure("PCS", "share of right answers reached without a failed step", "mean of [answer right and 0 ∉ η]",
                mean(pcs_of)),
        Measure("PQS", "quality of the process, early errors weighing more", "mean of tanh(α(PQS′ − 1)) + 1, α = 3.5",
                mean(lambda row: 0.0 if row.failed else pqs(row.steps, parameters.alpha))),
        Measure("PQS_prime", "the same before its activation; solutions without step verdicts left out",
                "mean of Σ η_i·e^(−i/n) / Σ e^(−i/n)",
                mean(lambda row: None if row.failed else pqs_prime(row.steps or ()))),
        Measure("false_positive_rate", "share of solutions with a right answer and a wrong process",
                "N(ACS = 1 and PCS = 0) / N",
                mean(false_positive_of), better="lower"),
        Measure("delta_PCS", "relative fall of PCS from short to very long problems",
                "(PCS at 1-4 steps − PCS at 13-24 steps) / PCS at 1-4 steps", halves, _fall, better="lower"),
    ]  # fmt: skip


def _fall(sums: Sums) -> Sums:
    """Columns: right processes and solutions at 1-4 steps, the same at 13-24."""
    with np.errstate(invalid="ignore", divide="ignore"):
        short, long = sums[..., 0] / sums[..., 1], sums[..., 2] / sums[..., 3]
        return np.where(short > 0, (short - long) / short, np.nan)


OFFICIAL_BINS = {"14": (1, 4), "58": (5, 8), "912": (9, 12), "1328": (13, 24)}  # as the scorer names them


def _official(rows: Sequence[GeoLauxRow]) -> Mapping[str, object]:
    """The official scorer's summary, three decimals: lengths over 24 are in no bin, an empty bin is absent."""
    binned = {
        name: [row for row in rows if row.step_length is not None and low <= row.step_length <= high]
        for name, (low, high) in OFFICIAL_BINS.items()
    }

    def average(values: Sequence[float]) -> float | None:
        return round(sum(values) / len(values), 3) if values else None

    def acs_of(of: Sequence[GeoLauxRow]) -> float | None:
        return average([acs(bool(row.right)) for row in of])

    def pcs_of(of: Sequence[GeoLauxRow]) -> float | None:
        return average([pcs(bool(row.right), row.steps) for row in of])

    return {
        "average_pcs": pcs_of(rows),
        "average_acs": acs_of(rows),
        "acs_by_step": {name: acs_of(of) for name, of in binned.items() if of},
        "pcs_by_step": {name: pcs_of(of) for name, of in binned.items() if of},
        "average_pqs": average([pqs(row.steps) for row in rows]),
    }


register(
    Metric(
        name="geolaux",
        title="Answer, process and process quality of geometry solutions",
        source="GeoLaux, section 4, equations (1)-(6), table 4",
        row=GeoLauxRow,
        measures=_measures,
        official=_official,
        parameters=GeoLauxParameters,
    )
)
