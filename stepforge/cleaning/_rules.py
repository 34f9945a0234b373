"""The rules in the order in which they are applied.

Each is idempotent and linear in the text; its examples are its tests.  Nothing mathematical is changed without a trace.
"""

import re
import unicodedata
from collections.abc import Callable
from typing import NamedTuple


class Rule(NamedTuple):
    """One rule.  ocr_only: applied only to text that came from a page."""

    name: str
    apply: Callable[[str], str]
    examples: tuple[tuple[str, str], ...]
    ocr_only: bool = False


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _line_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n")


# JSON written by hand turns \t and \f of a LaTeX command into a tab or a form feed
_LOST_TAB = re.compile(r"\t(frac|imes|heta|ext|riangle|an\b|o\b|herefore)")
_LOST_FEED = re.compile(r"\f(rac|orall)")
_LOST_BELL = re.compile(r"\x08(eta|egin|inom|ecause)")


def _lost_backslash(text: str) -> str:
    text = _LOST_TAB.sub(r"\\t\1", text)
    text = _LOST_FEED.sub(r"\\f\1", text)
    return _LOST_BELL.sub(r"\\b\1", text)


_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


def _control_characters(text: str) -> str:
    return _CONTROL.sub("", text)


_SPACES = re.compile("[\u00a0\u2000-\u200a\u202f\u205f]")


def _odd_spaces(text: str) -> str:
    return _SPACES.sub(" ", text)


_FULL_WIDTH: dict[int, str] = {
    code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F) if chr(code - 0xFEE0).isalnum()
}
_FULL_WIDTH.update((ord(wide), plain) for wide, plain in zip("＝＋－＜＞／", "=+-<>/", strict=True))


def _full_width(text: str) -> str:
    return text.translate(_FULL_WIDTH)


_THIN_THOUSANDS = re.compile(r"(?<=\d),\\!\s?(?=\d{3})")


def _thin_space_thousands(text: str) -> str:
    return _THIN_THOUSANDS.sub(",", text)


_HYPHEN = re.compile(r"(?<=[a-z]{3})-[ \n](?=[a-z]{2})")


def _hyphenation(text: str) -> str:
    return _HYPHEN.sub("", text)


_LINE_TAIL = re.compile(r"(?<![ \t])[ \t]+(?=\n|\Z)")  # looked at once a run of blanks, not once a blank
_BLANK_LINES = re.compile(r"\n{3,}")


def _white_space(text: str) -> str:
    return _BLANK_LINES.sub("\n\n", _LINE_TAIL.sub("", text)).strip()


RULES: tuple[Rule, ...] = (
    Rule("line_ends", _line_ends, (("a\r\nb\rc", "a\nb\nc"),)),
    Rule("lost_backslash", _lost_backslash, (("\tfrac32", "\\tfrac32"), ("2 \times 3", "2 \\times 3"))),
    Rule("unicode_nfc", _nfc, (("e\u0301", "é"),)),
    Rule("control_characters", _control_characters, (("a\u200bb\ufeff", "ab"),)),
    Rule("odd_spaces", _odd_spaces, (("3\u00a0cm", "3 cm"),)),
    Rule("full_width", _full_width, (("ｘ＝３", "x=3"), ("已知：（1）", "已知：（1）"))),
    Rule("thin_space_thousands", _thin_space_thousands, (("11,\\! 111", "11,111"),)),
    Rule("hyphenation", _hyphenation, (("an exam- ple of x - y", "an example of x - y"),), ocr_only=True),
    Rule("white_space", _white_space, (("a  \n\n\n\nb ", "a\n\nb"),)),
)
