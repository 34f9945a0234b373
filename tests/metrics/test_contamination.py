from functools import lru_cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepforge.metrics._base import METRICS, Options
from stepforge.metrics._evaluate import evaluate
from stepforge.metrics._text import MAX_TOKENS, tokens, words
from stepforge.metrics.overlap import RougeL, ngram_overlap, rouge_l


def run(name, *rows, **settings):
    metric = METRICS[name]
    options = Options(metric.parameters(**settings), resamples=50)
    return evaluate(metric, [metric.row.model_validate(row) for row in rows], options)


def values(name, *rows, **settings):
    return {k: v["value"] for k, v in run(name, *rows, **settings)["values"].items()}


@lru_cache(100_000)
def lcs(one, other):
    if not one or not other:
        return 0
    if one[0] == other[0]:
        return 1 + lcs(one[1:], other[1:])
    return max(lcs(one[1:], other), lcs(one, other[1:]))


SEQUENCE = st.lists(st.sampled_from(["a", "b", "证", "\\frac"]), max_size=9).map(tuple)


@given(SEQUENCE, SEQUENCE)
def test_rouge_l_is_that_of_the_longest_common_subsequence(reference, reply):
    found, common = rouge_l(reference, reply), lcs(reference, reply)
    if not reference:
        assert found is None
    elif not common:
        assert found == (0, 0, 0)
    else:
        precision, recall = common / len(reply), common / len(reference)
        expected = RougeL(precision, recall, 2 * precision * recall / (precision + recall))
        assert found == pytest.approx(expected)


@given(SEQUENCE, SEQUENCE, st.integers(1, 4))
def test_the_overlap_is_the_share_of_the_references_n_grams(reference, reply, n):
    grams = [{s[k : k + n] for k in range(len(s)) if len(s[k : k + n]) == n} for s in (reference, reply)]
    expected = len(grams[0] & grams[1]) / len(grams[0]) if grams[0] else None
    assert ngram_overlap(reference, reply, n) == expected


def test_chinese_characters_are_tokens_and_words_and_commands_are():
    assert tokens("因为AB∥CD，所以 \\angle 1=30.5°。") == [
        "因", "为", "ab", "∥", "cd", "所", "以", "\\angle", "1", "=", "30.5", "°"]  # fmt: skip
    assert tokens("Hence, the Area is 2 cm.") == ["hence", "the", "area", "is", "2", "cm"]
    assert words("How many of the 12 marbles — are red?") == 8
    assert words("求三角形的面积 S.") == 8
    assert len(tokens("a " * (MAX_TOKENS + 5))) == MAX_TOKENS


def test_the_same_text_overlaps_wholly_in_both_languages():
    for text in (
        "证明：因为AB平行CD，所以角1等于角2，故结论成立。",
        "First add the three numbers, then divide by two to get four.",
    ):
        found = values("overlap", {"reference": text, "reply": text})
        assert found == {"ROUGE_L": 1, "ROUGE_L_precision": 1, "ROUGE_L_recall": 1, "overlap_10_gram": 1}
    other = values("overlap", {"reference": "证明三角形全等" * 3, "reply": "Nothing of the kind"})
    assert other["ROUGE_L"] == other["overlap_10_gram"] == 0


def test_a_reply_that_failed_repeats_nothing_and_is_not_averaged():
    found = run("overlap", {"reference": "a b", "reply": "a b"}, {"reference": "a b", "failure": "refused"}, n=2)
    assert (found["values"]["ROUGE_L"]["value"], found["values"]["ROUGE_L"]["n"]) == (1, 1)
    assert found["values"]["overlap_2_gram"]["n"] == 1
    assert found["failures"] == {"refused": 1}


def test_perturbation_compares_each_problem_with_itself():
    rows = [
        {"id": 1, "before": 1, "after": 0, "original_answer": True},
        {"id": 2, "before": 1, "after": 1, "original_answer": False},
        {"id": 3, "before": 0, "after": None, "original_answer": False},
        {"id": 4, "failure": "empty"},
    ]
    found = run("perturbation", *rows)
    value = {k: v["value"] for k, v in found["values"].items()}
    assert value == pytest.approx({"before": 0.5, "after": 1 / 3, "delta": -1 / 3, "original_answer_rate": 0.25})
    assert found["test"]["n"] == 3
    assert found["test"]["difference"] == pytest.approx(-1 / 3)
    assert found["test"]["p_value"] == 1.0
    assert found["undecided"] == 1


def test_a_time_split_compares_the_problems_on_both_sides_of_the_date():
    rows = [
        {"published_on": "2024-05-01", "score": 1},
        {"published_on": "2024-12-31", "score": 1},
        {"published_on": "2025-01-01", "score": 0},
        {"published_on": "2025-03-01", "failure": "empty"},
        {"published_on": None, "score": 1},
        {"published_on": "2025-03-01", "score": None},
    ]
    assert values("time-split", *rows) == {"before": 1, "after": 0, "difference": -1}
    late = values("time-split", *rows, cutoff="2025-02-01")
    assert late == pytest.approx({"before": 2 / 3, "after": 0, "difference": -2 / 3})
    assert values("time-split", *rows[:2])["difference"] is None
