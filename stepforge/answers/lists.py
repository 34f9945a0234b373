r"""Answers of several values: sets, tuples, roots joined by "or", ±, named values (x = 1, y = 2)."""

import re
from fractions import Fraction
from itertools import pairwise, product
from typing import NamedTuple

from stepforge.answers.normalise import Bracketed, compact, split_top, unbracket
from stepforge.answers.numbers import number
from stepforge.answers.scalars import NAME
from stepforge.vocabulary import AnswerKind

MAX_ITEMS = 64
MAX_SIGNS = 4  # ± in one item: 16 values

OR = re.compile(r"\s(?:or|and)\s|(?<=[)\d\]}])(?:or|and)(?=[(\d\[{a-z])|或者?|和|以及|且")
MEMBER = re.compile(r"^[a-zA-Z]\w{0,3} ?\\in(?![a-zA-Z])")
_NAMES_BEFORE = re.compile(
    r"\( ?(?P<names>[a-zA-Z](?:_\{?\w\}?)?(?: ?, ?[a-zA-Z](?:_\{?\w\}?)?){1,4}) ?\) ?(?:=|\\in(?![a-zA-Z])) ?(?=[(\\{])"
)
_SIGN = re.compile(r"\\(?P<sign>pm|mp)(?![a-zA-Z])")
_LEADING_OR = re.compile(r"^(?:or|and)\s+", re.IGNORECASE)


class Items(NamedTuple):
    """What a text lists: each item as written and without its name; `names` where they differ from item to item."""

    opening: str
    items: tuple[str, ...]
    ordered: bool
    texts: tuple[str, ...]  # the items with their names
    names: tuple[str, ...]

    @property
    def has_relations(self) -> bool:
        """Whether an item is an equation that defines no name."""
        return any("=" in item for item in self.items)


def read_items(text: str, kind: AnswerKind | None) -> Items | None:
    """The text as a set or tuple: items between commas, `;` or `or`; a single one only in braces or by its kind."""
    text = _NAMES_BEFORE.sub("", MEMBER.sub("", text).strip(), count=1)
    outer = unbracket(text)
    braces = outer.opening in {"\\{", "{"}
    inner = outer.inner if _is_collection(outer) else text
    opening = outer.opening if inner is not text else ""
    pieces = [_LEADING_OR.sub("", p.strip()) for piece in OR.split(inner) for p in split_top(piece, ",;") if p.strip()]
    if opening not in {"(", "["}:
        pieces = [each for piece in pieces for each in _both_signs(piece)]
    pieces = _filled(pieces)
    if len(pieces) > MAX_ITEMS or not pieces:
        return None
    if len(pieces) == 1 and not (braces or kind in {AnswerKind.SET, AnswerKind.TUPLE}):
        return None
    listed = opening in {"(", "\\langle", "["} and OR.search(inner) is None
    ordered = kind is AnswerKind.TUPLE or (kind is not AnswerKind.SET and listed)
    values, names = _named(pieces)
    return Items(opening, tuple(values), ordered and not braces, tuple(pieces), tuple(names))


def _named(pieces: list[str]) -> tuple[list[str], list[str]]:
    """Values and names: names only where each item has its own, of different letters (x = 1, y = 2); x₁ = 1, x₂ = 2 and
    x = 1, 2 are values of one name."""
    split = [piece.split("=", 1) if piece.count("=") == 1 else ["", piece] for piece in pieces]
    if any(name.strip() and not NAME.fullmatch(name.strip()) for name, _ in split):
        return pieces, []
    names = [compact(name.strip()) for name, _ in split]
    values = [value.strip() for _, value in split]
    if not all(values) or not any(names):
        return pieces, []
    letters = {re.split(r"[_']", name)[0] for name in names if name}
    if len(letters) == 1:
        return values, []
    return (values, names) if all(names) and len(set(names)) == len(names) else (pieces, [])


def _both_signs(text: str) -> list[str]:
    """`a ± b` as the values it stands for: all signs independent, but linked where there is a ∓."""
    signs = [match["sign"] for match in _SIGN.finditer(text)]
    if not signs or len(signs) > MAX_SIGNS:
        return [text]
    ways = (
        [(True,) * len(signs), (False,) * len(signs)]
        if "mp" in signs
        else list(product((True, False), repeat=len(signs)))
    )
    return [_signed(text, [plus == (sign == "pm") for plus, sign in zip(way, signs, strict=True)]) for way in ways]


def _signed(text: str, positive: list[bool]) -> str:
    pieces = _SIGN.split(text)[::2]
    found = pieces[0]
    for plus, piece in zip(positive, pieces[1:], strict=True):
        term, rest = _first_term(piece)
        found += (f"+{term}" if plus else f"-({term})") + rest
    return found.strip().removeprefix("+").replace("=+", "=").replace("= +", "= ")


def _first_term(text: str) -> tuple[str, str]:
    """What a sign belongs to, up to the next sum, closing bracket or relation outside brackets; and the rest."""
    depth = 0
    for at, char in enumerate(text):
        if char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
            if depth < 0:
                return text[:at].strip(), text[at:]
        elif depth == 0 and char in "+-=<>" and text[:at].strip():
            return text[:at].strip(), text[at:]
    return text.strip(), ""


def _filled(pieces: list[str]) -> list[str]:
    r"""1, 2, \dots, 10 with its dots filled in; other lists as they are."""
    if pieces.count("\\dots") != 1:
        return pieces
    at = pieces.index("\\dots")
    if at < 2 or at != len(pieces) - 2:
        return pieces
    values = [number(piece) for piece in (*pieces[:at], pieces[-1])]
    exact = [value.exact for value in values if value is not None and value.exact is not None]
    steps = {b - a for a, b in pairwise(exact[:-1])}
    if len(exact) != len(values) or len(steps) != 1:
        return pieces
    step, count = steps.pop(), Fraction(0)
    if step:
        count = (exact[-1] - exact[0]) / step
    if count.denominator != 1 or not len(exact) - 1 <= count < MAX_ITEMS:
        return pieces
    return [str(exact[0] + step * k) for k in range(int(count) + 1)]


def _is_collection(outer: Bracketed) -> bool:
    return outer.opening in {"\\{", "{"} or len(split_top(outer.inner, ",;")) > 1
