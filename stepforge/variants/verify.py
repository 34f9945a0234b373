"""Proofs that a chain has exactly the defect it is said to have, from the two chains alone, however it was made."""

import re
from collections.abc import Callable, Sequence

from stepforge.arithmetic import Equation, contradictions, equations
from stepforge.steps.facts import dependencies, numbers
from stepforge.steps.links import links
from stepforge.steps.text import has_content
from stepforge.vocabulary import DefectKind

_ANGLE_SUM = re.compile(r"(?:在|In )△([A-Z]{3})(?:中，|, )∠([A-Z]{3})\+∠([A-Z]{3})\+∠([A-Z]{3})=180°[。.]")
_REMARK = re.compile(
    r"(?:Note that |We also have |注意到|另外，)(?P<a>[0-9.]+) ?(?P<sign>[+×]) ?(?P<b>[0-9.]+) ?= ?[0-9.]+[.。]"
)
_NO_QUANTITY_BEFORE = re.compile(
    r"(?:[/:：∶^_+*×÷<>\-−–~(（\[∠△√第图表题]|[\^_]\{|\\[dt]?frac ?\{?|\}\{|\\[a-z]{2,8}|[0-9]|[^A-Z] ?="
    r"|(?i:fig(?:ure)?s?|diagram|table|question|step|part|statement|option|picture|grade|page|case|route|no)\.?"
    r"|\d ?(?:x|X|to|by)"
    r"|(?:^|\n)[A-H][.．)）、:：][^\n]{0,20})[ $]{0,2}$|[.,]$"
)
_NO_QUANTITY_AFTER = re.compile(
    r"(?:[.,]?[0-9]|[ $]{0,2}(?:[/:：∶^+*×÷<>=\-−–~%)）\]}°]|\\(?!mathrm|text|[,;:! ]|\$|rm)|[0-9]+/[0-9]"
    r"|percent|degree|times\b|st\b|nd\b|rd\b|th\b|[xX][ ]|out of|to [0-9]|by [0-9]|[ap]\.?m\b|[.)、．] ?$))"
)


def verified_by(
    kind: DefectKind,
    original: Sequence[str],
    changed: Sequence[str],
    location: Sequence[int],
    question: str,
    options: Sequence[str] = (),
) -> str | None:
    """Name of the proof that `changed` is `original` with this one defect at this place; None if it is not proved.
    original: a sound chain.  Both without calculator marks.  options: the texts of the question's choices."""
    if len(set(original)) != len(original) or any(_false(text) for text in original):
        return None
    question = "\n".join((question, *(f"{letter}. {text}" for letter, text in zip("ABCDEFGH", options, strict=False))))
    return _PROOFS[kind](list(original), list(changed), tuple(location), question)


def _false(text: str) -> bool:
    return any(e.holds is False for e in equations(text)) or bool(contradictions(text))


def _wrong(original: list[str], changed: list[str], location: tuple[int, ...], _question: str) -> str | None:
    if len(original) != len(changed) or len(location) != 1 or not 0 <= location[0] < len(original):
        return None
    if [i for i, (a, b) in enumerate(zip(original, changed, strict=True)) if a != b] != list(location):
        return None
    before, after = equations(original[location[0]]), equations(changed[location[0]])
    if len(before) != len(after):
        return None
    differing = [(a, b) for a, b in zip(before, after, strict=True) if _sides(a) != _sides(b)]
    if len(differing) != 1 or differing[0][0].holds is not True or differing[0][1].holds is not False:
        return None
    inside = _outside(original[location[0]], differing[0][0]) == _outside(changed[location[0]], differing[0][1])
    return "exact_arithmetic" if inside else None


def _sides(equation: Equation) -> tuple[str, str]:
    return equation.lhs, equation.rhs


def _outside(text: str, equation: Equation) -> tuple[str, str]:
    return text[: equation.start], text[equation.end :]


def _without(changed: list[str], location: tuple[int, ...]) -> tuple[list[str], str] | None:
    if len(location) != 1 or not 0 <= location[0] < len(changed):
        return None
    at = location[0]
    return changed[:at] + changed[at + 1 :], changed[at]


def _redundant(original: list[str], changed: list[str], location: tuple[int, ...], question: str) -> str | None:
    parts = _without(changed, location)
    if parts is None or parts[0] != original or parts[1] in original:
        return None
    text, at = parts[1], location[0]
    stated = equations(text)
    if (remark := _REMARK.fullmatch(text)) and len(stated) == 1 and stated[0].holds:
        if not all(_stands_alone(number, question) for number in remark.group("a", "b")):
            return None
        results = {number for equation in stated for number in numbers(equation.rhs)}
        known = {number for other in (question, *original) for number in numbers(other)}
        if results & known:
            return None  # somebody states or may use this result
        proof = "exact_arithmetic_and_unused"
    elif _is_angle_sum(text, question) and not any("180" in other for other in original):
        proof = "angle_sum_and_unused"
    else:
        return None
    used = any(at in edges for edges in dependencies(changed, question))
    return None if used or at >= len(original) else proof


def _stands_alone(number: str, question: str) -> bool:
    """Whether the question has the number, and wherever it has it, as a quantity: no option, part of a fraction, power,
    index, label of a figure or step, ratio, percentage or angle."""
    places = [match.span() for match in re.finditer(rf"(?<![0-9.]){re.escape(number)}(?![0-9]|\.[0-9])", question)]
    return bool(places) and not any(
        _NO_QUANTITY_BEFORE.search(question, max(0, start - 30), start) or _NO_QUANTITY_AFTER.match(question, end)
        for start, end in places
    )


def _is_angle_sum(text: str, question: str) -> bool:
    """The three angles of a triangle that the question names."""
    match = _ANGLE_SUM.fullmatch(text)
    if match is None:
        return False
    name, *angles = match.groups()
    corners = {angle[1] for angle in angles}
    whole = all(set(angle) == set(name) for angle in angles) and len(set(name)) == 3 and corners == set(name)
    return whole and re.search(rf"[△e] ?\$?{' ?'.join(name)}(?![A-Z])", question) is not None


def _repeated(original: list[str], changed: list[str], location: tuple[int, ...], _question: str) -> str | None:
    parts = _without(changed, location)
    if parts is None or parts[0] != original or parts[1] not in changed[: location[0]] or not has_content(parts[1]):
        return None
    return "exact_copy"


def _missing(original: list[str], changed: list[str], location: tuple[int, ...], question: str) -> str | None:
    """The next step cannot do without it, and it is the first or cannot do without the one before: one place only."""
    parts = _without(original, location)
    if parts is None or parts[0] != changed:
        return None
    at, needs = location[0], links(original, question)
    needed = at + 1 < len(original) and at in needs[at + 1]
    return "dependent_step" if needed and (at == 0 or at - 1 in needs[at]) else None


def _swapped(original: list[str], changed: list[str], location: tuple[int, ...], question: str) -> str | None:
    if len(location) != 2 or len(original) != len(changed):
        return None
    i, j = sorted(location)
    if not 0 <= i < j < len(original):
        return None
    back = list(changed)
    back[i], back[j] = back[j], back[i]
    if back != original or original[i] == original[j]:
        return None
    if i not in links(original, question)[j]:
        return None
    return "dependent_pair" if _one_exchange(i, j, dependencies(original, question)) else None


def _one_exchange(i: int, j: int, uses: list[tuple[int, ...]]) -> bool:
    """Whether exchanging i and j again is the only exchange after which every step follows those that it uses.
    Any other that does it moves one of the two, since j stands before i."""
    order = list(range(len(uses)))
    order[i], order[j] = j, i
    others = ((a, b) for a in (i, j) for b in range(len(uses)) if b not in (i, j))
    return not any(_in_order(order, a, b, uses) for a, b in others)


def _in_order(order: list[int], a: int, b: int, uses: list[tuple[int, ...]]) -> bool:
    place = {step: at for at, step in enumerate(order)}
    place[order[a]], place[order[b]] = b, a
    return all(place[used] < place[step] for step, edges in enumerate(uses) for used in edges)


_PROOFS: dict[DefectKind, Callable[[list[str], list[str], tuple[int, ...], str], str | None]] = {
    DefectKind.WRONG: _wrong,
    DefectKind.REDUNDANT: _redundant,
    DefectKind.REPEATED: _repeated,
    DefectKind.MISSING: _missing,
    DefectKind.SWAPPED: _swapped,
}
