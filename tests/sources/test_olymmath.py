"""OlymMATH: its published files, and rows in its form."""

from collections import Counter

from stepforge.vocabulary import AnswerKind, Difficulty
from tests.sources.published import accepts, kept, one, refusal

OLYMMATH = {
    "problem": "若 $x>0$，求 $x$ 的范围。",
    "answer": r"\left[ -\frac{1}{8}, \frac{1}{8} \right]",
    "subject": "代数",
    "unique_id": "OlymMATH-EASY-8-ZH",
}


def test_every_published_row_has_the_difficulty_that_its_id_says():
    easy, hard = (kept(f"olymmath/OlymMATH-EN-{level}.jsonl") for level in ("EASY", "HARD"))
    assert (len(easy), len(hard)) == (100, 100)
    assert {(p.source, p.licence, p.language) for p in easy + hard} == {("olymmath", "MIT", "en")}
    assert {p.difficulty for p in easy} == {Difficulty.EASY}
    assert {p.difficulty for p in hard} == {Difficulty.HARD}
    subjects = Counter(p.subject for p in easy + hard)
    assert subjects == {"Geometry": 58, "Combinatorics": 54, "Algebra": 50, "Number Theory": 38}
    assert all(accepts(p, p.answer.text) for p in easy + hard)
    assert AnswerKind.TEXT not in {p.answer.kind for p in easy + hard}


def test_an_id_says_the_language():
    problem = one(OLYMMATH)
    assert (problem.problem_id, problem.language) == ("olymmath/OlymMATH-EASY-8-ZH", "zh")
    assert problem.answer.kind is AnswerKind.INTERVAL
    assert accepts(problem, "[-0.125, 0.125]")


def test_an_id_of_another_form_is_named():
    assert "is not of the form OlymMATH-HARD-0-EN" in refusal({**OLYMMATH, "unique_id": "OlymMATH-8"}, "olymmath")
