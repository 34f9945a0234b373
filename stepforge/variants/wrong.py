"""Wrong step: one calculation of one step no longer holds (MAMath-Bench: modified operations or numerical results)."""

import re
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from stepforge.arithmetic import Equation, equations
from stepforge.variants._base import MOST_TRIES, Chain, Draft, defect
from stepforge.vocabulary import DefectKind

_NUMBER = re.compile(r"[0-9][0-9,]*(?:\.[0-9]+)?|\.[0-9]+")
_OTHER_SIGN = {"+": "-", "-": "+", "−": "+", "*": "+", "×": "+", "/": "*", "÷": "×"}

MOST_LINKS = 12  # equations of a chain that are tried


@defect(DefectKind.WRONG)
def wrong(chain: Chain, rng: Random) -> list[Draft]:
    """Edits of a result, an operand or an operation in an equation that holds, in random order."""
    links = [link for index, text in enumerate(chain.steps) for link in _links(index, text)]
    rng.shuffle(links)
    drafts = [draft for link in links[:MOST_LINKS] for draft in _of_link(chain, link)]
    rng.shuffle(drafts)
    return drafts[:MOST_TRIES]


class _Link(NamedTuple):
    """An equation that holds, in step `step`; first or last of its chain a = b = c."""

    step: int
    equation: Equation
    first: bool
    last: bool


def _links(index: int, text: str) -> Iterator[_Link]:
    stated = equations(text)
    starts = {equation.start for equation in stated}
    ends = {equation.end for equation in stated}
    for equation in stated:
        if equation.holds is True and _NUMBER.search(equation.lhs, 1):
            last = equation.end - len(equation.rhs) not in starts
            yield _Link(index, equation, equation.start + len(equation.lhs) not in ends, last)


def _of_link(chain: Chain, link: _Link) -> Iterator[Draft]:
    """Edits of the outer ends of a chain of equations, so that no other equation of it changes."""
    equation = link.equation
    if link.last:
        yield from _edits(chain, link.step, (equation.end - len(equation.rhs), equation.end), "result")
    if link.first:
        span = (equation.start, equation.start + len(equation.lhs))
        yield from _edits(chain, link.step, span, "operand")
        yield from _signs(chain, link.step, span)


def _edits(chain: Chain, index: int, span: tuple[int, int], subtype: str) -> Iterator[Draft]:
    text = chain.steps[index]
    found = list(_NUMBER.finditer(text, *span))
    if subtype == "result" and len(found) != 1:
        return
    for match in found:
        if match.start() and text[match.start() - 1] == "^":
            continue
        for slip in _slips(match.group()):
            yield _draft(chain, index, subtype, text[: match.start()] + slip + text[match.end() :])


def _signs(chain: Chain, index: int, span: tuple[int, int]) -> Iterator[Draft]:
    text = chain.steps[index]
    for at in range(span[0] + 1, span[1]):
        if text[at] in _OTHER_SIGN and text[at - 1] not in "(^{":
            yield _draft(chain, index, "operation", text[:at] + _OTHER_SIGN[text[at]] + text[at + 1 :])


def _draft(chain: Chain, index: int, subtype: str, after: str) -> Draft:
    steps = (*chain.steps[:index], after, *chain.steps[index + 1 :])
    return Draft(subtype, (index,), steps, chain.steps[index], after)


def _slips(number: str) -> list[str]:
    """Numbers that a person might write instead: off by one or ten, two digits exchanged; same style."""
    whole, point, decimals = number.partition(".")
    commas = "," in whole
    digits = whole.replace(",", "") + decimals
    if len(digits) > 15 or not digits:
        return []
    n = int(digits)
    others = {n + 1, n - 1, n + 2, n + 10, n - 10, *_transposed(digits)}
    found = []
    for other in sorted(m for m in others if m > 0 and m != n):
        text = str(other).zfill(len(decimals) + (1 if whole else 0))
        head = text[: len(text) - len(decimals)]
        tail = text[len(text) - len(decimals) :]
        found.append((f"{int(head):,}" if commas and head else head) + point + tail)
    return found


def _transposed(digits: str) -> Iterator[int]:
    for i in range(len(digits) - 1):
        if digits[i] != digits[i + 1] and not (i == 0 and digits[1] == "0"):
            yield int(digits[:i] + digits[i + 1] + digits[i] + digits[i + 2 :])
