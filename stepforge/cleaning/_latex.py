"""Rules on LaTeX: delimiters and braces that do not pair.  None of them counts where the text does not become sound."""

import re
from typing import NamedTuple

from stepforge.cleaning._rule import Rule

MAX_FORMULA = 2000  # characters; a delimiter that pairs with one further away was not meant for it

_THIN_THOUSANDS = re.compile(r"(?<=\d),\\!\s?(?=\d{3})")


def _thin_space_thousands(text: str) -> str:
    return _THIN_THOUSANDS.sub(",", text)


_DOUBLED = re.compile(
    r"\\\\(?=(?:d?frac|sqrt|text|mathrm|overline|boxed|angle|triangle|left|right|times|cdot)[{( \\\d])"
)
_ROWS = re.compile(r"\\begin\{|&")


def _doubled_backslash(text: str) -> str:
    """JSON escaped twice.  Rows of a table end in two backslashes too, so a text with one is left alone."""
    return text if _ROWS.search(text) else _DOUBLED.sub(r"\\", text)


_TOKEN = re.compile(r"\\[\s\S]|\$\$?|\n\s*\n")
_PARTNER = {"$": "$", "$$": "$$", r"\(": r"\)", r"\[": r"\]"}
_CLOSERS = (r"\)", r"\]")


class _Sign(NamedTuple):
    start: int
    end: int
    sign: str


def _signs(text: str) -> list[_Sign]:
    """Delimiters in order, ends of paragraphs among them."""
    found = (_Sign(m.start(), m.end(), m[0] if m[0].strip() else "\n") for m in _TOKEN.finditer(text))
    return [s for s in found if s.sign in _PARTNER or s.sign in _CLOSERS or s.sign == "\n"]


def _mixed_delimiters(text: str) -> str:
    """A formula opened by one kind of delimiter and closed by another is closed by its own."""
    out, at, opened = [], 0, ""
    for sign in _signs(text):
        if sign.sign == "\n":
            opened = ""
        elif not opened:
            opened = sign.sign if sign.sign in _PARTNER else ""
        elif sign.sign == _PARTNER[opened]:
            opened = ""
        elif sign.sign in _CLOSERS or (opened[0] == "\\" and sign.sign[0] == "$"):
            out += [text[at : sign.start], _PARTNER[opened]]
            at, opened = sign.end, ""
    return "".join([*out, text[at:]])


_MATH_SIGN = re.compile(r"\\[A-Za-z]|[\^_]")
_PROSE = re.compile(r"(?<![\\A-Za-z{])[A-Za-z]{4,}|[\u3400-\u9fff]")
_TRAILING = re.compile(r"[\s.,;?!。，；？！]{0,9}\Z")


def _open_formula(text: str) -> str:
    """A `$` or `\\(` that opens the last formula of the text and is never closed is closed at the end."""
    opened: _Sign | None = None
    for sign in _signs(text):
        if sign.sign == "\n":
            opened = None
        elif opened is None:
            opened = sign if sign.sign in _PARTNER else None
        elif sign.sign == _PARTNER[opened.sign]:
            opened = None
    if opened is None or len(text) - opened.end > MAX_FORMULA:
        return text
    tail = text[opened.end :]
    if "\n" in tail or not _MATH_SIGN.search(tail) or _PROSE.search(tail):
        return text
    end = len(tail) - len(_TRAILING.search(tail)[0])  # type: ignore[index]  # it matches the empty string too
    return text[: opened.end] + tail[:end] + _PARTNER[opened.sign] + tail[end:]


_BRACE = re.compile(r"\\[\s\S]|[{}]")


def _braces_of(formula: str) -> str:
    """The formula with one brace more or less at its end, if that is all that is wrong."""
    depth, surplus = 0, []
    for match in _BRACE.finditer(formula):
        if match[0] == "{":
            depth += 1
        elif match[0] == "}":
            if depth == 0:
                surplus.append(match.start())
            depth -= depth > 0
    if depth == 1 and not surplus:
        return formula + "}"
    if depth == 0 and len(surplus) == 1 and not formula[surplus[0] + 1 :].strip():
        return formula[: surplus[0]] + formula[surplus[0] + 1 :]
    return formula


def _braces(text: str) -> str:
    """Each formula's braces paired, where one at its end is missing or too many."""
    out, at, opened = [], 0, None
    for sign in _signs(text):
        if sign.sign == "\n":
            opened = None
        elif opened is None:
            opened = sign if sign.sign in _PARTNER else None
        elif sign.sign == _PARTNER[opened.sign]:
            if sign.start - opened.end <= MAX_FORMULA:
                out += [text[at : opened.end], _braces_of(text[opened.end : sign.start])]
                at = sign.start
            opened = None
    return "".join([*out, text[at:]])


RULES: tuple[Rule, ...] = (
    Rule("thin_space_thousands", _thin_space_thousands, (("11,\\! 111", "11,111"),), signs=("\\",)),
    Rule(
        "doubled_backslash",
        _doubled_backslash,
        (
            (r"$\\frac{1}{2}$", r"$\frac{1}{2}$"),
            (r"$a \\ b$", r"$a \\ b$"),
            (r"$\begin{matrix}1\\\frac12\end{matrix}$",) * 2,
        ),
        signs=("\\",),
    ),
    Rule(
        "mixed_delimiters",
        _mixed_delimiters,
        (
            (r"so \(x^2$ and $y$", r"so \(x^2\) and $y$"),
            (r"\[ x = 1 \)", r"\[ x = 1 \]"),
            (r"\(a\) costs $5", r"\(a\) costs $5"),
        ),
        signs=("\\",),
        repairs=True,
    ),
    Rule(
        "unbalanced_braces",
        _braces,
        ((r"$\frac{1}{2$", r"$\frac{1}{2}$"), (r"$x^2}$", "$x^2$"), (r"$\{1,2\}$", r"$\{1,2\}$")),
        signs=("{}",),
        repairs=True,
    ),
    Rule(
        "open_formula",
        _open_formula,
        (
            (r"Find $x$ if $x^2 = \sqrt{9}.", r"Find $x$ if $x^2 = \sqrt{9}$."),
            ("She has 2*$5=$10.\nA: 10", "She has 2*$5=$10.\nA: 10"),
        ),
        signs=("$\\",),
        repairs=True,
    ),
)
