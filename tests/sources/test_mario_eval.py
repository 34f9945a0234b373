"""MARIO_EVAL: the annotated answers of MATH with their kinds and alternatives."""

from collections import Counter

from stepforge.vocabulary import AnswerKind
from tests.sources.published import accepts, kept, one, refusal

MARIO = {"index": 2913, "question": "Find one.", "answer": ["\tfrac32", r"-\frac{3}{2}"], "human_type": "Real"}


def test_every_published_row_has_the_kind_that_people_gave():
    problems = kept("mario_eval/math_testset_annotation.json")
    kinds = Counter(p.answer.kind for p in problems)
    assert (len(problems), {p.source for p in problems}, {p.licence for p in problems}) == (
        3468,
        {"mario_eval"},
        {"unknown"},
    )
    assert kinds[AnswerKind.SET] > 50
    assert kinds[AnswerKind.MATRIX] > 40
    assert kinds[AnswerKind.INTERVAL] > 40
    assert all(accepts(p, p.answer.text) for p in problems)


def test_a_list_of_answers_is_one_answer_with_alternatives():
    listed = [p for p in kept("mario_eval/math_testset_annotation.json") if p.answer.alternatives]
    assert [(p.source_id, p.answer.text, p.answer.alternatives) for p in listed] == [("2717", "(10,0)", ("(0,0)",))]


def test_a_lost_backslash_is_read_as_it_was_meant():
    problem = one(MARIO)
    assert problem.answer.text == r"\tfrac32"
    assert accepts(problem, "3/2")
    assert accepts(problem, "-1.5")


def test_a_kind_of_answer_that_is_none_is_named():
    assert "human_type: 'Number' is none of Real" in refusal({**MARIO, "human_type": "Number"}, "mario_eval")
    assert "answer: expected a text or a number" in refusal({**MARIO, "answer": [True]}, "mario_eval")
