"""Papers typeset in layouts drawn by a seed: a PDF with a text layer, and the same pages as pictures.

Every layout is one draw of each trait below.  A combination of numbering, columns, key, options and figures belongs by
its hash to `rules` (looked at while rules were written) or to `unseen` (reported).
"""

import hashlib
import io
import random
import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from _paper_items import Item
from PIL import Image, ImageDraw, ImageFilter, ImageFont
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.pdfmetrics import registerFont, stringWidth
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

WIDTH, HEIGHT = A4
MARGIN, TOP, FOOT, GUTTER = 56.0, 70.0, 70.0, 26.0
SIZE, LEADING = 10.0, 15.0
DPI = 150
DEJAVU = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
NOTO = Path("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc")

NUMBERING = {
    "en": ("{n}. ", "{n}) ", "Problem {n}. ", "Problem {n}\n", "Q{n}. ", "Question {n}: ", "({n}) "),
    "zh": ("{n}．", "{n}、", "{n}. ", "第{n}题 ", "（{n}）", "例{n} "),
}
TRAITS: dict[str, tuple[str, ...]] = {
    "columns": ("1", "2"),
    "key": ("none", "inline", "list", "rows", "runs", "table", "grid", "solutions", "both"),
    "options": ("lines", "row", "pairs", "columns"),
    "label": ("{} . ", "({}) ", "{}、", "{}．", "circled"),
    "figures": ("beside", "below", "centre", "left"),
    "caption": ("none", "figure", "problem"),
    "parts": ("none", "restart", "continue"),
    "points": ("none", "points", "brackets"),
    "hang": ("yes", "no"),
    "gap": ("0", "0.5", "1.2"),
    "head": ("none", "head", "foot", "both"),
    "logo": ("no", "yes"),
    "rules": ("none", "plain", "numbered"),
    "break": ("no", "yes"),
}
HELD = ("columns", "key", "options", "figures")


class Box(NamedTuple):
    """A place on a page in points, origin top left."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


class Truth(NamedTuple):
    """Where a problem begins and its figures stand."""

    item: Item
    label: str
    start: Box
    figures: list[Box]
    has_answer: bool
    has_solution: bool


class Typeset(NamedTuple):
    """A paper: its bytes, what stands where, and the pages as pictures."""

    pdf: bytes
    truths: list[Truth]
    decorations: list[Box]
    pages: list[Image.Image]
    layout: dict[str, str]


def drawn(rng: random.Random, language: str, half: str) -> dict[str, str]:
    """A layout of the half."""
    while True:
        layout = {name: rng.choice(values) for name, values in TRAITS.items()}
        layout["numbering"] = rng.choice(NUMBERING[language])
        held = "|".join(layout[name] for name in ("numbering", *HELD))
        if ("rules", "unseen")[hashlib.sha256(held.encode()).digest()[0] & 1] == half:
            return layout


@lru_cache(maxsize=1)
def _fonts() -> tuple[set[int], None]:
    font = TTFont("Text", str(DEJAVU))
    registerFont(font)
    registerFont(UnicodeCIDFont("STSong-Light"))
    return set(font.face.charToGlyph), None


def _font_of(char: str) -> str:
    is_han = "\u3000" <= char <= "\u9fff" or "\uff00" <= char <= "\uffef"
    return "STSong-Light" if is_han or ord(char) not in _fonts()[0] else "Text"


def _width(text: str, size: float) -> float:
    return sum(stringWidth(char, _font_of(char), size) for char in text)


@lru_cache(maxsize=8)
def _pil_font(name: str, size: float) -> ImageFont.FreeTypeFont:
    scaled = round(size * DPI / 72)
    return ImageFont.truetype(str(DEJAVU), scaled) if name == "Text" else ImageFont.truetype(str(NOTO), scaled, index=2)


_WORD = re.compile(r"\s+|[\u2e80-\u9fff\uff00-\uffef][，。；：、）！？”．]{0,2}|[^\s\u2e80-\u9fff\uff00-\uffef]+")


def _wrapped(text: str, first: float, rest: float, size: float) -> list[str]:
    """The text in lines of the given widths."""
    lines, line, used, room = [], "", 0.0, first
    for word in _WORD.findall(text):
        width = _width(word, size)
        if used + width > room and line.strip():
            lines.append(line.rstrip())
            line, used, room = "", 0.0, rest
            if word.isspace():
                continue
        while width > room and len(word) > 1:  # a word that no line holds
            cut = max(1, int(len(word) * room / width) - 1)
            lines.append(word[:cut])
            word = word[cut:]
            width = _width(word, size)
        line, used = line + word, used + width
    if line.strip():
        lines.append(line.rstrip())
    return lines


class _Sheet:
    """The cursor over pages and columns; draws on the PDF and on pictures alike."""

    def __init__(self, layout: dict[str, str], title: str, logo: Path | None, pictures: bool) -> None:
        _fonts()
        self.layout, self.title, self.logo = layout, title, logo
        self.buffer = io.BytesIO()
        self.canvas = Canvas(self.buffer, pagesize=A4, invariant=1)
        self.columns = int(layout["columns"])
        self.wide = (WIDTH - 2 * MARGIN - GUTTER * (self.columns - 1)) / self.columns
        self.page, self.column, self.y = 1, 0, TOP
        self.column_top = TOP
        self.decorations: list[Box] = []
        self.pictures: list[Image.Image] = []
        self.with_pictures = pictures
        self.avoid: tuple[float, float, float] | None = None  # width and heights of a figure at the right
        self._begin()

    @property
    def left(self) -> float:
        """Left edge of the column."""
        return MARGIN + self.column * (self.wide + GUTTER)

    def _begin(self) -> None:
        if self.with_pictures:
            self.pictures.append(Image.new("L", (round(WIDTH * DPI / 72), round(HEIGHT * DPI / 72)), 252))
        self.avoid = None
        if self.layout["head"] in ("head", "both"):
            self.text(MARGIN, 34, self.title, 8)
        if self.layout["head"] in ("foot", "both"):
            self.text(
                WIDTH / 2 - 20, HEIGHT - 36, f"Page {self.page}" if self.title.isascii() else f"第 {self.page} 页", 8
            )
        if self.logo is not None:
            self.decorations.append(self.image(self.logo, WIDTH - MARGIN - 40, 22, 36, 28))

    def text(self, x: float, y: float, text: str, size: float = SIZE) -> None:
        """Text with its top at y."""
        base = HEIGHT - y - size * 0.85
        run, name, at = "", "", x
        for char in [*text, None]:
            found = _font_of(char) if char is not None else ""
            if char is None or (found != name and run):
                self.canvas.setFont(name, size)
                self.canvas.drawString(at, base, run)
                if self.with_pictures:
                    pen = ImageDraw.Draw(self.pictures[-1])
                    place = (at * DPI / 72, (y + size * 0.85) * DPI / 72)
                    pen.text(place, run, fill=15, font=_pil_font(name, size), anchor="ls")
                at += stringWidth(run, name, size)
                run = ""
            name, run = found, run + (char or "")

    def image(self, path: Path, x: float, y: float, wide: float, high: float) -> Box:
        """An image in its box."""
        self.canvas.drawImage(ImageReader(_picture(path)), x, HEIGHT - y - high, wide, high)
        if self.with_pictures:
            scale = DPI / 72
            size = (max(1, round(wide * scale)), max(1, round(high * scale)))
            self.pictures[-1].paste(_picture(path).convert("L").resize(size), (round(x * scale), round(y * scale)))
        return Box(self.page, x, y, x + wide, y + high)

    def room(self, high: float) -> None:
        """Goes to the next column or page unless there is room."""
        if self.y + high > HEIGHT - FOOT:
            self.next_column()

    def next_column(self) -> None:
        """Goes to the next column."""
        if self.column + 1 < self.columns:
            self.column += 1
            self.y = self.column_top
            self.avoid = None
        else:
            self.next_page()

    def next_page(self) -> None:
        """Goes to the next page."""
        self.canvas.showPage()
        self.page += 1
        self.column, self.y, self.column_top = 0, TOP, TOP
        self._begin()

    def available(self, indent: float) -> float:
        """Width of a line here."""
        wide = self.wide - indent
        if self.avoid is not None:
            width, top, bottom = self.avoid
            if top - LEADING < self.y < bottom:
                wide -= width + 8
        return wide

    def paragraph(self, text: str, indent: float = 0.0, first: float | None = None, size: float = SIZE) -> Box | None:
        """A paragraph; the place where it begins."""
        start: Box | None = None
        here = indent if first is None else first
        rest = text
        while rest:
            self.room(LEADING)
            lines = _wrapped(rest, self.available(here), self.available(here), size)
            line = lines[0]
            self.text(self.left + here, self.y, line, size)
            start = start or Box(self.page, self.left + here, self.y, self.left + here + 20, self.y + size)
            rest = rest[rest.index(line) + len(line) :].lstrip()
            self.y += LEADING
            here = indent
        return start


@lru_cache(maxsize=400)
def _picture(path: Path) -> Image.Image:
    with Image.open(path) as image:
        flat = Image.new("RGB", image.size, "white")
        flat.paste(image.convert("RGBA"), mask=image.convert("RGBA").getchannel("A"))
        flat.thumbnail((360, 360))
        return flat


def _size(path: Path, wide: float, high: float) -> tuple[float, float]:
    image = _picture(path)
    scale = min(wide / image.width, high / image.height)
    return image.width * scale, image.height * scale


HAN = "一二三四五六七八九十"


def _heading(language: str, part: int, rng: random.Random) -> str:
    if language == "zh":
        kind = ("选择题", "填空题", "解答题")[part % 3]
        return f"{HAN[part]}、{kind}" + rng.choice(("", "（每小题5分，共30分）", "：本大题共6小题"))
    letter = "ABC"[part]
    return rng.choice(
        (f"Part {letter}", f"Section {'I' * (part + 1)}: Short Problems", f"Part {letter} (5 points each)")
    )


def typeset(
    items: Sequence[Item], layout: dict[str, str], rng: random.Random, logo: Path | None, *, pictures: bool = False
) -> Typeset:
    """A paper of the items in the layout."""
    language = items[0].language
    zh = language == "zh"
    title = "春季数学竞赛试卷" if zh else "Spring Mathematics Contest"
    sheet = _Sheet(layout, title, logo if layout["logo"] == "yes" else None, pictures)
    _front(sheet, layout, title, zh)
    n_parts = 1 if layout["parts"] == "none" else rng.choice((2, 3))
    size = -(-len(items) // n_parts)
    truths: list[Truth] = []
    parts: list[list[tuple[str, Item]]] = []
    number = 0
    heads = []
    for part in range(n_parts):
        own = items[part * size : (part + 1) * size]
        parts.append([])
        if layout["parts"] == "restart":
            number = 0
        if n_parts > 1:
            heads.append(_heading(language, part, rng))
            sheet.room(5 * LEADING)
            sheet.y += LEADING * 0.4
            sheet.paragraph(heads[-1], size=11)
        for item in own:
            number += 1
            parts[-1].append((str(number), item))
            truths.append(_problem(sheet, layout, item, number, zh))
    _key(sheet, layout, parts, heads, rng, zh)
    sheet.canvas.showPage()
    sheet.canvas.save()
    return Typeset(sheet.buffer.getvalue(), truths, sheet.decorations, sheet.pictures, layout)


def _front(sheet: _Sheet, layout: dict[str, str], title: str, zh: bool) -> None:
    sheet.text(WIDTH / 2 - _width(title, 15) / 2, sheet.y, title, 15)
    sheet.y += 26
    rules = (
        ["注意事项：", "1．答题前，考生先将自己的姓名填写清楚。", "2．请将答案写在答题卡上。", "3．考试结束后交回。"]
        if zh
        else ["Instructions", "1. Write your name on every sheet.", "2. No calculators.", "3. Hand in all paper."]
    )
    if layout["rules"] == "numbered":
        for line in rules:
            sheet.text(MARGIN, sheet.y, line)
            sheet.y += LEADING
    elif layout["rules"] == "plain":
        line = "考试时间120分钟，满分150分。" if zh else "Time allowed: 120 minutes. Show all your work."
        sheet.text(WIDTH / 2 - _width(line, SIZE) / 2, sheet.y, line)
        sheet.y += LEADING
    sheet.y += LEADING * 0.6
    sheet.column_top = sheet.y
    if layout["rules"] == "numbered" and layout["parts"] == "none":
        line = "试题" if zh else "Problems"
        sheet.text(WIDTH / 2 - 30, sheet.y - LEADING * 0.5, line, 11)
        sheet.y += LEADING
        sheet.column_top = sheet.y


def _points(layout: dict[str, str], zh: bool) -> str:
    if layout["points"] == "none":
        return ""
    if layout["points"] == "brackets":
        return "（本小题满分12分）" if zh else "[5] "
    return "（12分）" if zh else "(5 points) "


def _problem(sheet: _Sheet, layout: dict[str, str], item: Item, number: int, zh: bool) -> Truth:
    style = layout["numbering"]
    if style.startswith("("):  # whoever numbers problems so has other numbers for their parts
        item = item._replace(question=re.sub(r"(?<=\n)\((\d)\) ", _lettered, item.question))
    mark, points = style.format(n=number), _points(layout, zh)
    sheet.y += float(layout["gap"]) * LEADING
    indent = 16.0 if layout["hang"] == "yes" else 0.0
    beside = layout["figures"] == "beside" and len(item.figures) == 1 and not item.in_options
    boxes: list[Box] = []
    if beside:
        wide, high = _size(item.figures[0], min(110.0, sheet.wide * 0.42), 95.0)
        sheet.room(high + LEADING)
        x = sheet.left + sheet.wide - wide
        boxes.append(sheet.image(item.figures[0], x, sheet.y, wide, high))
        bottom = sheet.y + high + 4
        caption = _caption(layout, item, number, 1, zh)
        if caption:
            sheet.text(x + wide / 2 - _width(caption, 8) / 2, bottom, caption, 8)
            bottom += 12
        sheet.avoid = (wide, sheet.y, bottom)
    lines = item.question.split("\n")
    if mark.endswith("\n"):
        sheet.room(3 * LEADING)
        start = sheet.paragraph(mark.strip() + (" " + points.strip() if points else ""))
        lines_left = lines
    else:
        sheet.room(2 * LEADING)
        start = sheet.paragraph(mark + points + lines[0], indent, first=0.0)
        lines_left = lines[1:]
    for line in lines_left:
        sheet.paragraph(line, indent)
    page = sheet.page
    if item.figures and not beside and not item.in_options:
        boxes += _row(sheet, layout, item, number, zh)
    if item.options:
        boxes += _options(sheet, layout, item, indent)
    if sheet.avoid is not None and sheet.page == page:
        sheet.y = max(sheet.y, sheet.avoid[2])
    sheet.avoid = None
    has_answer, has_solution = bool(item.answer) and layout["key"] != "none", False
    if layout["key"] == "inline":
        has_solution = bool(item.solution)
        if item.answer:
            sheet.paragraph(f"【答案】{item.answer}" if zh else f"Answer: {item.answer}", indent)
        if item.solution:
            for i, line in enumerate(item.solution.split("\n")[:6]):
                head = ("【解析】" if zh else "Solution: ") if i == 0 else ""
                sheet.paragraph(head + line, indent)
    assert start is not None
    if layout["key"] in ("solutions", "both"):
        has_solution = bool(item.solution)
        has_answer = has_answer and layout["key"] == "both"
    label = str(number)
    return Truth(item, label, start, boxes, has_answer, has_solution)


def _lettered(number: re.Match[str]) -> str:
    return f"({chr(96 + int(number[1]))}) "


def _caption(layout: dict[str, str], item: Item, number: int, k: int, zh: bool) -> str:
    if layout["caption"] == "none" or item.in_options:
        return ""
    if layout["caption"] == "problem" and len(item.figures) == 1:
        return f"（第{number}题图）" if zh else f"Figure for problem {number}"
    if len(item.figures) > 1:
        return f"图{k}" if zh else f"Figure {k}"
    return ""


def _row(sheet: _Sheet, layout: dict[str, str], item: Item, number: int, zh: bool) -> list[Box]:
    """The figures of a problem side by side below its text."""
    n = len(item.figures)
    wide = min(130.0, (sheet.wide - 12 * n) / n)
    sizes = [_size(path, wide, 95.0) for path in item.figures]
    high = max(h for _, h in sizes)
    sheet.room(high + 2 * LEADING)
    total = sum(w for w, _ in sizes) + 12 * (n - 1)
    x = sheet.left + (12 if layout["figures"] == "left" else (sheet.wide - total) / 2)
    boxes = []
    for k, (path, (w, h)) in enumerate(zip(item.figures, sizes, strict=True), 1):
        boxes.append(sheet.image(path, x, sheet.y + 2, w, h))
        caption = _caption(layout, item, number, k, zh)
        if caption:
            sheet.text(x + w / 2 - _width(caption, 8) / 2, sheet.y + high + 5, caption, 8)
        x += w + 12
    sheet.y += high + 6 + (12 if layout["caption"] != "none" else 0)
    return boxes


def _options(sheet: _Sheet, layout: dict[str, str], item: Item, indent: float) -> list[Box]:
    labels = [
        chr(0x24B6 + i) + " " if layout["label"] == "circled" else layout["label"].format("ABCDE"[i]).replace(" .", ".")
        for i in range(len(item.options))
    ]
    if item.in_options:
        return _figure_options(sheet, item, labels, indent)
    texts = [label + option for label, option in zip(labels, item.options, strict=True)]
    way, n = layout["options"], len(texts)
    wide = sheet.available(indent)
    longest = max(_width(text, SIZE) for text in texts) + 14
    per_row = {"lines": 1, "row": n, "pairs": 2, "columns": 2}[way]
    while per_row > 1 and longest > wide / per_row:
        per_row = 2 if per_row > 2 else 1
    if per_row == 1:
        for text in texts:
            sheet.paragraph(text, indent)
        return []
    rows = -(-n // per_row)
    order = [[r * per_row + c for c in range(per_row)] for r in range(rows)]
    if way == "columns" and per_row == 2:
        order = [[r, r + rows] for r in range(rows)]
    for row in order:
        sheet.room(LEADING)
        for c, i in enumerate(row):
            if i < n:
                sheet.text(sheet.left + indent + c * wide / per_row, sheet.y, texts[i])
        sheet.y += LEADING
    return []


def _figure_options(sheet: _Sheet, item: Item, labels: list[str], indent: float) -> list[Box]:
    n = len(labels)
    wide = sheet.wide - indent
    sizes = [_size(path, wide / n - 34, 60.0) for path in item.figures]
    high = max(h for _, h in sizes)
    sheet.room(high + LEADING)
    boxes = []
    for i, (path, (w, h)) in enumerate(zip(item.figures, sizes, strict=True)):
        x = sheet.left + indent + i * wide / n
        sheet.text(x, sheet.y + high / 2, labels[i])
        boxes.append(sheet.image(path, x + 26, sheet.y + 2, w, h))
    sheet.y += high + 8
    return boxes


def _key(
    sheet: _Sheet,
    layout: dict[str, str],
    parts: list[list[tuple[str, Item]]],
    heads: list[str],
    rng: random.Random,
    zh: bool,
) -> None:
    way = layout["key"]
    if way in ("none", "inline"):
        return
    if layout["break"] == "yes":
        sheet.next_page()
    sheet.room(6 * LEADING)
    sheet.y += LEADING
    name = {
        "solutions": ("参考解答", "解答") if zh else ("Solutions", "Worked Solutions"),
        "both": ("参考答案与解析", "答案及解析") if zh else ("Answers and Solutions", "Answers & Solutions"),
    }.get(way, ("参考答案", "答案") if zh else ("Answers", "Answer Key", "ANSWER KEY"))
    sheet.paragraph(rng.choice(name), size=12)
    for i, part in enumerate(parts):
        if heads and layout["parts"] == "restart":
            sheet.room(3 * LEADING)
            sheet.paragraph(heads[i].partition("（")[0].partition("(")[0].partition("：")[0].strip(), size=11)
        _part_key(sheet, way, part, zh)


def _part_key(sheet: _Sheet, way: str, part: list[tuple[str, Item]], zh: bool) -> None:
    if way in ("solutions", "both"):
        for label, item in part:
            lines = item.solution.split("\n")[:6] if item.solution else []
            if way == "both" and item.answer:
                sheet.paragraph(f"{label}. {item.answer}", 14, first=0.0)
            elif lines:
                sheet.paragraph(f"{label}. {lines.pop(0)}", 14, first=0.0)
            for i, line in enumerate(lines):
                head = ("解：" if zh else "Solution: ") if i == 0 and way == "both" and item.answer else ""
                sheet.paragraph(head + line, 14)
        return
    answered = [(label, item) for label, item in part if item.answer]
    letters = [(label, item) for label, item in answered if re.fullmatch("[A-E]", item.answer)]
    runs = _runs(letters) if way in ("runs", "table") else []
    done = {label for run in runs for label, _ in run}
    for run in runs:
        first, last, said = run[0][0], run[-1][0], [item.answer for _, item in run]
        if way == "runs":
            sheet.paragraph(f"{first}-{last} {''.join(said)}")
        else:
            sheet.room(2 * LEADING)
            cells = [label for label, _ in run]
            for head, row in ((("题号" if zh else "No."), cells), (("答案" if zh else "Key"), said)):
                sheet.text(sheet.left, sheet.y, head)
                step = min(26.0, (sheet.wide - 40) / len(row))
                for c, cell in enumerate(row):
                    sheet.text(sheet.left + 40 + c * step, sheet.y, cell)
                sheet.y += LEADING
    rest = [f"{label}. {item.answer}" for label, item in answered if label not in done]
    short = [text for text in rest if _width(text, SIZE) < sheet.wide / 3 - 10]
    if way == "rows":
        sheet.paragraph("   ".join(rest))
    elif way == "grid" and len(short) == len(rest) >= 6:
        rows = -(-len(rest) // 3)
        for r in range(rows):
            sheet.room(LEADING)
            for c in range(3):
                if r + c * rows < len(rest):
                    sheet.text(sheet.left + c * sheet.wide / 3, sheet.y, rest[r + c * rows])
            sheet.y += LEADING
    else:
        for text in rest:
            sheet.paragraph(text, 14, first=0.0)


def _runs(letters: list[tuple[str, Item]]) -> list[list[tuple[str, Item]]]:
    """Stretches of three and more letters under numbers that follow one another."""
    runs: list[list[tuple[str, Item]]] = []
    for label, item in letters:
        if runs and int(runs[-1][-1][0]) == int(label) - 1:
            runs[-1].append((label, item))
        else:
            runs.append([(label, item)])
    return [run for run in runs if len(run) >= 3]


def as_scan(page: Image.Image, rng: random.Random) -> bytes:
    """The page as a scanner gives it: a little crooked, blurred, compressed."""
    turned = page.rotate(rng.uniform(-0.4, 0.4), resample=Image.Resampling.BICUBIC, fillcolor=252)
    buffer = io.BytesIO()
    turned.filter(ImageFilter.GaussianBlur(0.5)).save(buffer, "JPEG", quality=75)
    return buffer.getvalue()
