"""Text taken apart into prose and mathematics.

Mathematics is marked by its authors as `$…$`, `$$…$$`, `\\(…\\)`, `\\[…\\]` or an environment; single commands stand in
prose without any mark.

A dollar sign is also money: what lies between two of them is mathematics only if it looks like it.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

MAX_FORMULA_CHARS = 2000  # the longest of MATH's 19,905 formulas has 1,100
MAX_BARE_CHARS = 400

_ENVIRONMENTS = r"(?:align|aligned|alignat|array|cases|equation|gather|gathered|multline|split|[bBpvV]?matrix)\*?"
_MARKED = re.compile(
    r"\\(?P<escaped>[$%&#])"
    r"|(?P<degrees>\^\{?\\circ\}?(?![A-Za-z]))"
    r"|\$\$(?P<display>[^$]{1,2000}?)\$\$"
    r"|\\\[(?P<bracket>(?:(?!\\[\[\]]).){1,2000}?)\\\]"
    r"|\\\((?P<paren>(?:(?!\\[()]).){1,2000}?)\\\)"
    rf"|(?P<environment>\\begin\{{(?P<name>{_ENVIRONMENTS})\}}(?:(?!\\begin\{{(?P=name)\}}).){{0,2000}}?\\end\{{(?P=name)\}})"
    r"|(?P<bare>\\(?:[dt]?frac|sqrt|boxed|angle|triangle|overline|vec|pi|sin|cos|tan|log|ln|text|mathrm|mathbb|left|sum|int"
    r"|times|cdot|div|pm|leq?|geq?|neq?|approx|equiv|infty|alpha|beta|gamma|theta|lambda|circ|perp|parallel|cong|sim"
    r"|odot|therefore|because|in|cup|cap|subset|to|rightarrow|Rightarrow|implies)(?![A-Za-z]))"
    r"|(?P<dollar>\$)",
    re.DOTALL,
)
_INLINE = re.compile(r"\$(?P<inside>(?:\\[\s\S]|[^$\\])+)\$")
_COMMAND = re.compile(r"\\[A-Za-z]+|[\^_{]")
_WORDS = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{3,}[ ,;]+[A-Za-z]{3,}")
_IN_TEXT = re.compile(r"\\(?:text\w*|mbox|mathrm|operatorname)\s?\{[^{}]*\}")
_ENDS_OPEN = re.compile(r"[=+\-*/<>(,]\s*\Z")


class Piece(NamedTuple):
    """A stretch of text.  `latex`: None for prose.  `display`: set apart on a line of its own."""

    text: str
    latex: str | None = None
    display: bool = False


class Formula(NamedTuple):
    """One formula as it is typeset."""

    latex: str
    display: bool


def pieces(text: str) -> list[Piece]:
    """The text in order as prose and formulas; the texts of the pieces join to the text, but that an escaped sign has
    lost its backslash and `^\\circ` in prose is `°`.  Linear in the length of the text."""
    if "$" not in text and "\\" not in text:
        return [Piece(text)] if text else []
    return list(_joined(_pieces(text)))


def formulas(texts: Iterable[str]) -> list[Formula]:
    """The distinct formulas in some texts, in the order in which they first come."""
    found = (Formula(p.latex, p.display) for text in texts for p in pieces(text) if p.latex is not None)
    return list(dict.fromkeys(found))


def as_formula(text: str) -> str:
    """An answer without any mark that is LaTeX, put between dollar signs; any other text as it is."""
    bare = "$" not in text and "\\(" not in text and "\\[" not in text
    if bare and "\\" in text and len(text) <= MAX_BARE_CHARS and _WORDS.search(_IN_TEXT.sub("", text)) is None:
        return f"${text}$"
    return text


def _joined(parts: Iterable[Piece]) -> Iterator[Piece]:
    """Neighbouring prose as one piece."""
    prose = ""
    for part in parts:
        if part.latex is None:
            prose += part.text
            continue
        if prose:
            yield Piece(prose)
            prose = ""
        yield part
    if prose:
        yield Piece(prose)


def _pieces(text: str) -> Iterator[Piece]:
    at = 0
    while (mark := _MARKED.search(text, at)) is not None:
        yield Piece(text[at : mark.start()])
        piece = _piece(text, mark)
        yield piece
        at = mark.end() if mark["escaped"] or mark["degrees"] else mark.start() + len(piece.text)
    yield Piece(text[at:])


def _piece(text: str, mark: re.Match[str]) -> Piece:
    if mark["escaped"]:
        return Piece(mark["escaped"])
    if mark["degrees"]:
        return Piece("°")
    if mark["environment"]:
        return Piece(mark[0], mark[0], display=True)
    if mark["bare"]:
        return _bare(text, mark.start())
    if mark["dollar"]:
        return _inline(text, mark.start())
    inside = mark["display"] or mark["bracket"] or mark["paren"]
    return Piece(mark[0], inside.strip(), display=mark["paren"] is None) if inside.strip() else Piece(mark[0])


def _inline(text: str, start: int) -> Piece:
    """What begins at a dollar sign: a formula, or the sign alone."""
    found = _INLINE.match(text, start, start + MAX_FORMULA_CHARS + 2)
    if found is None or not _is_mathematics(found["inside"], text[found.end() : found.end() + 1]):
        return Piece("$")
    return Piece(found[0], found["inside"].strip())


def _is_mathematics(inside: str, after: str) -> bool:
    if "\n\n" in inside or "<<" in inside or not inside.strip() or _ENDS_OPEN.search(inside):
        return False
    if _WORDS.search(_IN_TEXT.sub("", inside)):
        return False
    tight = not inside[0].isspace() and not inside[-1].isspace() and not after.isdigit()
    return tight or _COMMAND.search(inside) is not None


def _bare(text: str, start: int) -> Piece:
    """A command with its arguments, sub- and superscripts: `\\frac{1}{2}`, `\\sqrt[3]{x^2}`, `\\pi`."""
    at = start + 1
    while at < len(text) and text[at].isascii() and text[at].isalpha():
        at += 1
    name = text[start + 1 : at]
    if name == "left":
        at = _through(text, at, "\\right")
    while at < len(text) and at - start < MAX_BARE_CHARS:
        after = _argument(text, at)
        if after == at:
            break
        at = after
    latex = text[start:at]
    needs = {"frac": 2, "dfrac": 2, "tfrac": 2, "sqrt": 1, "boxed": 1, "overline": 1, "vec": 1, "text": 1, "mathrm": 1}
    if latex.count("{") < needs.get(name, 0) or (name == "left" and "\\right" not in latex):
        return Piece(text[start : start + 1 + len(name)])
    return Piece(latex, latex)


def _through(text: str, at: int, end: str) -> int:
    """Past `end` and the sign that follows it, if it comes soon."""
    found = text.find(end, at, at + MAX_BARE_CHARS)
    return at if found < 0 else min(len(text), found + len(end) + 1)


def _argument(text: str, at: int) -> int:
    """Past one `{…}`, `[…]`, or `^` or `_` with what it raises; `at` itself where there is none."""
    if text[at] in "^_" and at + 1 < len(text):
        if text[at + 1] == "{":
            return _balanced(text, at + 1) if _balanced(text, at + 1) > at + 1 else at
        if text[at + 1] == "\\":
            end = at + 2
            while end < len(text) and text[end].isascii() and text[end].isalpha():
                end += 1
            return end if end > at + 2 else at
        return at + 2 if text[at + 1].isalnum() else at
    if text[at] == "{":
        return _balanced(text, at)
    if text[at] == "[" and (end := text.find("]", at, at + 20)) > 0 and text[end + 1 : end + 2] == "{":
        return end + 1
    return at


def _balanced(text: str, at: int) -> int:
    """Past the brace that closes the one at `at`; `at` itself where none does within `MAX_BARE_CHARS`."""
    depth = 0
    for place in range(at, min(len(text), at + MAX_BARE_CHARS)):
        character = text[place]
        if character in "{}" and text[place - 1] != "\\":
            depth += 1 if character == "{" else -1
            if depth == 0:
                return place + 1
    return at
