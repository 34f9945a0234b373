"""Redundant step: a true statement that nothing uses (MAMath-Bench: plausible, without logical progress)."""

import re
from fractions import Fraction
from itertools import combinations
from random import Random

from stepforge.steps.facts import numbers
from stepforge.variants._base import MOST_TRIES, Chain, Draft, defect, inserted
from stepforge.vocabulary import DefectKind

_NUMBER = re.compile(
    r"(?<![0-9.,A-Za-z_^<\\{(（图∠])[1-9][0-9]{0,4}(?:\.[0-9]{1,2})?(?![0-9A-Za-z_^>}%]|,[0-9]|\.[0-9])"
)
_TRIANGLE = re.compile(r"(?:△|\\triangle ?|[Tt]riangle \$?)([A-Z]) ?([A-Z]) ?([A-Z])(?![A-Z])")
_ENGLISH = (
    "Note that {a} {sign} {b} = {c}, the {noun} of two numbers given in the problem.",
    "The {noun} of the given numbers {a} and {b} is {a} {sign} {b} = {c}.",
)
_CHINESE = ("题目中给出的{a}与{b}的{noun}为{a}{sign}{b}={c}。", "由题意，{a}{sign}{b}={c}，这是题中两个数的{noun}。")
_SIGNS = (("+", "sum", "和"), ("×", "product", "积"))


@defect(DefectKind.REDUNDANT)
def redundant(chain: Chain, rng: Random) -> list[Draft]:
    """Sums and products of given numbers, and angle sums of triangles that the question names, at random places."""
    texts = [*_sums(chain, rng), *_angle_sums(chain)]
    places = range(1, min(len(chain.steps), MOST_TRIES))
    choices = [(subtype, text, at) for subtype, text in texts for at in places]
    rng.shuffle(choices)
    return [
        Draft(subtype, (at,), inserted(chain.steps, at, text), "", text) for subtype, text, at in choices[:MOST_TRIES]
    ]


def _sums(chain: Chain, rng: Random) -> list[tuple[str, str]]:
    given = list(dict.fromkeys(match.group() for match in _NUMBER.finditer(chain.question)))[:12]
    known = {number for text in (chain.question, *chain.steps) for number in numbers(text)}
    chinese = chain.language == "zh"
    found = []
    for a, b in combinations(given, 2):
        for sign, english, chinese_noun in _SIGNS:
            result = Fraction(a) + Fraction(b) if sign == "+" else Fraction(a) * Fraction(b)
            if result in known:
                continue
            words = {"a": a, "b": b, "c": _decimal(result), "sign": sign, "noun": chinese_noun if chinese else english}
            found.append(("unused_calculation", rng.choice(_CHINESE if chinese else _ENGLISH).format(**words)))
    return found


def _decimal(number: Fraction) -> str:
    """Exact decimal text; a product of two numbers with two decimals has at most four."""
    text = f"{number.numerator * 10**4 // number.denominator:05d}"
    return f"{text[:-4]}.{text[-4:]}".rstrip("0").rstrip(".")


def _angle_sums(chain: Chain) -> list[tuple[str, str]]:
    if any("180" in text for text in chain.steps):
        return []  # the chain reasons with angle sums: another one may be of use
    found = []
    for a, b, c in dict.fromkeys(match.groups() for match in _TRIANGLE.finditer(chain.question)):
        if len({a, b, c}) == 3:
            total = f"∠{b}{a}{c}+∠{a}{b}{c}+∠{a}{c}{b}=180°"
            text = f"在△{a}{b}{c}中，{total}。" if chain.language == "zh" else f"In △{a}{b}{c}, {total}."
            found.append(("unused_angle_sum", text))
    return found
