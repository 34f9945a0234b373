"""GeoLaux, MAMath-Bench and MV-MATH: the aggregates of this project, on rows worked out by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepforge.metrics import detection, geolaux, milestones
from stepforge.metrics._base import METRICS, Options
from stepforge.metrics._evaluate import evaluate


def run(name, *rows, **settings):
    metric = METRICS[name]
    options = Options(metric.parameters(**settings), resamples=50)
    return evaluate(metric, [metric.row.model_validate(row) for row in rows], options)


def values(name, *rows, **settings):
    return {k: v["value"] for k, v in run(name, *rows, **settings)["values"].items()}


SOLUTIONS = [
    {"step_length": 3, "right": True, "steps": [1, 1]},
    {"step_length": 4, "right": True, "steps": [1, 0]},
    {"step_length": 13, "right": True, "steps": "null"},
    {"step_length": 24, "right": True, "steps": [1]},
    {"step_length": 30, "right": False, "steps": [1, 0, 1]},
    {"step_length": 24, "right": None, "steps": [1, 1]},
    {"step_length": 24, "failure": "empty"},
]


def test_solutions_are_scored_by_answer_process_and_quality():
    found = run("geolaux", *SOLUTIONS)
    value = {k: v["value"] for k, v in found["values"].items()}
    pqs = [geolaux.pqs(v) for v in ([1, 1], [1, 0], None, [1], [1, 0, 1], [1, 1])] + [0.0]
    assert value["ACS"] == pytest.approx(4 / 6)
    assert value["PCS"] == pytest.approx(2 / 6)
    assert value["PQS"] == pytest.approx(sum(pqs) / 7)
    assert value["false_positive_rate"] == pytest.approx(2 / 6)
    assert value["delta_PCS"] == pytest.approx((1 / 2 - 1 / 3) / (1 / 2))
    assert found["undecided"] == 1
    assert list(found["by"]["step_length"]) == ["1-4", "13-24", "25+"]
    steeper = values("geolaux", *SOLUTIONS, alpha=5)["PQS"]
    assert steeper < value["PQS"]


@given(st.lists(st.tuples(st.booleans(), st.lists(st.integers(0, 1), max_size=5)), min_size=1, max_size=20))
def test_right_answers_are_right_processes_or_false_positives(solutions):
    found = values("geolaux", *({"right": right, "steps": steps} for right, steps in solutions))
    assert found["ACS"] == pytest.approx(found["PCS"] + found["false_positive_rate"])
    assert found["PCS"] <= found["PQS"] + 1e-12 or any(not steps for _, steps in solutions)


def test_a_fall_without_a_base_or_an_end_is_none():
    assert values("geolaux", SOLUTIONS[0])["delta_PCS"] is None
    assert values("geolaux", SOLUTIONS[1], SOLUTIONS[3])["delta_PCS"] is None
    assert values("geolaux", SOLUTIONS[0], SOLUTIONS[3])["delta_PCS"] == 0
    assert geolaux.false_positive(True, [1, 0]) == 1
    assert geolaux.false_positive(True, [1]) == geolaux.false_positive(False, [0]) == 0


def test_constructions_are_told_apart_by_setting():
    auto, prompted = {"setting": "autonomous"}, {"setting": "prompted"}
    found = values(
        "construction",
        {**auto, "constructed": True, "pcs": 1},
        {**auto, "constructed": False, "pcs": 1},
        {**auto, "constructed": True, "pcs": 0},
        {**auto, "failure": "empty"},
        {**prompted, "constructed": True, "pcs": 1},
        {**prompted, "constructed": True, "pcs": None},
        {**prompted, "constructed": None, "pcs": 0},
    )
    assert found == {
        "construction_rate_autonomous": 0.5,
        "construction_PCS_autonomous": 0.5,
        "construction_rate_prompted": 1.0,
        "construction_PCS_prompted": 1.0,
        "PCS_gain": 0.0,
    }
    assert values("construction", {**auto, "constructed": False, "pcs": 1})["construction_PCS_autonomous"] is None


def test_error_types_are_shares_of_the_failed_steps():
    found = run(
        "error-types",
        {"error_types": [None, "calculation", "knowledge"]},
        {"error_types": ["calculation", "calculation"]},
        {"error_types": [None, None, None]},
        {"failure": "refused"},
    )
    shares = {name: value["value"] for name, value in found["shares"].items()}
    assert shares == {"knowledge": 0.25, "calculation": 0.75}
    assert sum(shares.values()) == 1
    assert found["values"]["failed_steps"]["value"] == 0.5
    assert found["values"]["failed_steps_per_solution"]["value"] == pytest.approx(4 / 3)
    with pytest.raises(ValueError, match="error_types"):
        METRICS["error-types"].row.model_validate({"error_types": ["typo"]})


def test_milestone_rates_are_micro_with_macro_beside_and_as_the_formulas_have_them():
    rows = [
        {"gold": 9, "matched": 9, "predicted": 12, "matched_predicted": 8},
        {"gold": 1, "matched": 0, "predicted": 3, "matched_predicted": 0},
        {"gold": 2, "failure": "empty"},
    ]
    found = values("milestones", *rows)
    assert found["MA"] == pytest.approx(9 / 12)
    assert found["SMR"] == pytest.approx(1 - 9 / 12)
    assert found["SRR"] == pytest.approx((3 + 2) / 15)
    assert found["MA_macro"] == pytest.approx((1 + 0 + 0) / 3)
    assert found["SRR_macro"] == pytest.approx((milestones.srr(12, 8, 9) + milestones.srr(3, 0, 1) + 0) / 3)
    with pytest.raises(ValueError, match="more matched"):
        METRICS["milestones"].row.model_validate({**rows[0], "matched": 10})
    with pytest.raises(ValueError, match="one best unit"):
        METRICS["milestones"].row.model_validate({"gold": 4, "matched": 3, "predicted": 6, "matched_predicted": 4})


def test_detection_needs_place_and_kind_and_partial_credit_stands_beside():
    wrong = {"kind": "wrong", "expected": [2]}
    found = run(
        "detection",
        {**wrong, "detected": [2]},
        {**wrong, "detected": [2], "detected_kind": "repeated"},
        {**wrong, "detected": [2], "detected_kind": "wrong"},
        {"kind": "redundant", "expected": [1, 2], "detected": [2]},
        {"kind": "missing", "expected": [1], "detected": [1]},
        {"kind": "swapped", "expected": [1, 3], "detected": None},
    )
    value = {k: v["value"] for k, v in found["values"].items()}
    assert value["detection"] == pytest.approx(2 / 6)
    assert value["detection_location"] == pytest.approx((1 + 1 + 1 + 2 / 3 + 1 + 0) / 6)
    assert value["detection_kind"] == 0.5
    assert {kind: v["detection"]["n"] for kind, v in found["by"]["kind"].items()} == {
        "missing": 1, "redundant": 1, "swapped": 1, "wrong": 3}  # fmt: skip


@given(st.sets(st.integers(0, 9), min_size=1, max_size=4), st.none() | st.lists(st.integers(0, 9), max_size=5))
def test_partial_credit_is_1_only_at_the_exact_place(expected, detected):
    credit = detection.location_f1(sorted(expected), detected)
    assert 0 <= credit <= 1
    assert (credit == 1) == (detected is not None and set(detected) == expected)


QUESTIONS = [
    {"kind": "choice", "judge": True, "image_relevance": "independent"},
    {"kind": "choice", "judge": "unclear"},
    {"kind": "freeform", "judge": False, "image_relevance": "independent"},
    {"kind": "multistep", "judge": " 2 / 3"},
    {"kind": "multistep", "judge": "2/2"},
    {"kind": "multistep", "judge": "unclear"},
    {"kind": "multistep", "judge": "3/4", "failure": "unparsable"},
]


def test_questions_count_by_kind_and_a_verdict_that_says_nothing_is_left_out_of_sar():
    found = run("mv-math", *QUESTIONS)
    value = {k: v["value"] for k, v in found["values"].items()}
    assert value == pytest.approx({"choice": 0.5, "freeform": 0, "SAR": 4 / 9, "QCR": 0.25, "overall": 2 / 7})
    assert found["undecided"] == 2
    assert set(found["by"]) == {"kind", "image_relevance"}


def test_the_official_bins_leave_out_lengths_over_24_and_bins_without_problems():
    rows = [METRICS["geolaux"].row.model_validate(row) for row in SOLUTIONS if row["step_length"] in {3, 4, 30}]
    found = METRICS["geolaux"].official(rows)
    assert found["acs_by_step"] == {"14": 1.0}
    assert found["average_acs"] == 0.667
    assert METRICS["geolaux"].official([])["average_pqs"] is None
