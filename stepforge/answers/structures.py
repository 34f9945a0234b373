"""Answers with a structure, compared part by part: matrices, sets of reals, lists, equations and inequalities."""

import re
from collections.abc import Sequence

from stepforge.answers.lists import MEMBER, Items, read_items
from stepforge.answers.matrices import compare_matrices, is_matrix
from stepforge.answers.normalise import Bracketed, compact, split_top, unbracket
from stepforge.answers.numbers import number
from stepforge.answers.reals import compare_reals, is_range
from stepforge.answers.relations import compare_relations
from stepforge.answers.scalars import EQUALS, NAME, RELATION, names_several, value_side
from stepforge.answers.verdict import DIFFERENT, EQUAL, UNDECIDED, Same, Verdict, combine
from stepforge.vocabulary import AnswerKind

_POINT = re.compile(r"(?P<name>[A-Z](?:_\{?\w{1,2}\}?|'{1,2})?) ?=? ?(?P<at>\(.*,.*\))")
_TWO_LETTERS = re.compile(r"(?:\\(?:lnot|neg) ?)?[a-zA-Z] (?P<how>and|or) (?:\\(?:lnot|neg) ?)?[a-zA-Z]")
_FOREIGN_BRACKETS: dict[AnswerKind | None, tuple[str, ...]] = {
    AnswerKind.TUPLE: ("{",),
    AnswerKind.SET: ("(", "[", "langle"),
}
_NO_RANGE = frozenset({AnswerKind.SET, AnswerKind.MATRIX})


def compare_structures(gold: str, predicted: str, kind: AnswerKind | None, same: Same) -> Verdict | None:
    """The verdict if the reference has a structure and the reply's can be held against it, else None.
    `same` compares two of their parts."""
    contrary = _other_names(gold, predicted) or _other_connective(gold, predicted)
    if contrary is not None:
        return contrary
    if is_matrix(gold) or is_matrix(predicted):
        matrices = compare_matrices(gold, predicted, same)
        if matrices is not None:
            return matrices
    ranges = _ranges(gold, predicted, kind, same)
    if ranges is not None:
        return ranges
    gold, predicted = _coordinates(gold, predicted)
    wanted, found = read_items(gold, kind), read_items(predicted, kind)
    if wanted is not None and found is not None:
        return _lists(wanted, found, kind, same)
    if wanted is not None or found is not None:
        decided = _several_for_one(gold, predicted, wanted, found, same)
        if decided is not None:
            return decided
    return _equations(gold, predicted, same)


def _other_names(gold: str, predicted: str) -> Verdict | None:
    """x ∈ [1, 2] against y ∈ [1, 2]; A(1, 2) against B(1, 2)."""
    a, b = MEMBER.match(gold), MEMBER.match(predicted)
    if a is not None and b is not None and compact(a[0]) != compact(b[0]):
        return Verdict(DIFFERENT, "interval", "another variable is named")
    p, q = _point(gold), _point(predicted)
    if p is not None and q is not None and compact(p["name"]) != compact(q["name"]):
        return Verdict(DIFFERENT, "tuple", "another point is named")
    return None


def _other_connective(gold: str, predicted: str) -> Verdict | None:
    """Letters are statements or options, not values: p and q is not p or q."""
    a, b = _TWO_LETTERS.fullmatch(gold), _TWO_LETTERS.fullmatch(predicted)
    if a is None or b is None or a["how"] == b["how"]:
        return None
    return Verdict(DIFFERENT, "text", "and against or")


def _point(text: str) -> re.Match[str] | None:
    """One point with its name; A(1, 2), B(3, 4) is none."""
    found = _POINT.fullmatch(text)
    return found if found is not None and unbracket(found["at"]).opening else None


def _coordinates(gold: str, predicted: str) -> tuple[str, str]:
    """Both texts without the point's name before its coordinates, P(-2,3), unless they name two points."""
    a, b = _point(gold), _point(predicted)
    if a and b and compact(a["name"]) != compact(b["name"]):
        return gold, predicted
    return (a["at"] if a else gold), (b["at"] if b else predicted)


# --- sets of reals ---------------------------------------------------------------------------------------------------


def _ranges(gold: str, predicted: str, kind: AnswerKind | None, same: Same) -> Verdict | None:
    if kind in _NO_RANGE and not any(is_range(text) or "\\emptyset" in text for text in (gold, predicted)):
        return None
    decided = compare_reals(gold, predicted, kind)
    if decided is not None:
        return decided
    if kind is AnswerKind.INTERVAL or "\\cup" in gold or ("\\infty" in gold and unbracket(gold).opening):
        return _intervals(gold, predicted, same)
    return None


def _intervals(gold: str, predicted: str, same: Same) -> Verdict | None:
    """Intervals with letters in their ends, piece by piece."""
    wanted, found = _pieces(gold), _pieces(predicted)
    if wanted is None and found is None:
        return None
    if wanted is None or found is None:
        other = gold if wanted is None else predicted
        return Verdict(DIFFERENT, "interval", "no interval") if number(other) is not None else None
    if len(wanted) == len(found) == 1:
        return _one_piece(wanted[0], found[0], same)
    rest = list(found)
    for a in wanted:
        equal = [b for b in rest if _one_piece(a, b, same).verdict is EQUAL]
        if not equal:
            return None  # another union may still cover the same points
        rest.remove(equal[0])
    return None if rest else Verdict(EQUAL, "interval", "piece by piece")


def _pieces(text: str) -> list[Bracketed] | None:
    """Intervals and finite sets of a union; None if the text is none."""
    pieces = [unbracket(piece) for piece in MEMBER.sub("", text).split("\\cup")]
    return pieces if all(p.opening and p.inner for p in pieces) else None


def _one_piece(a: Bracketed, b: Bracketed, same: Same) -> Verdict:
    xs, ys = ([end.strip().removeprefix("+") for end in split_top(piece.inner, ",")] for piece in (a, b))
    if (a.opening, a.closing) != (b.opening, b.closing) or len(xs) != len(ys):
        return Verdict(DIFFERENT, "interval", "another kind of bracket")
    return combine([same(x, y) for x, y in zip(xs, ys, strict=True)], "interval")


# --- lists -----------------------------------------------------------------------------------------------------------


def _lists(wanted: Items, found: Items, kind: AnswerKind | None, same: Same) -> Verdict:
    if any(side.names for side in (wanted, found)) and any(not s.names and s.has_relations for s in (wanted, found)):
        return _unordered(wanted.texts, found.texts, same)
    if wanted.names or found.names:
        return _assignments(wanted, found, same)
    if not _brackets_agree(wanted, found, kind):
        return Verdict(DIFFERENT, "structure", "another kind of bracket")
    relations = wanted.has_relations or found.has_relations
    xs, ys = (wanted.texts, found.texts) if relations else (wanted.items, found.items)
    if wanted.ordered or (found.ordered and not wanted.opening):
        if len(xs) != len(ys):
            return Verdict(DIFFERENT, "tuple", f"{len(ys)} components for {len(xs)}")
        return combine([same(a, b) for a, b in zip(xs, ys, strict=True)], "tuple")
    return _unordered(xs, ys, same)


def _several_for_one(
    gold: str, predicted: str, wanted: Items | None, found: Items | None, same: Same
) -> Verdict | None:
    """A collection against one text: equal only as a set of this one value; a relation or words may hold them all."""
    several = wanted or found
    single = predicted if wanted is not None else gold
    if (
        several is None
        or RELATION.search(single)
        or " to " in single
        or ("=" in single and value_side(single) == single)
    ):
        return None
    pairs = [(item, single) if wanted is not None else (single, item) for item in several.items]
    if len(pairs) == 1 or (not several.ordered and not several.names):
        verdicts = [same(a, b) for a, b in pairs]
        if all(v.verdict is EQUAL for v in verdicts) or len(pairs) == 1:
            return verdicts[0]
    counts = f"one value for {len(pairs)}" if wanted is not None else f"{len(pairs)} values for one"
    return Verdict(DIFFERENT, "structure", counts)


def _assignments(wanted: Items, found: Items, same: Same) -> Verdict:
    """Named values by their names; against values without names in the order of the names, as a point has them."""
    if len(wanted.items) != len(found.items):
        return Verdict(DIFFERENT, "tuple", f"{len(found.items)} values for {len(wanted.items)}")
    if wanted.names and found.names:
        a, b = (dict(zip(side.names, side.items, strict=True)) for side in (wanted, found))
        if a.keys() != b.keys():
            return Verdict(DIFFERENT, "tuple", "other names")
        return combine([same(a[name], b[name]) for name in a], "tuple")
    if "{" in wanted.opening + found.opening:
        return Verdict(UNDECIDED, "tuple", "named values against a set")
    sides = [
        [value for _, value in sorted(zip(side.names, side.items, strict=True))] if side.names else list(side.items)
        for side in (wanted, found)
    ]
    return combine([same(a, b) for a, b in zip(*sides, strict=True)], "tuple")


def _brackets_agree(wanted: Items, found: Items, kind: AnswerKind | None) -> bool:
    """Braces against round or square ones differ; so does [a, b] for (a, b); no bracket at all agrees with the brackets
    that the kind would have, without such a kind with any."""
    a, b = wanted.opening.lstrip("\\"), found.opening.lstrip("\\")
    if a == b or {a, b} == {"(", "langle"}:
        return True
    if "" in (a, b):
        return (a or b) not in _FOREIGN_BRACKETS.get(kind, ())
    return len(wanted.items) != 2 and {a, b} <= {"(", "[", "langle"}


def _unordered(wanted: Sequence[str], found: Sequence[str], same: Same) -> Verdict:
    """Whether each element of one is an element of the other; an element written twice counts once."""
    undecided = False
    for xs, ys, flip in ((wanted, found, False), (found, wanted, True)):
        for x in xs:
            verdicts = []
            for y in ys:
                a, b = (y, x) if flip else (x, y)
                verdicts.append(same(a, b).verdict)
                if verdicts[-1] is EQUAL:
                    break
            if EQUAL not in verdicts:
                if UNDECIDED not in verdicts:
                    return Verdict(DIFFERENT, "set", f"{x[:60]} is in one of them only")
                undecided = True
    return Verdict(UNDECIDED if undecided else EQUAL, "set", "element by element")


# --- equations -------------------------------------------------------------------------------------------------------


def _equations(gold: str, predicted: str, same: Same) -> Verdict | None:
    """Equations side by side, then up to rearrangement; `x = …` against a bare value by its value."""
    relations = [RELATION.search(text) is not None for text in (gold, predicted)]
    a, b = ([side.strip() for side in EQUALS.split(text)] for text in (gold, predicted))
    if any(relations) or (len(a) == 2 and len(b) == 2):
        return _two_relations(gold, predicted, a, b, equations=not any(relations), same=same)
    if len(b) == 1 and len(a) == 2 and NAME.fullmatch(a[0]):
        return same(a[1], b[0])
    if len(a) == 1 and len(b) > 1 and not names_several(predicted) and (len(b) > 2 or NAME.fullmatch(b[0]) or not b[0]):
        return same(a[0], b[-1])
    return None


def _two_relations(
    gold: str, predicted: str, a: list[str], b: list[str], *, equations: bool, same: Same
) -> Verdict | None:
    if equations and [compact(x) for x in a] == [compact(x) for x in reversed(b)]:
        return Verdict(EQUAL, "equation", "sides swapped")
    decided = compare_relations(gold, predicted)
    if decided is None and equations and compact(a[0]) == compact(b[0]):
        return same(a[1], b[1])
    return None if decided is not None and decided.verdict is UNDECIDED else decided
