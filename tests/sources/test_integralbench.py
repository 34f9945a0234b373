"""INTEGRALBENCH: rows in its form."""

import pytest

from stepforge.vocabulary import AnswerKind, Difficulty
from tests.sources.published import accepts, one, refusal

INTEGRALBENCH = {
    "problem": "\\int\\limits_{0}^{1}\\frac{x}{\\sqrt{1+x}}\\:\\mathbf{K}\\left(\\sqrt{1-x}\\right)dx",
    "symbolic_answer": "\\frac{\\pi^2}8.",
    "numerical_answer": 1.23370055,
    "source": "Handbook_of_Special_Functions_in_page_279",
    "problem_number": "119",
    "difficulty": 4.0,
}


def test_a_row_asks_for_the_integral_and_both_its_answers_are_right():
    problem = one(INTEGRALBENCH)
    assert (problem.problem_id, problem.licence) == ("integralbench/119", "unknown")
    assert problem.question.startswith("Evaluate $\\int")
    assert problem.question.endswith("dx$.")
    assert (problem.answer.text, problem.answer.alternatives) == ("\\frac{\\pi^2}8", ("1.23370055",))
    assert accepts(problem, "\\pi^2/8")
    assert accepts(problem, "1.23370055")
    assert not accepts(problem, "1.234")
    assert (problem.grade, problem.difficulty) == ("difficulty 4", Difficulty.HARD)


def test_a_row_with_special_functions_is_right_in_numbers():
    problem = one({**INTEGRALBENCH, "symbolic_answer": "\\mathbf{K}(0.5)-\\mathbf{D}(0.5)", "difficulty": None})
    assert problem.difficulty is None
    assert accepts(problem, "1.23370055")


@pytest.mark.parametrize(
    ("symbolic", "numerical", "right"),
    [
        ("\\text{626}", 626.0, "626"),
        ("\\boldsymbol{3}", 3.0, "3"),
        ("\\pi^{\\large2}", 9.869604401, "\\pi^2"),
        ("\\frac{\\pi^4}{120}=\\frac34\\zeta(4)", 0.8117424253, "\\pi^4/120"),
        ("1-\\gamma ", 0.4227843351, "1-\\gamma"),
        ("\\frac{1}{2}\\text{ shi }(2)", 1.250783717, "1.250783717"),
    ],
)
def test_an_answer_in_the_sets_own_hand_is_compared(symbolic, numerical, right):
    problem = one({**INTEGRALBENCH, "symbolic_answer": symbolic, "numerical_answer": numerical})
    assert accepts(problem, right)
    assert not accepts(problem, "5")


def test_a_row_with_only_one_answer_is_read():
    number = one({**INTEGRALBENCH, "symbolic_answer": ""})
    assert (number.answer.kind, number.answer.alternatives) == (AnswerKind.NUMBER, ())
    symbol = one({**INTEGRALBENCH, "numerical_answer": None})
    assert (symbol.answer.text, symbol.answer.alternatives) == ("\\frac{\\pi^2}8", ())


def test_what_is_not_as_the_format_says_is_named():
    assert "numerical_answer: expected a number" in refusal({**INTEGRALBENCH, "numerical_answer": "x"}, "integralbench")
    assert "problem: it is empty" in refusal({**INTEGRALBENCH, "problem": " "}, "integralbench")
