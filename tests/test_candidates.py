import pytest

from stepforge.candidates import by_reply, outcome_of, sort_replies
from stepforge.formal import fenced_lean
from stepforge.judging import judge
from stepforge.outcome import unaccounted
from stepforge.scoring import score
from stepforge.solvers import SOLVERS, SolveOptions
from stepforge.vocabulary import DefectKind, Disposition, Failure, LeanOutcome, Reason
from tests.scoring_records import LEAN, detection_task, formal_task, lean_verdict, prediction, task

FORMAL, OTHER = formal_task(), formal_task("f2")
TASKS = (FORMAL, OTHER, task("t"), detection_task(DefectKind.WRONG, (0,)))


def whole(replies, verdicts):
    outcome = outcome_of(replies, verdicts)
    rejected = [r.record_id for r in outcome.rejections]
    assert not unaccounted(outcome.input_ids, [v.item_id for v in outcome.kept], rejected)
    return outcome


def test_every_reply_is_a_candidate_a_verdict_or_a_rejection():
    predictions = [
        prediction(FORMAL, fenced_lean(LEAN)),
        prediction(FORMAL, "I cannot.", sample=1),
        prediction(FORMAL, None, sample=2, failure=Failure.NOT_ATTEMPTED),
        prediction(FORMAL, fenced_lean("theorem x : True := sorry"), sample=2),  # a second reply of this number
        prediction(TASKS[2], "17"),
        prediction(task("unknown"), fenced_lean(LEAN)),
    ]
    replies = sort_replies(TASKS, predictions)
    (candidate,) = replies.candidates
    assert (candidate.item_id, candidate.reference, candidate.code.strip()) == ("f1|0", LEAN, LEAN)
    outcome = whole(replies, [lean_verdict(FORMAL)])
    assert [(v.item_id, v.outcome, v.reasons) for v in outcome.kept] == [
        ("f1|0", LeanOutcome.ACCEPTED, ()),
        ("f1|1", LeanOutcome.REJECTED, ("no_lean_code",)),
    ]
    assert {r.record_id: r.reason for r in outcome.rejections} == {
        "f1|2": Reason.SYSTEM_FAILED,
        "t|0": Reason.NO_FORMALIZATION,
        "unknown|0": Reason.NO_FORMALIZATION,
    }
    assert {r.disposition for r in outcome.rejections} == {Disposition.NOT_APPLICABLE}


def test_what_no_lean_judged_is_quarantined_and_has_no_score():
    replies = sort_replies(TASKS, [prediction(FORMAL, fenced_lean(LEAN))])
    outcome = whole(replies, [lean_verdict(FORMAL, "infrastructure", reasons=("no_toolchain",))])
    (rejection,) = outcome.rejections
    assert (rejection.reason, rejection.disposition) == (Reason.LEAN_UNAVAILABLE, Disposition.QUARANTINED)
    assert "no_toolchain" in rejection.detail
    judged = judge(TASKS, [prediction(FORMAL, fenced_lean(LEAN))]).kept
    scored = score(TASKS, judged, by_reply(outcome.kept))
    assert scored.kept == []
    assert [(r.reason, r.disposition) for r in scored.rejections] == [
        (Reason.LEAN_UNAVAILABLE, Disposition.QUARANTINED)
    ]


SAME = {"outcome": "accepted", "equivalent": True}


@pytest.mark.parametrize(
    ("verdict", "compiled", "aligned"),
    [
        ({**SAME, "equivalence": ("definitional",)}, (1, "lean"), (1, "definitional")),
        ({**SAME, "equivalence": ("a", "b")}, (1, "lean"), (1, "bidirectional")),
        ({"outcome": "accepted", "equivalence": ("no tactic shows it",)}, (1, "lean"), (0, "not_shown")),
        ({"outcome": "rejected", "reasons": ("syntax", "universe")}, (0, "syntax"), (0, "syntax")),
    ],
)
def test_a_verdict_is_scored_by_whether_it_compiles_and_says_the_same(verdict, compiled, aligned):
    judged = judge(TASKS, [prediction(FORMAL, fenced_lean("theorem x : True := sorry"))]).kept
    scores = score(TASKS, judged, by_reply([lean_verdict(FORMAL, **verdict)])).kept
    assert {s.metric: (s.value, s.method) for s in scores} == {"lean_compile": compiled, "lean_align": aligned}


@pytest.mark.parametrize(
    ("reply", "failure"),
    [
        ("", Failure.EMPTY),
        ("I cannot do this.", Failure.REFUSED),
        ("theorem", Failure.UNPARSABLE),
        (None, Failure.MISSING),
    ],
)
def test_a_reply_without_lean_is_wrong_and_says_why(reply, failure):
    given = [prediction(FORMAL, reply)]
    (judged,) = judge(TASKS, given).kept
    assert judged.failure is failure
    verdicts = by_reply(whole(sort_replies(TASKS, given), []).kept)
    scores = score(TASKS, [judged], verdicts).kept
    assert {(s.metric, s.value, s.method) for s in scores} == {
        ("lean_compile", 0.0, failure.value),
        ("lean_align", 0.0, failure.value),
    }


def test_the_oracle_answers_with_the_reference_and_the_null_system_with_nothing():
    answered = SOLVERS["oracle"].predict([FORMAL], SolveOptions(system="oracle")).kept
    assert [c.code.strip() for c in sort_replies(TASKS, answered).candidates] == [LEAN]
    silent = SOLVERS["null"].predict([FORMAL], SolveOptions(system="null")).kept
    assert sort_replies(TASKS, silent).candidates == []
