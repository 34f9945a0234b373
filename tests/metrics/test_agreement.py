from random import Random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, cohen_kappa_score, f1_score, precision_score, recall_score

from stepforge.metrics import agreement
from stepforge.metrics._base import METRICS, Options
from stepforge.metrics._evaluate import evaluate
from stepforge.metrics.agreement import cohen_kappa, confusion, fleiss_kappa, judge_agreement, krippendorff_alpha

PAIRS = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=60)


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd")), min_size=1, max_size=60))
def test_kappa_is_that_of_scikit_learn(pairs):
    first, second = zip(*pairs, strict=True)
    assume(len({*first, *second}) > 1)
    assert cohen_kappa(first, second) == pytest.approx(cohen_kappa_score(first, second), abs=1e-12)


def test_kappa_of_a_single_label_says_nothing():
    assert cohen_kappa("aaa", "aaa") is None
    assert cohen_kappa("", "") is None
    assert cohen_kappa("aab", "aaa") == 0  # one of the two raters alone has a single label
    assert fleiss_kappa(["aa", "aa"]) is None
    assert krippendorff_alpha(["aa", "aa"]) is None
    with pytest.raises(ValueError, match="zip"):
        cohen_kappa("ab", "a")


@given(PAIRS)
def test_the_four_scores_are_those_of_scikit_learn(pairs):
    judged, truth = zip(*pairs, strict=True)
    counts = confusion(judged, truth)
    assert sum(counts) == len(pairs)
    assert agreement.accuracy(counts) == pytest.approx(accuracy_score(truth, judged))
    for ours, theirs, below in (
        (agreement.precision, precision_score, any(judged)),
        (agreement.recall, recall_score, any(truth)),
        (agreement.f1, f1_score, any(judged) or any(truth)),
    ):
        assert ours(counts) == (pytest.approx(theirs(truth, judged)) if below else None)


@settings(deadline=None, max_examples=30)
@given(PAIRS)
def test_estimates_are_the_scores_and_undefined_ones_have_no_interval(pairs):
    judged, truth = zip(*pairs, strict=True)
    counts = confusion(judged, truth)
    found = judge_agreement(judged, truth, key="k", resamples=50)
    assert found["F1"].value == agreement.f1(counts)
    assert found["kappa"].value == (None if (k := cohen_kappa(judged, truth)) is None else pytest.approx(k))
    for estimate in found.values():
        assert estimate.n == len(pairs)
        assert (estimate.value is None) == (estimate.low is None) == (estimate.high is None)


def test_no_item_is_no_agreement():
    assert all(e == (None, None, None, 0) for e in judge_agreement([], [], key="k").values())


def test_intervals_hold_the_value_of_a_large_sample():
    rng = Random(2)
    truth = [rng.random() < 0.6 for _ in range(400)]
    judged = [t if rng.random() < 0.85 else not t for t in truth]
    for name, estimate in judge_agreement(judged, truth, key="k").items():
        assert estimate.low < estimate.value < estimate.high, name


def test_fleiss_has_the_value_of_its_published_example():
    counts = [
        (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1),
        (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
    ]  # fmt: skip
    items = [[label for label, n in enumerate(row) for _ in range(n)] for row in counts]
    assert fleiss_kappa(items) == pytest.approx(0.210, abs=5e-4)
    with pytest.raises(ValueError, match="same number"):
        fleiss_kappa(["ab", "abc"])


def test_krippendorff_has_the_value_of_its_published_example():
    a = [None, None, None, None, None, 3, 4, 1, 2, 1, 1, 3, 3, None, 3]
    b = [1, None, 2, 1, 3, 3, 4, 3, None, None, None, None, None, None, None]
    c = [None, None, 2, 1, 3, 4, 4, None, 2, 1, 1, 3, 3, None, 4]
    assert krippendorff_alpha(list(zip(a, b, c, strict=True))) == pytest.approx(0.691, abs=5e-4)
    assert krippendorff_alpha([]) is None


@given(st.lists(st.sampled_from(["aa", "ab", "bb", "ba"]), min_size=2, max_size=40))
def test_two_raters_agree_by_fleiss_as_by_scott(items):
    assume(len(set("".join(items))) > 1)
    share = "".join(items).count("a") / (2 * len(items))
    chance = share**2 + (1 - share) ** 2
    observed = np.mean([item[0] == item[1] for item in items])
    assert fleiss_kappa(items) == pytest.approx((observed - chance) / (1 - chance))


def test_judges_are_held_against_people_and_against_each_other():
    rows = [
        {"human": True, "judge": True, "second_judge": True},
        {"human": True, "judge": False, "second_judge": True},
        {"human": False, "judge": False, "second_judge": False},
        {"human": False, "judge": True, "second_judge": None},
        {"human": None, "judge": True, "second_judge": True},
        {"human": True, "judge": None},
    ]
    metric = METRICS["judge-reliability"]
    found = evaluate(metric, [metric.row.model_validate(row) for row in rows], Options(metric.parameters()))
    values = {name: (v["value"], v["n"]) for name, v in found["values"].items()}
    assert values["accuracy"] == (0.5, 4)
    assert values["precision"] == (0.5, 4)
    assert values["recall"] == (0.5, 4)
    assert values["kappa"] == (0.0, 4)
    assert values["second_accuracy"] == (1.0, 3)
    assert values["second_kappa"] == (1.0, 3)
    assert values["cross_agreement"] == (0.75, 4)
    assert values["cross_kappa"][0] == pytest.approx(cohen_kappa([1, 0, 0, 1], [1, 1, 0, 1]))
    assert found["undecided"] == 3


def test_labels_of_several_raters_give_every_coefficient_that_they_can():
    metric = METRICS["agreement"]

    def run(*labels):
        rows = [metric.row.model_validate({"labels": item}) for item in labels]
        return evaluate(metric, rows, Options(metric.parameters(), resamples=20))

    two = run(["a", "a"], ["b", "b"], ["a", "b"])
    assert two["values"]["agreement"]["value"] == pytest.approx(2 / 3)
    assert two["cohen_kappa"] == cohen_kappa("aba", "abb")
    three = run(["a", "a", "b"], ["b", "b", "b"], ["a", None, "a"])
    assert three["cohen_kappa"] is None
    assert three["fleiss_kappa"] == fleiss_kappa(["aab", "bbb"])
    assert three["krippendorff_alpha"] == krippendorff_alpha([["a", "a", "b"], ["b", "b", "b"], ["a", None, "a"]])
