import pytest

from stepforge.cleaning import clean_text
from stepforge.cleaning._rule import parts_of
from stepforge.cleaning._validity import MAX_PARSED, is_sound


@pytest.mark.parametrize(
    "text",
    [
        "",
        "plain, 50% of it",
        r"$x$ and \(y\) and \[z\] and $$w$$",
        r"\begin{cases} x \\ y \end{cases}",
        r"a line break at the end \\",
        r"$\{1, 2\}$ costs \$5",
        r"\frac{1}{2}",
    ],
)
def test_sound_latex_is_sound(text):
    assert is_sound(text)


@pytest.mark.parametrize(
    "text",
    [
        r"\(x",
        "$x",
        "$$x$",
        r"x\)",
        r"\(x\]",
        "{",
        "a}b",
        r"$\frac{1}{2$",
        r"\begin{a}x\end{b}",
        r"\begin{a}",
        "{" * 5000,
    ],
)
def test_unsound_latex_is_not(text):
    assert not is_sound(text)


def test_a_long_text_is_judged_by_its_pairs():
    assert is_sound("$x$ " * MAX_PARSED)
    assert not is_sound("$x$ " * MAX_PARSED + "{")


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("no formula", ["no formula"]),
        ("a $x$ b", ["a ", " b"]),
        (r"a \(x\) b \[y\]", ["a ", " b "]),
        ("apples for $3 and $ 4.50", ["apples for $3 and $ 4.50"]),
        (r"\frac12 without delimiters", []),
        ("open $x", ["open "]),
        (r"costs \$3 and O0", [r"costs \$3 and O0"]),
        ("[asy] draw(Z); [/asy]", []),
    ],
)
def test_formulas_are_told_from_plain_text(text, plain):
    parts = list(parts_of(text))
    assert [text[p.start : p.end] for p in parts if p.is_plain] == plain
    assert "".join(text[p.start : p.end] for p in parts) == text


def test_a_stand_in_of_the_text_s_own_is_not_taken_for_a_formula():
    text = "\ufffc $x$ ∠l"
    assert clean_text("question", text, from_page=True)[0] == text
