"""Heads, feet, page numbers and watermarks taken off the pages of a paper before it is split."""

import re
import statistics
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Container, Iterator, Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

from stepforge.records import CleaningStep, Page, PageLine

EDGE_LINES = 2  # a head or foot is among the first or last lines of its page
HEAD_GAP = 1.2  # times the usual distance of lines is between a head and the text
SAME_PLACE = 0.02  # of the page's height; a head stands where it stood on the page before
MARK_PLACE = 0.04  # the same of a watermark, of which the engine reads now more, now less
TALL = 1.6  # times the usual height of a line
MIN_PAGES = 3  # a text on so many pages and on a third of them is no problem's
MAX_CORES = 100
SNIPPET_CHARS = 160  # of a trace
MAX_MARK = 60  # characters; a mark across a page is short
MIN_HAN, MIN_LATIN = 2, 4  # characters of a watermark that are left of it

_FOLIO = re.compile(
    r"(?:page|p\.)\s{0,3}\d{1,4}(?:\s{0,3}(?:of|/)\s{0,3}\d{1,4})?|\d{1,4}\s{0,3}(?:of|/)\s{0,3}\d{1,4}"
    r"|[-–—·]\s{0,3}\d{1,4}\s{0,3}[-–—·]"
    r"|第\s?\d{1,4}\s?页[\s,，/（(]{0,3}(?:共\s?\d{1,4}\s?页)?[)）]?",
    re.I,
)
_CONTINUED = re.compile(
    r"[(（\[]?(?:continued(?: (?:on|from)(?: the)? (?:next|previous|last) page)?|turn over|please turn over"
    r"|接上页|接下页|转下页)[.…]{0,3}[)）\]]?",
    re.I,
)
_PROBLEM = re.compile(r"(?:\d{1,3}|[A-H]|[(（]\d{1,2}[)）])\s?[.．、)）]")
_DIGITS = re.compile(r"\d{1,9}")
_NOT_WORD = re.compile(r"[^\w]+")
_NOT_MARK = re.compile(r"[\d=+,，。;；:：∵∴∠△]")
_HAN = re.compile(r"[\u3400-\u9fff]")


class CleanedPages(NamedTuple):
    """The pages without what is no part of a problem, and what was taken off, its field `page N`."""

    pages: list[Page]
    trace: list[CleaningStep]

    def trace_of(self, numbers: Collection[int]) -> list[CleaningStep]:
        """What was taken off the pages of these numbers."""
        fields = {_field(number) for number in numbers}
        return [step for step in self.trace if step.field in fields]


class _Place(NamedTuple):
    page: int  # position in the sequence
    line: int


def clean_pages(pages: Sequence[Page]) -> CleanedPages:
    """The pages without running heads and feet, page numbers, marks of continuation, and watermarks.

    A head or foot is a text that stands, numbers aside, in the same place on three pages and on a third of them, or on
    both of two.  A watermark is a text, or a part of one, that stands by itself inside three pages or more; its parts
    at an end of other lines go with it.  Pages with an error stay as they are.
    """
    gone: dict[_Place, tuple[str, str]] = {}
    readable = [i for i, page in enumerate(pages) if page.error is None and page.lines]
    for place in _running(pages, readable):
        gone[place] = ("running_heads", "")
    for place in _folios(pages, readable):
        gone.setdefault(place, ("page_numbers", ""))
    cleaned = _applied(pages, gone | _cut(pages, readable, gone))
    bare = [tuple(line for line in page.lines if line.text) for page in cleaned.pages]
    left = [page.model_copy(update={"lines": lines}) for page, lines in zip(cleaned.pages, bare, strict=True)]
    return CleanedPages(left, cleaned.trace)


def without_watermarks(pages: Sequence[Page]) -> CleanedPages:
    """The pages without watermarks, as `clean_pages` finds them; a line that was nothing else stays, empty."""
    readable = [i for i, page in enumerate(pages) if page.error is None and page.lines]
    edges = dict.fromkeys([*_running(pages, readable), *_folios(pages, readable)], ("", ""))
    return _applied(pages, _cut(pages, readable, edges))


def _cut(pages: Sequence[Page], readable: Sequence[int], gone: Container[_Place]) -> dict[_Place, tuple[str, str]]:
    """The lines that have a part of a watermark, and what is left of them."""
    marks = _watermarks(pages, readable, gone)
    cut = {}
    for place in (_Place(i, n) for i in readable for n in range(len(pages[i].lines))):
        text = pages[place.page].lines[place.line].text
        if place not in gone and (left := _without(text, marks)) != text:
            cut[place] = ("watermarks", left)
    return cut


def _field(number: int) -> str:
    return f"page {number}"


def _applied(pages: Sequence[Page], changes: dict[_Place, tuple[str, str]]) -> CleanedPages:
    """The pages with the new texts of lines, by rule, and a trace of them."""
    made, trace = [], []
    for i, page in enumerate(pages):
        lines = list(page.lines)
        for n, line in enumerate(page.lines):
            if (change := changes.get(_Place(i, n))) is not None:
                rule, left = change
                before, after = line.text[:SNIPPET_CHARS], left[:SNIPPET_CHARS]
                trace.append(CleaningStep(rule=rule, field=_field(page.number), before=before, after=after))
                lines[n] = line.model_copy(update={"text": left})
        made.append(page if lines == list(page.lines) else page.model_copy(update={"lines": tuple(lines)}))
    return CleanedPages(made, trace)


def _plain(text: str) -> str:
    """What stays the same of a head from page to page and from reading to reading."""
    return _NOT_WORD.sub("", _DIGITS.sub("0", unicodedata.normalize("NFKC", text))).lower()


def _middle(line: PageLine) -> float:
    return (line.y0 + line.y1) / 2


def _height(pages: Sequence[Page], readable: Sequence[int]) -> float:
    """The height of the text on the fullest page, for want of the page's own."""
    return max((max(line.y1 for line in pages[i].lines) for i in readable), default=1.0)


def _running(pages: Sequence[Page], readable: Sequence[int]) -> list[_Place]:
    """Heads and feet: repeated texts together at an edge, further from the text than its lines from each other."""
    repeated = _repeated(pages, readable)
    found = []
    for i in readable:
        lines = pages[i].lines
        steps = [b - a for a, b in pairwise(map(_middle, lines)) if b > a]
        if not steps:
            continue
        gap = HEAD_GAP * statistics.median(steps)
        for edge in (range(len(lines)), range(len(lines) - 1, -1, -1)):
            run = list(takewhile(lambda n, i=i: _Place(i, n) in repeated, edge[: EDGE_LINES + 1]))  # type: ignore[misc]
            for size in range(min(len(run), EDGE_LINES, len(lines) - 1), 0, -1):
                if abs(_middle(lines[edge[size]]) - _middle(lines[edge[size - 1]])) >= gap:
                    found += [_Place(i, n) for n in edge[:size]]
                    break
    return found


def _repeated(pages: Sequence[Page], readable: Sequence[int]) -> set[_Place]:
    """Lines near an edge that say the same in the same place on enough pages; a number may count the pages."""
    tolerance = SAME_PLACE * _height(pages, readable)
    by_text: dict[str, list[_Place]] = defaultdict(list)
    for i in readable:
        count = len(pages[i].lines)
        for n in sorted({*range(min(EDGE_LINES, count)), *range(max(0, count - EDGE_LINES), count)}):
            plain = _plain(pages[i].lines[n].text)
            if len(plain) >= 2 and not _PROBLEM.match(pages[i].lines[n].text.strip()):
                by_text[plain].append(_Place(i, n))
    found: set[_Place] = set()
    for places in by_text.values():
        usual = statistics.median(_middle(_line(pages, place)) for place in places)
        there = [p for p in places if abs(_middle(_line(pages, p)) - usual) <= tolerance]
        there = _counting(pages, there)
        count = len({p.page for p in there})
        if (count >= MIN_PAGES and 3 * count >= len(readable)) or count == len(readable) == 2:
            found |= set(there)
    return found


def _line(pages: Sequence[Page], place: _Place) -> PageLine:
    return pages[place.page].lines[place.line]


def _counting(pages: Sequence[Page], places: list[_Place]) -> list[_Place]:
    """Those places in which each number is what it is in most of them, or differs from the page's number as it does."""
    numbers = {p: [int(n) for n in _DIGITS.findall(_line(pages, p).text)] for p in places}
    for column in range(max(map(len, numbers.values()), default=0)):
        value = Counter(numbers[p][column] for p in places if column < len(numbers[p]))
        offset = Counter(numbers[p][column] - pages[p.page].number for p in places if column < len(numbers[p]))
        (same, n_same), (step, n_step) = value.most_common(1)[0], offset.most_common(1)[0]
        places = [
            p
            for p in places
            if column < len(numbers[p])
            and (numbers[p][column] == same if n_same >= n_step else numbers[p][column] - pages[p.page].number == step)
        ]
        if not places:
            return []
    return places


def _folios(pages: Sequence[Page], readable: Sequence[int]) -> list[_Place]:
    found = []
    for i in readable:
        count = len(pages[i].lines)
        for n in sorted({*range(min(EDGE_LINES, count)), *range(max(0, count - EDGE_LINES), count)}):
            text = pages[i].lines[n].text.strip()
            at_end = n in (0, len(pages[i].lines) - 1)
            is_number = at_end and text.isdecimal() and int(text) == pages[i].number
            if is_number or _FOLIO.fullmatch(text) or _CONTINUED.fullmatch(text):
                found.append(_Place(i, n))
    return found


def _long_enough(text: str) -> bool:
    return len(_HAN.findall(text)) >= MIN_HAN or (len(text) >= MIN_LATIN and text.isalpha())


class _Fragment(NamedTuple):
    """A stretch of text that may be a part of a watermark, blanks left out, and where it ends."""

    text: str
    page: int
    x: float
    y: float
    is_tall: bool


def _fragments(pages: Sequence[Page], i: int, gone: Container[_Place]) -> Iterator[_Fragment]:
    """The lines of a page, and of those that are tall because something slanted was read with them, the last words."""
    usual = statistics.median(line.y1 - line.y0 for line in pages[i].lines)
    for n, line in enumerate(pages[i].lines):
        if _Place(i, n) in gone:
            continue
        words = line.text.split()
        tall = line.y1 - line.y0 > TALL * usual
        for start in range(len(words) - 1, -1, -1) if tall else (0,):
            text = "".join(words[start:])
            if len(text) > MAX_MARK or _NOT_MARK.search(text):
                break
            if _long_enough(text):
                yield _Fragment(text, i, line.x1, _middle(line), tall)


def _watermarks(pages: Sequence[Page], readable: Sequence[int], gone: Container[_Place]) -> list[str]:
    """Texts of watermarks, blanks left out: the longest readings first."""
    seen: dict[str, list[_Fragment]] = defaultdict(list)
    for i in readable:
        for fragment in _fragments(pages, i, gone):
            seen[fragment.text].append(fragment)
    cores = _cores(seen, MARK_PLACE * _height(pages, readable))
    marks: list[str] = []
    for text in sorted(seen, key=lambda t: (-len(t), t)):
        longest = max((len(core) for core in cores if core in text), default=0)
        if 3 * longest < len(text) or longest == 0 or any(text in mark for mark in marks):
            continue
        parts = [fragment for part in seen if part in text for fragment in seen[part]]
        on = {fragment.page for fragment in parts}
        enough = 2 if all(fragment.is_tall for fragment in parts) else MIN_PAGES
        if len(on) >= enough and 4 * len(on) >= len(readable):
            marks.append(text)
    return marks


def _cores(seen: dict[str, list[_Fragment]], tolerance: float) -> list[str]:
    """Texts that two pages or more have in one place; of what is slanted, a part of the text is enough."""
    tall = [text for text, found in seen.items() if any(f.is_tall for f in found)][:MAX_CORES]
    cores = [text for text, found in seen.items() if _in_one_place(found, tolerance)][:MAX_CORES]
    for text in tall:
        parts = [fragment for other in tall if other in text for fragment in seen[other]]
        if text not in cores and len(cores) < MAX_CORES and _in_one_place(parts, tolerance):
            cores.append(text)
    return cores


def _in_one_place(found: Sequence[_Fragment], tolerance: float) -> bool:
    x, y = statistics.median_low(f.x for f in found), statistics.median_low(f.y for f in found)
    return len({f.page for f in found if abs(f.x - x) + abs(f.y - y) <= tolerance}) >= 2


def _without(text: str, marks: Sequence[str]) -> str:
    """A line without a watermark's part at one of its ends; `` if it is nothing else."""
    if not marks:
        return text
    words = text.split(" ")
    while words and _is_part("".join(words), marks):
        return ""
    for end in (-1, 0):
        while len(words) > 1 and _is_part(words[end], marks):
            words.pop(end)
    return " ".join(words).strip() if len(words) < len(text.split(" ")) else text


def _is_part(text: str, marks: Sequence[str]) -> bool:
    return _long_enough(text) and any(text in mark for mark in marks)
