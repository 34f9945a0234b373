"""Milestone accuracy, step missing rate and step redundancy rate.  Source: MAMath-Bench, equations (2)-(5).

Silent in the paper, fixed here: the TF-IDF vocabularies are fitted once on the reference milestones of a release, so a
score does not depend on which other systems are scored with it.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from stepforge.answers.equivalence import Symbolic
from stepforge.metrics import expressions
from stepforge.vocabulary import EquivalenceVerdict

WORD_SHARE, CHARACTER_SHARE = 0.65, 0.35
SEMANTIC, EQUATION, NUMERIC, KEYWORD = 0.55, 0.25, 0.10, 0.10
THRESHOLD = 0.4
NUMERIC_THRESHOLD, KEYWORD_THRESHOLD = 0.5, 0.2
MAX_SYMBOLIC_PAIRS = 12  # of one reply's expressions: each may cost the symbolic library's whole time limit

Matrix = npt.NDArray[np.float64]


class Alignment(NamedTuple):
    """How the reference milestones of one path align with the units of one reply."""

    milestones: int
    units: int
    best: tuple[int | None, ...]  # p* of each milestone; None where the reply has no unit
    matched: tuple[bool, ...]

    @property
    def n_matched(self) -> int:
        """Matched reference milestones."""
        return sum(self.matched)

    @property
    def units_matched(self) -> int:
        """Distinct units that are p* of a matched milestone."""
        return len({unit for unit, hit in zip(self.best, self.matched, strict=True) if hit})


def ma(matched: int, total: int) -> float | None:
    """Milestone accuracy: matched / reference milestones, in [0, 1]; None if there are none."""
    return matched / total if total else None


def smr(matched: int, total: int) -> float | None:
    """Step missing rate: 1 − MA; None if there are no reference milestones."""
    return (total - matched) / total if total else None


def srr(n_pred: int, n_matched_pred: int, n_gold: int) -> float:
    """Step redundancy rate: max(0, N_pred − max(N_matched_pred, N_gold)) / N_pred, in [0, 1); 0 if N_pred = 0."""
    return max(0, n_pred - max(n_matched_pred, n_gold)) / n_pred if n_pred else 0.0


class Features(NamedTuple):
    """Vectors and facts of some texts, a row each."""

    words: Any
    characters: Any
    facts: list[expressions.Facts]


class Prepared:
    """Features of many texts made at once (a hundred times cheaper than text by text), taken out by text."""

    def __init__(self, texts: Sequence[str], features: Features) -> None:
        self._row = {text: row for row, text in enumerate(texts)}
        self._features = features

    def take(self, texts: Sequence[str]) -> Features:
        """The features of `texts`, in their order.  Raises: KeyError for a text that was not prepared."""
        rows = [self._row[text] for text in texts]
        words, characters, facts = self._features
        return Features(words[rows], characters[rows], [facts[row] for row in rows])


class Matcher:
    """The composite similarity S(p, g), fitted once on the reference milestones of a release."""

    def __init__(self, milestones: Sequence[str]) -> None:
        texts = sorted({expressions.plain(text) for text in milestones if text.strip()}) or ["-"]
        from sklearn.feature_extraction.text import TfidfVectorizer  # noqa: PLC0415 - takes 1 s to import

        self._words = TfidfVectorizer(
            tokenizer=expressions.tokens, token_pattern=None, lowercase=True, ngram_range=(1, 2), sublinear_tf=False
        )
        self._characters = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), sublinear_tf=False)
        for vectorizer in (self._words, self._characters):
            try:
                vectorizer.fit(texts)
            except ValueError:  # no token at all in the whole release
                vectorizer.fit(["stepforge-empty-vocabulary"])
        self._facts = lru_cache(maxsize=100_000)(expressions.facts)

    def features(self, texts: Sequence[str]) -> Features:
        """Vectors and facts of texts, in bulk."""
        plain = [expressions.plain(text) for text in texts]
        return Features(
            self._words.transform(plain), self._characters.transform(plain), [self._facts(text) for text in plain]
        )

    def prepare(self, texts: Iterable[str]) -> Prepared:
        """The features of many texts, ready to be taken out."""
        distinct = sorted(set(texts)) or [""]
        return Prepared(distinct, self.features(distinct))

    def matches(self, text: str, reference: str) -> bool:
        """Whether one unit matches one milestone."""
        return align(self.prepare([text, reference]), [text], [reference]).n_matched == 1


def align(
    prepared: Prepared, units: Sequence[str], milestones: Sequence[str], symbolic: Symbolic | None = None
) -> Alignment:
    """Each milestone with its most similar unit (ties: the earliest), and whether they match."""
    if not units or not milestones:
        return Alignment(len(milestones), len(units), (None,) * len(milestones), (False,) * len(milestones))
    return _align(prepared.take(units), prepared.take(milestones), symbolic)


def _align(p: Features, g: Features, symbolic: Symbolic | None) -> Alignment:
    semantic = WORD_SHARE * _cosine(p.words, g.words) + CHARACTER_SHARE * _cosine(p.characters, g.characters)
    equation = _pairwise(p.facts, g.facts, lambda a, b: float(bool(a.keys & b.keys)))
    numeric = _pairwise(p.facts, g.facts, lambda a, b: len(a.numbers & b.numbers) / len(b.numbers) if b.numbers else 0)
    keyword = _pairwise(p.facts, g.facts, _jaccard)

    def similarity() -> Matrix:
        return np.round(SEMANTIC * semantic + EQUATION * equation + NUMERIC * numeric + KEYWORD * keyword, 12)

    def decide() -> tuple[npt.NDArray[np.intp], npt.NDArray[np.bool_]]:
        total = similarity()
        best = np.argmax(total, axis=0)
        at = (best, np.arange(total.shape[1]))
        close = (semantic[at] >= THRESHOLD) & ((numeric[at] >= NUMERIC_THRESHOLD) | (keyword[at] >= KEYWORD_THRESHOLD))
        return best, (total[at] >= THRESHOLD) | (equation[at] == 1) | close

    best, matched = decide()
    if symbolic is not None and not matched.all():
        for row, column in _symbolically_equal(p.facts, g.facts, similarity(), matched, symbolic):
            equation[row, column] = 1.0
        best, matched = decide()
    return Alignment(len(g.facts), len(p.facts), tuple(int(b) for b in best), tuple(bool(m) for m in matched))


def _cosine(p: Any, g: Any) -> Matrix:
    return np.asarray((p @ g.T).toarray(), dtype=np.float64)  # rows have norm 1, or 0 where no token is known


def _pairwise(p: Sequence[expressions.Facts], g: Sequence[expressions.Facts], score: Any) -> Matrix:
    return np.array([[score(a, b) for b in g] for a in p], dtype=np.float64)


def _jaccard(a: expressions.Facts, b: expressions.Facts) -> float:
    union = len(a.tokens | b.tokens)
    return len(a.tokens & b.tokens) / union if union else 0.0


def _symbolically_equal(
    p: Sequence[expressions.Facts], g: Sequence[expressions.Facts], total: Matrix, matched: Any, symbolic: Symbolic
) -> list[tuple[int, int]]:
    """Units and unmatched milestones that share an expression by the symbolic library: some expression of the one
    equivalent to some of the other, over the same letters.  Each milestone's units by falling similarity, the first
    choice of every milestone before the second of any; at most `MAX_SYMBOLIC_PAIRS` questions are asked."""
    ranked = sorted(
        (rank, column, int(row))
        for column in range(len(g))
        if not matched[column]
        for rank, row in enumerate(np.argsort(-total[:, column], kind="stable"))
    )
    answers: dict[tuple[str, str], bool] = {}
    found: dict[int, tuple[int, int]] = {}
    for _, column, row in ranked:
        for pair in _pairs_of(p[row], g[column]) if column not in found else ():
            if pair not in answers and len(answers) < MAX_SYMBOLIC_PAIRS:
                answers[pair] = symbolic(*pair) is EquivalenceVerdict.EQUAL
            if answers.get(pair):
                found[column] = (row, column)
                break
    return [found[column] for column in sorted(found)]


def _pairs_of(unit: expressions.Facts, milestone: expressions.Facts) -> list[tuple[str, str]]:
    """Expressions of a milestone and a unit over the same letters."""
    letters = {a.letters for a in unit.algebra}
    wanted = [b for b in milestone.algebra if b.letters in letters]
    return [(b.text, a.text) for a in unit.algebra for b in wanted if a.letters == b.letters]
