"""AMPS: text files of Mathematica problems, and exercises of Khan Academy."""

from stepforge.vocabulary import AnswerKind
from tests.sources.published import accepts, one, refusal
from tests.sources.reading import read

TEXT = "Problem:\nExpand the following:\n$(x-1) (x+2)$.\nAnswer:\n$x^2+x-2$\n"
KHAN = {
    "question": "Simplify $\\dfrac{4}{8}$",
    "hints": ["The greatest common factor is $4$.", "So it is $\\dfrac{1}{2}$."],
}


def text(content, path="amps/mathematica/algebra/expand/17.txt"):
    outcome = read(path, content)
    assert outcome.rejections == []
    return outcome.kept


def test_a_text_file_is_a_problem_with_its_place_for_an_id():
    (problem,) = text(TEXT)
    assert problem.problem_id == "amps/algebra/expand/17"
    assert problem.question == "Expand the following:\n$(x-1) (x+2)$."
    assert accepts(problem, "(x+2)(x-1)")


def test_further_answers_are_alternatives():
    (problem,) = text(TEXT.replace("\n", "\r\n") + "Answer:\r\n$x (x+1)-2$\r\n")
    assert (problem.answer.text, problem.answer.alternatives) == ("$x^2+x-2$", ("$x (x+1)-2$",))


def test_problems_one_after_another_are_read_and_a_broken_one_costs_itself():
    outcome = read("all.txt", TEXT + "Problem:\nWhat is missing?\nProblem:\nWhat is $1+1$?\nAnswer:\n$2$\n")
    assert [(p.provenance.locator, p.answer.text) for p in outcome.kept] == [("row:1", "$x^2+x-2$"), ("row:3", "$2$")]
    (rejection,) = outcome.rejections
    assert "row:2: Answer: the problem has none" in rejection.detail


def test_an_answer_of_a_set_with_steps_is_the_solution():
    (problem,) = text(TEXT, "amps/mathematica/algebra/expand_w_steps/17.txt")
    assert (problem.answer, problem.solution) == (None, "$x^2+x-2$")


def test_an_exercise_of_khan_academy_has_its_hints_for_a_solution():
    problem = one(KHAN, "amps/khan/504/1607900679.json")
    assert (problem.source_id, problem.answer) == ("khan/504/1607900679", None)
    assert problem.solution.splitlines() == KHAN["hints"]


def test_what_is_not_as_the_format_says_is_named():
    assert "Problem: it is empty" in refusal({**KHAN, "question": ""}, "amps")
    assert "hints: expected a text or a number" in refusal({**KHAN, "hints": [None, {}]}, "amps")
    (rejection,) = read("1.txt", "Problem:\nIt is \udcff\nAnswer:\n3\n".encode("utf-8", "surrogateescape")).rejections
    assert "0xff" in rejection.detail


def test_a_number_for_an_answer_is_a_number():
    (problem,) = text("Problem:\nWhat is $2-5$?\nAnswer:\n$-3$\n")
    assert problem.answer.kind is AnswerKind.NUMBER
