from functools import lru_cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepforge.metrics._latex_symbols import MAX_SYMBOLS, symbols
from stepforge.metrics.symbol_recognition import exp_right, sym_rate

SAME = [
    (r"\frac{1}{2}x^2", r"$\dfrac12 x^{2}$."),
    (r"x^2_1", r"x_{1}^{2}"),
    (r"f'(x)", r"f^{\prime}\left(x\right)"),
    (r"f''", r"f^{\prime\prime}"),
    (r"\sqrt[3]{x}", r"\sqrt[3]x"),
    (r"a \leq b", r"a\le b"),
    (r"\text{if } x", r"\mathrm{if} x"),
    (r"60^{\circ}", "60°"),
    (r"\begin{equation} a=b \end{equation}", "a = b"),
    ("{{x}}", "x"),
    (r"x^{}", "x^"),
    ("3×4", r"3 \times 4"),
    (r"\int_0^1 f", r"\int^1_0 f"),
    (r"\left\{ a \right\}", r"\{a\}"),
]
OTHER = [
    ("x^2", "x_2"),
    ("x^{12}", "x^1 2"),
    ("ab", "ba"),
    (r"\alpha", "a"),
    ("-x", "x"),
    (r"\frac{12}3", r"\frac1{23}"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_harmless_formatting_makes_no_difference(one, other):
    assert exp_right(one, other)
    assert sym_rate(one, other) == 1


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_what_changes_the_formula_makes_one(one, other):
    assert not exp_right(one, other)
    assert sym_rate(one, other) < 1


def test_nothing_read_is_not_right_and_no_reference_no_score():
    assert not exp_right("x", None)
    assert sym_rate("x+y", None) == 0
    assert sym_rate("", "x") is None
    assert sym_rate("x+y", "x+z") == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    "text",
    ["{" * 200_000, "}" * 200_000, "{a" * 99_000 + "}" * 99_000, "^a_b" * 60_000, "'" * 200_000, "\\text{" * 60_000],
)
def test_hostile_nesting_ends(text):
    assert 0 < len(symbols(text)) <= MAX_SYMBOLS


LATEX = st.text(alphabet="ab12{}^_\\ '+", max_size=14)


@lru_cache(100_000)
def distance(one, other):
    if not one or not other:
        return len(one) + len(other)
    here = distance(one[1:], other[1:]) + (one[0] != other[0])
    return min(here, distance(one[1:], other) + 1, distance(one, other[1:]) + 1)


@given(LATEX, LATEX)
def test_the_rate_is_that_of_the_edit_distance_and_1_only_where_the_formulas_are_equal(one, other):
    a, b = tuple(symbols(one)), tuple(symbols(other))
    expected = 1 - distance(a, b) / max(len(a), len(b)) if a else None
    assert sym_rate(one, other) == (None if expected is None else pytest.approx(expected))
    if a:
        assert (sym_rate(one, other) == 1) == exp_right(one, other)


@given(LATEX)
def test_the_canonical_form_is_its_own(text):
    found = symbols(text)
    if "\\" not in found:  # a lone backslash would take the next symbol with it
        assert symbols(" ".join(found)) == found
