import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepforge.cleaning import RULES, clean_problems, clean_text
from stepforge.vocabulary import Reason
from tests import make

# characters that the rules look for, beside ordinary text
ALPHABET = st.sampled_from(list("ab1$\\{}^_- \n\t\r\f\x08\x00\u200b\u00a0，。＝ｘ３（）∵∴√≥frac{times},!e\u0301"))


@pytest.mark.parametrize(("rule", "before", "after"), [(r, b, a) for r in RULES for b, a in r.examples])
def test_a_rule_does_what_its_examples_say(rule, before, after):
    assert rule.apply(before) == after


@given(st.lists(ALPHABET, max_size=60).map("".join) | st.text(max_size=60))
def test_cleaning_twice_is_cleaning_once(text):
    once, _ = clean_text("question", text, from_page=True)
    again, trace = clean_text("question", once, from_page=True)
    assert (again, trace) == (once, [])


@given(st.lists(ALPHABET, max_size=60).map("".join))
def test_a_change_always_leaves_a_trace_and_a_trace_is_a_change(text):
    cleaned, trace = clean_text("question", text, from_page=False)
    assert bool(trace) == (cleaned != text) or (trace and cleaned == text)
    for step in trace:
        assert step.before != step.after or len(step.before) >= 160


@pytest.mark.parametrize(
    "text",
    [
        r"\[ \frac{1}{2} + \sqrt{3} \]",
        r"$\begin{cases} x &= 1 \\ y &= 2 \end{cases}$",
        "∵ AB ⊥ CD，\n∴ ∠ABC = 90°，",
        "如图，“△ABC”中，x ≥ −3（1）",
        r"$\text{if } x<0$, $f(x)=\{1,2\}$",
    ],
)
def test_sound_text_is_left_as_it_is(text):
    assert clean_text("question", text, from_page=False) == (text, [])


def test_the_trace_is_kept_in_the_provenance():
    dirty = make.problem(question="What is\u00a02 + 2?\u200b", solution="ｘ＝４")
    (kept,) = clean_problems([dirty]).kept
    assert (kept.question, kept.solution) == ("What is 2 + 2?", "x=4")
    assert [(s.rule, s.field) for s in kept.provenance.cleaning] == [
        ("control_characters", "question"),
        ("odd_spaces", "question"),
        ("full_width", "solution"),
    ]
    assert "\u00a0" in kept.provenance.cleaning[1].before


def test_a_question_of_nothing_but_white_space_is_rejected_and_the_rest_goes_on():
    outcome = clean_problems([make.problem("s/1", question=" \u200b\n"), make.problem("s/2")])
    assert [p.problem_id for p in outcome.kept] == ["s/2"]
    assert [(r.record_id, r.reason) for r in outcome.rejections] == [("s/1", Reason.EMPTY_QUESTION)]
    assert "problems.json row:0" in outcome.rejections[0].detail
