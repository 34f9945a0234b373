"""Two single values with a name, a chain of equations, a unit or a base around them; ratios; numbers in words."""

import math
import re
from fractions import Fraction

from stepforge.answers import algebra
from stepforge.answers.literals import is_cut_off
from stepforge.answers.normalise import compact
from stepforge.answers.numbers import Value, closed_value, is_decimal, number, same_number, terminates
from stepforge.answers.syntax import UnreadableError, read
from stepforge.answers.units import Quantity, quantity
from stepforge.answers.verdict import DIFFERENT, EQUAL, UNDECIDED, Verdict

MAX_SIDES = 12

NAME = re.compile(
    r"\\?[a-zA-Z]+(?:_(?:\{[\w,+-]{1,7}\}|\w{1,4}))?'{0,2}(?: ?\([a-z, ]{1,8}\))?|\\(?:angle|triangle) [A-Z]{1,4}"
    r"|[A-Z]{1,4}'{0,2}"
)
_NEXT_NAME = re.compile(  # the end of one value and the name of the next, as y and "or A M" in x = 1, y = 2
    rf"(?:(?:[,;，；、]|\\\\|\b(?:and|or)\b|[和与且或])\s{{0,3}}(?:{NAME.pattern}|[^()\[\]{{}}\d]{{1,30}})"
    rf"|(?<=[\d)}}\]])\s{{1,3}}(?:{NAME.pattern}))\s{{0,3}}$"
)
RELATION = re.compile(r"\\(?:le|ge|ne)(?![a-zA-Z])|[<>]")
EQUALS = re.compile(r"=|\\approx(?![a-zA-Z])|\\equiv(?![a-zA-Z])")
_LABEL = re.compile(r"[a-zA-Z\u3400-\u9fff][a-zA-Z\u3400-\u9fff ]{2,60}")
_IN_BASE = re.compile(
    r"(?P<digits>-?\d[\dA-Fa-f]{0,60}(?:\.[\dA-Fa-f]{1,60})?) ?_(?:\{ ?(?P<base>\d{1,2}) ?\}|(?P<short>\d{1,2}))"
)
_TERM = r"[^:]{1,60}"
_RATIO = re.compile(rf"{_TERM}(?: ?: ?{_TERM}){{1,5}}")
_TO = re.compile(r"(?<=\d) to (?=\d)")
_TIME = re.compile(r"(?P<hour>\d{1,2})(?: ?: ?(?P<minute>[0-5]\d))? ?(?:(?P<half>[ap])\.? ?m\.?)?")
_CLOCK = re.compile(r"\d{1,2}:[0-5]\d")
_INFINITY = re.compile(r"(?P<sign>[-+]?) ?\\infty")
_ZERO_O = re.compile(r"(?<=\d)[O〇]{1,20}(?![a-zA-Z])|(?<=\d)[Oo〇]{1,20}(?=\d)|(?<![A-Za-z\d])[O](?=\.\d)")
_ONE_L = re.compile(r"(?<=\d)[lI](?=\d)")


def compare_numbers(gold: str, predicted: str, *, letters: bool = False) -> Verdict | None:
    """The verdict if both are numbers, each with or without a unit or a name before it.  `letters`: one letter after a
    number is a factor where the other text has no unit, 2m against 2."""
    special = _in_bases(gold, predicted) or _infinities(gold, predicted) or _ratios(gold, predicted)
    if special is not None:
        return special
    wanted = quantity(value_side(gold))
    found = quantity(value_side(predicted))
    wanted_value = closed_value(wanted.text)
    found_value = closed_value(found.text) if wanted_value is not None else None
    if wanted_value is None or found_value is None:
        return _through_noise(gold, predicted)
    if letters and (wanted.letter or found.letter) and None in (wanted.dimension, found.dimension):
        return None
    if "=" in gold and "=" in predicted and not same_names(gold, predicted):
        return Verdict(DIFFERENT, "number", "another variable is named")
    return _same_quantity(wanted, wanted_value, found, found_value)


def _same_quantity(wanted: Quantity, a: Value, found: Quantity, b: Value) -> Verdict:
    literals = [is_decimal(q.text) for q in (wanted, found)]
    cut_off = [is_cut_off(q.text) for q in (wanted, found)]
    decimal = literals[0] != literals[1] or any(cut_off)
    for x, y in in_one_unit(wanted, a, found, b):
        if not same_number(x, y, decimal=decimal):
            continue
        if any(cut_off) and any(v.exact is not None and terminates(v.exact) for v in (x, y)):
            return Verdict(UNDECIDED, "number", "a decimal that was cut off")
        if x is a and y is b and not decimal and None in (a.exact, b.exact):
            return _confirmed(wanted.text, found.text)
        return Verdict(EQUAL, "number", "equal values")
    return Verdict(DIFFERENT, "number", "different values or units")


def _confirmed(gold: str, predicted: str) -> Verdict:
    """Two closed forms that agree in double precision, in 50 digits."""
    try:
        found = algebra.compare_expressions(read(gold), read(predicted))
    except UnreadableError as error:
        return Verdict(UNDECIDED, "number", f"equal in double precision, not confirmed: {error}")
    return Verdict(found.verdict, "number", found.reason)


def in_one_unit(wanted: Quantity, a: Value, found: Quantity, b: Value) -> list[tuple[Value, Value]]:
    """Pairs of values to compare: as written if a unit is left out, else scaled; none if their kinds differ."""
    kinds = (wanted.dimension, found.dimension)
    if "share" in kinds:
        return _shares(wanted, a, found, b)
    if "radian" in kinds or ("angle" in kinds and None in kinds):
        return _angles(wanted, a, found, b)
    if None in kinds:
        return [(a, b)]
    if wanted.dimension != found.dimension:
        return []
    if wanted.factor == found.factor:
        return [(a, b)]
    return [(_scale(a, wanted.factor), _scale(b, found.factor))]


def _shares(wanted: Quantity, a: Value, found: Quantity, b: Value) -> list[tuple[Value, Value]]:
    if wanted.dimension == found.dimension:
        return [(_scale(a, wanted.factor), _scale(b, found.factor))]
    if None not in (wanted.dimension, found.dimension):
        return []
    scaled = (_scale(a, wanted.factor), b) if wanted.dimension == "share" else (a, _scale(b, found.factor))
    return [scaled, (a, b)] if abs(a.approx) >= 1 else [scaled]  # 0.5 % is not 0.5


def _angles(wanted: Quantity, a: Value, found: Quantity, b: Value) -> list[tuple[Value, Value]]:
    """Degrees against radians, which a multiple of π without a unit is; a bare number may also be degrees."""
    if not {wanted.dimension, found.dimension} <= {"angle", "radian", None}:
        return []
    bare = [q.dimension is None and "\\pi" in q.text for q in (wanted, found)]
    same = None in (wanted.dimension, found.dimension) and not any(bare)
    pairs = [(a, b)] if same or wanted.dimension == found.dimension else []
    turned = [
        Value(None, v.approx * float(q.factor) * math.pi / 180)
        if q.dimension == "angle"
        else v
        if q.dimension == "radian" or "\\pi" in q.text
        else None
        for q, v in ((wanted, a), (found, b))
    ]
    if turned[0] is not None and turned[1] is not None and wanted.dimension != found.dimension:
        pairs.append((turned[0], turned[1]))
    return pairs


def _scale(value: Value, factor: Fraction) -> Value:
    exact = value.exact * factor if value.exact is not None else None
    return Value(exact, value.approx * float(factor))


def names_several(text: str) -> bool:
    """Whether a text of several = gives several names a value, x = 1, y = 2, and is no chain, x = 2 + 3 = 5."""
    between = EQUALS.split(text)[1:-1]
    return any(_NEXT_NAME.search(piece) for piece in between)


def value_side(text: str) -> str:
    """What stands after the last = or ≈ of a text whose first side is a name, words or arithmetic; else the text,
    as where several names have a value each."""
    if "=" not in text and "\\approx" not in text and "\\equiv" not in text:
        return text
    pieces = [piece.strip() for piece in EQUALS.split(text)]
    if len(pieces) == 1 or len(pieces) > MAX_SIDES or not pieces[-1] or RELATION.search(text) or names_several(text):
        return text
    first = pieces[0]
    if len(pieces) == 2 and NAME.fullmatch(pieces[1]) and number(first) is not None:
        return first  # 12 = x
    names_it = not first or NAME.fullmatch(first) or _LABEL.fullmatch(first) or number(first) is not None
    return pieces[-1] if names_it else text


def same_names(gold: str, predicted: str) -> bool:
    """Whether two equations name the same variable, or one of them none.  y and f(x) are one name."""
    a, b = (name_of(text) for text in (gold, predicted))
    if a is None or b is None or a == b:
        return True
    return {a, b} & {"y"} != set() and any(re.fullmatch(r"[a-zA-Z]\([a-z]\)", name) for name in (a, b))


def name_of(text: str) -> str | None:
    """The name on either side of an equation."""
    sides = [compact(side.strip()) for side in EQUALS.split(text)]
    if len(sides) < 2:
        return None
    return next(
        (side.replace("{", "").replace("}", "") for side in (sides[0], sides[-1]) if NAME.fullmatch(side)), None
    )


def _in_bases(gold: str, predicted: str) -> Verdict | None:
    """Numbers in another base than ten; the base may be left out of one of them."""
    a, b = _IN_BASE.fullmatch(value_side(gold)), _IN_BASE.fullmatch(value_side(predicted))
    if a is None and b is None:
        return None
    bases = [int(m["base"] or m["short"]) if m else None for m in (a, b)]
    digits = [m["digits"].lower() if m else compact(value_side(t)).lower() for m, t in ((a, gold), (b, predicted))]
    if digits[0] == digits[1] and (None in bases or bases[0] == bases[1]):
        return Verdict(EQUAL, "number", "the same digits")
    if bases[0] == bases[1] and all(re.fullmatch(r"-?[\da-f]+(?:\.[\da-f]+)?", d) for d in digits):
        same = len({_stripped(d) for d in digits}) == 1
        return Verdict(EQUAL if same else DIFFERENT, "number", "digits in one base")
    return _values_in_bases(digits, bases)


def _values_in_bases(digits: list[str], bases: list[int | None]) -> Verdict | None:
    if any(not re.fullmatch(r"-?[\da-f]{1,60}", d) for d in digits):
        return None
    try:
        values = [int(d, base or 10) for d, base in zip(digits, bases, strict=True)]
    except ValueError:
        return Verdict(UNDECIDED, "number", "no digits of their base")
    if values[0] == values[1]:
        return Verdict(UNDECIDED, "number", "the same value in two bases")
    return Verdict(DIFFERENT, "number", "other digits or another base")


def _stripped(digits: str) -> str:
    """Digits without zeros that say nothing."""
    whole, _, part = digits.removeprefix("-").partition(".")
    return "-" * digits.startswith("-") + (whole.lstrip("0") or "0") + f".{part}".rstrip("0").rstrip(".")


def compare_times_of_day(gold: str, predicted: str) -> Verdict | None:
    """1:03 PM and 1:03 p.m.; the half of the day may be left out."""
    a, b = (_TIME.fullmatch(text.lower()) for text in (gold, predicted))
    if not ((a and a["half"]) or (b and b["half"])):
        return None
    if a is None or b is None:
        other = predicted if a else gold
        plain = number(other) is not None or re.fullmatch(r"\W{0,3}[a-zA-Z]\W{0,3}", other)
        return Verdict(DIFFERENT, "number", "a time of day against something else") if plain else None
    times = {(int(m["hour"]), int(m["minute"] or 0)) for m in (a, b)}
    halves = {m["half"] for m in (a, b) if m["half"]}
    same = len(times) == len(halves) == 1
    return Verdict(EQUAL if same else DIFFERENT, "number", "times of day")


def _infinities(gold: str, predicted: str) -> Verdict | None:
    a, b = (_INFINITY.fullmatch(value_side(text)) for text in (gold, predicted))
    if a and b:
        same = (a["sign"] == "-") == (b["sign"] == "-")
        return Verdict(EQUAL if same else DIFFERENT, "number", "infinity")
    other = value_side(predicted if a else gold)
    if (a or b) and number(quantity(other).text) is not None:
        return Verdict(DIFFERENT, "number", "a number against infinity")
    return None


def _ratios(gold: str, predicted: str) -> Verdict | None:
    """a : b : c up to a common factor; two terms also as a quotient."""
    if ":" not in gold and ":" not in predicted:
        return None
    a, b = (_terms(value_side(_TO.sub(":", text))) for text in (gold, predicted))
    if a is None or b is None or (len(a) < 2 and len(b) < 2):
        return None
    if _CLOCK.fullmatch(compact(gold)) and _CLOCK.fullmatch(compact(predicted)):
        return Verdict(UNDECIDED, "number", "two ratios, or two times of day")
    if 1 in (len(a), len(b)):
        ratio, value = (a, b[0]) if len(b) == 1 else (b, a[0])
        same = len(ratio) == 2 and ratio[1] != 0 and ratio[0] == value * ratio[1]
    else:
        same = len(a) == len(b) and all(x * b[0] == y * a[0] for x, y in zip(a, b, strict=True))
    return Verdict(EQUAL if same else DIFFERENT, "number", "the same ratio" if same else "another ratio")


def _terms(text: str) -> list[Fraction] | None:
    if ":" in text and not _RATIO.fullmatch(text):
        return None
    values = [number(term.strip()) for term in text.split(":")]
    found = [v.exact for v in values if v is not None and v.exact is not None]
    whole = len(found) == len(values) and (len(found) == 1 or all(found))
    return found if whole else None


def _through_noise(gold: str, predicted: str) -> Verdict | None:
    """A misread digit forgiven where it can be nothing else: O after or among digits is 0, l between two digits is 1.
    It may make two texts equal, never different; 90o stays (an angle), 2l too (a length, a litre)."""
    mended = [_ONE_L.sub("1", _ZERO_O.sub(lambda m: "0" * len(m[0]), text)) for text in (gold, predicted)]
    if mended == [gold, predicted]:
        return None
    decided = compare_numbers(*mended)
    if decided is not None and decided.verdict is EQUAL:
        return decided._replace(reason="equal values, a letter read as a digit")
    return None
