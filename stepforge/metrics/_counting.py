"""Matches that a judge found, counted.  Source: AgenticMathBench, appendix F.2, equations (4) and (5).

The judge returns the matched pairs; t, p and g are counted here.  Silent in the paper, fixed here: an element that is
given twice (equal but for case and space) is one element; a prediction counts for one target only and a target once, so
that precision cannot exceed 1; an item without targets has no score.
"""

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from stepforge.metrics._base import Row

Pair = tuple[int, int]  # index of a target, index of a prediction


class Counts(NamedTuple):
    """t matches, p predictions, g targets."""

    t: int
    p: int
    g: int


def precision(counts: Counts) -> float | None:
    """t / max(1, p), in [0, 1]; None if there is no target."""
    return counts.t / max(1, counts.p) if counts.g else None


def recall(counts: Counts) -> float | None:
    """t / g, in [0, 1]; None if there is no target."""
    return counts.t / counts.g if counts.g else None


def f1(counts: Counts) -> float | None:
    """Harmonic mean of precision and recall, in [0, 1]; 0 if both are; None if there is no target."""
    return 2 * counts.t / (counts.p + counts.g) if counts.g else None


def plain(text: str) -> str:
    """The text that decides whether two elements are one: lower case, spaces single."""
    return " ".join(text.casefold().split())


def distinct(elements: Sequence[str]) -> list[Hashable]:
    """The element that stands for each one."""
    return [plain(element) for element in elements]


def count(targets: Sequence[Hashable], predictions: Sequence[Hashable], pairs: Sequence[Pair] | None) -> Counts:
    """Counts of distinct elements. `pairs`: what a judge matched, as indices; None: equal elements match.
    Raises: IndexError if a pair names an element that is not there."""
    found = set(targets) & set(predictions)
    t = len(found) if pairs is None else _most({(targets[i], predictions[j]) for i, j in pairs})
    return Counts(t, len(set(predictions)), len(set(targets)))


def covered(targets: Sequence[Hashable], pairs: Sequence[Pair]) -> int:
    """Distinct targets that some prediction covers."""
    return len({targets[i] for i, _ in pairs})


def _most(pairs: set[tuple[Hashable, Hashable]]) -> int:
    """Size of a largest one-to-one matching."""
    if not pairs:
        return 0
    from scipy.sparse import csr_array  # noqa: PLC0415 - dear to import, and most rows come without pairs
    from scipy.sparse.csgraph import maximum_bipartite_matching  # noqa: PLC0415

    rows = {target: k for k, target in enumerate(dict.fromkeys(target for target, _ in pairs))}
    columns = {prediction: k for k, prediction in enumerate(dict.fromkeys(prediction for _, prediction in pairs))}
    where = ([rows[target] for target, _ in pairs], [columns[prediction] for _, prediction in pairs])
    table = csr_array(([1] * len(pairs), where), shape=(len(rows), len(columns)))
    return int((maximum_bipartite_matching(table) >= 0).sum())


def check_pairs(
    row: Row, pairs: Sequence[Pair] | None, targets: Sequence[object], predictions: Sequence[object]
) -> None:
    """Raises: ValueError if a pair names an element that is not there (it is a validation error of the row)."""
    for i, j in pairs or ():
        if not (0 <= i < len(targets) and 0 <= j < len(predictions)):
            raise ValueError(f"pair [{i}, {j}] of {type(row).__name__}: there are {len(targets)} targets and "
                             f"{len(predictions)} predictions, counted from 0")  # fmt: skip
