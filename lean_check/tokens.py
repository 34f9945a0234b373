"""Lean 4 text cut into tokens, well enough to tell code from comments and strings; never raises, linear time.

Lean's own grammar can be extended by the text itself, so no outside tokenizer follows it everywhere.  Where this one
cannot be sure to agree with Lean about what is a comment it says so (`doubts`).
"""

import functools
import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import Literal

Kind = Literal["word", "symbol", "number", "string", "char", "comment"]

# Lean's `isLetterLike` and `isSubScriptAlnum`.  Letters of Latin-1 and Latin Extended-A, which only newer versions
# take, stay out: cutting a word in two can only show a forbidden word, never hide one.
_FIRST = (
    "A-Za-z_"
    "\u03b1-\u03ba\u03bc-\u03fb\u0391-\u039f\u03a1\u03a2\u03a4-\u03a9"  # Greek, but not λ, Π, Σ
    "\u1f00-\u1ffe\u2100-\u214f\U0001d49c-\U0001d59f"
)
_REST = _FIRST + "0-9'!?\u2080-\u2089\u2090-\u209c\u1d62-\u1d6a"
_WORD = f"[{_FIRST}][{_REST}]*"
_TOKEN = re.compile(
    rf"""(?P<space>[ \t\r\n]+)
    |(?P<line>--[^\n]*)
    |(?P<block>/-[-!]?)
    |(?P<raw>r\#*")
    |(?P<string>")
    |(?P<quoted>«)
    |(?P<char>'(?:[^\\'\n]|\\(?:x[0-9a-fA-F]{{2}}|u[0-9a-fA-F]{{4}}|[^xu]))')
    |(?P<word>\#?{_WORD}(?:\.{_WORD})*)
    |(?P<number>0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|[0-9]+(?:[eE][+-]?[0-9]+)?)
    |(?P<symbol><-|\|-|\\/|/\\|//|:=|⁻¹'|''|.)""",
    re.DOTALL | re.VERBOSE,
)
_NOT_LINE_END = re.compile(r"[^\n]")
_BLOCK_EDGE = re.compile(r"/-|-/")
_EXPONENT = re.compile(r"[eE][0-9]")
# `''` and `⁻¹'` are tokens of Mathlib; without it Lean passes over their mark and at most two characters more, which
# are none that a comment, a string or a name in «» begins with.
_PLAIN_AFTER = re.compile(r"[^-/\"'«»\\]{2}")
_STRING_PART = re.compile(r'\\.|"', re.DOTALL)
_CLOSED_BEFORE = frozenset("()[]{}⟨⟩,;")  # a comment right after one of these cannot belong to a longer token of Lean


@dataclass(frozen=True)
class Token:
    """A piece of the text, from `start` (in characters).  Names in «» are words with their marks."""

    kind: Kind
    text: str
    start: int


@dataclass(frozen=True)
class Lexed:
    """The tokens in order, blank space left out, and why Lean might cut the text otherwise."""

    tokens: tuple[Token, ...]
    doubts: tuple[str, ...]

    def without_comments(self, source: str) -> str:
        """The text with a space for every character inside a comment.  The comment's own marks and line ends stay: Lean
        reads it the same way, and every position is the same.  Only for a text without doubts."""
        parts: list[str] = []
        position = 0
        for token in self.tokens:
            if token.kind == "comment":
                parts += [source[position : token.start], _blanked(token.text)]
                position = token.start + len(token.text)
        return "".join([*parts, source[position:]])

    def code(self) -> list[Token]:
        """The tokens that are neither comment nor string."""
        return [token for token in self.tokens if token.kind not in ("comment", "string", "char")]


@functools.lru_cache(maxsize=8)  # a text is screened, and then cut into header and body
def tokenize(source: str) -> Lexed:
    """Every token of the text.  Comments nest; a doc comment is a comment; an unclosed one reaches to the end."""
    tokens: list[Token] = []
    doubts: list[str] = []
    position = 0
    while (match := _TOKEN.match(source, position)) is not None:
        group = match.lastgroup or "symbol"
        end = match.end()
        if group != "space":
            kind, end = _measure(source, group, match, doubts)
            token = Token(kind, source[position:end], position)
            _doubt_neighbours(tokens, token, doubts)
            tokens.append(token)
        position = end
    return Lexed(tuple(tokens), tuple(dict.fromkeys(doubts)))


def _blanked(comment: str) -> str:
    """The comment with nothing but blank space inside."""
    end = 0 if comment.startswith("--") else 2
    begin = 3 if comment.startswith(("/--", "/-!")) else 2
    inside = comment[begin : len(comment) - end]
    return comment[:begin] + _NOT_LINE_END.sub(" ", inside) + comment[len(comment) - end :]


def _measure(source: str, group: str, match: re.Match[str], doubts: list[str]) -> tuple[Kind, int]:
    """The kind of the token that `match` opens, and where it ends."""
    start, end = match.span()
    if group == "line":
        return "comment", end
    if group == "block":
        if source.startswith("/", end) and end - start == 3:
            doubts.append("a comment that begins with /--/ or /-!/")
        return "comment", _block_end(source, end, doubts)
    if group == "string":
        end = _string_end(source, end, doubts)
        if "{" in source[start:end]:
            doubts.append("a string that may hold code in braces")
        return "string", end
    if group == "raw":
        doubts.append("a raw string")
        return "string", _find(source, '"' + "#" * (end - start - 2), end, doubts)
    if group == "quoted":
        return "word", _find(source, "»", end, doubts)
    if group == "char" and match.group()[-2] in '"«':
        doubts.append("a quotation mark as a character")
    if match.group() == "'" or (match.group() in ("''", "⁻¹'") and not _PLAIN_AFTER.match(source, end)):
        doubts.append("a quotation mark that stands alone")
    kinds: dict[str, Kind] = {"char": "char", "word": "word", "number": "number"}
    return kinds.get(group, "symbol"), end


def _block_end(source: str, position: int, doubts: list[str]) -> int:
    depth = 1
    for edge in _BLOCK_EDGE.finditer(source, position):
        depth += 1 if edge.group() == "/-" else -1
        if depth == 0:
            return edge.end()
    doubts.append("an unclosed comment")
    return len(source)


def _string_end(source: str, position: int, doubts: list[str]) -> int:
    for part in _STRING_PART.finditer(source, position):
        if part.group() == '"':
            return part.end()
    doubts.append("an unclosed string")
    return len(source)


def _find(source: str, closing: str, position: int, doubts: list[str]) -> int:
    found = source.find(closing, position)
    if found < 0:
        doubts.append(f"no closing {closing}")
        return len(source)
    return found + len(closing)


def _doubt_neighbours(tokens: list[Token], token: Token, doubts: list[str]) -> None:
    """Doubts from two tokens that touch: for Lean `x <--1` is `<-` and `-1`, `0b1axiom` a number and a word."""
    if not tokens or tokens[-1].start + len(tokens[-1].text) != token.start:
        return
    before = tokens[-1]
    if token.kind == "comment" and before.kind == "symbol" and before.text not in _CLOSED_BEFORE:
        doubts.append("a comment that begins right after a symbol")
    if token.text == "-" and before.text in ("<-", "|-", "\\/", "//"):
        doubts.append("a minus sign that may begin a comment")
    if token.kind == "word" and (before.kind == "number" or (before.text == "." and _EXPONENT.match(token.text))):
        doubts.append("a word that begins right after a number")


class Lines:
    """Positions as Lean gives them: line from 1, column in characters from 0."""

    def __init__(self, source: str) -> None:
        self._starts = [0, *(match.end() for match in re.finditer("\n", source))]

    def at(self, offset: int) -> tuple[int, int]:
        """Line and column of the character at `offset`."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1]

    def __len__(self) -> int:
        return len(self._starts)
