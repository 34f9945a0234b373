import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lean_check.schema import from_json, verdict_schema
from lean_check.statements import placed, read_rows, with_sorry
from lean_check.verdict import Message, Verdict


def read(*rows):
    return list(read_rows("\n".join(json.dumps(row) if isinstance(row, dict) else row for row in rows).encode()))


def test_a_row_is_a_statement_under_its_header():
    [row] = read({"id": "a", "statement": "theorem t : True := by", "header": "open Nat"})
    assert row.item.source == "open Nat\ntheorem t : True := by sorry\n"
    assert (row.item.name, row.item.statement_only, row.item.header_end, row.header_lines) == ("a", True, 9, 1)


def test_a_proof_is_taken_as_it_is():
    [row] = read({"statement": "theorem t : True := by", "proof": True})
    assert (row.item.name, row.item.source, row.item.statement_only) == ("line 1", "theorem t : True := by", False)


@pytest.mark.parametrize(
    ("statement", "whole"),
    [
        ("theorem t : a :=", "theorem t : a := sorry\n"),
        ("theorem t : a := by  \n", "theorem t : a := by sorry\n"),
        ("theorem t : a := rfl", "theorem t : a := rfl"),
        ("theorem t : a :=\n  sorry", "theorem t : a :=\n  sorry"),
        ("theorem t : a", "theorem t : a"),
    ],
)
def test_a_statement_that_stops_where_its_proof_would_begin_gets_sorry(statement, whole):
    assert with_sorry(statement) == whole


def test_an_id_stands_for_one_row_and_a_field_for_one_value():
    rows = read(
        {"id": "a", "statement": "x"},
        {"id": "a", "statement": "y"},
        '{"id": "b", "statement": "x", "statement": "y"}',
        {"id": "c"},
    )
    assert [row.item.name if row.item else row.verdict.file for row in rows] == ["a", "line 2", "line 3", "c"]
    said = [row.verdict.messages[0].text for row in rows if row.verdict is not None]
    assert said[0] == "line 2: the id a is also that of line 1"
    assert said[1] == "line 3: a field that is there twice"


BROKEN = [
    "nonsense", "[1]", "{}", '{"statement": 1}', '{"statement": "x", "extra": 1}', '{"statement": "x", "proof": "yes"}',
    '{"statement": "x", "id": 7}', '{"statement": "x", "header": []}', "[" * 100_000,
]  # fmt: skip


@pytest.mark.parametrize("row", BROKEN)
def test_a_broken_row_is_rejected_by_its_line_and_the_others_go_on(row):
    first, second = read("", row, {"statement": "theorem t : True := trivial"})[-2:]
    assert (first.verdict.verdict, first.verdict.reasons, first.verdict.file) == ("rejected", ("bad_row",), "line 2")
    assert second.item.name == "line 3"


@given(st.binary(max_size=300))
def test_no_bytes_break_the_reader(data):
    rows = list(read_rows(data))
    assert len(rows) == sum(bool(line.strip()) for line in data.split(b"\n"))
    assert all((row.item is None) != (row.verdict is None) for row in rows)


def test_positions_are_those_of_the_statement_and_a_message_of_the_header_says_so():
    [row] = read({"statement": "theorem t : a := b", "header": "open A\nopen B\n"})
    messages = tuple(Message("error", line, 4, "m") for line in (1, 3, None))
    got = placed(row, Verdict("t", "rejected", ("x",), messages)).messages
    assert [(m.line, m.column, m.text) for m in got] == [(None, None, "header, line 1: m"), (1, 4, "m"), (None, 4, "m")]


TEXT = st.text(max_size=20)
MESSAGES = st.lists(st.builds(Message, TEXT, st.none() | st.integers(), st.none() | st.integers(), TEXT), max_size=3)
VERDICTS = st.builds(
    Verdict,
    TEXT,
    st.sampled_from(["accepted", "rejected", "infrastructure"]),
    st.lists(TEXT, max_size=3).map(tuple),
    MESSAGES.map(tuple),
    axioms=st.none() | st.lists(TEXT, max_size=2).map(tuple),
    seconds=st.none() | st.floats(0, 1e6),
    peak_bytes=st.none() | st.integers(0),
    toolchain=st.none() | TEXT,
)


@given(VERDICTS)
def test_the_json_is_printable_loses_nothing_and_can_be_encoded(verdict):
    line = replace(verdict, file="a\xa0b\u202e\udcff\x1b\U000e0001∀").to_json()
    assert line.isprintable()
    assert json.loads(line.encode())["file"] == "a\xa0b\u202e\udcff\x1b\U000e0001∀"


@given(VERDICTS)
def test_a_verdict_comes_back_from_its_json(verdict):
    assert from_json(verdict.to_json()) == verdict


@given(VERDICTS)
def test_the_json_has_the_fields_and_types_of_the_schema(verdict):
    schema, value = verdict_schema(), json.loads(verdict.to_json())
    assert list(schema["properties"]) == list(value) == schema["required"]
    kinds = {"string": str, "integer": int, "number": (int, float), "array": list, "null": type(None), "object": dict}

    def fits(part, shape):
        if "anyOf" in shape:
            return any(fits(part, one) for one in shape["anyOf"])
        if "enum" in shape:
            return part in shape["enum"]
        if not isinstance(part, kinds[shape["type"]]):
            return False
        if isinstance(part, dict):
            return set(part) == set(shape["required"]) and all(fits(part[k], s) for k, s in shape["properties"].items())
        return not isinstance(part, list) or all(fits(one, shape["items"]) for one in part)

    assert fits(value, schema)
    assert not fits({**value, "verdict": "maybe"}, schema)


@pytest.mark.parametrize("line", ["[]", "7", "{}", '{"file": 1, "no": 2}', "nonsense"])
def test_what_is_no_verdict_is_not_read_as_one(line):
    with pytest.raises(ValueError, match=r"."):
        from_json(line)
