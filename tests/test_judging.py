import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepforge import judging
from stepforge.judging import judge
from stepforge.outcome import unaccounted
from stepforge.records import Answer, Target
from stepforge.solvers import SOLVERS, SolveOptions
from stepforge.vocabulary import AnswerKind, DefectKind, EquivalenceVerdict, Failure, MatchedBy
from tests.scoring_records import STEPS, detection_task, multi_part_task, prediction, task

MISSING = detection_task(DefectKind.MISSING, (1,), "With 5 blue ones that is 12+5=17 marbles.")
TASKS = (task(), multi_part_task(), MISSING, detection_task(DefectKind.REDUNDANT, (2, 0)))


def one(of, reply, **given):
    (found,) = judge(TASKS, [prediction(of, reply, **given)]).kept
    return found


def test_a_right_reply_is_judged_right_with_all_milestones():
    found = one(TASKS[0], "Step 1: 3*4=12 red marbles.\nStep 2: 12+5=17 marbles with the blue ones.\n\\boxed{17}")
    assert (found.answer, found.verdict, found.failure) == ("17", EquivalenceVerdict.EQUAL, None)
    assert (found.milestones_total, found.milestones_matched, found.units_matched) == (2, 2, 2)


@pytest.mark.parametrize(
    ("reply", "failure", "given_failure"),
    [
        (None, Failure.MISSING, None),
        ("  \n", Failure.EMPTY, None),
        ("I'm sorry, but I can't help with this one at all, since it is long.\nReally.", Failure.REFUSED, None),
        ("12 of these here and then\n5 of those", Failure.UNPARSABLE, None),
        (None, Failure.NOT_ACCESSIBLE, Failure.NOT_ACCESSIBLE),
        ("\\boxed{17}", Failure.NOT_ATTEMPTED, Failure.NOT_ATTEMPTED),
    ],
)
def test_a_failed_reply_keeps_its_cause_and_has_no_verdict(reply, failure, given_failure):
    found = one(TASKS[0], reply, failure=given_failure)
    assert (found.failure, found.verdict) == (failure, None)
    counted = failure not in {Failure.NOT_ACCESSIBLE, Failure.NOT_ATTEMPTED}
    assert found.milestones_total == (2 if counted else None)


def test_an_unparsable_answer_still_has_its_steps_judged():
    found = one(TASKS[0], "3*4=12 red marbles are in the bags.\nThe blue ones come on top.")
    assert (found.failure, found.milestones_matched) == (Failure.UNPARSABLE, 1)


def test_a_verdict_on_milestones_explains_itself():
    found = one(TASKS[0], "Step 1: It is dull outside.\nStep 2: 3*4=12 red marbles.\n\\boxed{17}")
    first, second = found.milestone_matches
    assert (first.unit, first.matched, first.equation) == (1, True, 1.0)
    assert first.by in {MatchedBy.THRESHOLD, MatchedBy.EQUATION}
    assert (second.matched, second.by) == (False, MatchedBy.NONE)
    for match in found.milestone_matches:
        s = 0.55 * match.semantic + 0.25 * match.equation + 0.10 * match.numeric + 0.10 * match.keyword
        assert match.similarity == pytest.approx(s, abs=2e-6)
        assert all(value == round(value, 6) for value in match.model_dump(exclude={"unit", "by"}).values())
    assert found.milestones_matched == sum(match.matched for match in found.milestone_matches)
    assert found.units_matched == len({match.unit for match in found.milestone_matches if match.matched})


def test_the_matches_are_those_of_the_path_that_counts_and_a_reply_without_units_has_them_too():
    found = one(TASKS[0], None)
    assert [(m.unit, m.matched, m.similarity) for m in found.milestone_matches] == [(None, False, 0.0)] * 2
    assert one(TASKS[0], "x", failure=Failure.NOT_ATTEMPTED).milestone_matches == ()
    assert one(MISSING, '{"position": 2}').milestone_matches == ()


def test_judging_in_chunks_is_judging_one_by_one(monkeypatch):
    replies = ["3*4=12", '{"position": 2, "missing_step": "12+5=17"}', "", "\\boxed{17}", "I cannot help."]
    predictions = [prediction(t, reply, sample=k) for t in TASKS for k, reply in enumerate(replies)]
    together = judge(TASKS, predictions).kept
    monkeypatch.setattr(judging, "CHUNK", 1)
    assert judge(TASKS, predictions).kept == together


def test_the_verdict_on_an_answer_says_which_test_decided_and_why():
    found = one(TASKS[0], "A: 18")
    assert found.verdict is EquivalenceVerdict.DIFFERENT
    assert found.method
    assert found.reason
    hostile = one(TASKS[0], "A: " + "9^" * 900 + "9")
    assert len(hostile.reason) <= judging.MAX_REASON


def test_sub_answers_are_counted():
    found = one(TASKS[1], "So \\boxed{(1) 3; (2) $x=\\frac{1}{3}$}")
    assert (found.parts_right, found.parts_total, found.verdict) == (1, 2, EquivalenceVerdict.DIFFERENT)


def test_the_reference_path_with_the_highest_accuracy_counts():
    paths = (("It rained all day.", "Nobody came."), STEPS)
    two = task("two", target=Target(answer=Answer(kind=AnswerKind.NUMBER, text="17"), reference_paths=paths))
    (found,) = judge([two], [prediction(two, "\n".join([*STEPS, "A: 17"]))]).kept
    assert (found.reference_path, found.milestones_matched) == (1, 2)


@pytest.mark.parametrize(
    ("reply", "right", "failure"),
    [
        ('{"position": 2, "missing_step": "12 + 5 = 17 marbles with the blue ones"}', True, None),
        ('{"position": 2, "missing_step": "It rained all day"}', False, None),
        ('{"position": 2}', False, None),
        ('{"position": 1, "missing_step": "12 + 5 = 17 marbles"}', False, None),
        ("somewhere in the middle", False, Failure.UNPARSABLE),
        (None, False, Failure.MISSING),
    ],
)
def test_a_missing_step_is_detected_by_its_position_and_its_content(reply, right, failure):
    found = one(MISSING, reply)
    assert (found.detection_right, found.failure) == (right, failure)


def test_redundant_steps_are_detected_as_a_set():
    assert one(TASKS[3], '{"steps": [1, 3]}').detection_right
    assert not one(TASKS[3], '{"steps": [1]}').detection_right


def test_unknown_tasks_and_second_replies_are_rejected_and_nothing_is_lost():
    predictions = [prediction(t, "\\boxed{17}") for t in (TASKS[0], TASKS[0], task("unknown"))]
    ticks = []
    outcome = judge(TASKS, predictions, tick=ticks.append)
    kept = [f"{j.task_id}|{j.sample}" for j in outcome.kept]
    assert not unaccounted(outcome.input_ids, kept, [r.record_id for r in outcome.rejections])
    assert (len(kept), len(outcome.rejections), len(outcome.input_ids), sum(ticks)) == (1, 2, 3, 3)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.text(max_size=60), max_size=4))
def test_any_reply_gets_a_judgement(replies):
    predictions = [prediction(t, reply, sample=k) for t in TASKS for k, reply in enumerate(replies)]
    outcome = judge(TASKS, predictions)
    assert len(outcome.kept) == len(predictions)
    for found in outcome.kept:
        assert found.milestones_matched is None or found.units_matched <= found.milestones_matched
        assert found.units_matched is None or found.units_matched <= len(found.units)
        assert len(found.milestone_matches) == (found.milestones_total or 0)


def test_the_controls_are_all_right_and_all_wrong():
    oracle = judge(TASKS, SOLVERS["oracle"].predict(TASKS, SolveOptions(system="oracle")).kept).kept
    assert all(j.failure is None for j in oracle)
    assert all(j.verdict in {None, EquivalenceVerdict.EQUAL} and j.detection_right in {None, True} for j in oracle)
    null = judge(TASKS, SOLVERS["null"].predict(TASKS, SolveOptions(system="null")).kept).kept
    assert all(j.failure is Failure.EMPTY and not j.detection_right and j.verdict is None for j in null)
