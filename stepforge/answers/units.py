"""Numbers with a unit: the unit taken off, and lengths, areas, volumes, times and masses made comparable."""

import re
from fractions import Fraction
from typing import NamedTuple

_LENGTH = {
    "mm": Fraction(1, 1000),
    "cm": Fraction(1, 100),
    "dm": Fraction(1, 10),
    "m": Fraction(1),
    "km": Fraction(1000),
}
_NAMES = {
    "millimeter": "mm", "centimeter": "cm", "decimeter": "dm", "meter": "m", "kilometer": "km",
    "millimetre": "mm", "centimetre": "cm", "decimetre": "dm", "metre": "m", "kilometre": "km",
    "毫米": "mm", "厘米": "cm", "分米": "dm", "米": "m", "千米": "km", "公里": "km",
}  # fmt: skip
_OTHER: dict[str, tuple[str, Fraction]] = {
    "s": ("time", Fraction(1)), "second": ("time", Fraction(1)), "秒": ("time", Fraction(1)),
    "min": ("time", Fraction(60)), "minute": ("time", Fraction(60)), "分钟": ("time", Fraction(60)),
    "h": ("time", Fraction(3600)), "hour": ("time", Fraction(3600)), "小时": ("time", Fraction(3600)),
    "day": ("time", Fraction(86400)), "天": ("time", Fraction(86400)), "week": ("time", Fraction(604800)),
    "g": ("mass", Fraction(1)), "gram": ("mass", Fraction(1)), "克": ("mass", Fraction(1)),
    "kg": ("mass", Fraction(1000)), "kilogram": ("mass", Fraction(1000)), "千克": ("mass", Fraction(1000)),
    "^\\circ": ("angle", Fraction(1)), "degree": ("angle", Fraction(1)), "deg": ("angle", Fraction(1)),
    "度": ("angle", Fraction(1)), "%": ("share", Fraction(1, 100)), "percent": ("share", Fraction(1, 100)),
    "dollar": ("usd", Fraction(1)), "usd": ("usd", Fraction(1)), "cent": ("usd", Fraction(1, 100)),
    "元": ("cny", Fraction(1)), "yuan": ("cny", Fraction(1)),
    "hr": ("time", Fraction(3600)), "sec": ("time", Fraction(1)), "时": ("time", Fraction(3600)),
    "L": ("length^3", Fraction(1, 1000)), "liter": ("length^3", Fraction(1, 1000)),
    "litre": ("length^3", Fraction(1, 1000)), "升": ("length^3", Fraction(1, 1000)),
    "mL": ("length^3", Fraction(1, 10**6)), "ml": ("length^3", Fraction(1, 10**6)),
    "毫升": ("length^3", Fraction(1, 10**6)),
    "^\\circ C": ("celsius", Fraction(1)), "^\\circ F": ("fahrenheit", Fraction(1)),
    "摄氏度": ("celsius", Fraction(1)),
}  # fmt: skip
_POWER = {"square": 2, "sq": 2, "cubic": 3, "平方": 2, "立方": 3}
_SCALE_WORDS = frozenset(
    ("hundred", "thousand", "million", "billion", "dozen", "half", "halves", "third", "thirds", "pi", "or", "and", "to")
)
_PER_WHAT = frozenset(
    (
        *("person", "people", "student", "child", "kid", "item", "piece", "bag", "box", "unit", "night", "trip"),
        *("game", "month", "year", "mile", "gallon", "ounce", "pound", "page"),
    )
)
_SCALE_HAN = frozenset("万萬亿億兆百千十半成折打点余多几来负零一二三四五六七八九或和与及到至")  # these change the value
_TAIL = re.compile(
    r"(?P<head>.{0,2000}?[\d)}\]!])\s?"
    r"(?P<unit>\^\\circ(?: ?[CF])?|%|/ ?[a-zA-Z]{3,12}|[a-zA-Z]{1,20}(?:(?:[ -]| ?/ ?)[a-zA-Z]{1,20}){0,5}"
    r"|[\u4e00-\u9fff]{1,8}(?:/[\u4e00-\u9fff]{1,4})?)(?P<power>\s?\^\{?[23]\}?)?",
    re.DOTALL,
)
_PI_TAIL = re.compile(r"(?P<head>.{0,2000}?\\pi) ?(?P<unit>[a-zA-Z]{1,12})(?P<power>\s?\^\{?[23]\}?)?", re.DOTALL)
_ASIDE = re.compile(r" ?\((?P<words>[a-zA-Z][a-zA-Z -]{0,40})\)")  # 12 (apples), 12 (cm)
_ABBREVIATED = re.compile(r"(?<![a-zA-Z])(sq|cu)\. ?(?=[a-zA-Z])")
_DMS = re.compile(r"(-?\d{1,4})\s?\^\\circ\s?(\d{1,2}(?:\.\d{1,9})?)'(?:\s?(\d{1,2}(?:\.\d{1,9})?)'')?")


class Quantity(NamedTuple):
    """A text without its unit, and the unit's dimension and size (1 and None where there is no known unit)."""

    text: str
    dimension: str | None
    factor: Fraction


def quantity(normalised: str) -> Quantity:
    """The number's text and its unit.  A trailing noun ("18 apples") is taken off as a unit of no dimension; a single
    letter that is no unit ("2 x") and words that change the value ("3 dozen", "5 or") stay on."""
    degrees = _DMS.fullmatch(normalised)
    if degrees:
        whole, minutes, seconds = degrees.groups()
        sign = "-" if whole.startswith("-") else "+"
        return Quantity(f"{whole}{sign}{minutes}/60{sign}{seconds or 0}/3600", "angle", Fraction(1))
    text = _without_aside(_ABBREVIATED.sub(r"\1 ", normalised))
    match = _TAIL.fullmatch(text) or _PI_TAIL.fullmatch(text)
    if match is None:
        return Quantity(normalised, None, Fraction(1))
    known = _known(match["unit"], match["power"])
    if known is not None:
        return Quantity(match["head"].strip(), *known)
    spaced = text[len(match["head"])] == " " or not match["unit"].isascii() or match["unit"].startswith("/")
    if spaced and _is_noun(match["unit"]):
        return Quantity(match["head"].strip(), None, Fraction(1))
    return Quantity(normalised, None, Fraction(1))


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
    return all(len(word) > 1 or word == "a" for word in words) and not _SCALE_WORDS.intersection(words)


def _known(unit: str, power_text: str | None) -> tuple[str, Fraction] | None:
    if "/" in unit and power_text is None:
        return _rate(*unit.split("/", 1))
    power = int(re.sub(r"\D", "", power_text)) if power_text else 1
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


def _rate(above: str, below: str) -> tuple[str, Fraction] | None:
    """A unit per a unit, such as km/h."""
    a, b = _known(above, None) if above.strip() else None, _known(below, None)
    return (f"{a[0]}/{b[0]}", a[1] / b[1]) if a and b else None
