"""The lines of a paper: running heads left out, paragraphs joined, numbered marks found and put into sequence."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from stepforge.records import Page

MAX_GAP = 3  # a number may be missing where a mark was misread, more is another list
INDENT = 1.5  # line heights; a list inside a problem stands further in than the problems' numbers
FULL_LINE = 0.88  # of the text width; a shorter line ends its paragraph

_FOLIO = re.compile(
    r"(?:page\s{0,3})?\d{1,4}(?:\s{0,3}(?:of|/)\s{0,3}\d{1,4})?|[-–—]\s{0,3}\d{1,4}\s{0,3}[-–—]|第\s?\d{1,4}\s?页.{0,12}",
    re.I,
)
_ENDS = re.compile(r"[.。!！?？;；:：][\"”’)）]?$")
_STARTS_NEW = re.compile(r"[∵∴①-⑳•]|[(（]\d{1,2}[)）]|[A-H] ?[.．、)）]|[(（][A-H][)）]|Step\b|步骤")
_HAN_EDGE = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")
_HAN_DIGITS = "一二三四五六七八九"


class Line(NamedTuple):
    """One line with its page; `is_full`: it reaches the right margin, so that its paragraph may go on."""

    text: str
    page: int
    x0: float
    height: float
    is_full: bool
    confidence: float | None


class Mark(NamedTuple):
    """A line that begins with a number: which line, which number, where the text after it begins."""

    line: int
    number: int
    end: int
    x0: float
    height: float


class Block(NamedTuple):
    """The lines under one number, the mark cut off."""

    number: int
    lines: tuple[Line, ...]


def _han_number(text: str) -> int:
    """The value of a number below 100 in digits or Chinese characters."""
    if text.isdecimal():
        return int(text)
    tens, ten, ones = text.rpartition("十")
    return (10 * ((_HAN_DIGITS.index(tens) + 1) if tens else 1) if ten else 0) + (
        _HAN_DIGITS.index(ones) + 1 if ones else 0
    )


_AFTER = r"\s{0,3}(?:[(（\[]\s?\d{1,3}\s?(?:points?|marks?|pts|分)\s?[)）\]])?\s{0,9}[.:：．、]?\s{0,9}"
STYLES = (  # from the plainest sign of a problem to the one most used for other things
    re.compile(
        rf"(?:problem|question|exercise|Q)\s{{0,3}}\.?\s{{0,3}}(?:no\.?\s)?(\d{{1,3}})(?![\d%])[.:)）]?{_AFTER}", re.I
    ),
    re.compile(rf"第\s?(\d{{1,3}}|[一二三四五六七八九]?十?[一二三四五六七八九]?)\s?题{_AFTER}"),
    re.compile(rf"(\d{{1,3}})\s{{0,2}}(?:[.．](?!\d)|[、)）]){_AFTER}"),
    re.compile(rf"[(（]\s?(\d{{1,3}})\s?[)）]{_AFTER}"),
)


def lines_of(pages: Iterable[Page]) -> list[Line]:
    """The lines of the readable pages in order, without running heads and page numbers."""
    readable = [page for page in pages if page.error is None]
    heads = _running(readable)
    found = []
    for page in readable:
        if not page.lines:
            continue
        left, right = min(line.x0 for line in page.lines), max(line.x1 for line in page.lines)
        last = len(page.lines) - 1
        for i, line in enumerate(page.lines):
            at_edge = i < 1 or i == last
            if at_edge and (_folio(line.text, page.number, len(page.lines)) or _plain(line.text) in heads):
                continue
            full = line.x1 - left >= FULL_LINE * (right - left)
            height = max(1.0, line.y1 - line.y0)
            found.append(Line(line.text.strip(), page.number, line.x0, height, full, line.confidence))
    return [line for line in found if line.text]


def _folio(text: str, number: int, n_lines: int) -> bool:
    text = text.strip()
    return n_lines > 1 and bool(_FOLIO.fullmatch(text)) and (not text.isdecimal() or int(text) == number)


def _plain(text: str) -> str:
    return re.sub(r"\d+", "0", text.strip())


def _running(pages: Sequence[Page]) -> frozenset[str]:
    """First and last lines that stand, numbers aside, on three pages or more and on more than half of them."""
    edges = [{_plain(page.lines[0].text), _plain(page.lines[-1].text)} for page in pages if len(page.lines) > 2]
    counts = Counter(text for texts in edges for text in sorted(texts))
    return frozenset(text for text, n in counts.items() if n >= 3 and 2 * n > len(pages))


def joined(lines: Iterable[Line]) -> str:
    """The lines as paragraphs, one a line of the result.

    A line goes on in the next if that begins with a small letter, or if it reaches the right margin and ends no
    sentence.  No space is put between Chinese characters.  A hyphen at a line's end keeps its line end: whether it
    belongs to the word is for a cleaning rule.
    """
    text, before = "", None
    for line in lines:
        if not line.text:
            continue
        if before is not None:
            text += _between(before, line)
        text += line.text
        before = line
    return text


def _between(before: Line, line: Line) -> str:
    goes_on = line.text[0].islower() or (before.is_full and not _ENDS.search(before.text))
    if before.text.endswith("-") or not goes_on or _STARTS_NEW.match(line.text):
        return "\n"
    return "" if _HAN_EDGE.match(before.text[-1]) and _HAN_EDGE.match(line.text[0]) else " "


def marks_of(lines: Sequence[Line], style: re.Pattern[str]) -> list[Mark]:
    """Lines that begin with a number of the style."""
    found = []
    for i, line in enumerate(lines):
        match = style.match(line.text)
        if match and match[1]:
            found.append(Mark(i, _han_number(match[1]), match.end(), line.x0, line.height))
    return found


def in_sequence(marks: Sequence[Mark]) -> list[Mark]:
    """The marks that count on from the first: each is the next number, or skips up to two that come nowhere later.

    It begins at the first 1, or at the first mark if there is none.  A mark further in than the first belongs to a list
    inside a problem.
    """
    start = next((i for i, m in enumerate(marks) if m.number == 1), 0)
    last_at = {m.number: i for i, m in enumerate(marks)}
    chain: list[Mark] = []
    for i, mark in enumerate(marks[start:], start):
        if not chain:
            chain.append(mark)
            continue
        if mark.x0 > chain[0].x0 + INDENT * max(mark.height, chain[0].height):
            continue
        expected = chain[-1].number + 1
        skipped = range(expected, mark.number)
        if mark.number == expected or (
            expected < mark.number <= chain[-1].number + MAX_GAP and all(last_at.get(n, -1) < i for n in skipped)
        ):
            chain.append(mark)
    return chain


def blocks_of(lines: Sequence[Line]) -> list[Block]:
    """Numbered blocks in the style that numbers most; a plainer style wins from half as many on."""
    chains = [in_sequence(marks_of(lines, style)) for style in STYLES]
    most = max(len(chain) for chain in chains)
    chain = next((c for c in chains if c and 2 * len(c) >= most), [])
    ends = [*(mark.line for mark in chain[1:]), len(lines)]
    return [_block(lines, mark, end) for mark, end in zip(chain, ends, strict=True)] if chain else []


def _block(lines: Sequence[Line], mark: Mark, end: int) -> Block:
    first = lines[mark.line]
    head = first._replace(text=first.text[mark.end :].strip())
    return Block(mark.number, (head, *lines[mark.line + 1 : end]))
