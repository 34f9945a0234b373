"""Dependences that hold for certain: which steps cannot stand before another, or be left out before it."""

from collections.abc import Sequence
from fractions import Fraction

from stepforge.steps.facts import Key, chain_facts, numbers, plain, question_keys

# Numbers that a step may use for another reason than that a step before it gave them: counts and conversions
_ANYWHERE = frozenset(map(Fraction, (0, 1, 2, 4, 7, 10, 12, 24, 52, 60, 90, 100, 180, 360, 365, 1000)))


def links(texts: Sequence[str], question: str) -> list[tuple[int, ...]]:
    """For each step of one chain, the indices of earlier steps that it cannot do without, ascending: it uses a number,
    value or relation that this one step worked out, or an unknown that this one introduced, and neither the question
    nor another step before it has.  A subset of the dependences: an opening `Therefore` proves nothing here."""
    facts = chain_facts(texts, question)
    given = question_keys(question)
    first_said = _first_said(texts)
    sources: dict[Key, list[int]] = {}
    valued = set(given)
    found: list[tuple[int, ...]] = []
    for index, step in enumerate(facts):
        edges = set()
        for key in step.used - given - step.concluded:
            match sources.get(key, []):
                case [only] if key in facts[only].proved and _only_from(key, only, first_said):
                    if key[0] != "value" or any(key in names and names <= valued for names in step.spent):
                        edges.add(only)
        found.append(tuple(sorted(edges)))
        valued |= step.concluded
        for key in step.concluded:
            sources.setdefault(key, []).append(index)
    return found


def _first_said(texts: Sequence[str]) -> dict[Fraction, int]:
    said: dict[Fraction, int] = {}
    for index, text in enumerate(texts):
        for number in numbers(plain(text)):
            said.setdefault(number, index)
    return said


def _only_from(key: Key, source: int, first_said: dict[Fraction, int]) -> bool:
    number = key[1]
    return not isinstance(number, Fraction) or (number not in _ANYWHERE and first_said.get(number, source) >= source)
