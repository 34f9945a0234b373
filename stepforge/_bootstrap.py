"""Percentile intervals by resampling items."""

import hashlib
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

CHUNK_CELLS = 4_000_000  # resampled indices held at once: 32 MB


class Interval(NamedTuple):
    """A 95 % percentile interval; None where there is nothing to resample."""

    low: float | None
    high: float | None


def ratio_interval(
    numerators: npt.NDArray[np.float64], denominators: npt.NDArray[np.float64], *, key: str, resamples: int
) -> Interval:
    """Interval of Σ numerators / Σ denominators over resampled items (METRICS: 95 %, percentile, over items).
    `key` seeds the draw, so that a group's interval does not depend on the other groups."""
    n = len(numerators)
    if n == 0 or denominators.sum() == 0:
        return Interval(None, None)
    rates = numerators[denominators > 0] / denominators[denominators > 0]
    if np.all(rates == rates[0]):
        return Interval(float(rates[0]), float(rates[0]))
    seed = int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big")
    rng = np.random.default_rng(seed)
    values = []
    step = max(1, CHUNK_CELLS // n)
    for start in range(0, resamples, step):
        drawn = rng.integers(0, n, size=(min(step, resamples - start), n))
        below = denominators[drawn].sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            values.append(numerators[drawn].sum(axis=1) / below)
    found = np.concatenate(values)
    found = found[np.isfinite(found)]
    if found.size == 0:
        return Interval(None, None)
    low, high = np.percentile(found, [2.5, 97.5])
    return Interval(float(low), float(high))
