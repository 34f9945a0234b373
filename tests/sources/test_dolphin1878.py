"""Dolphin1878: rows in its form, with the signs of its answers."""

import pytest

from stepforge.vocabulary import AnswerKind
from tests.sources.published import accepts, one, refusal

DOLPHIN = {
    "id": "algebra.com.216868",
    "index": 1337,
    "text": "i have two numbers. the sum is 36 and the difference is 9. what are the two numbers?",
    "sources": ["algebra.com.216868", "algebra.com.1"],
    "equations": ["unkn: x,y", "equ: x+y=36", "equ: x-y=9"],
    "ans": "{45/2; 27/2} | {22.5; 13.5}",
    "ans_simple": [22.5, 13.5],
}


def test_other_forms_of_an_answer_are_alternatives():
    problem = one(DOLPHIN)
    assert (problem.problem_id, problem.solution) == ("dolphin1878/algebra.com.216868", "x+y=36\nx-y=9")
    assert (problem.answer.kind, problem.answer.parts) == (AnswerKind.SET, ("45/2", "27/2"))
    assert problem.answer.alternatives == ("22.5, 13.5",)
    assert accepts(problem, "13.5 and 22.5")


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        ("226", "226", "227"),
        ("6; 9", "9, 6", "6"),
        ("{20; -2}", "-2, 20", "2, 20"),
        ("11; 12 or -12; -11", "(-12, -11), (11, 12)", "(11, 12)"),
        ("3 or -4", "-4, 3", "3"),
        ("1/3 | 0.333", "1/3", "1/2"),
        ("-13 | -26/5 | -5.2", "-5.2", "5.2"),
        ("47; 48 | -48; -47 | 47; 48 or -48; -47", "-47, -48", "47"),
        ("47; 48 | -48; -47 | 47; 48 or -48; -47", "(-48, -47), (47, 48)", "48"),
    ],
)
def test_each_sign_of_an_answer_has_its_meaning(text, right, wrong):
    problem = one({**DOLPHIN, "ans": text})
    assert accepts(problem, right)
    assert not accepts(problem, wrong)


@pytest.mark.parametrize("text", ["ans_no_result", "", " | ", "{}"])
def test_no_result_is_no_answer(text):
    assert one({**DOLPHIN, "ans": text}).answer is None


def test_what_is_not_as_the_format_says_is_named():
    assert "text: expected a text, got a list" in refusal({**DOLPHIN, "text": []}, "dolphin1878")
    assert "equations: expected a text or a number" in refusal({**DOLPHIN, "equations": [{}]}, "dolphin1878")
