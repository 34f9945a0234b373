"""Pairs of problems that may be copies: they share a sequence of four tokens that few problems before them have.

Of all sequences of a problem those count that the fewest of the problems *before it* have, so that what comes later
changes no earlier decision. A sequence that very many have leads to the first and the last few of them alone: the work
is linear in the number of problems, whatever their texts.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stepforge.duplicates._signatures import I64, U64, Folds, Signatures, chunks_of, mixed, stable_hash
from stepforge.duplicates._text import Kind

SHINGLE = 4  # tokens of a sequence
SHORT_TOKENS = 24  # a typing error or two leave such a text few whole sequences: its pairs of near tokens count, too
SKIPS = (1, 2, 3)
FULL_SHINGLES = 512  # of a longer text every second, fourth, … sequence is taken, by its hash
PASSES = 8  # over all features, a share of the problems each: memory is that of one share
LOOKED_AT = 32  # of a problem's rarest sequences …
RAREST, RAREST_PAIRS = 10, 6  # … so many are followed, and pairs of near tokens of a short text
FOLLOWED = 8  # problems that one sequence leads to: half of them the last before it, half the first
PER_PROBLEM = 16  # candidates, the likeliest
VARIANTS_PER_PROBLEM = 6

_DOC_BITS = np.uint64(24)
_DOC_MASK = np.uint64((1 << 24) - 1)
MAX_PROBLEMS = 1 << 24


class Sketches(NamedTuple):
    """Which numbers and words a problem has, as bits."""

    numbers: U64
    words: tuple[U64, U64]
    lengths: I64


class Pairs(NamedTuple):
    """A problem, one that came before it, and how likely they are copies (higher is likelier)."""

    later: I64
    earlier: I64
    score: npt.NDArray[np.float32]


def _bits(values: U64, wanted: npt.NDArray[np.bool_], edges: I64) -> U64:
    """OR of a bit for each wanted value, by problem."""
    bits = np.where(wanted, np.uint64(1) << (values & np.uint64(63)), np.uint64(0))
    out = np.zeros(len(edges) - 1, np.uint64)
    full = np.flatnonzero(np.diff(edges))
    if len(full):
        out[full] = np.bitwise_or.reduceat(bits, edges[:-1][full])
    return out


def sketches_of(signatures: Signatures, folds: Folds) -> Sketches:
    """Sketches of all problems."""
    parts: list[tuple[U64, U64, U64]] = []
    for first, end in chunks_of(signatures.starts):
        low, high = signatures.starts[first], signatures.starts[end]
        numbers = signatures.tokens[low:high]
        hashes, kinds, edges = folds.hashes[numbers], folds.kinds[numbers], signatures.starts[first : end + 1] - low
        word = kinds == Kind.WORD
        other = hashes >> np.uint64(8)
        half = (hashes & np.uint64(64)) != 0
        parts.append(
            (
                _bits(other, kinds == Kind.NUMBER, edges),
                _bits(other, word & half, edges),
                _bits(other, word & ~half, edges),
            )
        )
    columns = [np.concatenate([p[k] for p in parts]) if parts else np.zeros(0, np.uint64) for k in range(3)]
    return Sketches(columns[0], (columns[1], columns[2]), np.diff(signatures.starts))


def _packed(hashes: U64, docs: U64, *, pair: bool = False) -> U64:
    """40 bits of the feature, the last of which says of what sort it is, and the problem."""
    return ((hashes >> np.uint64(25)) << np.uint64(25)) | (np.uint64(pair) << _DOC_BITS) | docs


def _shingles(hashes: U64, docs: U64, left: I64, lengths: I64) -> Iterator[U64]:
    """Features of a chunk.  left: tokens from here to the end of the problem; lengths: tokens of the problem."""
    spread = mixed(hashes)
    n = len(hashes)
    if n >= SHINGLE:
        total = spread[: n - SHINGLE + 1].copy()
        for k in range(1, SHINGLE):
            total = mixed(total) + spread[k : n - SHINGLE + 1 + k]
        total = mixed(total)
        whole = left[: len(total)] >= SHINGLE
        size = lengths[: len(total)]
        steps = np.maximum(0, np.ceil(np.log2(np.maximum(size, 1) / FULL_SHINGLES))).astype(np.uint64)
        kept = whole & ((total & ((np.uint64(1) << steps) - np.uint64(1))) == 0)
        yield _packed(total[kept], docs[: len(total)][kept])
    short = np.flatnonzero(lengths <= SHORT_TOKENS)
    for skip in SKIPS:
        at = short[left[short] > skip]
        yield _packed(mixed(mixed(spread[at] + np.uint64(skip)) + hashes[at + skip]), docs[at], pair=True)
    alone = np.flatnonzero(lengths == 1)
    yield _packed(mixed(spread[alone] + np.uint64(7)), docs[alone])


def _number_sequences(hashes: U64, kinds: npt.NDArray[np.uint8], edges: I64, first: int) -> U64:
    """One feature for each problem with two numbers or more: all of them in order."""
    number = kinds == Kind.NUMBER
    rank = np.cumsum(number)
    before = np.concatenate([np.zeros(1, np.int64), rank])
    sizes = np.diff(edges)
    place = rank - np.repeat(before[edges[:-1]], sizes)
    terms = np.where(number, mixed(hashes + mixed(place.astype(np.uint64))), np.uint64(0))
    sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(terms, dtype=np.uint64)])
    count = before[edges[1:]] - before[edges[:-1]]
    docs = np.flatnonzero(count >= 2)
    values = mixed(sums[edges[1:]] - sums[edges[:-1]] + np.uint64(3))[docs]
    return _packed(values, (docs + first).astype(np.uint64))


def _figure_features(signatures: Signatures) -> U64:
    """A text with a figure: five parts of the figure's hash, one of which is the same where four bits differ."""
    found = []
    for doc, figures in signatures.figures.items():
        phash = figures[0].phash
        if phash is not None:
            value = int(phash, 16)
            for band in range(5):
                part = (value >> (13 * band)) & 0x1FFF
                text = stable_hash(f"{int(signatures.wholes[doc])} {band} {part}")
                found.append((text >> 25 << 25) | doc)
    return np.array(found, np.uint64)


def _features(signatures: Signatures, folds: Folds, wanted: npt.NDArray[np.bool_]) -> Iterator[U64]:
    """Packed features (hash, then problem) of the wanted problems, chunk by chunk."""
    for first, end in chunks_of(signatures.starts):
        low, high = signatures.starts[first], signatures.starts[end]
        numbers = signatures.tokens[low:high]
        hashes = folds.hashes[numbers]
        edges = signatures.starts[first : end + 1] - low
        sizes = np.diff(edges)
        docs = np.repeat(np.arange(first, end, dtype=np.uint64), sizes)
        left = np.repeat(edges[1:], sizes) - np.arange(high - low)
        parts = list(_shingles(hashes, docs, left, np.repeat(sizes, sizes)))
        parts.append(_number_sequences(hashes, folds.kinds[numbers], edges, first))
        found = np.concatenate(parts)
        yield found[wanted[(found & _DOC_MASK).astype(np.int64)]]
    found = _figure_features(signatures)
    if len(found):
        yield found[wanted[(found & _DOC_MASK).astype(np.int64)]]


_FILTER_BITS = 24


def _index(signatures: Signatures, folds: Folds, wanted: npt.NDArray[np.bool_], new_from: int) -> U64:
    """The features that several problems have, sorted, each once a problem; of problems before `new_from` those that a
    later one has, too."""
    parts = list(_features(signatures, folds, wanted))
    if new_from > 0:
        shift, bits = np.uint64(64 - _FILTER_BITS), np.zeros(1 << _FILTER_BITS, np.bool_)
        for part in parts:
            bits[(part[(part & _DOC_MASK) >= new_from] >> shift).astype(np.int64)] = True
        parts = [part[bits[(part >> shift).astype(np.int64)]] for part in parts]
    features = np.zeros(sum(map(len, parts)), np.uint64)
    end = len(features)
    while parts:  # one after the other is given back
        part = parts.pop()
        features[end - len(part) : end] = part
        end -= len(part)
    features.sort()
    if len(features) > 1:
        same = (features[1:] ^ features[:-1]) < (np.uint64(1) << _DOC_BITS)  # as the feature before
        repeated = features[1:] == features[:-1]
        kept = np.concatenate([same, [False]]) | np.concatenate([[False], same])
        kept[1:] &= ~repeated
        features = features[kept]
    return features


def _run_starts(keys: npt.NDArray[np.generic]) -> I64:
    """Of each place in sorted keys: where the run of its key begins."""
    places = np.arange(len(keys))
    if len(keys):
        places[1:][keys[1:] == keys[:-1]] = 0
        np.maximum.accumulate(places, out=places)
    return places


def _ranks(features: U64) -> npt.NDArray[np.int32]:
    """Of each sorted feature: how many problems before its own have it."""
    keys = features >> _DOC_BITS
    places = np.arange(len(keys), dtype=np.int32)
    places[1:][keys[1:] == keys[:-1]] = 0
    np.maximum.accumulate(places, out=places)
    return np.arange(len(keys), dtype=np.int32) - places


def _rarest(features: U64, docs: npt.NDArray[np.uint32], ranks: npt.NDArray[np.int32], at: I64) -> I64:
    """Of some places those of the features that are followed: of each problem and sort of feature those that the fewest
    problems before it have, and of those with the same last problem before it one alone."""
    group = (docs[at].astype(np.uint64) << np.uint64(1)) | ((features[at] >> _DOC_BITS) & np.uint64(1))
    order = (group << np.uint64(39)) | (np.minimum(ranks[at], 511).astype(np.uint64) << np.uint64(30))
    order |= np.arange(len(at), dtype=np.uint64)  # 2**30 features at most
    del group
    order.sort()
    order = order[np.arange(len(order)) - _run_starts(order >> np.uint64(39)) < LOOKED_AT]
    place = at[(order & np.uint64((1 << 30) - 1)).astype(np.int64)]
    group = order >> np.uint64(39)
    _, single = np.unique((group << np.uint64(24)) | docs[place - 1], return_index=True)
    single.sort()
    group, place = group[single], place[single]
    limit = np.where(group & np.uint64(1), RAREST_PAIRS, RAREST)
    chosen: I64 = place[np.arange(len(group)) - _run_starts(group) < limit]
    return chosen


def _followed(docs: npt.NDArray[np.uint32], ranks: npt.NDArray[np.int32], at: I64) -> U64:
    """(later << 24 | earlier) for the features at some places and the problems before that have them."""
    found, ranks, half = [], ranks[at], FOLLOWED // 2

    def pair(later: I64, earlier: I64) -> U64:
        return (docs[later].astype(np.uint64) << _DOC_BITS) | docs[earlier]

    for step in range(half):  # the last before it, then the first of all
        near = at[ranks > step]
        found.append(pair(near, near - (step + 1)))
        begin = ranks - step
        far = begin > half
        found.append(pair(at[far], at[far] - begin[far]))
    return np.concatenate(found)


def _popcount(values: U64) -> npt.NDArray[np.float32]:
    return np.bitwise_count(values).astype(np.float32)


class Found(NamedTuple):
    """Candidates by problem, the likeliest first: copies, and variants with other numbers."""

    copies: Pairs
    variants: Pairs


def best(pairs: Pairs, limit: int) -> Pairs:
    """The `limit` likeliest of each problem; of equals the earliest."""
    order = np.lexsort((pairs.earlier, -pairs.score, pairs.later))
    order = order[np.arange(len(order)) - _run_starts(pairs.later[order]) < limit]
    return Pairs(pairs.later[order], pairs.earlier[order], pairs.score[order])


def candidates(
    signatures: Signatures, folds: Folds, sketches: Sketches, wanted: npt.NDArray[np.bool_], new_from: int = 0
) -> Found:
    """Candidates of the wanted problems from `new_from` on, each with wanted ones before it.
    Raises: ValueError if there are over 16 million."""
    if len(signatures) >= MAX_PROBLEMS:
        raise ValueError(f"{len(signatures)} problems are more than {MAX_PROBLEMS} that can be compared at once")
    features = _index(signatures, folds, wanted, new_from)
    ranks, docs = _ranks(features), (features & _DOC_MASK).astype(np.uint32)
    edges = np.linspace(new_from, len(signatures), PASSES + 1).astype(np.int64)
    parts = []
    for low, high in pairwise(edges.tolist()):
        at = np.flatnonzero((ranks > 0) & (docs >= low) & (docs < high))
        packed, shared = np.unique(_followed(docs, ranks, _rarest(features, docs, ranks, at)), return_counts=True)
        parts.append(_filtered(sketches, packed, shared))
    return Found(_concatenated([p.copies for p in parts]), _concatenated([p.variants for p in parts]))


def _concatenated(parts: Sequence[Pairs]) -> Pairs:
    later, earlier, score = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Pairs(later, earlier, score)


def _filtered(sketches: Sketches, packed: U64, shared: I64) -> Found:
    """The pairs that may be copies or variants by their numbers, words and lengths, the likeliest of each problem."""
    later, earlier = (packed >> _DOC_BITS).astype(np.int64), (packed & _DOC_MASK).astype(np.int64)
    numbers_a, numbers_b = sketches.numbers[later], sketches.numbers[earlier]
    only = np.minimum(_popcount(numbers_a & ~numbers_b), _popcount(numbers_b & ~numbers_a))
    sets = [sketches.numbers, *sketches.words]
    zero = np.zeros((), np.float32)
    both = sum((_popcount(one[later] & one[earlier]) for one in sets), zero)
    sizes = sum((_popcount(one) for one in sets), np.zeros(len(sketches.numbers), np.float32))
    small = np.maximum(np.minimum(sizes[later], sizes[earlier]), 1)
    large = np.maximum(np.maximum(sizes[later], sizes[earlier]), 1)
    contained, similar = both / small, both / large
    length_a, length_b = sketches.lengths[later], sketches.lengths[earlier]
    ratio = np.minimum(length_a, length_b) / np.maximum(length_a, length_b)
    few = small <= 2
    # a text that is cut inside a number has one that the other lacks
    copy = (only <= (ratio < 0.97)) & ((contained >= 0.4) | few)
    variant = (ratio >= 0.5) & ((similar >= 0.5) | few)
    score = (shared / (RAREST + 2) + contained + similar).astype(np.float32)
    alike = (similar + 0.2 * ratio).astype(np.float32)
    return Found(
        best(Pairs(later[copy], earlier[copy], score[copy]), PER_PROBLEM),
        best(Pairs(later[variant], earlier[variant], alike[variant]), VARIANTS_PER_PROBLEM),
    )
