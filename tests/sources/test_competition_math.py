r"""MATH: its published rows, whose boxes agree with people's annotation, and rows in its other forms."""

import json
from collections import Counter

import pytest

from stepforge.answers.equivalence import equivalent
from stepforge.vocabulary import AnswerKind, Difficulty, EquivalenceVerdict
from tests.sources.published import accepts, kept, one, refusal
from tests.sources.reading import read

MATH = {
    "problem": "How many?",
    "level": "Level 3",
    "type": "Algebra",
    "solution": r"So there are $\boxed{\frac{1}{\sqrt{2}}}$ of them.",
    "idx": 7,
}
MATH_500 = {
    "problem": "Find $x$.",
    "solution": r"It is $\boxed{2}$.",
    "answer": "2",
    "subject": "Number Theory",
    "level": 5,
    "unique_id": "test/number_theory/515.json",
}


def test_every_published_row_has_its_subject_level_and_answer():
    problems = kept("math/test.jsonl")
    assert (len(problems), {p.source for p in problems}, {p.licence for p in problems}) == (3468, {"math"}, {"MIT"})
    levels = Counter(p.grade for p in problems)
    assert levels == {"Level 5": 914, "Level 4": 843, "Level 3": 766, "Level 2": 645, "Level 1": 300}
    hard = sum(p.difficulty is Difficulty.HARD for p in problems)
    assert (hard, len({p.subject for p in problems})) == (914 + 843, 7)
    assert all(p.answer.text.count("{") == p.answer.text.count("}") for p in problems)
    assert sum("[asy]" in p.question for p in problems) == 288


def test_every_answer_of_the_boxes_is_the_one_that_people_annotated():
    problems = {p.source_id: p for p in kept("math/test.jsonl")}
    annotated = kept("mario_eval/math_testset_annotation.json")
    equal = {(EquivalenceVerdict.EQUAL, EquivalenceVerdict.EQUAL)}
    wrong = []
    for person in annotated:
        problem = problems[str(int(person.source_id) - 1)]
        assert person.question == problem.question
        both = equivalent(person.answer, problem.answer.text), equivalent(problem.answer, person.answer.text)
        if {tuple(v.verdict for v in both)} != equal:
            wrong.append((person.source_id, person.answer.text, problem.answer.text))
    assert (len(annotated), wrong) == (3468, [])


def test_all_boxes_answer_a_problem_that_asks_for_all_values():
    problems = {p.source_id: p for p in kept("math/test.jsonl")}
    assert problems["2152"].answer.text == "5 - 10i, 11, -3 + 6i"
    assert accepts(problems["2152"], "11, -3+6i, 5-10i")
    assert accepts(problems["2549"], r"-\frac34, -\frac32")
    assert problems["414"].answer.text == "-2, 1"
    assert problems["4060"].answer.text == "12"  # the boxes before it are steps


def test_each_box_answers_a_problem_that_asks_for_only_one_of_several():
    foci = next(p for p in kept("math/test.jsonl") if p.source_id == "2716")
    assert (foci.answer.text, foci.answer.alternatives) == ("(10, 0)", ("(0,0)",))
    assert accepts(foci, "(10,0)")
    assert accepts(foci, "(0, 0)")
    assert not accepts(foci, "(0,10)")


def test_a_row_has_its_nested_box_for_an_answer():
    problem = one(MATH)
    assert (problem.problem_id, problem.difficulty) == ("math/7", Difficulty.MEDIUM)
    assert problem.answer.text == r"\frac{1}{\sqrt{2}}"
    assert accepts(problem, r"\frac{\sqrt2}{2}")


def test_a_row_of_the_500_gives_its_answer_itself():
    problem = one(MATH_500)
    assert (problem.source_id, problem.subject, problem.grade) == (
        "test/number_theory/515",
        "Number Theory",
        "Level 5",
    )
    assert (problem.answer.kind, problem.answer.text) == (AnswerKind.NUMBER, "2")


def test_a_file_of_one_problem_has_its_place_for_an_id():
    published = {key: MATH[key] for key in ("problem", "level", "type", "solution")}
    text = json.dumps(published, indent=4)
    (problem,) = read("MATH/test/algebra/1004.json", text).kept
    assert problem.problem_id == "math/test/algebra/1004"
    (other,) = read("loose.json", text).kept
    assert len(other.source_id) == 16


def test_a_level_that_nobody_knows_is_no_difficulty():
    problem = one({**MATH, "level": "Level ?"})
    assert (problem.grade, problem.difficulty) == ("Level ?", None)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"solution": "It is 3."}, r"solution: it has no \boxed{}"),
        ({"level": "hard"}, "level: 'hard' is not of the form 'Level 3'"),
        ({"problem": None}, "problem: expected a text, got null"),
    ],
)
def test_what_is_not_as_the_format_says_is_named(change, why):
    assert why in refusal({**MATH, **change}, "math")
