import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepforge.metrics import detection, faa, geolaux, milestones, mvmath, wemath
from stepforge.vocabulary import DefectKind, EquivalenceVerdict


def test_pqs_has_the_check_values():
    assert geolaux.pqs_prime([1, 0, 1]) == pytest.approx(0.678678, abs=1e-6)
    assert geolaux.pqs([1, 0, 1]) == pytest.approx(0.190828, abs=1e-6)
    assert geolaux.pqs([1, 0, 1], alpha=2.5) == pytest.approx(0.334120, abs=1e-6)
    assert [geolaux.pqs(v) for v in ([1], [0], [], None)] == [1, 0, 0, 0]


@given(st.lists(st.integers(0, 1), min_size=2, max_size=24), st.data())
def test_pqs_falls_with_a_failed_step_and_more_so_with_an_early_one(steps, data):
    good = [1] * len(steps)
    i = data.draw(st.integers(0, len(steps) - 2))
    early, late = good.copy(), good.copy()
    early[i], late[i + 1] = 0, 0
    assert geolaux.pqs(early) < geolaux.pqs(late) < geolaux.pqs(good)
    assert 0 <= geolaux.pqs(steps) <= 1


def test_buckets_cover_every_length_and_none_is_unknown():
    lengths = [1, 4, 5, 8, 9, 12, 13, 24, 25, 300, None]
    expected = ["1-4", "1-4", "5-8", "5-8", "9-12", "9-12", "13-24", "13-24", "25+", "25+", None]
    assert [geolaux.bucket(n) for n in lengths] == expected


def test_a_ratio_over_nothing_is_none():
    assert faa.faa([]) is None
    assert milestones.ma(0, 0) is None
    assert milestones.smr(0, 0) is None
    assert mvmath.sar([]) is None
    assert mvmath.qcr([]) is None
    assert mvmath.overall([], []) is None
    assert geolaux.pqs_prime([]) is None
    assert geolaux.delta_pcs(0.0, 0.2) is None
    assert wemath.rates([], strict=True).score is None


def test_undecided_answers_are_not_right():
    assert faa.faa([EquivalenceVerdict.EQUAL, EquivalenceVerdict.UNDECIDED, None, EquivalenceVerdict.EQUAL]) == 0.5


@given(st.integers(0, 40), st.integers(0, 40), st.integers(1, 40))
def test_redundancy_counts_the_units_beyond_both_the_matched_and_the_needed(n_pred, matched, n_gold):
    matched = min(matched, n_pred, n_gold)
    value = milestones.srr(n_pred, matched, n_gold)
    assert 0 <= value < 1
    assert value == (0 if n_pred <= n_gold else (n_pred - n_gold) / n_pred)


def test_a_detection_is_right_only_at_the_exact_location():
    assert detection.right(DefectKind.SWAPPED, (3, 1), (1, 3))
    assert not detection.right(DefectKind.SWAPPED, (3, 1), (1, 2))
    assert not detection.right(DefectKind.REDUNDANT, (1, 2), (1,))
    assert not detection.right(DefectKind.WRONG, (1,), None)
    assert detection.right(DefectKind.MISSING, (1,), (1,), missing_step_matches=True)
    assert not detection.right(DefectKind.MISSING, (1,), (1,), missing_step_matches=False)


def test_strict_and_loose_mastery_differ_in_the_sub_problems_they_ask_for():
    mixed = wemath.Group((True, False), True)
    assert wemath.state(mixed, strict=True) is wemath.State.RM
    assert wemath.state(mixed, strict=False) is wemath.State.CM
    assert wemath.state(wemath.Group((True, True), False), strict=True) is wemath.State.IG
    assert wemath.state(wemath.Group((True, False), False), strict=False) is wemath.State.IK
    assert wemath.state(wemath.Group((True, True), None), strict=True) is None
