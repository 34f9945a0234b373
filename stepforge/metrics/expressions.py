r"""What the milestone matcher reads out of a text: tokens, numbers and expressions.  Source: MAMath-Bench, section 4.

Silent in the paper, fixed here.  An expression has an operator: a bare number (5, 1/2, 50°) is none, or two texts that
both say "5" would match by S_eq alone.  Two expressions are equivalent if one of these holds.
- Text: they are the same in one spelling; equations also with their sides in another order.
- Numeric: arithmetic whose sides have the same values and that is written with the same numbers (3·60 = 180 and
  60·3 = 180, but not 90·2 = 180): every true equation would be equivalent to every other by its truth value.
- Symbolic: algebra (with letters) that `_algebra` shows to be equal as mathematics.  A segment AB and an angle ∠ABC are
  letters there.  Approximate equations (≈), f(x), sums and sets are left to the text.
Two texts that are the same letter for letter are equivalent, also where no vector knows their signs.
"""

import re
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from stepforge.answers.normalise import compact, normalise
from stepforge.answers.numbers import number
from stepforge.metrics._algebra import arithmetic_value, bucket_names, exact_keys, relation

MAX_EXPRESSIONS = 200  # of one text; a unit has at most 2,000 characters
MAX_EXPRESSION_CHARS = 400  # as the symbolic library's

_TOKEN = re.compile(r"\\[a-zA-Z]+|\d+(?:\.\d+)?|[^\W\d_]+|[∠△∥⊥≌∽≅]")
_HAN = re.compile(r"[\u3400-\u9fff]")
_HAN_APART = re.compile(r"([\u3400-\u9fff])")
_LETTER_TIMES = re.compile(r"(?<=\d) ?[xX] ?(?=\$?(?:\d|\.\d))")
_LITERAL = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d{1,30})?(?!\d)|\d{1,60}(?:\.\d{1,60})?|(?<![\w.)])\.\d{1,60}")
_CALCULATOR = re.compile(r"<<[^<>\n]{0,200}>>")
_PRODUCT = "xy|yx|yz|xz|zx|ab|ba|bc|ac|ca|cd|bd|pq|qr|mn|rs|uv|ax|bx|cx|kx|mx|abc|xyz"  # of letters, not a word
_SEPARATOR = re.compile(
    rf"(?<![\\a-zA-Z])(?!(?:{_PRODUCT})(?![a-zA-Z]))(?:[a-z]{{2,}}|[A-Z][a-z]+)(?![a-zA-Z])"
    r"|(?:^|(?<=[ $(]))[aAI](?= (?:[A-Za-z]{2,}|\d))|(?<=[a-z])'[a-z]{1,2}(?![a-zA-Z])"  # an article, a possessive
    r"|\\(?:begin|end) ?\{[a-zA-Z]{1,20}\*?\}(?:\{[^{}]{0,20}\})?|\\\\"
    r"|[\u3400-\u9fff]+|[;:?!\n]|, |,(?=\\)|\. |\.$|"
    r"\\(?:because|therefore|triangle|parallel|perp|implies|Rightarrow|text)(?![a-zA-Z])|[∵∴]"
)
_CONTINUED = re.compile(r"\\\\ {0,3}&? {0,3}(?==)|&")  # a chain over several lines
_DEGREE = re.compile(r"\^\\circ ?")
_OPERATOR = re.compile(r"[=<>/*+^]|(?<=[\w)}]) ?- ?(?=[\w(\\])|\\(?:times|cdot|frac|sqrt|le|ge|ne|approx)(?![a-zA-Z])")
_BARE_NUMBER = re.compile(
    r"[-+]?(?:[\d.,]{1,60}(?: ?/ ?[\d.,]{1,60})?|\\frac ?\{[\d.,]{1,60}\} ?\{[\d.,]{1,60}\}) ?%?", re.ASCII
)
_BINARY = re.compile(
    r"(\d{1,30}(?:\.\d{1,30})?)(?: ?([-+*/]|\\times(?![a-zA-Z])|\\cdot(?![a-zA-Z])) ?(\d{1,30}(?:\.\d{1,30})?))?",
    re.ASCII,
)
_OPERAND = re.compile(r"[^\W_]")
_RELATION = re.compile(r"(=|<|>|\\(?:le|ge|ne|approx)(?![a-zA-Z]))")
_LETTERLESS = re.compile(r"(?:[^a-zA-Z\\]|\\(?:frac|sqrt|times|cdot|le|ge|ne|approx|circ|pi|%)(?![a-zA-Z]))*")
_AREA = re.compile(r"_ ?\{ ?\\triangle ?([A-Z](?: ?[A-Z]){2}) ?\}|(?<=S)_? ?\\triangle ?([A-Z]{3})(?![A-Z])")
_ANGLE = re.compile(r"\\angle ?([A-Z])([A-Z])([A-Z])(?![A-Za-z'])")


class Facts(NamedTuple):
    """What a comparison with another text needs."""

    words: tuple[str, ...]  # tokens in their order
    tokens: frozenset[str]
    numbers: frozenset[str]  # values, each in one spelling
    keys: frozenset[str]  # two texts that share one share an expression
    algebra: tuple[str, ...]  # expressions with letters that the grammar reads
    inexact: tuple[str, ...]  # those of them that their keys do not decide


def plain(text: str) -> str:
    """The text without calculator marks (`<<3*5=15>>`), a letter x between numbers as ×, spaces single."""
    return _LETTER_TIMES.sub(" × ", " ".join(_CALCULATOR.sub("", text).split()))


def tokens(text: str) -> list[str]:
    r"""Words, numbers and LaTeX commands, lower-cased; each Han character is a token of its own."""
    found: list[str] = _TOKEN.findall(text.lower())
    if text.isascii() or not _HAN.search(text):
        return found
    return [part for token in found for part in _HAN_APART.split(token) if part]


def facts(text: str) -> Facts:
    """Everything that a comparison with another text needs.  `text`: as `plain` gives it."""
    spelling = normalise(text)
    keys: set[str] = {f"whole {compact(spelling)}"} if text else set()
    algebra: list[str] = []
    inexact: list[str] = []
    for fragment in dict.fromkeys(_fragments(spelling)):
        found = _expression(fragment)
        keys |= found.keys
        algebra += found.algebra
        inexact += found.inexact
    words = tuple(tokens(text))
    return Facts(words, frozenset(words), _values(text), frozenset(keys), tuple(algebra), tuple(inexact))


def _values(text: str) -> frozenset[str]:
    """The numeric values of a text, without leading and trailing zeros."""
    return frozenset(_value(literal) for literal in _LITERAL.findall(text))


@lru_cache(maxsize=20_000)
def _value(literal: str) -> str:
    if not literal.isascii():
        literal = "".join(char if char in ".," else str(int(char)) for char in literal)
    whole, _, decimals = literal.replace(",", "").partition(".")
    decimals = decimals.rstrip("0")
    return (whole.lstrip("0") or "0") + (f".{decimals}" if decimals else "")


def _fragments(spelling: str) -> list[str]:
    """Stretches of mathematics with an operator and an operand, between words and punctuation."""
    if not _OPERATOR.search(spelling):
        return []
    if "\\" in spelling or "&" in spelling:
        spelling = _CONTINUED.sub(" ", spelling).replace("\\boxed", " ")  # a box around something with braces
        spelling = _AREA.sub(_of_triangle, _ANGLE.sub(_in_order, spelling))
    pieces = [_trimmed(piece) for piece in _SEPARATOR.split(spelling) if _OPERATOR.search(piece)]
    return [piece for piece in pieces if _is_expression(piece)][:MAX_EXPRESSIONS]


def _trimmed(piece: str) -> str:
    """Without punctuation around it, and without brackets there that do not match; `.5` keeps its point."""
    edges = " ,$" if piece.count("(") == piece.count(")") else " ,$()"
    piece = piece.strip(edges).rstrip(f".{edges}")
    while piece.startswith(".") and not piece[1:2].isdigit():
        piece = piece[1:].lstrip(edges)
    return piece


def _in_order(angle: re.Match[str]) -> str:
    first, last = sorted((angle[1], angle[3]))
    return f"\\angle {first}{angle[2]}{last}"


def _of_triangle(area: re.Match[str]) -> str:
    return f"_{{{''.join(sorted((area[1] or area[2]).replace(' ', '')))}}}"


def _is_expression(piece: str) -> bool:
    if len(piece) > MAX_EXPRESSION_CHARS or not _OPERATOR.search(piece) or not _OPERAND.search(piece):
        return False
    if "\\circ" in piece:
        piece = _DEGREE.sub("", piece).strip()
        if not _OPERATOR.search(piece):
            return False
    return _BARE_NUMBER.fullmatch(piece) is None


class _Expression(NamedTuple):
    keys: frozenset[str]
    algebra: tuple[str, ...] = ()
    inexact: tuple[str, ...] = ()


@lru_cache(maxsize=100_000)
def _expression(fragment: str) -> _Expression:
    pieces = _RELATION.split(compact(fragment).replace("\\times", "*").replace("\\cdot", "*"))
    texts, relations = pieces[::2], pieces[1::2]
    if not all(texts):
        return _Expression(frozenset())
    symmetric = all(relation == "=" for relation in relations)
    keys = {"text " + " ".join(relations) + "|" + "|".join(sorted(texts) if symmetric else texts)}
    read = None if _LETTERLESS.fullmatch(fragment) or "\\approx" in fragment else relation(fragment)
    if read is None or not read.letters:
        if symmetric:
            keys |= _arithmetic_keys(fragment)
        return _Expression(frozenset(keys))
    exact = exact_keys(fragment)
    decided = bool(exact) and "i" not in read.letters
    return _Expression(frozenset(keys | exact), (fragment,), () if decided else (fragment,))


def _arithmetic_keys(fragment: str) -> set[str]:
    """The values of the sides with the numbers written; a value that is not rational in two roundings."""
    sides = [side.strip() for side in fragment.split("=")]
    literals = " ".join(sorted(_value(literal) for literal in _LITERAL.findall(fragment)))
    exact = [_number(side) for side in sides]
    if None not in exact:
        return {f"values {'='.join(sorted(map(str, exact)))}|{literals}"}
    near = [arithmetic_value(side) for side in sides]
    if None in near:
        return set()
    roundings = zip(*(bucket_names(value) for value in near if value is not None), strict=True)
    return {f"near {'='.join(sorted(names))}|{literals}" for names in roundings}


@lru_cache(maxsize=100_000)
def _number(side: str) -> Fraction | int | None:
    """The value of a side, where it is rational; the usual forms, `12`, `3.5` and `3 * 4`, without a parser."""
    if side.isascii() and side.isdigit():
        return int(side)
    binary = _BINARY.fullmatch(side)
    if binary is None:
        value = number(side)
        return None if value is None else value.exact
    a, b = Fraction(binary[1]), Fraction(binary[3] or 0)
    sign = binary[2]
    if sign == "/":
        return a / b if b else None
    return a if not sign else a + b if sign == "+" else a - b if sign == "-" else a * b
