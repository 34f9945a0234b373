"""What outcomes of review do to problems, their milestones and their perturbed chains."""

import pytest

from stepforge import filtering, tasks
from stepforge.outcome import unaccounted
from stepforge.records import Milestone, ReviewAnswer, ReviewOutcome, Trajectory, Variant
from stepforge.review import KINDS, Material, Reviews, item_of
from stepforge.vocabulary import CheckVerdict, DefectKind, Disposition, LabelMethod, Method, Reason, ReviewState
from tests.make import problem

P1, P2 = problem("native/p1"), problem("native/p2", question="What is 3 + 1?")
TIE = {"field": "subject", "value": None, "method": "vote", "votes": ("Algebra", "Logic", "Statistics")}


def milestone(problem_id):
    return Milestone(problem_id=problem_id, path=0, index=0, conditions=(), rule=None, conclusion="4", text="2 + 2 = 4",
                     method=Method.RULES)  # fmt: skip


def trajectory(problem_id, verdict=CheckVerdict.RIGHT, final="4"):
    return Trajectory(trajectory_id=f"{problem_id}:r", problem_id=problem_id, solver="reference", seed=0, plan=(),
                      actions=(), feedback=(), final_answer=final, verdict=verdict, method=Method.RULES)  # fmt: skip


def variant(problem_id, kind=DefectKind.WRONG):
    return Variant(
        variant_id=f"{problem_id}:{kind}:1",
        problem_id=problem_id,
        kind=kind,
        subtype="s",
        seed=1,
        location=(0,),
        steps=("a", "b"),
        before="x",
        after="y",
        verified_by="r",
        method=Method.RULES,
    )


def outcome(kind, of, state, *, refused_by=None, corrections=None, material=None, round_="1"):
    material = material or Material(problems=[of], milestones=[milestone(of.problem_id)])
    (candidate,) = KINDS[kind].candidates(material)
    return ReviewOutcome(
        item=item_of(KINDS[kind], "b", candidate),
        protocol="two-round",
        state=ReviewState(state),
        round=round_,
        answers=(),
        refused_by=refused_by,
        corrections=tuple(ReviewAnswer(field=f, values=v) for f, v in (corrections or {}).items()),
    )


def filtered(problems, outcomes=(), *, required=False, trajectories=()):
    parts = filtering.Parts(problems, [], [milestone(p.problem_id) for p in problems], [], trajectories, [])
    made = filtering.filtered_items(parts, reviews=Reviews("b", outcomes, required))
    assert unaccounted(made.input_ids, (i.problem_id for i in made.kept), (r.record_id for r in made.rejections)) == {}
    return made


def test_without_reviews_everything_is_as_it_was():
    parts = filtering.Parts([P1, P2], [], [], [], [], [])
    assert filtering.filtered_items(parts) == filtering.filtered_items(parts, reviews=Reviews("b"))


def test_what_reviewers_refused_is_rejected_with_their_reason():
    made = filtered([P1, P2], [outcome("problem", P1, "refused", refused_by="answer:wrong")])
    assert [item.problem_id for item in made.kept] == ["native/p2"]
    (rejection,) = made.rejections
    assert (rejection.reason, rejection.disposition) == (Reason.REFUSED_BY_REVIEW, Disposition.DROPPED)
    assert "answer:wrong" in rejection.detail


@pytest.mark.parametrize("state", ["open", "disputed"])
def test_what_is_undecided_stays_unless_the_batch_demands_review(state):
    found = [outcome("problem", P1, state)]
    assert len(filtered([P1], found).kept) == 1
    made = filtered([P1], found, required=True)
    (rejection,) = made.rejections
    assert (rejection.reason, rejection.disposition) == (Reason.AWAITING_REVIEW, Disposition.QUARANTINED)


def test_a_batch_that_demands_review_passes_only_what_was_accepted():
    made = filtered([P1, P2], [outcome("problem", P1, "accepted")], required=True)
    assert [item.problem_id for item in made.kept] == ["native/p1"]
    assert "nobody was given it" in made.rejections[0].detail


def test_an_accepted_problem_with_a_tied_label_still_waits():
    tied = problem("native/p1", labels=(TIE,))
    sound = outcome("problem", tied, "accepted")
    assert "label-subject" in filtered([tied], [sound], required=True).rejections[0].detail
    label = outcome("label-subject", tied, "corrected", corrections={"label": ("Logic",)})
    (item,) = filtered([tied], [sound, label], required=True).kept
    assert item.problem.subject == "Logic"


def test_a_decision_does_not_outlive_the_text_that_it_was_on():
    changed = P1.model_copy(update={"question": "What is 2 + 2 now?"})
    refused = outcome("problem", P1, "refused", refused_by="answer:wrong")
    assert len(filtered([changed], [refused]).kept) == 1
    assert "it changed since" in filtered([changed], [refused], required=True).rejections[0].detail


def test_a_corrected_answer_is_in_the_item_with_a_trace_and_its_kind():
    found = outcome("problem", P1, "corrected", corrections={"answer": ("1/2",), "question": ("What is 1/4 + 1/4?",)})
    (item,) = filtered([P1], [found]).kept
    assert (item.problem.answer.text, item.problem.answer.kind) == ("1/2", "number")
    assert item.problem.question == "What is 1/4 + 1/4?"
    trace = [(step.field, step.before, step.after) for step in item.problem.provenance.cleaning]
    assert trace == [("answer", "4", "1/2"), ("question", P1.question, "What is 1/4 + 1/4?")]
    assert item.problem.provenance.cleaning[0].rule == f"review:{found.item.item}"


@pytest.mark.parametrize(
    ("verdict", "final", "kept", "check"),
    [
        (CheckVerdict.RIGHT, "4", False, None),  # the solution ends in what people found wrong
        (CheckVerdict.WRONG, "5", True, CheckVerdict.RIGHT),
        (CheckVerdict.WRONG, "six", True, CheckVerdict.UNDECIDED),
    ],
)
def test_a_corrected_answer_is_held_against_the_end_of_the_solution(verdict, final, kept, check):
    found = outcome("problem", P1, "corrected", corrections={"answer": ("5",)})
    made = filtered([P1], [found], trajectories=[trajectory("native/p1", verdict, final)])
    assert bool(made.kept) is kept
    if kept:
        assert made.kept[0].answer_check is check
    else:
        assert made.rejections[0].reason is Reason.ANSWER_CONTRADICTS_SOLUTION


def test_a_decided_label_replaces_the_tie_and_says_who_gave_it():
    tied = problem("native/p1", labels=(TIE, {**TIE, "field": "difficulty"}))
    found = [outcome("label-subject", tied, "corrected", corrections={"label": ("Logic",)})]
    (item,) = filtered([tied], found).kept
    by_field = {vote.field: vote for vote in item.problem.labels}
    assert (by_field["subject"].value, by_field["subject"].method) == ("Logic", LabelMethod.REVIEW)
    assert by_field["subject"].votes == TIE["votes"]
    assert by_field["difficulty"].value is None


@pytest.mark.parametrize(
    ("label", "said", "field", "value"),
    [
        ("difficulty", ("hard",), "difficulty", "hard"),
        ("image_relevance", ("independent",), "image_relevance", "independent"),
        ("problem_type", ("proof",), "problem_type", "proof"),
        ("capability", ("calculation", "modeling"), "capabilities", ("calculation", "modeling")),
        ("knowledge_concept", ("sums\nproducts",), "knowledge_concepts", ("sums", "products")),
    ],
)
def test_every_label_is_put_where_it_belongs(label, said, field, value):
    tied = problem("native/p1", labels=({**TIE, "field": label},))
    (item,) = filtered([tied], [outcome(f"label-{label}", tied, "corrected", corrections={"label": said})]).kept
    assert getattr(item.problem, field) == value


def test_corrected_milestones_are_the_reference_path():
    found = outcome("milestones", P1, "corrected", corrections={"reference_path": ("first", "then")})
    (item,) = filtered([P1], [found]).kept
    assert item.reference_paths == (("first", "then"),)


def test_a_refusal_of_one_kind_is_not_undone_by_another():
    found = [
        outcome("milestones", P1, "refused", refused_by="verdict:unsound"),
        outcome("problem", P1, "accepted"),
    ]
    assert filtered([P1], found).rejections[0].reason is Reason.REFUSED_BY_REVIEW


def test_a_refused_chain_is_no_task_and_is_accounted_for():
    items = filtered([P1]).kept
    variants = [variant("native/p1"), variant("native/p1", DefectKind.REPEATED)]
    material = Material(problems=[P1], variants=variants[:1])
    refused = outcome("variants", P1, "refused", refused_by="defect:none", material=material)
    made = tasks.benchmark_tasks(items, variants, "b", reviews=Reviews("b", [refused]))
    assert [t.kind for t in made.kept] == ["detect_repeated", "solve"]
    (rejection,) = made.rejections
    assert (rejection.record_id, rejection.reason) == ("native/p1:wrong:1", Reason.REFUSED_BY_REVIEW)
    kept = (task.problem_id for task in made.kept)
    assert unaccounted(made.input_ids, kept, (r.record_id for r in made.rejections)) == {}


def test_a_verdict_on_a_chain_stands_when_the_question_is_corrected():
    mended = outcome("problem", P1, "corrected", corrections={"question": ("What is 2 + 2 apples?",)})
    items = filtered([P1], [mended]).kept
    variants = [variant("native/p1")]
    material = Material(problems=[P1], variants=variants)
    refused = outcome("variants", P1, "refused", refused_by="defect:none", material=material)
    made = tasks.benchmark_tasks(items, variants, "b", reviews=Reviews("b", [refused]))
    assert [r.record_id for r in made.rejections] == ["native/p1:wrong:1"]


def test_a_problem_that_is_another_one_again_is_refused_where_people_say_so():
    again = problem("native/p3", question="What is 2 + 2 apples?", variant_of="native/p1")
    material = Material(problems=[P1, again])
    same = outcome("variant_of", again, "refused", refused_by="relation:same_problem", material=material)
    made = filtered([P1, P2, again], [same])
    assert [r.record_id for r in made.rejections] == ["native/p3"]
