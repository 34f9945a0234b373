r"""Whether two trees are the same expression, or two expressions the same up to a factor: without a symbolic library.

Rational functions are compared in a prime field (exact); all others at fixed real points, in doubles where they differ
and in 50 digits where they agree. Policy: two expressions are equal if they have the same value wherever both are
defined and are defined at the same points; where one is undefined and the other is not (√x·√y and √(xy), ln x² and 2
ln x) the verdict is undecided. `i` is the imaginary unit where no other index letter is about; a `\log` without a
base may be natural or decimal: what only one of the two makes equal is undecided.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from stepforge.answers import modular, numeric
from stepforge.answers.syntax import BARE_LOG, Node, num, symbols
from stepforge.answers.verdict import DIFFERENT, EQUAL, UNDECIDED
from stepforge.vocabulary import EquivalenceVerdict

POINTS = 4  # of each kind: all positive, of both signs
APART = 1e-6
ROUNDING = 1e-9  # of the largest number on the way: what double precision may have lost
SMALL = 1e-8  # of the largest number on the way: a value to take in 120 digits, so much may have cancelled
GONE = 1e-20  # what 120 digits leave of the 50 digits' value where there is nothing but rounding
SAME = 1e-36
TRACE = 1e-90  # of two values: what is left of their difference in 120 digits, if they are not the same

Values = Mapping[str, Any]


class Finding(NamedTuple):
    """Verdict and reason."""

    verdict: EquivalenceVerdict
    reason: str


def compare_expressions(a: Node, b: Node) -> Finding:
    """Whether two expressions are equal."""
    if a == b:
        return Finding(EQUAL, "the same expression")
    names = symbols(a) | symbols(b)
    exact = _in_the_field(a, b, names)
    found = exact if exact is not None else _at_points(a, b, names)
    if found.verdict is DIFFERENT and BARE_LOG in names and _equal_for_some_log(a, b):
        return Finding(UNDECIDED, "equal for one base of log only")
    return found


def _equal_for_some_log(a: Node, b: Node) -> bool:
    natural, decimal = num(1), Node("div", (num(1), Node("fn", (num(10),), "ln")))
    return any(
        compare_expressions(replace(a, BARE_LOG, base), replace(b, BARE_LOG, base)).verdict is EQUAL
        for base in (natural, decimal)
    )


def replace(node: Node, name: str, by: Node) -> Node:
    """The tree with a letter replaced."""
    if node.op == "sym":
        return by if node.name == name else node
    return node._replace(args=tuple(replace(arg, name, by) for arg in node.args)) if node.args else node


def difference(a: Node, b: Node) -> Node:
    """a − b."""
    return Node("add", (a, Node("neg", (b,))))


# --- in the field ---------------------------------------------------------------------------------------------------


def field_values(node: Node, names: frozenset[str]) -> list[int | None] | None:
    """Values at the field's points, None at a pole; None if the tree is no rational function."""
    found: list[int | None] = []
    try:
        for k in range(1, POINTS + 1):
            try:
                found.append(modular.evaluate(node, {name: modular.point_of(name, k) for name in names}))
            except modular.PoleError:
                found.append(None)
    except modular.NotRationalError:
        return None
    return found


def _in_the_field(a: Node, b: Node, names: frozenset[str]) -> Finding | None:
    if imaginary(names):
        return None
    left, right = field_values(a, names), field_values(b, names)
    if left is None or right is None:
        return None
    pairs = [(x, y) for x, y in zip(left, right, strict=True) if x is not None and y is not None]
    if len(pairs) < 2:
        return Finding(UNDECIDED, "undefined")
    if all(x == y for x, y in pairs):
        return Finding(EQUAL, "the same rational function")
    return Finding(DIFFERENT, "different values")


# --- at points ------------------------------------------------------------------------------------------------------


def imaginary(names: frozenset[str]) -> bool:
    """Whether `i` is the imaginary unit among these letters."""
    return "i" in names and not names & {"j", "k", "n", "m"}


def points(names: frozenset[str]) -> Iterator[Values]:
    """Fixed points: all positive first, then of both signs; one empty point where there are no letters."""
    unit = {"i": 1j} if imaginary(names) else {}
    letters = sorted(names - unit.keys())
    if not letters:
        yield dict(unit)
        return
    for k in range(2 * POINTS):
        values: dict[str, Any] = dict(unit)
        for j, name in enumerate(letters):
            size = ((modular.point_of(name, k + 1) % 1009) + 37) / 331.0
            negative = k >= POINTS and ((POINTS - 1 - k % POINTS) >> (j % 2)) % 2 == 1  # both, one, the other, none
            values[name] = -size if negative else size
        yield values


_BRANCHED = frozenset(("abs", "floor", "ceil", "max", "min", "gcd", "lcm", "sgn"))
_STRETCHED = (Fraction(30), Fraction(1000))  # of the largest number in the texts
MAX_BRANCH_POINTS = 24


def branch_points(a: Node, b: Node, names: frozenset[str]) -> Iterator[Values]:
    """Points on both sides of where an absolute value, a root, a maximum or a rounding may change its branch: beside
    each number of the texts, halfway to the next, and far beyond the largest. |x − 40| is 40 − x for small x alone.
    None for trees without such a function."""
    unit = {"i": 1j} if imaginary(names) else {}
    letters = sorted(names - unit.keys())
    if not letters or not (_branches(a) or _branches(b)):
        return
    known = sorted({Fraction(1), *(abs(value) for value in (*_numbers(a), *_numbers(b)) if value)})[-8:]
    between = [(low + high) / 2 for low, high in pairwise(known)]
    sizes = [*(known[-1] * factor for factor in _STRETCHED), *(value * Fraction(21, 20) for value in known), *between]
    for size in sizes[: MAX_BRANCH_POINTS // 2]:
        for sign in (1, -1):
            near = [1 + (modular.point_of(name, 1) % 1009) / 20180.0 for name in letters]
            try:
                yield {**unit, **{n: sign * float(size) * by for n, by in zip(letters, near, strict=True)}}
            except OverflowError:  # a number that no double holds
                continue


def _branches(node: Node) -> bool:
    if node.op == "fn" and node.name in _BRANCHED:
        return True
    root = node.op == "fn" and node.name in {"sqrt", "root"}
    power = node.op == "pow" and not _is_whole(node.args[1])
    return root or power or any(map(_branches, node.args))


def _is_whole(node: Node) -> bool:
    if node.op == "neg":
        return _is_whole(node.args[0])
    return node.op == "num" and node.value.denominator == 1


def _numbers(node: Node) -> Iterator[Fraction]:
    if node.op == "num":
        yield node.value
    for arg in node.args:
        yield from _numbers(arg)


class _Sides(NamedTuple):
    """Two values at a point: same, apart, or neither certain."""

    same: bool
    apart: bool


def _at_points(a: Node, b: Node, names: frozenset[str]) -> Finding:
    same = unsure = one_sided = 0
    for values in points(names):
        defined = [_double(side, values) is not None for side in (a, b)]
        if not all(defined):
            one_sided += any(defined)
            continue
        sides = _compare_at(a, b, values)
        if sides.apart:
            return Finding(DIFFERENT, "different values at a point")
        same += sides.same
        unsure += not sides.same
    if any(_apart_at(a, b, values) for values in branch_points(a, b, names)):
        return Finding(DIFFERENT, "different values at a point")
    if not same or unsure:
        return Finding(UNDECIDED, "too close to call" if same else "no point where both have a value")
    if one_sided:
        return Finding(UNDECIDED, "equal where both are defined, but one is defined where the other is not")
    return Finding(EQUAL, "the same values")


def _apart_at(a: Node, b: Node, values: Values) -> bool:
    """Whether both have a value at the point, and surely not the same."""
    defined = all(_double(side, values) is not None for side in (a, b))
    return defined and _compare_at(a, b, values).apart


class _Number(NamedTuple):
    value: Any
    largest: float


def _double(node: Node, values: Values) -> _Number | None:
    arithmetic = numeric.doubles(complex_numbers="i" in values and isinstance(values["i"], complex))
    try:
        value = arithmetic.evaluate(node, values)
    except numeric.UndefinedError:
        return None
    return _Number(value, arithmetic.largest)


def value_at(node: Node, values: Values) -> float | None:
    """The real value in double precision; None where it is undefined or not real."""
    found = _double(node, values)
    if found is None or isinstance(found.value, complex):
        return None
    return float(found.value)


def _precise(node: Node, values: Values) -> Any | None:
    """The value in 50 digits or more; exactly 0 where it is nothing but rounding."""
    complex_numbers = isinstance(values.get("i"), complex)
    found = []
    for n in (numeric.DIGITS, numeric.MORE_DIGITS):
        arithmetic = numeric.digits(n, complex_numbers=complex_numbers)
        try:
            found.append(arithmetic.evaluate(node, {k: _exact(arithmetic, v) for k, v in values.items()}))
        except numeric.UndefinedError:
            return None
        if abs(found[-1]) > SMALL * arithmetic.largest:
            return found[-1]
    return 0 if abs(found[1]) <= GONE * abs(found[0]) else found[1]


def _exact(arithmetic: numeric.Arithmetic, value: Any) -> Any:
    library = arithmetic.library
    return library.mpc(value) if isinstance(value, complex) else library.mpf(value)


def _compare_at(a: Node, b: Node, values: Values) -> _Sides:
    x, y = _double(a, values), _double(b, values)
    if x is not None and y is not None:
        gap, scale = abs(x.value - y.value), max(abs(x.value), abs(y.value))
        if gap > APART * scale and gap > ROUNDING * max(x.largest, y.largest):
            return _Sides(same=False, apart=True)
    left, right = _precise(a, values), _precise(b, values)
    if left is None or right is None:
        return _Sides(same=False, apart=False)
    found = _near(left, right)
    if found.same:  # e^100 and e^100 + 1 agree in 43 digits; their difference does not vanish in 120
        gap = _precise(difference(a, b), values)
        if gap is not None and abs(gap) > TRACE * max(abs(left), abs(right)):
            return _Sides(same=False, apart=True)
    return found


def _near(left: Any, right: Any) -> _Sides:
    gap, scale = abs(left - right), max(abs(left), abs(right))
    return _Sides(same=bool(gap <= SAME * scale), apart=bool(gap > 10 * SAME * scale))


# --- up to a factor, or a constant ----------------------------------------------------------------------------------


class Ratio(NamedTuple):
    """a / b where it is one constant; `sign` is its sign, 0 if it is not real."""

    constant: bool
    sign: int


def ratio(a: Node, b: Node) -> Ratio | None:
    """Whether a = c·b for a constant c ≠ 0; None if no point tells."""
    names = symbols(a) | symbols(b)
    left, right = (None, None) if imaginary(names) else (field_values(a, names), field_values(b, names))
    if left is not None and right is not None:
        pairs = [(x, y) for x, y in zip(left, right, strict=True) if x and y]
        if len(pairs) < 3:
            return None
        (x0, y0), *others = pairs
        constant = all((x0 * y - x * y0) % modular.PRIME == 0 for x, y in others)
    else:
        found = _ratios(a, b, names)
        if len(found) < 3:
            return None
        constant = all(_near(each, found[0]).same for each in found)
    return Ratio(constant, _sign(a, b, names) if constant else 0)


def _ratios(a: Node, b: Node, names: frozenset[str]) -> list[Any]:
    found = []
    for values in (*points(names), *branch_points(a, b, names)):
        if _double(a, values) is None or _double(b, values) is None:
            continue
        x, y = _precise(a, values), _precise(b, values)
        if x and y:
            found.append(x / y)
    return found


def _sign(a: Node, b: Node, names: frozenset[str]) -> int:
    for values in points(names):
        x, y = value_at(a, values), value_at(b, values)
        if x and y:
            return 1 if x / y > 0 else -1
    return 0


def differ_by_a_constant(a: Node, b: Node) -> Finding:
    """Whether a − b is a constant, at the points where both are defined."""
    names = symbols(a) | symbols(b)
    gaps, one_sided = [], False
    ordinary = list(points(names))
    for k, values in enumerate([*ordinary, *branch_points(a, b, names)]):
        defined = [_double(side, values) is not None for side in (a, b)]
        one_sided = one_sided or (k < len(ordinary) and defined[0] != defined[1])
        if all(defined):
            x, y = _precise(a, values), _precise(b, values)
            if x is not None and y is not None:
                gaps.append((x - y, max(abs(x), abs(y), 1)))
    if len(gaps) < 3:
        return Finding(UNDECIDED, "no points where both have a value")
    first = gaps[0][0]
    if any(abs(gap - first) > 10 * SAME * scale for gap, scale in gaps):
        return Finding(DIFFERENT, "they differ by more than a constant")
    if one_sided or any(abs(gap - first) > SAME * scale for gap, scale in gaps):
        return Finding(UNDECIDED, "equal up to a constant where both are defined")
    return Finding(EQUAL, "equal up to the constant of integration")


def affine(node: Node, name: str) -> "tuple[float, float] | None":
    """(slope, value at 0) of a tree that is affine in its one letter; None for any other."""
    sample = [value_at(node, {name: x}) for x in (0.0, 1.0, 2.0, -1.75, 5.5)]
    if any(value is None for value in sample):
        return None
    y0, y1, *rest = (float(value or 0.0) for value in sample)
    slope = y1 - y0
    for x, y in zip((2.0, -1.75, 5.5), rest, strict=True):
        if abs(y - (y0 + slope * x)) > 1e-9 * max(1.0, abs(y), abs(y0), abs(slope)):
            return None
    return slope, y0


def root_of_line(node: Node, name: str) -> Fraction | None:
    """The zero of a tree that is affine in its one letter, where all its numbers are rational; else None."""
    at_zero, at_one = (_rational(node, {name: Fraction(x)}) for x in (0, 1))
    if at_zero is None or at_one is None or at_zero == at_one:
        return None
    return -at_zero / (at_one - at_zero)


def _rational(node: Node, values: Mapping[str, Fraction]) -> Fraction | None:
    if node.op == "num":
        return node.value
    if node.op == "sym":
        return values.get(node.name)
    args = [_rational(arg, values) for arg in node.args]
    if node.op not in {"add", "mul", "div", "neg"} or not args or any(arg is None for arg in args):
        return None
    x, y = args[0] or Fraction(0), args[-1] or Fraction(0)
    if node.op == "neg":
        return -x
    if node.op == "div":
        return x / y if y else None
    return x + y if node.op == "add" else x * y


# --- numerators -----------------------------------------------------------------------------------------------------


def numerator(node: Node) -> Node:
    """The tree without its denominators: the same zeros wherever the tree is defined."""
    return _fraction(node)[0]


_ONE = num(1)


def _times(a: Node, b: Node) -> Node:
    return b if a == _ONE else a if b == _ONE else Node("mul", (a, b))


def _fraction(node: Node) -> tuple[Node, Node]:
    if node.op == "neg":
        above, below = _fraction(node.args[0])
        return Node("neg", (above,)), below
    if node.op in {"add", "mul", "div"}:
        (a, b), (c, d) = _fraction(node.args[0]), _fraction(node.args[1])
        if node.op == "add":
            return (Node("add", (a, c)), b) if b == d else (Node("add", (_times(a, d), _times(c, b))), _times(b, d))
        return (_times(a, c), _times(b, d)) if node.op == "mul" else (_times(a, d), _times(b, c))
    if node.op == "pow" and node.args[1].op == "neg":
        return _ONE, Node("pow", (node.args[0], node.args[1].args[0]))
    return node, _ONE
