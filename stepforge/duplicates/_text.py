"""A problem's text in one form, and its tokens: what is written otherwise and means the same becomes the same.

LaTeX, Unicode and plain ways of writing formulas meet; delimiters, spacing, punctuation, marks of figures and signs of
multiplication go; numbers lose separators and idle zeros, number words become numbers, letters lose their case.
"""

import re
import unicodedata
from enum import IntEnum
from typing import NamedTuple

from stepforge.duplicates._terms import CARDINALS, COMPOUND, LATEX, OPERATORS, QUANTITIES, SCALES, SIGNS


class Kind(IntEnum):
    """What a token is: only words may differ between copies."""

    WORD = 0
    NUMBER = 1
    OPERATOR = 2


class Folded(NamedTuple):
    """A token in the form in which it is compared."""

    text: str
    kind: Kind


_FIGURE_MARK = re.compile(r"<image_?\d{0,3}>|</?[a-zA-Z]{1,10}\s{0,3}/?>")
_LINE_HEAD = re.compile(r"^[ \t]*(?:[>#*]+|-(?=\s))[ \t]*", re.MULTILINE)
_JOINED_DIGITS = re.compile(r"(?<=\d)(?:\{,\}|\\[,!;]|,\\!\s?)(?=\d{3}(?!\d))")
_SHORT_FRACTION = re.compile(r"\\[dtc]?frac\s?([0-9a-zA-Z])\s?([0-9a-zA-Z])(?![0-9a-zA-Z])|\\[dtc]?frac\s?(\d)(\d)")
_HALF_FRACTION = re.compile(r"\\[dtc]?frac\s?([0-9a-zA-Z])\s?\{|\\[dtc]?frac\s?(\{[^{}]{0,40}\})\s?([0-9a-zA-Z])")
_BRACES_MEET = re.compile(r"\}\s{0,4}\{")
_DEGREES = re.compile(r"\^\s?\{?\s?\\circ\s?\}?")
_ENVIRONMENT = re.compile(r"\\(?:begin|end)\s?\{[a-zA-Z*]{1,20}\}(?:\{[clr|]{1,20}\})?")
_COMMAND = re.compile(r"\\([a-zA-Z]+|.|\Z)", re.DOTALL)
_CJK = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
# a minus, not a hyphen or a dash between words
_SIGNED = (
    r"-(?=\s?[\d\\.(√]|\s?[A-Za-z](?![A-Za-z]))"
    r"|(?:(?<=[\d)}] )|(?<=[^A-Za-z][A-Za-z] ))-(?= )"
)
_TOKEN = re.compile(
    rf"\d{{1,3}}(?:,\d{{3}})+(?![\d,])(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+|[{_CJK}]|[^\W\d_{_CJK}]+|{_SIGNED}"
    r"|(?<=[\w)])\*\*(?=[\w(-])|<=|>=|!=|(?:(?<=[\d)}])|(?<=[^A-Za-z][A-Za-z]))!(?!=)"
    r"|[({\[](?=[^(){}\[\]]*?(?:\+|-\s?(?:[\d.]|[A-Za-z](?![A-Za-z]))))|[+/^=<>≤≥≠±∓√|%∪∩∈∉⊂∑∏∫∂∞→≈≡≅~]"
)
_DOUBLE = {"**": "^", "<=": "≤", ">=": "≥", "!=": "≠", "sqrt": "√", "{": "(", "[": "("}
_WORDS = {"%": "percent"}


def _command(match: "re.Match[str]") -> str:
    name = match[1]
    if name.isalpha() and name.isascii():
        return LATEX.get(name) or f" {name} "
    return f"{name}" if name in "%|" else " "


def _without_latex(text: str) -> str:
    text = _JOINED_DIGITS.sub("", text)
    if "frac" in text:
        text = _SHORT_FRACTION.sub(lambda m: f" {m[1] or m[3]}/{m[2] or m[4]} ", text)
        text = _HALF_FRACTION.sub(lambda m: f" {m[1]}/{{" if m[1] else f" {m[2]}/{m[3]} ", text)
        text = _BRACES_MEET.sub("}/{", text)
    if "circ" in text:
        text = _DEGREES.sub(" degrees ", text)
    if "\\begin" in text:
        text = _ENVIRONMENT.sub(" ", text)
    return _COMMAND.sub(_command, text)


def normalise(text: str) -> str:
    """The text without LaTeX, marks of figures, tags and quotation; letters keep their case.  Linear in its length."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.translate(SIGNS)).translate(SIGNS)
    if "<" in text:
        text = _FIGURE_MARK.sub(" ", text)
    if ">" in text or "#" in text or "*" in text or "\n" in text:
        text = " ".join(_LINE_HEAD.sub(" ", text).split())
    elif "  " in text:
        text = " ".join(text.split())
    return _without_latex(text) if "\\" in text or "{,}" in text else text


def surface_tokens(text: str) -> list[str]:
    """The tokens of a text as written: numbers, words, single Chinese characters, operators."""
    found = _TOKEN.findall(normalise(text))
    if COMPOUND.isdisjoint(found) and COMPOUND.isdisjoint(map(str.lower, found)):
        return found
    return _numbers_of_words(found)


def _numbers_of_words(tokens: list[str]) -> list[str]:
    """Numbers of several words as one: "twenty-five", "two hundred", "3 million"."""
    out: list[str] = []
    value: int | None = None
    low: int | None = None  # the last of tens, which a unit may follow
    for token in tokens:
        word = token.lower()
        if word in SCALES:
            value, low = (1 if value is None else value) * SCALES[word], None
            continue
        number = CARDINALS.get(word)
        if number is not None and value is not None and low is not None and 0 < number < 10:
            value, low = value + number, None
            continue
        if value is not None:
            out.append(str(value))
            value = low = None
        if number is not None:
            value, low = number, number if number >= 20 else None
        elif word.isascii() and word.isdigit() and len(word) < 16:
            value = int(word)
        else:
            out.append(token)
    return out if value is None else [*out, str(value)]


def folded(token: str) -> Folded:
    """The form in which a token is compared."""
    if token[0].isdecimal() or token[0] == ".":
        return Folded(_number(token), Kind.NUMBER)
    word = token.casefold()
    if word in QUANTITIES:
        return Folded(QUANTITIES[word], Kind.NUMBER)
    word = _DOUBLE.get(word, word)
    if word in OPERATORS:
        return Folded(word, Kind.OPERATOR)
    return Folded(_WORDS.get(word, word), Kind.WORD)


def _number(token: str) -> str:
    whole, _, part = token.replace(",", "").partition(".")
    part = part.rstrip("0")
    whole = whole.lstrip("0") or "0"
    return f"{whole}.{part}" if part else whole
