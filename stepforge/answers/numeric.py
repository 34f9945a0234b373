"""Trees evaluated at points: in double precision first, then in 50 digits where that is too close to call.

Over the reals a root or logarithm of a negative number is undefined, as it is in the sources' problems; over the
complex numbers (where the texts name `i`) principal branches are taken. Every value that a double cannot hold makes
the tree unreadable, so that no later step can be given a number of a billion digits.
"""

import cmath
import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import mpmath

from stepforge.answers import modular
from stepforge.answers.syntax import Node

DIGITS, MORE_DIGITS = 50, 120
MAX_FACTORIAL = 170
LARGE = 1e280


def _context(digits: int) -> Any:
    context = mpmath.mp.clone()
    context.dps = digits
    return context


_CONTEXTS = {digits: _context(digits) for digits in (DIGITS, MORE_DIGITS)}


class UndefinedError(ArithmeticError):
    """The tree has no value at the point: a pole, a root of a negative number, an overflow."""


class Arithmetic:
    """One kind of numbers: doubles or 50 digits, real or complex.  `largest` is the largest value met on the way."""

    def __init__(self, library: Any, *, complex_numbers: bool) -> None:
        self.library, self.complex_numbers = library, complex_numbers
        self.precise = not isinstance(library, _Doubles)
        self.largest = 0.0

    def evaluate(self, node: Node, values: Mapping[str, Any]) -> Any:
        """The tree's value.  Raises: UndefinedError."""
        self.largest = 0.0
        try:
            return self._value(node, values)
        except (ArithmeticError, ValueError, TypeError) as error:
            raise UndefinedError(str(error)) from error

    def _value(self, node: Node, values: Mapping[str, Any]) -> Any:
        op = node.op
        if op == "num":
            value = self._rational(node)
        elif op == "sym":
            value = values[node.name]
        elif op == "const":
            value = self._constant(node.name)
        elif op == "fn":
            value = self._function(node, [self._value(arg, values) for arg in node.args])
        elif op == "neg":
            value = -self._value(node.args[0], values)
        elif op == "pow" and (odd := _odd_root(node.args[1])) and not self.complex_numbers:
            value = self._real_power(self._value(node.args[0], values), *odd)
        else:
            a, b = self._value(node.args[0], values), self._value(node.args[1], values)
            value = self._operation(op, a, b)
        size = float(abs(value))
        if not size < LARGE:  # also not a number
            raise OverflowError
        self.largest = max(self.largest, size)
        return value

    def _operation(self, op: str, a: Any, b: Any) -> Any:
        if op == "add":
            return a + b
        if op == "mul":
            return a * b
        if op == "div":
            return a / b
        return self._power(a, b)

    def _rational(self, node: Node) -> Any:
        above, below = node.value.numerator, node.value.denominator
        return self.library.mpf(above) / below if self.precise else above / below

    def _constant(self, name: str) -> Any:
        if name == "pi":
            return +self.library.pi
        if name == "e":
            return +self.library.e
        return self.library.mpc(0, 1) if self.precise else 1j

    def _power(self, a: Any, b: Any) -> Any:
        if a == 0:
            if b == 0 or isinstance(b, complex) or _real_part(b) <= 0:
                raise ZeroDivisionError
            return a * 0
        whole = not self._is_complex(b) and b == round(float(b))
        if not self.complex_numbers and a < 0 and not whole:
            raise ValueError("a power of a negative number")
        if float(abs(b)) * abs(math.log(float(abs(a)) or 1e-300)) > 700:
            raise OverflowError
        return a ** (int(b) if whole else b)

    def _real_power(self, a: Any, above: int, below: int) -> Any:
        """x^(p/q) with odd q, of a negative x too: as the odd root it is."""
        exponent = self.library.mpf(above) / below if self.precise else above / below
        if a >= 0:
            return self._power(a, exponent)
        size = self._power(-a, exponent)
        return -size if above % 2 else size

    def _function(self, node: Node, args: list[Any]) -> Any:
        special = _SPECIAL.get(node.name)
        if special is not None:
            return special(self, args, node)
        name = _LIBRARY_NAMES.get(node.name, node.name)
        x = args[0]
        if name in _RECIPROCAL:
            return 1 / getattr(self.library, _RECIPROCAL[name])(x)
        if name in _RECIPROCAL_ARC:
            return getattr(self.library, _RECIPROCAL_ARC[name])(1 / x)
        if not self.complex_numbers and name in {"asin", "acos"} and not -1 <= x <= 1:
            raise ValueError("outside the domain")
        return getattr(self.library, name)(x)

    def _is_complex(self, x: Any) -> bool:
        return isinstance(x, complex) or (self.precise and isinstance(x, self.library.mpc))

    def root(self, args: list[Any], node: Node) -> Any:
        """A root; over the reals an odd one of a negative number is negative."""
        x, degree = args
        k = modular.integer(node.args[1]) if node.args[1].op == "num" else None
        if k == 2:
            if not self.complex_numbers and x < 0:
                raise ValueError("root of a negative number")
            return self.library.sqrt(x)
        if k is not None and k > 0 and not self._is_complex(x) and x < 0 and k % 2:
            return -self._power(-x, self._inverse(degree))
        return self._power(x, self._inverse(degree))

    def _inverse(self, degree: Any) -> Any:
        return 1 / degree

    def logarithm(self, args: list[Any], _: Node) -> Any:
        """The natural logarithm."""
        if not self.complex_numbers and args[0] <= 0:
            raise ValueError("logarithm of no positive number")
        return self.library.log(args[0])

    def whole(self, args: list[Any], node: Node) -> Any:
        """floor, ceil: undefined where rounding could decide."""
        (x,) = args
        if self._is_complex(x):
            raise ValueError("a complex number")
        near = round(float(x))
        if abs(float(x)) > 1e12 or (abs(float(x) - near) < 1e-9 and float(x) != near):
            raise ValueError("too close to an integer")
        return (math.floor if node.name == "floor" else math.ceil)(float(x)) * self._one()

    def _one(self) -> Any:
        return self.library.mpf(1) if self.precise else 1.0

    def factorial(self, args: list[Any], _: Node) -> Any:
        """n! of an integer."""
        n = _integer(args[0])
        if n > MAX_FACTORIAL:
            raise OverflowError
        return math.factorial(n) * self._one()

    def binomial(self, args: list[Any], _: Node) -> Any:
        """n over k of integers."""
        n, k = map(_integer, args)
        if n > 900:
            raise OverflowError
        return math.comb(n, k) * self._one()

    def extreme(self, args: list[Any], node: Node) -> Any:
        """max, min, gcd, lcm."""
        if node.name in {"max", "min"}:
            if any(self._is_complex(x) for x in args):
                raise ValueError("complex numbers have no order")
            return max(args) if node.name == "max" else min(args)
        whole = [_integer(x) for x in args]
        return (math.gcd if node.name == "gcd" else math.lcm)(*whole) * self._one()


class _Doubles:
    """`math` and `cmath` under the names that mpmath uses."""

    def __init__(self, functions: Any) -> None:
        self.pi, self.e = math.pi, math.e
        for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "asin", "acos", "atan", "log", "sqrt"):
            setattr(self, name, getattr(functions, name))


def _odd_root(node: Node) -> tuple[int, int] | None:
    """p and q of an exponent that is written as p/q, q > 1 odd."""
    sign = 1
    if node.op == "neg":
        sign, node = -1, node.args[0]
    if node.op != "div" or any(arg.op != "num" or arg.value.denominator != 1 for arg in node.args):
        return None
    above, below = (arg.value.numerator for arg in node.args)
    if below == 0:
        return None
    value = Fraction(above, below)
    return (sign * value.numerator, value.denominator) if value.denominator % 2 and value.denominator > 1 else None


def _real_part(x: Any) -> float:
    return float(x.real)


def _integer(x: Any) -> int:
    value = float(_real_part(x))
    if value != x or not value.is_integer() or not 0 <= value <= 1e15:
        raise ValueError("no natural number")
    return int(value)


_LIBRARY_NAMES = {"arcsin": "asin", "arccos": "acos", "arctan": "atan"}
_RECIPROCAL = {"sec": "cos", "csc": "sin", "cot": "tan", "coth": "tanh"}
_RECIPROCAL_ARC = {"arcsec": "acos", "arccsc": "asin", "arccot": "atan"}
_SPECIAL: dict[str, Callable[[Arithmetic, list[Any], Node], Any]] = {
    "root": lambda a, x, n: a.root(x, n),
    "ln": lambda a, x, n: a.logarithm(x, n),
    "abs": lambda _, x, __: abs(x[0]),
    "floor": lambda a, x, n: a.whole(x, n),
    "ceil": lambda a, x, n: a.whole(x, n),
    "factorial": lambda a, x, n: a.factorial(x, n),
    "binomial": lambda a, x, n: a.binomial(x, n),
    **dict.fromkeys(("max", "min", "gcd", "lcm"), lambda a, x, n: a.extreme(x, n)),
}


def doubles(*, complex_numbers: bool) -> Arithmetic:
    """Arithmetic in double precision."""
    return Arithmetic(_Doubles(cmath if complex_numbers else math), complex_numbers=complex_numbers)


def digits(n: int, *, complex_numbers: bool) -> Arithmetic:
    """Arithmetic in `n` digits (`DIGITS` or `MORE_DIGITS`).  For trees that `doubles` has evaluated at the point."""
    return Arithmetic(_CONTEXTS[n], complex_numbers=complex_numbers)
