"""Statements from JSON Lines: one object a line, `{"id": …, "statement": …, "header": …, "proof": …}`.

`header` (imports, `open`, definitions) may be absent or be shared by many; `proof: true` holds the text to be a whole
proof, without `sorry`.  A statement that ends where its proof would begin gets `sorry` for one.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from lean_check.batch import Item
from lean_check.check import METHOD_VERSION
from lean_check.verdict import Message, Verdict

MAX_ROW_BYTES = 4_000_000  # four times the largest text that is checked
_FIELDS = frozenset({"id", "statement", "header", "proof"})
_OPEN_END = re.compile(r":=(\s*by)?\s*\Z")
_NO_PROOF = re.compile(r"\s*\Z")


class BadRowError(ValueError):
    """What is wrong with a line."""


@dataclass(frozen=True)
class Row:
    """One line: an item to check, or the verdict of a line that is none.  `header_lines` come before the statement."""

    item: Item | None
    header_lines: int = 0
    verdict: Verdict | None = None


def read_rows(data: bytes) -> Iterator[Row]:
    """Every line that is not empty.  A broken one is rejected as `bad_row`, under its id where that can be read; the
    others go on.  So is one with the id of a line before it: no verdict could be told from the other."""
    lines: dict[str, int] = {}
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        name = f"line {number}"
        try:
            raw = _object(line)
            given = raw.get("id", name)
            if not isinstance(given, str):
                raise BadRowError("`id` is a string")
            if lines.setdefault(given, number) != number:
                raise BadRowError(f"the id {given[:200]} is also that of line {lines[given]}")
            name = given
            yield _row(raw, name)
        except (ValueError, RecursionError) as error:
            message = Message("refused", None, None, f"line {number}: {error}"[:500])
            yield Row(None, verdict=Verdict(name, "rejected", ("bad_row",), (message,), method=METHOD_VERSION))


def _object(line: bytes) -> dict[str, Any]:
    if len(line) > MAX_ROW_BYTES:
        raise BadRowError(f"{len(line)} bytes; at most {MAX_ROW_BYTES} are read")
    raw = json.loads(line, object_pairs_hook=_fields_once)
    if not isinstance(raw, dict):
        raise BadRowError("not a JSON object")
    return raw


def _fields_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise BadRowError("a field that is there twice")
    return found


def _row(raw: dict[str, Any], name: str) -> Row:
    if unknown := sorted(set(raw) - _FIELDS):
        raise BadRowError(f"unknown fields {', '.join(unknown)[:200]}; known: {', '.join(sorted(_FIELDS))}")
    statement, header, proof = raw.get("statement"), raw.get("header", ""), raw.get("proof", False)
    if not (isinstance(statement, str) and isinstance(header, str)):
        raise BadRowError("`statement` and `header` are strings, and `statement` is needed")
    if not isinstance(proof, bool):
        raise BadRowError("`proof` is true or false")
    header = header if not header or header.endswith("\n") else header + "\n"
    text = header + (statement if proof else with_sorry(statement))
    return Row(Item(name, text, statement_only=not proof, header_end=len(header)), header.count("\n"))


def with_sorry(statement: str) -> str:
    """The statement with `sorry` for its proof, if it stops where the proof would begin."""
    return _NO_PROOF.sub(" sorry\n", statement, count=1) if _OPEN_END.search(statement) else statement


def placed(row: Row, verdict: Verdict) -> Verdict:
    """The verdict with positions in the statement; a message about the header says so and has none."""
    if row.header_lines == 0:
        return verdict
    return replace(verdict, messages=tuple(_placed(message, row.header_lines) for message in verdict.messages))


def _placed(message: Message, header_lines: int) -> Message:
    if message.line is None:
        return message
    if message.line > header_lines:
        return replace(message, line=message.line - header_lines)
    return replace(message, line=None, column=None, text=f"header, line {message.line}: {message.text}")
