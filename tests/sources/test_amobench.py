"""AMO-Bench: rows in its form; its model responses are no problems."""

from datetime import date

from stepforge.sources import recognise
from stepforge.vocabulary import AnswerKind
from tests.shared_data import shared
from tests.sources.published import accepts, one, refusal

AMOBENCH = {
    "question_id": 5,
    "prompt": "Let $n$ be a positive integer. Find the sum in terms of $n$.",
    "solution": "By induction.",
    "answer": "\\boxed{\\frac{n(n+1)}{2}}",
    "answer_type": "variable",
}


def test_published_model_responses_and_gradings_are_no_problems():
    head = shared("amobench/model_responses/example.jsonl").read_bytes()[: 64 * 1024]
    assert recognise("example.jsonl", head) is None
    log = shared("amobench/grading_results/result_example.jsonl.log").read_bytes()[: 64 * 1024]
    assert recognise("result.json", log) is None


def test_a_row_is_a_problem_published_when_the_set_was():
    problem = one(AMOBENCH)
    assert (problem.problem_id, problem.licence, problem.published_on) == ("amobench/5", "MIT", date(2025, 10, 31))
    assert accepts(problem, r"\frac{n^2+n}{2}")


def test_the_type_of_an_answer_is_its_kind():
    several = one({**AMOBENCH, "answer": r"\{1, 2\}", "answer_type": "set"})
    words = one({**AMOBENCH, "answer": "All primes of the form 4k+1", "answer_type": "description"})
    assert (several.answer.kind, words.answer.kind) == (AnswerKind.SET, AnswerKind.TEXT)
    assert accepts(several, "2, 1")


def test_a_type_of_answer_that_is_none_is_named():
    assert "answer_type: 'proof' is none of number, set" in refusal({**AMOBENCH, "answer_type": "proof"}, "amobench")
