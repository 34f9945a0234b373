"""Omni-MATH: rows in its form."""

import pytest

from stepforge.vocabulary import Difficulty
from tests.sources.published import accepts, one, refusal

OMNIMATH = {
    "domain": [
        "Mathematics -> Discrete Mathematics -> Graph Theory",
        "Mathematics -> Algebra -> Prealgebra -> Integers",
    ],
    "difficulty": 8.0,
    "problem": "Let $n(\\ge2)$ be a positive integer. Find the minimum $m$.",
    "solution": "We get $m = \\lceil n/2 \\rceil$ …",
    "answer": "1 + \\lceil \\frac{n}{2} \\rceil",
    "source": "china_national_olympiad",
}


def test_a_row_has_its_domains_as_subject_and_concepts():
    problem = one(OMNIMATH)
    assert (problem.source, problem.subject, problem.licence) == ("omnimath", "Discrete Mathematics", "Apache-2.0")
    assert problem.knowledge_concepts == ("Graph Theory", "Integers")
    assert (problem.grade, problem.difficulty) == ("difficulty 8", Difficulty.HARD)
    assert accepts(problem, "1+\\lceil n/2 \\rceil")


@pytest.mark.parametrize(
    ("level", "difficulty"),
    [(1.0, "easy"), (3.0, "easy"), (3.5, "medium"), (5.0, "medium"), (5.25, "hard"), (10, "hard"), ("4.5", "medium")],
)
def test_a_difficulty_falls_into_one_of_three(level, difficulty):
    assert one({**OMNIMATH, "difficulty": level}).difficulty == difficulty


def test_a_row_without_a_difficulty_or_a_domain_is_read():
    problem = one({**OMNIMATH, "difficulty": None, "domain": []})
    assert (problem.grade, problem.difficulty, problem.subject) == (None, None, None)


def test_what_is_not_as_the_format_says_is_named():
    assert "difficulty: expected a number, got 'high'" in refusal({**OMNIMATH, "difficulty": "high"}, "omnimath")
    assert "domain: expected a list of texts" in refusal({**OMNIMATH, "domain": "Algebra"}, "omnimath")
