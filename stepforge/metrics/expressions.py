"""What the milestone matcher reads out of a text: tokens, numbers and expressions.  Source: MAMath-Bench, section 4.

Silent in the paper, fixed here. An expression has an operator: a bare number is none, or two texts that both say "5"
would match by S_eq alone. Two arithmetic expressions are numerically equivalent if their sides have the same values and
they are written with the same numbers (3·60 = 180 and 60·3 = 180, but not 90·2 = 180): every true equation would be
equivalent to every other by its truth value. Equations are equal with their sides swapped. Two texts that are the same
letter for letter are equivalent, also where no vector knows their signs.
"""

import re
from fractions import Fraction
from typing import NamedTuple

from stepforge.answers.normalise import compact, normalise
from stepforge.answers.numbers import number

MAX_EXPRESSIONS = 40
MAX_EXPRESSION_CHARS = 160

_TOKEN = re.compile(r"\\[a-zA-Z]+|\d+(?:\.\d+)?|[^\W\d_]+|[∠△∥⊥≌∽≅]")
_HAN = re.compile(r"[\u3400-\u9fff]")
_LETTER_TIMES = re.compile(r"(?<=\d) ?[xX] ?(?=\d)")
_LITERAL = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d{1,30})?(?!\d)|\d{1,60}(?:\.\d{1,60})?")
_CALCULATOR = re.compile(r"<<[^<>\n]{0,200}>>")
_SEPARATOR = re.compile(
    r"(?<![\\a-zA-Z])(?:[a-z]{2,}|[A-Z][a-z]+)(?![a-zA-Z])|[\u3400-\u9fff]+|[;:?!\n]|, |,(?=\\)|\. |\.$|"
    r"\\(?:because|therefore|triangle|parallel|perp|implies|Rightarrow|text)(?![a-zA-Z])|[∵∴]"
)
_OPERATOR = re.compile(r"[=<>/*+^]|(?<=[\w)}]) ?- ?(?=[\w(\\])|\\(?:times|cdot|frac|sqrt|le|ge|ne|approx)(?![a-zA-Z])")
_RELATION = re.compile(r"(=|<|>|\\(?:le|ge|ne|approx)(?![a-zA-Z]))")
_CAPITALS = re.compile(r"[A-Z]{2}")
_NOT_SYMBOLIC = re.compile(r"\\angle|'|[\u3400-\u9fff]")


class Algebra(NamedTuple):
    """An expression with letters, for the symbolic library."""

    text: str
    letters: frozenset[str]


class Facts(NamedTuple):
    """Tokens, numeric values, comparable keys of expressions, and expressions with letters of one text."""

    tokens: frozenset[str]
    numbers: frozenset[Fraction]
    keys: frozenset[str]
    algebra: tuple[Algebra, ...]


def plain(text: str) -> str:
    """The text without calculator marks (`<<3*5=15>>`), a letter x between numbers as ×, spaces single."""
    return _LETTER_TIMES.sub(" × ", " ".join(_CALCULATOR.sub("", text).split()))


def tokens(text: str) -> list[str]:
    r"""Words, numbers and LaTeX commands, lower-cased; each Han character is a token of its own."""
    found: list[str] = []
    for token in _TOKEN.findall(text.lower()):
        if _HAN.search(token):
            found += [part for part in re.split(r"([\u3400-\u9fff])", token) if part]
        else:
            found.append(token)
    return found


def facts(text: str) -> Facts:
    """Everything that a comparison with another text needs."""
    keys: set[str] = {f"whole {compact(normalise(text))}"} if text else set()
    algebra: list[Algebra] = []
    for fragment in _fragments(text):
        keys.update(_keys(fragment))
        letters = frozenset(re.findall(r"(?<![\\a-zA-Z])[a-zA-Z](?![a-zA-Z])", fragment))
        if letters and not _CAPITALS.search(fragment) and not _NOT_SYMBOLIC.search(fragment):
            algebra.append(Algebra(fragment, letters))
    values = frozenset(Fraction(literal.replace(",", "")) for literal in _LITERAL.findall(text))
    return Facts(frozenset(tokens(text)), values, frozenset(keys), tuple(algebra))


def _fragments(text: str) -> list[str]:
    """Stretches of mathematics with an operator and an operand, between words and punctuation."""
    pieces = (piece.strip(" .,()$") if piece.count("(") != piece.count(")") else piece.strip(" .,$")
              for piece in _SEPARATOR.split(normalise(text)))  # fmt: skip
    found = [p for p in pieces if p and len(p) <= MAX_EXPRESSION_CHARS and _OPERATOR.search(p) and re.search(r"\w", p)]
    return found[:MAX_EXPRESSIONS]


def _keys(fragment: str) -> list[str]:
    """Keys that equivalent expressions share: the normalised text, and the values with the numbers written."""
    pieces = [piece.strip() for piece in _RELATION.split(fragment)]
    sides, relations = pieces[::2], pieces[1::2]
    if any(not side for side in sides):
        return []
    symmetric = all(relation == "=" for relation in relations)
    texts = [compact(side).replace("\\times", "*").replace("\\cdot", "*") for side in sides]
    keys = ["text " + " ".join(relations) + "|" + "|".join(sorted(texts) if symmetric else texts)]
    values = [number(side) for side in sides]
    if symmetric and all(value is not None and value.exact is not None for value in values):
        exact = sorted(str(value.exact) for value in values if value)
        literals = sorted(str(Fraction(x.replace(",", ""))) for x in _LITERAL.findall(fragment))
        keys.append(f"value {'='.join(exact)}|{' '.join(literals)}")
    return keys
