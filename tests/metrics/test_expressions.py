import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepforge.answers.numbers import number
from stepforge.metrics import expressions
from stepforge.metrics.expressions import facts, plain, tokens


def found(text):
    return facts(plain(text))


def share(a, b):
    return not found(a).keys.isdisjoint(found(b).keys)


def test_a_wrong_result_or_another_computation_with_the_same_result_is_another_equation():
    assert share("She has 3*4=12 red marbles.", "so 4 x 3 = 12")
    for other in ("4 x 3 = 13", "24/2 = 12", "the 12 marbles", "3 or 4 make 12"):
        assert not share("She has 3*4=12 red marbles.", other)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("It costs 30*25=750 a day", "25 × 30 = 750"),  # an article is no letter
        ("Jim's 4*7=28 apples", "7*4 = 28"),
        ("40 x $10 = $400", "10*40=400"),
        ("2500*.25=625.00", ".25 * 2500 = 625"),
        ("$2\\sqrt{2}+\\sqrt{2}=3\\sqrt{2}$", "$\\sqrt{2} + 2\\sqrt{2} = 3\\sqrt{2}$"),
        ("\\begin{align*} x &= 2+3 \\\\ &= 5 \\end{align*}", "x = 2+3 = 5"),
        ("so $S_{\\triangle ABC} = 6$", "$S_{\\triangle BAC}=6$"),
        ("∠ABC=∠DEF", "\\angle FED = \\angle CBA"),
        ("$xy=6$", "xy = 6"),
        ("AB=AC", "AC=AB"),
    ],
)
def test_the_same_expression_in_another_dress_is_found(a, b):
    assert share(a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("the angle is 50°", "a rotation by 50°"),
        ("1/2 of them", "he sold 1/2"),
        ("$\\frac{3}{4}$ cup", "$\\frac{3}{4}$ mile"),
        ("in 2 - 5 days", "of 2 + 5 days"),
        ("x ≈ 3", "y ≈ 3"),
        ("f(2x)=4", "2f(x)=4"),
    ],
)
def test_what_only_looks_alike_is_no_shared_expression(a, b):
    assert not share(a, b)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("AB∥CD, 12.5 cm", ["ab", "∥", "cd", "12.5", "cm"]),
        ("\\Frac{1}{2}", ["\\frac", "1", "2"]),
        ("三角形ABC", ["三", "角", "形", "abc"]),
    ],
)
def test_numbers_commands_and_han_characters_are_tokens(text, expected):
    assert tokens(text) == expected


def test_numbers_are_compared_by_value():
    assert found("1,000 and 0.50").numbers == found("1000.0 or .5, ０.50").numbers == {"1000", "0.5"}
    assert found("007 and 0").numbers == {"7", "0"}


@given(st.from_regex(r"[0-9]{1,6}(\.[0-9]{1,3})?( ?[-+*/] ?[0-9]{1,6}(\.[0-9]{1,3})?)?", fullmatch=True))
def test_the_usual_forms_of_arithmetic_have_the_value_that_the_parser_gives(side):
    value = number(side)
    assert expressions._number(side) == (None if value is None else value.exact)


@given(st.text(max_size=200))
def test_no_text_raises(text):
    facts(plain(text))
