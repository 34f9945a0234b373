"""Lettered options in whatever order a page sets them: one a line, in a row, in columns, with circled letters."""

import re
from typing import NamedTuple

from stepforge.records import Choice
from stepforge.sources import split_options

MAX_MARKS = 60
_CIRCLED = re.compile(r"[Ⓐ-Ⓗⓐ-ⓗ]")
_MARK = re.compile(r"(?:^|(?<=[^A-Za-z∠△⊙(（]))[(（]?([A-H])\s?[.．、:：)）]", re.MULTILINE)
_WEAK_MARK = re.compile(r"^([A-H])(?=\s{1,20}\S)", re.MULTILINE)  # a letter alone before its text


class Options(NamedTuple):
    """Where the options begin, and what they are."""

    start: int
    choices: tuple[Choice, ...]


def options_of(text: str) -> Options:
    """Options of a question, A to whatever is the last, each once; none: start is the text's length.

    They may stand in any order (two columns, read across, give A C B D); a circled letter is its option's label.
    """
    plain = _CIRCLED.sub(lambda m: f"{_letter(m[0])}.", text)
    same_length = len(plain) == len(text)
    for pattern in (_MARK, _WEAK_MARK):
        found = _complete(plain, pattern)
        if found is not None:
            start = found.start
            return found if same_length else Options(_back(text, start), found.choices)
    start, choices = split_options(plain)
    return Options(start if same_length else _back(text, start), choices)


def _letter(circled: str) -> str:
    code = ord(circled)
    return chr(code - 0x24B6 + 65) if code <= 0x24CF else chr(code - 0x24D0 + 65)


def _back(text: str, at: int) -> int:
    """The place in the text as it was before each circled letter became two characters."""
    added = 0
    for match in _CIRCLED.finditer(text):
        if match.start() + added >= at:
            break
        added += 1
    return at - added


def _complete(text: str, pattern: re.Pattern[str]) -> Options | None:
    """The last run of marks that has every label from A on exactly once, three at least."""
    marks = [m for _, m in zip(range(MAX_MARKS + 1), pattern.finditer(text), strict=False)]
    if len(marks) > MAX_MARKS:
        return None
    for first in range(len(marks) - 3, -1, -1):
        run = marks[first:]
        labels = [m[1] for m in run]
        if labels[0] != "A" or sorted(labels) != [chr(65 + k) for k in range(len(run))]:
            continue
        start = run[0].start()
        if labels != sorted(labels) and text[:start].rstrip(" \t")[-1:] not in ("", "\n"):
            continue
        ends = [*(m.start() for m in run[1:]), len(text)]
        texts = [text[m.end() : end].strip(" \t\r\n;；") for m, end in zip(run, ends, strict=True)]
        pairs = sorted(zip(labels, texts, strict=True))
        return Options(start, tuple(Choice(label=label, text=said) for label, said in pairs))
    return None
