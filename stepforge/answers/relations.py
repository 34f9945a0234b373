"""Equations and inequalities up to rearrangement.

Two relations are equal if the differences of their sides are proportional, with a positive factor for inequalities:
y = 2x + 1, 2x - y + 1 = 0 and 4x - 2y + 2 = 0. Denominators are cleared first (y = 1/x, xy = 1). They differ if a point
is found that fulfils the one and not the other. What neither shows (y = x and y³ = x³) is undecided.
"""

import math
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

from stepforge.answers import algebra
from stepforge.answers.normalise import compact
from stepforge.answers.syntax import Node, UnreadableError, num, read, symbols
from stepforge.answers.verdict import DIFFERENT, EQUAL, UNDECIDED, Verdict

_SIGNS = re.compile(r"(\\(?:le|ge|ne|approx|equiv)(?![a-zA-Z])|<=|>=|<|>|=)")
_FLIPPED = {">": "<", "\\ge": "\\le"}
_PLAIN = {"<=": "\\le", ">=": "\\ge", "\\approx": "=", "\\equiv": "="}
_FUNCTION = re.compile(r"(?P<name>[a-zA-Z](?:_\{?\w{1,3}\}?)?'{0,2}) ?\( ?(?P<argument>[a-zA-Z]) ?\)")
WITNESS = 1e-6  # a value that is surely not zero
STEPS = 24


class Relation(NamedTuple):
    """left − right, with the sign between them: =, \\ne, < or \\le."""

    sign: str
    tree: Node
    name: str | None  # of the function that an equation defines, f for f(x) = …


def relation(text: str) -> Relation | None:
    """The one relation of a text; None if it has none, several, or sides that are not read."""
    pieces = _SIGNS.split(text)
    if len(pieces) != 3:
        return None
    left, sign, right = pieces[0].strip(), _PLAIN.get(pieces[1], pieces[1]), pieces[2].strip()
    try:
        function = _FUNCTION.fullmatch(left)
        if function and sign == "=":
            body = algebra.replace(read(right), function["argument"], Node("sym", name="x"))
            return Relation(sign, algebra.difference(Node("sym", name="y"), body), compact(function["name"]))
        tree = algebra.difference(read(left), read(right))
    except UnreadableError:
        return None
    if sign in _FLIPPED:
        return Relation(_FLIPPED[sign], Node("neg", (tree,)), None)
    return Relation(sign, tree, None)


def compare_relations(gold: str, predicted: str) -> Verdict | None:
    """The verdict if both texts are one relation each; None if they are not read."""
    a, b = relation(gold), relation(predicted)
    if a is None or b is None:
        return None
    if (a.name and b.name and a.name != b.name) or a.sign != b.sign:
        return Verdict(DIFFERENT, "equation", "another function is named, or another sign of relation")
    if not symbols(a.tree) or not symbols(b.tree):
        return None  # arithmetic, true or false
    return _proportional(a, b) or _told_apart(a, b)


def _told_apart(a: Relation, b: Relation) -> Verdict:
    if a.sign in {"=", "\\ne"}:
        apart = _zero_of_one(a.tree, b.tree) or _zero_of_one(b.tree, a.tree)
    else:
        apart = _point_of_one(a.tree, b.tree)
    if apart:
        return Verdict(DIFFERENT, "equation", "a point fulfils one of them only")
    return Verdict(UNDECIDED, "equation", "not proportional, and no point tells them apart")


def _proportional(a: Relation, b: Relation) -> Verdict | None:
    sides = [(a.tree, b.tree)]
    if a.sign in {"=", "\\ne"}:
        sides.append((algebra.numerator(a.tree), algebra.numerator(b.tree)))
    for x, y in sides:
        found = algebra.ratio(x, y)
        if found is None or not found.constant:
            continue
        if a.sign in {"=", "\\ne"} or found.sign > 0:
            return Verdict(EQUAL, "equation", "the same up to rearrangement")
        if found.sign < 0:
            return Verdict(DIFFERENT, "equation", "turned round")
    if a.sign == "=" and _same_up_to_constant(a.tree, b.tree):
        return Verdict(EQUAL, "equation", "the same up to the constant of integration")
    return None


def _same_up_to_constant(a: Node, b: Node) -> bool:
    """y = F(x) + C and y = F(x) + K."""
    y = Node("sym", name="y")
    if "y" not in symbols(a) or "y" not in symbols(b):
        return False
    solved = [algebra.difference(y, tree) for tree in (a, b)]
    if any(algebra.compare_expressions(s, algebra.replace(s, "y", num(2))).verdict is not EQUAL for s in solved):
        return False  # no equation of the form y - F = 0
    found = with_constant(*solved)
    return found is not None and found.verdict is EQUAL


# --- points that tell two relations apart ----------------------------------------------------------------------------


def _zero_of_one(a: Node, b: Node) -> bool:
    """Whether a point is found where a is 0 and b surely is not."""
    names = symbols(a) | symbols(b)
    for name in sorted(symbols(a)):
        for values in list(algebra.points(names))[:6]:
            if isinstance(values.get("i"), complex):
                return False
            for zero in _zeros(a, name, dict(values)):
                other = algebra.value_at(b, {**values, name: zero})
                left = algebra.value_at(a, {**values, name: zero})
                if other is not None and left is not None and abs(other) > WITNESS > abs(left) * 1e3:
                    return True
    return False


def _zeros(tree: Node, name: str, values: dict[str, float]) -> Iterator[float]:
    """Zeros of a tree in one letter between -12 and 12, by sign changes and bisection."""

    def at(x: float) -> float | None:
        return algebra.value_at(tree, {**values, name: x})

    grid = [-12 + k * 24.37 / STEPS for k in range(STEPS + 1)]
    for low, high in pairwise(grid):
        below, above = at(low), at(high)
        if below is None or above is None or below * above > 0:
            continue
        zero = _bisected(at, low, high, below)
        if zero is not None:
            yield zero


def _bisected(at: Callable[[float], float | None], low: float, high: float, below: float) -> float | None:
    for _ in range(60):
        middle = (low + high) / 2
        value = at(middle)
        if value is None:
            return None
        if value == 0:
            return middle
        if math.copysign(1, value) == math.copysign(1, below):
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _point_of_one(a: Node, b: Node) -> bool:
    """Whether a point is found that fulfils one of a < 0, b < 0 and not the other."""
    names = symbols(a) | symbols(b)
    for scale in (1.0, 7.0, 0.2):
        for values in algebra.points(names):
            if isinstance(values.get("i"), complex):
                return False
            scaled = {name: value * scale for name, value in values.items()}
            x, y = algebra.value_at(a, scaled), algebra.value_at(b, scaled)
            if x is not None and y is not None and min(abs(x), abs(y)) > WITNESS and (x < 0) != (y < 0):
                return True
    return False


# --- constants of integration ----------------------------------------------------------------------------------------

_CONSTANTS = frozenset(("C", "c", "K", "k", "C_1", "C_0", "c_1", "c_0", "D", "A", "B"))


def with_constant(gold: Node, predicted: Node) -> algebra.Finding | None:
    """The finding for antiderivatives, F(x) + C: where the reference has such a constant (C, with factor ±1, and no
    other capital; beside at least one other letter), the reply must have one under any name, and the rest may differ
    by a constant. None where the reference has none."""
    if not _is_constant(gold, "C", symbols(gold)):
        return None
    names = symbols(predicted)
    constant = next((n for n in sorted(names, key=lambda n: n != "C") if _is_constant(predicted, n, names)), None)
    if constant is None:
        return algebra.Finding(DIFFERENT, "the constant of integration is missing")
    rest = [algebra.replace(gold, "C", num(0)), algebra.replace(predicted, constant, num(0))]
    if symbols(rest[0]) != symbols(rest[1]) and constant != "C":
        return None
    return algebra.differ_by_a_constant(*rest)


def _is_constant(tree: Node, name: str, names: frozenset[str]) -> bool:
    """Whether a letter may be a constant of integration: a term of its own beside a function of other letters."""
    if name not in names or name not in _CONSTANTS or not names - {name}:
        return False
    if any(other[:1].isupper() for other in names - {name}) or not any(n in names for n in "xtuyzsrvθ"):
        return False
    rest = algebra.replace(tree, name, num(0))
    for sign in (1, -1):
        term = Node("mul", (num(sign), Node("sym", name=name)))
        if algebra.compare_expressions(tree, Node("add", (rest, term))).verdict is EQUAL:
            return True
    return False
