"""Process scores of geometry solutions from step verdicts.  Source: GeoLaux, section 4.2, equations (3)-(6).

Differs from the paper's worked example, which its formula does not give; the formula stands (see METRICS).
"""

import math
from collections.abc import Sequence

ALPHA = 3.5  # main text of the paper; its appendix computes with 5, its printed example fits 2.5

BUCKETS = ((1, 4), (5, 8), (9, 12), (13, 24))


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


def delta_pcs(short: float | None, long: float | None) -> float | None:
    """ΔPCS: relative fall of PCS from 1-4 steps (`short`) to 13-24 steps (`long`); None if it has no base."""
    return (short - long) / short if short and long is not None else None


def bucket(step_length: int | None) -> str | None:
    """The paper's bucket of a reference step length; 25+ is this project's own; None if the length is unknown."""
    if step_length is None or step_length < 1:
        return None
    return next((f"{low}-{high}" for low, high in BUCKETS if low <= step_length <= high), "25+")
