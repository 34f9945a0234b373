import pytest

from stepforge.outcome import unaccounted
from stepforge.solvers import SOLVERS, SolveOptions
from stepforge.solvers.replay import match_replies
from stepforge.vocabulary import DefectKind, Failure, Modality
from tests.scoring_records import detection_task, multi_part_task, prediction, task
from tests.solvers.test_single import replied

TASKS = (task("t1"), task("t2", modality="image_text"), detection_task(DefectKind.SWAPPED, (1, 0)), multi_part_task())


def echo(requests, _reply_type):
    return {request.request_id: replied(request) for request in requests}


@pytest.mark.parametrize("solver", list(SOLVERS), ids=lambda s: s.name)
def test_every_task_leaves_with_a_prediction_and_twice_the_same(solver):
    options = SolveOptions(system="s", replies={"t1": "A: 17"}, ask=echo)
    outcome = solver.predict(TASKS, options)
    assert not unaccounted(outcome.input_ids, [p.task_id for p in outcome.kept], [])
    assert outcome.kept == solver.predict(TASKS[::-1], options).kept
    assert [p.task_id for p in outcome.kept] == sorted(t.task_id for t in TASKS)


@pytest.mark.parametrize("solver", list(SOLVERS), ids=lambda s: s.name)
def test_a_modality_that_the_system_does_not_read_is_not_accessible(solver):
    outcome = solver.predict(TASKS, SolveOptions(system="s", modalities=frozenset({Modality.TEXT}), ask=echo))
    assert [p.task_id for p in outcome.kept if p.failure is Failure.NOT_ACCESSIBLE] == ["t2"]


def test_the_oracle_writes_what_a_system_is_asked_to_write():
    replies = {p.task_id: p.reply for p in SOLVERS["oracle"].predict(TASKS, SolveOptions(system="oracle")).kept}
    assert replies["t1"].splitlines()[0].startswith("Step 1: There are 3 bags")
    assert replies["t1"].splitlines()[-1] == "\\boxed{17}"
    assert replies["m1"] == "\\boxed{(1) 3; (2) $x=\\frac{1}{2}$}"
    assert replies["d-swapped"] == '{"steps": [2, 1]}'


def test_a_task_without_a_reply_is_missing_or_in_a_partial_file_not_attempted():
    options = SolveOptions(system="s", replies={"t1": " "})
    failures = {p.task_id: p.failure for p in SOLVERS["replay"].predict(TASKS[:2], options).kept}
    assert failures == {"t1": Failure.EMPTY, "t2": Failure.MISSING}
    partial = SolveOptions(system="s", partial=True)
    assert {p.failure for p in SOLVERS["replay"].predict(TASKS, partial).kept} == {Failure.NOT_ATTEMPTED}


def test_replies_are_matched_by_task_problem_or_question_and_the_rest_is_reported():
    rows = [
        {"task_id": "d-swapped", "reply": "a"},
        {"problem_id": "own/t1", "reply": "b"},
        {"question": " How many  marbles are there in T2? ", "reply": "c"},
        {"problem_id": "own/t1", "reply": "again"},
        {"problem_id": "own/unknown", "reply": "d"},
        {"task_id": "m1"},
        {"reply": "e"},
    ]
    found = match_replies(TASKS, rows)
    assert found.replies == {"d-swapped": "a", "t1": "b", "t2": "c"}
    assert [line.partition(" (")[0] for line in found.unmatched] == ["row 4", "row 5", "row 6", "row 7"]


def test_a_question_of_two_tasks_is_answered_for_both():
    same = [task(name, question="1 + 1 = ?") for name in ("a", "b")]
    assert match_replies(same, [{"question": "1+1=?", "reply": "2"}]).replies == {"a": "2", "b": "2"}
    assert prediction(same[0], "2").task_id == "a"
