"""The decisions: which problem is a copy of which one before it, and which is a variant of one."""

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stepforge.duplicates._candidates import Found, Pairs, best, candidates, sketches_of
from stepforge.duplicates._figures import SameFigure, figures_differ, only_same_bytes
from stepforge.duplicates._signatures import U64, Folds, Signatures, folds_of, joined, mixed, stable_hash
from stepforge.duplicates._verify import MAX_COMMON, Comparer, Relation, Verdict

MIN_ALONE_TOKENS = 15  # a text says enough to be known without the figure that one of the two lacks

COMMON_COPY = (0.7, 0.0)  # tokens in common, of the shorter text's and of the longer one's
COMMON_VARIANT = (0.6, 0.45)
FEW_TOKENS, COMMON_OF_FEW = 16, 0.5  # in a text so short some typing errors are more
PER_PROBLEM = 8  # copies that are compared token by token, and variants
VARIANTS_PER_PROBLEM = 3
PAIRS_AT_ONCE = 100_000
COPIES = frozenset({Relation.SAME, Relation.COPY, Relation.PART})
SURE = 0.9  # a copy so like that no other is looked for


class LinkKind(StrEnum):
    """What a problem is to the one that it is linked to."""

    EXACT = "exact"
    NEAR = "near"
    VARIANT = "variant"


class Link(NamedTuple):
    """A problem that is a copy or a variant of one that came before it.

    row: of the problem; other: of the one before it that it is most like; first: of the first of that one's cluster,
    which is kept (the same where `other` is kept)."""

    row: int
    other: int
    first: int
    kind: LinkKind
    similarity: float
    reason: str


def find(
    new: Signatures,
    earlier: Sequence[Signatures] = (),
    public: Sequence[Signatures] = (),
    same_figure: SameFigure = only_same_bytes,
    tick: Callable[[int], None] = lambda _done: None,
) -> "Links":
    """Links of the new problems to each other and to those before them.

    earlier, public: problems of batches that stand, those of public benchmarks apart: these are compared whatever the
    scope of a problem.  same_figure: whether two figures whose hashes are near show the same."""
    everything = joined([*public, *earlier, new])
    public_rows = sum(map(len, public))
    new_from = len(everything) - len(new)
    search = _Search(everything, public_rows, new_from, same_figure)
    return Links(everything.ids, new_from, public_rows, list(search.run(tick)))


class Links(NamedTuple):
    """The links, in the order of the problems; rows count through public benchmarks, earlier and new problems."""

    ids: list[str]
    new_from: int
    public_rows: int
    links: list[Link]


class _Search:
    def __init__(self, signatures: Signatures, public_rows: int, new_from: int, same_figure: SameFigure) -> None:
        self._signatures, self._public_rows, self._new_from = signatures, public_rows, new_from
        self._same_figure = same_figure
        self._folds: Folds = folds_of(signatures.vocabulary)
        self._comparer = Comparer(signatures, self._folds)
        self._scopes = signatures.scopes
        self._first: dict[int, int] = {}  # of a copy: the first of its cluster

    def run(self, tick: Callable[[int], None]) -> Iterator[Link]:
        exact = _exact(self._signatures, self._public_rows)
        self._first = {row: first for row, first in enumerate(exact.tolist()) if first != row}
        links = {row: self._exact_link(row, first) for row, first in self._first.items()}
        found = self._candidates(exact)
        copies = _by_row(self._likely(found.copies, COMMON_COPY, PER_PROBLEM))
        variants = _by_row(self._likely(found.variants, COMMON_VARIANT, VARIANTS_PER_PROBLEM))
        done = self._new_from
        for row in sorted(links.keys() | copies.keys() | variants.keys()):
            if row < self._new_from:
                continue
            link = links.get(row) or self._near(row, copies.get(row, []), variants.get(row, []))
            if link is not None:
                if link.kind is not LinkKind.VARIANT:
                    self._first[row] = link.first
                yield link
            tick(row - done)
            done = row
        tick(len(self._signatures) - done)

    def _exact_link(self, row: int, first: int) -> Link:
        return Link(row, first, first, LinkKind.EXACT, 1.0, "the same question, options and figures")

    def _candidates(self, exact: npt.NDArray[np.int64]) -> Found:
        signatures = self._signatures
        wanted = (exact == np.arange(len(exact))) & ~signatures.long & (np.diff(signatures.starts) > 0)
        # a scope is compared with public benchmarks only
        wanted &= (signatures.scopes == 0) | (self._public_rows > 0)
        return candidates(signatures, self._folds, sketches_of(signatures, self._folds), wanted, self._new_from)

    def _likely(self, pairs: Pairs, shares: tuple[float, float], limit: int) -> Pairs:
        """The likeliest by the tokens in common, of pairs that have a share of either text's."""
        score = np.zeros(len(pairs.later), np.float32)
        lengths = np.diff(self._signatures.starts)
        for low in range(0, len(score), PAIRS_AT_ONCE):
            later, earlier = pairs.later[low : low + PAIRS_AT_ONCE], pairs.earlier[low : low + PAIRS_AT_ONCE]
            common = self._comparer.common(later, earlier)
            short, long = np.minimum(lengths[later], lengths[earlier]), np.maximum(lengths[later], lengths[earlier])
            of_short, of_long = common / np.minimum(short, MAX_COMMON), common / np.minimum(long, MAX_COMMON)
            enough = of_short >= np.where(short <= FEW_TOKENS, COMMON_OF_FEW, shares[0])
            score[low : low + PAIRS_AT_ONCE] = np.where(enough & (of_long >= shares[1]), of_short + of_long, 0)
        kept = score > 0
        return best(Pairs(pairs.later[kept], pairs.earlier[kept], score[kept]), limit)

    def _may_compare(self, row: int, other: int) -> bool:
        return other < self._public_rows or (self._scopes[row] == 0 and self._scopes[other] == 0)

    def _verdict(self, row: int, other: int) -> Verdict:
        verdict = self._comparer.compare(row, other)
        if verdict.relation in (Relation.OTHER, Relation.VARIANT):
            return verdict
        a, b = (self._signatures.figures.get(one, ()) for one in (row, other))
        if not a and not b:
            return verdict
        if not a or not b:
            alone = min(len(self._signatures.of(one)) for one in (row, other)) >= MIN_ALONE_TOKENS
            return verdict if alone else Verdict(Relation.VARIANT, verdict.similarity, "only one has a figure")
        differ = figures_differ(a, b, self._same_figure)
        return Verdict(Relation.VARIANT, verdict.similarity, differ) if differ else verdict

    def _near(self, row: int, copies: list[int], variants: list[int]) -> Link | None:
        """The link of a problem: to the likeliest copy, unless it is a variant of one in the same cluster to which it
        is more like (both then contain the copy, and differ outside it)."""
        best: tuple[Verdict, int] | None = None
        seen: dict[int, Verdict] = {}
        for other in copies:
            if not self._may_compare(row, other):
                continue
            verdict = seen[other] = self._verdict(row, other)
            if verdict.relation in COPIES and (best is None or verdict.similarity > best[0].similarity):
                best = verdict, other
                if verdict.similarity >= SURE and verdict.relation is not Relation.PART:
                    break
        if best is not None and self._outside(row, best[1], best[0], seen, variants):
            best = None
        if best is not None:
            verdict, other = best
            return Link(row, other, self._first.get(other, other), LinkKind.NEAR, verdict.similarity, verdict.reason)
        return self._variant(row, seen, variants)

    def _outside(self, row: int, other: int, verdict: Verdict, seen: dict[int, Verdict], variants: list[int]) -> bool:
        """Whether the problem is a variant of one in the cluster of its likeliest copy: of the first, or, where one of
        the two contains the other, of any that was seen."""
        first = self._first.get(other, other)
        if first != other:
            self._see(row, first, seen)
            if first in seen and seen[first].relation is Relation.VARIANT:
                return True
        if verdict.relation is not Relation.PART:
            return False
        for one in variants:
            self._see(row, one, seen)
        return any(
            found.relation is Relation.VARIANT and self._first.get(one, one) == first for one, found in seen.items()
        )

    def _see(self, row: int, other: int, seen: dict[int, Verdict]) -> None:
        if other not in seen and self._may_compare(row, other):
            seen[other] = self._verdict(row, other)

    def _variant(self, row: int, seen: dict[int, Verdict], variants: list[int]) -> Link | None:
        """The link to the likeliest problem that has other numbers, terms, names or figures."""
        for other in variants:
            self._see(row, other, seen)
            if any(verdict.relation is Relation.VARIANT for verdict in seen.values()):
                break
        found = [(v.similarity, -one, one) for one, v in seen.items() if v.relation is Relation.VARIANT]
        if not found:
            return None
        _, _, other = max(found)
        verdict = seen[other]
        first = self._first.get(other, other)
        return Link(row, other, first, LinkKind.VARIANT, verdict.similarity, verdict.reason)


def _exact(signatures: Signatures, public_rows: int) -> npt.NDArray[np.int64]:
    """Of each problem: the first that has the same tokens and figures in the same scope."""
    keys: U64 = signatures.wholes.copy()
    for row, figures in signatures.figures.items():
        told = stable_hash(" ".join(f.sha256 or f"?{row}" for f in figures))
        keys[row] = mixed(keys[row : row + 1] + np.uint64(told))[0]
    scoped = mixed(keys + signatures.scopes)
    first = _first_of(scoped)
    if public_rows:
        open_first = _first_of(keys)
        copied = open_first < public_rows
        first[copied] = open_first[copied]
    return first


def _first_of(keys: U64) -> npt.NDArray[np.int64]:
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    return first[inverse].astype(np.int64)


def _by_row(pairs: Pairs) -> dict[int, list[int]]:
    """The earlier problems of each later one, the likeliest first."""
    if not len(pairs.later):
        return {}
    edges = np.flatnonzero(np.diff(pairs.later)) + 1
    groups = np.split(pairs.earlier, edges)
    return {int(row): group.tolist() for row, group in zip(pairs.later[np.append(0, edges)], groups, strict=True)}
