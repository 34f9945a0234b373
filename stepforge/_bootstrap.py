"""Percentile intervals by resampling items."""

import hashlib
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

CHUNK_CELLS = 4_000_000  # resampled indices held at once: 32 MB
MANY_DISTINCT = 4  # with more than one distinct row in so many, drawing items one by one is no slower

Sums = npt.NDArray[np.float64]
Statistic = Callable[[Sums], Sums]  # sums over items, one row a resample, to one value a resample; NaN: undefined


class Interval(NamedTuple):
    """A 95 % percentile interval; None where there is nothing to resample."""

    low: float | None
    high: float | None


NOTHING = Interval(None, None)


def resampled_sums(items: Sums, *, key: str, resamples: int) -> Sums:
    """Sums of the columns over resampled items, shape (resamples, columns).  `items`: shape (n, columns), n ≥ 1.
    `key` seeds the draw: the same key and n draw the same items, so that two systems are resampled together."""
    n, width = items.shape
    rng = np.random.default_rng(_seed(key))
    found = np.empty((resamples, width))
    step = max(1, CHUNK_CELLS // n)
    for start in range(0, resamples, step):
        rows = min(step, resamples - start)
        drawn = rng.integers(0, n, size=(rows, n)) + np.arange(rows)[:, None] * n
        times = np.bincount(drawn.ravel(), minlength=rows * n).reshape(rows, n)
        found[start : start + rows] = times.astype(np.float64) @ items
    return found


def _sums_of_distinct(items: Sums, *, key: str, resamples: int) -> Sums:
    """As `resampled_sums`, in distribution: how often each distinct row is drawn is a multinomial.  Scores have few
    distinct values, and the work is theirs and not the items'.  Two systems are not resampled together by it."""
    rows, counts = np.unique(items, axis=0, return_counts=True)
    if MANY_DISTINCT * len(rows) > len(items):
        return resampled_sums(items, key=key, resamples=resamples)
    times = np.random.default_rng(_seed(key)).multinomial(len(items), counts / len(items), size=resamples)
    return times.astype(np.float64) @ rows


def _seed(key: str) -> int:
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big")


def percentile_interval(values: Sums) -> Interval:
    """The middle 95 % of the finite values; None if there is none."""
    finite = values[np.isfinite(values)]
    if finite.size == 0:
        return NOTHING
    low, high = np.percentile(finite, [2.5, 97.5])
    return Interval(float(low), float(high))


def ratio(sums: Sums) -> Sums:
    """First column / second column; NaN where the second is 0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(sums[..., 1] != 0, sums[..., 0] / sums[..., 1], np.nan)


def ratio_interval(
    numerators: npt.NDArray[np.float64], denominators: npt.NDArray[np.float64], *, key: str, resamples: int
) -> Interval:
    """Interval of Σ numerators / Σ denominators over resampled items (METRICS: 95 %, percentile, over items).
    `key` seeds the draw, so that a group's interval does not depend on the other groups."""
    if len(numerators) == 0 or denominators.sum() == 0:
        return NOTHING
    rates = numerators[denominators > 0] / denominators[denominators > 0]
    if np.all(rates == rates[0]):
        return Interval(float(rates[0]), float(rates[0]))
    return percentile_interval(
        ratio(_sums_of_distinct(np.column_stack([numerators, denominators]), key=key, resamples=resamples))
    )
