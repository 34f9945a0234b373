"""Rational functions evaluated in a prime field: an exact test of equality, whatever the size of the numbers.

Two rational functions with rational coefficients that differ agree at a random point of the field with a chance of
degree / 2⁶¹ (Schwartz-Zippel); two that agree there at three points are equal for every practical purpose, and two that
differ at one point differ. The points are fixed, so that the same texts always give the same verdict.
"""

from collections.abc import Callable, Mapping
from operator import add, mul, neg

from stepforge.answers.syntax import Node

PRIME = 2**61 - 1
MAX_EXPONENT = 10**9
MAX_FACTORIAL = 20_000  # one multiplication each
MAX_BINOMIAL = 5_000


class NotRationalError(ValueError):
    """The tree is no rational function with rational coefficients, or a number in it is too large."""


class PoleError(ArithmeticError):
    """The point is a pole."""


def point_of(name: str, k: int) -> int:
    """The `k`-th value of a letter, the same in every process."""
    value = k * 0x9E3779B97F4A7C15 + 0x1234567
    for char in name:
        value = (value * 1_000_003 + ord(char)) % PRIME
    return pow(value % PRIME, 3, PRIME) or 7


def evaluate(node: Node, values: Mapping[str, int]) -> int:
    """The tree's value in the field.  Raises: NotRationalError, PoleError."""
    op, args = node.op, node.args
    if op == "num":
        return _fraction(node.value.numerator, node.value.denominator)
    if op == "sym":
        if node.name not in values:
            raise NotRationalError(node.name)
        return values[node.name]
    if op == "pow":
        return _power(evaluate(args[0], values), integer(args[1]))
    if op == "fn" and node.name in _COUNTING:
        return _COUNTING[node.name](*map(integer, args))
    if op in _ARITHMETIC:
        return _ARITHMETIC[op](*(evaluate(arg, values) for arg in args)) % PRIME
    raise NotRationalError(node.name or op)


def _fraction(above: int, below: int) -> int:
    below %= PRIME
    if below == 0:
        raise PoleError
    return above * pow(below, -1, PRIME) % PRIME


def _power(base: int, exponent: int) -> int:
    if exponent < 0 and base == 0:
        raise PoleError
    if exponent == base == 0:
        raise NotRationalError("0^0")
    return pow(base, exponent, PRIME)


def _factorial(n: int) -> int:
    if not 0 <= n <= MAX_FACTORIAL:
        raise NotRationalError("factorial out of range")
    value = 1
    for k in range(2, n + 1):
        value = value * k % PRIME
    return value


def _binomial(n: int, k: int) -> int:
    if not 0 <= k <= n <= MAX_BINOMIAL:
        raise NotRationalError("binomial coefficient out of range")
    return _fraction(_factorial(n), _factorial(k) * _factorial(n - k))


_COUNTING: dict[str, Callable[..., int]] = {"factorial": _factorial, "binomial": _binomial}
_ARITHMETIC: dict[str, Callable[..., int]] = {"add": add, "mul": mul, "neg": neg, "div": _fraction}


def integer(node: Node) -> int:
    """The integer that a tree without letters is.  Raises: NotRationalError where it is none, or is too large."""
    op, args = node.op, node.args
    value: int | None = None
    if op == "num" and node.value.denominator == 1:
        value = node.value.numerator
    elif op == "neg":
        value = -integer(args[0])
    elif op in {"add", "mul"}:
        a, b = integer(args[0]), integer(args[1])
        value = a + b if op == "add" else a * b
    elif op == "pow":
        a, b = integer(args[0]), integer(args[1])
        if 0 <= b <= 60 and abs(a) <= 10**6:
            value = a**b
    elif op == "div":
        a, b = integer(args[0]), integer(args[1])
        value = a // b if b and a % b == 0 else None
    if value is None or abs(value) > MAX_EXPONENT:
        raise NotRationalError("no integer, or a large one")
    return value
