"""Numbers with a unit: the unit taken off, and lengths, areas, volumes, times and masses made comparable."""

import re
from fractions import Fraction
from typing import NamedTuple

from stepforge.answers.words import NUMBER_WORDS

_LENGTH = {
    "mm": Fraction(1, 1000),
    "cm": Fraction(1, 100),
    "dm": Fraction(1, 10),
    "m": Fraction(1),
    "km": Fraction(1000),
    "in": Fraction(254, 10_000),
    "ft": Fraction(3048, 10_000),
    "yd": Fraction(9144, 10_000),
    "mi": Fraction(1_609_344, 1000),
}
_NAMES = {
    "millimeter": "mm", "centimeter": "cm", "decimeter": "dm", "meter": "m", "kilometer": "km",
    "millimetre": "mm", "centimetre": "cm", "decimetre": "dm", "metre": "m", "kilometre": "km",
    "inch": "in", "inche": "in", "foot": "ft", "feet": "ft", "yard": "yd", "mile": "mi", "英寸": "in", "英尺": "ft",
    "毫米": "mm", "厘米": "cm", "分米": "dm", "米": "m", "千米": "km", "公里": "km",
}  # fmt: skip
_LITRE, _GALLON = Fraction(1, 1000), 231 * Fraction(254, 10_000) ** 3
_POUND, _HOUR = Fraction(45_359_237, 100_000), Fraction(3600)
_SIZES: dict[str, dict[str, Fraction]] = {  # of each dimension: names in the singular, sizes
    "time": {
        "s": Fraction(1), "sec": Fraction(1), "second": Fraction(1), "秒": Fraction(1), "min": Fraction(60),
        "minute": Fraction(60), "分钟": Fraction(60), "h": _HOUR, "hr": _HOUR, "hour": _HOUR, "小时": _HOUR,
        "时": _HOUR,
        "day": 24 * _HOUR, "天": 24 * _HOUR, "week": 168 * _HOUR, "周": 168 * _HOUR, "星期": 168 * _HOUR,
    },
    "months": {"month": Fraction(1), "个月": Fraction(1), "year": Fraction(12), "年": Fraction(12)},
    "mass": {
        "mg": Fraction(1, 1000), "g": Fraction(1), "gram": Fraction(1), "克": Fraction(1), "kg": Fraction(1000),
        "kilogram": Fraction(1000), "千克": Fraction(1000), "公斤": Fraction(1000), "斤": Fraction(500),
        "吨": Fraction(10**6), "tonne": Fraction(10**6),
        "lb": _POUND, "pound": _POUND, "oz": _POUND / 16, "ounce": _POUND / 16,
    },
    "angle": {"^\\circ": Fraction(1), "degree": Fraction(1), "deg": Fraction(1), "度": Fraction(1)},
    "radian": {"radian": Fraction(1), "rad": Fraction(1), "弧度": Fraction(1)},
    "share": {"%": Fraction(1, 100), "percent": Fraction(1, 100), "per cent": Fraction(1, 100),
              "\\permille": Fraction(1, 1000)},
    "usd": {"dollar": Fraction(1), "usd": Fraction(1), "cent": Fraction(1, 100), "美元": Fraction(1)},
    "eur": {"euro": Fraction(1), "eur": Fraction(1), "欧元": Fraction(1)},
    "force": {"newton": Fraction(1), "牛顿": Fraction(1)},
    "energy": {"joule": Fraction(1), "焦耳": Fraction(1), "kilojoule": Fraction(1000)},
    "power": {"watt": Fraction(1), "瓦特": Fraction(1), "kilowatt": Fraction(1000)},
    "voltage": {"volt": Fraction(1), "伏特": Fraction(1)},
    "current": {"ampere": Fraction(1), "amp": Fraction(1), "安培": Fraction(1)},
    "resistance": {"ohm": Fraction(1), "欧姆": Fraction(1)},
    "pressure": {"pascal": Fraction(1), "帕斯卡": Fraction(1)},
    "frequency": {"hertz": Fraction(1), "赫兹": Fraction(1)},
    "cny": {"元": Fraction(1), "yuan": Fraction(1), "角": Fraction(1, 10)},
    "length^3": {
        "L": _LITRE, "liter": _LITRE, "litre": _LITRE, "升": _LITRE, "mL": _LITRE / 1000, "ml": _LITRE / 1000,
        "milliliter": _LITRE / 1000, "millilitre": _LITRE / 1000, "毫升": _LITRE / 1000,
        "gallon": _GALLON, "quart": _GALLON / 4, "pint": _GALLON / 8,
    },
    "length^2": {"hectare": Fraction(10**4), "公顷": Fraction(10**4)},
    "celsius": {"^\\circ C": Fraction(1), "摄氏度": Fraction(1)},
    "fahrenheit": {"^\\circ F": Fraction(1)},
    "length/time": {"mph": Fraction(1_609_344, 1000) / _HOUR},
}  # fmt: skip
_OTHER = {name: (dimension, size) for dimension, names in _SIZES.items() for name, size in names.items()}
_POWER = {"square": 2, "sq": 2, "cubic": 3, "平方": 2, "立方": 3}
_SCALE_WORDS = frozenset(  # words after a number that change its value
    (
        *(
            "hundred",
            "thousand",
            "million",
            "billion",
            "trillion",
            "dozen",
            "hundreds",
            "thousands",
            "millions",
            "dozens",
        ),
        *("half", "halves", "third", "thirds", "quarter", "quarters", "fourth", "fourths", "fifth", "fifths", "sixth"),
        *("sixths", "seventh", "sevenths", "eighth", "eighths", "ninth", "ninths", "tenth", "tenths", "hundredth"),
        *("hundredths", "thousandth", "thousandths", "double", "triple", "twice", "squared", "cubed", "factorial"),
        *("minus", "plus", "negative", "pi", "or", "and", "to", "times", "over", "divided", "by", "root", "power"),
        *NUMBER_WORDS,
    )
)
_SMALL_WORDS = frozenset(
    ("sq", "cu", "a", "an", "of", "in", "at", "on", "per", "is", "are", "it", "my", "he", "me", "us", "we")
)
_VOWEL = re.compile("[aeiouy]")
_PER_WHAT = frozenset(
    (
        *("person", "people", "student", "child", "kid", "item", "piece", "bag", "box", "unit", "night", "trip"),
        *("game", "month", "year", "mile", "gallon", "ounce", "pound", "page"),
    )
)
_SCALE_HAN = frozenset("万萬亿億兆百千十半成折打点余多几来负零一二三四五六七八九或和与及到至")  # these change the value
_PLAIN = re.compile(r"-?\d{1,300}(?:\.\d{1,300})?", re.ASCII)
_TAIL = re.compile(
    r"(?P<head>.{0,2000}?[\d)}\]!])\s?"
    r"(?P<unit>\^\\circ(?: ?[CF])?|%|\\permille|/ ?[a-zA-Z]{3,12}|[a-zA-Z]{1,20}(?:(?:[ -]| ?/ ?)[a-zA-Z]{1,20}){0,5}"
    r"|[\u4e00-\u9fff]{1,8}(?:/[\u4e00-\u9fff]{1,4})?)(?P<power>\s?\^\{?[23]\}?)?",
    re.DOTALL,
)
_PI_TAIL = re.compile(r"(?P<head>.{0,2000}?\\pi) ?(?P<unit>[a-zA-Z]{1,12})(?P<power>\s?\^\{?[23]\}?)?", re.DOTALL)
_TRIGONOMETRIC = re.compile(r"(?<![a-zA-Z])(?:sin|cos|tan|cot|sec|csc)(?![a-zA-Z])")  # the degrees of its argument
_ASIDE = re.compile(r" ?\((?P<words>[a-zA-Z][a-zA-Z -]{0,40})\)")  # 12 (apples), 12 (cm)
_ABBREVIATED = re.compile(r"(?<![a-zA-Z])(sq|cu)\. ?(?=[a-zA-Z])")
_DMS = re.compile(
    r"(?:(?P<degrees>-?\d{1,4})\s?\^\\circ\s?)?(?P<minutes>\d{1,2}(?:\.\d{1,9})?)'(?!')(?:\s?(?P<seconds>\d{1,2}(?:\.\d{1,9})?)(?:''|\"))?"
)
_PER = re.compile(r"(?<=[a-zA-Z]) (?:per|an?) (?=[a-zA-Z])")
_INVERSE = re.compile(r"(?<=[a-zA-Z]) ?(?:\\cdot ?)?(s|h|min) ?\^ ?\{ ?-(1|2) ?\}$")
_DIGIT_POWER = re.compile(r"(?<![a-zA-Z])([mcdk]?m)([23])$")
_PER_HUNDRED = re.compile(r"百分之 ?(.{1,40})")
_SCALED = re.compile(
    r"(?P<number>-?\d[\d,]{0,30}(?:\.\d{1,20})?) ?"
    r"(?P<scale>hundred|thousand|million|billion|trillion|dozen|万亿|万|亿)(?![a-zA-Z])"
)
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12, "dozen": 12,
           "万": 10**4, "亿": 10**8, "万亿": 10**12}  # fmt: skip
_COMPOUND = re.compile(
    r"(?P<a>\d{1,6}(?:\.\d{1,9})?) ?(?P<u>[a-zA-Z]{1,10}|[\u4e00-\u9fff]{1,3}?)(?: and)?,? ?"
    r"(?P<b>\d{1,6}(?:\.\d{1,9})?) ?(?P<v>[a-zA-Z]{1,10}|[\u4e00-\u9fff]{1,3})"
)
_UNIT_OF_LETTERS = re.compile(
    r"(?P<head>.*[a-zA-Z\d)}]) (?P<unit>(?:square |cubic |sq )?"
    r"(?:[mcdk]m|kg|meters?|metres?|centimeters?|inches|feet|units?))"
    r"(?P<power> ?\^ ?\{?[23]\}?)?",
    re.DOTALL,
)


class Quantity(NamedTuple):
    """A text without its unit, and the unit's dimension and size (1 and None where there is no known unit)."""

    text: str
    dimension: str | None
    factor: Fraction
    letter: bool = False  # the unit is one letter, which may as well be a factor: 2m


def quantity(normalised: str) -> Quantity:
    """The number's text and its unit.  A trailing noun ("18 apples") is taken off as a unit of no dimension; a single
    letter that is no unit ("2 x") and words that change the value ("5 or") stay on.  Words of scale ("3 million", 12万)
    become factors; 1 hour 30 minutes and 25° 39' are in the smaller and the larger unit."""
    if _PLAIN.fullmatch(normalised):
        return Quantity(normalised, None, Fraction(1))
    return _compound(normalised) or _simple(_prepared(normalised))


def _prepared(text: str) -> str:
    per_hundred = _PER_HUNDRED.fullmatch(text)
    if per_hundred:
        return f"{per_hundred[1]}%"
    text = _PER.sub("/", text)
    text = _INVERSE.sub(lambda m: f"/{m[1]}" + ("^2" if m[2] == "2" else ""), text)
    text = _DIGIT_POWER.sub(r"\1^\2", text)
    scaled = _SCALED.match(text)
    if scaled:
        text = f"{scaled['number']}*{_SCALES[scaled['scale']]}{text[scaled.end() :]}"
    return text


def _compound(text: str) -> Quantity | None:
    degrees = _DMS.fullmatch(text)
    if degrees:
        whole = degrees["degrees"] or "0"
        sign = "-" if whole.startswith("-") else "+"
        seconds = degrees["seconds"] or 0
        return Quantity(f"{whole}{sign}{degrees['minutes']}/60{sign}{seconds}/3600", "angle", Fraction(1))
    match = _COMPOUND.fullmatch(text)
    if match is None:
        return None
    large, small = _known(match["u"], None), _known(match["v"], None)
    if large is None or small is None or large[0] != small[0] or large[1] <= small[1]:
        return None
    times = large[1] / small[1]
    return Quantity(f"{match['a']}*{times.numerator}/{times.denominator}+{match['b']}", *small)


def _simple(normalised: str) -> Quantity:
    text = _without_aside(_ABBREVIATED.sub(r"\1 ", normalised))
    match = _TAIL.fullmatch(text) or _PI_TAIL.fullmatch(text)
    if match is None or (match["unit"].startswith("^") and _TRIGONOMETRIC.search(text)):
        return Quantity(normalised, None, Fraction(1))
    known = _known(match["unit"], match["power"])
    if known is not None:
        return Quantity(match["head"].strip(), *known, letter=len(match["unit"]) == 1 and match["unit"].isalpha())
    spaced = text[len(match["head"])] == " " or not match["unit"].isascii() or match["unit"].startswith("/")
    if spaced and _is_noun(match["unit"]):
        return Quantity(match["head"].strip(), None, Fraction(1))
    return Quantity(normalised, None, Fraction(1))


def without_unit(text: str) -> Quantity:
    """An expression with letters, 3a cm, and its unit; only units that cannot be letters are taken off."""
    match = _UNIT_OF_LETTERS.fullmatch(text)
    if match is None:
        return Quantity(text, None, Fraction(1))
    known = _known(match["unit"], match["power"])
    return Quantity(match["head"].strip(), *(known or (None, Fraction(1))))


def _without_aside(text: str) -> str:
    """`12 (apples)` as `12 apples`: words in brackets after a number, where no product can be meant."""
    head, opening, _ = text.rpartition("(")
    match = _ASIDE.fullmatch(f"({text[len(head) + 1 :]}") if opening and head else None
    if match is None or not head.rstrip()[-1:].isdigit():
        return text
    words = match["words"].split()
    plain = all(len(word) > 3 and not word.isupper() for word in words) or _known(match["words"], None) is not None
    return f"{head.rstrip()} {match['words']}" if plain and head.endswith(" ") else text


def _is_noun(unit: str) -> bool:
    """Whether the words after a number are only what it counts."""
    if not unit.isascii():
        return unit[0] not in _SCALE_HAN
    if unit.startswith("/"):
        name = unit[1:].strip().lower()
        return (name.removesuffix("s") or name) in _PER_WHAT or _known(name, None) is not None
    words = unit.lower().replace("/", " ").replace("-", " ").split()
    return all(map(_is_word, words)) and not _SCALE_WORDS.intersection(words)


def _is_word(word: str) -> bool:
    """Whether letters are a word rather than factors: xy, abc, bh."""
    if len(word) < 3:
        return word in _SMALL_WORDS
    in_order = len(word) < 5 and list(word) == sorted(set(word))
    return not in_order and _VOWEL.search(word) is not None


def _known(unit: str, power_text: str | None) -> tuple[str, Fraction] | None:
    power = int(re.sub(r"\D", "", power_text)) if power_text else 1
    if "/" in unit:
        above, below = unit.split("/", 1)
        return _rate(above, below, power)
    name = unit.strip()
    for word, exponent in _POWER.items():
        if name.lower().startswith(word) and len(name) > len(word):
            name, power = name[len(word) :].strip(), exponent
    singular = name.lower().removesuffix("s") if len(name) > 2 else name
    name = name if name in _LENGTH or name in _OTHER or name in _NAMES else singular
    name = _NAMES.get(name, name)
    if name in _LENGTH:
        return f"length^{power}", _LENGTH[name] ** power
    if name in _OTHER and power == 1:
        return _OTHER[name]
    return None


def _rate(above: str, below: str, power: int) -> tuple[str, Fraction] | None:
    """A unit per a unit, such as km/h or m/s^2."""
    a, b = _known(above, None) if above.strip() else None, _known(below, None)
    if not a or not b:
        return None
    dimension = a[0].removesuffix("^1")
    return f"{dimension}/{b[0]}" + (f"^{power}" if power > 1 else ""), a[1] / b[1] ** power
