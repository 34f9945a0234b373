"""Numbers that a question gives as quantities, with what they count."""

import re
from typing import NamedTuple

_LABEL = (
    r"(?:[Ff]ig(?:ure)?s?|[Dd]iagrams?|[Tt]ables?|[Ss]teps?|[Qq]uestions?|[Pp]arts?|[Cc]hapters?|[Pp]ages?|[Ll]evels?"
    r"|[Gg]rades?|[Oo]ptions?|Nos?|[Pp]ictures?|[Ii]mages?|[Vv]iews?|[Rr]ooms?|[Cc]ases?|[Rr]outes?|[Dd]ays?|[Ww]eeks?"
    r"|[Tt]ypes?|[Ss]tatements?|[Ll]ines?)"
)
_BRACED = r"(?:\{[^{}\n]{0,40}\}|[0-9A-Za-z])"
_DIGITS = r"(?<![0-9.])[0-9]{1,9}(?:\.[0-9]{1,4})?"
_COMMAND = r"\\(?!mathrm|text|rm\b|quad|qquad|[,;:! ])[A-Za-z]{1,12}"  # \leq, \times, \sqrt, \angle
_NO_QUANTITY = re.compile(
    rf"<image_[0-9]{{1,3}}>|\\[dt]?frac[ ]?{_BRACED}[ ]?{_BRACED}|[\^_][ ]?{_BRACED}"
    rf"|{_COMMAND}[ ]?\{{?[ ]?{_DIGITS}|{_DIGITS}[ ]?{_COMMAND}|{_DIGITS}(?:[ ]?(?:[/:：∶~–]|out of|in every|for every"
    rf"|to|by|[xX×])[ ]?{_DIGITS})+"
    rf"|\b{_LABEL}\b\.?(?:[ ]?[(（]?[0-9]+[)）]?(?:[ ]?(?:,|and|to|or|-|&))?)+"
    rf"|[A-Za-z0-9)}}°][ ]?[+\-−*×÷<>][ ]?{_DIGITS}|[a-z0-9)}}][ ]?=[ ]?{_DIGITS}"
    r"|[图表第题][ ]?[(（]?[0-9]+|[(（\[][^()（）\[\]\n]{0,60}[)）\]]|[①-⑳]|(?<![0-9])[0-9]{1,9}(?:st|nd|rd|th|s)\b"
    r"|(?<![0-9.])(?:19|20)[0-9]{2}(?![0-9.])|[∠△√][ ]?[0-9]+|(?<![0-9])[0-9]{1,9}[ ]?(?:月|号|年级|班|时|点)"
    r"|\b(?:Jan|Febr|Septem|Octo|Novem|Decem)[a-z]{3,5}[ ]?[0-9]+|\b(?:March|April|May|June|July|August)[ ]?[0-9]+"
)
_OPTIONS = re.compile(r"(?:^|[\s;；])[(（]?A[)）.．、:：]")
_SECOND_OPTION = re.compile(r"[\s;；][(（]?B[)）.．、:：]")
_LIST_NUMBER = re.compile(r"^[ \t]*[0-9]{1,2}[.)、．][ \t]", re.MULTILINE)
_DEGREE = re.compile(r"\^[ ]?\{?[ ]?\\circ[ ]?\}?|\\degree|[ ]degrees?\b|度")
_QUANTITY = re.compile(
    r"(?<![0-9A-Za-z.,+\-−*/×÷=<>%^_\\…{])(?P<money>\$|[£€¥])?(?:[A-Z][ ]?[A-Z][ ]?=[ ]?)?"
    r"(?P<number>[1-9][0-9]{0,4}(?:\.[0-9]{1,2})?)(?![0-9A-Za-z]|[.,][0-9]|[ ]{0,2}(?:[%+\-−*×÷<>=…^]|percent))"
    r"(?:[ ]{0,3}(?:\\(?:mathrm|text|rm)[ ]?\{[~ ]?)?(?P<unit>°|[A-Za-z.]{1,20}|[\u4e00-\u9fff]{1,2}))?"
)
_NO_UNITS = frozenset({"°", "x", "times", "time", "am", "pm", "a.m", "p.m", "o", "倍", "折"})
MOST_OPTIONS_AFTER = 400  # characters from option A to option B


class Quantity(NamedTuple):
    """A number as the question writes it, and its unit: `$`, a word in the singular, or "" where there is none."""

    number: str
    unit: str


def quantities(question: str) -> list[Quantity]:
    """Numbers that stand alone in the question's text, in order, each once.  Left out: options, numbers of figures,
    steps and items, parts of fractions and mixed numbers, ratios, powers and indices, multiples, dates, clock times,
    percentages, angles, coefficients, whatever stands in brackets.  A number that also stands as any of these, or with
    two units, is left out."""
    text = _LIST_NUMBER.sub(" ", _DEGREE.sub("°", _without_options(question)))
    latex = "\\" in question
    if latex:
        text = text.replace("\\$", "£").replace("$", " ")
    doubtful = {number for match in _NO_QUANTITY.finditer(text) for number in re.findall(_DIGITS, match[0])}
    found: dict[str, Quantity | None] = {}
    for match in _QUANTITY.finditer(_NO_QUANTITY.sub("…", text)):
        number = match["number"]
        unit = "$" if match["money"] else (match["unit"] or "").lower().rstrip(".")
        formula = latex and len(unit) == 1 and "{" not in match[0]  # 2 x
        quantity = Quantity(number, unit.removesuffix("s") if len(unit) > 3 else unit)
        sound = not formula and unit not in _NO_UNITS and number not in doubtful
        found[number] = quantity if sound and found.get(number, quantity) == quantity else None
    return [quantity for quantity in found.values() if quantity is not None]


def _without_options(question: str) -> str:
    first = _OPTIONS.search(question)
    if first and _SECOND_OPTION.search(question, first.end(), first.end() + MOST_OPTIONS_AFTER):
        return question[: first.start()]
    return question
