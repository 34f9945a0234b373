import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepforge import _bootstrap
from stepforge._bootstrap import NOTHING, Interval, percentile_interval, ratio, ratio_interval, resampled_sums

ITEMS = st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9)), min_size=1, max_size=30)


@settings(deadline=None)
@given(ITEMS)
def test_resampled_sums_are_those_of_items_drawn_with_replacement(items):
    columns = np.array(items, dtype=np.float64)
    sums = resampled_sums(columns, key="k", resamples=40)
    assert sums.shape == (40, 2)
    assert np.all(columns.min(axis=0) * len(items) <= sums)
    assert np.all(sums <= columns.max(axis=0) * len(items))
    counted = resampled_sums(np.ones((len(items), 1)), key="k", resamples=40)
    assert np.all(counted == len(items))


def test_the_key_seeds_the_draw_and_chunks_make_no_difference(monkeypatch):
    columns = np.arange(60, dtype=np.float64).reshape(30, 2)
    one, again, other = (resampled_sums(columns, key=key, resamples=50) for key in "kko")
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)
    monkeypatch.setattr(_bootstrap, "CHUNK_CELLS", 90)
    assert np.array_equal(resampled_sums(columns, key="k", resamples=50), one)


def test_the_interval_of_a_share_has_the_width_of_its_standard_error():
    values = np.array([1.0] * 300 + [0.0] * 700)
    low, high = ratio_interval(values, np.ones(1000), key="k", resamples=2000)
    assert high - low == pytest.approx(2 * 1.96 * np.sqrt(0.3 * 0.7 / 1000), rel=0.1)
    assert (low + high) / 2 == pytest.approx(0.3, abs=0.01)


def test_drawing_distinct_rows_has_the_spread_of_drawing_items():
    rng = np.random.default_rng(5)
    items = np.column_stack([rng.integers(0, 3, 400), rng.integers(1, 4, 400)]).astype(np.float64)
    by_item = ratio(resampled_sums(items, key="k", resamples=4000))
    by_row = ratio(_bootstrap._sums_of_distinct(items, key="k", resamples=4000))
    assert not np.array_equal(by_item, by_row)
    assert by_row.mean() == pytest.approx(by_item.mean(), abs=4 * by_item.std() / np.sqrt(4000))
    assert by_row.std() == pytest.approx(by_item.std(), rel=0.06)
    distinct = np.arange(60, dtype=np.float64).reshape(30, 2)
    drawn = [of(distinct, key="k", resamples=9) for of in (resampled_sums, _bootstrap._sums_of_distinct)]
    assert np.array_equal(*drawn)


def test_where_nothing_varies_or_nothing_is_there_the_interval_says_so():
    assert ratio_interval(np.array([2.0, 4.0]), np.array([4.0, 8.0]), key="k", resamples=5) == Interval(0.5, 0.5)
    assert ratio_interval(np.array([]), np.array([]), key="k", resamples=5) == NOTHING
    assert ratio_interval(np.zeros(2), np.zeros(2), key="k", resamples=5) == NOTHING
    assert percentile_interval(np.array([np.nan, np.inf])) == NOTHING


def test_a_ratio_over_nothing_is_not_a_number_and_raises_no_warning():
    with np.errstate(all="raise"):
        assert np.isnan(ratio(np.array([[0.0, 0.0]]))[0])
