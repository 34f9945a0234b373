"""Where a solution's steps begin and end, as character ranges.

With ∵/∴ (or 因为/所以): each because-therefore pair is a step (GeoLaux, section 3).  Refinements: a ∴ without a ∵
before it is a step of its own; what follows a conclusion as `= …`, 即… or 解得… belongs to it; a derivation after the
last ∴ is a step; 解：, answer phrases and commentary are none.  Otherwise: one step a line where the solution is
written in lines (GSM8K), else one a sentence.  Limit: steps that a text leaves
unmarked, inside one clause, are not seen.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from stepforge.steps.text import LABEL, MASK, PATH, dropped_spans, has_content, masked, maths_spans

Span = tuple[int, int]

_NUMBERED = r"(?:[(（]?[0-9]{1,2}[.)）、][ \t]*)?"
_OPEN = r"(?:\\\(\s*|\\\[\s*|\$\$?\s*|[（(])?(?:\\begin\{[a-z*]{1,16}\}[\s&]*)?"
_THEREFORE = re.compile(
    rf"{_NUMBERED}{_OPEN}(?:∴|\\therefore|所以|因此|故(?!选|答案|意)|从而|于是|Therefore\b|Hence\b|Thus\b|So\b)"
)
_BECAUSE = re.compile(
    rf"{_NUMBERED}(?:[又而且][ \t]*)?{_OPEN}(?:∵|\\because|因为|由于|Q ?[△∠四⊙☉]|Q [A-Z]|Since\b|Because\b|As\b)"
)
_GOES_ON = re.compile(
    r"[ \t]*(?:\$|\\\([ \t]*|\\\[\s*)?(?:=|＝|即|也就是|解得|解之得|经检验|经验证|\\begin|\\end|\$\$[ \t]*(?:\\end|$)"
    r"|that is\b|which\b|i\.e\.)",
    re.IGNORECASE,
)
_GOES_ON_SIGN = re.compile(r"(?:\$|\\\([ \t]*|\\\[\s*)?[=＝]")
_DERIVES = re.compile(r"(?:同理|(?:由|根据)[^\n]{1,40}[得知]|在[^\n]{1,16}中[ \t]*[，,][^\n，,]*(?:得|=[^\n，,]*=|√))")
_CONCLUDES = re.compile(r"同理[^\n]{0,6}得[^\n]*=")
_CUT = re.compile(
    r"[。；;！？]+[ \t]*"
    r"|(?<![（(])(?=(?:又[ \t]?)?(?:∵|∴))"
    r"|(?=(?:\\\([ \t]*|\$[ \t]*)?\\(?:therefore|because)\b)"
    r"|(?<=[，,。；;])[ \t]*(?=所以|因为|因此|由于)"
)
_SENTENCE = re.compile(r"(?<=[.!?])[\"')\]”]{0,2}[ \t]+(?=[^a-z\s])|[。！？；][ \t]*|(?<=[.;])(?=\n)")
_FORMULA_ENDS = re.compile(rf"{MASK}(?:[ \t]+)?(?=[A-Z][a-z])")
_FULL_STOP = re.compile(r"\.[ \t\n]*(?:\\\]|\\\)|\$\$?|\\end\{[a-z*]{1,16}\})$")
_DISPLAY = re.compile(r"\s{0,20}(?:\\\[|\$\$|\\begin)")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|[Ff]igs?|[Ee]qs?|No|Mrs?|Ms|Dr|St|resp|cf|approx|Th|Thm|Lem)"
    r"|(?:^|\n)[ \t]*\(?(?:[0-9]{1,2}|[A-H]))\.$"
)
_LIST_ITEM = re.compile(r"[ \t]*(?:[-*•][ \t]|[(（]?[0-9]{1,2}[.)）、]|\([a-z]\)|Step [0-9]|Case [0-9])")
_WRAPPED_AT = 60  # a line at least this long that ends without a mark goes on in the next


_NEWLINE = re.compile(r"\n")
_INTRODUCES = re.compile(  # (1), A., Case 2:, **Option 1:**
    r"[*#(（\[【 \t]{0,6}(?:(?:Case|Step|Part|Option|Scenario|情况|情形|步骤)[ ]?)?[(（]?"
    r"(?:[0-9]{1,2}|[A-Ha-h]|[ivxIVX]{1,4}|[①-⑳])?[)）.:：、\]】* \t]{1,6}"
)
_CAPTION = re.compile(r"<image_[0-9]{1,3}>\s*$")


class _Unit(NamedTuple):
    start: int
    end: int
    kind: str  # therefore, because, goes_on, derives or other


def paths(solution: str) -> list[Span]:
    """One range for each path: 解法一 … 解法二 …, Solution 1: … Solution 2: …; one range if there is one path."""
    starts = [match.start() for match in PATH.finditer(solution)]
    if len(starts) < 2:
        return [(0, len(solution))]
    starts[0] = 0
    return list(pairwise([*starts, len(solution)]))


def step_spans(solution: str, language: str) -> list[list[Span]]:
    """Ranges of the steps of each path: trimmed, in order, not overlapping; what lies between is filler."""
    inside = _Inside(solution)
    dropped = [span for span in dropped_spans(solution) if span[0] not in inside and span[1] not in inside]
    found = []
    for start, end in paths(solution):
        kept = list(_without(start, end, dropped))
        spans = _by_reasons(solution, kept) if _has_reasons(solution[start:end], language) else []
        if not spans:
            cut = _lines if _line_by_line(solution[start:end]) else _sentences
            spans = [span for low, high in kept for span in cut(solution, low, high)]
        if spans := _joined(solution, spans):
            found.append(spans)
    return found


def _joined(text: str, spans: Iterable[Span]) -> list[Span]:
    """A label alone, as `(1)` or `Case 2:`, begins the step after it; other text without content, as `$b$`, ends the
    step before it; what touches neither is filler, and so is a figure's caption."""
    found: list[Span] = []
    label: Span | None = None
    for start, end in spans:
        begin = label[0] if label and not text[label[1] : start].strip() else start
        label = None
        if has_content(text[start:end]) and not (found and _GOES_ON_SIGN.match(text, start, end)):
            found.append((begin, end))
        elif _CAPTION.search(text, max(0, start - 40), start):
            continue
        elif not has_content(text[start:end]) and _INTRODUCES.fullmatch(text, start, end):
            label = (begin, end)
        elif found and not text[found[-1][1] : start].strip():
            found[-1] = (found[-1][0], end)
        elif has_content(text[start:end]):
            found.append((begin, end))
    return found


def _has_reasons(text: str, language: str) -> bool:
    if "∴" in text or "\\therefore" in text:
        return True
    return language == "zh" and re.search("所以|因此", text) is not None


def _line_by_line(text: str) -> bool:
    """GSM8K writes one step a line; a text with LaTeX or blank lines is prose.  `$5` is money, `5$` ends a formula."""
    if "<<" in text:
        return True
    latex = "\\" in text or re.search(r"[A-Za-z0-9)}.]\$(?![0-9.])", text) is not None
    return not latex and all(0 < len(line.strip()) <= 400 for line in text.strip().splitlines())


def _without(start: int, end: int, dropped: Iterable[Span]) -> Iterator[Span]:
    at = start
    for low, high in dropped:
        if high <= start or low >= end:
            continue
        if low > at:
            yield at, low
        at = max(at, high)
    if at < end:
        yield at, end


def _trim(text: str, start: int, end: int) -> Span | None:
    """The range without labels and white space around it; None if nothing is left."""
    end = start + len(text[start:end].rstrip())
    while True:
        start = end - len(text[start:end].lstrip())
        label = LABEL.match(text, start, end)
        if label is None:
            return (start, end) if start < end else None
        start = label.end()


def _lines(text: str, start: int, end: int) -> Iterator[Span]:
    for line in re.finditer(r"[^\n]+", text[start:end]):
        if span := _trim(text, start + line.start(), start + line.end()):
            yield span


def _cut_at(text: str, start: int, end: int, cuts: Iterable[int]) -> Iterator[Span]:
    for low, high in pairwise([start, *cuts, end]):
        if high > low and (span := _trim(text, low, high)):
            yield span


def _sentences(text: str, start: int, end: int) -> Iterator[Span]:
    hidden = masked(text[start:end])
    cuts = {
        m.end()
        for m in _SENTENCE.finditer(hidden)
        if not _ABBREVIATION.search(hidden[max(0, m.start() - 12) : m.start()])
    }
    cuts |= {
        m.end()
        for m in _FORMULA_ENDS.finditer(hidden)
        if _FULL_STOP.search(text[max(0, start + m.start() - 30) : start + m.start() + 1])
    }
    at = 0
    for line in hidden.splitlines(keepends=True):
        at += len(line)
        announces = line.rstrip()[-1:] not in {*".!?;。！？；"} and _DISPLAY.match(text, start + at)
        if not announces and _line_ends(line, hidden[at : at + 40]):
            cuts.add(at)
    yield from _cut_at(text, start, end, [start + cut for cut in sorted(cuts) if cut < end - start])


def _line_ends(line: str, after: str) -> bool:
    """Whether a step ends with this line; `after` is the beginning of what follows."""
    body, follows = line.strip(), after.lstrip(" \t")
    if not body or body[-1] in ",:=，：、" or follows.lstrip()[:1].islower():
        return False
    if body[0] == "|" and after[:1] == "|":  # a table
        return False
    if body[-1] in ".!?。！？；" or follows.startswith("\n") or _LIST_ITEM.match(after):
        return True
    return len(body) < _WRAPPED_AT and not (line.rstrip("\n").endswith(MASK) and follows.startswith(MASK))


def _units(text: str, kept: Iterable[Span]) -> Iterator[_Unit]:
    inside = _Inside(text)
    for low, high in kept:
        cuts = {low + m.end() for pattern in (_CUT, _NEWLINE) for m in pattern.finditer(text[low:high])}
        for span in _cut_at(text, low, high, sorted(cut for cut in cuts if cut < high and cut not in inside)):
            yield _Unit(*span, _kind(text[span[0] : span[1]]))


class _Inside:
    """Places strictly inside mathematics, where no step ends."""

    def __init__(self, text: str) -> None:
        self._spans = maths_spans(text)
        self._starts = [start for start, _ in self._spans]

    def __contains__(self, place: int) -> bool:
        at = bisect_left(self._starts, place) - 1
        return at >= 0 and place < self._spans[at][1]


def _kind(unit: str) -> str:
    if _THEREFORE.match(unit) or "\\therefore" in unit:  # one inside a display, which is not cut
        return "therefore"
    if _BECAUSE.match(unit):
        return "because"
    if _GOES_ON.match(unit):
        return "goes_on"
    return "derives" if _DERIVES.match(unit) else "other"


def _by_reasons(text: str, kept: list[Span]) -> list[Span]:
    units = list(_units(text, kept))
    last = max((i for i, unit in enumerate(units) if unit.kind == "therefore"), default=-1)
    spans: list[Span] = []
    begun: int | None = None
    for i, unit in enumerate(units):
        if begun is None and spans and (unit.kind == "goes_on" or (i > last and unit.kind != "derives")):
            spans[-1] = (spans[-1][0], unit.end)
            continue
        begun = unit.start if begun is None else begun
        if unit.kind == "therefore" or (
            unit.kind == "derives" and (i > last or _CONCLUDES.match(text, unit.start, unit.end))
        ):
            spans.append((begun, unit.end))
            begun = None
    return spans
