"""Whether two systems differ, on the items that both answered; and which of many do not.

Exact McNemar where every value is 0 or 1 (McNemar 1947); else the paired bootstrap of the difference of ratios
(Efron and Tibshirani 1993, chapter 16).  Many comparisons at once are adjusted by Holm (1979); letters as in Piepho
(2004): systems with a letter in common were not shown to differ.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import ClassVar, NamedTuple

import numpy as np
from pydantic import Field

from stepforge._bootstrap import Sums, percentile_interval, ratio, resampled_sums
from stepforge.metrics._base import (
    BREAKDOWNS,
    Measure,
    Metric,
    Options,
    Parameters,
    Row,
    register,
)
from stepforge.vocabulary import NOT_COUNTED

MCNEMAR, BOOTSTRAP, NONE = "exact McNemar", "paired bootstrap", "none"
ALPHA = 0.05

Items = Mapping[str, tuple[float, float]]  # item → numerator and denominator of its ratio; a right answer is (1, 1)


class Comparison(NamedTuple):
    """System a against system b on `n` common items: difference of the ratios (a − b), its 95 % interval, and the
    two-sided p-value of `test`; None where there is nothing to compare."""

    n: int
    difference: float | None
    low: float | None
    high: float | None
    p_value: float | None
    test: str


NOT_COMPARED = Comparison(0, None, None, None, None, NONE)


def compare(items_a: Items, items_b: Items, *, key: str, resamples: int = 1000) -> Comparison:
    """Comparison on the items that both have.  `key` seeds the draw: with the same key, b against a is its mirror.
    The bootstrap's p-value is no smaller than 2 / (resamples + 1)."""
    return _compare_all({"a": items_a, "b": items_b}, key, resamples)["a", "b"]


def mcnemar(only_a: int, only_b: int) -> float:
    """Exact two-sided p-value of the sign test on the items that only one of two systems has right:
    min(1, 2·P(X ≤ min)), X ~ Bin(only_a + only_b, ½); 1 if there is no such item."""
    n, fewer = only_a + only_b, min(only_a, only_b)
    term = tail = 1
    for k in range(1, fewer + 1):
        term = term * (n - k + 1) // k
        tail += term
    return min(1.0, 2 * tail / (1 << n))


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """p-values adjusted for their number by Holm's step-down rule, in [0, 1], in the order given; None stays None and
    is not counted."""
    order = sorted((p, i) for i, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    largest = 0.0
    for rank, (p, i) in enumerate(order):
        largest = max(largest, min(1.0, p * (len(order) - rank)))
        adjusted[i] = largest
    return adjusted


class Significance(NamedTuple):
    """Comparisons of all pairs (in the order of the systems' names), their p-values after Holm, and what follows:
    `letters`, of which two systems that were not shown to differ share at least one (a is the best); and `ranks`,
    1 + the number of systems shown to be better."""

    pairs: dict[tuple[str, str], Comparison]
    adjusted: dict[tuple[str, str], float | None]
    letters: dict[str, str]
    ranks: dict[str, int]


def significance_groups(
    systems: Mapping[str, Items],
    *,
    key: str,
    resamples: int = 1000,
    alpha: float = ALPHA,
    higher_is_better: bool = True,
) -> Significance:
    """Which systems differ at `alpha` after Holm over all pairs.  Where the bootstrap tests, resamples are raised so
    far that its smallest p-value can stay significant: 4·pairs / alpha."""
    names = sorted(systems)
    n_pairs = len(names) * (len(names) - 1) // 2
    exact = all(below == 1 and above in {0, 1} for items in systems.values() for above, below in items.values())
    enough = resamples if exact else max(resamples, math.ceil(4 * n_pairs / alpha))
    pairs = _compare_all({name: systems[name] for name in names}, key, enough)
    adjusted = dict(zip(pairs, holm([c.p_value for c in pairs.values()]), strict=True))
    differ = {pair for pair, p in adjusted.items() if p is not None and p <= alpha}
    sign = 1 if higher_is_better else -1
    better = [pair if sign * (pairs[pair].difference or 0) > 0 else pair[::-1] for pair in differ]
    ranks = {name: 1 + sum(worse == name for _, worse in better) for name in names}
    order = sorted(names, key=lambda name: (ranks[name], -sign * _value(systems[name]), name))
    return Significance(pairs, adjusted, letters(order, differ), ranks)


def letters(order: Sequence[str], differ: set[tuple[str, str]]) -> dict[str, str]:
    """Letters of systems, given best first: two share a letter if and only if they are not among the pairs that differ
    (either way round).  Insert and absorb, Piepho 2004."""
    groups: list[frozenset[str]] = [frozenset(order)]
    for one, other in sorted(differ):
        split = [group - {out} for group in groups if {one, other} <= group for out in (one, other)]
        groups = [group for group in groups if not {one, other} <= group]
        for group in sorted(split, key=len, reverse=True):
            if not any(group <= kept for kept in groups):
                groups.append(group)
    place = {name: k for k, name in enumerate(order)}
    ranked = sorted(groups, key=lambda group: sorted(place[name] for name in group))
    return {name: "".join(_letter(k) for k, group in enumerate(ranked) if name in group) for name in order}


def _letter(k: int) -> str:
    """a … z, then (aa) … in brackets, so that two letters are not read as one."""
    return chr(97 + k) if k < 26 else f"({chr(96 + k // 26)}{chr(97 + k % 26)})"


def _value(items: Items) -> float:
    total = sum(denominator for _, denominator in items.values())
    return sum(numerator for numerator, _ in items.values()) / total if total else -math.inf


def _compare_all(systems: Mapping[str, Items], key: str, resamples: int) -> dict[tuple[str, str], Comparison]:
    """Every pair in the order given. Pairs with the same items in common are resampled together, once."""
    counted = {name: {i for i, (_, below) in items.items() if below > 0} for name, items in systems.items()}
    by_items: dict[frozenset[str], list[tuple[str, str]]] = defaultdict(list)
    for pair in combinations(systems, 2):
        by_items[frozenset(counted[pair[0]] & counted[pair[1]])].append(pair)
    found: dict[tuple[str, str], Comparison] = {}
    for common, pairs in by_items.items():
        ids = sorted(common)
        names = sorted({name for pair in pairs for name in pair})
        columns = {name: np.array([systems[name][i] for i in ids], dtype=np.float64).reshape(-1, 2) for name in names}
        drawn = _ratios(columns, key, resamples) if ids else {}
        for one, other in pairs:
            if ids:
                found[one, other] = _comparison(columns[one], columns[other], drawn[one] - drawn[other])
            else:
                found[one, other] = NOT_COMPARED
    return {pair: found[pair] for pair in combinations(systems, 2)}


def _ratios(columns: Mapping[str, Sums], key: str, resamples: int) -> dict[str, Sums]:
    """Resampled ratios of each system, all on the same draws."""
    sums = resampled_sums(np.hstack(list(columns.values())), key=key, resamples=resamples)
    return {name: ratio(sums[:, 2 * k : 2 * k + 2]) for k, name in enumerate(columns)}


def _comparison(a: Sums, b: Sums, differences: Sums) -> Comparison:
    difference = float(ratio(a.sum(axis=0)) - ratio(b.sum(axis=0)))
    low, high = percentile_interval(differences)
    if _binary(a) and _binary(b):
        gained = a[:, 0] - b[:, 0]
        p, test = mcnemar(int((gained > 0).sum()), int((gained < 0).sum())), MCNEMAR
    else:
        p, test = _tail(differences[np.isfinite(differences)]), BOOTSTRAP
    return Comparison(len(a), difference, low, high, p, test)


def _binary(items: Sums) -> bool:
    """Whether each item is one right or wrong answer."""
    return bool(np.all(items[:, 1] == 1) and np.all((items[:, 0] == 0) | (items[:, 0] == 1)))


def _tail(differences: Sums) -> float:
    """Two-sided p-value: twice the smaller tail beyond 0; the observed sample counts as one of the draws."""
    smaller = min(int((differences <= 0).sum()), int((differences >= 0).sum()))
    return min(1.0, 2 * (1 + smaller) / (1 + len(differences)))


class SystemRow(Row):
    """The score of one item by one system."""

    JUDGED: ClassVar = ("value",)
    LABELS: ClassVar = ("system", *BREAKDOWNS)
    EXAMPLE: ClassVar = {"id": "p1", "system": "oracle", "value": 1}

    id: str | int = Field(description="the item; what two systems are compared on is the items that both have")
    system: str = Field(description="whose score it is; a breakdown")
    value: float | None = Field(default=None, ge=0, le=1, description="score in [0, 1]; null: undecided")
    weight: float = Field(default=1, ge=0, description="denominator of a micro average, such as reference milestones")

    def ratio(self) -> tuple[float, float] | None:
        """Numerator and denominator; None where nothing was decided."""
        value = 0.0 if self.failed else self.value
        return None if value is None else (value * self.weight, self.weight)


class CompareParameters(Parameters):
    """How systems are told apart."""

    alpha: float = Field(default=ALPHA, gt=0, lt=1, description="level of significance")
    higher_is_better: bool = Field(default=True, description="false for a rate of errors")


def _significance(rows: Sequence[SystemRow], options: Options) -> Mapping[str, object]:
    systems: dict[str, dict[str, tuple[float, float]]] = defaultdict(dict)
    for row in rows:
        added = row.ratio()
        if row.failure not in NOT_COUNTED and added is not None:
            before = systems[row.system].get(str(row.id), (0.0, 0.0))
            systems[row.system][str(row.id)] = (before[0] + added[0], before[1] + added[1])
    found = significance_groups(
        systems, key=f"{options.seed}|compare", resamples=options.resamples, **options.parameters.model_dump()
    )
    return {
        "pairs": [
            {"a": a, "b": b, **compared._asdict(), "p_holm": found.adjusted[a, b]}
            for (a, b), compared in found.pairs.items()
        ],
        "letters": found.letters,
        "ranks": found.ranks,
    }


def _systems(rows: Sequence[SystemRow], _: object) -> Mapping[str, Sequence[Measure]]:
    def of(system: str) -> Measure:
        return Measure(system, f"score of {system}", "Σ value·weight / Σ weight",
                       lambda row: row.ratio() if row.system == system else None)  # fmt: skip

    return {"systems": [of(system) for system in sorted({row.system for row in rows})]}


register(
    Metric(
        name="compare",
        title="Paired comparison of systems",
        source="McNemar 1947; Efron and Tibshirani 1993, chapter 16; Holm 1979; Piepho 2004",
        row=SystemRow,
        measures=lambda _: [],
        tables=_systems,
        table_words={"systems": "score of each system over its items"},
        more=_significance,
        more_words={
            "pairs": "difference of the scores of each two systems on the items that both have, its interval, p-value "
            "by exact McNemar (scores 0 and 1) or paired bootstrap, and the p-value after Holm",
            "letters": "two systems that were not shown to differ share a letter",
            "ranks": "1 + the number of systems shown to be better",
        },
        parameters=CompareParameters,
    )
)
