import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepforge.duplicates import normalise
from stepforge.duplicates._text import Kind, folded, surface_tokens


def tokens(text):
    return [folded(token).text for token in surface_tokens(text)]


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Find $x$.", r"Find \(x\)."),
        ("Find $$x$$", "Find\n\\[ x \\]"),
        (r"$\frac{1}{2}$", "1/2"),
        (r"$\frac12$", r"\dfrac{1}{2}"),
        (r"$\frac{x+1}{2}$", "(x + 1)/2"),
        (r"$3\cdot 4$", "3 × 4"),
        (r"$3\times 4$", "3*4"),
        ("x²", "$x^2$"),
        ("x^{2}", "x**2"),
        (r"\left( x + 1 \right)", "(x+1)"),
        ("1,000 men", "1000 men"),
        (r"1{,}000 men", "1000 men"),
        (r"11,\! 111", "11111"),
        ("3.50 dollars", "$3.5 dollars"),
        ("3 cats", "three cats"),
        ("twenty-five cats", "25 cats"),
        ("two hundred cats", "200 cats"),
        ("３ cats", "3 cats"),
        ("WHAT IS X", "what is x"),
        ("30°", r"$30^\circ$"),
        (r"\angle ABC", "∠ABC"),
        ("a ≤ b", r"$a \leq b$"),
        (r"\sqrt{3}", "√3"),
        ("sqrt(3)", "√3"),
        ("> quoted\n> text", "quoted text"),
        ("# Problem\nx", "Problem x"),
        ("**Bold** text", "Bold text"),
        ("see <image_1> here", "see here"),
        ("Tom’s", "Tom's"),
        ("x  -  3", "x - 3"),
        (r"\text{area}", "area"),
        (r"α + β", r"$\alpha+\beta$"),
        (r"50\%", "50%"),
        (r"\begin{align*} x &= 1 \\ y &= 2 \end{align*}", "x = 1, y = 2"),
    ],
)
def test_ways_of_writing_the_same_become_the_same(one, two):
    assert tokens(one) == tokens(two)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("3 + 5", "3 - 5"),
        ("2(x+3)", "2x+3"),
        ("x^2", "2x"),
        ("-3", "3"),
        ("1/2", "2/1"),
        ("3.5", "35"),
        ("5!", "5"),
        ("x < 3", "x > 3"),
        ("three", "four"),
        ("half", "third"),
        ("sin x", "cos x"),
        ("AB ∥ CD", "AB ⊥ CD"),
        ("二", "三"),
    ],
)
def test_what_means_something_else_stays_different(one, two):
    assert tokens(one) != tokens(two)


@pytest.mark.parametrize(
    ("token", "kind"),
    [("12", Kind.NUMBER), ("seven", Kind.NUMBER), ("twice", Kind.NUMBER), ("+", Kind.OPERATOR), ("cat", Kind.WORD)],
)
def test_a_token_is_a_word_a_number_or_an_operator(token, kind):
    assert folded(token).kind is kind


def test_a_hyphen_is_no_minus():
    assert "-" not in tokens("a well-known two-digit number, x-axis included - and so on")
    assert tokens("x - 3").count("-") == 1


@given(st.text())
def test_any_text_has_tokens_and_each_folds_to_itself(text):
    normalise(text)
    for token in surface_tokens(text):
        fold = folded(token)
        assert fold.text
        assert folded(token.lower()).text == fold.text or not token.isascii()


@pytest.mark.parametrize(
    "piece", ["(", "\\frac{", "{", "}{", "-", "1,", "\\", "**", "<", "$", "^{\\circ", "> ", "a ", "！", "\n"]
)
def test_a_text_of_a_megabyte_is_read_in_one_pass(piece):
    text = piece * (1_000_000 // len(piece))
    assert len(surface_tokens(text)) <= len(text)
