"""Symbolic equivalence of two mathematical texts. Run in a worker that can be killed: SymPy may hang on short input.

Texts become SymPy objects through latex2sympy2_extended's grammar; nothing is evaluated as Python. It is asked only
about what the engine's own grammar does not read: sums, integrals, polynomial inequalities, symbolic factorials. What
that grammar is known to read wrongly, losing a part of the text, is refused before (signs such as ±, words, units,
numbers side by side).
"""

import re
from typing import Any

import sympy
from latex2sympy2_extended import latex2sympy
from latex2sympy2_extended.latex2sympy2 import ConversionConfig

from stepforge.answers.normalise import normalise
from stepforge.vocabulary import EquivalenceVerdict

MAX_CHARS = 400  # answers beyond this are prose
MAX_NESTING = 12  # deeper brackets cost the grammar seconds
DIGITS = 30
POINTS = 6
AGREE = 1e-18
DIFFER = 1e-9

EQUAL, DIFFERENT, UNDECIDED = EquivalenceVerdict.EQUAL, EquivalenceVerdict.DIFFERENT, EquivalenceVerdict.UNDECIDED
_CONFIG = ConversionConfig(lowercase_symbols=False)
_REFUSED = re.compile(  # lost or misread by the grammar
    r"\\(?:pm|mp|dots|angle|triangle|cong|sim|perp|parallel|circ)(?![a-zA-Z])|\d \d|[:;'\"|]|\.\.|_ ?\{?\d+\}?\s*$|"
    r"\b(?:or|and|to)\b|[A-Z]{3,}|(?<![\\a-zA-Z])[a-zA-Z]\d"  # x2: a product there, x² or x₂ as likely
)
_ENDLESS = re.compile(  # what SymPy would work out for hours: it is killed in the end, but a worker with it
    r"\\(?:binom|gcd|lcm)(?![a-zA-Z])|\^ ?\{? ?-?\d{5}|\d{40}|!.{0,9}!|"
    r"(?:\^ ?(?:\{ ?\w{0,4}|\w) ?){3}|\d ?\^ ?\{? ?\d{1,9} ?\^ ?\{? ?\d|"
    r"\\(?:sum|prod)(?![a-zA-Z]).{0,40}?\^ ?(?:\d{4}|\{[^{}]{0,20}(?:\^|\d{4}))|"
    r"(?:\\(?:cos|sin|tan|exp|ln|log|sqrt) ?\{?){9}"
)
_RELATION = re.compile(r"<|>|\\(?:le|ge)(?![a-zA-Z])")
_INTERVAL = re.compile(r"[(\[](?P<low>[^,()\[\]]{1,60}),(?P<high>[^,()\[\]]{1,60})[)\]]")
_WORD = re.compile(r"(?<![\\a-zA-Z])[a-zA-Z]{4,}|[\u3400-\u9fff]")
_FUNCTIONS = re.compile(r"\b(?:sin|cos|tan|cot|sec|csc|log|ln|exp|sqrt|arcsin|arccos|arctan|matrix|infty)\b")


class _UnreadableError(Exception):
    """The text is no mathematics that the grammar reads within the limits."""


def _parse(text: str) -> Any:
    if len(text) > MAX_CHARS:
        raise _UnreadableError
    text = normalise(text)
    depth = deepest = 0
    for char in text:
        depth += (char in "([{") - (char in ")]}")
        deepest = max(deepest, depth)
    if deepest > MAX_NESTING or depth or is_refused(text):
        raise _UnreadableError
    text = text.replace("{matrix}", "{pmatrix}")
    try:
        return latex2sympy(text, conversion_config=_CONFIG)
    except Exception as error:
        raise _UnreadableError from error


def compare(pair: tuple[str, str]) -> EquivalenceVerdict:
    """Whether two LaTeX or plain texts are equal as mathematics; UNDECIDED where either is not readable or no test
    decides.  Expressions are compared at several complex points in 30 digits, then by simplification."""
    try:
        if any(map(_RELATION.search, pair)) and any(map(_INTERVAL.fullmatch, map(normalise, pair))):
            return _same_set(*map(_as_set, pair))
        return same(_parse(pair[0]), _parse(pair[1]))
    except Exception:  # noqa: BLE001 - whatever SymPy raises on a text is that text's result
        return UNDECIDED


def warm() -> None:
    """Load the grammar, so that the first comparison of a worker has its whole time limit."""
    compare(("x+\\frac{1}{2}", "\\sqrt{x}"))


def is_refused(normalised: str) -> bool:
    """Whether a text has a sign or a word that the grammar is known to lose, or work without an end."""
    words = _WORD.search(_FUNCTIONS.sub("", normalised)) is not None
    return words or _REFUSED.search(normalised) is not None or _ENDLESS.search(normalised) is not None


def _as_set(text: str) -> Any:
    """An interval, or the solutions of an inequality about one letter."""
    text = normalise(text)
    interval = _INTERVAL.fullmatch(text)
    if interval:
        low, high = (_parse(end.replace("+", "", 1) if "infty" in end else end) for end in interval.groups())
        return sympy.Interval(low, high, left_open=text[0] == "(", right_open=text[-1] == ")")
    relation = _parse(text)
    (letter,) = relation.free_symbols
    real = sympy.Symbol("x", real=True)
    return relation.xreplace({letter: real}).as_set()


def _all(verdicts: list[EquivalenceVerdict]) -> EquivalenceVerdict:
    if DIFFERENT in verdicts:
        return DIFFERENT
    return UNDECIDED if UNDECIDED in verdicts else EQUAL


def same(a: Any, b: Any) -> EquivalenceVerdict:
    """Whether two SymPy objects of one kind are equal; UNDECIDED for two kinds."""
    by_type = (
        (sympy.MatrixBase, _same_matrix),
        (sympy.Tuple, _same_tuple),
        (sympy.Set, _same_set),
        (sympy.And, _same_chain),
        (sympy.core.relational.Relational, _same_relation),
        (sympy.Expr, _same_expression),
    )
    for kind, test in by_type:
        if isinstance(a, kind) and isinstance(b, kind):
            return test(a, b)
    return UNDECIDED


def _same_tuple(a: Any, b: Any) -> EquivalenceVerdict:
    return _all([same(x, y) for x, y in zip(a, b, strict=True)]) if len(a) == len(b) else DIFFERENT


def _same_matrix(a: Any, b: Any) -> EquivalenceVerdict:
    if a.shape != b.shape:
        return DIFFERENT
    return _all([_same_expression(x, y) for x, y in zip(a, b, strict=True)])


def _same_set(a: Any, b: Any) -> EquivalenceVerdict:
    a, b = a.doit(), b.doit()
    if a == b:
        return EQUAL
    if isinstance(a, sympy.FiniteSet) and isinstance(b, sympy.FiniteSet):
        return _same_elements(list(a), list(b))
    if a.free_symbols or b.free_symbols:
        return UNDECIDED
    rest = sympy.SymmetricDifference(a, b).doit()
    return EQUAL if rest is sympy.S.EmptySet else DIFFERENT if rest.is_empty is False else UNDECIDED


def _same_elements(a: list[Any], b: list[Any]) -> EquivalenceVerdict:
    if len(a) != len(b):
        return UNDECIDED  # written twice in one of them
    for x in a:
        verdicts = [same(x, y) for y in b]
        if EQUAL not in verdicts:
            return UNDECIDED if UNDECIDED in verdicts else DIFFERENT
        del b[verdicts.index(EQUAL)]
    return EQUAL


def _same_chain(a: Any, b: Any) -> EquivalenceVerdict:
    if len(a.args) != len(b.args):
        return UNDECIDED
    verdict = _same_elements(list(a.args), list(b.args))
    return verdict if verdict is EQUAL else UNDECIDED


def _difference(relation: Any) -> Any:
    return relation.lhs - relation.rhs


def _same_relation(a: Any, b: Any) -> EquivalenceVerdict:
    if isinstance(a, sympy.Eq) and (isinstance(a.rhs, sympy.Set) or isinstance(b.rhs, sympy.Set)):
        return _all([same(a.lhs, b.lhs), same(a.rhs, b.rhs)])
    kind_a, kind_b = _canonical(a), _canonical(b)
    if kind_a[0] != kind_b[0]:
        return DIFFERENT
    return _proportional(kind_a[1], kind_b[1], positive=kind_a[0] not in {"==", "!="})


def _canonical(relation: Any) -> tuple[str, Any]:
    flipped = {">": "<", ">=": "<="}
    operator = relation.rel_op
    if operator in flipped:
        return flipped[operator], relation.rhs - relation.lhs
    return operator, _difference(relation)


def _proportional(a: Any, b: Any, *, positive: bool) -> EquivalenceVerdict:
    """Whether a = c·b for a constant c ≠ 0 (c > 0 where `positive`): then both relations have the same solutions.
    Not proportional says nothing certain: y = x and y³ = x³ have the same real solutions."""
    ratios = []
    for point in _points(a.free_symbols | b.free_symbols):
        above, below = _at(a, point), _at(b, point)
        if above is None or below is None:
            continue
        if abs(above) < AGREE or abs(below) < AGREE:
            return UNDECIDED
        ratios.append(above / below)
    if len(ratios) < 3:
        return UNDECIDED
    first = ratios[0]
    if any(abs(ratio - first) > DIFFER * abs(first) for ratio in ratios):
        return DIFFERENT if _linear(a) and _linear(b) else UNDECIDED
    if positive and not (abs(sympy.im(first)) < AGREE and sympy.re(first) > 0):
        return DIFFERENT if _linear(a) else UNDECIDED
    return EQUAL if all(abs(ratio - first) <= AGREE * abs(first) for ratio in ratios) else UNDECIDED


def _linear(a: Any) -> bool:
    return bool(a.free_symbols) and all(sympy.degree(sympy.expand(a.doit()), s) == 1 for s in a.free_symbols)


def _points(symbols: Any) -> list[dict[Any, Any]]:
    """Fixed points without symmetry; real of both signs and complex, so that x and |x| or √x² differ somewhere."""
    names = sorted(symbols, key=str)
    points = []
    for k in range(POINTS):
        point = {}
        for j, symbol in enumerate(names):
            real = sympy.Rational(((k + 2) * 37 + (j + 1) * 101) % 89 + 13, 41) * (-1 if (k + j) % 3 == 2 else 1)
            imaginary = sympy.Rational(7 + j + 3 * k, 19) if k >= POINTS - 2 else 0
            point[symbol] = real + imaginary * sympy.I
        points.append(point)
    return points


def _at(a: Any, point: dict[Any, Any]) -> Any:
    value = a.doit().xreplace(point).evalf(DIGITS) if point else a.doit().evalf(DIGITS)
    if value.is_number and value.is_finite and not value.has(sympy.nan, sympy.zoo, sympy.oo):
        return sympy.N(value, DIGITS)
    return None


def _imaginary_unit(a: Any, b: Any) -> tuple[Any, Any]:
    """`i` read as the imaginary unit where no other index letter is about."""
    i = sympy.Symbol("i")
    others = {str(s) for s in a.free_symbols | b.free_symbols} - {"i"}
    if others & {"j", "k", "n", "m"}:
        return a, b
    return a.xreplace({i: sympy.I}), b.xreplace({i: sympy.I})


def _same_expression(a: Any, b: Any) -> EquivalenceVerdict:
    a, b = _imaginary_unit(a, b)
    symbols = a.free_symbols | b.free_symbols
    agreeing = 0
    for point in _points(symbols) if symbols else [{}]:
        left, right = _at(a, point), _at(b, point)
        if left is None or right is None:
            continue
        gap, scale = abs(left - right), max(abs(left), abs(right))
        if scale > AGREE:  # both next to zero: rounding, or values too small to tell apart
            if gap > DIFFER * scale:
                return DIFFERENT
            agreeing += bool(gap <= AGREE * scale)
    if agreeing >= (3 if symbols else 1):
        return EQUAL
    return EQUAL if sympy.simplify(a.doit() - b.doit()) == 0 else UNDECIDED
