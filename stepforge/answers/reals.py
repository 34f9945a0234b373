r"""Sets of real numbers: intervals, unions, ℝ without points, and inequalities about one letter, compared as sets.

x > 3, (3, ∞), \{x | x > 3\} and -x < -3 are one set; so are x ≠ 2, ℝ \ {2} and (-∞, 2) ∪ (2, ∞). A set becomes a tree
of intervals; the ends of both sets cut the line into points and gaps, and two sets are equal if they hold the same of
these.

Policy: a comma between inequalities is "and" where that leaves something, else "or"; between intervals it joins them,
as "and" does. Ends are compared as numbers are. An interval that ends before it begins is not read.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from stepforge.answers import algebra
from stepforge.answers.normalise import compact, split_top, unbracket
from stepforge.answers.numbers import Value, closed_value, is_decimal, same_number
from stepforge.answers.syntax import UnreadableError, read, symbols
from stepforge.answers.verdict import DIFFERENT, EQUAL, UNDECIDED, Verdict
from stepforge.vocabulary import AnswerKind

MAX_ENDS = 40
MAX_CHARS = 400

RELATION_SIGN = re.compile(r"(\\(?:le|ge|ne)(?![a-zA-Z])|<=|>=|<|>|=)")
_OR = re.compile(r"\\cup(?![a-zA-Z])|\bor\b|或者?")
_AND = re.compile(r"\band\b|并?且|和|与|以?及")
_CAP = re.compile(r"\\cap(?![a-zA-Z])")
_WITHOUT = re.compile(r"\\setminus(?![a-zA-Z])|\\(?=[ \\]?\\\{)|(?<=\\Reals) ?- ?(?=\\?\{)")
_LETTER = re.compile(r"[a-zA-Z](?:_\{?\w{1,3}\}?)?|\\(?:alpha|beta|theta|lambda|mu|phi|omega|gamma)")
_MEMBER = re.compile(r"(?P<letter>[a-zA-Z]|\\[a-z]{2,6}) ?\\in(?![a-zA-Z])")
_BUILDER = re.compile(
    r"\\?\{ ?(?P<letter>[a-zA-Z]|\\[a-z]{2,6})(?P<real> ?\\in ?(?:\\Reals|R))? ?[|:] ?(?P<rest>.*?)\\?\}"
)
_IN_REALS = re.compile(r"[a-zA-Z] ?\\in ?(?:\\Reals|R)(?![a-zA-Z])")
_INFINITE = re.compile(r"(?P<sign>[-+]?) ?\\infty")
_ABSOLUTE = re.compile(r"\|(?P<inner>[^|]{1,80})\|")
_FLIPPED = {"<": ">", ">": "<", "\\le": "\\ge", "\\ge": "\\le", "=": "=", "\\ne": "\\ne"}
_RANGE_LIKE = re.compile(r"\\(?:cup|cap|infty|Reals|setminus|emptyset|le|ge|ne)(?![a-zA-Z])|[<>]|^\|.*=|=.*\|$")


class End(NamedTuple):
    """An end of an interval: its value, and its text where one was written."""

    value: Value
    text: str | None


class Cell(NamedTuple):
    """A point, or the open gap after it, of the line as the ends cut it; place -1 is before the first end."""

    place: int
    gap: bool


Ends = Sequence[End]
Holds = Callable[[Cell, Callable[[End], int]], bool]


class Reals(NamedTuple):
    """A set of reals: its ends, whether it holds a cell, and the letter that it is about, if one is named."""

    ends: tuple[End, ...]
    holds: Holds
    letter: str | None


def compare_reals(gold: str, predicted: str, kind: AnswerKind | None) -> Verdict | None:
    """The verdict if both texts are sets of reals and one of them, or the kind, says so; else None."""
    said = kind in {AnswerKind.INTERVAL, AnswerKind.INEQUALITY}
    likely = [_RANGE_LIKE.search(text) is not None or _half_open(text) for text in (gold, predicted)]
    if not (said or any(likely)) or max(len(gold), len(predicted)) > MAX_CHARS:
        return None
    try:
        a, b = _parse(gold), _parse(predicted)
    except _NotReals:
        return None
    if kind is AnswerKind.TUPLE and not all(likely) and "\\in" not in gold + predicted:
        return Verdict(DIFFERENT, "interval", "a range for a point")
    if a.letter and b.letter and a.letter != b.letter:
        return Verdict(DIFFERENT, "interval", "another variable is named")
    cut = _cut((*a.ends, *b.ends))
    if cut is None:
        return None
    return _same_cells(a, b, cut, empty_said="\\emptyset" in gold + predicted)


def is_range(text: str) -> bool:
    """Whether a text is a set of reals and can be no list of values."""
    try:
        return _RANGE_LIKE.search(text) is not None and len(text) <= MAX_CHARS and _parse(text) is not None
    except _NotReals:
        return False


class _NotReals(ValueError):
    pass


def _half_open(text: str) -> bool:
    return bool(re.fullmatch(r"[\[\]].*[)\[]|\(.*\]", text.strip()))


# --- the line, cut ---------------------------------------------------------------------------------------------------


class _Cut(NamedTuple):
    places: int
    place_of: Callable[[End], int]


def _same_cells(a: Reals, b: Reals, cut: _Cut, *, empty_said: bool) -> Verdict:
    cells = [Cell(-1, gap=True), *(Cell(i, gap) for i in range(cut.places) for gap in (False, True))]
    held = [tuple(side.holds(cell, cut.place_of) for cell in cells) for side in (a, b)]
    if not any(map(any, held)) and not empty_said:
        return Verdict(UNDECIDED, "interval", "neither holds a number, which its writer cannot have meant")
    same = held[0] == held[1]
    return Verdict(EQUAL if same else DIFFERENT, "interval", "the same set" if same else "another set of numbers")


def _cut(ends: Ends) -> _Cut | None:
    """Each end's place on the line, equal ends in one place."""
    if len(ends) > MAX_ENDS:
        return None
    ordered = sorted(range(len(ends)), key=lambda i: ends[i].value.approx)
    places: dict[int, int] = {}
    place, before = -1, None
    for i in ordered:
        if before is None or not _same_end(ends[before], ends[i]):
            place += 1
        places[id(ends[i])] = place
        before = i
    return _Cut(place + 1, lambda end: places[id(end)])


def _same_end(a: End, b: End) -> bool:
    decimal = any(end.text is not None and is_decimal(end.text) for end in (a, b))
    if same_number(a.value, b.value, decimal=decimal):
        if decimal or a.value.exact is not None or a.text is None or b.text is None:
            return True
        try:
            return algebra.compare_expressions(read(a.text), read(b.text)).verdict is EQUAL
        except UnreadableError:
            return False
    return False


# --- trees -----------------------------------------------------------------------------------------------------------


def _interval(low: End | None, high: End | None, *, low_closed: bool, high_closed: bool, letter: str | None) -> Reals:
    def holds(cell: Cell, index: Callable[[End], int]) -> bool:
        if low is not None:
            at = index(low)
            if cell.place < at or (cell.place == at and not cell.gap and not low_closed):
                return False
        if high is not None:
            at = index(high)
            if cell.place > at or (cell.place == at and (cell.gap or not high_closed)):
                return False
        return True

    return Reals(tuple(end for end in (low, high) if end is not None), holds, letter)


def _everything(letter: str | None = None) -> Reals:
    return _interval(None, None, low_closed=False, high_closed=False, letter=letter)


def _nothing() -> Reals:
    return Reals((), lambda _cell, _index: False, None)


def _point(end: End, letter: str | None = None) -> Reals:
    return _interval(end, end, low_closed=True, high_closed=True, letter=letter)


def _join(parts: Sequence[Reals], test: Callable[[Iterator[bool]], bool]) -> Reals:
    letters = {part.letter for part in parts if part.letter}
    if len(letters) > 1:
        raise _NotReals("several letters")
    return Reals(
        tuple(end for part in parts for end in part.ends),
        lambda cell, index: test(part.holds(cell, index) for part in parts),
        next(iter(letters), None),
    )


def _without(whole: Reals, part: Reals) -> Reals:
    joined = _join((whole, part), any)
    return joined._replace(holds=lambda cell, index: whole.holds(cell, index) and not part.holds(cell, index))


def _is_empty(found: Reals) -> bool:
    cut = _cut(found.ends)
    if cut is None:
        raise _NotReals("too many ends")
    cells = [Cell(-1, gap=True), *(Cell(i, gap) for i in range(cut.places) for gap in (False, True))]
    return not any(found.holds(cell, cut.place_of) for cell in cells)


# --- reading ---------------------------------------------------------------------------------------------------------


def _parse(text: str) -> Reals:
    text = text.strip()
    builder = _BUILDER.fullmatch(text)
    if builder:
        return _named(_parse(builder["rest"]), builder["letter"])
    member = _MEMBER.match(text)
    if member and not _IN_REALS.match(text):
        return _named(_parse(text[member.end() :]), member["letter"])
    unions = _split(text, _OR)
    if len(unions) > 1:
        return _join([_parse(piece) for piece in unions], any)
    without = _split(text, _WITHOUT)
    if len(without) == 2:
        return _without(_parse(without[0]), _parse(without[1]))
    caps = _split(text, _CAP)
    if len(caps) > 1:
        return _join([_parse(piece) for piece in caps], all)
    return _together(text)


def _together(text: str) -> Reals:
    """Pieces joined by "and" or commas, or one piece alone."""
    ands = _split(text, _AND)
    pieces = [piece for each in ands for piece in _commas(each)]
    pieces = [piece for piece in pieces if piece] or [text]
    if len(pieces) == 1:
        return _piece(pieces[0])
    read_pieces = [_piece(piece) for piece in pieces]
    if not any(RELATION_SIGN.search(piece) or _IN_REALS.fullmatch(piece) for piece in pieces):
        return _join(read_pieces, any)
    if not all(RELATION_SIGN.search(piece) or _IN_REALS.fullmatch(piece) for piece in pieces):
        raise _NotReals("a list of unlike things")
    both = _join(read_pieces, all)
    return _join(read_pieces, any) if len(ands) == 1 and _is_empty(both) else both


def _commas(text: str) -> list[str]:
    if unbracket(text).opening or re.fullmatch(r"[\[\]].*[\[\]]", text.strip()):
        return [text.strip()]
    return [piece.strip() for piece in split_top(text, ",;")]


def _named(found: Reals, letter: str) -> Reals:
    if found.letter not in {None, letter}:
        raise _NotReals("several letters")
    return found._replace(letter=letter)


def _split(text: str, pattern: re.Pattern[str]) -> list[str]:
    """Pieces between matches that stand outside brackets."""
    if not pattern.search(text):
        return [text]
    pieces, depth, start, at = [], 0, 0, 0
    while at < len(text):
        if depth == 0 and (match := pattern.match(text, at)):
            pieces.append(text[start:at].strip())
            start = at = match.end()
            continue
        depth += (text[at] in "([{") - (text[at] in ")]}")
        at += 1
    pieces.append(text[start:].strip())
    return pieces if all(pieces) else [text]


def _piece(text: str) -> Reals:
    text = text.strip()
    if text in {"\\Reals", "R"}:
        return _everything()
    if text == "\\emptyset":
        return _nothing()
    if _IN_REALS.fullmatch(text):
        return _everything(text.split("\\in")[0].strip())
    if RELATION_SIGN.search(text):
        return _inequality(text)
    outer = unbracket(text)
    if outer.opening in {"\\{", "{"}:
        return _join([_point(_end(item)) for item in split_top(outer.inner, ",;")], any)
    return _brackets(text)


def _brackets(text: str) -> Reals:
    if len(text) < 5 or text[0] not in "([]" or text[-1] not in ")][":
        raise _NotReals(text)
    inner = [part.strip() for part in split_top(text[1:-1], ",;")]
    if len(inner) != 2 or not all(inner):
        raise _NotReals("no interval")
    low = None if (match := _INFINITE.fullmatch(inner[0])) else _end(inner[0])
    if match and match["sign"] != "-":
        raise _NotReals("begins at infinity")
    high = None if (match := _INFINITE.fullmatch(inner[1])) else _end(inner[1])
    if match and match["sign"] == "-":
        raise _NotReals("ends at minus infinity")
    if low is not None and high is not None and low.value.approx > high.value.approx:
        raise _NotReals("ends before it begins")
    return _interval(low, high, low_closed=text[0] == "[", high_closed=text[-1] == "]", letter=None)


def _end(text: str) -> End:
    plain = re.sub(r"\^\\circ ?$", "", text.strip())
    value = closed_value(plain)
    if value is None or abs(value.approx) > 1e300:
        raise _NotReals(f"{text} is no number")
    if plain != text.strip():  # an angle in degrees is one in radians
        value = Value(None, value.approx * 3.141592653589793 / 180)
    return End(value, text.strip())


def _inequality(text: str) -> Reals:
    """One relation, or a chain of them, about one letter."""
    pieces = [piece.strip() for piece in RELATION_SIGN.split(text)]
    sides, signs = pieces[::2], [_sign(sign) for sign in pieces[1::2]]
    if not 1 <= len(signs) <= 3 or not all(sides):
        raise _NotReals("no inequality")
    if len(signs) > 1 and any(sign in {"=", "\\ne"} for sign in signs):
        raise _NotReals("a chain of unlike signs")
    parts = [_relation(a, sign, b) for a, sign, b in zip(sides, signs, sides[1:], strict=False)]
    return _join(parts, all) if len(parts) > 1 else parts[0]


def _sign(sign: str) -> str:
    return {"<=": "\\le", ">=": "\\ge"}.get(sign, sign)


def _relation(left: str, sign: str, right: str) -> Reals:
    if _LETTER.fullmatch(left) and left not in {"e"} and closed_value(right) is not None:
        return _beyond(_end(right), sign, compact(left))
    if _LETTER.fullmatch(right) and right not in {"e"} and closed_value(left) is not None:
        return _beyond(_end(left), _FLIPPED[sign], compact(right))
    if sign == "=" and right.startswith("\\pm") and _LETTER.fullmatch(left):
        value = right.removeprefix("\\pm").strip()
        return _join((_relation(left, sign, value), _relation(left, sign, f"-({value})")), any)
    absolute = _ABSOLUTE.fullmatch(left)
    if absolute and (bound := closed_value(right)) is not None:
        return _absolute(absolute["inner"], sign, right, bound)
    return _solved(left, sign, right)


def _beyond(end: End, sign: str, letter: str) -> Reals:
    if sign == "=":
        return _point(end, letter)
    if sign == "\\ne":
        return _without(_everything(letter), _point(end))
    closed = sign in {"\\le", "\\ge"}
    if sign in {"<", "\\le"}:
        return _interval(None, end, low_closed=False, high_closed=closed, letter=letter)
    return _interval(end, None, low_closed=closed, high_closed=False, letter=letter)


def _absolute(inner: str, sign: str, bound_text: str, bound: Value) -> Reals:
    if bound.approx <= 0:
        raise _NotReals("an absolute value against no positive number")
    above, below = _relation(inner, sign, bound_text), _relation(inner, _FLIPPED[sign], f"-({bound_text})")
    return _join((above, below), all if sign in {"<", "\\le", "\\ne"} else any)


def _solved(left: str, sign: str, right: str) -> Reals:
    """a·x + b against c·x + d."""
    try:
        difference = algebra.difference(read(left), read(right))
    except UnreadableError as error:
        raise _NotReals(str(error)) from error
    names = symbols(difference)
    if len(names) != 1:
        raise _NotReals("not about one letter")
    (name,) = names
    line = algebra.affine(difference, name)
    if line is None or line[0] == 0:
        raise _NotReals("not linear")
    slope, constant = line
    if slope < 0:
        sign = _FLIPPED[sign]
    exact = algebra.root_of_line(difference, name)
    value = Value(exact, float(exact)) if exact is not None else Value(None, -constant / slope)
    return _beyond(End(value, None), sign, name)
