"""Proofs that a chain has exactly the defect it is said to have, from the two chains alone, however it was made."""

import re
from collections.abc import Callable, Sequence

from stepforge.arithmetic import Equation, equations
from stepforge.steps.facts import dependencies, numbers
from stepforge.vocabulary import DefectKind

_ANGLE_SUM = re.compile(r"(?:在|In )△([A-Z]{3})(?:中，|, )∠([A-Z]{3})\+∠([A-Z]{3})\+∠([A-Z]{3})=180°[。.]")


def verified_by(
    kind: DefectKind, original: Sequence[str], changed: Sequence[str], location: Sequence[int], question: str
) -> str | None:
    """Name of the proof that `changed` is `original` with this one defect at this place; None if it is not proved.
    original: a sound chain.  Both without calculator marks."""
    if len(set(original)) != len(original) or any(e.holds is False for text in original for e in equations(text)):
        return None
    return _PROOFS[kind](list(original), list(changed), tuple(location), question)


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
    if stated and all(equation.holds for equation in stated):
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
    if parts is None or parts[0] != original or parts[1] not in changed[: location[0]]:
        return None
    return "exact_copy"


def _missing(original: list[str], changed: list[str], location: tuple[int, ...], question: str) -> str | None:
    parts = _without(original, location)
    if parts is None or parts[0] != changed:
        return None
    return "dependent_step" if any(location[0] in edges for edges in dependencies(original, question)) else None


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
    return "dependent_pair" if i in dependencies(original, question)[j] else None


_PROOFS: dict[DefectKind, Callable[[list[str], list[str], tuple[int, ...], str], str | None]] = {
    DefectKind.WRONG: _wrong,
    DefectKind.REDUNDANT: _redundant,
    DefectKind.REPEATED: _repeated,
    DefectKind.MISSING: _missing,
    DefectKind.SWAPPED: _swapped,
}
