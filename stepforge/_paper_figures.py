"""Which problem each figure of a page belongs to, from where it stands, its caption, and who speaks of a figure."""

import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from stepforge._paper_blocks import Block
from stepforge._paper_keys import question_end
from stepforge._paper_lines import Line, Place, between
from stepforge.records import Page, PageFigure

MAX_FIGURES = 500  # a page with more is no page of print
MAX_CAPTIONS = 1_000
TINY = 1.5  # line heights; smaller both ways is a bullet or a stamp
RULE = 15.0  # times as long as wide: a ruled line
REPEATED = 3  # pages with the same figure: a logo
NEAR_CAPTION = 2.2  # line heights between a figure and its caption
ABOVE = 0.25  # worth of standing in the space above a problem; figures stand below or beside their text
SPOKEN_OF = 0.6
LEVEL = 0.5  # worth of beginning at the height of the problem
ENOUGH = 0.2

_SPEAKS = re.compile(
    r"如图|图\s?[\d①-⑨一二三甲乙]|图中|图形|[下右左上附]图|示意图|所示|\bfigures?\b|\bdiagrams?\b|\bshown\b|\bpictured?\b|\bgraph\b|"
    r"\bsketch\b|\bdrawing\b|\billustrat|\bdepicted\b",
    re.I,
)
_NAMED = re.compile(r"(?:图|(?:figures?|fig\.)\s)\s?[(（]?(\d{1,3}|[①-⑨一二三甲乙])", re.I)
_CAPTION = re.compile(
    r"[(（【\[]?\s?(?:(?:第\s?(?P<of>\d{1,3})\s?题(?:答题)?图|题\s?(?P<of2>\d{1,3})\s?图"
    r"|(?:figure|diagram|picture)\s(?:for|of|to)\s(?:problem|question|no\.?)\s?(?P<of3>\d{1,3})"
    r"|(?:problem|question)\s?(?P<of4>\d{1,3})\s(?:figure|diagram))"
    r"|(?:figure|fig\.?|图)\s{0,2}(?P<fig>\d{1,3}|[①-⑨一二三甲乙])(?!\d))\s?[)）】\]]?[.:：]?",
    re.I,
)
_TAIL = re.compile(r"[(（]\s?第\s?(?P<of>\d{1,3})\s?题图\s?[)）]$")
_LABELS = re.compile(r"(?:[(（]?([A-H])[)）.．、]?\s{0,40}){2,8}")
_LABEL = re.compile(r"[(（]?([A-H])[)）.．、]?")


class Placed(NamedTuple):
    """A figure of a page, counted from 1, and the token that stands for it in its block's lines."""

    page: int
    number: int
    figure: PageFigure
    token: str


class LeftOut(NamedTuple):
    """A figure that belongs to no problem, and why."""

    page: int
    number: int
    figure: PageFigure
    why: str


class WithFigures(NamedTuple):
    """The blocks with their figures' tokens in place."""

    blocks: list[Block]
    placed: dict[int, list[Placed]]  # by block
    left_out: list[LeftOut]


class _Run(NamedTuple):
    """Lines of one owner that follow one another in a column; owner None: headings, keys and what else there is."""

    owner: int | None
    top: float
    bottom: float
    end: float  # where the next run begins
    start: float  # where the run before ends
    lines: tuple[Line, ...]


class _Caption(NamedTuple):
    line: Line
    middle: float  # of its own text, across
    problem: str | None
    name: str | None
    text: str
    rest: str = ""  # of its line


class _Where(NamedTuple):
    """A place in a block: after the line at `after` (-1: before all), or inside it."""

    block: int
    after: Place


def with_figures(pages: Sequence[Page], blocks: Sequence[Block], others: Sequence[Line]) -> WithFigures:
    """The blocks with a token where each figure stands, each figure given to at most one.

    A caption that names a problem decides; a caption `Figure 3` that one problem of these pages speaks of decides too.
    Else the figure goes to the problem of its column that it stands beside or below, by the shared height, by the
    height at which both begin, and by whether the problem speaks of a figure and has none yet.
    """
    return _Placing(pages, blocks, others).result()


class _Placing:
    def __init__(self, pages: Sequence[Page], blocks: Sequence[Block], others: Sequence[Line]) -> None:
        self.first = min((page.number for page in pages if page.error is None), default=0)
        self.pages = [page for page in pages if page.error is None and page.figures]
        self.blocks = list(blocks)
        self.owner: dict[Place, int] = {p: k for k, block in enumerate(blocks) for p in block.places}
        every = [line for block in blocks for line in block.lines] + list(others)
        named = (m["fig"] for line in every if _is_caption(line.text) for m in _CAPTION.finditer(line.text))
        self.often = Counter(name for name in named if name)
        self.by_column: dict[tuple[int, int], list[Line]] = defaultdict(list)
        for line in every:
            self.by_column[line.page, line.column].append(line)
        for lines in self.by_column.values():
            lines.sort(key=lambda line: (line.y0, line.x0))
        self.texts = ["\n".join(li.text for li in block.lines if not _is_caption(li.text)) for block in blocks]
        self.numbered: dict[str, list[int]] = defaultdict(list)
        for b, block in enumerate(blocks):
            self.numbered[block.label.lstrip("ABCDEFGHIJKLMN")].append(b)
        self.names_in = [{m[1] for m in _NAMED.finditer(text)} for text in self.texts]
        self.naming: dict[str, list[int]] = defaultdict(list)  # blocks by the figures that they speak of
        for b, names in enumerate(self.names_in):
            for name in names:
                self.naming[name].append(b)
        self.given: Counter[int] = Counter()
        self.inserted: dict[int, list[tuple[Place, int, Placed]]] = defaultdict(list)
        self.captions: dict[Place, str] = {}  # lines that are captions, and what stays of them
        self.names: dict[str, str] = {}  # `Figure 3` below a figure, by its token
        self.left: list[LeftOut] = []
        self.count = 0

    def result(self) -> WithFigures:
        places = {(f.sha256, round(f.x0 / 4), round(f.y0 / 4), p.number) for p in self.pages for f in p.figures}
        same = Counter(sha256 for sha256, _, _, _ in places)
        at_one_place = Counter(place[:3] for place in places)
        self.logos = {place[0] for place, n in at_one_place.items() if n > 1}
        self.logos |= {sha256 for sha256, n in same.items() if n >= REPEATED}
        for page in self.pages:
            if len(page.figures) > MAX_FIGURES:
                self.left += [
                    LeftOut(
                        page.number, k, f, f"the page has {len(page.figures)} figures, no page of print has so many"
                    )
                    for k, f in enumerate(page.figures, 1)
                ]
                continue
            self._page(page)
        blocks, placed = [], {}
        for k, block in enumerate(self.blocks):
            lines = self._with_tokens(block, sorted(self.inserted.get(k, []), key=lambda one: one[1]))
            blocks.append(block._replace(lines=lines))
            placed[k] = [one[2] for one in self.inserted.get(k, [])]
        return WithFigures(blocks, placed, self.left)

    def _page(self, page: Page) -> None:
        columns = {key: lines for key, lines in self.by_column.items() if key[0] == page.number}
        heights = [line.height for lines in columns.values() for line in lines]
        height = statistics.median(heights) if heights else 10.0
        todo = []
        captions = _captions(columns, page.figures, height)
        top = min((line.y0 for lines in columns.values() for line in lines), default=0.0)
        for k, figure in enumerate(page.figures, 1):
            why = _decoration(figure, height, figure.sha256 in self.logos)
            if why is None and page.number == self.first and figure.y1 <= top:
                why = "it stands above the text of the paper"
            if why:
                self.left.append(LeftOut(page.number, k, figure, why))
            elif not self._by_caption(page, k, figure, captions.get(k)):
                todo.append((k, figure))
        rest = self._in_options(page, todo, columns, height)
        for k, figure in sorted(rest, key=lambda one: (self._column_of(one[1], columns) or (0, 0), one[1].y0)):
            self._by_place(page, k, figure, columns, height, captions.get(k))

    def _place(
        self, page: int, number: int, figure: PageFigure, where: _Where, caption: _Caption | None = None
    ) -> None:
        self.count += 1
        if caption is not None:
            self.captions[caption.line.place] = caption.rest
            if caption.problem is None:  # a problem speaks of `Figure 3`; what names the problem says nothing more
                self.names[f"<\ue000{self.count}>"] = caption.text
        placed = Placed(page, number, figure, f"<\ue000{self.count}>")
        self.given[where.block] += 1
        self.inserted[where.block].append((where.after, self.count, placed))

    def _by_caption(self, page: Page, k: int, figure: PageFigure, caption: _Caption | None) -> bool:
        if caption is None:
            return False
        of_problem = caption.problem is not None
        if not of_problem and self.often[caption.name or ""] > 1:
            return False  # each problem counts its own figures
        named = self.numbered.get(caption.problem or "", []) if of_problem else self.naming.get(caption.name or "", [])
        near = [b for b in named if any(abs(place.page - page.number) <= 1 for place in self.blocks[b].places)]
        own = [b for b in near if any(place.page == page.number for place in self.blocks[b].places)]
        chosen = own if of_problem and own else near
        if len(chosen) != 1:
            return False
        after = self._after(chosen[0], page.number, figure)
        self._place(page.number, k, figure, _Where(chosen[0], after), caption)
        return True

    def _after(self, block: int, page: int, figure: PageFigure) -> Place:
        """The line of the block that the figure follows: the end of the paragraph that it stands beside, or the last
        line above it."""
        lines = [line for line in self.blocks[block].lines if line.page <= page]
        if not lines:
            return self.blocks[block].places[0]
        here = [line for line in lines if line.page == page]
        if not here:
            return lines[-1].place
        middle = (figure.y0 + figure.y1) / 2
        crossed = (
            max(line.column for line in here if line.x0 <= figure.x1)
            if any(line.x0 <= figure.x1 for line in here)
            else here[0].column
        )
        above = [line for line in here if line.column < crossed or (line.y0 + line.y1) / 2 <= middle]
        start = above[-1] if above else (lines[len(lines) - len(here) - 1] if len(lines) > len(here) else here[0])
        all_lines = self.blocks[block].lines
        i = next(n for n, line in enumerate(all_lines) if line.place == start.place)
        beside = start.y0 < figure.y1 and figure.y0 < start.y1
        while beside and i + 1 < len(all_lines) and between(all_lines[i], all_lines[i + 1]) != "\n":
            i += 1
        named = question_end(all_lines)
        if i >= named and (figure.y0 < all_lines[named].y1 or all_lines[named].page != page):
            i = named - 1
        return all_lines[i].place

    def _in_options(
        self, page: Page, todo: list[tuple[int, PageFigure]], columns: dict[tuple[int, int], list[Line]], height: float
    ) -> list[tuple[int, PageFigure]]:
        """Figures that stand beside, above or below a row of option labels, one each; the others are given back."""
        rest = dict(todo)
        for lines in columns.values():
            for line in lines:
                owner = self.owner.get(line.place)
                if owner is None or len(line.text) > 200 or not _LABELS.fullmatch(line.text):
                    continue
                labels = list(_LABEL.finditer(line.text))
                row = [
                    (k, f)
                    for k, f in sorted(rest.items(), key=lambda one: one[1].x0)
                    if f.y0 - 1.5 * height <= line.y1 and line.y0 <= f.y1 + 1.5 * height
                ]
                tops = [f.y0 for _, f in row]
                if len(row) == len(labels) >= 2 and max(tops) - min(tops) <= 2 * height:
                    self.captions[line.place] = "\n".join(f"{m[1]}. \ue001{n}" for n, m in enumerate(labels))
                    for k, figure in row:
                        self._place(page.number, k, figure, _Where(owner, line.place))
                        del rest[k]
        return list(rest.items())

    @staticmethod
    def _column_of(figure: PageFigure, columns: dict[tuple[int, int], list[Line]]) -> tuple[int, int] | None:
        """The column that the figure stands in or nearest to."""
        x, y = (figure.x0 + figure.x1) / 2, (figure.y0 + figure.y1) / 2

        def away(key: tuple[int, int]) -> tuple[float, tuple[int, int]]:
            lines = columns[key]
            left, right = min(line.x0 for line in lines), max(line.x1 for line in lines)
            across = max(0.0, left - x, x - right)
            down = max(0.0, lines[0].y0 - y, y - max(line.y1 for line in lines))
            return 2 * across + down, key

        return min(columns, key=away, default=None)

    def _runs(self, lines: Sequence[Line]) -> list[_Run]:
        groups: list[list[Line]] = []
        for line in lines:
            if groups and self.owner.get(groups[-1][-1].place) == self.owner.get(line.place):
                groups[-1].append(line)
            else:
                groups.append([line])
        runs = []
        for g, group in enumerate(groups):
            start = max(line.y1 for line in groups[g - 1]) if g else float("-inf")
            end = groups[g + 1][0].y0 if g + 1 < len(groups) else float("inf")
            bottom = max(line.y1 for line in group)
            runs.append(_Run(self.owner.get(group[0].place), group[0].y0, bottom, end, start, tuple(group)))
        return runs

    def _carried(self, page: Page, column: tuple[int, int] | None) -> int | None:
        """The problem that goes on at the head of a column: the one that the text before it belongs to."""
        first = self.by_column[column][0] if column is not None else None
        edge = (page.number, -1) if column is None else column
        before = max((key for key in self.by_column if key < edge), default=None)
        if before is None:
            return None
        last = self.by_column[before][-1]
        owner = self.owner.get(last.place)
        if first is not None and self.owner.get(first.place) == owner:
            return owner
        return owner if last.page in (page.number, page.number - 1) else None

    def _by_place(
        self,
        page: Page,
        k: int,
        figure: PageFigure,
        columns: dict[tuple[int, int], list[Line]],
        height: float,
        caption: _Caption | None,
    ) -> None:
        with_blocks = {key: lines for key, lines in columns.items() if any(li.place in self.owner for li in lines)}
        column = self._column_of(figure, with_blocks or columns)
        scores: dict[int | None, float] = defaultdict(float)
        first_top = float("inf")
        for run in self._runs(columns[column]) if column is not None else []:
            first_top = min(first_top, run.top)
            score = _score(run, figure, height)
            scores[run.owner] = max(scores[run.owner], score)
        carried = self._carried(page, column)
        if carried is not None:
            head_space = _shared(figure, float("-inf"), first_top)
            scores[carried] = max(scores[carried], 0.9 * head_space)
        for block in [b for b in scores if b is not None]:
            speaks = len(self.names_in[block]) or bool(_SPEAKS.search(self.texts[block]))
            if scores[block] > 0.05 and int(speaks) > self.given[block]:
                scores[block] += SPOKEN_OF
        best = max(scores, key=lambda b: (scores[b], b is not None, -(b or 0)), default=None)
        if best is None or scores[best] < ENOUGH or scores[best] <= ABOVE:
            self.left.append(LeftOut(page.number, k, figure, "it stands at no problem"))
            return
        self._place(page.number, k, figure, _Where(best, self._after(best, page.number, figure)), caption)

    def _with_tokens(self, block: Block, tokens: list[tuple[Place, int, Placed]]) -> tuple[Line, ...]:
        """The block's lines with their figures, captions that say no more left out."""
        waiting: dict[Place, list[Placed]] = defaultdict(list)
        for place, _, placed in tokens:
            waiting[place].append(placed)
        lines: list[Line] = []
        for line in block.lines:
            figures = waiting.pop(line.place, [])
            text = self.captions.get(line.place, line.text)
            if "\ue001" in text:
                for n, placed in enumerate(figures):
                    text = text.replace(f"\ue001{n}", placed.token)
                figures = []
            lines.append(line._replace(text=text))
            for placed in figures:
                lines.append(line._replace(text=placed.token, is_full=False))
                if placed.token in self.names:
                    lines.append(line._replace(text=self.names[placed.token], is_full=False))
        return tuple(lines)


def _decoration(figure: PageFigure, height: float, is_logo: bool) -> str | None:
    wide, high = figure.x1 - figure.x0, figure.y1 - figure.y0
    if is_logo:
        return "it comes back on other pages: a logo or a frame"
    if max(wide, high) < TINY * height:
        return "it is smaller than the letters around it"
    if max(wide, high) > RULE * max(1e-6, min(wide, high)):
        return "it is a ruled line"
    return None


def _is_caption(text: str) -> bool:
    rest = _CAPTION.sub("", text[:200]).strip()
    return len(text) <= 200 and not rest and bool(text)


def _captions(  # noqa: PLR0912 - a branch for each place that a caption may have
    columns: dict[tuple[int, int], list[Line]], figures: Sequence[PageFigure], height: float
) -> dict[int, _Caption]:
    """The caption of each figure that has one: the nearest one below it or above it, none twice."""
    found = []
    for lines in columns.values():
        for line in lines:
            tail = None if len(line.text) > 400 else _TAIL.search(line.text)
            if tail and not _is_caption(line.text):  # set beside the text, and read as the end of its row
                middle = line.x1 - line.height * len(tail[0]) / 2
                found.append(_Caption(line, middle, tail["of"], None, tail[0], line.text[: tail.start()].strip()))
            if _is_caption(line.text):
                width = (line.x1 - line.x0) / max(1, len(line.text))
                for m in _CAPTION.finditer(line.text):
                    of = m["of"] or m["of2"] or m["of3"] or m["of4"]
                    middle = line.x0 + width * (m.start() + m.end()) / 2
                    found.append(_Caption(line, middle, of, m["fig"], m[0].strip()))
    if len(found) > MAX_CAPTIONS:
        return {}
    pairs = []
    for k, figure in enumerate(figures, 1):
        for c, caption in enumerate(found):
            away = min(abs(caption.line.y0 - figure.y1), abs(figure.y0 - caption.line.y1) + height)
            inside = figure.x0 - height <= caption.middle <= figure.x1 + height
            if inside and away <= NEAR_CAPTION * height:
                pairs.append((away, k, c))
    given: dict[int, _Caption] = {}
    used: set[int] = set()
    for _, k, c in sorted(pairs):
        if k not in given and c not in used:
            given[k] = found[c]
            used.add(c)
    for k, caption in list(given.items()):  # the others of its line belong to the figures beside, however low these end
        for c, other in enumerate(found):
            if c not in used and other.line.place == caption.line.place:
                beside = [
                    n
                    for n, f in enumerate(figures, 1)
                    if n not in given
                    and f.x0 - height <= other.middle <= f.x1 + height
                    and f.y0 < figures[k - 1].y1
                    and figures[k - 1].y0 < f.y1
                ]
                if beside:
                    given[beside[0]] = other
                    used.add(c)
    return given


def _shared(figure: PageFigure, low: float, high: float) -> float:
    """The share of the figure's height between two heights."""
    return max(0.0, min(figure.y1, high) - max(figure.y0, low)) / max(1e-6, figure.y1 - figure.y0)


def _score(run: _Run, figure: PageFigure, height: float) -> float:
    beside = _shared(figure, run.top, run.bottom)
    below = _shared(figure, run.bottom, run.end)
    above = _shared(figure, run.start, run.top)
    level = LEVEL if beside > 0 and abs(figure.y0 - run.top) <= 1.5 * height else 0.0
    below *= 1.0 if run.owner is not None else 0.4
    return beside + below + ABOVE * above * (beside + below < 0.5) + level
