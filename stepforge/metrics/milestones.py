"""Milestone accuracy, step missing rate and step redundancy rate.  Source: MAMath-Bench, equations (2)-(5).

Silent in the paper, fixed here: the TF-IDF vocabularies are fitted once on the reference milestones of a release, so a
score does not depend on which other systems are scored with it.  What an expression is, and when two are equivalent,
stands in `expressions`.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stepforge.metrics import _algebra, expressions
from stepforge.metrics._vectors import Vectorizer, Vectors, cosines
from stepforge.vocabulary import MatchedBy

WORD_SHARE, CHARACTER_SHARE = 0.65, 0.35
SEMANTIC_THRESHOLD, NUMERIC_THRESHOLD, KEYWORD_THRESHOLD = 0.4, 0.5, 0.2  # of the third rule
MAX_DECISIONS = 2000  # of a reply's expressions that no key decides, a millisecond each; at most 120 in the data
PAIRS_AT_ONCE = 4096  # of a unit and a milestone: their vectors' products fit the cache

Matrix = npt.NDArray[np.float64]
Weights = tuple[float, float, float, float]


class Constants(NamedTuple):
    """The constants of equation (2) and of the rules below it; the defaults are the paper's."""

    semantic: float = 0.55
    equation: float = 0.25
    numeric: float = 0.10
    keyword: float = 0.10
    threshold: float = 0.4  # of S
    equation_rule: bool = True  # S_eq = 1 is enough
    semantic_rule: bool = True  # S_sem with S_num or S_key is enough

    @property
    def weights(self) -> Weights:
        """Of S_sem, S_eq, S_num and S_key in S."""
        return self.semantic, self.equation, self.numeric, self.keyword


PAPER = Constants()


class Match(NamedTuple):
    """A reference milestone with its most similar unit: the components of S, and the first rule that it meets."""

    unit: int | None  # p*; None where the reply has no unit
    similarity: float
    semantic: float
    equation: float
    numeric: float
    keyword: float
    by: MatchedBy


NOTHING = Match(None, 0.0, 0.0, 0.0, 0.0, 0.0, MatchedBy.NONE)


class Alignment(NamedTuple):
    """How the reference milestones of one path align with the units of one reply."""

    units: int
    matches: tuple[Match, ...]

    @property
    def milestones(self) -> int:
        """Reference milestones."""
        return len(self.matches)

    @property
    def best(self) -> tuple[int | None, ...]:
        """p* of each milestone."""
        return tuple(match.unit for match in self.matches)

    @property
    def matched(self) -> tuple[bool, ...]:
        """Whether each milestone is matched."""
        return tuple(match.by is not MatchedBy.NONE for match in self.matches)

    @property
    def n_matched(self) -> int:
        """Matched reference milestones."""
        return sum(self.matched)

    @property
    def units_matched(self) -> int:
        """Distinct units that are p* of a matched milestone."""
        return len({match.unit for match in self.matches if match.by is not MatchedBy.NONE})


def ma(matched: int, total: int) -> float | None:
    """Milestone accuracy: matched / reference milestones, in [0, 1]; None if there are none."""
    return matched / total if total else None


def smr(matched: int, total: int) -> float | None:
    """Step missing rate: 1 − MA; None if there are no reference milestones."""
    return (total - matched) / total if total else None


def srr(n_pred: int, n_matched_pred: int, n_gold: int) -> float:
    """Step redundancy rate: max(0, N_pred − max(N_matched_pred, N_gold)) / N_pred, in [0, 1); 0 if N_pred = 0."""
    return max(0, n_pred - max(n_matched_pred, n_gold)) / n_pred if n_pred else 0.0


def best_path(alignments: Sequence[Alignment]) -> tuple[int, Alignment] | tuple[None, None]:
    """The reference path with the highest MA (ties: lowest SRR, then the first), and its alignment; none where no path
    has a milestone."""
    ranked = [
        (-found.n_matched / found.milestones, srr(found.units, found.units_matched, found.milestones), k)
        for k, found in enumerate(alignments)
        if found.milestones
    ]
    if not ranked:
        return None, None
    k = min(ranked)[2]
    return k, alignments[k]


class Components:
    """S_sem, S_eq, S_num and S_key of each unit (rows) with each milestone of a path (columns)."""

    def __init__(self, semantic: Matrix, equation: Matrix, numeric: Matrix, keyword: Matrix) -> None:
        self.stacked = np.stack([semantic, equation, numeric, keyword])  # component, unit, milestone

    def similarities(self, weights: Sequence[Weights]) -> Matrix:
        """S by each of the weightings (first axis) of each unit with each milestone, rounded so that no tie or
        threshold turns on the last bit of a sum."""
        semantic, equation, numeric, keyword = np.array(weights).T[:, :, None, None] * self.stacked[:, None]
        total: Matrix = np.round(semantic + equation + numeric + keyword, 12)
        return total

    def align(self, constants: Constants = PAPER) -> Alignment:
        """Each milestone with its most similar unit (ties: the earliest), and the rule by which they match."""
        _, units, milestones = self.stacked.shape
        if not units or not milestones:
            return Alignment(units, (NOTHING,) * milestones)
        (total,) = self.similarities([constants.weights])
        best = total.argmax(axis=0)
        columns = np.arange(milestones)
        found = []
        rows = zip(best.tolist(), total[best, columns].tolist(), *self.stacked[:, best, columns].tolist(), strict=True)
        for unit, similarity, semantic, equation, numeric, keyword in rows:
            by = _rule(similarity, semantic, equation, numeric, keyword, constants)
            found.append(Match(unit, similarity, semantic, equation, numeric, keyword, by))
        return Alignment(units, tuple(found))


def _rule(
    similarity: float, semantic: float, equation: float, numeric: float, keyword: float, constants: Constants
) -> MatchedBy:
    """The first of the three rules that a milestone and its p* meet."""
    if similarity >= constants.threshold:
        return MatchedBy.THRESHOLD
    if equation == 1 and constants.equation_rule:
        return MatchedBy.EQUATION
    close = constants.semantic_rule and semantic >= SEMANTIC_THRESHOLD
    if close and (numeric >= NUMERIC_THRESHOLD or keyword >= KEYWORD_THRESHOLD):
        return MatchedBy.SEMANTIC
    return MatchedBy.NONE


class Pairing(NamedTuple):
    """The units of a reply and the milestones of a path that it is held against."""

    units: Sequence[str]
    milestones: Sequence[str]


class Prepared(NamedTuple):
    """Vectors and facts of many texts made at once (a hundred times cheaper than text by text)."""

    row: dict[str, int]
    vectors: Vectors
    facts: list[expressions.Facts]


class Matcher:
    """The composite similarity S(p, g), fitted once on the reference milestones of a release."""

    def __init__(self, milestones: Sequence[str]) -> None:
        texts = sorted({expressions.plain(text) for text in milestones if text.strip()}) or ["-"]
        self._vectorizer = Vectorizer(texts)
        self._facts = lru_cache(maxsize=50_000)(expressions.facts)

    def prepare(self, texts: Iterable[str]) -> Prepared:
        """The features of many texts, ready to be compared."""
        distinct = sorted(set(texts)) or [""]
        plain = [expressions.plain(text) for text in distinct]
        facts = [self._facts(text) for text in plain]
        vectors = self._vectorizer.transform(plain, [found.words for found in facts])
        return Prepared({text: k for k, text in enumerate(distinct)}, vectors, facts)

    def components(self, pairings: Sequence[Pairing]) -> list[Components]:
        """The components of S for each pairing, in order."""
        prepared = self.prepare(text for pairing in pairings for texts in pairing for text in texts)
        semantic = _semantic(prepared, pairings)
        return [_components(prepared, pairing, matrix) for pairing, matrix in zip(pairings, semantic, strict=True)]

    def align(self, pairings: Sequence[Pairing]) -> list[Alignment]:
        """The alignment of each pairing, in order, with the paper's constants."""
        return [found.align() for found in self.components(pairings)]

    def matches(self, pairs: Sequence[tuple[str, str]]) -> list[bool]:
        """Whether each unit matches the milestone beside it."""
        return [found.n_matched == 1 for found in self.align([Pairing([p], [g]) for p, g in pairs])]


def _semantic(prepared: Prepared, pairings: Sequence[Pairing]) -> Iterator[Matrix]:
    """S_sem of each pairing; the pairs of all of them are multiplied in blocks."""
    rows = prepared.row
    pairs = ((rows[p], rows[g]) for pairing in pairings for p in pairing.units for g in pairing.milestones)
    values: list[float] = []
    for pairing in pairings:
        shape = (len(pairing.units), len(pairing.milestones))
        size = shape[0] * shape[1]
        while len(values) < size:
            values += _block(prepared.vectors, list(islice(pairs, max(PAIRS_AT_ONCE, 1))))
        yield np.array(values[:size], dtype=np.float64).reshape(shape)
        del values[:size]


def _block(vectors: Vectors, pairs: Sequence[tuple[int, int]]) -> list[float]:
    p, g = np.array(pairs, dtype=np.intp).T
    words = WORD_SHARE * cosines(vectors.words[p], vectors.words[g])
    characters = CHARACTER_SHARE * cosines(vectors.characters[p], vectors.characters[g])
    return np.round(words + characters, 12).tolist()  # type: ignore[no-any-return]


def _components(prepared: Prepared, pairing: Pairing, semantic: Matrix) -> Components:
    p = [prepared.facts[prepared.row[text]] for text in pairing.units]
    g = [prepared.facts[prepared.row[text]] for text in pairing.milestones]
    shape = semantic.shape
    equal = _Equality()
    equation = np.array([equal(a, b) for a in p for b in g], dtype=np.float64).reshape(shape)
    return Components(
        semantic,
        equation,
        np.array([_shared(a, b) for a in p for b in g], dtype=np.float64).reshape(shape),
        np.array([_jaccard(a, b) for a in p for b in g], dtype=np.float64).reshape(shape),
    )


class _Equality:
    """Whether some expression of a unit is equivalent to some expression of a milestone, for the pairs of one reply."""

    def __init__(self) -> None:
        self._left = MAX_DECISIONS

    def __call__(self, p: expressions.Facts, g: expressions.Facts) -> bool:
        if not p.keys.isdisjoint(g.keys):
            return True
        if not p.inexact and not g.inexact:
            return False
        if not _algebra.some_may_be_equal(p.inexact, g.algebra) and not _algebra.some_may_be_equal(
            p.algebra, g.inexact
        ):
            return False
        pairs = [(a, b) for a in p.inexact for b in g.algebra] + [(a, b) for a in p.algebra for b in g.inexact]
        candidates = (pair for pair in pairs if _algebra.may_be_equal(*pair))
        return any(self._decide(*pair) for pair in candidates)

    def _decide(self, a: str, b: str) -> bool:
        self._left -= 1
        return self._left >= 0 and _algebra.equal(a, b)


def _shared(p: expressions.Facts, g: expressions.Facts) -> float:
    return len(p.numbers & g.numbers) / len(g.numbers) if g.numbers else 0.0


def _jaccard(p: expressions.Facts, g: expressions.Facts) -> float:
    shared = len(p.tokens & g.tokens)
    union = len(p.tokens) + len(g.tokens) - shared
    return shared / union if union else 0.0
