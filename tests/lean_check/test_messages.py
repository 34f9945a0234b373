import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lean_check.messages import MAX_MESSAGE_CHARS, error_kinds, missing_library, parse


def line(text, severity="error", **more):
    return json.dumps({"severity": severity, "data": text, "pos": {"line": 1, "column": 0}, **more}).encode()


# texts as Lean 4.35 prints them
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Type mismatch\n  Eq.refl Nat.zero\nhas type", "type_mismatch"),
        ("type mismatch\n  rfl\nhas type", "type_mismatch"),
        ("Unknown identifier `foo`", "unknown_name"),
        ("unexpected token '#check'; expected term", "syntax"),
        ("unterminated comment", "syntax"),
        ("unknown tactic", "syntax"),
        ("unsolved goals\n⊢ True", "unsolved_goals"),
        ("maximum recursion depth has been reached\nuse `set_option maxRecDepth <num>`", "deep_recursion"),
        ("(deterministic) timeout at `whnf`, maximum number of heartbeats (200000) has been reached", "heartbeats"),
        ("failed to synthesize\n  HAdd Nat Bool ?m", "no_instance"),
        ("unknown module prefix 'Mathlib'\n\nNo directory 'Mathlib'", "unknown_import"),
        ("Tactic `rewrite` failed: Did not find an occurrence", "tactic_failed"),
        ("something new", "lean_error"),
    ],
)
def test_an_error_is_counted_under_its_kind(text, kind):
    assert error_kinds(parse(line(text)).messages) == (kind,)


def test_only_a_known_library_can_be_missing_through_no_fault_of_the_text():
    absent = "unknown module prefix '{}'\n\nNo directory"
    assert missing_library(parse(line(absent.format("Mathlib"))).messages) == "Mathlib"
    assert missing_library(parse(line(absent.format("Escape"))).messages) is None
    moved = "object file '/x/Mathlib/Gone.olean' of module Mathlib.Gone does not exist"
    assert missing_library(parse(line(moved)).messages) is None


def test_a_long_message_is_cut_and_a_position_behind_the_text_is_its_last_line():
    message = parse(line("x" * 3 * MAX_MESSAGE_CHARS, pos={"line": 9, "column": 5})).messages[0].public(last_line=2)
    assert len(message.text) < MAX_MESSAGE_CHARS + 20
    assert (message.line, message.column) == (2, 0)


@given(st.binary(max_size=300))
def test_no_output_breaks_the_reader_and_every_line_is_counted(data):
    parsed = parse(data)
    lines = [part for part in data.split(b"\n") if part.strip()]
    assert len(parsed.messages) + parsed.other_lines == len(lines)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda x: st.lists(x) | st.dictionaries(st.sampled_from(["severity", "data", "pos", "line", "column", "kind"]), x),
    max_leaves=8,
)


@given(JSON, st.sampled_from(["error", "warning", "information", "fatal"]))
def test_no_json_breaks_the_reader_and_texts_can_be_written_as_utf8(value, severity):
    raw = value if isinstance(value, dict) else {"data": value, "pos": value}
    for message in parse(json.dumps({**raw, "severity": severity}).encode()).messages:
        message.public(1).text.encode()


def test_the_command_behind_the_text_is_spoken_of_as_its_end():
    [message] = parse(line("unexpected token '#check'; expected term")).messages
    assert message.public(1, "theorem t : a :=").text == "unexpected end of the text; expected term"
    assert message.public(1, "theorem t : a := #check 1").text == message.text
