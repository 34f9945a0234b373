"""TF-IDF vectors of many texts at once: the numbers of scikit-learn's vectorizers, a word's n-grams found once.

Character n-grams stay inside word boundaries (`char_wb`), so a text's counts are the sum of its words' counts.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from stepforge.metrics.expressions import tokens

MAX_WORDS = 200_000  # whose n-grams are kept; a release has a tenth of that
EMPTY = "stepforge-empty-vocabulary"

Indices = npt.NDArray[np.int32]


class Vectors(NamedTuple):
    """Sparse rows of norm 1 (0 where nothing is known), one a text."""

    words: Any
    characters: Any


class Vectorizer:
    """Word uni- and bigrams, and character 3- to 5-grams inside word boundaries, lower-cased; smooth idf, l2."""

    def __init__(self, texts: Sequence[str]) -> None:
        from sklearn.feature_extraction.text import TfidfVectorizer  # noqa: PLC0415 - takes 1 s to import

        self._words = TfidfVectorizer(
            tokenizer=tokens, token_pattern=None, lowercase=True, ngram_range=(1, 2), sublinear_tf=False
        )
        self._characters = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), sublinear_tf=False)
        for vectorizer in (self._words, self._characters):
            try:
                vectorizer.fit(texts)
            except ValueError:  # no token at all in the whole release
                vectorizer.fit([EMPTY])
        self._grams = self._characters.build_analyzer()
        self._of_word: dict[str, Indices] = {}

    def transform(self, texts: Sequence[str], token_lists: Iterable[Sequence[str]]) -> Vectors:
        """Vectors of `texts`, whose tokens are `token_lists`."""
        return Vectors(
            _rows([self._word_indices(found) for found in token_lists], self._words),
            _rows([self._character_indices(text) for text in texts], self._characters),
        )

    def _word_indices(self, found: Sequence[str]) -> Indices:
        known = self._words.vocabulary_
        indices = [known[token] for token in found if token in known]
        pairs = (f"{first} {second}" for first, second in pairwise(found))
        indices += [known[pair] for pair in pairs if pair in known]
        return np.array(indices, dtype=np.int32)

    def _character_indices(self, text: str) -> Indices:
        found = [self._grams_of(word) for word in text.lower().split()]
        return np.concatenate(found) if found else np.empty(0, dtype=np.int32)

    def _grams_of(self, word: str) -> Indices:
        found = self._of_word.get(word)
        if found is None:
            known = self._characters.vocabulary_
            found = np.array([known[gram] for gram in self._grams(word) if gram in known], dtype=np.int32)
            if len(self._of_word) >= MAX_WORDS:
                self._of_word.clear()
            self._of_word[word] = found
        return found


def _rows(indices: Sequence[Indices], vectorizer: Any) -> Any:
    """Counts as rows of tf-idf."""
    from scipy.sparse import csr_matrix  # noqa: PLC0415 - as scikit-learn
    from sklearn.preprocessing import normalize  # noqa: PLC0415

    flat = np.concatenate(indices) if indices else np.empty(0, dtype=np.int32)
    starts = np.cumsum([0, *map(len, indices)])
    rows = csr_matrix((np.ones(len(flat)), flat, starts), shape=(len(indices), len(vectorizer.vocabulary_)))
    rows.sum_duplicates()
    rows.data *= vectorizer.idf_[rows.indices]
    return normalize(rows, norm="l2", copy=False)


def cosines(p: Any, g: Any) -> npt.NDArray[np.float64]:
    """The cosine of each row of `p` with the row of `g` beside it."""
    return np.asarray(p.multiply(g).sum(axis=1), dtype=np.float64).ravel()
