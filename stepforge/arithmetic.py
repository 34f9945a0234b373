"""Exact arithmetic in text: values of expressions and the equations that a text states.

An own small parser over `Fraction`: nothing is evaluated as Python, length, nesting and magnitude are limited, and all
work is linear in the text.  Limits: real roots only where they are rational; π and letters are not arithmetic.
"""

import itertools
import math
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from stepforge._arithmetic_sides import MAX_SIDE_TOKENS, Side, left_side, right_side, unclear_after, unclear_before
from stepforge._arithmetic_tokens import Token, number, tokens

MAX_CHARS = 400  # the longest side of an equation in GSM8K has 61
MAX_NESTING = 32  # the deepest seen is 4
MAX_BITS = 1024  # numerator or denominator; a longer one is no school arithmetic
MAX_EXPONENT = 64

_NO_NAMES: Mapping[str, Fraction] = {}


class _NotArithmeticError(Exception):
    """The text has no exact value here."""


class Equation(NamedTuple):
    """`text[start:end]` states lhs = rhs.  `holds` is None where a side is not arithmetic, where the sides agree only
    after rounding, or where the words around make it `unclear` what is meant.  `marked`: written as `<<lhs=rhs>>`."""

    lhs: str
    rhs: str
    start: int
    end: int
    holds: bool | None
    marked: bool = False
    unclear: bool = False


class _Parser:
    """Recursive descent over solid tokens.  Raises: _NotArithmeticError."""

    def __init__(self, found: Sequence[Token], names: Mapping[str, Fraction]) -> None:
        self._tokens = found
        self._names = names
        self._at = 0
        self._depth = 0

    def whole(self) -> Fraction:
        result = self._sum()
        if self._at != len(self._tokens):
            raise _NotArithmeticError
        return result

    def _peek(self) -> Token | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _take(self, kind: str, text: str | None = None) -> Token | None:
        token = self._peek()
        if token is None or token.kind != kind or (text is not None and token.text not in text):
            return None
        self._at += 1
        return token

    def _sum(self) -> Fraction:
        self._depth += 1
        if self._depth > MAX_NESTING:
            raise _NotArithmeticError
        result = self._product()
        while operator := self._take("op", "+-"):
            term = self._product()
            result = _checked(result + term if operator.text == "+" else result - term)
        self._depth -= 1
        return result

    def _product(self) -> Fraction:
        result = self._signed()
        divided = False
        while True:
            if operator := self._take("op", "*/"):
                factor = self._signed()
                divided = operator.text == "/"
                result = _checked(_quotient(result, factor) if divided else result * factor)
            elif (token := self._peek()) and token.kind in {"open", "function"}:
                mixed = token.text == "frac" and self._tokens[self._at - 1].kind == "number"
                if divided or mixed:  # 6/2(1+2), 5\frac{1}{2}: authors differ on what they mean
                    raise _NotArithmeticError
                result = _checked(result * self._power())
            else:
                return result

    def _signed(self) -> Fraction:
        negative = False
        while sign := self._take("op", "+-"):
            negative ^= sign.text == "-"
        result = self._power()
        return -result if negative else result

    def _power(self) -> Fraction:
        result = self._postfix(self._primary())
        if not self._take("op", "^"):
            return result
        if degree := self._degree():
            return result * degree
        sign = -1 if self._take("op", "-") else 1
        return self._postfix(_power(result, sign * self._primary()))

    def _degree(self) -> int:
        """`^\\circ` and `^{\\circ}` are the degree sign."""
        braced = self._take("open", "{")
        if self._take("postfix", "°"):
            if braced and not self._take("close", "}"):
                raise _NotArithmeticError
            return 1
        if braced:
            self._at -= 1
        return 0

    def _postfix(self, result: Fraction) -> Fraction:
        while True:
            if sign := self._take("postfix"):
                result = result / 100 if sign.text == "%" else result
            elif exponent := self._take("superscript"):
                result = _power(result, Fraction(exponent.text))
            else:
                return result

    def _primary(self) -> Fraction:
        self._take("currency")
        if literal := self._take("number"):
            return _checked(number(literal.text))
        if word := self._take("word"):
            if word.text not in self._names:
                raise _NotArithmeticError
            return self._names[word.text]
        if function := self._take("function"):
            return self._function(function.text)
        return self._bracketed()

    def _bracketed(self) -> Fraction:
        opening = self._take("open")
        if opening is None:
            raise _NotArithmeticError
        result = self._sum()
        if not self._take("close", {"(": ")", "[": "]", "{": "}"}[opening.text]):
            raise _NotArithmeticError
        return result

    def _function(self, name: str) -> Fraction:
        if name == "frac":
            return _checked(_quotient(self._bracketed(), self._bracketed()))
        if name == "boxed":
            return self._bracketed()
        literal = self._take("number")
        if self._take("open", "["):  # a root of another degree
            raise _NotArithmeticError
        return _root(number(literal.text) if literal else self._bracketed())


def _checked(result: Fraction) -> Fraction:
    if max(result.numerator.bit_length(), result.denominator.bit_length()) > MAX_BITS:
        raise _NotArithmeticError
    return result


def _quotient(above: Fraction, below: Fraction) -> Fraction:
    if below == 0:
        raise _NotArithmeticError
    return above / below


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1 or abs(exponent) > MAX_EXPONENT or (base == 0 and exponent <= 0):
        raise _NotArithmeticError
    n = exponent.numerator
    if max(base.numerator.bit_length(), base.denominator.bit_length()) * abs(n) > MAX_BITS:
        raise _NotArithmeticError
    return base**n


def _root(square: Fraction) -> Fraction:
    if square < 0:
        raise _NotArithmeticError
    above, below = math.isqrt(square.numerator), math.isqrt(square.denominator)
    if above * above != square.numerator or below * below != square.denominator:
        raise _NotArithmeticError
    return Fraction(above, below)


def value(text: str, names: Mapping[str, Fraction] = _NO_NAMES) -> Fraction | None:
    """The exact value of an arithmetic expression, None if `text` is anything else.
    Reads + - * / × ÷ ^ ², brackets, √ and \\sqrt of squares, \\frac, percent, thousands commas; currency and degree
    signs count for nothing.  names: values of variables (letters only)."""
    if len(text) > MAX_CHARS:
        return None
    solid = [token for token in tokens(text) if token.kind not in {"space", "glue", "newline"}]
    if len(solid) > 1 and solid[-1].kind == "currency":
        solid.pop()  # the closing sign of $…$, or 5$
    try:
        return _Parser(solid, names).whole() if solid else None
    except _NotArithmeticError:
        return None


def _decimals(text: str) -> int | None:
    literal = re.fullmatch(r"[^0-9.+−-]{0,7}[0-9][0-9,]*(?:\.([0-9]+))?[^0-9.]{0,3}", text.strip())
    return None if literal is None else len(literal.group(1) or "")


def _terminates(exact: Fraction) -> bool:
    """Whether a person writes it in full: at most three decimals."""
    return 1000 % exact.denominator == 0


def _rounded(exact: Fraction, printed: Fraction, places: int) -> bool:
    """Whether `printed`, with that many decimals, is `exact` rounded, or cut where the decimals never end."""
    unit, gap = Fraction(1, 10**places), abs(exact - printed)
    if _terminates(exact):
        return places > 0 and gap * 2 <= unit
    return gap < unit


def holds(lhs: str, rhs: str) -> bool | None:
    """Whether lhs = rhs exactly; None if a side is not arithmetic, or if they agree after rounding or but for a percent
    sign (`20/50*100 = 40%`), of which a text does not say whether it is meant."""
    left, right = value(lhs), value(rhs)
    if left is None or right is None:
        return None
    if left == right:
        return True
    places = _decimals(rhs)
    if places is not None and places <= 30 and _rounded(left, right, places):
        return None
    if ("%" in lhs) != ("%" in rhs) and left in {right * 100, right / 100}:
        return None
    return False


_MARK = re.compile(r"<<([^<>\n]{1,200})>>")


def equations(text: str) -> list[Equation]:
    """The equations that `text` states, by place: `<<16-3-4=9>>` marks, `16 - 3 - 4 = 9`, and each link of a chain
    `a = b = c`.  A mark inside an equation is blank for it, so `3+4=<<3+4=7>>7` gives two equations."""
    found: list[Equation] = []
    for mark in _MARK.finditer(text):
        sides = [side.strip() for side in mark.group(1).split("=")]
        for lhs, rhs in itertools.pairwise(sides):
            found.append(Equation(lhs, rhs, mark.start(), mark.end(), holds(lhs, rhs), marked=True))
    blank = _MARK.sub(lambda mark: " " * len(mark.group()), text)
    found += _stated(blank)
    return sorted(found, key=lambda e: (e.start, e.end, not e.marked))


def _stated(text: str) -> list[Equation]:
    if "=" not in text and "＝" not in text:
        return []
    every = tokens(text)
    signs = [i for i, token in enumerate(every) if token.kind == "equals" and _alone(text, token)]
    found = []
    for position, sign in enumerate(signs):
        low = signs[position - 1] + 1 if position else 0
        high = signs[position + 1] if position + 1 < len(signs) else len(every)
        before = left_side(every[max(low, sign - MAX_SIDE_TOKENS) : sign])
        after = right_side(every[sign + 1 : min(high, sign + 1 + MAX_SIDE_TOKENS)])
        if before is None or after is None:
            continue
        lhs, rhs = text[before.start : before.end], text[after.start : after.end]
        verdict = holds(lhs, rhs)
        unclear = verdict is not True and _unclear(lhs, rhs, before, after)
        found.append(Equation(lhs, rhs, before.start, after.end, None if unclear else verdict, unclear=unclear))
    return found


def _alone(text: str, token: Token) -> bool:
    """Not part of <=, >=, !=, ==, := or =>."""
    before, after = text[max(0, token.start - 1) : token.start], text[token.end : token.end + 1]
    return before not in {*"<>!=:≠≈"} and after not in {*"=>"}


def _unclear(lhs: str, rhs: str, before: Side, after: Side) -> bool:
    """Words beside a false equation that let it mean something else: `half of 8 = 4`, `3 = 36 cents`, `step 2 = 5`."""
    plain = _decimals(lhs) is not None
    follows = before.beyond is not None and before.beyond.kind not in {"newline", "currency"}
    return (
        unclear_before(before)
        or unclear_after(after, latex="\\" in lhs + rhs)
        or (follows and (plain or lhs[0] in "+-−(（" or lhs.startswith("\\left")))
        or lhs[0] == "+"
        or (plain and ("$" in lhs) != ("$" in rhs))
    )


_LETTER = re.compile(r"(?<![A-Za-z\\])[a-z](?![A-Za-z])")
_PRODUCT = re.compile(r"(?<=[0-9)}])[ ]?(?=[a-z](?![A-Za-z]))")  # 2x, 2 x
_POINTS = tuple(map(Fraction, (2, 3, 7, 19, 101)))


def contradictions(text: str) -> list[Equation]:
    """Stated equations in one letter that no value of it fulfils, as `2 + x - 5 = x - 2`: the sides differ by the same
    number at five places.  Limits: one lower-case letter; with words beside it, it is unclear and not reported."""
    found = []
    for equation in equations(text):
        letters = {*_LETTER.findall(equation.lhs), *_LETTER.findall(equation.rhs)}
        if equation.holds is None and not equation.unclear and len(letters) == 1:
            gaps = {_gap(equation, min(letters), point) for point in _POINTS}
            if len(gaps) == 1 and not gaps & {None, Fraction(0)}:
                found.append(equation)
    return found


def _gap(equation: Equation, letter: str, point: Fraction) -> Fraction | None:
    left, right = (value(_PRODUCT.sub("*", side), {letter: point}) for side in (equation.lhs, equation.rhs))
    return None if left is None or right is None else left - right
