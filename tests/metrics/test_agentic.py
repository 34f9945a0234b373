"""AgenticMathBench: each metric on rows whose values were worked out by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepforge.metrics import _counting
from stepforge.metrics._base import METRICS, Options
from stepforge.metrics._evaluate import evaluate
from stepforge.metrics._predicates import fact, thing


def values(name, *rows, **settings):
    metric = METRICS[name]
    options = Options(metric.parameters(**settings), resamples=5)
    found = evaluate(metric, [metric.row.model_validate(row) for row in rows], options)
    return {k: v["value"] for k, v in found["values"].items()}


def approx(**expected):
    return {name: value if value is None else pytest.approx(value) for name, value in expected.items()}


def test_capability_sets_are_scored_item_by_item():
    found = values(
        "capability-planning",
        {"gold": ["calculation", "modeling"], "predicted": ["calculation"]},
        {"gold": ["calculation"], "predicted": ["calculation", "modeling", "spatial_perception"]},
        {"gold": ["calculation"], "predicted": ["calculation"]},
        {"gold": ["calculation"], "predicted": []},
        {"gold": ["calculation"], "failure": "refused"},
    )
    assert found == approx(
        precision=(1 + 1 / 3 + 1) / 5, recall=(0.5 + 1 + 1) / 5, F1=(2 / 3 + 0.5 + 1) / 5, exact_match=0.2
    )


def test_an_item_without_targets_has_no_score():
    assert set(values("capability-planning", {"gold": [], "predicted": []}).values()) == {None}


def test_plans_are_scored_by_the_mean_of_three_and_an_undecided_score_is_left_out():
    found = values(
        "solution-planning",
        {"step_coverage": 0.5, "sub_goal": 0.7, "logic": 1.0},
        {"step_coverage": 1.0, "sub_goal": None, "logic": 0.0},
    )
    assert found == approx(step_coverage=0.75, sub_goal=0.7, logic=0.5, overall=(0.75 + 0.7 + 0.5) / 3)


def test_next_steps_are_scored_by_capability_and_sub_goal():
    base = {"gold_capability": "calculation"}
    found = values(
        "next-step-planning",
        {**base, "cut": 20, "capability": "calculation", "sub_goal_similarity": 0.4},
        {**base, "cut": 80, "capability": "modeling", "sub_goal_similarity": 0.8},
    )
    assert found == approx(capability=0.5, sub_goal=0.6, overall=0.55)


def test_the_published_means_of_next_step_planning_come_out():
    """Table 15: 52.08 and 47.64 give 49.86."""
    rows = [
        {"cut": 20, "gold_capability": "calculation", "capability": name, "sub_goal_similarity": 0.4764}
        for name in ["calculation"] * 25 + ["modeling"] * 23
    ]
    found = values("next-step-planning", *rows)
    assert (round(100 * found["capability"], 2), round(100 * found["overall"], 2)) == (52.08, 49.86)


def test_concepts_match_by_the_pairs_of_a_judge_one_to_one_or_by_name():
    gold = ["Pythagorean theorem", "similar triangles", "similar  Triangles"]
    judged = {
        "gold": gold,
        "predicted": ["Pythagoras", "similarity", "area"],
        "pairs": [[0, 0], [1, 1], [2, 1], [0, 1]],
    }
    found = values("concept-understanding", {**judged, "understood": True})
    assert found == approx(set_F1=2 * 2 / 5, precision=2 / 3, recall=1.0, accuracy=1.0)
    named = values("concept-understanding", {"gold": gold, "predicted": ["SIMILAR triangles"]})
    assert named == approx(set_F1=2 / 3, precision=1.0, recall=0.5, accuracy=None)
    undecided = values("concept-understanding", {**judged, "pairs": None, "understood": None})
    assert set(undecided.values()) == {None}


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=8))
def test_a_matching_counts_no_target_and_no_prediction_twice(pairs):
    counts = _counting.count(list("abcd"), list("wxyz"), pairs)
    assert counts.t <= min(len({i for i, _ in pairs}), len({j for _, j in pairs}))
    assert (counts.t > 0) == bool(pairs)
    assert 0 <= _counting.f1(counts) <= 1
    disjoint = len({i for i, _ in pairs}) == len(set(pairs)) == len({j for _, j in pairs})
    assert not disjoint or counts.t == len(set(pairs))


@pytest.mark.parametrize("name", ["concept-understanding", "spatial-perception", "modeling", "plan-precision"])
def test_a_pair_that_points_at_nothing_is_refused(name):
    row = dict(METRICS[name].row.EXAMPLE)
    wrong = {"concept-understanding": {"pairs": [[0, 9]]}, "spatial-perception": {"pairs": [[-1, 0]]},
             "modeling": {"constraint_pairs": [[5, 0]]}, "plan-precision": {"useful": [3]}}[name]  # fmt: skip
    with pytest.raises(ValueError, match="counted from 0"):
        METRICS[name].row.model_validate({**row, **wrong})


SAME_FACTS = [
    ("AB ∥ CD", "parallel(DC, BA)"),
    ("AB \\perp CD", "perpendicular(CD, AB)"),
    ("$\\overline{AB} \\parallel \\overline{CD}$", "CD // AB"),
    ("∠ABC = ∠DEF", "equal(angle(F, E, D), ∠CBA)"),
    ("△ABC ≅ △DEF", "congruent(triangle EFD, triangle BCA)"),
    ("\\triangle ABC \\sim \\triangle DEF", "similar(△FED, △CBA)"),
    ("midpoint(M, AB)", "Midpoint(M, BA)"),
    ("on(P, AB)", "P ∈ BA"),
    ("collinear(A, B, C)", "collinear(C, A, B)"),
    ("A_1B_1 ∥ CD", "CD ∥ A_1B_1"),
]
OTHER_FACTS = [
    ("AB ∥ CD", "AB ⊥ CD"),
    ("AB ∥ CD", "AC ∥ BD"),
    ("△ABC ≅ △DEF", "△ABC ≅ △EDF"),
    ("∠ABC = ∠DEF", "∠ACB = ∠DEF"),
    ("midpoint(M, AB)", "midpoint(A, MB)"),
    ("on(P, AB)", "on(Q, AB)"),
]


@pytest.mark.parametrize(("one", "other"), SAME_FACTS)
def test_one_fact_written_in_two_ways_is_one(one, other):
    assert fact(one) == fact(other)


@pytest.mark.parametrize(("one", "other"), OTHER_FACTS)
def test_different_facts_stay_different(one, other):
    assert fact(one) != fact(other)


@given(st.text(max_size=200))
def test_any_text_is_some_fact_and_some_thing(text):
    assert fact(text) == fact(text)
    assert hash(fact(text)) == hash(fact(text))
    assert thing(text) == thing(text)


def test_facts_are_matched_by_their_canonical_form_and_values_all_or_none():
    row = {
        "gold_facts": ["AB ∥ CD", "AE ⊥ CD", "E on CD"],
        "facts": ["DC ∥ BA", "CD ∥ AB", "AE ⊥ BC"],
        "gold_values": {"AB": 5, "∠ABC": "60°"},
        "values": {"BA": "5.0", "∠CBA": 60.05},
    }
    found = values("spatial-perception", row)
    assert found == approx(relation_F1=2 / 5, relation_precision=0.5, relation_recall=1 / 3, value_accuracy=1.0)
    assert values("spatial-perception", row, tolerance=1e-4)["value_accuracy"] == 0
    assert values("spatial-perception", {**row, "values": {"AB": 5}})["value_accuracy"] == 0
    assert values("spatial-perception", {"gold_facts": ["AB ∥ CD"], "facts": []})["value_accuracy"] is None
    assert values("spatial-perception", {**row, "pairs": [[0, 0], [1, 2]]})["relation_F1"] == pytest.approx(4 / 5)


def test_values_that_are_surds_or_words_are_compared_as_such():
    def right(gold, given):
        row = {"gold_facts": ["a"], "facts": [], "gold_values": {"AB": gold}, "values": {"AB": given}}
        return values("spatial-perception", row)["value_accuracy"]

    assert right("\\sqrt{2}", 1.41421) == 1
    assert right("\\frac{1}{3}", 0.3) == 0
    assert right("unknown", "Unknown") == 1
    assert right("x", 3) == 0


def test_formal_models_are_scored_by_variables_constraints_and_objective():
    found = values(
        "modeling",
        {
            "gold_variables": ["x", "y"],
            "variables": ["a", "b", "c"],
            "variable_pairs": [[0, 0]],
            "gold_constraints": ["p", "q", "r", "s"],
            "constraints": ["t"],
            "constraint_pairs": [[0, 0], [1, 0], [2, 0]],
            "objective": True,
        },
        {"gold_variables": ["x"], "gold_constraints": ["p"], "failure": "empty"},
    )
    assert found == approx(variable_F1=0.4 / 2, constraint_coverage=0.75 / 2, objective=0.5)


def test_plan_steps_count_once_and_empty_ones_not_at_all():
    row = {"steps": ["Induct on n", "induct  on N", "", "draw a graph"], "useful": [1, 2]}
    assert values("plan-precision", row) == {"plan_precision": 0.5}
    assert values("plan-precision", {"steps": [], "useful": []}) == {"plan_precision": 0.0}
    assert values("plan-precision", {**row, "useful": None}) == {"plan_precision": None}


def test_one_of_five_proofs_is_enough_and_more_than_five_are_estimated_without_bias():
    assert values("theorem-application", {"proofs": [False] * 4 + [True]}) == {"pass@5": 1.0}
    assert values("theorem-application", {"proofs": [True] + [False] * 9}) == approx(**{"pass@5": 0.5})
    assert values("theorem-application", {"proofs": [True, False]}, k=1) == {"pass@1": 0.5}
    assert values("theorem-application", {"proofs": [True, None]}) == {"pass@5": None}
    assert values("theorem-application", {"proofs": None}) == {"pass@5": 0.0}


def test_formal_statements_are_scored_by_lean_and_by_judge():
    found = values(
        "formalization",
        {
            "candidates": [
                {"compiled": True, "judged": False, "equivalent": True},
                {"compiled": False, "judged": True, "equivalent": None},
            ]
        },
        k=1,
    )
    assert found == {"compile@1": 0.5, "align_judged@1": 0.5, "align_lean@1": 0.5, "align_both@1": 0.0}


def test_judgments_and_localizations_are_accuracies():
    assert values(
        "correctness-judgment", {"gold": True, "predicted": True}, {"gold": False, "predicted": True},
        {"gold": False, "predicted": None}, {"gold": False, "predicted": False},
    ) == {"accuracy": 0.5}  # fmt: skip
    row = {"gold_step": 2, "gold_type": "Calculation"}
    found = values(
        "error-localization", {**row, "step": 2, "type": "logic"}, {**row, "step": 2, "type": "calculation"},
        {**row, "step": 1, "type": None}, {**row, "step": None, "type": None},
    )  # fmt: skip
    assert found == approx(step=0.5, type=0.25, overall=0.375)


def test_the_weights_of_a_fix_are_those_that_the_tables_imply():
    assert values("fix-suggestion", {"reason": 0.622, "consistency": 0.0})["overall"] == pytest.approx(0.28, abs=5e-4)
    assert values("fix-suggestion", {"reason": 0.6, "consistency": 0.4})["overall"] == pytest.approx(0.49)
    assert values("fix-suggestion", {"reason": 0.6, "consistency": None})["overall"] is None


def test_calculated_results_are_right_only_where_they_are_equal():
    rows = [{"verdict": verdict} for verdict in ("equal", "different", "undecided", None)]
    assert values("calculation", *rows) == {"exact_match": 0.25}
