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

from stepforge.answers import algebra, modular
from stepforge.answers.syntax import Node, UnreadableError, read, symbols
from stepforge.vocabulary import EquivalenceVerdict

MAX_CHARS = 400  # as the symbolic library's
MAX_SIDES = 12
RESIDUES = 2  # points of an exact key: two relations that differ share it with a chance of degree / 2⁶¹
BUCKET = 1e-9  # relative width
FAR = 1e-6  # relative, of values in double precision at points far from 0

_RELATION = re.compile(r"(==?|<=|>=|<|>|\\(?:le|ge|ne)(?![a-zA-Z]))")
_SPELLINGS = {"==": "=", "\\le": "<=", "\\ge": ">=", "\\ne": "!="}
_FLIPPED = {">": "<", ">=": "<="}
_ORDERS = frozenset({"<", "<="})
_FUNCTION = re.compile(r"\\?(?:sin|cos|tan|cot|sec|csc)(?![a-z])")
_DEGREE = re.compile(r"\^\\circ ?")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_EQUAL = EquivalenceVerdict.EQUAL


class Relation(NamedTuple):
    """The trees of an expression (one side), or of a relation or a chain of relations (several)."""

    sides: tuple[Node, ...]
    signs: tuple[str, ...]  # between the sides, of = != < <=
    flipped: tuple[bool, ...]  # where the sign was > or >=
    letters: frozenset[str]
    numbers: tuple[str, ...]  # that each side is written with, where it has no letter: 90·2 is not 60·3

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
    try:
        sides = tuple(read(piece) for piece in pieces[::2])
    except UnreadableError:
        return None
    signs = [_SPELLINGS.get(sign, sign) for sign in pieces[1::2]]
    letters = [symbols(side) for side in sides]
    numbers = (
        "" if own else ",".join(sorted(_NUMBER.findall(piece))) for own, piece in zip(letters, pieces[::2], strict=True)
    )
    return Relation(
        sides,
        tuple(_FLIPPED.get(sign, sign) for sign in signs),
        tuple(sign in _FLIPPED for sign in signs),
        frozenset().union(*letters),
        tuple(numbers),
    )


# --- exact keys -----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=100_000)
def exact_keys(text: str) -> frozenset[str]:
    """Keys that equal texts share, and others do not; none where the text is not read or has no exact key."""
    found = relation(text)
    if found is None or not _ORDERS.isdisjoint(found.signs):
        return frozenset()
    try:
        return frozenset(_exact_keys(found))
    except (modular.NotRationalError, modular.PoleError):
        return frozenset()


def _exact_keys(found: Relation) -> list[str]:
    sides = [_lettered(side) for side in found.sides]
    names = found.letters | {"\\pi", "\\e"}
    points = [{name: modular.point_of(name, k) for name in names} for k in range(1, RESIDUES + 1)]
    values = [[modular.evaluate(side, point) for point in points] for side in sides]
    if not found.signs:
        return [f"value {_hex(values[0])}"]
    links = [_link(sign, left, right) for sign, left, right in zip(found.signs, values, values[1:], strict=False)]
    keys = [] if None in links else ["links " + "; ".join(sorted(filter(None, links)))]
    if found.is_chain_of_equations:
        each = (f"{_hex(value)} {numbers}" for value, numbers in zip(values, found.numbers, strict=True))
        keys.append("sides " + "; ".join(sorted(each)))
    return keys


def _lettered(node: Node) -> Node:
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


class Buckets(NamedTuple):
    """Where a text stands among the texts of its shape: two that are equal have a bucket in common."""

    shape: str
    names: frozenset[str]
    anywhere: bool  # doubles do not tell: in every bucket


@lru_cache(maxsize=100_000)
def buckets(text: str) -> Buckets | None:
    """The buckets of a text; None where it is not read."""
    found = relation(text)
    if found is None:
        return None
    shape = f"{len(found.sides)} {' '.join(sorted(found.signs))}"
    names = None if "i" in found.letters else _bucket_names(found)  # what i is depends on the other text
    return Buckets(shape, frozenset(names or ()), names is None)


def may_be_equal(a: str, b: str) -> bool:
    """Whether two texts of one shape share a bucket, or one of them is in every one."""
    one, other = buckets(a), buckets(b)
    if one is None or other is None or one.shape != other.shape:
        return False
    return one.anywhere or other.anywhere or not one.names.isdisjoint(other.names)


@lru_cache(maxsize=20_000)
def _all_buckets(texts: tuple[str, ...]) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Of several texts: their buckets, their shapes, and the shapes of which one is in every bucket."""
    found = [each for each in map(buckets, texts) if each is not None]
    names = frozenset(f"{each.shape}|{name}" for each in found for name in each.names)
    return names, frozenset(b.shape for b in found), frozenset(b.shape for b in found if b.anywhere)


def some_may_be_equal(a: tuple[str, ...], b: tuple[str, ...]) -> bool:
    """Whether `may_be_equal` holds for some text of the one and some text of the other."""
    (names, shapes, anywhere), (others, other_shapes, elsewhere) = _all_buckets(a), _all_buckets(b)
    return not (names.isdisjoint(others) and anywhere.isdisjoint(other_shapes) and elsewhere.isdisjoint(shapes))


def _bucket_names(found: Relation) -> list[str] | None:
    """From the values of the sides at two points where all letters are positive: of one side the first value, of
    several the ratios of the differences of each link, and the values of a chain's sides."""
    points = [{name: 0.5 + modular.point_of(name, k) / modular.PRIME for name in found.letters} for k in (1, 2)]
    values = [[algebra.value_at(side, point) for side in found.sides] for point in points]
    first, second = ([value for value in each if value is not None] for each in values)
    if len(first) + len(second) < 2 * len(found.sides):
        return None
    if not found.signs:
        return list(bucket_names(first[0]))
    ratios: list[float] = []
    for k in range(len(found.signs)):
        gaps = [_gap(side[k], side[k + 1]) for side in (first, second)]
        if None in gaps:
            return None
        above, below = gaps
        if not above or not below:
            break  # the link holds whatever the letters are
        ratios.append(below / above)
    names = _joined("links", ratios) if len(ratios) == len(found.signs) else []
    return names + _joined("sides", first) if found.is_chain_of_equations else names


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
        same = algebra.compare_expressions(one.sides[0], other.sides[0]).verdict is _EQUAL
    else:
        same = _same_links(one, other) or _same_sides(one, other)
    return same and _same_far_away(one, other)


def _same_far_away(one: Relation, other: Relation) -> bool:
    """Whether nothing speaks against it at points far from 0, by doubles: |x − 4| is 4 − x for small x alone."""
    if len(one.sides) > 2 or "i" in one.letters | other.letters:
        return True
    ratios = []
    for k, scale in enumerate((30.0, -30.0, 1000.0), start=1):
        point = {name: scale * (1 + modular.point_of(name, k) / modular.PRIME) for name in one.letters | other.letters}
        values = [[algebra.value_at(side, point) for side in text.sides] for text in (one, other)]
        a, b = ([value for value in sides if value is not None] for sides in values)
        if len(a) + len(b) < 2 * len(one.sides):
            continue
        left, right = (
            (side[0], side[0]) if len(side) == 1 else (side[0] - side[1], max(map(abs, side))) for side in (a, b)
        )
        if abs(left[0]) > FAR * abs(left[1]) and abs(right[0]) > FAR * abs(right[1]):  # else cancelled
            ratios.append(left[0] / right[0])
    wanted = ratios[:1] if one.signs else [1.0]
    return all(abs(ratio - wanted[0]) <= FAR * abs(wanted[0]) for ratio in ratios)


def _same_links(one: Relation, other: Relation) -> bool:
    def same(i: int, j: int) -> bool:
        if one.signs[i] != other.signs[j]:
            return False
        found = algebra.ratio(one.difference(i), other.difference(j))
        return found is not None and found.constant and (found.sign > 0 or one.signs[i] not in _ORDERS)

    return _paired(len(one.signs), same)


def _same_sides(one: Relation, other: Relation) -> bool:
    def same(i: int, j: int) -> bool:
        numbers = one.numbers[i] == other.numbers[j]
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
