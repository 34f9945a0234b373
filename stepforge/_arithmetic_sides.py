"""How far the two sides of an equals sign reach in running text, and what the words beside them leave unclear."""

from typing import NamedTuple

from stepforge._arithmetic_tokens import Token

MAX_SIDE_TOKENS = 96  # bounds the work on one side of an equation

_SKIPPED = frozenset({"space", "glue"})
_UNSAFE_BEFORE = frozenset(
    {
        "of",
        "times",
        "half",
        "twice",
        "double",
        "triple",
        "by",
        "plus",
        "minus",
        "over",
        "per",
        "than",
        "from",
        "percent",
        "less",
        "more",
        "quarter",
        "third",
        "x",
        "sin",
        "cos",
        "tan",
        "log",
        "ln",
    }
)
_UNSAFE_AFTER = frozenset(
    {
        "dozen",
        "hundred",
        "thousand",
        "million",
        "billion",
        "percent",
        "times",
        "cents",
        "cent",
        "x",
        "less",
        "more",
        "than",
        "with",
        "remainder",
        "pi",
    }
)
_SAFE_COMMANDS = frozenset({"\\therefore", "\\because", "\\implies", "\\Rightarrow", "\\rightarrow", "\\boxed"})
_SAFE_SIGNS = frozenset(",.;:，。；：、∴∵?？\"'“”’—")
_UNSAFE_SIGNS = frozenset("!：:…πº^_")
_UNSAFE_CJK_BEFORE, _UNSAFE_CJK_AFTER = frozenset("的之比每"), frozenset("万亿百千余倍分角")


class Side(NamedTuple):
    """Character range of a side; `beyond`: the next token after it, going out from the sign, None at a line's end."""

    start: int
    end: int
    beyond: Token | None
    glued: bool


def left_side(line: list[Token]) -> Side | None:
    """The side that ends at the sign; None if nothing before the sign is an operand.  line: tokens before the sign."""
    return _walk(line[::-1], backward=True)


def right_side(line: list[Token]) -> Side | None:
    """The side that begins at the sign; None if nothing after the sign is an operand.  line: tokens after the sign."""
    return _walk(line, backward=False)


def unclear_before(side: Side) -> bool:
    """What stands before the left side may belong to it: `half of 8`, `\\cos 60°`, `4! - 3`, `1 1/2`."""
    token = side.beyond
    if token is None or token.kind in {"newline", "open", "currency"}:
        return False
    if token.kind == "word":
        return token.text.lower() in _UNSAFE_BEFORE or (token.text[0] == "\\" and token.text not in _SAFE_COMMANDS)
    if token.kind == "cjk":
        return token.text[-1] in _UNSAFE_CJK_BEFORE
    return token.text not in _SAFE_SIGNS


def unclear_after(side: Side, *, latex: bool) -> bool:
    """What stands after the right side may belong to it: `36 cents`, `1 1/2`, `4!`, `\\frac12 CE`."""
    token = side.beyond
    if token is None or token.kind in {"newline", "open", "close", "currency"}:
        return False
    if token.kind == "word":
        symbol = token.text[0] == "\\" or token.text.isupper() or (latex and len(token.text) == 1)
        return symbol or token.text.lower() in _UNSAFE_AFTER
    if token.kind == "cjk":
        return token.text[0] in _UNSAFE_CJK_AFTER
    return token.kind != "other" or token.text in _UNSAFE_SIGNS


def _walk(line: list[Token], *, backward: bool) -> Side | None:
    """The longest run of operands joined by operators that begins at the sign.  line: tokens from the sign outwards."""
    at, last, begun = 0, -1, -1
    wants, gap = True, True
    while at < len(line):
        token = line[at]
        if token.kind in _SKIPPED or (token.kind == "newline" and begun < 0):
            gap = gap or token.kind != "glue"
            at += 1
            continue
        stop = _operand(line, at, wants=wants, gap=gap, backward=backward)
        if stop >= 0:
            begun = at if begun < 0 else begun
            at, last, wants, gap = stop, stop - 1, False, line[stop - 1].kind == "cjk"
            continue
        joins = _joins(line, at, wants=wants, gap=gap, backward=backward)
        if joins == "end":
            break
        begun = at if begun < 0 else begun
        wants = joins == "operator"
        last = last if wants and not backward else at
        at, gap = at + 1, False
        if joins == "sign":
            break
    return _side(line, begun, last, backward=backward)


def _side(line: list[Token], begun: int, last: int, *, backward: bool) -> Side | None:
    if last < 0 or (backward and line[begun].kind in {"op", "function", "prefix", "currency"} and last == begun):
        return None
    if backward and line[last].text == "-" and last + 1 < len(line) and line[last - 1].kind in _SKIPPED:
        last = _bullet(line, last)
    rest = [token for token in line[last + 1 :] if token.kind not in _SKIPPED][:2]
    if backward and len(rest) == 2 and rest[0].kind == "newline" and rest[1].kind == "op":
        rest.pop(0)  # a line broken after its operator
    beyond = rest[0] if rest else None
    glued = last + 1 < len(line) and line[last + 1].kind not in {*_SKIPPED, "newline"}
    ends = (line[begun], line[last])
    return Side(min(t.start for t in ends), max(t.end for t in ends), beyond, glued)


def _bullet(line: list[Token], last: int) -> int:
    """A dash at the beginning of a line with a space after it is a bullet, not a sign."""
    rest = [token for token in line[last + 1 :] if token.kind not in _SKIPPED][:1]
    if rest and rest[0].kind != "newline":
        return last
    while line[last].kind in {*_SKIPPED, "op"}:
        last -= 1
    return last


def _operand(line: list[Token], at: int, *, wants: bool, gap: bool, backward: bool) -> int:
    """Index after the operand that begins at `at`; -1 if none may stand there."""
    opening, closing = ("close", "open") if backward else ("open", "close")
    token = line[at]
    if not wants and gap and token.kind != opening:
        return -1
    if token.kind in {"number", "word"} or (token.kind == "cjk" and wants):
        return at + 1
    if token.kind != opening:
        return -1
    depth = 0
    for place in range(at, len(line)):
        depth += {opening: 1, closing: -1}.get(line[place].kind, 0)
        if depth == 0:
            words = not wants and gap and any(t.kind in {"word", "cjk"} for t in line[at:place])
            return -1 if words else place + 1
    return -1


def _joins(line: list[Token], at: int, *, wants: bool, gap: bool, backward: bool) -> str:
    """What a token that is no operand does to the run: `operator` (an operand must follow), `part` of the operand
    before, `sign` (a part, and the run ends with it), or `end`."""
    token = line[at]
    joins = "end"
    if token.kind == "op":
        if not wants:
            signs = backward and token.text in "+-" and not gap and not _operand_beyond(line, at)
            joins = "sign" if signs else "operator"
        elif not backward and token.text in "+-":
            joins = "operator"
    elif token.kind in {"postfix", "superscript"}:
        if backward == wants:
            joins = "operator" if backward else "part"
    elif token.kind in {"prefix", "function", "currency"}:
        money = token.kind == "currency"
        if backward and not wants and (money or not gap):
            joins = "part"
        elif not backward and (wants or not (gap or money)):
            joins = "operator"
    elif token.text in {"_", "'", "′"} and not wants and not gap:
        joins = "operator" if token.text == "_" else "part"
    return joins


def _operand_beyond(line: list[Token], at: int) -> bool:
    """Going back from a sign that touches its operand: whether an operand lies before it, so that it is an operator."""
    spaced = at + 1 < len(line) and line[at + 1].kind == "space"
    before = next((token for token in line[at + 1 : at + 4] if token.kind not in _SKIPPED), None)
    if before is None:
        return False
    return before.kind in {"number", "close", "postfix", "superscript"} or (before.kind == "word" and not spaced)
