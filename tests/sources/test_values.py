"""What a text says by its form."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepforge.records import Choice
from stepforge.sources import guess_answer, kind_of, language_of, parts_of, split_options
from stepforge.vocabulary import AnswerKind

K = AnswerKind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("18", K.NUMBER),
        ("2,125", K.NUMBER),
        ("-3.5", K.NUMBER),
        ("3/4", K.NUMBER),
        (r"$\frac{3}{4}$", K.NUMBER),
        (r"$66 \mathrm{~cm}$", K.NUMBER),
        ("0.83 m", K.NUMBER),
        ("45°", K.NUMBER),
        ("15%", K.NUMBER),
        (r"$37.5^{\circ}$.", K.NUMBER),
        (r"$12 \mathrm{~cm}^{2}$", K.NUMBER),
        ("2√3", K.EXPRESSION),
        (r"$\sqrt{3}+1$", K.EXPRESSION),
        ("y = 2x + 3", K.EQUATION),
        ("x > 3", K.INEQUALITY),
        (r"8 \leq S", K.INEQUALITY),
        ("(3, 2)", K.TUPLE),
        ("[3, 5)", K.INTERVAL),
        ("{2, 5}", K.SET),
        (r"\begin{pmatrix}1&2\end{pmatrix}", K.MATRIX),
        ("cone", K.TEXT),
        ("梦", K.TEXT),
        ("", K.TEXT),
    ],
)
def test_the_kind_of_an_answer_is_told_by_its_form(text, kind):
    assert kind_of(text) is kind


def test_a_unit_beside_a_number_is_named():
    assert guess_answer(r"$12 \mathrm{~cm}^{2}$").unit == "cm^2"
    assert guess_answer(r"$60^{\circ}$").unit == "°"
    assert guess_answer("60").unit is None


def test_values_joined_by_or_and_numbered_statements_are_sets():
    assert guess_answer(r"2 or $8-4 \sqrt{2}$").parts == ("2", r"$8-4 \sqrt{2}$")
    assert guess_answer("1or 4").parts == ("1", "4")
    assert guess_answer("(1)(3)").parts == ("(1)", "(3)")
    assert guess_answer("①③").parts == ("(1)", "(3)")
    assert guess_answer("yes or no").kind is K.TEXT


@pytest.mark.parametrize(
    ("text", "kind", "parts"),
    [
        (r"rhombus, $3 \sqrt{2}$", K.TUPLE, ("rhombus", r"$3 \sqrt{2}$")),
        ("right triangle, 30", K.TUPLE, ("right triangle", "30")),
        ("菱形，24", K.TUPLE, ("菱形", "24")),
        ("circle, square", K.TEXT, ()),
        ("The area is 3, and both are right.", K.TEXT, ()),
        ("when $a=3$, $AM // CB$.", K.TEXT, ()),
        ("f(2, 3)", K.EXPRESSION, ()),
    ],
)
def test_a_few_words_beside_a_value_are_two_values(text, kind, parts):
    answer = guess_answer(text)
    assert (answer.kind, answer.parts) == (kind, parts)


def test_a_part_whose_first_inner_number_was_lost_keeps_it():
    assert parts_of("(1) 70\n\n(2)) 35 (2) 92") == ("70", "(1) 35 (2) 92")
    assert parts_of("(1) 70\n\n(2) 35") == ("70", "35")


OPTIONS = (Choice(label="A", text="12"), Choice(label="B", text="15"), Choice(label="C", text="18"))


def test_an_option_is_named_by_its_letter_or_by_its_text():
    assert guess_answer(" (B) ", OPTIONS).text == "B"
    assert guess_answer("A, C", OPTIONS).text == "AC"
    by_text = guess_answer("15", OPTIONS)
    assert (by_text.kind, by_text.text, by_text.alternatives) == (K.CHOICE, "B", ("15",))
    assert guess_answer("D", OPTIONS).kind is not K.CHOICE
    assert guess_answer("", OPTIONS) is None


@pytest.mark.parametrize(
    ("text", "whole", "options"),
    [
        ("A. 3; B. 4;C. 5", True, {"A": "3", "B": "4", "C": "5"}),
        ("A. ①; ③;B. ②; ③;C. ②", True, {"A": "①; ③", "B": "②; ③", "C": "②"}),
        ("A. ①;B．②;C. ③", True, {"A": "①", "B": "②", "C": "③"}),
        (
            "A. about ;O.;B. on ;C.;C. none; F. other",
            True,
            {"A": "about ;O.", "B": "on ;C.", "C": "none", "F": "other"},
        ),
        ("A. 45° B. 60° ;C. 120°", True, {"A": "45°", "B": "60°", "C": "120°"}),
        ("Which?\nA. 3  B. 4\nC. 5  D. 6", False, {"A": "3", "B": "4", "C": "5", "D": "6"}),
        ("Which?\n(A) 3 (B) 4", False, {"A": "3", "B": "4"}),
        ("哪一个？\nA、3 B、4", False, {"A": "3", "B": "4"}),
        ("A.\n\n<image_1>\nB.\n\n<image_2>", False, {"A": "<image_1>", "B": "<image_2>"}),
        ("Go from A to point B. Then rest.", False, {}),
        ("A. only one", False, {}),
        ("Solve x.", False, {}),
    ],
)
def test_options_are_split(text, whole, options):
    start, choices = split_options(text, whole=whole)
    assert {c.label: c.text for c in choices} == options
    assert text[start:].startswith(("A", "(A")) if options else start == len(text)


@given(st.lists(st.text("xyz123 ", min_size=1, max_size=8).filter(str.strip), min_size=2, max_size=8))
def test_written_options_are_read_back(texts):
    written = "; ".join(f"{chr(65 + i)}. {text.strip()}" for i, text in enumerate(texts))
    assert [c.text for c in split_options(written, whole=True)[1]] == [text.strip() for text in texts]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("(1) 12; (2) 30.", ("12", "30.")),
        ("（1）12；（2） 30", ("12", "30")),
        ("(1)70\n\n(2) $5$", ("70", "$5$")),
        ("(1) f(2) = 3; (2) 4", ("f(2) = 3", "4")),
        ("(1) (1) a; (2) b; (2) c", ("(1) a; (2) b", "c")),
        ("(2)(4)", ()),
        ("(1)", ()),
        ("x (1) a (2) b", ()),
        ("42", ()),
    ],
)
def test_sub_answers_are_cut_at_their_numbers(text, parts):
    assert parts_of(text) == parts


def test_the_language_is_told_from_the_letters():
    assert language_of("如图，在Rt△ABC中，∠ACB=90°") == "zh"
    assert language_of("The word 梦 is written on the cube.") == "en"
    assert language_of("3 + 4") == "en"


def test_guesses_take_linear_time_on_long_texts():
    for text in (
        "(1)" * 100_000,
        "9," * 100_000,
        "$" * 200_000,
        "A. " * 100_000,
        "1 or " * 50_000,
        "(" * 200_000,
        "= " * 200_000,
    ):
        guess_answer(text, OPTIONS)
        parts_of(text)
        split_options(text)
