"""One spelling for texts that say the same: Unicode to LaTeX, wrappers and spacing away, case and meaning kept.

Every function is linear in the length of its input (single regexes without nested quantifiers, bounded repetition).
"""

import re
from functools import lru_cache
from typing import NamedTuple

from stepforge.answers._unicode import to_latex_symbols as to_latex_symbols  # noqa: PLC0414 - part of this module

MAX_CHARS = 4000  # the longest reference answer of the five benchmarks' data has 640

_UNITS = {"m": "meters", "s": "seconds", "g": "grams", "h": "hours", "L": "liters"}  # upright letters after a number


def _dollars(found: re.Match[str]) -> str:
    """A whole text of $ and a number is an amount; any other $ is a mark of mathematics."""
    return f"{found[1]} dollars" if found.start() == 0 else found[0]


_COMMAND_SYNONYMS = (
    (re.compile(r",\\!\s{0,3}"), ","),  # a thousands separator as TeX users space it
    (re.compile(r"\\[dtcs]frac(?![a-zA-Z])|\\nicefrac(?![a-zA-Z])"), r"\\frac"),
    (re.compile(r"\\[dt]?binom(?![a-zA-Z])"), r"\\binom"),
    (re.compile(r"\\(?:leq|leqslant|leqq)(?![a-zA-Z])"), r"\\le"),
    (re.compile(r"\\(?:geq|geqslant|geqq)(?![a-zA-Z])"), r"\\ge"),
    (re.compile(r"\\lt(?![a-zA-Z])"), "<"),
    (re.compile(r"\\gt(?![a-zA-Z])"), ">"),
    (re.compile(r"\\(?:neq|not ?=)(?![a-zA-Z])"), r"\\ne "),
    (re.compile(r"\\(?:left|right) ?\.(?!\d)"), " "),
    (re.compile(r"\\(?:m?left|m?right|[bB]igg?[lrm]?|displaystyle|limits|nolimits)(?![a-zA-Z])"), ""),
    (re.compile(r"\\(?:quad|qquad|enspace|hfill|hspace\*?\{[^{}]{0,20}\})(?![a-zA-Z])|(?<!\\)\\[,;:! ]"), " "),
    (re.compile(r"\^ ?(?:\{ ?\\circ ?\}|\\circ(?![a-zA-Z]))|\\degree(?![a-zA-Z])"), r"^\\circ "),
    (re.compile(r"\^ ?\{ ?((?:\\prime ?){1,3})\}|\^ ?(\\prime)(?![a-zA-Z])"),
     lambda m: "'" * (m[1] or m[2]).count("\\prime")),
    (re.compile(r"(?:\\\$|\\textdollar) ?(\d[\d,]{0,40}(?:\.\d{1,20})?)(?! ?[a-zA-Z\d(\\{])"), r"\1 dollars"),
    (re.compile(r"\\\$|\\textdollar(?![a-zA-Z])"), ""),
    (re.compile(r"(?<!\\)\\[()\[\]]"), " "),
    (re.compile(r"\\%"), "%"),
    (re.compile(r"\\(?:lbrace(?![a-zA-Z])|\{)"), r"\\{"),
    (re.compile(r"\\(?:rbrace(?![a-zA-Z])|\})"), r"\\}"),
    (re.compile(r"\\[bp]?matrix ?\{([^{}]{0,2000})\}"), r"\\begin{matrix}\1\\end{matrix}"),
    (re.compile(r"\{[bBp]?matrix\*?\}|\{smallmatrix\}"), "{matrix}"),
    (re.compile(
        r"[(\[] ?\\begin ?\{array\} ?\{[lcr| ]{1,40}\}((?:(?!\\begin).){0,2000}?)\\end ?\{array\} ?[)\]]", re.DOTALL),
     r"\\begin{matrix}\1\\end{matrix}"),
    (re.compile(r"[(\[] ?(\\begin ?\{matrix\}(?:(?!\\begin).){0,2000}?\\end ?\{matrix\}) ?[)\]]", re.DOTALL), r"\1"),
    (re.compile(r"(?:\\(?:text|mbox|textrm) ?|(?<=[\d}]) ?\\mathrm ?)\{ ?~? ?([msghL]) ?\}"),
     lambda m: f" {_UNITS[m[1]]} "),
    (re.compile(r"\\cr(?![a-zA-Z])|\\tabularnewline"), r"\\\\"),
    (re.compile(r"\\(?:math(?:bb|bf|rm)|Bbb) ?(?:\{ ?R ?\}|R(?![a-zA-Z]))|\\R(?![a-zA-Z])"), r"\\Reals "),
    (re.compile(r"\\(?:mathbb|Bbb) ?(?:\{ ?Q ?\}|Q(?![a-zA-Z]))|\\Q(?![a-zA-Z])"), r"\\Rationals "),
    (re.compile(r"\\(?:mathbb|Bbb) ?(?:\{ ?Z ?\}|Z(?![a-zA-Z]))|\\Z(?![a-zA-Z])"), r"\\Integers "),
    (re.compile(r"\\(?:mathbb|Bbb) ?(?:\{ ?N ?\}|N(?![a-zA-Z]))|\\N(?![a-zA-Z])"), r"\\Naturals "),
    (re.compile(r"\\(?:mathbb|Bbb) ?(?:\{ ?C ?\}|C(?![a-zA-Z]))"), r"\\Complexes "),
    (re.compile(r"\\(?:varnothing|empty)(?![a-zA-Z])|\\\{ {0,3}\\\}"), r"\\emptyset "),
    (re.compile(r"\\(?:[lc]?dots[bcmio]?|hdots)(?![a-zA-Z])"), r"\\dots "),
    (re.compile(r"\\(?:[lr]?vert|mid|middle ?\|)(?![a-zA-Z])"), "|"),
    (re.compile(r"\\(?:lor|vee)(?![a-zA-Z])"), " or "),
    (re.compile(r"\\(?:land|wedge)(?![a-zA-Z])"), " and "),
    (re.compile(r"\\colon(?![a-zA-Z])"), ":"),
    (re.compile(r"\\ast(?![a-zA-Z])"), "*"),
    (re.compile(r"\\div(?![a-zA-Z])"), "/"),
    (re.compile(r"\\(?:backslash|smallsetminus)(?![a-zA-Z])"), r"\\setminus "),
)  # fmt: skip
_OVER = re.compile(r"\{([^{}]{1,200})\\over(?![a-zA-Z])([^{}]{1,200})\}")
_SYNONYMS = (
    (re.compile(r"(?<=[A-Za-z0-9)])\*\*(?=\(?-?[\da-zA-Z])(?!\d{1,9}\*\*)"), "^"),
    (re.compile(r"\*\*|`|__"), ""),
    (re.compile(r"\s?\$ ?(\d{1,3}(?:,\d{3}){1,9}(?:\.\d{1,20})?|\d{1,40}(?:\.\d{1,20})?)\s{0,3}\Z"), _dollars),
    (re.compile(r"€ ?(\d[\d,]{0,40}(?:\.\d{1,20})?)(?! ?[a-zA-Z\d(\\{])"), r"\1 euros"),
    (re.compile(r"[$¥£€]|~"), " "),
    (re.compile(r"\.\.\.+|(?<=\d)\.\.(?!\d)"), r"\\dots "),
    (re.compile(r"(?<![\\a-zA-Z])pi(?![a-zA-Z])"), r"\\pi "),
    (re.compile(r"(?<![\\a-zA-Z])sqrt ?\(([^()]{0,200})\)"), r"\\sqrt{\1}"),
    (re.compile(r"(?<=\d)\s?\^ ?(?:\{ ?o ?\}|o(?![a-zA-Z]))"), r"^\\circ "),
    (re.compile(r"(?<![\d.,}])(\d{1,3})\{,\}(?=\d{3})"), r"\1,"),
    (re.compile(r"\{,\}(?=\d{3})"), ","),
)
_NO_SYNONYM = re.compile(r"[\w\s+\-=(),.:;<>]*", re.ASCII)
_WRAPPERS = re.compile(
    r"\\(?:text|textbf|textit|textrm|textsf|mathrm|mathbf|mathit|mathsf|mathbb|mathcal|mathfrak|mbox|rm|bf|boldsymbol|"
    r"bm|operatorname|mathop|emph|underline|boxed|fbox)\*?\s{0,3}\{([^{}]{0,400})\}"
)
_BARE_FRAC = re.compile(r"\\frac\s{0,3}(\d|[a-zA-Z])\s{0,3}(\d|[a-zA-Z])")
_HALF_FRAC = re.compile(r"\\frac\s{0,3}(\d|[a-zA-Z])\s{0,3}\{")
_TAIL_FRAC = re.compile(r"(\\frac\s{0,3}\{[^{}]{0,400}\})\s{0,3}(\d|[a-zA-Z]|\\pi(?![a-zA-Z]))")
_BARE_SQRT = re.compile(r"\\sqrt\s{0,3}(\d|[a-zA-Z])")
_SPACES = re.compile(r"\s+")
_PLAIN_NUMBER = re.compile(r"-?\d{1,300}(?:\.\d{1,300})?", re.ASCII)
_GAP = re.compile(r"(?<!\d) | (?!\d)")


@lru_cache(maxsize=4096)
def normalise(text: str) -> str:
    """The text in one spelling, spaces single: what two equal answers are most likely to share letter for letter."""
    if _PLAIN_NUMBER.fullmatch(text):
        return text
    text = to_latex_symbols(text[:MAX_CHARS])
    if "\\" in text:
        text = _commands(text)
    if not _NO_SYNONYM.fullmatch(text) or "pi" in text or "sqrt" in text or ".." in text or "__" in text:
        for pattern, replacement in _SYNONYMS:
            text = pattern.sub(replacement, text)
    text = _SPACES.sub(" ", text).strip()
    if len(text) > 2 and text[0] == text[-1] and text[0] in "\"'":
        text = text[1:-1].strip()
    return text.rstrip(".;,: ").strip()


def _commands(text: str) -> str:
    for pattern, replacement in _COMMAND_SYNONYMS:
        text = pattern.sub(replacement, text)
    for _ in range(4):  # wrappers inside wrappers; deeper ones stay and only cost a cheap match
        text, changed = _WRAPPERS.subn(r" \1 ", text)
        if not changed:
            break
    if "\\over" in text:
        text = _OVER.sub(r"\\frac{\1}{\2}", text)
    if "\\frac" in text:
        text = _BARE_FRAC.sub(r"\\frac{\1}{\2}", text)
        text = _HALF_FRAC.sub(r"\\frac{\1}{", text)
        text = _TAIL_FRAC.sub(r"\1{\2}", text)
    return _BARE_SQRT.sub(r"\\sqrt{\1}", text)


def compact(normalised: str) -> str:
    """A normalised text without any space but those between two digits: for comparing letter by letter."""
    return _GAP.sub("", normalised)


_OPEN = {"(": ")", "[": "]", "{": "}"}
_CLOSE = frozenset(_OPEN.values())


class Bracketed(NamedTuple):
    """A text with its outer brackets, each empty where there is none."""

    opening: str
    inner: str
    closing: str


def split_top(text: str, separators: str) -> list[str]:
    r"""Pieces of `text` between the characters `separators` that stand outside every bracket.
    Brackets need not be of one kind, so that intervals such as (1, 2] hold together."""
    pieces, depth, start = [], 0, 0
    for i, char in enumerate(text):
        if char in _OPEN:
            depth += 1
        elif char in _CLOSE:
            depth = max(0, depth - 1)
        elif depth == 0 and char in separators:
            pieces.append(text[start:i])
            start = i + 1
    pieces.append(text[start:])
    return pieces


def unbracket(text: str) -> Bracketed:
    r"""The outer brackets of `text`, if its first bracket closes at its very end; `\{` counts as a brace."""
    text = text.strip()
    opening = next((o for o in ("\\{", "\\langle", "(", "[", "{") if text.startswith(o)), "")
    closing = next((c for c in ("\\}", "\\rangle", ")", "]", "}") if text.endswith(c)), "")
    if not opening or not closing or len(text) < len(opening) + len(closing):
        return Bracketed("", text, "")
    inner = text[len(opening) : len(text) - len(closing)]
    depth = 0
    for char in inner:
        depth += (char in _OPEN) - (char in _CLOSE)
        if depth < 0:
            return Bracketed("", text, "")
    if depth != 0:
        return Bracketed("", text, "")
    return Bracketed(opening, inner.strip(), closing)
