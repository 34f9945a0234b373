"""Scores that rest on a judge, and partial credit of detections."""

import pytest

from stepforge.aggregate import aggregate
from stepforge.metrics.geolaux import pqs
from stepforge.records import JudgeVerdict, NamedValue
from stepforge.scoring import score
from stepforge.tasks import CONSTRUCTION_METRICS, JUDGED_METRICS, PROCESS_METRICS
from stepforge.vocabulary import DefectKind, EquivalenceVerdict, Failure, Reason
from tests.judges.cases import formalized, proof, solved, unclear
from tests.scoring_records import detection_task, judgement, lean_verdict, multi_part_task, task

METRICS = ("FAA", *PROCESS_METRICS, *CONSTRUCTION_METRICS)
LEAN = ("lean_compile", "lean_align", "lean_align_judged", "lean_align_both")


def verdict(case, rubric, right=True, scores=(), judge="judge", **given):
    fields = dict.fromkeys(JudgeVerdict.model_fields)
    fields |= {"task_id": case.task.task_id, "system": "s", "sample": 0, "rubric": rubric, "judge": judge, "item": "i"}
    fields |= {"model": "m", "right": right, "step_scores": scores, "error_types": (None,) * len(scores)}
    fields |= {"pairs": (), "values": (), "rationale": "", "undecided": None if right is not None else "why"}
    values = tuple(NamedValue(name=name, value=value) for name, value in given.pop("values", {}).items())
    return JudgeVerdict.model_validate({**fields, "values": values, **given})


def scored(case, *verdicts, metrics=METRICS, lean=None):
    of = case.task.model_copy(update={"metrics": metrics})
    known = {f"{of.task_id}|0": lean} if lean else {}
    outcome = score([of], [case.judgement], known, verdicts)
    return {s.metric: (s.value, s.method) for s in outcome.kept}


def steps(case, *scores, **values):
    return verdict(case, "steps", all(scores), scores, values={"auxiliary": 0.0, "concludes": 1.0, **values})


def test_without_a_judge_the_scores_are_what_they_were():
    assert scored(solved(method="number")) == {"FAA": (1.0, "number")}
    found = scored(solved(method="number"), verdict(solved(), "steps", False, (0, 1), judge="rules", model=None))
    assert found == {"FAA": (1.0, "number")}


def test_a_right_answer_by_right_steps():
    case = solved(method="number")
    found = scored(case, steps(case, 1, 1))
    judge = "judge:m"
    assert found == {
        "FAA": (1.0, "number"),
        "ACS": (1.0, "number"),
        "PCS": (1.0, judge),
        "PQS": (1.0, judge),
        "false_positive": (0.0, judge),
        "construction": (0.0, judge),
    }


def test_a_right_answer_by_a_failed_step_is_a_false_positive():
    case = solved(method="number")
    found = scored(case, steps(case, 1, 0))
    assert (found["ACS"][0], found["PCS"][0], found["false_positive"][0]) == (1.0, 0.0, 1.0)
    assert found["PQS"][0] == pqs((1, 0))
    assert 0 < found["PQS"][0] < 1


def test_right_steps_with_a_wrong_answer_are_no_right_process():
    case = solved(verdict=EquivalenceVerdict.DIFFERENT, method="number")
    found = scored(case, steps(case, 1, 1))
    assert (found["ACS"], found["PCS"][0], found["PQS"][0]) == ((0.0, "number"), 0.0, 1.0)
    assert found["false_positive"][0] == 0.0


def test_construction_is_scored_and_its_pcs_only_where_something_was_built():
    case = solved()
    built = scored(case, steps(case, 1, 0, auxiliary=1.0))
    assert (built["construction"][0], built["construction_PCS"][0]) == (1.0, 0.0)
    assert "construction_PCS" not in scored(case, steps(case, 1, 1))


def test_what_the_judge_left_undecided_has_no_score_and_is_counted():
    case = solved()
    assert set(scored(case, verdict(case, "steps", None))) == {"FAA"}
    tasks = [task(f"t{i}", metrics=METRICS) for i in range(3)]
    cases = [solved(of=of) for of in tasks]
    judgements = [c.judgement for c in cases]
    verdicts = [steps(cases[0], 1, 1), steps(cases[1], 0, 1), verdict(cases[2], "steps", None)]
    rows = aggregate(tasks, judgements, score(tasks, judgements, {}, verdicts).kept, seed=1, resamples=10)
    found = {r.metric: (r.value, r.n, r.undecided) for r in rows if r.breakdown == "all"}
    assert found["PCS"] == (0.5, 2, 1)
    assert found["ACS"] == (1.0, 2, 1)
    assert found["FAA"] == (1.0, 3, 0)


def test_a_report_without_a_judge_has_no_row_for_what_a_judge_would_say():
    of = task(metrics=(*METRICS, *LEAN))
    judgements = [solved(of=of).judgement]
    rows = aggregate([of], judgements, score([of], judgements).kept, seed=1, resamples=10)
    assert {r.metric for r in rows} & {*JUDGED_METRICS, "lean_align_judged@1", "lean_align_both@1"} == set()
    assert {r.metric for r in rows} >= {"FAA"}


def test_an_empty_reply_counts_as_wrong_where_there_is_a_judge():
    case = solved(units=(), failure=Failure.EMPTY, verdict=None, answer=None)
    found = scored(case, verdict(case, "steps", False, model=None, values={}))
    for metric in ("ACS", "PCS", "PQS"):
        assert found[metric] == (0.0, "empty")


def test_a_proof_without_a_reference_answer_is_right_if_it_concludes():
    case = proof()
    assert scored(case, steps(case, 1, 1))["PCS"] == (1.0, "judge:m")
    assert scored(case, steps(case, 1, 1, concludes=0.0))["PCS"] == (0.0, "judge:m")
    assert scored(case, steps(case, 1, 1, concludes=0.0))["ACS"] == (0.0, "judge:m")


@pytest.mark.parametrize(("right", "value"), [(True, 1.0), (False, 0.0)])
def test_a_judge_decides_an_answer_only_where_the_engine_did_not(right, value):
    case = unclear()
    assert scored(case)["FAA"] == (0.0, "undecided")
    assert scored(case, verdict(case, "answer", None))["FAA"] == (0.0, "undecided")
    assert scored(case, verdict(case, "answer", right))["FAA"] == (value, "judge:m")
    assert scored(case, verdict(case, "answer", right), steps(case, 1, 1))["PCS"][0] == value
    decided = solved(verdict=EquivalenceVerdict.DIFFERENT, method="number")
    assert scored(decided, verdict(decided, "answer", True))["FAA"] == (0.0, "number")


def test_the_second_judge_and_the_rules_decide_nothing():
    case = unclear()
    assert scored(case, verdict(case, "answer", True, judge="second_judge"))["FAA"][0] == 0.0
    assert set(scored(case, verdict(case, "steps", True, (1, 1), judge="second_judge"))) == {"FAA"}


def test_the_parts_of_an_answer_that_a_judge_finds_equal_are_all_right():
    case = unclear(of=multi_part_task(), parts_right=1, parts_total=2)
    metrics = ("FAA", "SAR", "QCR")
    assert {k: v[0] for k, v in scored(case, metrics=metrics).items()} == {"FAA": 0, "SAR": 0.5, "QCR": 0}
    found = scored(case, verdict(case, "answer", True), metrics=metrics)
    assert found == {"FAA": (1.0, "judge:m"), "SAR": (1.0, "judge:m"), "QCR": (1.0, "judge:m")}
    found = scored(case, verdict(case, "answer", False), metrics=metrics)
    assert {k: v[0] for k, v in found.items()} == {"FAA": 0, "SAR": 0.5, "QCR": 0}


def aligned(judged, equivalent, outcome="accepted"):
    """The two scores for what a judge says (None: undecided, "none": there is none), and what Lean shows."""
    case = formalized()
    how = ("definitional",) if equivalent else ("no_tactic",)
    lean = lean_verdict(case.task, outcome, equivalent=equivalent, equivalence=how) if outcome else None
    verdicts = [] if judged == "none" else [verdict(case, "alignment", judged, judge="alignment_judge")]
    found = scored(case, *verdicts, metrics=LEAN, lean=lean)
    return tuple(found.get(name, (None,))[0] for name in ("lean_align_judged", "lean_align_both"))


@pytest.mark.parametrize(
    ("judged", "equivalent", "outcome", "expected"),
    [
        (True, True, "accepted", (1.0, 1.0)),
        (True, None, "accepted", (1.0, 0.0)),  # not shown
        (False, True, "accepted", (0.0, 0.0)),
        (None, True, "accepted", (None, None)),  # silence of the judge is no 0
        (None, None, "accepted", (None, 0.0)),
        (True, None, "rejected", (1.0, 0.0)),
        (True, None, None, (1.0, None)),  # no Lean: the judge's word alone, as in the paper
        ("none", True, "accepted", (None, None)),
    ],
)
def test_alignment_by_judge_and_by_both(judged, equivalent, outcome, expected):
    assert aligned(judged, equivalent, outcome) == expected


def test_the_method_of_both_names_lean_and_the_judge():
    case = formalized()
    lean = lean_verdict(case.task, equivalent=True, equivalence=("definitional",))
    found = scored(case, verdict(case, "alignment"), metrics=LEAN, lean=lean)
    assert found["lean_align_both"] == (1.0, "definitional+judge:m")


def test_a_formalization_that_only_a_judge_spoke_of_is_scored_without_lean():
    case = formalized()
    of = case.task.model_copy(update={"metrics": LEAN})
    outcome = score([of], [case.judgement], {}, [verdict(case, "alignment")])
    assert [s.metric for s in outcome.kept] == ["lean_align_judged"]
    assert score([of], [case.judgement]).rejections[0].reason is Reason.LEAN_UNAVAILABLE


def test_pass_at_k_of_the_judged_alignment_needs_a_word_on_every_sample():
    case = formalized()
    of = case.task.model_copy(update={"metrics": LEAN})
    judgements = [case.judgement.model_copy(update={"sample": k}) for k in range(2)]
    verdicts = [verdict(case, "alignment", k == 0).model_copy(update={"sample": k}) for k in range(2)]

    def rates(said):
        rows = aggregate([of], judgements, score([of], judgements, {}, said).kept, seed=1, resamples=10)
        return {r.metric: (r.value, r.n) for r in rows if r.breakdown == "all" and "judged" in r.metric}

    assert rates(verdicts) == {"lean_align_judged@1": (0.5, 1), "lean_align_judged@2": (1.0, 1)}
    assert rates(verdicts[:1]) == {"lean_align_judged@1": (None, 0), "lean_align_judged@2": (None, 0)}


DETECTION = ("detection", "detection_location", "detection_kind")


def detected(kind, truth, location, right, named=None, failure=None):
    of = detection_task(kind, truth).model_copy(update={"metrics": DETECTION})
    said = judgement(of, detected_location=location, detection_right=right, detected_kind=named, failure=failure)
    return {s.metric: s.value for s in score([of], [said]).kept}


def test_partial_credit_of_a_detection_stands_beside_the_exact_one():
    found = detected(DefectKind.REDUNDANT, (1, 3), (1, 2), False)
    assert found == {"detection": 0.0, "detection_location": 0.5}
    assert detected(DefectKind.MISSING, (2,), (2,), False) == {"detection": 0.0, "detection_location": 1.0}
    assert detected(DefectKind.WRONG, (2,), (1,), False) == {"detection": 0.0, "detection_location": 0.0}
    assert detected(DefectKind.WRONG, (2,), None, False, failure=Failure.EMPTY)["detection_location"] == 0.0
    assert detected(DefectKind.SWAPPED, (0, 1), (0, 1), True) == {"detection": 1.0, "detection_location": 1.0}


def test_a_kind_is_scored_only_where_the_reply_names_one():
    assert detected(DefectKind.WRONG, (1,), (1,), True, named=DefectKind.WRONG)["detection_kind"] == 1.0
    found = detected(DefectKind.WRONG, (1,), (1,), True, named=DefectKind.REPEATED)
    assert found == {"detection": 1.0, "detection_location": 1.0, "detection_kind": 0.0}
