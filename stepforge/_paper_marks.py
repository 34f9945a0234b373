"""Lines of a paper that begin a problem: numbered marks of each style, headings of parts, and their sequence."""

import itertools
import re
import statistics
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from stepforge._paper_lines import Line

INDENT = 1.5  # line heights; a list inside a problem stands further in than the problems' numbers
NEAR = 1.2  # line heights; numbers are set flush left or flush right
MAX_SKIP = 4  # numbers may be missing where marks were misread or a page was lost
SKIPPED = 0.8  # of a mark's worth, for each number that is missing
MAX_SKIP_IN_KEY = 10  # a key lacks what is to be proved
SKIPPED_IN_KEY = 0.1
KEY_CROSSED = 1.5  # numbers go on below a key's heading, but a problem before it has this number already
HEADED = 0.3  # a heading stands where the numbers begin again
HEADED_JUMP = 1.0  # a heading stands where the numbers go on with a higher one
UNHEADED = 4.0  # numbers begin again without a heading
NEW_PAGE = 2.5  # the same on a new page
NOT_FROM_1 = 1.5
GAP = 1.35  # of the usual distance of lines
MAX_HEADINGS = 100  # no paper has more parts
LATER_LINES = 8  # a heading stands so near above its first problem
HAN_DIGITS = "一二三四五六七八九"
HAN = r"[一二三四五六七八九]?十?[一二三四五六七八九]"

_POINTS = (
    r"(?:\s{0,3}(?:[(（\[【]\s?(?:(?:本小?题|每小?题|满分|共|计|各|\s){0,4}\d{1,3}\s?(?:points?|marks?|pts?|分)"
    r"|(?:worth|total)\s\d{1,3}\spoints?)\s?[)）\]】]|\[\d{1,2}\](?=\s|$)))?"
)
AFTER = rf"{_POINTS}\s{{0,9}}[.:：．、]?\s{{0,9}}{_POINTS}\s{{0,9}}"


class Style(NamedTuple):
    """A way to number problems: the pattern has the number in group `n` and may have a letter in `letter`.

    is_plain: such a number begins nothing else; else it also numbers sub-questions and lists.
    """

    name: str
    pattern: re.Pattern[str]
    is_plain: bool = True


STYLES = (  # from the plainest sign of a problem to the one most used for other things
    Style(
        "worded",
        re.compile(
            r"(?:problem|question|exercise|Q)\s{0,3}\.?\s{0,3}(?:no\.?\s{0,2}|#\s?)?(?P<n>\d{1,3})(?![\d%])"
            rf"(?!\s{{0,3}}(?:figure|diagram))[.:)）]?{AFTER}",
            re.I,
        ),
    ),
    Style(
        "lettered",
        re.compile(
            rf"(?:problem\s{{0,3}})?(?P<letter>[A-N])[-–.]?(?P<n>\d{{1,2}})(?:[.:)）]{{1,2}}(?!\d)|(?=\s|$)){AFTER}"
        ),
    ),
    Style("han", re.compile(rf"第\s?(?P<n>\d{{1,3}}|{HAN}|十)\s?题(?!图|答)[)）]?{AFTER}")),
    Style("example", re.compile(rf"(?:example|例\s?题?)\s{{0,3}}(?P<n>\d{{1,3}})(?![\d%])[.:)）]?{AFTER}", re.I)),
    Style(
        "stop",
        re.compile(
            rf"(?P<n>\d{{1,3}})\s{{0,2}}(?:[.](?!\d)|[．](?!\d{{1,3}}\s?[a-zA-Z×])|[、)）]|[.](?=\d{{2,4}}\s?[年\u4e00-\u9fff]))"
            rf"(?!\s?[+=×÷]){AFTER}"
        ),
    ),
    Style("ordinal", re.compile(rf"(?P<n>{HAN}|十)\s?[、.．]{AFTER}"), is_plain=False),
    Style("bracket", re.compile(rf"[(（]\s?(?P<n>\d{{1,3}})\s?[)）]{AFTER}"), is_plain=False),
    Style("bare", re.compile(rf"(?P<n>\d{{1,3}})\s{{1,4}}(?=[A-Z\u4e00-\u9fff]){_POINTS}"), is_plain=False),
)

_PART_WORD = (
    r"(?:multiple[- ]choice|free[- ]response|short[- ]answer|fill[- ]in|true[/ -](?:or[ -])?false|proof|team"
    r"|individual)"
)
_PART = re.compile(
    rf"(?:part|section|division|round|chapter|day|paper)\s{{1,3}}(?P<label>[A-H]|[IVX]{{1,4}}|\d{{1,2}}|one|two|three|four)\b"
    rf"(?![)）]).{{0,90}}"
    r"|(?:problems|questions)\s{0,3}:?"
    rf"|(?:(?P<label2>[A-H]|[IVX]{{1,4}}|\d{{1,2}})[.:)]\s{{0,3}})?{_PART_WORD}(?:\s(?:questions?|problems?|round|section|part|type)){{0,2}}"
    r"\s{0,3}(?:[(（\[:：.].{0,90})?",
    re.I,
)
_HAN_KIND = r"(?:选择|填空|解答|计算|证明|应用|判断|作图|综合|操作|简答|探究|附加|实验|压轴|多选|单选|必做|选做)"
_HAN_PART = re.compile(
    rf"(?:第?(?P<label>[一二三四五六七八九十]{{1,3}})\s{{0,2}}[、.．:：]?\s{{0,2}})(?:(?:单项|多项|不定项|必考|选考)?{_HAN_KIND}(?:与{_HAN_KIND})?题?|.{{0,20}}本大?题)"
    r"(?:\s{0,3}[(（:：.。、].{0,90})?"
    r"|第\s?(?P<label2>[ⅠⅡⅢIVX一二三]{1,3})\s?(?:卷|部分|试|大题).{0,90}"
    r"|试\s{0,3}题|题\s{0,3}目"
    rf"|(?:单项|多项|不定项)?{_HAN_KIND}题\s{{0,3}}(?:[(（:：].{{0,90}})?"
    r"|[A-H一二三]\s?[卷组].{0,40}"
)
_INSTRUCTIONS = re.compile(
    r"(?:注意事项|考生须知|答题须知|答卷须知|考试须知|须知|(?:general )?(?:instructions?|rules|directions|notes?)"
    r"(?: to (?:candidates|contestants|students))?)\s{0,3}[:：.]?",
    re.I,
)
_UNIT = re.compile(r"\d{1,9}\s?(?:mm|cm|dm|km|m|kg|g|mL|ml|L|s|h|min|%|°|米|厘米|千米|元|度)(?![a-z])")
_PROSE = re.compile(r"\d{1,9}(?:\s|$)")


class Mark(NamedTuple):
    """A line that begins with a number: which line, which number, where the text after it begins."""

    line: int
    letter: str
    number: int
    end: int
    text: str
    style: Style


class Heading(NamedTuple):
    """A line that heads a part; `label` as it is written, "" if it has none; `key`: what kind of key it heads."""

    line: int
    label: str
    key: str | None = None


def number_of(text: str) -> int:
    """The value of a number below 100 in digits or Chinese characters."""
    if text.isdecimal():
        return int(text)
    tens, ten, ones = text.rpartition("十")
    return (10 * ((HAN_DIGITS.index(tens) + 1) if tens else 1) if ten else 0) + (
        HAN_DIGITS.index(ones) + 1 if ones else 0
    )


def marks_of(lines: Sequence[Line], style: Style) -> list[Mark]:
    """Lines that begin with a number of the style; headings of parts are none."""
    found = []
    for i, line in enumerate(lines):
        match = style.pattern.match(line.text[:200])
        if match and match["n"] and not (style.name == "ordinal" and _HAN_PART.fullmatch(line.text[:200])):
            letter = match["letter"] if "letter" in match.re.groupindex else ""
            number = number_of(match["n"])
            if number:
                found.append(Mark(i, letter, number, match.end(), line.text[: match.end()].strip(), style))
    return found


def part_heading(text: str) -> str | None:
    """The label of a part that a line heads ("" if it has none); None if it heads none."""
    if len(text) > 160:
        return None
    match = _PART.fullmatch(text) or _HAN_PART.fullmatch(text)
    return None if match is None else (match["label"] or match["label2"] or "").upper()


def is_instructions(text: str) -> bool:
    """Whether a line heads the rules of the paper, which are numbered too."""
    return len(text) <= 60 and bool(_INSTRUCTIONS.fullmatch(text))


class Layout:
    """Where the lines of a paper stand to each other."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        steps = [b.y0 - a.y0 for a, b in itertools.pairwise(lines) if a.column == b.column and b.y0 > a.y0]
        self.step = statistics.median_low(steps) if steps else 0.0

    def offset(self, i: int) -> float:
        """Indentation in line heights."""
        line = self.lines[i]
        return (line.x0 - line.left) / line.height

    def gap(self, i: int) -> float | None:
        """Distance from the line above in usual ones; None at a column's head."""
        if i == 0 or self.lines[i - 1].column != self.lines[i].column or not self.step:
            return None
        return (self.lines[i].y0 - self.lines[i - 1].y0) / self.step


def usual_offset(offsets: Sequence[float]) -> float:
    """The indentation that most share, the lesser one of two."""
    counts = Counter(round(offset / NEAR) for offset in offsets)
    most = max(counts.values())
    best = min(bin_ for bin_, n in counts.items() if 2 * n >= most)
    return statistics.median_low([o for o in offsets if round(o / NEAR) == best])


def _worth(mark: Mark, layout: Layout, usual: float, in_key: bool) -> float:
    """How much a mark looks like the beginning of a problem; a list inside a problem is worth less than nothing."""
    line, worth = layout.lines[mark.line], 1.0
    rest = line.text[mark.end :]
    before = layout.lines[mark.line - 1] if mark.line else None
    gap = layout.gap(mark.line)
    if mark.style.name not in ("worded", "example", "han"):
        offset = layout.offset(mark.line)
        if offset > usual + INDENT:
            return -1.0
        if abs(offset - usual) <= NEAR:
            worth += 0.3
        if in_key:
            pass  # an answer may be anything
        elif rest[:1].islower() or _UNIT.match(rest):
            worth -= 0.6
        elif _PROSE.match(rest):
            worth -= 0.2
        if rest[:1] and rest[:1] in "+=<>≤≥×÷,，":
            worth -= 0.6
    elif rest[:1].islower() or rest[:1] in (",", "，", "的", "中"):
        worth -= 0.8  # it is spoken of
    if before is not None and gap is not None:
        if before.is_full and not before.ends_sentence:
            worth -= 0.5
        if gap >= GAP:
            worth += 0.3
    return max(0.05, worth)


def in_sequence(
    marks: Sequence[Mark],
    lines: Sequence[Line],
    headings: Sequence[int],
    *,
    in_key: bool = False,
    keys: frozenset[int] = frozenset(),
) -> list[list[Mark]]:
    """The marks that number the problems, part by part: the chain of most worth.

    Each mark of a part is the next number, or skips a few; a part begins again at 1, best below a heading (`headings`:
    line indices), and below those of `keys`, which may lack the first answers, at any number.  Time is linear in the
    marks.
    """
    if not marks:
        return []
    layout = Layout(lines)
    usual = usual_offset([layout.offset(m.line) for m in marks])
    worths = [_worth(m, layout, usual, in_key) for m in marks]
    heads, key_lines = sorted(headings), sorted(keys)
    last: dict[tuple[str, int], int] = {}  # the best chain that ends with a number, by its last mark
    best_until: list[int] = []  # the best chain that ends at or before a mark
    score: list[float] = []
    came: list[tuple[int, bool]] = []  # the mark before, and whether a part begins here
    for i, mark in enumerate(marks):
        options: list[tuple[float, int, bool]] = [(0.0 if mark.number == 1 else -NOT_FROM_1, -1, True)]
        below_key = in_key or (bool(key_lines) and key_lines[0] < mark.line)
        for skip in range((MAX_SKIP_IN_KEY if below_key else MAX_SKIP) + 1):
            j = last.get((mark.letter, mark.number - 1 - skip), -1)
            if j >= 0 and mark.number - 1 - skip >= 1:
                crossed = _between(key_lines, marks[j].line, mark.line) and (mark.letter, mark.number) in last
                cost = (SKIPPED_IN_KEY if below_key else SKIPPED) * skip + KEY_CROSSED * crossed
                options.append((score[j] - cost, j, False))
        if best_until:
            is_known = (mark.letter, mark.number) in last
            options += _beginnings(mark, marks, lines, heads, key_lines if is_known else [], best_until, score, in_key)
        gain, j, begins = max(options, key=lambda option: option[0])
        score.append(worths[i] + gain)
        came.append((j, begins))
        key = (mark.letter, mark.number)
        if worths[i] > 0 and (key not in last or score[i] > score[last[key]] + 1e-9):
            last[key] = i
        top = best_until[-1] if best_until else i
        best_until.append(i if score[i] > score[top] + 1e-9 else top)
    return _chains(marks, came, best_until[-1])


def _beginnings(
    mark: Mark,
    marks: Sequence[Mark],
    lines: Sequence[Line],
    heads: Sequence[int],
    keys: Sequence[int],
    best_until: Sequence[int],
    score: Sequence[float],
    in_key: bool,
) -> list[tuple[float, int, bool]]:
    """Chains that this mark may follow as the first of a part."""
    found = []
    at = bisect_left(heads, mark.line + 1) - 1
    if at >= 0:
        head = heads[at]
        before = bisect_left(marks, head, key=lambda m: m.line) - 1
        if before >= 0:
            j = best_until[before]
            if mark.number == 1:
                found.append((score[j] - HEADED, j, True))
            elif (
                mark.letter == marks[j].letter and mark.number > marks[j].number + 1 and mark.line - head <= LATER_LINES
            ) or _between(keys, marks[j].line, mark.line):
                found.append((score[j] - HEADED_JUMP, j, True))
    if mark.number == 1:
        j = best_until[-1]
        if mark.letter and mark.letter > marks[j].letter:
            found.append((score[j] - HEADED, j, True))
        if in_key:
            return found  # a list in a solution begins no part
        new_page = lines[marks[j].line].page != lines[mark.line].page and _heads_column(lines, mark.line)
        found.append((score[j] - (NEW_PAGE if new_page else UNHEADED), j, True))
    return found


def _between(lines: Sequence[int], low: int, high: int) -> bool:
    """Whether one of the lines, in rising order, stands between two."""
    at = bisect_left(lines, low + 1)
    return at < len(lines) and lines[at] < high


def _heads_column(lines: Sequence[Line], i: int) -> bool:
    return any(k == 0 or lines[k].column != lines[k - 1].column for k in range(max(0, i - 3), i + 1))


def _chains(marks: Sequence[Mark], came: Sequence[tuple[int, bool]], end: int) -> list[list[Mark]]:
    parts: list[list[Mark]] = [[]]
    i = end
    while i >= 0:
        parts[-1].append(marks[i])
        before, begins = came[i]
        if begins and before >= 0:
            parts.append([])
        i = before
    return [part[::-1] for part in reversed(parts)]


def sequence_of(
    lines: Sequence[Line], headings: Sequence[int], *, in_key: bool = False, keys: frozenset[int] = frozenset()
) -> list[list[Mark]]:
    """The marks of a paper, part by part, in the style that numbers most; a plainer style wins from half as many on.

    A style that also numbers sub-questions is taken only where its marks begin before those of every plain style.
    Below a heading without marks of that style another one counts.
    """
    found = {style.name: marks_of(lines, style) for style in STYLES}
    chosen = _choice(found, lines, headings)
    if chosen is None:
        return []
    marks = list(found[chosen.name])
    taken = in_sequence(marks, lines, headings, in_key=in_key, keys=keys)
    if headings:
        marks += _elsewhere(found, chosen, [m.line for part in taken for m in part], lines, headings)
        marks.sort(key=lambda m: m.line)
        taken = in_sequence(marks, lines, headings, in_key=in_key, keys=keys)
    return taken


def _elsewhere(
    found: dict[str, list[Mark]], chosen: Style, at: Sequence[int], lines: Sequence[Line], headings: Sequence[int]
) -> list[Mark]:
    """Marks of other styles between headings where the chosen one has none."""
    more: list[Mark] = []
    if len(headings) > MAX_HEADINGS:
        return more
    edges = [0, *sorted(headings), len(lines)]
    for low, high in itertools.pairwise(edges):
        if bisect_left(at, low) == bisect_left(at, high):
            inside = {
                name: [m for m in marks if low <= m.line < high] if name != chosen.name else []
                for name, marks in found.items()
                if name not in ("bare", "ordinal")
            }
            style = _choice(inside, lines, [])
            if style is not None and sum(map(len, in_sequence(inside[style.name], lines, []))) >= 2:
                more += inside[style.name]
    return more


def _choice(found: dict[str, list[Mark]], lines: Sequence[Line], headings: Sequence[int]) -> Style | None:
    counts: dict[str, int] = {}
    first: dict[str, int] = {}
    for style in STYLES:
        marks = found.get(style.name, [])
        chain = in_sequence(marks, lines, headings if style.is_plain else [])
        counts[style.name] = max((len(part) for part in chain), default=0)
        if style.is_plain:
            counts[style.name] = sum(map(len, chain))
        if style.name == "lettered" and (counts[style.name] < 2 or marks[0].number != 1):
            counts[style.name] = 0
        if chain:
            first[style.name] = chain[0][0].line
    most = max(counts.values(), default=0)
    plain = next((s for s in STYLES if s.is_plain and counts[s.name] and 2 * counts[s.name] >= most), None)
    weak = [s for s in STYLES if not s.is_plain and counts[s.name] >= (2 if s.name != "bracket" else 1)]
    any_plain = plain or max(
        (s for s in STYLES if s.is_plain and counts[s.name]), key=lambda s: counts[s.name], default=None
    )
    if any_plain is None:
        return max(weak, key=lambda s: counts[s.name], default=None)
    outer = [s for s in weak if s.name != "bare" and first[s.name] < first[any_plain.name]]
    outer = [s for s in outer if counts[s.name] >= 2 and counts[s.name] > counts[any_plain.name] // 2]
    return outer[0] if outer and plain is None else any_plain
