"""Tokens of arithmetic in running text: one linear pass, ASCII digits only, LaTeX and full-width signs understood."""

import re
from fractions import Fraction
from typing import NamedTuple

_NUMBER = r"[0-9]{1,3}(?:,(?:\\! ?)?[0-9]{3})+(?![0-9])(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?|\.[0-9]+"
_TOKEN = re.compile(
    rf"(?P<number>{_NUMBER})"
    r"|(?P<space>[ \t\u00a0\u3000&~]+|\\\\|\\[,;:! ])"
    r"|(?P<newline>[\r\n]+)"
    r"|(?P<command>\\[A-Za-z]+|\\.)"
    r"|(?P<word>[A-Za-z]+)"
    r"|(?P<cjk>[\u4e00-\u9fff]+)"
    r"|(?P<superscript>[⁰¹²³⁴⁵⁶⁷⁸⁹]+)"
    r"|(?P<other>.)",
    re.DOTALL,
)
_SIGNS = {
    "+": "+", "＋": "+", "-": "-", "−": "-", "–": "-", "－": "-", "*": "*", "×": "*", "·": "*", "⋅": "*", "∙": "*",
    "/": "/", "÷": "/", "∕": "/", "^": "^", "\\times": "*", "\\cdot": "*", "\\div": "/",
}  # fmt: skip
_KINDS = {
    "op": _SIGNS,
    "open": {"(": "(", "（": "(", "[": "[", "{": "{"},
    "close": {")": ")", "）": ")", "]": "]", "}": "}"},
    "equals": {"=": "=", "＝": "="},
    "postfix": {"%": "%", "％": "%", "\\%": "%", "°": "°", "\\circ": "°"},
    "function": {
        "√": "√",
        "\\sqrt": "sqrt",
        "\\boxed": "boxed",
        "\\frac": "frac",
        "\\dfrac": "frac",
        "\\tfrac": "frac",
    },
    "currency": dict.fromkeys(["$", "£", "€", "¥", "￥", "\\$"], "$"),
    "prefix": {sign: sign for sign in "∠△⊙☉"},
    "glue": {"\\left": "", "\\right": ""},
    "space": {"\\displaystyle": " "},
    "newline": {"\\quad": " ", "\\qquad": " "},  # what they separate is apart, as lines are
}
_KIND_OF = {written: (kind, text) for kind, table in _KINDS.items() for written, text in table.items()}
_OPERATOR_WORDS = {"x": "*", "X": "*", "times": "*", "plus": "+", "minus": "-"}
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")

OPERAND_ENDS = frozenset({"number", "close", "postfix"})


def number(text: str) -> Fraction:
    """The value of a number token."""
    return Fraction(re.sub(r"[^0-9.]", "", text))


class Token(NamedTuple):
    """`kind`: number, space, glue (nothing), newline, op, open, close, equals, postfix, prefix, currency, function,
    superscript, word, cjk or other."""

    kind: str
    text: str  # normalised: an operator is one of + - * / ^
    start: int
    end: int


def tokens(text: str) -> list[Token]:
    """All tokens of `text`, in order, with nothing left out."""
    found: list[Token] = []
    for match in _TOKEN.finditer(text):
        kind, raw = str(match.lastgroup), match.group()
        if kind in {"other", "command"}:
            unknown = "word" if kind == "command" and raw[1:].isalpha() else "other"
            kind, raw = _KIND_OF.get(raw, (unknown, raw))
        elif kind == "superscript":
            raw = raw.translate(_SUPERSCRIPTS)
        found.append(Token(kind, raw, match.start(), match.end()))
    return _operator_words(found)


def _operator_words(found: list[Token]) -> list[Token]:
    """`7 x .5` and `4 times 3` are products; `2x + 1` is not: the word must stand between two numbers or brackets."""
    solid = [i for i, token in enumerate(found) if token.kind != "space"]
    for before, here, after in zip(solid, solid[1:], solid[2:], strict=False):
        word = found[here]
        if word.kind != "word" or word.text not in _OPERATOR_WORDS or found[before].kind not in OPERAND_ENDS:
            continue
        spaced = here - before > 1
        if found[after].kind in {"number", "currency"} or (spaced and found[after].kind in {"open", "function"}):
            found[here] = word._replace(kind="op", text=_OPERATOR_WORDS[word.text])
    return found
