"""Sets, tuples, intervals, matrices and equations, compared part by part."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from stepforge.answers.normalise import Bracketed, compact, split_top, unbracket
from stepforge.answers.numbers import number
from stepforge.answers.scalars import EQUALS, NAME, RELATION
from stepforge.answers.verdict import DIFFERENT, EQUAL, UNDECIDED, Same, Verdict, combine
from stepforge.vocabulary import AnswerKind

MAX_ITEMS = 64

_OR = re.compile(r"\s(?:or|and)\s|或者?|和|以及")
_MEMBER = re.compile(r"^[a-zA-Z]\w{0,3} ?\\in(?![a-zA-Z])")
_ORDER = re.compile(r"((?:\\(?:le|ge|lt|gt)(?![a-zA-Z])|[<>]) ?=?)")
_LETTER = re.compile(r"[a-zA-Z]|\\[a-z]{2,7}(?<!pi)(?<!infty)(?<!le)(?<!ge)")
_POINT = re.compile(r"(?P<name>[A-Z](?:_\{?\w{1,2}\}?|'{1,2})?) ?=? ?(?P<at>\(.*,.*\))")
_PLUS_MINUS = re.compile(r"\\pm(?![a-zA-Z])")
_ONE_VALUE = frozenset({None, AnswerKind.NUMBER, AnswerKind.EXPRESSION})


def compare_structures(gold: str, predicted: str, kind: AnswerKind | None, same: Same) -> Verdict | None:
    """The verdict if the reference has a structure and the reply's can be held against it, else None.
    `same` compares two of their parts."""
    if "\\matrix" in gold or "{matrix}" in gold:
        return _matrices(gold, predicted, same)
    ranges = _as_ranges(gold, predicted, kind)
    if ranges is not None or kind is AnswerKind.INTERVAL or _is_interval(gold):
        return _intervals(*(ranges or (gold, predicted)), same)
    gold, predicted = _coordinates(gold, predicted)
    wanted = _items(gold, kind)
    if wanted is not None:
        return _collections(wanted, _items(predicted, kind), same)
    if kind in _ONE_VALUE and "=" not in gold and (found := _items(predicted, None)) is not None:
        return _one_of_several(gold, found, same)
    return _equations(gold, predicted, same)


def _is_interval(text: str) -> bool:
    return "\\cup" in text or ("\\infty" in text and bool(unbracket(text).opening))


def _one_of_several(gold: str, found: "_Collection", same: Same) -> Verdict:
    """One value against a collection: it answers only as a set of this one value."""
    if len(found.items) == 1:
        return same(gold, found.items[0])
    return Verdict(DIFFERENT, "structure", "several values for one")


def _coordinates(gold: str, predicted: str) -> tuple[str, str]:
    """Both texts without the point's name before its coordinates, P(-2,3), unless they name two points."""
    a, b = _POINT.fullmatch(gold), _POINT.fullmatch(predicted)
    if a and b and compact(a["name"]) != compact(b["name"]):
        return gold, predicted
    return (a["at"] if a else gold), (b["at"] if b else predicted)


def _as_ranges(gold: str, predicted: str, kind: AnswerKind | None) -> tuple[str, str] | None:
    """Both texts as intervals where one is an inequality about one letter, -3 < m < 2, and the other an interval.
    A reference (a, b) without more is taken for a point."""
    one, other = _range(gold), _range(predicted)
    if one and other is None and _pieces(predicted) is not None:
        return one, predicted
    point = kind is not AnswerKind.INTERVAL and "\\infty" not in gold and gold.startswith("(") and gold.endswith(")")
    if other and one is None and not point and _pieces(gold) is not None:
        return gold, other
    return None


def _range(text: str) -> str | None:
    """An inequality about one letter as an interval: x > 2 as (2, \\infty); None for any other text."""
    sides = [side.strip() for side in _ORDER.split(text)]
    if len(sides) not in {3, 5} or not all(sides) or "," in text:
        return None
    greater = {sign.startswith(("\\ge", "\\gt", ">")) for sign in sides[1::2]}
    if len(greater) != 1:
        return None
    if greater == {True}:
        sides.reverse()
    values, closed = sides[::2], ["=" in sign or "le" in sign or "ge" in sign for sign in sides[1::2]]
    letters = [at for at, value in enumerate(values) if _LETTER.fullmatch(value)]
    if len(letters) != 1 or (len(values) == 3 and letters != [1]):
        return None
    low = f"{'[' if closed[0] else '('}{values[0]}" if letters[0] > 0 else "(-\\infty"
    high = f"{values[-1]}{']' if closed[-1] else ')'}" if letters[0] < len(values) - 1 else "\\infty)"
    return f"{low}, {high}"


class _Collection(NamedTuple):
    opening: str
    items: list[str]
    ordered: bool


def _items(text: str, kind: AnswerKind | None) -> _Collection | None:
    """The text as a set or tuple: items between commas, `;` or `or`; a single one only in braces or by its kind."""
    outer = unbracket(_MEMBER.sub("", text).strip())
    braces = outer.opening in {"\\{", "{"}
    inner = outer.inner if _is_collection(outer) else text
    signs = len(_PLUS_MINUS.findall(inner))
    opening = outer.opening if inner is not text else ""
    pieces = [p.strip() for piece in _OR.split(inner) for p in split_top(piece, ",;") if p.strip()]
    if signs and opening not in {"(", "["}:
        pieces = [each for piece in pieces for each in _both_signs(piece)]
    if len(pieces) > MAX_ITEMS or not pieces:
        return None
    if len(pieces) == 1 and not (braces or kind in {AnswerKind.SET, AnswerKind.TUPLE}):
        return None
    listed = opening in {"(", "\\langle", "["} and _OR.search(inner) is None
    ordered = kind is AnswerKind.TUPLE or (kind is not AnswerKind.SET and listed)
    return _Collection(opening, pieces, ordered and not braces)


def _both_signs(text: str) -> list[str]:
    """`a ± b` as the two values it stands for; a text with none or several ± as it is."""
    if len(_PLUS_MINUS.findall(text)) != 1:
        return [text]
    before, after = (side.strip() for side in _PLUS_MINUS.split(text))
    if not before or before.endswith("="):
        return [f"{before} {after}".strip(), f"{before} -({after})".strip()]
    return [f"{before} + {after}", f"{before} - ({after})"]


def _is_collection(outer: Bracketed) -> bool:
    return outer.opening in {"\\{", "{"} or len(split_top(outer.inner, ",;")) > 1


def _collections(wanted: _Collection, found: _Collection | None, same: Same) -> Verdict | None:
    if found is None:
        return Verdict(DIFFERENT, "structure", f"one value for {len(wanted.items)}") if len(wanted.items) > 1 else None
    if not _brackets_agree(wanted, found):
        return Verdict(DIFFERENT, "structure", "another kind of bracket")
    if wanted.ordered:
        if len(wanted.items) != len(found.items):
            return Verdict(DIFFERENT, "tuple", f"{len(found.items)} components for {len(wanted.items)}")
        pairs = zip(wanted.items, found.items, strict=True)
        return combine([same(a, b) for a, b in pairs], "tuple")
    return _unordered(wanted.items, found.items, same)


def _brackets_agree(wanted: _Collection, found: _Collection) -> bool:
    """Braces against round or square ones differ; so does [a, b] for (a, b); no bracket at all agrees with the brackets
    that the reference's kind would have."""
    a, b = wanted.opening.lstrip("\\"), found.opening.lstrip("\\")
    if a == b or {a, b} == {"(", "langle"}:
        return True
    if "" in (a, b):
        return (a or b) in ({"(", "[", "langle"} if wanted.ordered else {"{"})
    return len(wanted.items) != 2 and {a, b} <= {"(", "[", "langle"}


def _unordered(wanted: Sequence[str], found: Sequence[str], same: Same) -> Verdict:
    """Whether each element of one is an element of the other; an element written twice counts once."""
    undecided = False
    for xs, ys, flip in ((wanted, found, False), (found, wanted, True)):
        for x in xs:
            verdicts = []
            for y in ys:
                a, b = (y, x) if flip else (x, y)
                verdicts.append(same(a, b).verdict)
                if verdicts[-1] is EQUAL:
                    break
            if EQUAL not in verdicts:
                if UNDECIDED not in verdicts:
                    return Verdict(DIFFERENT, "set", f"{x[:60]} is in one of them only")
                undecided = True
    return Verdict(UNDECIDED if undecided else EQUAL, "set", "element by element")


def _matrices(gold: str, predicted: str, same: Same) -> Verdict | None:
    wanted, found = _rows(gold), _rows(predicted)
    if wanted is None or found is None:
        return None
    if [len(row) for row in wanted] != [len(row) for row in found]:
        return Verdict(DIFFERENT, "matrix", "another shape")
    cells = [(a, b) for x, y in zip(wanted, found, strict=True) for a, b in zip(x, y, strict=True)]
    return combine([same(a, b) for a, b in cells], "matrix")


def _rows(text: str) -> list[list[str]] | None:
    body = re.fullmatch(r"\\begin ?\{matrix\}(.*)\\end ?\{matrix\}", text, re.DOTALL)
    if body is None:
        return None
    rows = [row for row in body[1].split("\\\\") if row.strip()]
    return [[cell.strip() for cell in row.split("&")] for row in rows]


def _intervals(gold: str, predicted: str, same: Same) -> Verdict | None:
    wanted, found = _pieces(gold), _pieces(predicted)
    if wanted is None:
        return None
    if found is None:
        return Verdict(DIFFERENT, "interval", "no interval") if number(predicted) is not None else None
    if len(wanted) == len(found) == 1:
        return _one_piece(wanted[0], found[0], same)
    rest = list(found)
    for a in wanted:
        equal = [b for b in rest if _one_piece(a, b, same).verdict is EQUAL]
        if not equal:
            return None  # another union may still cover the same points
        rest.remove(equal[0])
    return None if rest else Verdict(EQUAL, "interval", "piece by piece")


def _pieces(text: str) -> list[Bracketed] | None:
    """Intervals and finite sets of a union; None if the text is none."""
    pieces = [unbracket(piece) for piece in _MEMBER.sub("", text).split("\\cup")]
    return pieces if all(p.opening and p.inner for p in pieces) else None


def _one_piece(a: Bracketed, b: Bracketed, same: Same) -> Verdict:
    xs, ys = ([end.strip().removeprefix("+") for end in split_top(piece.inner, ",")] for piece in (a, b))
    if (a.opening, a.closing) != (b.opening, b.closing) or len(xs) != len(ys):
        return Verdict(DIFFERENT, "interval", "another kind of bracket")
    return combine([same(x, y) for x, y in zip(xs, ys, strict=True)], "interval")


def _equations(gold: str, predicted: str, same: Same) -> Verdict | None:
    """Equations side by side; `x = …` against a bare value by its value. None if that decides nothing."""
    if RELATION.search(gold) or RELATION.search(predicted):
        return None
    a, b = ([side.strip() for side in EQUALS.split(text)] for text in (gold, predicted))
    if len(a) == 1 and len(b) == 1:
        return None
    if len(a) == 2 and len(b) == 2:
        return _two_equations(a, b, same)
    if len(a) == 1:
        return same(a[0], b[-1])
    if len(b) == 1 and len(a) == 2 and NAME.fullmatch(a[0]):
        return same(a[1], b[0])
    return None


def _two_equations(a: list[str], b: list[str], same: Same) -> Verdict | None:
    if compact(a[0]) == compact(b[0]):
        return same(a[1], b[1])
    if [compact(x) for x in a] == [compact(x) for x in reversed(b)]:
        return Verdict(EQUAL, "equation", "sides swapped")
    if NAME.fullmatch(a[0]) and NAME.fullmatch(b[0]) and number(a[1]) is not None and number(b[1]) is not None:
        return Verdict(DIFFERENT, "equation", "another variable is named")
    return None
