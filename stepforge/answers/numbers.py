r"""Values of arithmetic texts, exact where they are rational. Nothing is evaluated as code: a small parser of its own.

Grammar: numbers (thousands commas, decimals, percent), + - * / ^, brackets, `\frac`, `\sqrt`, `\pi`, mixed numbers
(`6\frac{1}{5}`, `6 1/5`), implicit multiplication, and what `literals` rewrites.  Letters make a text no number;
`closed_value` also reads e, logarithms, trigonometry, roots of any degree and |x|, as approximations.
"""

import math
import re
from fractions import Fraction
from typing import NamedTuple

from stepforge.answers import algebra
from stepforge.answers.literals import is_cut_off, rewritten
from stepforge.answers.syntax import UnreadableError, read, symbols

MAX_CHARS = 300  # no closed answer of the five benchmarks' data is longer
MAX_DEPTH = 24
MAX_EXPONENT = 1000
MAX_BITS = 20_000  # of a numerator or denominator

_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|\d+(?:\.\d*)?|\.\d+)|(?P<command>\\[a-zA-Z]+)|(?P<op>[-+*/^(){}\[\]%!]))"
)
_MIXED = re.compile(r"(?<![\d.,/^}*])(\d{1,9}) (\d{1,9})/(\d{1,9})(?![\d.^/])")
_TIMES = frozenset({"\\times", "\\cdot", "*", "\\ast"})
_DECIMAL = re.compile(r"[-+]?\d[\d,]*\.\d+(?:\\dots)?|[-+]?\.\d+")
_LITERAL = re.compile(r"-?\d{1,300}(?:\.\d{1,300})?", re.ASCII)


class NotANumber(ValueError):
    """The text is no arithmetic expression within the limits."""


class Value(NamedTuple):
    """A real value: exact if rational, else only its approximation (double precision)."""

    exact: Fraction | None
    approx: float


def _value(x: Fraction) -> Value:
    if max(x.numerator.bit_length(), x.denominator.bit_length()) > MAX_BITS:
        raise NotANumber("too large")
    try:
        return Value(x, float(x))
    except OverflowError:
        return Value(x, math.inf if x > 0 else -math.inf)


def _real(x: float) -> Value:
    if not math.isfinite(x):
        raise NotANumber("out of range")
    return Value(None, x)


def _add(a: Value, b: Value, sign: int) -> Value:
    if a.exact is not None and b.exact is not None:
        return _value(a.exact + sign * b.exact)
    return _real(a.approx + sign * b.approx)


def _mul(a: Value, b: Value) -> Value:
    if a.exact is not None and b.exact is not None:
        return _value(a.exact * b.exact)
    return _real(a.approx * b.approx)


def _div(a: Value, b: Value) -> Value:
    if b.approx == 0 and not b.exact:
        raise NotANumber("division by zero")
    if a.exact is not None and b.exact is not None:
        return _value(a.exact / b.exact)
    return _real(a.approx / b.approx)


def _pow(a: Value, b: Value) -> Value:
    try:
        if a.exact is not None and b.exact is not None and b.exact.denominator == 1:
            n = int(b.exact)
            size = max(a.exact.numerator.bit_length(), a.exact.denominator.bit_length())
            if abs(n) > MAX_EXPONENT or size * abs(n) > MAX_BITS:
                raise NotANumber("exponent too large")
            return _value(a.exact**n)
        if b.exact == Fraction(1, 2):
            return _root(a, 2)
        if a.approx <= 0:
            raise NotANumber("power of a negative base")
        return _real(a.approx**b.approx)
    except (ArithmeticError, ValueError) as error:
        raise NotANumber(str(error)) from error


def _iroot(n: int, k: int) -> int | None:
    """The exact k-th root of n ≥ 0, None if there is none."""
    if n.bit_length() > 1000:
        return None
    root = math.isqrt(n) if k == 2 else round(n ** (1 / k))
    return root if root**k == n else None


def _root(a: Value, k: int) -> Value:
    if a.approx < 0:
        raise NotANumber("root of a negative number")
    if a.exact is not None:
        above, below = _iroot(a.exact.numerator, k), _iroot(a.exact.denominator, k)
        if above is not None and below is not None:
            return _value(Fraction(above, below))
    return _real(a.approx ** (1 / k))


class _Parser:
    """Recursive descent over the tokens of one text."""

    def __init__(self, text: str) -> None:
        self.tokens: list[tuple[str, str]] = []
        position = 0
        while position < len(text):
            match = _TOKEN.match(text, position)
            if match is None:
                if text[position:].isspace():
                    break
                raise NotANumber(f"not arithmetic at character {position}")
            self.tokens.append((str(match.lastgroup), match[str(match.lastgroup)]))
            position = match.end()
        self.at = 0
        self.depth = 0

    def peek(self) -> str:
        return self.tokens[self.at][1] if self.at < len(self.tokens) else ""

    def take(self) -> tuple[str, str]:
        if self.at >= len(self.tokens):
            raise NotANumber("ends too early")
        self.at += 1
        return self.tokens[self.at - 1]

    def sum(self) -> Value:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise NotANumber("nested too deeply")
        value = self.product()
        while self.peek() in {"+", "-"}:
            sign = 1 if self.take()[1] == "+" else -1
            value = _add(value, self.product(), sign)
        self.depth -= 1
        return value

    def product(self) -> Value:
        sign = 1
        while self.peek() in {"+", "-"}:
            sign = -sign if self.take()[1] == "-" else sign
        value = self.power()
        while True:
            token = self.peek()
            if token in _TIMES:
                self.take()
                value = _mul(value, self.signed_power())
            elif token in {"/", "\\div"}:
                self.take()
                value = _div(value, self.signed_power())
            elif self.starts_factor():
                value = _mul(value, self.power())
            else:
                return _mul(value, _value(Fraction(sign)))

    def signed_power(self) -> Value:
        if self.peek() == "-":
            self.take()
            return _mul(self.power(), _value(Fraction(-1)))
        return self.power()

    def starts_factor(self) -> bool:
        """Whether a factor follows without a sign of multiplication; a number after a number does not."""
        if self.at >= len(self.tokens):
            return False
        kind, text = self.tokens[self.at]
        if kind == "number":
            return self.tokens[self.at - 1][1] in {")", "}", "]"}
        return text in {"(", "[", "{"} or (kind == "command" and text in {"\\sqrt", "\\frac", "\\pi"})

    def power(self) -> Value:
        first = self.at
        value = self.atom()
        literal = self.at == first + 1 and self.tokens[first][0] == "number"
        if literal and self.peek() == "\\frac" and self.tokens[first][1].isdigit():
            fraction = self.atom()
            if fraction.exact is not None and 0 <= fraction.exact < 1:
                value = _add(value, fraction, 1)  # mixed number
            else:
                value = _mul(value, fraction)
        while self.peek() in {"^", "%", "!"}:
            operator = self.take()[1]
            if operator == "%":
                value = _mul(value, _value(Fraction(1, 100)))
            elif operator == "!":
                value = self.factorial(value)
            else:
                value = _pow(value, self.exponent())
        return value

    def factorial(self, value: Value) -> Value:
        if value.exact is None or value.exact.denominator != 1 or not 0 <= value.exact <= 200:
            raise NotANumber("factorial out of range")
        return _value(Fraction(math.factorial(int(value.exact))))

    def exponent(self) -> Value:
        sign = -1 if self.peek() == "-" else 1
        if sign < 0:
            self.take()
        if self.peek() == "\\circ":
            raise NotANumber("a degree")
        value = _mul(self.atom(), _value(Fraction(sign)))
        if self.peek() == "^":
            raise NotANumber("a tower of powers")
        return value

    def atom(self) -> Value:
        kind, text = self.take()
        if kind == "number":
            return _value(Fraction(text.replace(",", "").rstrip(".") if text != "." else "0"))
        if text in {"(", "[", "{"}:
            return self.group(text)
        if text == "\\frac":
            above = self.braced()
            return _div(above, self.braced())
        if text == "\\sqrt":
            return self.square_root()
        if text == "\\pi":
            return _real(math.pi)
        raise NotANumber(f"unexpected {text!r}")

    def square_root(self) -> Value:
        k = 2
        if self.peek() == "[":
            self.take()
            degree = self.group("[")
            if degree.exact is None or degree.exact.denominator != 1 or not 2 <= degree.exact <= 20:
                raise NotANumber("degree of a root")
            k = int(degree.exact)
        return _root(self.braced(), k)

    def braced(self) -> Value:
        if self.peek() not in {"{", "("}:
            return self.atom()
        return self.group(self.take()[1])

    def group(self, opening: str) -> Value:
        value = self.sum()
        if self.take()[1] != {"(": ")", "[": "]", "{": "}"}[opening]:
            raise NotANumber("brackets do not match")
        return value


def evaluate(normalised: str) -> Value:
    """Value of an arithmetic text (already normalised).  Raises: NotANumber."""
    if len(normalised) > MAX_CHARS:
        raise NotANumber("too long")
    if _LITERAL.fullmatch(normalised):
        return _value(Fraction(normalised))
    text = _MIXED.sub(r"(\1+\2/\3)", rewritten(normalised))
    parser = _Parser(text)
    if not parser.tokens:
        raise NotANumber("empty")
    value = parser.sum()
    if parser.at != len(parser.tokens):
        raise NotANumber(f"unexpected {parser.peek()!r}")
    return value


def number(normalised: str) -> Value | None:
    """`evaluate`, or None where the text is no number."""
    try:
        return evaluate(normalised)
    except NotANumber:
        return None


def closed_value(normalised: str) -> Value | None:
    """`number`, or the approximation of a closed form with named functions or constants; None for any other text.
    A decimal that was cut off, 1.414…, is an approximation."""
    found = number(normalised)
    if found is not None:
        return found
    if is_cut_off(normalised):
        digits = number(normalised.removesuffix("\\dots").strip())
        return None if digits is None else Value(None, digits.approx)
    try:
        tree = read(normalised)
    except UnreadableError:
        return None
    value = algebra.value_at(tree, {}) if not symbols(tree) else None
    return None if value is None else Value(None, value)


def is_decimal(normalised: str) -> bool:
    """Whether the text is one decimal literal with digits after its point."""
    return _DECIMAL.fullmatch(normalised.replace(" ", "")) is not None


CLOSED_TOLERANCE = 1e-11  # two closed forms in double precision
ROUNDING = 1e-14  # what is left of a surd minus itself
DECIMAL_TOLERANCE = 1e-6  # a decimal for a value that no decimal can write


def same_number(a: Value, b: Value, *, decimal: bool) -> bool:
    """Whether two values are the same number, as far as double precision tells.

    Rationals: exactly equal; but where one of them is a decimal literal (`decimal`) and no finite decimal writes the
    other (1/3, an irrational), within 1e-6, relative.  Two irrational closed forms: equal to 1e-11, relative.
    Symmetric.
    """
    if a.exact is not None and b.exact is not None:
        if a.exact == b.exact:
            return True
        if not decimal or (terminates(a.exact) and terminates(b.exact)):
            return False
    tolerance = DECIMAL_TOLERANCE if decimal else CLOSED_TOLERANCE
    return math.isclose(a.approx, b.approx, rel_tol=tolerance, abs_tol=0 if decimal else ROUNDING)


def terminates(x: Fraction) -> bool:
    """Whether a finite decimal writes x."""
    below = x.denominator
    for prime in (2, 5):
        while below % prime == 0:
            below //= prime
    return below == 1
