"""Agreement of several raters, against statsmodels, scikit-learn and krippendorff."""

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

from stepforge.metrics.agreement import cohen_agreement, rater_agreement


def table(seed, *, missing=0.0):
    """Labels of items by raters who agree more than by chance."""
    rng = np.random.default_rng(seed)
    n, m, labels = rng.integers(8, 60), rng.integers(2, 6), rng.integers(2, 6)
    truth = rng.integers(0, labels, (n, 1))
    found = np.where(rng.random((n, m)) < 0.6, truth, rng.integers(0, labels, (n, m)))
    return found.astype(float), rng.random((n, m)) < missing


@pytest.mark.parametrize("seed", range(25))
def test_fleiss_and_alpha_are_those_of_statsmodels_and_krippendorff(seed):
    labels, _ = table(seed)
    found = rater_agreement(labels.astype(int).tolist(), key="k", resamples=200)
    assert found.fleiss.value == pytest.approx(fleiss_kappa(aggregate_raters(labels.astype(int))[0]), abs=1e-12)
    alpha = krippendorff.alpha(reliability_data=labels.T, level_of_measurement="nominal")
    assert found.alpha.value == pytest.approx(alpha, abs=1e-12)
    for one in found:
        assert one.low <= one.value <= one.high
        assert one.n == len(labels)


@pytest.mark.parametrize("seed", range(25))
def test_alpha_with_missing_labels_is_that_of_krippendorff(seed):
    labels, gone = table(seed, missing=0.4)
    items = [
        [None if g else int(v) for v, g in zip(row, lost, strict=True)] for row, lost in zip(labels, gone, strict=True)
    ]
    alpha = krippendorff.alpha(reliability_data=np.where(gone, np.nan, labels).T, level_of_measurement="nominal")
    assert rater_agreement(items, key="k", resamples=50).alpha.value == pytest.approx(alpha, abs=1e-12)


@pytest.mark.parametrize("seed", range(25))
def test_cohen_is_that_of_scikit_learn(seed):
    labels, _ = table(seed)
    one, other = labels[:, 0].astype(int).tolist(), labels[:, 1].astype(int).tolist()
    found = cohen_agreement(one, other, key="k", resamples=200)
    assert found.value == pytest.approx(cohen_kappa_score(one, other), abs=1e-12)
    assert found.low <= found.value <= found.high


def test_where_only_one_label_was_given_nothing_could_be_agreed_beyond_chance():
    found = rater_agreement([["a", "a"]] * 5, key="k")
    assert found.agreement[:3] == (1.0, 1.0, 1.0)
    assert (found.fleiss.value, found.alpha.value) == (None, None)
    assert cohen_agreement(["a"] * 5, ["a"] * 5, key="k").value is None


def test_nothing_at_all_has_no_agreement():
    for items in ([], [["a"], [None, "b"]]):
        assert all(one.value is None for one in rater_agreement(items, key="k"))
    assert cohen_agreement([], [], key="k").value is None


def test_fleiss_is_over_the_items_with_the_most_usual_number_of_labels():
    pairs = [["a", "a"], ["a", "b"], ["b", "b"]]
    mixed = rater_agreement([*pairs, ["a", "b", "b"]], key="k")
    assert mixed.fleiss == rater_agreement(pairs, key="k").fleiss
    assert mixed.fleiss.n == 3
    assert mixed.alpha.n == 4


@given(st.lists(st.lists(st.sampled_from(["x", "y", "z", None]), min_size=2, max_size=4), max_size=12))
def test_the_order_of_raters_and_the_names_of_labels_do_not_matter(items):
    names = {"x": 3, "y": 1, "z": 2, None: None}
    renamed = [[names[label] for label in reversed(item)] for item in items]
    first, second = (rater_agreement(of, key="k", resamples=20) for of in (items, renamed))
    for a, b in zip(first, second, strict=True):
        assert a.value == pytest.approx(b.value)
