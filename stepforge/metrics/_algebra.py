r"""Algebraic texts of milestones and units: each read once, most pairs decided by keys, the rest one by one.

The exact key of a rational function is its values in a prime field at points drawn from the names of its letters; two
texts that share it are equal.  π and e, being transcendental, are letters there.  Roots, functions and inequalities
have no exact key: a bucket of values in double precision says which pairs may be equal, and `algebra` decides those.

An equation or inequality stands for the difference of its sides up to a constant factor (a positive one, where it has
an order), a chain a = b = c for its links, or for its sides.  A link that holds whatever the letters are (2 + 3 = 5)
says nothing and has no key.  A degree sign outside a function is left out, as a unit may be.
"""

import math
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from stepforge.answers import algebra, modular, numeric
from stepforge.answers.syntax import Node, UnreadableError, read, symbols
from stepforge.vocabulary import EquivalenceVerdict

MAX_CHARS = 400  # as the symbolic library's
MAX_SIDES = 12
RESIDUES = 2  # points of an exact key: two relations that differ share it with a chance of degree / 2⁶¹
BUCKET = 1e-9  # relative width
BUCKET_POINTS = 6  # at which two texts are tried until both have real values

_RELATION = re.compile(r"(==?|<=|>=|<|>|\\(?:le|ge|ne)(?![a-zA-Z]))")
_SPELLINGS = {"==": "=", "\\le": "<=", "\\ge": ">=", "\\ne": "!="}
_FLIPPED = {">": "<", ">=": "<="}
_ORDERS = frozenset({"<", "<="})
_FUNCTION = re.compile(r"\\?(?:sin|cos|tan|cot|sec|csc)(?![a-z])")
_DEGREE = re.compile(r"\^\\circ ?")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_EQUAL = EquivalenceVerdict.EQUAL
_REALS = numeric.doubles(complex_numbers=False)


class Relation(NamedTuple):
    """The trees of an expression (one side), or of a relation or a chain of relations (several)."""

    texts: tuple[str, ...]  # of the sides
    sides: tuple[Node, ...]
    signs: tuple[str, ...]  # between the sides, of = != < <=
    flipped: tuple[bool, ...]  # where the sign was > or >=
    letters: frozenset[str]

    def difference(self, link: int) -> Node:
        """The difference of the sides of a link, the greater one first where it has an order."""
        a, b = self.sides[link], self.sides[link + 1]
        return algebra.difference(a, b) if self.flipped[link] else algebra.difference(b, a)

    @property
    def is_chain_of_equations(self) -> bool:
        """Whether it is a = b = c."""
        return len(self.sides) > 2 and set(self.signs) == {"="}


@lru_cache(maxsize=100_000)
def relation(text: str) -> Relation | None:
    """The trees of a text in one spelling; None where the grammar does not read it."""
    if len(text) > MAX_CHARS:
        return None
    if "\\circ" in text and not _FUNCTION.search(text):
        text = _DEGREE.sub(" ", text)
    pieces = [piece.strip() for piece in _RELATION.split(text)]
    if len(pieces) > 2 * MAX_SIDES:
        return None
    sides = []
    for piece in pieces[::2]:
        side = _side(piece)
        if side is None:
            return None
        sides.append(side)
    signs = [_SPELLINGS.get(sign, sign) for sign in pieces[1::2]]
    return Relation(
        tuple(pieces[::2]),
        tuple([side.tree for side in sides]),
        tuple([_FLIPPED.get(sign, sign) for sign in signs]),
        tuple([sign in _FLIPPED for sign in signs]),
        frozenset().union(*[side.letters for side in sides]),
    )


# Sides come again: AB, x, 90 in many relations.  A letter's values do not depend on what else is in the text, so a
# side is read and evaluated once.


class _Side(NamedTuple):
    tree: Node
    letters: frozenset[str]


@lru_cache(maxsize=100_000)
def _side(text: str) -> _Side | None:
    try:
        tree = read(text)
    except UnreadableError:
        return None
    return _Side(tree, symbols(tree))


@lru_cache(maxsize=100_000)
def _residues(text: str) -> tuple[int, ...] | None:
    """The values of a side in the field; None at a pole, or where it is no rational function."""
    side = _side(text)
    if side is None:
        return None
    tree, names = _lettered(side.tree), side.letters | {"\\pi", "\\e"}
    try:
        return tuple(
            [modular.evaluate(tree, {n: modular.point_of(n, k) for n in names}) for k in range(1, RESIDUES + 1)]
        )
    except (modular.NotRationalError, modular.PoleError):
        return None


@lru_cache(maxsize=200_000)
def _value(text: str, k: int) -> float | None:
    """The real value of a side at the k-th point, where all letters are positive; None where it has none."""
    side = _side(text)
    if side is None:
        return None
    point = {name: 0.5 + modular.point_of(name, k) / modular.PRIME for name in side.letters}
    try:
        return float(_REALS.evaluate(side.tree, point))
    except (numeric.UndefinedError, TypeError):  # TypeError: a complex value
        return None


def _numbers(text: str) -> str:
    """The numbers that a side is written with, where it has no letter: 90·2 is another computation than 60·3."""
    side = _side(text)
    return "" if side is None or side.letters else ",".join(sorted(_NUMBER.findall(text)))


# --- exact keys -----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=100_000)
def exact_keys(text: str) -> frozenset[str]:
    """Keys that equal texts share, and others do not; none where the text is not read or has no exact key."""
    found = relation(text)
    if found is None or not _ORDERS.isdisjoint(found.signs):
        return frozenset()
    values = []
    for side in found.texts:
        residues = _residues(side)
        if residues is None:
            return frozenset()
        values.append(residues)
    if not found.signs:
        return frozenset((f"value {_hex(values[0])}",))
    links = [_link(sign, left, right) for sign, left, right in zip(found.signs, values, values[1:], strict=False)]
    keys = [] if None in links else ["links " + "; ".join(sorted(filter(None, links)))]
    if found.is_chain_of_equations:
        each = (f"{_hex(value)} {_numbers(side)}" for value, side in zip(values, found.texts, strict=True))
        keys.append("sides " + "; ".join(sorted(each)))
    return frozenset(keys)


def _lettered(node: Node) -> Node:
    """The tree with π and e as letters."""
    if node.op == "const" and node.name in {"pi", "e"}:
        return Node("sym", name=f"\\{node.name}")
    return node._replace(args=tuple([_lettered(arg) for arg in node.args])) if node.args else node


def _link(sign: str, left: Sequence[int], right: Sequence[int]) -> str | None:
    """The difference at the points relative to the first; None where it is zero."""
    first, *others = ((a - b) % modular.PRIME for a, b in zip(left, right, strict=True))
    if not first:
        return None
    unit = pow(first, -1, modular.PRIME)
    return f"{sign} {_hex([other * unit % modular.PRIME for other in others])}"


def _hex(values: Sequence[int]) -> str:
    return " ".join(f"{value:x}" for value in values)


# --- buckets --------------------------------------------------------------------------------------------------------


def may_be_equal(a: str, b: str) -> bool:
    """Whether two texts of one shape have a bucket in common at the first point where both have any; also where no
    point tells."""
    one, other = relation(a), relation(b)
    if one is None or other is None or _shape(one) != _shape(other):
        return False
    if "i" in one.letters or "i" in other.letters:  # what i is depends on both
        return True
    for k in range(1, BUCKET_POINTS + 1):
        mine, others = _buckets(a, k), _buckets(b, k)
        if mine is not None and others is not None:
            return not mine.isdisjoint(others)
    return True


def some_may_be_equal(a: tuple[str, ...], b: tuple[str, ...]) -> bool:
    """Whether `may_be_equal` may hold for some text of the one and some text of the other."""
    one, other = _all_buckets(a), _all_buckets(b)
    return not (
        one.names.isdisjoint(other.names)
        and one.untold.isdisjoint(other.shapes)
        and other.untold.isdisjoint(one.shapes)
    )


class _Buckets(NamedTuple):
    """Of several texts: their buckets at the first point, their shapes, and the shapes of those without a bucket."""

    names: frozenset[str]
    shapes: frozenset[str]
    untold: frozenset[str]


@lru_cache(maxsize=20_000)
def _all_buckets(texts: tuple[str, ...]) -> _Buckets:
    names: set[str] = set()
    shapes: set[str] = set()
    untold: set[str] = set()
    for text in texts:
        found = relation(text)
        if found is not None:
            shape = _shape(found)
            shapes.add(shape)
            own = _buckets(text, 1) if "i" not in found.letters else None
            names.update(f"{shape}|{name}" for name in own or ())
            if own is None:
                untold.add(shape)
    return _Buckets(frozenset(names), frozenset(shapes), frozenset(untold))


def _shape(found: Relation) -> str:
    return f"{len(found.sides)} {' '.join(sorted(found.signs))}"


@lru_cache(maxsize=100_000)
def _buckets(text: str, k: int) -> frozenset[str] | None:
    """From the values of the sides at the k-th point and the next, where all letters are positive: of one side the
    first value, of several the ratios of the differences of each link, and the values of a chain's sides.  None where
    a side has no real value, or rounding may decide."""
    found = relation(text)
    if found is None:
        return None
    first = _values(found, k)
    if first is None or not found.signs:
        return None if first is None else frozenset(bucket_names(first[0]))
    second = _values(found, k + 1)
    if second is None:
        return None
    ratios: list[float] = []
    for link in range(len(found.signs)):
        above, below = (_gap(side[link], side[link + 1]) for side in (second, first))
        if above is None or below is None:
            return None
        if not above or not below:
            break  # the link holds whatever the letters are
        ratios.append(above / below)
    names = _joined("links", ratios) if len(ratios) == len(found.signs) else []
    return frozenset(names + (_joined("sides", first) if found.is_chain_of_equations else []))


def _values(found: Relation, k: int) -> list[float] | None:
    values = []
    for side in found.texts:
        value = _value(side, k)
        if value is None:
            return None
        values.append(value)
    return values


def _gap(left: float, right: float) -> float | None:
    """left − right; 0 where it is nothing but rounding; None where it may be."""
    gap, size = left - right, abs(left) + abs(right)
    if abs(gap) > 1e-5 * size:
        return gap
    return 0.0 if abs(gap) <= 1e-12 * size else None


def _joined(kind: str, values: list[float]) -> list[str]:
    return [f"{kind} {' '.join(sorted(names))}" for names in zip(*map(bucket_names, values), strict=True)]


def bucket_names(value: float) -> tuple[str, str]:
    """The buckets of a value in two rounds, half a bucket apart: what is at a border in the one is not in the other."""
    if not value:
        return "0", "half 0"
    scaled = math.log(abs(value)) / BUCKET
    sign = "-" if value < 0 else ""
    return f"{sign}{math.floor(scaled)}", f"half {sign}{math.floor(scaled + 0.5)}"


def arithmetic_value(text: str) -> float | None:
    """The real value of a text without letters, in double precision; None where it has none or is not read."""
    found = relation(text)
    if found is None or found.signs or found.letters:
        return None
    return algebra.value_at(found.sides[0], {})


# --- one by one -----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=100_000)
def equal(a: str, b: str) -> bool:
    """Whether two texts are equal as mathematics."""
    one, other = relation(a), relation(b)
    if one is None or other is None or len(one.sides) != len(other.sides):
        return False
    if not one.signs:
        return algebra.compare_expressions(one.sides[0], other.sides[0]).verdict is _EQUAL
    return _same_links(one, other) or _same_sides(one, other)


def _same_links(one: Relation, other: Relation) -> bool:
    def same(i: int, j: int) -> bool:
        if one.signs[i] != other.signs[j]:
            return False
        found = algebra.ratio(one.difference(i), other.difference(j))
        return found is not None and found.constant and (found.sign > 0 or one.signs[i] not in _ORDERS)

    return _paired(len(one.signs), same)


def _same_sides(one: Relation, other: Relation) -> bool:
    def same(i: int, j: int) -> bool:
        numbers = _numbers(one.texts[i]) == _numbers(other.texts[j])
        return numbers and algebra.compare_expressions(one.sides[i], other.sides[j]).verdict is _EQUAL

    return one.is_chain_of_equations and other.is_chain_of_equations and _paired(len(one.sides), same)


def _paired(n: int, same: Callable[[int, int], bool]) -> bool:
    """Whether the n things of the one text and those of the other are the same in some order."""
    rest = list(range(n))
    for i in range(n):
        j = next((j for j in rest if same(i, j)), None)
        if j is None:
            return False
        rest.remove(j)
    return True
