import statistics
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepforge.metrics._base import METRICS, Options
from stepforge.metrics._evaluate import evaluate
from stepforge.metrics.length_difficulty import levels, weighted_length


def run(name, *rows):
    metric = METRICS[name]
    return evaluate(
        metric, [metric.row.model_validate(row) for row in rows], Options(metric.parameters(), resamples=50)
    )


def test_a_solution_weighs_more_than_its_question():
    assert weighted_length("one two three", "one two three four five") == pytest.approx(0.4 * 3 + 0.6 * 5)


def spread(groups):
    return sum((x - sum(group) / len(group)) ** 2 for group in groups for x in group)


@settings(deadline=None, max_examples=25)
@given(st.lists(st.integers(1, 300), min_size=3, max_size=25, unique=True))
def test_difficulty_is_an_optimal_split_in_three(lengths):
    found = levels([float(x) for x in lengths])
    ordered = [level for _, level in sorted(zip(lengths, found.levels, strict=True))]
    assert ordered == sorted(ordered, key=["easy", "medium", "hard"].index)
    groups = [
        [x for x, level in zip(lengths, found.levels, strict=True) if level == name] for name in dict.fromkeys(ordered)
    ]
    line = sorted(lengths)
    best = min(spread([line[:i], line[i:j], line[j:]]) for i, j in combinations(range(1, len(line)), 2))
    assert spread(groups) == pytest.approx(best, rel=0.05, abs=1e-6)  # k-means from ten starts: at or near the optimum
    easy, medium, hard = groups
    assert max(easy) < found.cuts[0] < min(medium)
    assert max(medium) < found.cuts[1] < min(hard)


def test_fewer_than_three_lengths_have_no_levels():
    assert levels([1.0, 1.0, 2.0]) is None
    assert run("length-difficulty", {"question": "a", "analysis": "b"})["levels"] is None


def test_levels_are_told_for_each_item():
    rows = [{"id": k, "question": "q " * n, "analysis": "a " * n} for k, n in enumerate((100, 3, 4, 900, 110))]
    found = run("length-difficulty", *rows)
    assert [item["difficulty"] for item in found["difficulties"]] == ["medium", "easy", "easy", "hard", "medium"]
    assert found["levels"] == {"easy": 2, "medium": 2, "hard": 1}
    assert found["values"]["weighted_length"]["value"] == pytest.approx(1117 / 5)


@given(st.lists(st.integers(1, 60), min_size=1, max_size=20))
def test_the_coefficient_of_variation_is_sigma_over_mu(lengths):
    found = run("length-variation", *({"question": "w " * n} for n in lengths))["values"]
    assert found["CV"]["value"] == pytest.approx(statistics.pstdev(lengths) / statistics.mean(lengths), abs=1e-7)
    assert found["mean_length"]["value"] == pytest.approx(statistics.mean(lengths))


def test_questions_without_words_have_no_variation():
    assert run("length-variation", {"question": ""}, {"question": " "})["values"]["CV"]["value"] is None
