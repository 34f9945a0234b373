"""ALG514 and DRAW-1K: rows in their form, told apart by their fields and names."""

import json

from stepforge.sources import recognise
from stepforge.vocabulary import AnswerKind
from tests.sources.published import accepts, one, refusal

ALG514 = {
    "iIndex": 6279,
    "sQuestion": "24 is divided in two parts such that 7 time the first part and 5 times the second make 146. "
    "What is the first part?",
    "lEquations": ["(7.0*first_part)+(5.0*second_part)=146.0", "first_part+second_part=24.0"],
    "lSolutions": [13.0, 11.0],
}
DRAW = {
    "iIndex": 1441,
    "sQuestion": "If Sally can paint a house in 4 hours, and John in 6 hour, how long will it take both of them ?",
    "lEquations": ["((1/4)+(1/6))*x=1"],
    "lSolutions": [2.4],
    "Template": ["1 / a * m + 1 / b * m = 1"],
    "Alignment": [{"coeff": "a", "SentenceId": 0, "Value": 4.0, "TokenId": 7}],
    "Equiv": [],
}


def test_the_values_of_all_unknowns_are_the_answer():
    problem = one(ALG514)
    assert (problem.problem_id, problem.licence) == ("alg514/6279", "unknown")
    assert (problem.answer.kind, problem.answer.parts) == (AnswerKind.SET, ("13", "11"))
    assert problem.solution == "(7.0*first_part)+(5.0*second_part)=146.0\nfirst_part+second_part=24.0"
    assert accepts(problem, "11 and 13")
    assert not accepts(problem, "13 and 12")


def test_one_unknown_is_a_number():
    problem = one(DRAW)
    assert (problem.problem_id, problem.answer.kind, problem.answer.text) == ("draw1k/1441", AnswerKind.NUMBER, "2.4")
    assert accepts(problem, "12/5")


def test_the_name_of_a_file_says_which_of_the_two_sets_annotated_rows_are():
    line = json.dumps(DRAW).encode() + b"\n"
    assert [recognise(path, line) for path in ("draw.json", "draw/kushman.json", "Alg514_folds.jsonl")] == [
        "draw1k",
        "alg514",
        "alg514",
    ]


def test_rows_of_mawps_are_neither_of_the_two():
    mawps = {**ALG514, "lQueryVars": ["X"], "lAlignments": [3, 4]}
    assert recognise("MAWPS.json", json.dumps(mawps).encode() + b"\n") is None


def test_what_is_not_as_the_format_says_is_named():
    assert "lSolutions: there is no solution" in refusal({**DRAW, "lSolutions": []}, "draw1k")
    assert "lSolutions: expected a text or a number" in refusal({**ALG514, "lSolutions": [[1]]}, "alg514")
