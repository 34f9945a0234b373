import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepforge.report.mathematics import Formula, as_formula, formulas, pieces

CASES = {
    "Expand $(x + 3)^2$.": ["(x + 3)^2"],
    "It costs $5, then $10 or $5-$10.": [],
    "She pays $5 and gets $x^2$ apples.": ["x^2"],
    "$<<20*50=1000>>1000 a year being a teacher\nShe also gets 15*35=$": [],
    "$80 on red ties and 200+3200=$3400": [],
    "$ 130\\cdot 20$ is": ["130\\cdot 20"],
    "\\(a\\) and \\[b\\] and $$c$$": ["a", "b", "c"],
    "Price: \\$5 for $n$ of them": ["n"],
    "BG=\\frac{1}{2}BF and \\sqrt{BF^2+BG^2}": ["\\frac{1}{2}", "\\sqrt{BF^2+BG^2}"],
    "\\begin{align*}a&=b\\\\c&=d\\end{align*}": ["\\begin{align*}a&=b\\\\c&=d\\end{align*}"],
    "The answer is \\boxed{\\frac{3}{4}}.": ["\\boxed{\\frac{3}{4}}"],
    "\\left(\\frac12\\right)^2": ["\\left(\\frac12\\right)^2"],
    "unclosed \\boxed{ and \\frac{1": [],
    "a $\n\n$ b": [],
    "$\\text{red ties and shoes}$": ["\\text{red ties and shoes}"],
}


@pytest.mark.parametrize("text", CASES)
def test_formulas_are_told_from_prose_and_from_money(text: str):
    assert [formula.latex for formula in formulas([text])] == CASES[text]


def test_what_is_set_apart_is_known():
    assert formulas(["\\(a\\) $$b$$"]) == [Formula("a", False), Formula("b", True)]


@given(st.text(st.sampled_from("a1 $\\[](){}^_=.\n<") | st.characters(), max_size=200))
def test_the_pieces_join_to_the_text(text: str):
    if "\\" not in text:
        assert "".join(piece.text for piece in pieces(text)) == text
    for piece in pieces(text):
        assert piece.text
        assert piece.latex is None or piece.latex in text


def test_only_an_escaped_sign_and_a_degree_are_written_otherwise():
    assert "".join(piece.text for piece in pieces("\\$5 at 60^{\\circ} and 5\\%")) == "$5 at 60° and 5%"


@pytest.mark.parametrize("unit", ["$", "$$", "\\[", "\\(", "\\frac{", "\\left(", "$a", "\\begin{align}", "\\boxed{{"])
def test_a_long_hostile_text_is_taken_apart_without_loss(unit: str):
    text = unit * (100_000 // len(unit))
    assert "".join(piece.text for piece in pieces(text)) == text


def test_an_answer_in_latex_without_marks_is_a_formula_and_words_are_not():
    assert as_formula("\\frac{1}{2}") == "$\\frac{1}{2}$"
    assert as_formula("$\\frac{1}{2}$") == "$\\frac{1}{2}$"
    assert as_formula("no \\real solution exists") == "no \\real solution exists"
    assert as_formula("17") == "17"
