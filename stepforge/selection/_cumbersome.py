"""Problems that are "computationally cumbersome but logically simple" (MAMath-Bench, dataset filtering).

The paper names the rule and leaves it to experts.  Here it is what can be told for certain: the question is a bare
calculation (a word that says so, numbers and operators, nothing else), its numbers are so many and so long that working
them out is drudgery, and its terms follow no law that would spare it.  Whatever has an unknown, a condition or a story
is kept.
"""

import re
from itertools import pairwise

from stepforge.records import Problem
from stepforge.selection._finding import Check, Finding, Wanted
from stepforge.selection._limits import MIN_DIGITS, MIN_OPERATORS
from stepforge.vocabulary import Reason

MAX_CHARS = 2000  # of a calculation

_ORDER = re.compile(
    r"\b(?:please|compute|calculate|evaluate|work out|find|determine|simplify|what is|what's|the"
    r"|value|result|sum|product|of|and|answer"
    r"|expression|following|in|simplest|form|your|as|a|decimal|integer|fraction|express|give|exactly"
    r"|exact|to|times|plus|minus|divided"
    r"|by)\b|计算|求值|求|下列|各[题式]|的值|简便|脱式|直接写出|得数|结果|等于多少|等于|是多少|多少",
    re.IGNORECASE,
)
_OPERATORS = re.compile(r"[-+*/×÷·^]|\\(?:times|cdot|div|d?frac|sqrt)\b")
_LATEX = re.compile(r"\\(?:times|cdot|div|d?frac|sqrt|left|right|[,;!: ]|\(|\)|\[|\]|displaystyle)")
_DOTS = re.compile(r"\.\.\.|…|\\[lc]?dots")
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_REST = re.compile(r"[-\d\s.,，。、;；:：?？!！=＝()（）\[\]{}$+*/×÷·^%|<>①-⑳]+")


def _terms_follow_a_law(numbers: list[str]) -> bool:
    """Whether a number comes again and again, or the numbers run in even steps: a common factor, a "
    "telescope, a series."""
    values = [float(n.replace(",", "")) for n in numbers]
    steps = {round(b - a, 9) for a, b in pairwise(values)}
    return len(set(values)) <= 0.7 * len(values) or len(steps) <= max(2, len(values) // 3)


def _cumbersome(problem: Problem, wanted: Wanted) -> Finding | None:
    text = problem.question
    if wanted.keep_calculations or problem.images or problem.choices or len(text) > MAX_CHARS:
        return None
    operators = len(_OPERATORS.findall(text))
    if operators < MIN_OPERATORS:
        return None
    numbers = _NUMBER.findall(text)
    digits = sum(c.isdigit() for number in numbers for c in number)
    if digits < MIN_DIGITS or _REST.sub("", _LATEX.sub("", _ORDER.sub("", text))):
        return None
    if _DOTS.search(text) or _terms_follow_a_law(numbers):
        return None
    detail = (
        f"a bare calculation of {operators} operators on {digits} digits: cumbersome, but logically simple; drop it, "
        "or keep such ones with keep_calculations"
    )
    return Finding(Reason.CUMBERSOME_CALCULATION, detail, text)


BURDEN_RULES: tuple[Check, ...] = (_cumbersome,)
