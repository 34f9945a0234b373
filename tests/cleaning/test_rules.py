import importlib
import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stepforge.cleaning import RULES, Rule, Scope, _engine, clean_text
from stepforge.cleaning._engine import _one_pass, _Ready
from stepforge.cleaning._validity import is_sound

CASES = [(rule, before, after) for rule in RULES for before, after in rule.examples]

# what the rules look for: characters, and pieces of text in which more than one rule finds something
ALPHABET = st.sampled_from(
    list("ab1$\\{}^_- \n\t\r\f\x08\x00\u200b\u00a0，。＝ｘ３（）∵∴√≥,!e\u0301|'.:lIO0ZQV°º∠△⊙∥/@©")
)
PIECES = st.sampled_from(
    "frac times \\frac{1}{2} $x^2$ \\( \\) \\[ \\] ∵AB=CD ∴ .∴ ∴. ZABC=90° ∠l 9O° 90o sin3O° O的直径 在O中 交O于 ⊙0 "  # noqa: SIM905
    "OO上 BC2 AB²+ AC2= x2+ x3 +bx (x-1)2 a1,a2 A1B1C1 cm2 3x4=12 ofthe is12 dog,cat exam-\nple two-\ndigit A.1 B.2 "
    "C.3 D.4 8. (l) (2) （1) 图l Figurel Fig.2 直线1与 △ABC∞△DEF △ABCC△DEF (SAS) BC/EF ∥/ 一 — A’ 3V2 $ 8 Â° âˆš "
    "\uf0d0 ﬁ 𝑥 ⼀ \\\\frac{ [asy] \ufffc e O".split(" ")
)
TEXTS = st.lists(ALPHABET | PIECES | st.sampled_from([" ", "\n", ", ", "，"]), max_size=24).map("".join)


def clean(text, *, from_page=True):
    return clean_text("question", text, from_page=from_page)


def test_every_rule_has_a_name_of_its_own_and_two_examples_or_more_of_which_one_is_changed():
    assert len({rule.name for rule in RULES}) == len(RULES) > 40
    for rule in RULES:
        assert any(before != after for before, after in rule.examples), rule.name


@pytest.mark.parametrize(("rule", "before", "after"), CASES)
def test_a_rule_does_what_its_examples_say_and_nothing_more_the_second_time(rule, before, after):
    assert rule.apply(before) == after
    assert rule.apply(after) == after


@pytest.mark.parametrize(("rule", "before", "after"), CASES)
def test_an_example_has_the_signs_that_its_rule_waits_for(rule, before, after):
    if before != after:
        assert all(set(signs) & set(before) for signs in rule.signs)


@given(TEXTS)
def test_a_rule_without_its_signs_has_nothing_to_do(text):
    for rule in RULES:
        if not all(set(signs) & set(text) for signs in rule.signs):
            assert rule.apply(text) == text, rule.name


@given(TEXTS | st.text(max_size=60), st.booleans())
@example("((((((((x-1)2)2)2)2)2)2)2)2=", True)
@example("A.1 B.2 C.3\nA.1 B.2 C.3 8. 2", True)
def test_cleaning_twice_is_cleaning_once(text, from_page):
    once, _ = clean(text, from_page=from_page)
    assert clean(once, from_page=from_page) == (once, [])


@given(TEXTS | st.text(max_size=60))
def test_sound_latex_stays_sound(text):
    cleaned, _ = clean(text)
    if is_sound(text):
        assert is_sound(cleaned)


@given(TEXTS, st.booleans())
def test_a_change_leaves_a_trace_and_a_trace_is_a_change(text, from_page):
    cleaned, trace = clean(text, from_page=from_page)
    assert trace or cleaned == text
    for step in trace:
        assert step.before != step.after or len(step.before) >= 160


@given(TEXTS)
def test_rules_for_pages_do_not_touch_text_that_was_never_on_one(text):
    names = {step.rule for step in clean(text, from_page=False)[1]}
    assert names <= {rule.name for rule in RULES if rule.scope is Scope.ANY}


@given(st.lists(st.from_regex(r"[a-z]{2,12}", fullmatch=True), min_size=1, max_size=30).map(" ".join))
def test_plain_words_are_never_touched(text):
    assert clean(text) == (text, [])


@given(st.integers(0, 10**6), st.integers(1, 10**6), st.sampled_from(list("+-×·/=<")))
def test_arithmetic_is_never_touched(a, b, sign):
    text = f"{a} {sign} {b} = x and ${a}x^2 {sign} {b}y_1$"
    assert clean(text) == (text, [])


@pytest.mark.parametrize(
    "text",
    [
        r"\[ \frac{1}{2} + \sqrt{3} \]",
        r"$\begin{cases} x &= 1 \\ y &= 2 \end{cases}$",
        "∵ AB ⊥ CD，\n∴ ∠ABC = 90°，",
        "如图，“△ABC”中，x ≥ −3（1）",
        r"$\text{if } x<0$, $f(x)=\{1,2\}$",
        "Let Z be the integers, V a vector space of dimension 10, and O the origin.",
        "The 3 x 5 grid, the year 2019, 1 l of milk, 10 oz, I10n, H2O and route A1.",
        "过点O作直线l∥AB，点O在AC上，以O为圆心的圆；半圆O的直径",
        "Points X1, X2 lie on l1 and l2; a1 steak sauce; x2 = 5.",
        "∠1 = ∠2, AB/CD = EF/GH, sin 30° = 1/2, S△ABC = 6, 5 – 7 May",
        "Janet’s ducks’ eggs – “fresh” – cost $2, or $3 each.",
    ],
)
def test_sound_text_is_left_as_it_is_even_from_a_page(text):
    assert clean(text) == (text, [])


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("△ABC中, Z ABC=90o, 求证ZACB=45°", "△ABC中, ∠ABC=90°, 求证∠ACB=45°"),
        ("∵O的半径为5,\n.∴AB=10,\n∴BE2+CE2=BC2,", "∵⊙O的半径为5,\n∴AB=10,\n∴BE²+CE²=BC²,"),
        ("A.√2 B.2V3 C.4 D.6", "A.√2\nB.2√3\nC.4\nD.6"),
        (
            "The perpen-\ndicular bisector ofthe seg-\nment cuts 12 cm2, and x2 + 2x = 3.",
            "The perpendicular bisector of the segment cuts 12 cm², and x² + 2x = 3.",
        ),
        (r"Let \(x = \frac{1}{2\) and $y\).", r"Let \(x = \frac{1}{2}\) and $y$."),
        (
            "See Figure l: 3 x 4 = 12\n(l) Find ∠l.\n(2) Find 1l0.",
            "See Figure 1: 3 × 4 = 12\n(1) Find ∠1.\n(2) Find 110.",
        ),
    ],
)
def test_rules_work_together(text, cleaned):
    assert clean(text)[0] == cleaned


def test_formulas_in_latex_are_not_read_as_plain_text():
    text = r"If $x2 + x = O0$ and \(ZABC = 90o\) then \[V2 + a1, a2\]"
    assert clean(text) == (text, [])


def test_a_change_that_would_break_a_formula_is_not_made_and_one_that_breaks_none_is():
    greedy = Rule("greedy", lambda text: text.replace("}", "").replace("a", "b"), (("a", "b"),))
    kind = Rule("kind", lambda text: text.replace("x", "y"), (("x", "y"),))
    trace = []
    text = _one_pass([_Ready(greedy, ()), _Ready(kind, ())], "question", r"$\frac{a}{x}$", trace)
    assert (text, [step.rule for step in trace]) == (r"$\frac{a}{y}$", ["kind"])
    assert _one_pass([_Ready(greedy, ())], "question", "pl a", trace) == "pl b"


def test_a_repair_that_does_not_make_the_text_sound_is_not_made():
    assert clean(r"$\frac{1}{2$ and \( x", from_page=False) == (r"$\frac{1}{2$ and \( x", [])
    assert clean(r"$\frac{1}{2$", from_page=False)[0] == r"$\frac{1}{2}$"


def test_a_text_that_never_comes_to_rest_stays_as_it_came(monkeypatch):
    restless = Rule("restless", lambda text: text + "a", (("", "a"),))
    monkeypatch.setattr(_engine, "_PAGE_RULES", (_Ready(restless, ()),))
    assert clean("text") == ("text", [])


def test_the_text_of_a_trace_shows_what_stands_around_the_change():
    (step,) = clean("x" * 100 + "\u00a0" + "y" * 100)[1]
    assert step.before == "x" * 20 + "\u00a0" + "y" * 20
    assert step.after == "x" * 20 + " " + "y" * 20


def test_no_pattern_repeats_without_bound_what_a_line_may_be_full_of():
    """A search that begins at every place and runs to the end of the text each time takes the square of its length."""
    found = []
    for name in ("_characters", "_latex", "_geometry", "_numbers", "_words", "_layout", "_figures", "_pages", "_rule"):
        module = importlib.import_module(f"stepforge.cleaning.{name}")
        for value in vars(module).values():
            patterns = value if isinstance(value, tuple) else (value,)
            for held in patterns:
                pattern = held[0] if isinstance(held, tuple) and held else held
                if isinstance(pattern, re.Pattern):
                    found.append(pattern)
                    unbounded = re.findall(r"(?<!\\)(?:[*+]|\{\d+,\})(?![^\[]*\])", pattern.pattern)
                    assert not unbounded or "(?<!" in pattern.pattern or pattern.pattern in ALLOWED, pattern.pattern
    assert len(found) > 60


ALLOWED = {
    r"[^\w]+",  # it takes whole runs, and fails nowhere
    r"\\[\s\S]|\$\$?|\n\s*\n",
    r"\n{3,}",
}


@given(st.text(max_size=80))
def test_the_text_stays_in_normal_form(text):
    cleaned, _ = clean(text)
    assert cleaned == text or unicodedata.is_normalized("NFC", cleaned)
