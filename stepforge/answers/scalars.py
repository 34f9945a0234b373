"""Two single values with a name, a chain of equations or a unit around them."""

import re
from fractions import Fraction

from stepforge.answers.normalise import compact
from stepforge.answers.numbers import Value, is_decimal, number, same_number
from stepforge.answers.units import Quantity, quantity
from stepforge.answers.verdict import DIFFERENT, EQUAL, Verdict

MAX_SIDES = 12

NAME = re.compile(r"\\?[a-zA-Z]+(?:_\{?\w{1,4}\}?)?(?: ?\([a-z, ]{1,8}\))?|\\angle [A-Z]{1,4}|[A-Z]{1,4}'{0,2}")
RELATION = re.compile(r"\\(?:le|ge|ne)(?![a-zA-Z])|[<>]")
EQUALS = re.compile(r"=|\\approx(?![a-zA-Z])|\\equiv(?![a-zA-Z])")
_LABEL = re.compile(r"[a-zA-Z\u3400-\u9fff][a-zA-Z\u3400-\u9fff ]{2,60}")


def compare_numbers(gold: str, predicted: str) -> Verdict | None:
    """The verdict if both are numbers, each with or without a unit or a name before it."""
    wanted_text = value_side(gold)
    wanted = quantity(wanted_text)
    wanted_value = number(wanted.text)
    if wanted_value is None:
        return None
    if "=" in gold and "=" in predicted and not _same_names(gold, predicted):
        return Verdict(DIFFERENT, "number", "another variable is named")
    found = quantity(value_side(predicted))
    found_value = number(found.text)
    if found_value is None:
        return None
    decimal = is_decimal(found.text)
    for a, b in _in_one_unit(wanted, wanted_value, found, found_value):
        if same_number(a, b, decimal=decimal):
            return Verdict(EQUAL, "number", "equal values")
    return Verdict(DIFFERENT, "number", "different values or units")


def _in_one_unit(wanted: Quantity, a: Value, found: Quantity, b: Value) -> list[tuple[Value, Value]]:
    """Pairs of values to compare: as written if a unit is left out, else scaled; none if their kinds differ."""
    if "share" in (wanted.dimension, found.dimension):
        per_cent = Fraction(1, 100)
        if wanted.dimension == found.dimension:
            return [(a, b)]
        scaled = (_scale(a, per_cent), b) if wanted.dimension == "share" else (a, _scale(b, per_cent))
        return [scaled, (a, b)] if abs(a.approx) >= 1 else [scaled]  # 0.5 % is not 0.5
    if wanted.dimension is None or found.dimension is None:
        return [(a, b)]
    if wanted.dimension != found.dimension:
        return []
    return [(_scale(a, wanted.factor), _scale(b, found.factor))]


def _scale(value: Value, factor: Fraction) -> Value:
    exact = value.exact * factor if value.exact is not None else None
    return Value(exact, value.approx * float(factor))


def value_side(text: str) -> str:
    """What stands after the last = or ≈ of a text whose first side is a name, words or arithmetic; else the text."""
    pieces = [piece.strip() for piece in EQUALS.split(text)]
    if len(pieces) == 1 or len(pieces) > MAX_SIDES or not pieces[-1] or RELATION.search(text):
        return text
    first = pieces[0]
    if len(pieces) == 2 and NAME.fullmatch(pieces[1]) and number(first) is not None:
        return first  # 12 = x
    names_it = not first or NAME.fullmatch(first) or _LABEL.fullmatch(first) or number(first) is not None
    return pieces[-1] if names_it else text


def _same_names(gold: str, predicted: str) -> bool:
    a, b = (_name(text) for text in (gold, predicted))
    return a is None or b is None or a == b


def _name(text: str) -> str | None:
    """The name on either side of an equation."""
    sides = [compact(side) for side in EQUALS.split(text)]
    return next((side for side in (sides[0], sides[-1]) if NAME.fullmatch(side)), None)
