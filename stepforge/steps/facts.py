"""What a step states and what it uses: numbers, relations and valued objects, so that steps depend on one another.

A dependence is a number or relation that an earlier step concluded and this one uses; the latest that concluded it
counts.  Numbers that the question gives make no dependence, nor does a letter that no step has introduced.  A ∴ with no
∵ before it depends on the step before it; `Then …` and `So …` alone do not: they also go on with a list.
Limits: no coreference (`that many`), and in geometry only literal relations and computed lengths are followed.
"""

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from stepforge.arithmetic import Equation, equations, value
from stepforge.steps.text import clean

_UNICODE = (
    (r"\\angle|∡", "∠"), (r"\\triangle|\\bigtriangleup|Δ(?=[A-Z])", "△"), (r"\\perp|\\bot", "⊥"), (r"\\odot|☉", "⊙"),
    (r"\\parallel|//|\\\|", "∥"), (r"\\sim\b", "∽"), (r"\\cong\b|≅", "≌"), (r"\\therefore", "∴"), (r"\\because", "∵"),
    (r"\\leqs?lant|\\leq?\b", "≤"), (r"\\geqs?lant|\\geq?\b", "≥"), (r"\\neq?\b", "≠"), (r"\\sqrt", "√"),
    (r"\\(?:mathrm|text|mathbf|operatorname|overline|overrightarrow)\b", ""), (r"\\circ", "°"), (r"\\left|\\right", ""),
    (r"\\[()\[\],;! ]|\$", " "),
)  # fmt: skip
_TIMES = re.compile(
    r"(?:(?<=[0-9)%}])[ ]?|(?<=[A-Za-z%)0-9}][ ]))[xX×](?=[ ]?(?:\\?[$£€])?[ ]?\.?[0-9])(?=[ ]|[0-9.$£€\\])"
    r"|(?<=[0-9)%}][ ])[xX](?=[ ]\()"
)
_UNIT = re.compile(  # \mathrm{~m}, 5 \text{ s}: no unknowns
    r"\\(?:mathrm|text|rm)[ ]?\{(?:[~ ]|\\[,;: ])+[A-Za-z]{1,3}(?:\^?\{?[23]\}?)?[ ]?\}"
    r"|(?<=[0-9}) ])\\(?:text|mathrm)[ ]?\{[ ]?(?:[kcdm]?m|k?g|min|[shtL])[ ]?\}(?![ ]?[=+(])"
)
_AXIS = re.compile(r"\b[a-z][ ]?-[ ]?(?:axis|axes|coordinates?|intercepts?)\b|(?<![A-Za-z])[a-z](?=轴|坐标)")
_REWRITES = tuple((re.compile(pattern), text) for pattern, text in _UNICODE)
_SPACED_POINTS = re.compile(r"(?<![A-Za-z])([A-Z])[ ](?=[A-Z](?![a-z]))")
_NOISE = re.compile(r"[\u4e00-\u9fff]+|\b(?!sin|cos|tan|cot|log|frac)[A-Za-z]?[a-z]{2,}\b|[，,；;。：:\n∵∴、?!？]+|\. ")
_RELATION = re.compile(r"([=＝⊥∥∽≌<>≤≥≠≈])")
_OBJECT = re.compile(r"∠[A-Z0-9α-ω]{1,3}|△[A-Z]{3}|⊙[A-Z]|[A-Z]{2}|(?:sin|cos|tan)∠?[A-Z]{1,3}|[a-zA-Zα-ω]")
_NUMBER = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?|(?<![0-9])\.[0-9]+")
_SYMBOL = re.compile(r"(?<![A-Za-z\\'’])[b-hj-z](?![A-Za-z'’])")  # not the words a and i, nor that's
_UNKNOWN = re.compile(r"(?<![A-Za-z\\])[A-Za-z](?![A-Za-z])")
_DEFINES = re.compile(
    r"(?:\b(?:[Ll]et(?!['’])|[Ss]uppose|[Aa]ssume|[Dd]enote|[Dd]efine)\b|\bwhere\b|设|令|记)([^.。;；\n]{1,100})"
)
# What a number may be without being one: an exponent, an index, an angle's name, an equation's or a figure's number
_LABELS = re.compile(
    r"[\^_][ ]?\{?[ ]?-?[0-9]+[ ]?\}?|∠[ ]?[0-9]+|[(（][0-9][)）]|frac[ ]?\{?[ ]?1[ ]?\}?[ ]?\{?[ ]?[0-9][ ]?\}?"
    r"|(?:[Ff]igs?(?:ure)?s?|[Ee]quations?|[Ss]tep|[Cc]ase|[Pp]art|[Oo]ption|[Qq]uestion|图)\.?[ ]?[(（]?[0-9]+"
)
_WORDS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "twice": 2, "double": 2, "triple": 3, "half": 2, "third": 3, "thirds": 3, "quarter": 4,
    "dozen": 12, "pair": 2, "week": 7, "hour": 60, "day": 24, "year": 12, "fourth": 4, "fifth": 5, "once": 1,
}  # fmt: skip
_COMMAND = re.compile(r"\\[A-Za-z]+|(?:sin|cos|tan|cot)∠?[A-Z0-9]{0,3}")
_NO_OBJECTS = frozenset({"π", "e", "i"})
_GEOMETRY = re.compile(r"[∠△⊙☉⊥∥∽≌□▱]|\\(?:angle|triangle|perp|parallel|odot)")
_TRIVIAL = frozenset(map(Fraction, (0, 1, 2, 3, 4, 90, 180, 360)))  # every geometry step may say them
_THEREFORE = re.compile(r"∴|所以|因此|\bTherefore\b|\bHence\b|\bThus\b|(?:^|[.\n] ?)So\b|\bwe (?:get|have|obtain)\b")
_BECAUSE = re.compile(r"∵|因为|由于|又|\b(?:Since|Because|As|Given|From|If|When)\b|在|设")
_FOLLOWS_ON = re.compile(
    r"[(（]?(?:∴|所以|因此|故|从而|于是|则|Therefore|Thus|Hence|This (?:means|gives|implies)|That means|即)"
)
MAX_DIGITS = 100  # of one number
MAX_SIDES = 8
MAX_RELATIONS = 60  # of one step; a longer one is no reasoning step


Key = tuple[str | Fraction, ...]
"""A comparable fact: ("number", 18), ("value", "AC"), ("symbol", "x"), or a relation as ("∥", "AB", "CD")."""


class Facts(NamedTuple):
    """What one step concludes and uses, as comparable keys."""

    concluded: frozenset[Key]
    used: frozenset[Key]
    follows_on: bool  # begins with a conclusion, so it rests on the step before
    proved: frozenset[Key]  # of `concluded`: worked out, deduced or introduced here, not only said
    spent: tuple[frozenset[Key], ...]  # valued objects that each of its calculations computes with


def is_geometric(text: str) -> bool:
    """Whether the text speaks of angles, triangles or circles by their signs."""
    return _GEOMETRY.search(text) is not None


def plain(text: str) -> str:
    """LaTeX signs of relations and figures as Unicode, points written together, calculator marks removed."""
    text = _UNIT.sub(" ", _TIMES.sub("×", clean(text)))
    for pattern, sign in _REWRITES:
        text = pattern.sub(sign, text)
    return _SPACED_POINTS.sub(r"\1", _AXIS.sub(" ", text))


def split_reason(text: str) -> tuple[str, str]:
    """Premise part and conclusion part of a step, as written in `text` (already `plain`); the premise may be empty."""
    last = None
    for match in _THEREFORE.finditer(text):
        last = match
    if last is None:
        return "", text
    return text[: last.start()], text[last.end() :]


def numbers(text: str) -> list[Fraction]:
    """The numbers written in digits, in order; longer ones than any reasoning has are passed over."""
    written = (match.group().replace(",", "") for match in _NUMBER.finditer(text))
    return [Fraction(literal) for literal in written if len(literal) <= MAX_DIGITS]


def given_numbers(question: str) -> frozenset[Fraction]:
    """Numbers that a question gives, in digits or as words."""
    words = (_WORDS.get(word) for word in re.findall(r"[a-z]+", question.lower()))
    return frozenset([*numbers(question), *(Fraction(word) for word in words if word)])


def _canonical(side: str) -> str:
    side = re.sub(r"[\s{}]+", "", side).strip(".()（）")
    side = re.sub(r"∠([A-Z])([A-Z])([A-Z])", lambda m: "∠" + min(m[1] + m[2] + m[3], m[3] + m[2] + m[1]), side)
    side = re.sub(r"△([A-Z]{3})", lambda m: "△" + "".join(sorted(m[1])), side)
    return re.sub(r"(?<![A-Z∠△])([A-Z])([A-Z])(?![A-Z])", lambda m: "".join(sorted(m[1] + m[2])), side)


def _relations(text: str) -> list[tuple[list[str], list[str]]]:
    """(sides, signs) of each relation chain in `plain` text."""
    found = []
    for run in _NOISE.sub("\n", text).split("\n"):
        pieces = _RELATION.split(run)
        if len(pieces) < 3:
            continue
        sides = [_canonical(piece) for piece in pieces[0::2]][:MAX_SIDES]
        found.append((sides, pieces[1::2]))
    return found[:MAX_RELATIONS]


def _proved_keys(premise: str, conclusion: str) -> set[Key]:
    """Relations that a conclusion adds to its premise; of `AB = BC = 3` those with its first side."""
    keys = _keys(conclusion) - _keys(premise)
    for sides, signs in _relations(conclusion):
        if set(signs) <= {"=", "＝"}:
            keys -= {("=", *sorted(pair)) for pair in combinations(sides[1:], 2) if sides[0] not in pair}
    return {key for key in keys if not any(str(side).endswith("\\") for side in key)}


def _keys(text: str) -> set[Key]:
    """Comparable relations: unordered pairs of equal sides, or two sides with another sign."""
    keys: set[Key] = set()
    for sides, signs in _relations(text):
        if set(signs) <= {"=", "＝"}:
            keys |= {("=", *sorted(pair)) for pair in combinations(sides, 2) if all(pair)}
        else:
            triples = zip(sides, signs, sides[1:], strict=False)
            keys |= {(sign, *sorted((a, b))) for a, sign, b in triples if a and b}
    return keys


def _known_value(side: str) -> bool:
    return re.search(r"[0-9]", side) is not None and re.fullmatch(r"[0-9.√π°²/+\-×*()]+", side) is not None


def _valued(text: str) -> tuple[dict[Key, set[str]], list[frozenset[Key]]]:
    """Objects that get a value here (`AC = … = 8`) with it, and the objects that each calculation with a value computes
    with: a side of three or more, as in `AC = AB + BC = 8`; `AB + BC = 8` alone computes nothing."""
    gained: dict[Key, set[str]] = {}
    spent: list[frozenset[Key]] = []
    for sides, signs in _relations(text):
        if not set(signs) <= {"=", "＝"} or not any(_known_value(side) for side in sides):
            continue
        known = {side for side in sides if _known_value(side)}
        for side in sides:
            if _OBJECT.fullmatch(side):
                gained.setdefault(("value", side), set()).update(known)
        if len(sides) > 2:
            names = (_OBJECT.findall(_COMMAND.sub(" ", side)) for side in sides if not _OBJECT.fullmatch(side))
            spent += [frozenset(("value", name) for name in found if name not in _NO_OBJECTS) for found in names]
    return gained, spent


def _symbols(text: str) -> set[Key]:
    """Unknowns that the relations are about."""
    return {("symbol", name) for sides, _ in _relations(text) for side in sides for name in _SYMBOL.findall(side)}


def defined_symbols(text: str) -> set[Key]:
    """Unknowns that `plain` text introduces: Let x be …, 设x为…."""
    return {("symbol", name) for clause in _DEFINES.findall(text) for name in _SYMBOL.findall(clause)}


def calculated(stated: Sequence[Equation]) -> set[Fraction]:
    """Numbers that an equation works out from others, rather than states."""
    found = {value(e.rhs) for e in stated if len(numbers(e.rhs)) == 1 and len(numbers(_LABELS.sub(" ", e.lhs))) > 1}
    return {number for number in found if number is not None}


def _results(text: str, stated: Sequence[Equation]) -> tuple[set[Fraction], set[Fraction]]:
    """(results, operands): numbers that the equations give, and all other numbers of the text but those that stand with
    an unknown, as in `4t - 8`."""
    hidden = list(_LABELS.sub(lambda match: " " * len(match.group()), text))
    results: set[Fraction] = set()
    for equation in stated:
        middle = equation.end - len(equation.rhs)
        result = value(equation.rhs)
        if result is not None and len(numbers(equation.rhs)) == 1:
            results.add(result)
            hidden[middle : equation.end] = " " * len(equation.rhs)
        for side, start in ((equation.lhs, equation.start), (equation.rhs, middle)):
            if _UNKNOWN.search(side):
                hidden[start : start + len(side)] = " " * len(side)
    return results, set(numbers("".join(hidden))) - results


def facts(text: str, given: frozenset[Fraction], seen: frozenset[Fraction]) -> Facts:
    """What a step concludes and uses.  given: numbers of the question.  seen: numbers that earlier steps concluded."""
    text = plain(text)
    geometric = is_geometric(text)
    premise, conclusion = split_reason(text)
    stated = [e for e in equations(text) if not e.marked]
    results, operands = _results(text, stated)
    if not stated:
        results, operands = operands - seen, operands & seen
    ignored = given | _TRIVIAL if geometric else given
    gained, spent = _valued(text)
    defined = defined_symbols(text)
    concluded = {*_keys(conclusion), *gained, *defined, *(("number", n) for n in results - ignored)}
    used = _keys(premise) | frozenset[Key]().union(*spent) - gained.keys()
    used |= _symbols(text) - defined | {("number", n) for n in operands - ignored}
    opening = _FOLLOWS_ON.match(text.strip()) is not None and not _BECAUSE.search(premise)
    proved = _proved(text, stated, gained, given) | defined
    return Facts(frozenset(concluded), frozenset(used), opening, frozenset(proved & concluded), tuple(spent))


def _proved(
    text: str, stated: Sequence[Equation], gained: dict[Key, set[str]], given: frozenset[Fraction]
) -> set[Key]:  # fmt: skip
    """Calculated numbers; new values, where the text calculates or concludes; new relations, where it concludes."""
    found: set[Key] = {("number", n) for n in calculated(stated)}
    reasoned = _THEREFORE.search(text) is not None
    if found or reasoned:
        found |= {key for key, sides in gained.items() if not any(value(side) in given for side in sides)}
    return found | _proved_keys(*split_reason(text)) if reasoned else found


def question_keys(question: str) -> frozenset[Key]:
    """Relations, valued objects and unknowns that the question itself has."""
    text = plain(question)
    letters = {("symbol", name) for name in _SYMBOL.findall(text)}
    return frozenset({*_keys(text), *_valued(text)[0], *letters})


def chain_facts(texts: Sequence[str], question: str) -> list[Facts]:
    """The facts of each step of one chain."""
    given = given_numbers(question)
    seen: set[Fraction] = set()
    found = []
    for text in texts:
        step = facts(text, given, frozenset(seen))
        found.append(step)
        seen |= {number for kind, number, *_ in step.concluded if kind == "number" and isinstance(number, Fraction)}
    return found


def dependencies(texts: Sequence[str], question: str) -> list[tuple[int, ...]]:
    """For each step of one chain, the indices of earlier steps whose result it uses, ascending."""
    latest: dict[Key, int] = {}
    found: list[tuple[int, ...]] = []
    for index, (text, step) in enumerate(zip(texts, chain_facts(texts, question), strict=True)):
        edges = {latest[key] for key in step.used if key in latest}
        if step.follows_on and index and (is_geometric(text) or "∴" in plain(text) or not edges):
            edges.add(index - 1)
        found.append(tuple(sorted(edges)))
        latest |= dict.fromkeys(step.concluded, index)
    return found
