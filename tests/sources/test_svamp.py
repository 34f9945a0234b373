"""SVAMP: its published file, and rows in its form."""

import json
from collections import Counter

import pytest

from stepforge.answers.equivalence import equivalent
from stepforge.arithmetic import contradictions, equations
from stepforge.vocabulary import AnswerKind, EquivalenceVerdict
from tests.shared_data import shared
from tests.sources.published import accepts, kept, one, refusal

SVAMP = {
    "ID": "chal-9",
    "Body": "Each pack of dvds costs 76 dollars. If there is a discount of 25 dollars on each pack",
    "Question": "How much do you have to pay to buy each pack?",
    "Equation": "( 76.0 - 25.0 )",
    "Answer": 51.0,
    "Type": "Subtraction",
}


def test_every_published_row_is_a_problem_whose_answer_is_a_whole_number():
    problems = kept("svamp/SVAMP.json")
    assert (len(problems), {p.source for p in problems}, {p.licence for p in problems}) == (1000, {"svamp"}, {"MIT"})
    assert {p.answer.kind for p in problems} == {AnswerKind.NUMBER}
    assert all(p.answer.text.isdigit() for p in problems)
    types = Counter(p.knowledge_concepts for p in problems)
    assert types[("Subtraction",)] == 531
    assert (types[("Common-Division",)], types[("Common-Divison",)]) == (165, 1)


def test_every_story_ends_before_the_question_begins():
    rows = {row["ID"]: row for row in json.loads(shared("svamp/SVAMP.json").read_bytes())}
    closed = 0
    for problem in kept("svamp/SVAMP.json"):
        body, asked = (rows[problem.source_id][name].strip() for name in ("Body", "Question"))
        closed += problem.question == f"{body}. {asked}"
        assert problem.question in (f"{body}. {asked}", f"{body} {asked}")
        assert problem.question.removesuffix(asked).rstrip()[-1:] in {"", *'.?!:;,"'}
    assert closed > 340


def test_the_equation_of_a_single_published_row_contradicts_its_answer():
    problems = {p.source_id: p for p in kept("svamp/SVAMP.json")}
    false = [e for p in problems.values() for e in equations(p.solution) if e.holds is False]
    assert false == []
    assert not any(contradictions(p.solution) for p in problems.values())
    ends = {i: p.solution.rpartition("= ")[2] for i, p in problems.items()}
    wrong = [i for i, p in problems.items() if equivalent(p.answer, ends[i]).verdict is not EquivalenceVerdict.EQUAL]
    assert wrong == ["chal-680"]
    assert problems["chal-680"].answer.text == "1"
    assert problems["chal-680"].solution == "( ( 4.0 - 2.0 ) + 3.0 ) = 5"


def test_a_row_becomes_a_problem_with_its_equation_as_the_solution():
    problem = one(SVAMP)
    assert problem.problem_id == "svamp/chal-9"
    assert "on each pack. How much" in problem.question
    assert (problem.answer.text, problem.solution) == ("51", "( 76.0 - 25.0 ) = 51")
    assert accepts(problem, "51 dollars")
    assert not accepts(problem, "52")


@pytest.mark.parametrize(
    ("equation", "solution"),
    [
        ("( 10.0 / 4.0 )", "( 10.0 / 4.0 ) = 2.5"),
        ("( 10.0 / 3.0 )", "( 10.0 / 3.0 ) = 10/3"),
        ("( 1.0 / 0.0 )", "( 1.0 / 0.0 )"),
        ("X = 3", "X = 3"),
    ],
)
def test_an_equation_without_a_short_value_stays_as_it_is(equation, solution):
    assert one({**SVAMP, "Equation": equation}).solution == solution


def test_a_story_that_ends_in_a_mark_gets_no_full_stop():
    assert one({**SVAMP, "Body": "Has he 3?"}).question == "Has he 3? How much do you have to pay to buy each pack?"


def test_what_is_not_as_the_format_says_is_named():
    assert "Answer: expected a text or a number" in refusal({**SVAMP, "Answer": True}, "svamp")
    assert "Body: the field is missing" in refusal({k: v for k, v in SVAMP.items() if k != "Body"}, "svamp")
