r"""Geometric facts in a canonical form, so that two ways of writing one fact are one.

A fact is `name(argument, argument)` or an infix relation: `AB ∥ CD`, `AB \perp CD`, `∠ABC = ∠DEF`, `△ABC ≅ △DEF`.
Canonical: segments and lines without direction (AB is BA), angles by their vertex (∠ABC is ∠CBA), symmetric relations
without order, similar and congruent triangles with their vertices in corresponding order; words in lower case.
"""

import re
from collections.abc import Hashable

MAX_CHARS = 400

_PREFIX = re.compile(r"([A-Za-z_][\w -]{0,60}?)\s*\((.*)\)", re.DOTALL)
_INFIX = re.compile(r"(∥|//|⊥|≅|≌|∽|~|∼|=|∈|\bis parallel to\b|\bis perpendicular to\b|\bon\b)")
_LATEX = {
    "\\parallel": "∥", "\\perp": "⊥", "\\cong": "≅", "\\sim": "∽", "\\angle": "∠", "\\triangle": "△", "\\in": "∈",
    "\\overline": "", "\\overrightarrow": "→", "\\odot": "⊙", "^\\circ": "°", "\\left": "", "\\right": "",
}  # fmt: skip
_CHARACTERS = str.maketrans("′（），", "'(),", "{}$")
_NAMES = {
    "∥": "parallel", "//": "parallel", "is parallel to": "parallel", "⊥": "perpendicular", "≅": "congruent",
    "is perpendicular to": "perpendicular", "≌": "congruent", "∽": "similar", "~": "similar", "∼": "similar",
    "=": "equal", "equals": "equal", "eq": "equal", "∈": "on", "lies on": "on", "point on": "on",
    "perp": "perpendicular",
}  # fmt: skip
SYMMETRIC = frozenset(
    ["parallel", "perpendicular", "equal", "congruent", "similar", "intersect", "intersects", "collinear", "concyclic",
     "adjacent", "tangent", "supplementary", "complementary", "equidistant", "coincide"]
)  # fmt: skip
_CORRESPONDING = frozenset({"congruent", "similar"})
_POINT = r"[A-Z][0-9]*'*"
_POINTS = re.compile(_POINT)
_BRACKETED = re.compile(r"(angle|triangle|line|segment|arc|quadrilateral)\s*\((.*)\)", re.IGNORECASE)
_NAMED = re.compile(rf"(∠|△|angle|triangle|line|segment|arc|quadrilateral)?\s*((?:{_POINT}){{1,8}})")


def fact(text: str) -> Hashable:
    """The canonical form of a fact; of what reads like none, the text in lower case with single spaces."""
    plain = " ".join(_unlatex(text[:MAX_CHARS]).split()).rstrip(".;。")
    match = _PREFIX.fullmatch(plain)
    if match:
        return _relation(" ".join(re.split(r"[\s_-]+", match[1].lower())), _arguments(match[2]))
    pieces = [piece.strip() for piece in _INFIX.split(plain, maxsplit=1)]
    if len(pieces) == 3 and pieces[0] and pieces[2]:
        return _relation(pieces[1], [pieces[0], pieces[2]])
    return plain.casefold()


def _unlatex(text: str) -> str:
    for command, sign in sorted(_LATEX.items(), reverse=True):
        text = text.replace(command, sign)
    return text.translate(_CHARACTERS)


def _arguments(text: str) -> list[str]:
    """Parts between commas that are in no brackets."""
    parts, depth, start = [], 0, 0
    for k, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 0:
            parts.append(text[start:k])
            start = k + 1
    return [part.strip() for part in [*parts, text[start:]]]


def _relation(name: str, arguments: list[str]) -> Hashable:
    name = _NAMES.get(name, name)
    if name in _CORRESPONDING and len(arguments) == 2:
        pair = _corresponding(*arguments)
        if pair is not None:
            return (name, *pair)
    forms = [thing(argument) for argument in arguments]
    return (name, *(sorted(forms, key=repr) if name in SYMMETRIC else forms))


def _corresponding(one: str, other: str) -> tuple[Hashable, ...] | None:
    """Pairs of corresponding vertices: △ABC ≅ △DEF is △BAC ≅ △EDF and △DEF ≅ △ABC."""
    first, second = _named(one), _named(other)
    if first is None or second is None or len(first[1]) != len(second[1]) or len(first[1]) < 3:
        return None
    return tuple(min(sorted(zip(a[1], b[1], strict=True)) for a, b in ((first, second), (second, first))))


def _named(text: str) -> tuple[str, list[str]] | None:
    """Kind ("" if none is said) and points of an object that is named by its points: ∠ABC, triangle(A, B, C), AB."""
    plain = " ".join(_unlatex(text[:MAX_CHARS]).split())
    inner = _BRACKETED.fullmatch(plain)
    if inner:
        plain = f"{inner[1].lower()} {''.join(part.strip() for part in inner[2].split(','))}"
    match = _NAMED.fullmatch(plain)
    return (match[1] or "", _POINTS.findall(match[2])) if match else None


def thing(text: str) -> Hashable:
    """The canonical form of an object: a point, segment, angle, triangle, arc; else its text in lower case."""
    named = _named(text)
    if named is None:
        return " ".join(_unlatex(text[:MAX_CHARS]).split()).casefold()
    kind, points = named
    either_way = tuple(min(points, points[::-1]))
    if kind in {"∠", "angle"} or (not kind and len(points) == 3):
        return ("angle", either_way)
    if kind in {"△", "triangle"}:
        return ("triangle", tuple(sorted(points)))
    if len(points) == 2:
        return ("arc" if kind == "arc" else "segment", either_way)
    return (kind or "points", either_way if kind in {"arc", "line"} else tuple(points))
