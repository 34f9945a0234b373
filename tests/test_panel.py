"""Who is asked what about which reply, and what becomes of what they say."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepforge.judges import RUBRICS
from stepforge.outcome import unaccounted
from stepforge.panel import Panel, judge_replies, verdict_id
from stepforge.vocabulary import (
    PASSING_FAILURES,
    Disposition,
    Failure,
    ModelFailureKind,
    PartKind,
    Reason,
)
from tests.judges.cases import (
    ALIGNMENT,
    JUDGE,
    LEAN,
    SECOND,
    Asked,
    formalized,
    inputs,
    panel,
    proof,
    solved,
    unclear,
)
from tests.judges.scripted import marks
from tests.make import image
from tests.scoring_records import detection_task, judgement, task

KINDS = (solved, unclear, formalized, proof)


def good(_request, record):
    return {
        "StepsReply": marks([1, 1]),
        "AnswerReply": json.dumps({"reason": "r", "verdict": "different"}),
        "AlignmentReply": json.dumps({"reason": "r", "aligned": True}),
    }[record.__name__]


def judged(cases, seats=(JUDGE,), answer=good):
    asked = Asked(answer)
    outcome = judge_replies(*inputs(*cases), panel(*seats), asked if seats else None)
    assert not unaccounted(outcome.input_ids, map(verdict_id, outcome.kept), [r.record_id for r in outcome.rejections])
    assert len(set(outcome.input_ids)) == len(outcome.input_ids)
    return outcome, asked.requests


def by_id(outcome):
    return {verdict_id(v): v for v in outcome.kept if v.judge != "rules"}


def test_each_reply_is_put_to_the_judge_by_every_rubric_that_is_for_it():
    outcome, requests = judged([solved("a"), unclear("b"), formalized("c"), proof("d")])
    found = by_id(outcome)
    assert sorted(found) == [
        "a|0|steps|judge", "b|0|answer|judge", "b|0|steps|judge", "c|0|alignment|judge", "d|0|steps|judge",
    ]  # fmt: skip
    assert sorted(r.request_id for r in requests) == sorted(found)
    assert {v.model for v in found.values()} == {"model-j"}
    assert found["b|0|answer|judge"].right is False
    assert found["c|0|alignment|judge"].right is True
    assert found["a|0|steps|judge"].step_scores == (1, 1)
    assert found["a|0|steps|judge"].reply_key == "key of a|0|steps|judge"
    assert {v.prompt_id for v in found.values()} == {r.prompt_id for r in requests}


def test_without_a_judge_nothing_is_asked_and_each_rubric_says_whom_to_name():
    outcome, _ = judged([solved("a"), formalized("b")], seats=())
    assert [v.judge for v in outcome.kept] == ["rules"]
    found = {r.record_id: r for r in outcome.rejections}
    assert set(found) == {"a|0|steps|judge", "b|0|alignment|judge"}
    assert {(r.reason, r.disposition) for r in found.values()} == {(Reason.NO_JUDGE, Disposition.NOT_APPLICABLE)}
    assert "[roles.judge]" in found["a|0|steps|judge"].detail
    assert "[roles.alignment_judge]" in found["b|0|alignment|judge"].detail


def test_a_panel_with_a_judge_and_nobody_to_ask_is_a_mistake_of_the_code():
    with pytest.raises(ValueError, match="needs `ask`"):
        judge_replies(*inputs(solved()), panel(JUDGE))


def test_a_rubrics_own_judge_goes_before_the_judge():
    _, requests = judged([formalized(), solved()], (JUDGE, ALIGNMENT))
    assert {(r.role, r.request_id.split("|")[2]) for r in requests} == {
        ("alignment_judge", "alignment"),
        ("judge", "steps"),
    }
    outcome, requests = judged([formalized("f"), solved("s")], (ALIGNMENT,))
    assert [r.role for r in requests] == ["alignment_judge"]
    assert [r.record_id for r in outcome.rejections] == ["s|0|steps|judge"]


def test_a_second_judge_is_asked_about_its_share_of_the_same_items():
    cases = [solved(f"t{i}") for i in range(300)]
    _, every = judged(cases, (JUDGE, SECOND))
    assert sum(r.role == "second_judge" for r in every) == 300

    def drawn(share):
        _, requests = judged(cases, (JUDGE, SECOND._replace(share=share)))
        return {r.request_id for r in requests if r.role == "second_judge"}

    assert 15 < len(drawn(0.1)) < 50
    assert drawn(0.1) < drawn(0.4)
    assert drawn(0.1) == drawn(0.1)


def test_both_judges_are_sent_the_same_and_answer_for_themselves():
    def answer(request, _record):
        return marks([1, 1]) if request.role == "judge" else marks([1, 0], "knowledge")

    outcome, requests = judged([solved("a")], (JUDGE, SECOND), answer)
    assert requests[0].messages == requests[1].messages
    found = by_id(outcome)
    assert (found["a|0|steps|judge"].right, found["a|0|steps|second_judge"].right) == (True, False)
    assert found["a|0|steps|judge"].item == found["a|0|steps|second_judge"].item


@pytest.mark.parametrize("kind", list(ModelFailureKind))
def test_a_judge_that_fails_is_undecided_or_asked_again_and_never_a_zero(kind):
    outcome, _ = judged([solved("a"), unclear("b"), formalized("c")], answer=lambda *_: kind)
    found = by_id(outcome)
    own = kind in {"refused", "content_filtered", "truncated", "schema_violated"}
    if own:
        assert len(found) == 4
        assert all(v.right is None and v.undecided and v.step_scores == () for v in found.values())
        assert all(v.reply_key for v in found.values())
    else:
        assert found == {}
        assert {(r.reason, r.disposition) for r in outcome.rejections} == {
            (Reason(f"model_{kind}"), Disposition.QUARANTINED)
        }
    assert own or kind in PASSING_FAILURES or kind is ModelFailureKind.BAD_REQUEST


def test_one_judge_that_is_held_up_takes_nothing_from_the_other():
    def answer(request, record):
        return ModelFailureKind.OVER_BUDGET if request.role == "second_judge" else good(request, record)

    outcome, _ = judged([solved("a")], (JUDGE, SECOND), answer)
    assert by_id(outcome)["a|0|steps|judge"].right is True
    assert [r.record_id for r in outcome.rejections] == ["a|0|steps|second_judge"]


def test_nothing_in_a_request_tells_the_system_or_its_model():
    cases = [make(f"t{k}") for k, make in enumerate(KINDS)]
    cases = [c._replace(judgement=c.judgement.model_copy(update={"system": "secret-system"})) for c in cases]
    _, requests = judged(cases, (JUDGE, SECOND, ALIGNMENT))
    assert len(requests) > 8
    for request in requests:
        written = request.model_dump_json()
        assert "secret-system" not in written
        assert "model-j" not in written


def test_the_same_reply_of_two_systems_is_one_question():
    first, other = solved(), solved()
    other = other._replace(judgement=other.judgement.model_copy(update={"system": "another"}))
    (_, one), (_, two) = judged([first]), judged([other])
    assert one[0].messages == two[0].messages


def test_figures_go_to_a_judge_that_reads_them():
    case = solved(of=task(images=(image(), image(sha256=None))))
    _, (blind,) = judged([case])
    _, (seeing,) = judged([case], (JUDGE._replace(figures=True),))
    assert [p.kind for p in blind.messages[0].parts] == [PartKind.TEXT]
    assert [(p.kind, p.sha256) for p in seeing.messages[0].parts[1:]] == [(PartKind.IMAGE, "a" * 64)]


def test_what_nobody_judges_says_why():
    detect = detection_task("wrong", (1,))
    unread = solved("u", failure=Failure.NOT_ACCESSIBLE, units=(), verdict=None, answer=None)
    cases = [solved()._replace(task=detect, judgement=judgement(detect)), unread]
    outcome, requests = judged(cases)
    assert requests == []
    assert {r.record_id: r.reason for r in outcome.rejections} == {
        "d-wrong|0": Reason.NOTHING_TO_JUDGE,
        "u|0": Reason.SYSTEM_FAILED,
    }


def test_a_judgement_of_a_task_that_is_gone_is_accounted_for():
    _, judgements, predictions = inputs(solved("gone"))
    outcome = judge_replies([], judgements, predictions, Panel())
    assert [(r.record_id, r.reason) for r in outcome.rejections] == [("gone|0", Reason.NOTHING_TO_JUDGE)]


def test_an_empty_reply_is_judged_without_being_asked_about():
    outcome, requests = judged([solved("e", units=(), reply="", failure=Failure.EMPTY, verdict=None, answer=None)])
    (verdict,) = outcome.kept
    assert (verdict.right, verdict.step_scores, verdict.model, verdict.undecided) == (False, (), None, None)
    assert requests == []


REPLIES = st.lists(
    st.tuples(st.sampled_from(KINDS), st.integers(0, 2), st.sampled_from([None, *Failure])), min_size=1, max_size=12
)


@given(REPLIES, st.sets(st.sampled_from([JUDGE, SECOND, ALIGNMENT])), st.randoms(use_true_random=False))
def test_every_question_ends_as_a_verdict_or_a_rejection(replies, seats, rng):
    def answer(request, record):
        return rng.choice([good(request, record), *ModelFailureKind, marks([0]) if "Steps" in str(record) else None])

    def whole(request, record):
        return answer(request, record) or good(request, record)

    made = {}
    for kind, sample, failure in replies:
        case = kind(f"{kind.__name__}-{sample}", sample=sample, failure=failure)
        made[case.task.task_id, sample] = case
    outcome, _ = judged(list(made.values()), tuple(sorted(seats)), whole)
    assert {f"{t}|{s}" for t, s in made} == {"|".join(i.split("|")[:2]) for i in outcome.input_ids}
    assert all((v.right is None) is (v.undecided is not None) for v in outcome.kept)
    assert all(len(v.step_scores) == len(v.error_types) for v in outcome.kept)
    assert outcome.kept == sorted(outcome.kept, key=verdict_id)


def test_there_are_rubrics_and_their_lean_block_is_what_the_reply_holds():
    assert [r.name for r in RUBRICS] == ["alignment", "answer", "steps"]
    _, (request,) = judged([formalized()])
    assert LEAN.splitlines()[1] in request.messages[0].parts[0].text
