"""Rules on words and white space of a page: hyphens at line ends, lost and surplus blanks."""

import re

from stepforge.cleaning._rule import Rule, Scope, outside_formulas

_HYPHEN = re.compile(
    r"(?<![A-Za-z-])([A-Za-z]{2,20})-[ ]?\n[ ]?([a-z]{2,20})|(?<![A-Za-z-])([A-Za-z]{3,20})- ([a-z]{2,20})"
)
_WRITTEN = re.compile(r"(?<![A-Za-z-])[A-Za-z]{2,20}-[a-z]{2,20}(?![a-z-])")
_COMPOUND = frozenset(
    "all cross counter clockwise double equal even four five six seven eight nine ten twenty thirty forty fifty sixty "  # noqa: SIM905
    "half high left long low non odd one right second self short single three third two well zero".split()
)
_JOINS_A_LIST = frozenset(("and", "or", "to"))
_AFTER_A_DASH = frozenset(
    "a all an are as at be but by for from has he how if in is it no not of on she so that the then there they this "  # noqa: SIM905
    "was we what when where which who with you".split()
)


def _hyphenation(text: str) -> str:
    """A word broken at a line's end is one word again; a compound that is written so elsewhere, or counts, keeps it."""

    compounds = frozenset(_WRITTEN.findall(text)) if _HYPHEN.search(text) else frozenset()

    def joined(match: re.Match[str]) -> str:
        first, second = match[1] or match[3], match[2] or match[4]
        if second in _JOINS_A_LIST or (match[4] and second in _AFTER_A_DASH):  # two- and three-digit numbers
            return match[0]
        if first.lower() in _COMPOUND or f"{first}-{second}" in compounds:
            return f"{first}-{second}"
        return first + second

    return _HYPHEN.sub(joined, text)


_STOP = r"(?:is|of|are|and|has|have|than|by|the|for|with|from|equals)"
_GLUED_NUMBER = re.compile(rf"(?<![A-Za-z\\])({_STOP})(?=\d)")
_GLUED_THE = re.compile(
    r"(?<![A-Za-z\\])([Oo]f|[Ii]n|[Ii]s|[Tt]o|[Oo]n|[Aa]t|[Bb]y|[Aa]nd|[Ff]or|[Ww]ith|[Ff]rom|[Tt]hat|[Aa]re|[Ff]ind)(?=the(?![A-Za-z]))"
)
_COMMA = re.compile(r",(?<=[a-z]{2},)(?=[a-z]{2})")
_STOP_SIGN = re.compile(r"([.?!])(?<=[a-z]{3}[.?!])(?=[A-Z][a-z]{1,20}[ ,])")


_GLUED = re.compile(r"[dfhmnorsty](?:\d|the(?![a-z]))")  # most texts have nothing of the kind


def _lost_blanks(text: str) -> str:
    if _GLUED.search(text):
        text = _GLUED_NUMBER.sub(r"\1 ", _GLUED_THE.sub(r"\1 ", text))
    return _STOP_SIGN.sub(r"\1 ", _COMMA.sub(", ", text))


_MONEY = re.compile(r"(?<=\$) (?=\d)")


def _money(text: str) -> str:
    """The blank between a dollar sign and its number, where every dollar sign has one."""
    signs = text.count("$")
    numbers = len(re.findall(r"\$ ?\d", text))
    return _MONEY.sub("", text) if "\\" not in text and signs == numbers else text


_HAN_BLANK = re.compile(r"(?<=[\u3400-\u9fff]) (?=[\u3400-\u9fff，。；：、])|(?<=[，。；：、！？]) (?=[\u3400-\u9fff])")


def _han_blanks(text: str) -> str:
    return _HAN_BLANK.sub("", text)


_LINE_TAIL = re.compile(r"(?<![ \t])[ \t]+(?=\n|\Z)")  # looked at once a run of blanks, not once a blank
_BLANK_LINES = re.compile(r"\n{3,}")


def _white_space(text: str) -> str:
    return _BLANK_LINES.sub("\n\n", _LINE_TAIL.sub("", text)).strip()


PAGE_RULES: tuple[Rule, ...] = (
    Rule(
        "hyphenation",
        _hyphenation,
        (
            ("an exam- ple of x - y", "an example of x - y"),
            ("the buil-\ndings", "the buildings"),
            ("a two-\ndigit number", "a two-digit number"),
            ("two- and three-digit", "two- and three-digit"),
            ("a nonidentity- in particular", "a nonidentity- in particular"),
        ),
        Scope.PAGE,
        ("-",),
    ),
    Rule(
        "lost_blanks",
        outside_formulas(_lost_blanks),
        (
            ("The sum ofthe sides,one is12.The rest", "The sum of the sides, one is 12.The rest"),
            ("sin30 + log2, bathe the atoms", "sin30 + log2, bathe the atoms"),
        ),
        Scope.PAGE,
    ),
    Rule("money", _money, (("for $ 8 each", "for $8 each"), ("$ 8 + 3 $ is", "$ 8 + 3 $ is")), Scope.PAGE, ("$",)),
    Rule(
        "chinese_blanks",
        outside_formulas(_han_blanks),
        (("如图， 在三 角形", "如图，在三角形"),),
        Scope.PAGE,
        (" ", "的是在和点于为中，。；：、"),
    ),
)
RULES: tuple[Rule, ...] = (Rule("white_space", _white_space, (("a  \n\n\n\nb ", "a\n\nb"),)),)
