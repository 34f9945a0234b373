from itertools import combinations
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from stepforge.metrics import comparison
from stepforge.metrics.comparison import BOOTSTRAP, MCNEMAR, NOT_COMPARED, compare, holm, significance_groups

RIGHTS = st.lists(st.booleans(), min_size=1, max_size=40)
RATIOS = st.lists(
    st.tuples(st.integers(0, 5), st.integers(1, 5)).map(lambda t: (float(min(t)), float(t[1]))), min_size=2, max_size=20
)


def binary(rights):
    return {f"i{k}": (float(right), 1.0) for k, right in enumerate(rights)}


def items(ratios):
    return {f"i{k}": pair for k, pair in enumerate(ratios)}


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_the_exact_sign_test(only_a, only_b):
    assume(only_a + only_b > 0)
    assert comparison.mcnemar(only_a, only_b) == pytest.approx(binomtest(only_a, only_a + only_b).pvalue, rel=1e-9)


def test_mcnemar_of_large_counts_neither_overflows_nor_is_one():
    assert comparison.mcnemar(0, 0) == 1.0
    assert comparison.mcnemar(3000, 4000) == pytest.approx(binomtest(3000, 7000).pvalue, rel=1e-9)
    assert 0 <= comparison.mcnemar(0, 5000) < 1e-300


@settings(deadline=None, max_examples=40)
@given(RATIOS, st.data())
def test_a_difference_is_the_mirror_of_itself(ratios, data):
    other = data.draw(st.permutations(ratios))
    one, two = (
        compare(a, b, key="k", resamples=100) for a, b in ((items(ratios), items(other)), (items(other), items(ratios)))
    )
    assert one.difference == pytest.approx(-two.difference)
    assert (one.low, one.high) == pytest.approx((-two.high, -two.low))
    assert one.p_value == two.p_value


@settings(deadline=None, max_examples=40)
@given(st.one_of(RATIOS.map(items), RIGHTS.map(binary)))
def test_identical_systems_do_not_differ(one):
    found = compare(one, dict(reversed(one.items())), key="k", resamples=100)
    assert (found.difference, found.low, found.high, found.p_value) == (0, 0, 0, 1)


@settings(deadline=None, max_examples=40)
@given(RIGHTS, st.data())
def test_binary_values_are_tested_exactly_and_the_difference_is_that_of_the_shares(rights, data):
    other = data.draw(st.lists(st.booleans(), min_size=len(rights), max_size=len(rights)))
    found = compare(binary(rights), binary(other), key="k", resamples=200)
    assert (found.test, found.n) == (MCNEMAR, len(rights))
    assert found.difference == pytest.approx((sum(rights) - sum(other)) / len(rights))
    assert found.low <= found.difference + 0.35
    assert found.high >= found.difference - 0.35


def test_only_common_items_are_compared_and_none_is_no_result():
    a = binary([True, True, False])
    b = {"i0": (1.0, 1.0), "i1": (0.0, 1.0), "other": (1.0, 1.0), "i2": (0.0, 0.0)}
    found = compare(a, b, key="k", resamples=50)
    assert (found.n, found.difference) == (2, 0.5)
    assert compare(a, {}, key="k", resamples=50) == NOT_COMPARED
    assert compare({}, {}, key="k", resamples=50) == NOT_COMPARED


def test_micro_averages_weigh_items_and_are_bootstrapped():
    a = {"x": (9.0, 9.0), "y": (0.0, 1.0)}
    b = {"x": (0.0, 9.0), "y": (1.0, 1.0)}
    found = compare(a, b, key="k", resamples=300)
    assert found.test == BOOTSTRAP
    assert found.difference == pytest.approx(0.8)
    again = compare(a, b, key="k", resamples=300)
    assert again == found
    assert (found.low, found.high) == (-1, 1)


def test_the_bootstrap_finds_a_difference_that_is_there_and_its_p_values_are_fair_where_there_is_none():
    rng = np.random.default_rng(3)
    found = 0
    for k in range(150):
        hard = rng.normal(size=60)
        a, b = ({f"i{i}": (float(x), 1.0) for i, x in enumerate(hard + rng.normal(size=60))} for _ in "ab")
        found += (compare(a, b, key=str(k), resamples=199).p_value or 0) <= 0.05
    assert found <= 19  # 7.5 are expected at 5 %; more than 19 happen less than once in 10,000
    better = {i: (x + 0.8, 1.0) for i, (x, _) in b.items()}
    assert compare(better, b, key="k", resamples=999).p_value == pytest.approx(2 / 1000)


def test_holm_steps_down_and_leaves_out_what_was_not_compared():
    assert holm([0.01, 0.04, 0.03, None, 0.005]) == pytest.approx([0.03, 0.06, 0.06, None, 0.02], nan_ok=True)
    assert holm([]) == []
    assert holm([0.9, 0.8]) == [1.0, 1.0]


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_only_raises_and_keeps_the_order(p_values):
    adjusted = holm(p_values)
    assert all(p <= q <= 1 for p, q in zip(p_values, adjusted, strict=True))
    for (p, q), (r, s) in combinations(zip(p_values, adjusted, strict=True), 2):
        assert (q <= s) if p <= r else (s <= q)


NAMES = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=8, unique=True)


@given(NAMES, st.data())
def test_systems_share_a_letter_if_and_only_if_they_do_not_differ(names, data):
    pairs = list(combinations(sorted(names), 2))
    differ = set(data.draw(st.lists(st.sampled_from(pairs), unique=True))) if pairs else set()
    found = comparison.letters(names, differ)
    for one, other in pairs:
        assert bool(set(found[one]) & set(found[other])) == ((one, other) not in differ)
    assert all(found.values())
    assert "a" in found[names[0]]


def test_groups_rank_systems_by_those_that_are_better():
    rng = Random(1)
    hard = [rng.random() for _ in range(200)]
    systems = {
        name: binary([h < skill + 0.1 * rng.random() for h in hard])
        for name, skill in (("weak", 0.2), ("strong", 0.7), ("strong_too", 0.7), ("middle", 0.5))
    }
    found = significance_groups(systems, key="k")
    assert found.letters["strong"] == found.letters["strong_too"] == "a"
    assert (found.letters["middle"], found.letters["weak"]) == ("b", "c")
    assert found.ranks == {"middle": 3, "strong": 1, "strong_too": 1, "weak": 4}
    assert set(found.pairs) == set(combinations(sorted(systems), 2))
    assert all((q or 0) >= (found.pairs[pair].p_value or 0) for pair, q in found.adjusted.items())
    lower = significance_groups(systems, key="k", higher_is_better=False)
    assert lower.ranks["weak"] == 1


def test_systems_without_common_items_are_not_told_apart_and_many_letters_stay_apart():
    found = significance_groups({"a": binary([True]), "b": {}, "c": binary([False])}, key="k")
    assert found.letters == {"a": "a", "b": "a", "c": "a"}
    assert found.adjusted["a", "b"] is None
    assert significance_groups({}, key="k").letters == {}
    many = {f"s{k:02}": binary([i < 40 * k for i in range(1280)]) for k in range(32)}
    letters = significance_groups(many, key="k").letters
    assert len(set(letters.values())) == 32
    assert any("(aa)" in letter for letter in letters.values())
