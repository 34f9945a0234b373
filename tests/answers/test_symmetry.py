"""Swapping reference and prediction changes no verdict: over the cases, the constructed pairs, and generated ones.

Not symmetric by policy: choices and parts (the reference has the options or the parts), and constants of integration,
which count only where the reference has one.
"""

import json
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepforge.answers.equivalence import equivalent
from stepforge.records import Answer
from stepforge.vocabulary import AnswerKind, EquivalenceVerdict
from tests.answers.test_published_answers import KINDS
from tests.shared_data import shared

CASES = [
    case
    for path in sorted((Path(__file__).parent / "cases").glob("*.toml"))
    for case in tomllib.loads(path.read_text(encoding="utf-8"))["case"]
    if "+C" not in case["gold"] and "C+" not in case["predicted"]
]
SYMMETRIC = [kind for kind in AnswerKind if kind not in {AnswerKind.CHOICE, AnswerKind.MULTI_PART}]


def both_ways(kind, a, b):
    return [equivalent(Answer(kind=kind, text=x), y).verdict for x, y in ((a, b), (b, a))]


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c['kind']}: {c['gold']} | {c['predicted']}")
def test_a_case_has_one_verdict_both_ways(case):
    there, back = both_ways(case["kind"], case["gold"], case["predicted"])
    assert there is back


def test_each_constructed_pair_has_one_verdict_both_ways():
    rows = [json.loads(line) for line in shared("golden/answer_pairs/pairs.jsonl").read_text("utf-8").splitlines()]
    assert len(rows) == 6838
    uneven = []
    for row in rows:
        there, back = both_ways(KINDS[row["human_type"]], row["gold"], row["prediction"])
        if there is not back:
            uneven.append((row["id"], there, back))
    assert not uneven


numbers = st.one_of(
    st.integers(-99, 99).map(str),
    st.tuples(st.integers(-9, 9), st.integers(1, 9)).map(lambda q: f"\\frac{{{q[0]}}}{{{q[1]}}}"),
    st.decimals(-9, 9, places=3).map(str),
    st.integers(2, 9).map(lambda n: f"\\sqrt{{{n}}}"),
    st.integers(1, 99).map(lambda n: f"{n}\\%"),
    st.sampled_from(
        ["\\pi", "0.\\overline{3}", "0.333333333", "1.41421356", "60^\\circ", "\\frac{\\pi}{3}", "5 cm", "2\\frac12"]
    ),
)
expressions = st.recursive(
    st.sampled_from(["x", "y", "2", "3", "\\pi", "i"]),
    lambda inner: st.tuples(
        st.sampled_from(["{}+{}", "({})({})", "\\frac{{{}}}{{{}}}", "({})-({})", "({})^2+{}"]), inner, inner
    ).map(lambda t: t[0].format(t[1], t[2])),
    max_leaves=6,
)
ranges = st.builds(
    lambda low, size, brackets: f"{brackets[0]}{low},{low + size}{brackets[1]}",
    st.integers(-9, 9),
    st.integers(1, 9),
    st.sampled_from(["()", "[]", "[)", "(]"]),
)
inequalities = st.builds(
    "{}{}{}".format,
    st.sampled_from(["x", "2x", "-x"]),
    st.sampled_from(["<", ">", "\\le ", "\\ne "]),
    st.integers(-9, 9),
)
lists = st.lists(numbers, min_size=1, max_size=4)
answers = st.one_of(
    numbers,
    expressions,
    ranges,
    inequalities,
    lists.map(", ".join),
    lists.map(lambda items: f"({', '.join(items)})"),
    lists.map(lambda items: f"\\{{{', '.join(items)}\\}}"),
    st.tuples(expressions, expressions).map("=".join),
    st.sampled_from(
        ["\\mathbb{R}", "\\emptyset", "yes", "no", "(1)(3)", "\\pm 3", "x=1 or x=2", "3:4", "52_8", "1:30 PM", ""]
    ),
)


@given(answers, answers, st.sampled_from(SYMMETRIC))
def test_generated_answers_have_one_verdict_both_ways(a, b, kind):
    if not a or not b:
        return  # an empty reference is none
    there, back = both_ways(kind, a, b)
    assert there is back


@given(st.one_of(numbers, expressions), st.one_of(numbers, expressions), st.one_of(numbers, expressions))
def test_equal_is_never_between_what_differs_from_a_third_alike(a, b, c):
    """Equal is transitive for expressions without decimals and units, whose tolerance is not."""
    if any(mark in text for text in (a, b, c) for mark in (".", "%", "cm", "circ")):
        return
    ab, bc, ac = (both_ways("expression", *pair)[0] for pair in ((a, b), (b, c), (a, c)))
    if ab is EquivalenceVerdict.EQUAL and bc is EquivalenceVerdict.EQUAL:
        assert ac is EquivalenceVerdict.EQUAL
