from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepforge.metrics.formalization import Alignment, Candidate, align_pass_at_k, compile_pass_at_k, pass_at_k

OPINIONS = st.sampled_from([True, False, None])
CANDIDATES = st.builds(Candidate, OPINIONS, OPINIONS, OPINIONS)
ITEMS = st.lists(st.lists(CANDIDATES, max_size=6), max_size=5)
YES, NO = Candidate(compiled=True), Candidate(compiled=False)


@given(st.lists(st.booleans(), min_size=1, max_size=9), st.integers(1, 9))
def test_pass_at_k_is_the_share_of_all_draws_with_a_right_one(right, k):
    right += [False] * (k - len(right))
    draws = list(combinations(right, k))
    assert pass_at_k(len(right), sum(right), k) == pytest.approx(sum(map(any, draws)) / len(draws))


def test_pass_at_k_of_fewer_candidates_than_k_counts_the_absent_ones_as_wrong():
    assert pass_at_k(0, 0, 5) == 0
    assert pass_at_k(2, 1, 5) == 1
    assert pass_at_k(3, 0, 5) == 0


@pytest.mark.parametrize(("n", "right", "k"), [(3, 4, 1), (3, -1, 1), (3, 1, 0), (-1, 0, 1)])
def test_counts_that_cannot_be_are_refused(n, right, k):
    with pytest.raises(ValueError, match="pass@k"):
        pass_at_k(n, right, k)


def test_compilation_is_averaged_over_items_and_not_over_candidates():
    rate = compile_pass_at_k([[YES, NO, NO, NO], [YES], []], k=1)
    assert rate.value == pytest.approx((1 / 4 + 1 + 0) / 3)
    assert (rate.n, rate.unscored, rate.undecided) == (3, 0, 0)


def test_an_item_that_lean_was_not_run_on_is_not_scored():
    rate = compile_pass_at_k([[YES, Candidate(compiled=None)], [NO]], k=2)
    assert (rate.value, rate.n, rate.unscored) == (0, 1, 1)
    assert align_pass_at_k([[Candidate(None, judged=True, equivalent=None)]], 1, Alignment.LEAN).unscored == 1


def test_a_rate_over_nothing_is_none():
    assert compile_pass_at_k([], 5) == (None, 0, 0, None)
    assert all(align_pass_at_k([], 5, by).value is None for by in Alignment)


@pytest.mark.parametrize(
    ("candidate", "judged", "lean", "both"),
    [
        (Candidate(True, True, True), 1, 1, 1),
        (Candidate(True, True, False), 1, 0, 0),
        (Candidate(True, False, True), 0, 1, 0),
        (Candidate(True, True, None), 1, 0, 0),
        (Candidate(False, True, True), 1, 0, 0),
    ],
)
def test_alignment_is_what_the_judge_says_what_lean_shows_or_what_both_say(candidate, judged, lean, both):
    assert [align_pass_at_k([[candidate]], 1, by).value for by in Alignment] == [judged, lean, both]


def test_what_lean_could_not_decide_counts_as_not_aligned_and_is_reported():
    rate = align_pass_at_k([[Candidate(True, True, None), Candidate(True, True, True)]], 1, Alignment.LEAN)
    assert (rate.value, rate.undecided) == (0.5, 0.5)


@given(ITEMS, st.integers(1, 6))
def test_both_never_say_more_than_either_and_more_tries_never_less(items, k):
    both, lean = (align_pass_at_k(items, k, by) for by in (Alignment.BOTH, Alignment.LEAN))
    assert both.n == lean.n
    assert both.n == 0 or both.value <= lean.value
    assert lean.n + lean.unscored == len(items)
    more = align_pass_at_k(items, k + 1, Alignment.LEAN)
    assert lean.n == 0 or more.value >= lean.value
