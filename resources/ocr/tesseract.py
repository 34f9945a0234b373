"""Tesseract, if it is installed: a process that is given a picture and gives a table of words.

Languages: eng and chi_sim, whichever are installed.
"""

import io
import shutil
import subprocess
from functools import lru_cache
from typing import TYPE_CHECKING

from PIL import Image

from resources._page_lines import Box, upright_box
from resources.ocr._base import ENGINES, Engine, PageFault, Pixels

if TYPE_CHECKING:
    from resources.home import Home

WANTED = ("eng", "chi_sim")
TIMEOUT_S = 50.0  # below the page's own, so that the page says why
INSTALL = "install it (Debian: apt install tesseract-ocr tesseract-ocr-chi-sim)"
COLUMNS = 12  # of tesseract's table
WORD = "5"  # level of a row that is a word


@lru_cache(maxsize=1)
def _program() -> str | None:
    return shutil.which("tesseract")


def _output(*words: str, given: bytes | None = None) -> bytes:
    """What the program prints.  Raises: PageFault."""
    program = _program()
    if program is None:
        raise PageFault(f"tesseract is not there; {INSTALL}")
    try:
        done = subprocess.run([program, *words], input=given, capture_output=True, timeout=TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired:
        raise PageFault(f"tesseract took longer than {TIMEOUT_S:g} s") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip()[-300:]
        raise PageFault(f"tesseract failed with exit status {done.returncode}: {said}")
    return done.stdout or done.stderr  # older ones print their version on standard error


@lru_cache(maxsize=1)
def _languages() -> str:
    listed = _output("--list-langs").decode("utf-8", "replace").split()
    return "+".join(name for name in WANTED if name in listed)


def _read(pixels: Pixels) -> list[Box]:
    held = io.BytesIO()
    Image.fromarray(pixels[:, :, ::-1]).save(held, "PNG", compress_level=1)
    table = _output("-", "-", "-l", _languages() or "eng", "tsv", given=held.getvalue())
    return boxes_of(table.decode("utf-8", "replace"))


def boxes_of(table: str) -> list[Box]:
    """A box a line of text; its confidence is the mean over its characters."""
    lines: dict[tuple[str, ...], list[tuple[str, float, list[int]]]] = {}
    for row in table.splitlines()[1:]:
        cells = row.split("\t")
        if len(cells) != COLUMNS or cells[0] != WORD or not cells[11].strip():
            continue
        left, top, width, height = (int(cell) for cell in cells[6:10])
        place = [left, top, left + width, top + height]
        lines.setdefault(tuple(cells[1:5]), []).append((cells[11].strip(), float(cells[10]) / 100, place))
    boxes = []
    for words in lines.values():
        x0, y0 = (min(place[i] for *_, place in words) for i in (0, 1))
        x1, y1 = (max(place[i] for *_, place in words) for i in (2, 3))
        length = sum(len(text) for text, *_ in words)
        sure = sum(confidence * len(text) for text, confidence, _ in words) / length
        text = "".join(_spaced([text for text, *_ in words]))
        boxes.append(upright_box(text, x0, y0, x1, y1)._replace(confidence=round(min(max(sure, 0.0), 1.0), 4)))
    return boxes


def _spaced(words: list[str]) -> list[str]:
    """The words with a space before each but between two Chinese characters."""
    return [
        word if i == 0 or (_is_chinese(words[i - 1][-1]) and _is_chinese(word[0])) else f" {word}"
        for i, word in enumerate(words)
    ]


def _is_chinese(char: str) -> bool:
    return "\u3000" <= char <= "\u9fff" or "\uff00" <= char <= "\uffef"


def _version(_home: "Home") -> str:
    said = _output("--version").decode("utf-8", "replace").split()
    return f"tesseract {said[1] if len(said) > 1 else ''} {_languages()}".strip()


def _missing(_home: "Home") -> str | None:
    if _program() is None:
        return f"tesseract is not installed; {INSTALL}"
    try:
        return None if _languages() else f"it knows none of {', '.join(WANTED)}; {INSTALL}"
    except PageFault as error:
        return str(error)


ENGINES.register(
    Engine(name="tesseract", title="Tesseract (installed program)", version=_version, missing=_missing, local=_read)
)
