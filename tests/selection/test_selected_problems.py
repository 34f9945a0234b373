import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepforge.outcome import unaccounted
from stepforge.records import Choice
from stepforge.selection import selected_problems
from stepforge.vocabulary import AnswerKind, ProblemType, Reason
from tests import make

CHOICES = (Choice(label="A", text="1"), Choice(label="B", text="4"))


def reason_of(problem):
    outcome = selected_problems([problem])
    assert len(outcome.kept) + len(outcome.rejections) == 1
    return outcome.rejections[0].reason if outcome.rejections else None


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({}, None),
        ({"answer": None}, Reason.MISSING_ANSWER),
        ({"answer": None, "problem_type": ProblemType.PROOF}, None),
        ({"answer": make.answer("C", AnswerKind.CHOICE), "choices": CHOICES}, Reason.ANSWER_NOT_AMONG_CHOICES),
        ({"answer": make.answer("B", AnswerKind.CHOICE), "choices": CHOICES}, None),
        (
            {"answer": make.answer("C", AnswerKind.EXPRESSION), "choices": CHOICES, "problem_type": ProblemType.CHOICE},
            Reason.ANSWER_NOT_AMONG_CHOICES,
        ),
        ({"answer": make.answer("4"), "choices": CHOICES, "problem_type": ProblemType.CHOICE}, None),
        ({"answer": make.answer("7"), "choices": CHOICES}, None),
        ({"question": "See <image_1>."}, Reason.IMAGE_COUNT_MISMATCH),
        ({"question": "See.", "images": (make.image(),)}, Reason.IMAGE_COUNT_MISMATCH),
        ({"question": "See <image_2>.", "images": (make.image(),)}, Reason.IMAGE_COUNT_MISMATCH),
        ({"question": "See <image_1>.", "images": (make.image(),)}, None),
        ({"question": "See <image_1>.", "images": (make.image(sha256=None),)}, Reason.MISSING_IMAGE),
        ({"question": "See <image_1>.", "images": (make.image(sha256=None),), "figures_missing": True}, None),
        ({"question": "See <image_1>.", "images": (make.image(error="truncated"),)}, Reason.CORRUPT_IMAGE),
        ({"question": "See <image_1>.", "images": (make.image(height_px=8),)}, Reason.TINY_IMAGE),
        ({"question": "See <image_1>.", "images": (make.image(ink_share=0.0),)}, Reason.BLANK_IMAGE),
        ({"question": "See <image_1>.", "images": (make.image(sharpness=3.0),)}, Reason.BLURRED_IMAGE),
    ],
)
def test_a_problem_is_selected_or_rejected_for_its_fault(given, reason):
    assert reason_of(make.problem(**given)) == reason


def test_of_duplicates_the_first_by_id_stays():
    same = [make.problem(f"s/{i}", question=q) for i, q in ((2, "What is  2 + 2?"), (1, "what is 2 + 2?"))]
    outcome = selected_problems(same)
    assert [p.problem_id for p in outcome.kept] == ["s/1"]
    assert "s/1" in outcome.rejections[0].detail


@pytest.mark.parametrize(
    "other",
    [
        {"question": "What is 2 + 3?"},
        {"question": "See <image_1>. What is 2 + 2?", "images": (make.image(),)},
        {"choices": CHOICES},
        {"group_id": "g"},
    ],
)
def test_other_numbers_figures_options_or_groups_are_no_duplicates(other):
    assert len(selected_problems([make.problem("s/1"), make.problem("s/2", **other)]).kept) == 2


def test_other_lean_for_the_same_words_is_another_thing_to_judge_and_no_other_reference():
    def pair(**given):
        leans = ("theorem a : 1 = 1 := sorry", "theorem b : 1 = 1 := sorry")
        return [make.problem(f"native/{n}", lean_statement=lean, **given) for n, lean in enumerate(leans)]

    assert len(selected_problems(pair(formal_label="right")).kept) == 2
    assert len(selected_problems(pair()).kept) == 1
    same = [p.model_copy(update={"lean_statement": "theorem a : 1 = 1 := sorry"}) for p in pair(formal_label="right")]
    assert [r.reason for r in selected_problems(same).rejections] == [Reason.DUPLICATE_PROBLEM]


def test_the_same_words_under_another_figure_are_another_problem():
    first = make.problem("s/1", question="See <image_1>.", images=(make.image(),))
    second = first.model_copy(update={"problem_id": "s/2", "images": (make.image(sha256="b" * 64),)})
    assert len(selected_problems([first, second]).kept) == 2


@given(
    st.lists(st.tuples(st.integers(0, 30), st.sampled_from(["p", "q", "see <image_1>"]), st.booleans()), max_size=12)
)
def test_every_problem_is_kept_or_rejected_once_in_any_order(rows):
    problems = {i: make.problem(f"s/{i}", question=q, answer=make.answer() if a else None) for i, q, a in rows}
    outcome = selected_problems(list(problems.values()))
    kept, refused = [p.problem_id for p in outcome.kept], [r.record_id for r in outcome.rejections]
    assert unaccounted(outcome.input_ids, kept, refused) == {}
    backwards = selected_problems(list(problems.values())[::-1])
    assert backwards.kept == outcome.kept
