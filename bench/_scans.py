"""Problems typeset on pages, and the pages as a scanner gives them back.  Same input, same bytes.

Formulas are Unicode text: fractions and roots on one line, `^` and `_` set as raised and lowered small letters.
"""

import io
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt
from _plain_math import MONEY
from PIL import Image, ImageDraw, ImageFont

DPI = 150
WIDTH, HEIGHT = 1240, 1754  # A4
LEFT, RIGHT, TOP, BOTTOM = 120, 1120, 150, 1620
SIZE, SMALL, LEADING, GAP = 25, 17, 42, 22  # pixels; 12 points and 8 points
RAISED, LOWERED = -9, 9
SKEW_DEG = 0.3
WATERMARK_GREY = 222

_FOLDERS = (Path("/usr/share/fonts/truetype"), Path("/usr/share/fonts/opentype"), Path("/usr/share/fonts"))
_TEXT = ("liberation/LiberationSerif-Regular.ttf", "noto/NotoSerifCJK-Regular.ttc", "dejavu/DejaVuSans.ttf")
_ITALIC = ("liberation/LiberationSerif-Italic.ttf", *_TEXT)
_SCRIPT = re.compile(r"([\^_])(\{[^{}]*\}|\([^()]*\)|[A-Za-z]|\d+|')")
_VOWELS = "aeiouy"

Pixels = npt.NDArray[np.uint8]
Font = ImageFont.FreeTypeFont


class FontsMissing(Exception):
    """The message says what to install."""


class Scan(NamedTuple):
    """How a page is scanned."""

    blur: float  # pixels, standard deviation
    noise: float  # grey levels, standard deviation
    scale: float  # of the page's 150 dots an inch, lost and interpolated again
    jpeg_quality: int


SCANS = {"mild": Scan(0.6, 7.0, 1.0, 70), "worn": Scan(0.8, 14.0, 0.55, 40)}  # worn: 82 dpi, a copy of a copy


class Piece(NamedTuple):
    """A run of one font size, drawn at once."""

    text: str
    size: int
    shift: int
    italic: bool


class Row(NamedTuple):
    """A printed line: which problem it belongs to (None: running head, foot), and its middle in pixels."""

    problem: int | None
    y: float


class Sheet(NamedTuple):
    """One page before it is scanned."""

    image: Image.Image
    rows: list[Row]


class Printed(NamedTuple):
    """What is set: paragraphs, in which `$…$` is italic, and the number in front."""

    number: int
    text: str


@cache
def _font(name: str, size: int) -> Font:
    for folder in _FOLDERS:
        if (folder / name).is_file():
            return ImageFont.truetype(str(folder / name), size, index=2 if name.endswith(".ttc") else 0)
    raise FontsMissing(f"the font {name} is missing: apt-get install fonts-liberation fonts-noto-cjk fonts-dejavu-core")


@cache
def _glyph_font(char: str, size: int, italic: bool) -> Font:
    """The first font that has the character."""
    for name in _ITALIC if italic and char.isalpha() else _TEXT:
        font = _font(name, size)
        if char.isspace() or bytes(font.getmask(char)) != bytes(font.getmask("\uffff")):
            return font
    return _font(_TEXT[-1], size)


def is_printable(text: str) -> bool:
    """Whether every character has a glyph."""
    last = _font(_TEXT[-1], SIZE)
    unknown = bytes(last.getmask("\uffff"))
    return all(
        char.isspace() or bytes(_glyph_font(char, SIZE, False).getmask(char)) != unknown for char in sorted(set(text))
    )


def _pieces(word: str, italic: bool) -> Iterator[Piece]:
    at = 0
    for script in _SCRIPT.finditer(word):
        if script.start() > at:
            yield Piece(word[at : script.start()], SIZE, 0, italic)
        inner = script[2].strip("{}") if script[2].startswith("{") else script[2]
        yield Piece(inner.removeprefix("(").removesuffix(")"), SMALL, RAISED if script[1] == "^" else LOWERED, italic)
        at = script.end()
    if at < len(word):
        yield Piece(word[at:], SIZE, 0, italic)


def _width(pieces: Sequence[Piece]) -> float:
    return sum(_glyph_font(char, p.size, p.italic).getlength(char) for p in pieces for char in p.text)


def _draw(canvas: ImageDraw.ImageDraw, x: float, base: float, pieces: Sequence[Piece]) -> float:
    for piece in pieces:
        for char in piece.text.replace(MONEY, "$"):
            font = _glyph_font(char, piece.size, piece.italic)
            canvas.text((x, base + piece.shift), char, fill=20, font=font, anchor="ls")
            x += font.getlength(char)
    return x


_WORDS = re.compile(
    r"\$[^$]*\$|[^\S\n]+|\n|[\u2e80-\u9fff\uff00-\uffef][，。；：、）！？”]?|[^\s$\u2e80-\u9fff\uff00-\uffef]+"
)


def _tokens(text: str) -> Iterator[tuple[str, bool]]:
    """Words, blanks, line ends and Chinese characters, each with whether it is italic; formulas break at blanks."""
    for match in _WORDS.finditer(text):
        token = match[0]
        if token.startswith("$"):
            for part in re.findall(r"\s+|\S+", token.strip("$")):
                yield part, True
        else:
            yield token, False


def _hyphenated(word: str, room: float) -> tuple[str, str] | None:
    """The longest beginning that fits with its hyphen, cut between two consonants or before one; None: it does not."""
    if not re.fullmatch(r"[A-Za-z]{7,}[.,;:?]?", word):
        return None
    low = word.lower()
    for cut in range(len(word) - 3, 2, -1):
        good = low[cut - 2] in _VOWELS and low[cut - 1] not in _VOWELS and low[cut] not in _VOWELS
        if good and _width(list(_pieces(word[:cut] + "-", False))) <= room:
            return word[:cut] + "-", word[cut:]
    return None


def _lines(text: str, indent: float) -> Iterator[list[tuple[float, list[Piece]]]]:
    """Lines of placed words."""
    line: list[tuple[float, list[Piece]]] = []
    x = indent
    for word, italic in _tokens(text):
        if word == "\n":
            yield line
            line, x = [], indent
            continue
        pieces = list(_pieces(word, italic))
        width = _width(pieces)
        if word.isspace():
            x += width if line else 0
            continue
        if x + width > RIGHT and line:
            split = None if italic else _hyphenated(word, RIGHT - x)
            if split:
                line.append((x, list(_pieces(split[0], italic))))
                pieces = list(_pieces(split[1], italic))
                width = _width(pieces)
            yield line
            line, x = [], indent
        line.append((x, pieces))
        x += width
    yield line


def typeset(problems: Sequence[Printed], title: str, folio: str, watermark: str) -> list[Sheet]:
    """The pages of a paper, each with head, foot (`folio` with {page} and {pages}) and a pale mark across."""
    sheets: list[Sheet] = []
    y = BOTTOM + 1.0
    for index, problem in enumerate(problems):
        y += GAP
        number = [Piece(f"{problem.number}. ", SIZE, 0, False)]
        indent = LEFT + _width(number)
        for i, line in enumerate(_lines(problem.text, indent)):
            if not line:
                continue
            if y + LEADING > BOTTOM:
                sheets.append(_blank(title, watermark))
                y = TOP
            canvas = ImageDraw.Draw(sheets[-1].image)
            if i == 0:
                _draw(canvas, LEFT, y + SIZE, number)
            for x, pieces in line:
                _draw(canvas, x, y + SIZE, pieces)
            sheets[-1].rows.append(Row(index, y + SIZE * 0.7))
            y += LEADING
    for page, sheet in enumerate(sheets, 1):
        text = folio.format(page=page, pages=len(sheets))
        _draw(ImageDraw.Draw(sheet.image), (WIDTH - 160) / 2, HEIGHT - 75, [Piece(text, SIZE, 0, False)])
        sheet.rows.append(Row(None, HEIGHT - 82))
    return sheets


def _blank(title: str, watermark: str) -> Sheet:
    image = Image.new("L", (WIDTH, HEIGHT), 250)
    mark = Image.new("L", (900, 120), 0)
    _draw_mark(ImageDraw.Draw(mark), watermark)
    turned = mark.rotate(35, expand=True)
    pale = Image.new("L", turned.size, WATERMARK_GREY)
    image.paste(pale, ((WIDTH - turned.width) // 2, (HEIGHT - turned.height) // 2), turned)
    _draw(ImageDraw.Draw(image), LEFT, 95, [Piece(title, SIZE, 0, False)])
    ImageDraw.Draw(image).line((LEFT, 108, RIGHT, 108), fill=60)
    return Sheet(image, [Row(None, 88)])


def _draw_mark(canvas: ImageDraw.ImageDraw, text: str) -> None:
    x = 10.0
    for char in text:
        font = _glyph_font(char, 80, False)
        canvas.text((x, 90), char, fill=255, font=font, anchor="ls")
        x += font.getlength(char)


def scanned(sheet: Sheet, seed: int, scan: Scan) -> bytes:
    """The page as a JPEG: a little skewed, blurred, unevenly lit and noisy."""
    rng = np.random.default_rng(seed)
    grey = np.asarray(sheet.image, dtype=np.float32)
    angle = (-SKEW_DEG, 0.0, SKEW_DEG)[seed % 3]
    turn = cv2.getRotationMatrix2D((WIDTH / 2, HEIGHT / 2), angle, 1.0)
    grey = cv2.warpAffine(grey, turn, (WIDTH, HEIGHT), flags=cv2.INTER_CUBIC, borderValue=250.0)
    grey = cv2.GaussianBlur(grey, (0, 0), scan.blur)
    small = cv2.resize(grey, None, fx=scan.scale, fy=scan.scale, interpolation=cv2.INTER_AREA)
    noisy = (
        small + np.linspace(-6, 6, small.shape[1], dtype=np.float32)[None, :] + rng.normal(0.0, scan.noise, small.shape)
    )
    grey = cv2.resize(noisy.astype(np.float32), (WIDTH, HEIGHT), interpolation=cv2.INTER_LINEAR)
    out = io.BytesIO()
    Image.fromarray(np.clip(grey, 0, 255).astype(np.uint8)).save(out, "JPEG", quality=scan.jpeg_quality)
    return out.getvalue()
