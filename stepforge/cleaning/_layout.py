"""Rules on what a page's lines are: options, numbered parts, names of figures, sentences over a line's end."""

import re

from stepforge.cleaning._rule import Rule, Scope, outside_formulas

_OPTION_LINE = re.compile(r"^A ?[.．、][^\n]{0,400}$", re.MULTILINE)
_NEXT_OPTION = {
    letter: re.compile(rf"(?<=[\s;；。，,)）]){letter}(?= ?[.．、] ?[^\s;；.．、])") for letter in "BCDEFGH"
}


def _option_lines(text: str) -> str:
    """Options that share a line, each on a line of its own; only from A on and in order."""
    return _OPTION_LINE.sub(lambda m: _one_a_line(m[0]), text)


def _one_a_line(line: str) -> str:
    starts, at = [], 1
    for letter in "BCDEFGH":
        match = _NEXT_OPTION[letter].search(line, at)
        if not match:
            break
        starts.append(match.start())
        at = match.end()
    if len(starts) < 2:  # A and B alone are as well two points
        return line
    parts = [line[i:j].strip() for i, j in zip([0, *starts], [*starts, len(line)], strict=True)]
    return "\n".join(parts)


_OPTION_B = re.compile(
    r"^(A ?[.．、][^\n]{1,200}\n)(?:8|13|3)(?= ?[.．、] ?(?:[^\n]{0,200}\nC ?[.．、]))", re.MULTILINE
)
_OPTION_C = re.compile(r"^(B ?[.．、][^\n]{1,200}\n)[G(](?= ?[.．、] ?(?:[^\n]{0,200}\nD ?[.．、]))", re.MULTILINE)
_OPTION_D = re.compile(r"^(C ?[.．、][^\n]{1,200}\n)[O0](?= ?[.．、] ?[^\n]{1,200}$)", re.MULTILINE)


def _option_letters(text: str) -> str:
    """A letter misread in A, B, C, D, each on its line: the others say which it is."""
    for letter, pattern in (("B", _OPTION_B), ("C", _OPTION_C), ("D", _OPTION_D)):
        text = pattern.sub(rf"\g<1>{letter}", text)
    return text


_FIRST_PART = re.compile(r"^[(（]([lIi|])[)）]", re.MULTILINE)
_SECOND_PART = re.compile(r"^[(（]2[)）]", re.MULTILINE)
_MIXED = re.compile(r"（(\d{1,2})\)|\((\d{1,2})）")


def _part_numbers(text: str) -> str:
    """(l) before a (2) is (1); both brackets of a number are of one width."""
    first, second = _FIRST_PART.search(text), _SECOND_PART.search(text)
    if first and second and first.start() < second.start():
        text = text[: first.start(1)] + "1" + text[first.end(1) :]
    return _MIXED.sub(lambda m: f"（{m[1]}）" if m[1] else f"({m[2]})", text)


_FIGURE = re.compile(r"(?<![A-Za-z])(Figure|Fig\.|图)( ?)[lI|](?![A-Za-z0-9])")
_GLUED_FIGURE = re.compile(r"(?<![A-Za-z])(Figure|Fig\.)(?=\d{1,2}(?!\d))")


def _figure_names(text: str) -> str:
    return _GLUED_FIGURE.sub(r"\1 ", _FIGURE.sub(r"\g<1>\g<2>1", text))


_LINE_L = re.compile(r"(?<=直线)1(?=[与交∥⊥上于平分的，,：:])(?!\d)")


def _line_l(text: str) -> str:
    """A line called l; no text numbers one line alone."""
    return _LINE_L.sub("l", text) if "直线2" not in text else text


_CONTINUED = re.compile(
    r"^[(（\[]?(?:continued(?: (?:on|from)(?: the)? (?:next|previous|last) page)?|接[上下]页|转下页)"
    r"[.…]{0,3}[)）\]]?\n?",
    re.MULTILINE | re.I,
)
_BROKEN = re.compile(r"(?:(?<=[a-z])[ ]?\n{1,2}|(?<=[a-z],)\n)(?=[a-z]{2,20}(?:[ ,.;?!]|$))", re.MULTILINE)


def _page_breaks(text: str) -> str:
    """A sentence that a page's or a column's end broke is one line again."""
    return _BROKEN.sub(" ", _CONTINUED.sub("", text))


RULES: tuple[Rule, ...] = (
    Rule(
        "page_breaks",
        _page_breaks,
        (
            ("the game is\n\nlost at once", "the game is lost at once"),
            ("(continued on next page)\nthe rest", "the rest"),
            ("so that\nA. 5", "so that\nA. 5"),
        ),
        Scope.PAGE,
        ("\n",),
    ),
    Rule(
        "option_lines",
        outside_formulas(_option_lines),
        (
            ("A.10 B.15 C.20 D.25", "A.10\nB.15\nC.20\nD.25"),
            ("A. B lies on C. D is far", "A. B lies on C. D is far"),
            ("Is it A. 1 or B. 2", "Is it A. 1 or B. 2"),
        ),
        Scope.PAGE,
        ("A",),
    ),
    Rule(
        "option_letters",
        outside_formulas(_option_letters),
        (("A. 1\n8. 2\nC. 3\n0. 4", "A. 1\nB. 2\nC. 3\nD. 4"), ("A. 1\nB. 2\n8. 3", "A. 1\nB. 2\n8. 3")),
        Scope.PAGE,
        ("A",),
    ),
    Rule(
        "part_numbers",
        outside_formulas(_part_numbers),
        (
            ("(l) Find x.\n(2) Find y.", "(1) Find x.\n(2) Find y."),
            ("（1)求证", "（1）求证"),
            ("f(l) = (1, 2）", "f(l) = (1, 2）"),
        ),
        Scope.PAGE,
        ("()（）",),
    ),
    Rule(
        "figure_names",
        outside_formulas(_figure_names),
        (("in Figure l and Fig.2", "in Figure 1 and Fig. 2"), ("如图l，", "如图1，"), ("如图I1", "如图I1")),
        Scope.PAGE,
        ("图F",),
    ),
    Rule(
        "line_l",
        outside_formulas(_line_l),
        (("直线1与AB相交", "直线l与AB相交"), ("直线1与直线2",) * 2),
        Scope.PAGE,
        ("直",),
    ),
)
