"""Problems whose number was misread or lost, found again by what stands at its place and by the layout."""

import re
import statistics
from collections.abc import Sequence
from typing import NamedTuple

from stepforge._paper_lines import Line
from stepforge._paper_marks import AFTER, GAP, NEAR, Layout, Mark, Style, usual_offset

RARE = 0.1  # of the other lines at most may stand where numbers stand, if that place is to say something
MIN_EVIDENCE = 2.0
MAX_SCANNED = 400  # lines between two numbers; more is no problem but a text

_LIKE_DIGITS = str.maketrans("lIi|!OoQDSsBZzgqbGT", "1111100005582299667")
_LETTER = re.compile(r"[ABDGQT]")  # alone it is an option's
_ROUGH = re.compile(r"([\dlIi|!OoQDSsBZzgqbGTA]{1,3})\s?[.．,，:：;、)）·]" + AFTER + r"(?=\S)")
_NOT_A_START = re.compile(
    r"[(（]?[A-Ha-h][)）.．、]|[(（]?[ivx]{1,4}[)）]|[(（【\[]|[①-⑳∵∴•<]|(?:answer|solution|proof|hint|note|where|figure)\b|答|解|图|注|证",
    re.I,
)
_GOOD_START = re.compile(r"[A-Z\u4e00-\u9fff$\d√∠△]")
_MISREAD = Style("misread", _ROUGH)


class Repair(NamedTuple):
    """A problem found again: its mark, and what stood where its number was expected."""

    mark: Mark
    before: str


class _Candidate(NamedTuple):
    evidence: float
    line: int
    end: int
    reads: int | None  # the number that the text may stand for


class Gaps:
    """Looks for the numbers that are missing in a sequence of marks."""

    def __init__(self, lines: Sequence[Line], marks: Sequence[Mark]) -> None:
        self.lines, self.layout = lines, Layout(lines)
        at = {m.line for m in marks}
        self.usual = usual_offset([self.layout.offset(m.line) for m in marks]) if marks else 0.0
        gaps = [gap for m in marks if (gap := self.layout.gap(m.line)) is not None]
        self.usual_gap = statistics.median(gaps) if gaps else 1.0
        others = [i for i in range(len(lines)) if i not in at]
        aligned = sum(self._is_aligned(i) for i in others)
        self.hanging = len(marks) >= 3 and aligned <= RARE * len(others)

    def _is_aligned(self, i: int) -> bool:
        return abs(self.layout.offset(i) - self.usual) <= NEAR / 2

    def between(self, first: int, end: int, numbers: Sequence[int], letter: str) -> list[Repair]:
        """Those of the problems `numbers` that have a place of their own among the lines first … end-1."""
        if not 0 < end - first <= MAX_SCANNED or not numbers:
            return []
        found = [c for i in range(first, end) if (c := self._candidate(i, numbers)) is not None]
        chosen: list[tuple[int, _Candidate]] = []
        run: list[int] = []
        low = first - 1
        for number in numbers:
            exact = [c for c in found if c.reads == number and c.line > low]
            if exact:
                best = max(exact, key=lambda c: (c.evidence, -c.line))
                chosen += self._by_layout([c for c in found if low < c.line < best.line], run)
                chosen.append((number, best))
                run, low = [], best.line
            else:
                run.append(number)
        chosen += self._by_layout([c for c in found if c.line > low], run)
        return [self._repair(number, letter, c) for number, c in chosen]

    @staticmethod
    def _by_layout(found: Sequence[_Candidate], numbers: Sequence[int]) -> list[tuple[int, _Candidate]]:
        """A place for each number; none if there are too few, or others that look as much like one."""
        free = sorted((c for c in found if c.reads is None), key=lambda c: (-c.evidence, c.line))
        wanted = len(numbers)
        if not wanted or len(free) < wanted:
            return []
        if len(free) > wanted and free[wanted].evidence >= free[wanted - 1].evidence:
            return []
        return list(zip(numbers, sorted(free[:wanted], key=lambda c: c.line), strict=True))

    def _repair(self, number: int, letter: str, c: _Candidate) -> Repair:
        text = self.lines[c.line].text
        mark = Mark(c.line, letter, number, c.end, text[: c.end].strip(), _MISREAD)
        return Repair(mark, (text[: c.end] if c.end else text).strip()[:20])

    def _candidate(self, i: int, numbers: Sequence[int]) -> _Candidate | None:
        line = self.lines[i]
        aligned = self._is_aligned(i) or abs(self.layout.offset(i) - self.usual) <= NEAR
        if not aligned:
            return None
        evidence = self._evidence(i)
        rough = _ROUGH.match(line.text)
        if rough:
            text = "" if _LETTER.fullmatch(rough[1]) else rough[1].translate(_LIKE_DIGITS)
            reads = int(text) if text.isdecimal() else None
            if reads in numbers:
                return _Candidate(4.0 + evidence, i, rough.end(), reads)
            if rough[1][0].isdigit() and evidence >= 1.0:
                return _Candidate(1.5 + evidence, i, rough.end(), None)
        for number in numbers:
            bare = re.match(rf"{number}(?:\s{{1,3}}(?=\S)|(?=[A-Z\u4e00-\u9fff]))", line.text)
            if bare and evidence >= 0.5:
                return _Candidate(3.0 + evidence, i, bare.end(), number)
        if evidence >= MIN_EVIDENCE and not _NOT_A_START.match(line.text):
            return _Candidate(evidence, i, 0, None)
        return None

    def _evidence(self, i: int) -> float:
        """How much the layout says that a problem begins here."""
        line, gap = self.lines[i], self.layout.gap(i)
        before = self.lines[i - 1] if i else None
        found = 1.5 if self.hanging and self._is_aligned(i) else 0.0
        if gap is not None and gap >= GAP and gap >= 0.7 * self.usual_gap:
            found += 1.5
        if before is None or before.ends_sentence or not before.is_full:
            found += 0.25
        if _GOOD_START.match(line.text):
            found += 0.25
        return found
