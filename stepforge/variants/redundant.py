"""Redundant step: a true statement that nothing uses (MAMath-Bench: plausible, without logical progress)."""

import re
from fractions import Fraction
from itertools import combinations
from random import Random

from stepforge.steps.facts import numbers
from stepforge.variants._base import MOST_TRIES, Chain, Draft, defect, inserted
from stepforge.variants.quantities import quantities
from stepforge.vocabulary import DefectKind

_TRIANGLE = re.compile(r"(?:△|\\triangle ?|[Tt]riangle \$?)([A-Z]) ?([A-Z]) ?([A-Z])(?![A-Z])")
_ENGLISH = ("Note that {a} {sign} {b} = {c}.", "We also have {a} {sign} {b} = {c}.")
_CHINESE = ("注意到{a}{sign}{b}={c}。", "另外，{a}{sign}{b}={c}。")


@defect(DefectKind.REDUNDANT)
def redundant(chain: Chain, rng: Random) -> list[Draft]:
    """Sums of given quantities of one unit and products, as remarks that claim nothing about the problem; angle sums of
    triangles that the question names.  At random places."""
    texts = [*_sums(chain, rng), *_angle_sums(chain)]
    places = range(1, min(len(chain.steps), MOST_TRIES))
    choices = [(subtype, text, at) for subtype, text in texts for at in places]
    rng.shuffle(choices)
    return [
        Draft(subtype, (at,), inserted(chain.steps, at, text), "", text) for subtype, text, at in choices[:MOST_TRIES]
    ]


def _sums(chain: Chain, rng: Random) -> list[tuple[str, str]]:
    known = {number for text in (chain.question, *chain.options, *chain.steps) for number in numbers(text)}
    wordings = _CHINESE if chain.language == "zh" else _ENGLISH
    found = []
    for a, b in combinations(quantities(chain.question)[:12], 2):
        first, second = Fraction(a.number), Fraction(b.number)
        results = {"+": first + second} if a.unit == b.unit else {}
        if a.unit != b.unit or not a.unit:  # a product of two prices or two ages is no quantity
            results["×"] = first * second
        for sign, result in results.items():
            if result not in known:
                words = {"a": a.number, "b": b.number, "c": _decimal(result, a.number, b.number), "sign": sign}
                found.append(("unused_calculation", rng.choice(wordings).format(**words)))
    return found


def _decimal(number: Fraction, *operands: str) -> str:
    """Exact decimal text, with cents where the operands have them; a product of two such has at most four decimals."""
    text = f"{number.numerator * 10**4 // number.denominator:05d}"
    exact = f"{text[:-4]}.{text[-4:]}".rstrip("0")
    places = max(len(operand.partition(".")[2]) for operand in operands)
    whole, _, decimals = exact.partition(".")
    decimals = decimals.ljust(places, "0")
    return f"{whole}.{decimals}" if decimals else whole


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
