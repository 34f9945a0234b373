"""CARP: rows in its form, Chinese and English."""

from stepforge.vocabulary import AnswerKind, ProblemType
from tests.sources.published import accepts, one, refusal

CARP = {
    "content": "将抛物线 $y = - 5 { x } ^ { 2 } + 1$ 向上平移 $2$ 个单位 , 再向左平移 $1$ 个单位 , 得到 ____ ?",
    "answer": "y = - 5 ( x + 1 )  ^ { 2 } + 3",
    "steps": "先得 $y = - 5 { x } ^ { 2 } + 3$ ; 再得 $y = - 5 { ( x + 1 ) } ^ { 2 } + 3$ 。",
    "expr_cands": ["y = - 5 { x } ^ { 2 } + 1", "y"],
    "exprs": ["y = - 5 { ( x + 1 ) } ^ { 2 } + 3"],
    "edges": {"directed": True, "nodes": [{"id": "2"}], "links": [{"rel": "被描述", "source": "2", "target": "y"}]},
}


def test_a_row_is_a_chinese_problem_with_its_steps_as_the_solution():
    problem = one(CARP, "data/carp/test.json")
    assert (problem.source, problem.language, problem.licence) == ("carp", "zh", "CC BY-NC-SA 4.0")
    assert problem.solution.startswith("先得")
    assert accepts(problem, "$y=-5(x+1)^2+3$")
    assert not accepts(problem, "$y=-5(x-1)^2+3$")


def test_a_row_of_the_translation_is_english_and_its_spaced_answer_a_number():
    problem = one({**CARP, "content": "Find the value of $a$.", "answer": "- \\frac { 1 } { 2 }"})
    assert problem.language == "en"
    assert accepts(problem, "-0.5")


def test_numbered_answers_are_parts():
    problem = one({**CARP, "answer": "(1) 3; (2) $x \\ge 8$"})
    assert (problem.problem_type, problem.answer.kind) == (ProblemType.MULTI_STEP, AnswerKind.MULTI_PART)
    assert problem.answer.parts == ("3", "$x \\ge 8$")


def test_what_is_not_as_the_format_says_is_named():
    assert "answer: expected a text or a number" in refusal({**CARP, "answer": None}, "carp")
    assert "content: the field is missing" in refusal({k: v for k, v in CARP.items() if k != "content"}, "carp")
