import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer

from stepforge.metrics._vectors import Vectorizer, cosines
from stepforge.metrics.expressions import tokens

TEXTS = ("There are 3*4=12 red marbles.", "因为AB=AC，所以∠B=50°", "a b\tΣΑΣ \\frac{1}{2} İx", "12 12 12 red", "")


@given(st.lists(st.text(max_size=40) | st.sampled_from(TEXTS), min_size=1, max_size=5))
def test_vectors_are_those_of_scikit_learn_bit_for_bit(texts):
    plain = [" ".join(text.split()) for text in texts]
    fitted = [text for text in TEXTS if text]
    words = TfidfVectorizer(tokenizer=tokens, token_pattern=None, ngram_range=(1, 2)).fit(fitted)
    characters = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5)).fit(fitted)
    found = Vectorizer(fitted).transform(plain, map(tokens, plain))
    assert (found.words != words.transform(plain)).nnz == 0
    assert (found.characters != characters.transform(plain)).nnz == 0


def test_cosines_go_row_by_row():
    found = Vectorizer(TEXTS[:3]).transform(TEXTS, map(tokens, TEXTS)).characters
    expected = (found @ found.T).toarray()
    p, g = np.divmod(np.arange(25), 5)
    assert np.allclose(cosines(found[p], found[g]), expected[p, g], atol=1e-15)


def test_a_release_without_a_single_token_has_vectors_of_nothing():
    found = Vectorizer(["。"]).transform(["red", "。"], [["red"], []])
    assert found.words.nnz == 0
