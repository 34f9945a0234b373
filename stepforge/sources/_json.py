"""JSON and JSON Lines cut into records, so that a broken record costs itself and none of its neighbours.

An array or an object is walked member by member, each decoded once.  After a member that does not decode, reading goes
on at the next place that begins like a record of the same file.  A bad byte, a repeated key, a lone surrogate, a number
that JSON does not have or nesting beyond `MAX_DEPTH` cost the record that holds them.
"""

import json
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, NamedTuple, NoReturn

from stepforge.sources import _parquet
from stepforge.sources._base import RawRecord
from stepforge.sources._checked import EVIDENCE, MAX_DEPTH, checked, fault
from stepforge.sources._encoding import UTF8_MARK, Decoded, decode, utf8

__all__ = [
    "EVIDENCE",
    "MAX_DEPTH",
    "Decoded",
    "Header",
    "decode",
    "fault",
    "header",
    "keys_in",
    "lines",
    "list_at",
    "members",
    "records",
    "strings",
    "whole_file",
]

RESYNC_BUDGET = 20  # searches after damage read at most this many times the file's length
WINDOW_BYTES = 8 * 2**20  # of a large array or object that are text at one time
_SPACE = re.compile(r"[ \t\r\n]*")
_MEMBER = re.compile(r'"((?:[^"\\\n]|\\.){0,300})"[ \t\r\n]*:[ \t\r\n]*')
_FIRST_KEY = re.compile(r'\{[ \t\r\n]*"((?:[^"\\\n]|\\.){0,100})"')
_NEXT_ELEMENT = re.compile(r"\}[ \t\r\n]*,[ \t\r\n]*(?=\{)")
_NEXT_MEMBER = re.compile(r'\}[ \t\r\n]*,[ \t\r\n]*(?="(?:[^"\\\n]|\\.){0,300}"[ \t\r\n]*:[ \t\r\n]*(\{))')
_STRING = re.compile(r'"((?:[^"\\\n]++|\\.)*+)(?:"|\\?(?:\n|\Z))')
_SINGLE = re.compile(r'\s*\{\s*"(?:[^"\\\n]|\\.){0,300}"\s*:\s*[^{\s]')  # its first member is no object
_KEY = re.compile(r'"([^"\\\n]{1,60})"[ \t\r\n]{0,20}:')


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [k for k, _ in pairs]
        twice = next(k for i, k in enumerate(keys) if k in keys[:i])
        raise ValueError(f"the key {twice[:60]!r} stands twice in one object")
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant, parse_float=Decimal)


class _Failed(Exception):
    def __init__(self, why: str, position: int) -> None:
        super().__init__(why)
        self.why, self.position = why, position


def _value(text: str, start: int) -> tuple[Any, int]:
    """The value at `start` and where it ends.  Raises: _Failed."""
    try:
        return _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        raise _Failed(error.msg.removesuffix(" starting at"), error.pos) from None
    except RecursionError:
        raise _Failed(f"nested deeper than {MAX_DEPTH} levels", start) from None
    except (ValueError, ArithmeticError) as error:  # a repeated key, NaN, a number of 5,000 digits
        raise _Failed(str(error) or "a number is out of range", start) from None


def _key(text: str, at: int) -> tuple[str, int]:
    """The key at `at`, as valid text, and where its value begins.  Raises: _Failed."""
    match = _MEMBER.match(text, at)
    if match is None:
        raise _Failed("a key in double quotes and a colon are expected", at)
    try:
        key = str(json.loads(f'"{match[1]}"'))
    except ValueError:
        key = match[1]
    return key.encode(errors="backslashreplace").decode(), match.end()


def _ends(text: str, at: int) -> None:
    """Raises: _Failed if anything but space follows."""
    if text[at:].strip():
        raise _Failed("text after the record", at)


class _Walk:
    """Position in a text, with what is needed to go on after damage."""

    def __init__(self, text: str, line: int = 1, column: int = 1) -> None:
        """line, column: of the text's beginning in its file."""
        self.text = text
        self._origin = (0, line, 1 - column)
        self._counted, self._line, self._line_start = self._origin
        self._damaged = False
        self._budget = RESYNC_BUDGET * len(text)
        self._window, self._begin, self._fresh = text, 0, max(1 << 16, len(text) // 64)

    def skip(self, at: int) -> int:
        match = _SPACE.match(self.text, at)
        return match.end() if match else at

    def value(self, at: int) -> tuple[Any, int]:
        """The value at `at` and where it ends.  Raises: _Failed.

        The json module's error counts lines from the beginning of its text; after damage it is given the rest alone.
        """
        if self._damaged and at - self._begin > self._fresh:
            self._window, self._begin = self.text[at:], at
        try:
            value, end = _value(self._window, at - self._begin)
        except _Failed as failure:
            self._damaged = True
            raise _Failed(failure.why, failure.position + self._begin) from None
        return value, end + self._begin

    def where(self, at: int) -> str:
        """`line L, column C` of a position; positions must be asked in rising order to stay linear."""
        if at < self._counted:
            self._counted, self._line, self._line_start = self._origin
        self._line += self.text.count("\n", self._counted, at)
        newline = self.text.rfind("\n", self._counted, at)
        self._line_start = newline + 1 if newline >= 0 else self._line_start
        self._counted = at
        return f"line {self._line}, column {at - self._line_start + 1}"

    def resume(self, start: int, failed_at: int, *, keyed: bool) -> int | None:
        """Where the next record begins after the broken one at `start`; None if there is none.

        The next one begins with the same field as the broken one, maybe before the place where reading failed: a text
        that lacks its closing quote runs into it.  Where no such record comes, any object that follows will do.
        """
        pattern = _NEXT_MEMBER if keyed else _NEXT_ELEMENT
        own = _FIRST_KEY.search(self.text, start, min(len(self.text), start + 400))
        self._budget -= failed_at - start
        read = max(start + 1 if self._budget > 0 else failed_at - 1, start)
        first = None
        for match in pattern.finditer(self.text, read):
            first = match.end() if first is None and match.end() > failed_at else first
            self._budget -= match.end() - read
            read = match.end()
            sibling = _FIRST_KEY.match(self.text, match.start(1) if keyed else read)
            if (sibling and own and sibling[1] == own[1]) or (first is not None and (own is None or self._budget < 0)):
                return read
        return first


def _broken(walk: _Walk, locator: str, start: int, failure: _Failed) -> RawRecord:
    detail = f"{walk.where(failure.position)}: {failure.why}; correct the record"
    return RawRecord(locator, None, detail, walk.text[start : start + EVIDENCE], is_syntax=True)


def members(text: str, start: int = 0, *, alone: bool = True) -> Iterator[RawRecord]:
    """Records of the array (`row:N`, from 1) or object (`key:K`) that begins at `start`; nothing may follow it if it
    stands `alone`."""
    walk = _Walk(text)
    at = walk.skip(start)
    if text[at : at + 1] not in ("[", "{"):
        yield RawRecord("", None, f"{walk.where(at)}: no JSON array or object begins here", text[at : at + EVIDENCE])
        return
    yield from _members(walk, at + 1, keyed=text[at] == "{", alone=alone)


def _members(walk: _Walk, at: int, *, keyed: bool, alone: bool, row: int = 0) -> Iterator[RawRecord]:
    text, close = walk.text, "}" if keyed else "]"
    while True:
        at = walk.skip(at)
        if at >= len(text):
            yield RawRecord(
                f"row:{row + 1}", None, f"{walk.where(at)}: the file ends before its {close!r}", is_syntax=True
            )
            return
        if text[at] == close:
            break
        row += 1
        start, locator, key = at, f"row:{row}", None
        try:
            if keyed:
                key, at = _key(text, at)
                locator = f"key:{key}"
            value, at = walk.value(at)
            yield checked(locator, value, text[start : min(at, start + EVIDENCE)], key)
        except _Failed as failure:
            yield _broken(walk, locator, start, failure)
            resumed = walk.resume(start, failure.position, keyed=keyed)
            if resumed is None:
                return
            at = resumed
            continue
        at = walk.skip(at)
        if text[at : at + 1] == ",":
            at += 1
    rest = walk.skip(at + 1)
    if alone and rest < len(text):
        yield RawRecord(
            f"row:{row + 1}", None, f"{walk.where(rest)}: text after the end; remove it", text[rest : rest + 99]
        )


def _parsed(text: str, at: int, close: str, row: int, *, keyed: bool) -> tuple[list[RawRecord], int]:
    """The records from `at` on that the text has whole, something else following each, and where they end."""
    found: list[RawRecord] = []
    walk, done = _Walk(text), at
    while True:
        at = walk.skip(done)
        start, locator, key = at, f"row:{row + len(found) + 1}", None
        if text[at : at + 1] in (close, ""):
            return found, done
        try:
            if keyed:
                key, at = _key(text, at)
                locator = f"key:{key}"
            value, end = _value(text, at)
        except _Failed:
            return found, done
        at = walk.skip(end)
        if at >= len(text) or text[at] not in f",{close}":
            return found, done
        found.append(checked(locator, value, text[start : min(end, start + EVIDENCE)], key))
        done = at + (text[at] == ",")


def list_at(data: bytes, start: int) -> Iterator[RawRecord]:
    """Records of the array that begins at byte `start` of a file in UTF-8, whatever follows it."""
    yield from _windowed(data, start, alone=False)


def _windowed(data: bytes, start: int, *, alone: bool = True) -> Iterator[RawRecord]:
    """Records of the array or object that begins at byte `start` of UTF-8, of which one window is text at a time; what
    comes after damage is read as a whole, as in `members`."""
    keyed = data[start : start + 1] == b"{"
    close, row, line = "}" if keyed else "]", 0, 1 + data.count(b"\n", 0, start)
    column = start - data.rfind(b"\n", 0, start) + 1
    begin, size = start + 1, WINDOW_BYTES
    while begin + size < len(data):
        text = _cut(data[begin : begin + size]).decode("utf-8", errors="surrogateescape")
        found, done = _parsed(text, 0, close, row, keyed=keyed)
        yield from found
        if not alone and text[done:].lstrip(" \t\r\n")[:1] == close:
            return
        if not found:  # the record is larger than the window, or broken, or there are no more
            size *= 4
            continue
        row, size = row + len(found), WINDOW_BYTES
        newline = text.rfind("\n", 0, done)
        line, column = line + text.count("\n", 0, done), done - newline if newline >= 0 else column + done
        begin += len(text[:done].encode("utf-8", errors="surrogateescape"))
    text = data[begin:].decode("utf-8", errors="surrogateescape")
    yield from _members(_Walk(text, line, column), 0, keyed=keyed, alone=alone, row=row)


def _cut(data: bytes) -> bytes:
    """The bytes without the first ones of a character that ends later."""
    for back in range(1, min(4, len(data))):
        if data[-back] >= 0xC0:
            return data[:-back]
        if data[-back] < 0x80:
            break
    return data


def lines(data: bytes) -> Iterator[RawRecord]:
    """Records of a JSON Lines file in UTF-8, `row:N` with N the line number; empty lines are none."""
    at, number = len(UTF8_MARK) if data.startswith(UTF8_MARK) else 0, 0
    while at < len(data):
        end = data.find(b"\n", at)
        end = len(data) if end < 0 else end
        line, number = data[at:end].strip(), number + 1
        if line:
            yield _line(line, number, at)
        at = end + 1


def _line(line: bytes, number: int, offset: int) -> RawRecord:
    locator = f"row:{number}"
    try:
        text = line.decode()
        value, end = _value(text, 0)
        _ends(text, end)
    except UnicodeDecodeError as error:
        shown = line[:EVIDENCE].decode(errors="replace")
        why = f"line {number}: byte {offset + error.start} of the file (0x{line[error.start]:02x}) is no UTF-8"
        return RawRecord(locator, None, f"{why}; save the file as UTF-8", shown, is_syntax=True)
    except _Failed as failure:
        why = f"line {number}, column {failure.position + 1}: {failure.why}; correct the line"
        return RawRecord(locator, None, why, text[:EVIDENCE], is_syntax=True)
    return checked(locator, value, text[:EVIDENCE])


def _is_lines(text: str) -> bool:
    """Whether a text that begins with `{` is JSON Lines: one of its first lines is a whole object."""
    for line in text.splitlines()[:20]:
        if line.startswith("{"):
            try:
                value, end = _value(line, 0)
            except _Failed:
                continue
            if not line[end:].strip() and not all(isinstance(v, dict) for v in value.values()):
                return True
    return False


def whole_file(records: Iterator[RawRecord]) -> Iterator[RawRecord]:
    """The records; one record for the whole file if not a single one could be decoded."""
    held: list[RawRecord] = []
    for record in records:
        if record.is_syntax:
            held.append(record)
            continue
        yield from held
        yield record
        yield from records
        return
    if held:
        first = held[0]
        also = f" ({len(held) - 1} more places are broken too)" if len(held) > 1 else ""
        yield RawRecord("", None, f"no record can be read; {first.error}{also}", first.evidence)


def _one(text: str) -> Iterator[RawRecord]:
    walk = _Walk(text)
    start = walk.skip(0)
    try:
        value, end = _value(text, start)
        _ends(text, end)
        yield checked("row:1", value, text[:EVIDENCE])
    except _Failed as failure:
        yield _broken(walk, "row:1", start, failure)


def records(data: bytes) -> Iterator[RawRecord]:
    """Records of a JSON array, a JSON object of objects, a JSON Lines file, of a file that is one record, or the rows
    of a Parquet file.  They are made one by one; of a large file little more than its bytes is in memory."""
    if data.startswith(_parquet.MAGIC):
        yield from _parquet.rows(data)
        return
    found = utf8(data)
    if found.error is not None:
        yield RawRecord("", None, found.error)
        return
    data = found.data
    start = _first(data)
    if data[start : start + 1] == b"{" and _is_lines(data[start : start + (1 << 20)].decode(errors="replace")):
        yield from whole_file(lines(data))
    elif data[start : start + 1] in (b"[", b"{") and len(data) > WINDOW_BYTES and not _is_single(data, start):
        yield from whole_file(_windowed(data, start))
    else:
        yield from _whole(data.decode("utf-8", errors="surrogateescape"))


def _first(data: bytes) -> int:
    """Where the first byte stands that is no space."""
    found = re.search(rb"[^ \t\r\n]", data)
    return found.start() if found else len(data)


def _is_single(data: bytes, start: int) -> bool:
    return _SINGLE.match(data[start : start + 2000].decode(errors="replace")) is not None


def _whole(text: str) -> Iterator[RawRecord]:
    if _SINGLE.match(text):
        yield from whole_file(_one(text))
    elif text.strip():
        yield from whole_file(members(text))


class Header(NamedTuple):
    """The plain members of an object, and where its list of records begins."""

    fields: dict[str, Any]
    start: int | None
    error: str | None = None


def header(text: str, name: str) -> Header:
    """What an object says beside its member `name`, which is a list of records and may be damaged."""
    walk = _Walk(text)
    at = walk.skip(0)
    fields: dict[str, Any] = {}
    start: int | None = None
    if text[at : at + 1] != "{":
        return Header({}, None, f"{walk.where(at)}: the file is no object; write it as {{...}}")
    try:
        at = walk.skip(at + 1)
        while text[at : at + 1] not in ("}", ""):
            key, at = _key(text, at)
            if key == name and text[at : at + 1] == "[":
                start = at
                try:
                    at = _after_list(walk, at)
                except _Failed:
                    break  # a damaged list; what follows it cannot be told
            else:
                value, at = _value(text, at)
                if key != name:
                    fields[key] = value
            at = walk.skip(at)
            at = walk.skip(at + 1) if text[at : at + 1] == "," else at
    except _Failed as failure:
        return Header(fields, start, f"{walk.where(failure.position)}: {failure.why}; correct the file")
    return Header(fields, start, fault(fields))


def _after_list(walk: _Walk, at: int) -> int:
    """Where the array at `at` ends, its members decoded one by one and forgotten.  Raises: _Failed."""
    at = walk.skip(at + 1)
    while walk.text[at : at + 1] != "]":
        _member, at = _value(walk.text, at)
        at = walk.skip(at)
        if walk.text[at : at + 1] == ",":
            at = walk.skip(at + 1)
        elif walk.text[at : at + 1] != "]":
            raise _Failed("a comma or the list's end is expected", at)
    return at + 1


def keys_in(head: bytes) -> frozenset[str]:
    """Names followed by a colon in the beginning of a file; right for damaged and cut files too."""
    return frozenset(_KEY.findall(head.decode("utf-8", errors="replace")))


def strings(text: str) -> Iterator[str]:
    """Every string of a JSON text, decoded, in order; a damaged file gives those that can be told."""
    for match in _STRING.finditer(text):
        inner = match[1]
        if "\\" in inner and len(inner) <= 2000:
            try:
                inner = str(json.loads(f'"{inner}"', strict=False))
            except ValueError:
                continue
        yield inner
