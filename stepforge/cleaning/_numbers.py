"""Rules on digits, operators and raised or lowered digits; for pages, and outside of formulas."""

import re

from stepforge.cleaning._rule import DIGITS, UPPER, Rule, Scope, outside_formulas

_ONE = re.compile(r"[lI](?<=\d.)(?=\d)|[lI](?<=\d\..)(?=\d)")
_ZERO = re.compile(r"[Oo](?<=\d.)(?=[\d%])|[Oo](?<=\d\..)(?=\d)|O(?<=[1-9].)(?= ?(?:cm|mm|km|kg|元|米|厘米|%))")


def _digits(text: str) -> str:
    return _ZERO.sub("0", _ONE.sub("1", text))


_NUMBER = r"\d{1,6}(?:\.\d{1,6})?"
_SPACED = re.compile(
    rf"(?<![\w.])(?:{_NUMBER} [xX×] ){{1,5}}{_NUMBER}(?= ?=)|(?<==) ?(?:{_NUMBER} [xX×] ){{1,5}}{_NUMBER}(?![\w.])"
)
_TIGHT = re.compile(
    r"(?<![\w.])(\d{1,6})[xX](\d{1,6}) ?= ?(\d{1,9})(?![\w.])"
    r"|(?<![\w.])(\d{1,9}) ?= ?(\d{1,6})[xX](\d{1,6})(?![\w.])"
)
_CROSS = re.compile(r"[xX]")


def _times(text: str) -> str:
    """A cross between spaced numbers on one side of an equation, or tight ones whose product is on the other side.

    `2 x 4` alone may be a name, and `2x3=16` a power that was lost.
    """
    text = _SPACED.sub(lambda m: _CROSS.sub("×", m[0]), text)
    return _TIGHT.sub(lambda m: _CROSS.sub("×", m[0]) if _is_product(m) else m[0], text)


def _is_product(match: re.Match[str]) -> bool:
    a, b, product = (match[1], match[2], match[3]) if match[1] else (match[5], match[6], match[4])
    return int(a) * int(b) == int(product)


_HAN_ONE = re.compile(r"(?<=[A-Za-z0-9)°²])( ?)[一—]( ?)(?=[A-Za-z0-9(∠√])")
_EQUATION = re.compile(r"[=<>≤≥+×]")


def _minus(text: str) -> str:
    """A dash or the Chinese one between operands, in a line that has another operator."""
    if not _HAN_ONE.search(text):
        return text
    return "\n".join(
        _HAN_ONE.sub(lambda m: f"{m[1]}-{m[2]}", line) if _EQUATION.search(line) else line for line in text.split("\n")
    )


_PRIME = re.compile(r"(?<![A-Za-z])([A-Z])[’‘´`](?![A-Za-z]{2}|[a-z])")


def _primes(text: str) -> str:
    """The prime of a point: a single capital letter has no apostrophe with nothing behind it."""
    return _PRIME.sub(r"\1'", text)


_UNIT = re.compile(r"(?:[cdk]?m|mm)[23](?![\dA-Za-z^])")
_UNIT_BEFORE = re.compile(r"(?:\d ?|(?<![A-Za-z0-9]))(?P<unit>[cdk]m|mm)\Z|\d ?m\Z")
_RAISED = {"2": "²", "3": "³"}


def _units(text: str) -> str:
    """A power of a unit of length; of metres only behind a number, for m2 may be a slope."""

    def raised(match: re.Match[str]) -> str:
        before = text[max(0, match.start() - 2) : match.end() - 1]
        return match[0][:-1] + _RAISED[match[0][-1]] if _UNIT_BEFORE.search(before) else match[0]

    return _UNIT.sub(raised, text)


_SQUARED_SEGMENT = re.compile(r"(?<![A-Za-z\d])(\d{0,2})([A-Z]{2})2(?=[ ]?[=+\-−)，,。;；.\n]|[ ]?$)")
_FORMULA = re.compile(r"[A-Za-z0-9()√=+\-−×·/ ^²³.]{3,300}")
_KNOWN_SQUARE = re.compile(r"[A-Z]{2}(?:²|\^2)")


def _squared_segments(text: str) -> str:
    """AB2 in a sum or difference of squares: a segment has no number, and Pythagoras squares all of them."""
    if not _SQUARED_SEGMENT.search(text):
        return text
    return _FORMULA.sub(_pythagoras, text)


def _pythagoras(match: re.Match[str]) -> str:
    formula = match[0]
    lost = len(_SQUARED_SEGMENT.findall(formula))
    if lost + len(_KNOWN_SQUARE.findall(formula)) < 2 or not re.search(r"[=+\-−]", formula):
        return formula
    return _SQUARED_SEGMENT.sub(r"\1\2²", formula)


_SQUARED_GROUP = re.compile(r"(\([^()\n,，]{2,40}\))([23])(?=[ ]?[=+\-−)，,。;；.\n]|[ ]?$)")
_SUM_OR_TERM = re.compile(r"[+\-−*/×·√²]|\d[a-z]")


def _squared_groups(text: str) -> str:
    """(x-80)2: a factor would stand in front of the brackets."""
    return _SQUARED_GROUP.sub(lambda m: m[1] + _RAISED[m[2]] if _SUM_OR_TERM.search(m[1]) else m[0], text)


_POWER = re.compile(r"(?<![A-Za-z])(\d{0,3}[a-z]?)([a-z])([2-6])(?=[ ]?[=+\-−)]|[ ]?[.,，。;；?？\n]|[ ]?$)")
_NUMBERED = re.compile(r"(?<![A-Za-z])([a-z])(?:[01789]|\d\d)")
_POWERS = {"2": "²", "3": "³", "4": "⁴", "5": "⁵", "6": "⁶"}


def _powers(text: str) -> str:
    """x2 beside a plain x in one formula, or sums of squares, in a text without x1: then x2 is no second x."""
    if not _POWER.search(text):
        return text
    numbered = {m[1] for m in _NUMBERED.finditer(text)}
    return _FORMULA.sub(lambda m: _polynomial(m[0], numbered), text)


def _polynomial(formula: str, numbered: set[str]) -> str:
    found = [(m[2], m[3]) for m in _POWER.finditer(formula)]
    if not found or not re.search(r"[=+\-−]", formula):
        return formula
    squared = {name for name, power in found if power == "2"} - numbered
    certain = {name for name in squared if _stands_alone(name, formula)}
    if len(squared) > 1 and {power for _, power in found} == {"2"}:
        certain |= squared
    return _POWER.sub(lambda m: f"{m[1]}{m[2]}{_POWERS[m[3]]}" if m[2] in certain else m[0], formula)


def _stands_alone(name: str, formula: str) -> bool:
    return bool(re.search(rf"(?<![A-Za-z])\d{{0,4}}[a-z]?{name}(?![A-Za-z\d²^])", formula))


_POINTS = re.compile(r"(?<![A-Za-z\d])(?:[A-Z]([1-9])){3,8}(?![A-Za-z\d])")
_DIGITS_DOWN = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_POINT = re.compile(r"([A-Z])([1-9])")


def _numbered_points(text: str) -> str:
    """A1B1C1: corners of a figure with one number for all of them."""
    return _POINTS.sub(_lowered, text)


def _lowered(match: re.Match[str]) -> str:
    numbers = {m[2] for m in _POINT.finditer(match[0])}
    return _POINT.sub(lambda m: m[1] + m[2].translate(_DIGITS_DOWN), match[0]) if len(numbers) == 1 else match[0]


_TERM = re.compile(r"(?<![A-Za-z\d])([a-z])(\d{1,4})(?![A-Za-z\d²³^.])")
_SEQUENCE = re.compile(r"(?<![A-Za-z\d])([a-z])1, ?\1[2-9](?!\d)")


def _sequences(text: str) -> str:
    """a1, a2, …: terms of a sequence, wherever they stand in a text that lists them."""
    names = {m[1] for m in _SEQUENCE.finditer(text)}
    if not names:
        return text
    return _TERM.sub(lambda m: m[1] + m[2].translate(_DIGITS_DOWN) if m[1] in names else m[0], text)


RULES: tuple[Rule, ...] = (
    Rule(
        "digits",
        outside_formulas(_digits),
        (("1l5 + 3O7 = 1.O5", "115 + 307 = 1.05"), ("10O%", "100%"), ("line l2, 2O, H2O", "line l2, 2O, H2O")),
        Scope.PAGE,
        ("lIOo", DIGITS),
    ),
    Rule(
        "times_sign",
        outside_formulas(_times),
        (
            ("3 x 4 x 5 = 60", "3 × 4 × 5 = 60"),
            ("60=12x5", "60=12×5"),
            ("a 2 x 4 board", "a 2 x 4 board"),
            ("3x4 + 2x = 5, 2x3=16", "3x4 + 2x = 5, 2x3=16"),
        ),
        Scope.PAGE,
        ("xX", DIGITS, "="),
    ),
    Rule(
        "minus_sign",
        outside_formulas(_minus),
        (("x = 5 一 3", "x = 5 - 3"), ("∠A=180°—∠B", "∠A=180°-∠B"), ("AB上一点C，有一个", "AB上一点C，有一个")),
        Scope.PAGE,
        ("一—",),
    ),
    Rule(
        "primes",
        outside_formulas(_primes),
        (("△A’B’C’", "△A'B'C'"), ("Ann’s, A’s", "Ann’s, A’s")),
        Scope.PAGE,
        ("’‘´`",),
    ),
    Rule(
        "unit_powers",
        outside_formulas(_units),
        (("24 cm2 and km3", "24 cm² and km³"), ("m2 = 3", "m2 = 3")),
        Scope.PAGE,
        ("23", "m"),
    ),
    Rule(
        "squared_segments",
        outside_formulas(_squared_segments),
        (("BE2+CE²=BC2,", "BE²+CE²=BC²,"), ("AB2 is a bus", "AB2 is a bus")),
        Scope.PAGE,
        ("2", "=+-−", UPPER),
    ),
    Rule(
        "squared_groups",
        outside_formulas(_squared_groups),
        (("y=(x-80)2+16", "y=(x-80)²+16"), ("(2x)2+(4x)2=9", "(2x)²+(4x)²=9"), ("(3, 4)2, (1)2", "(3, 4)2, (1)2")),
        Scope.PAGE,
        (")", "23"),
    ),
    Rule(
        "powers",
        outside_formulas(_powers),
        (
            ("x2 + 14x = 33", "x² + 14x = 33"),
            ("y=ax2+bx+c", "y=ax²+bx+c"),
            ("2x3-3x2+4x-1=0", "2x³-3x²+4x-1=0"),
            ("a2+b2=c2", "a²+b²=c²"),
            ("x1 + x2 = x", "x1 + x2 = x"),
            ("x2 = 4", "x2 = 4"),
            ("l1∥l2, l2-l3", "l1∥l2, l2-l3"),
        ),
        Scope.PAGE,
        ("2", "=+-−"),
    ),
    Rule(
        "numbered_points",
        outside_formulas(_numbered_points),
        (("square A1B1C1D1", "square A₁B₁C₁D₁"), ("rooms A1 B2", "rooms A1 B2")),
        Scope.PAGE,
        ("123456789", UPPER),
    ),
    Rule(
        "sequence_terms",
        outside_formulas(_sequences),
        (("a1, a2, …; a10 = 5", "a₁, a₂, …; a₁₀ = 5"), ("a1 paper", "a1 paper")),
        Scope.PAGE,
        ("123456789", ","),
    ),
)
