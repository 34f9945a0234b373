"""How milestone accuracy depends on the constants of the matcher: its threshold, its weights and its rules.

MAMath-Bench sets them "heuristically" (equation 2).  Under other weights another unit may be the most similar one, so
nothing is computed from the one that counted: the stage that judges a reply keeps, with the verdicts, how many
milestones it would match under each setting (`counts_by_setting`, from all pairs of units and milestones, the reference
path chosen anew).  The report only sums: `sensitivity(judgements)`.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from stepforge.metrics.milestones import (
    KEYWORD_THRESHOLD,
    NUMERIC_THRESHOLD,
    PAPER,
    SEMANTIC_THRESHOLD,
    Components,
    Constants,
    best_path,
)
from stepforge.records import Judgement, MilestoneCount

BASELINE = "baseline"
WEIGHTS = ("semantic", "equation", "numeric", "keyword")
CHANGES = {"−50 %": 0.5, "+50 %": 1.5}  # of one weight before all are made to sum to 1 again


def _reweighted(weight: str, factor: float) -> Constants:
    changed = [value * (factor if name == weight else 1) for name, value in zip(WEIGHTS, PAPER.weights, strict=True)]
    total = math.fsum(changed)
    semantic, equation, numeric, keyword = (value / total for value in changed)
    return PAPER._replace(semantic=semantic, equation=equation, numeric=numeric, keyword=keyword)


SETTINGS: Mapping[str, Constants] = {
    BASELINE: PAPER,
    **{f"threshold {t}": PAPER._replace(threshold=t) for t in (0.2, 0.3, 0.5, 0.6)},
    **{f"{name} weight {change}": _reweighted(name, f) for name in WEIGHTS for change, f in CHANGES.items()},
    "without the equation rule": PAPER._replace(equation_rule=False),
    "without the semantic rule": PAPER._replace(semantic_rule=False),
}


def counts_by_setting(paths: Sequence[Components]) -> tuple[MilestoneCount, ...]:
    """Matched and all milestones of a reply under each of `SETTINGS`, in order, on the reference path that counts
    there; none where no path has a milestone.  `paths`: the components for each reference path."""
    paths = [path for path in paths if path.stacked.shape[2]]
    if len(paths) > 1:
        chosen = (best_path([path.align(constants) for path in paths])[1] for constants in SETTINGS.values())
        return tuple(MilestoneCount(matched=c.n_matched, total=c.milestones) for c in chosen if c is not None)
    return tuple(
        MilestoneCount(matched=matched, total=path.stacked.shape[2]) for path in paths for matched in _matched(path)
    )


_ALL = list(SETTINGS.values())
_WEIGHTINGS = sorted({constants.weights for constants in _ALL})
_ROW = np.array([_WEIGHTINGS.index(constants.weights) for constants in _ALL])
_S = np.array([[c.threshold] for c in _ALL])
_EQUATION_RULE = np.array([[c.equation_rule] for c in _ALL])
_SEMANTIC_RULE = np.array([[c.semantic_rule] for c in _ALL])


def _matched(path: Components) -> list[int]:
    """Matched milestones under each setting, all settings at once: what `Components.align` counts one by one."""
    _, units, milestones = path.stacked.shape
    if not units:
        return [0] * len(_ALL)
    totals = path.similarities(_WEIGHTINGS)
    best = totals.argmax(axis=1)  # of each weighting and milestone
    similarity = np.take_along_axis(totals, best[:, None, :], axis=1)[_ROW, 0, :]
    semantic, equation, numeric, keyword = path.stacked[:, best, np.arange(milestones)][:, _ROW, :]
    close = (semantic >= SEMANTIC_THRESHOLD) & ((numeric >= NUMERIC_THRESHOLD) | (keyword >= KEYWORD_THRESHOLD))
    hits = (similarity >= _S) | ((equation == 1) & _EQUATION_RULE) | (close & _SEMANTIC_RULE)
    return hits.sum(axis=1).tolist()  # type: ignore[no-any-return]


class SensitivityRow(NamedTuple):
    """The milestone accuracy of a system under a setting."""

    system: str
    setting: str
    ma: float | None  # micro; None where the system has no milestone
    change: float | None  # against the baseline


class Stability(NamedTuple):
    """Whether a setting ranks the systems as the baseline does."""

    setting: str
    tau: float | None  # Kendall's τ-b of the two rankings; None where one of them ranks nothing
    systems: int


class Sensitivity(NamedTuple):
    """Milestone accuracy by system and setting, systems by name; and how stable their order is."""

    rows: list[SensitivityRow]
    stability: list[Stability]


def sensitivity(judgements: Iterable[Judgement]) -> Sensitivity:
    """MA of each system under each setting, and Kendall's τ between the systems' order there and at the baseline.

    For the report: pass the judgements of the systems to be compared (all samples; leave out the controls, which agree
    with every setting).  The baseline is the headline MA, Σ matched / Σ milestones; what is in no denominator there is
    in none here.  A judgement without counts by setting (made by an older version) is an error, not a zero.
    Raises: ValueError."""
    sums: dict[str, list[list[int]]] = defaultdict(lambda: [[0, 0] for _ in SETTINGS])
    for judgement in judgements:
        if not judgement.milestones_total:
            continue
        if len(judgement.milestones_by_setting) != len(SETTINGS):
            raise ValueError(f"{judgement.task_id}: judged before there were {len(SETTINGS)} settings; judge it again")
        for total, count in zip(sums[judgement.system], judgement.milestones_by_setting, strict=True):
            total[0] += count.matched
            total[1] += count.total
    accuracy = {
        system: [matched / total if total else None for matched, total in counts]
        for system, counts in sorted(sums.items())
    }
    rows = [
        SensitivityRow(system, setting, value, None if value is None or first is None else value - first)
        for system, (first, *others) in accuracy.items()
        for setting, value in zip(SETTINGS, (first, *others), strict=True)
    ]
    ranked = [values for values in accuracy.values() if None not in values]
    stability = [
        Stability(setting, kendall_tau([v[0] or 0.0 for v in ranked], [v[k] or 0.0 for v in ranked]), len(ranked))
        for k, setting in enumerate(SETTINGS)
    ]
    return Sensitivity(rows, stability)


def kendall_tau(a: Sequence[float], b: Sequence[float]) -> float | None:
    """Kendall's τ-b of two scorings of the same things, in [−1, 1]; None where one of them tells none apart."""
    concordant = pairs_a = pairs_b = 0
    for i in range(len(a)):
        for j in range(i):
            x, y = _sign(a[i] - a[j]), _sign(b[i] - b[j])
            concordant += x * y
            pairs_a += x != 0
            pairs_b += y != 0
    return concordant / math.sqrt(pairs_a * pairs_b) if pairs_a and pairs_b else None


def _sign(x: float) -> int:
    return (x > 0) - (x < 0)
