r"""The milestone matcher as the paper writes it: plain loops, scikit-learn on each text, SymPy for each pair.

Shares with the matcher only what the paper leaves open: which stretches of a text are expressions, their one spelling,
and the rule for arithmetic (same values, same numbers written).  SymPy runs in workers that can be killed.
"""

import itertools
import re

import sympy
from latex2sympy2_extended import latex2sympy
from latex2sympy2_extended.latex2sympy2 import ConversionConfig
from sklearn.feature_extraction.text import TfidfVectorizer

from stepforge.answers.normalise import compact, normalise
from stepforge.answers.numbers import number
from stepforge.metrics import expressions

SPLIT = re.compile(r"(<=|>=|=|<|>|\\(?:le|ge|ne)(?![a-zA-Z]))")
NUMBER = re.compile(r"\d+(?:\.\d+)?")
ORDERS = {"<": "<", "<=": "<=", "\\le": "<=", ">": ">", ">=": ">=", "\\ge": ">="}
CONFIG = ConversionConfig(lowercase_symbols=False)


def fragments(text):
    return list(dict.fromkeys(expressions._fragments(normalise(expressions.plain(text)))))


def values(text):
    return {expressions._value(literal) for literal in expressions._LITERAL.findall(expressions.plain(text))}


class TfIdf:
    """Two vectorizers of scikit-learn, asked text by text."""

    def __init__(self, milestones):
        texts = sorted({expressions.plain(text) for text in milestones})
        self.words = TfidfVectorizer(tokenizer=expressions.tokens, token_pattern=None, ngram_range=(1, 2)).fit(texts)
        self.characters = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5)).fit(texts)

    def semantic(self, units, milestones):
        p, g = ([expressions.plain(text) for text in texts] for texts in (units, milestones))
        words = (self.words.transform(p) @ self.words.transform(g).T).toarray()
        characters = (self.characters.transform(p) @ self.characters.transform(g).T).toarray()
        return 0.65 * words + 0.35 * characters


def text_equal(a, b):
    """One spelling; equations with their sides in any order."""
    sides = []
    for text in (a, b):
        pieces = [compact(p.strip()) for p in re.split(r"(=|<|>|\\(?:le|ge|ne|approx)(?![a-zA-Z]))", text)]
        if not all(pieces):
            return False
        pieces = [p.replace("\\times", "*").replace("\\cdot", "*") for p in pieces]
        sides.append(sorted(pieces) if set(pieces[1::2]) <= {"="} else pieces)
    return sides[0] == sides[1]


def arithmetic_equal(a, b):
    """Sides with the same values, written with the same numbers."""
    found = []
    for text in (a, b):
        sides = [number(side.strip()) for side in text.split("=")]
        if any(value is None for value in sides):
            return False
        written = sorted(expressions._value(literal) for literal in expressions._LITERAL.findall(text))
        found.append((sorted((value.approx for value in sides)), written))
    (x, m), (y, n) = found
    return m == n and len(x) == len(y) and all(abs(p - q) <= 1e-9 * max(1, abs(p)) for p, q in zip(x, y, strict=True))


def has_letters(text):
    bare = re.sub(r"\\(?:frac|sqrt|times|cdot|le|ge|ne|approx|circ|pi|left|right)(?![a-zA-Z])", "", text)
    return re.search(r"[a-zA-Z]", bare) is not None


def _side(text):
    """A side as SymPy reads it: segments and angles as letters, decimals exact."""
    text = re.sub(r"\\angle ?([A-Z0-9]{1,3})", r" a_{\1} ", text.replace("^\\circ", " "))
    text = re.sub(
        r"(?<![A-Za-z\\_])(?<!_\{)([A-Z]{2})(?![A-Za-z_'])", lambda m: f" s_{{{''.join(sorted(m[1]))}}} ", text
    )
    found = latex2sympy(text.strip(), conversion_config=CONFIG)
    if isinstance(found, sympy.core.relational.Relational) or not isinstance(found, sympy.Expr):
        raise TypeError(type(found))
    found = found.xreplace({f: sympy.Rational(str(f)) for f in found.atoms(sympy.Float)}).doit()
    letters = {str(s) for s in found.free_symbols}
    return found.xreplace({sympy.Symbol("i"): sympy.I}) if "i" in letters and not letters & set("jkmn") else found


def _zero(difference):
    return sympy.simplify(difference) == 0


def _same_link(a, b):
    """One difference a constant times the other: the constant is their ratio at a point that is nobody's root."""
    (sign, left, right), (other, p, q) = a, b
    if sign != other or _zero(left - right) or _zero(p - q):
        return False
    point = {s: sympy.Rational(1009 + 2 * k, 317) for k, s in enumerate(sorted((left - right).free_symbols, key=str))}
    below = (p - q).subs(point)
    if below.free_symbols or _zero(below):
        return False
    ratio = sympy.radsimp(sympy.simplify((left - right).subs(point) / below))
    ordered = sign not in {"=", "\\ne"}
    return ratio != 0 and not (ordered and not ratio.is_positive) and _zero(left - right - ratio * (p - q))


def _same_side(a, b):
    return a[1] == b[1] and _zero(a[0] - b[0])


def _paired(xs, ys, same):
    ys = list(ys)
    for x in xs:
        found = next((y for y in ys if same(x, y)), None)
        if found is None:
            return False
        ys.remove(found)
    return not ys


def _links(text):
    pieces = [piece.strip() for piece in SPLIT.split(text)]
    sides = [_side(piece) for piece in pieces[::2]]
    links = []
    for sign, (left, right) in zip(pieces[1::2], itertools.pairwise(sides), strict=True):
        order = ORDERS.get(sign, sign)
        links.append((order.replace(">", "<"), right, left) if ">" in order else (order, left, right))
    written = [("" if has_letters(p) else sorted(NUMBER.findall(p))) for p in pieces[::2]]
    return sides, links, list(zip(sides, written, strict=True))


def sympy_equal(pair):
    """Whether SymPy shows two algebraic texts to be equal; None where it cannot read one."""
    try:
        (a, links, sides), (b, others, rest) = _links(pair[0]), _links(pair[1])
    except Exception:  # noqa: BLE001 - whatever the grammar raises on a text, it cannot read it
        return None
    if len(a) != len(b):
        return False
    if not links:
        return _zero(a[0] - b[0])
    if _paired(links, others, _same_link):
        return True
    chain = len(a) > 2 and {sign for sign, *_ in links + others} == {"="}
    return chain and _paired(sides, rest, _same_side)


class Equality:
    """Text, then arithmetic, then SymPy in a worker; each pair is asked once."""

    def __init__(self, workers, timeout_s=5.0):
        self.workers, self.timeout_s, self.known = workers, timeout_s, {}

    def __call__(self, p, g):
        p, g = fragments(p), fragments(g)
        pairs = list(itertools.product(p, g))
        if any(text_equal(a, b) or arithmetic_equal(a, b) for a, b in pairs):
            return True
        asked = [(a, b) for a, b in pairs if has_letters(a) and has_letters(b) and "\\approx" not in a + b]
        return any(self.ask(pair) for pair in asked)

    def ask(self, pair):
        if pair not in self.known:
            (found,) = self.workers.map(sympy_equal, [pair], self.timeout_s)
            self.known[pair] = found
        return self.known[pair] is True


def components(tfidf, equal, units, milestones):
    """S_sem, S_eq, S_num, S_key as nested lists."""
    semantic = tfidf.semantic(units, milestones).tolist()
    found = []
    for p, row in zip(units, semantic, strict=True):
        found.append([])
        for g, similarity in zip(milestones, row, strict=True):
            same_text = compact(normalise(expressions.plain(p))) == compact(normalise(expressions.plain(g)))
            numbers, wanted = values(p), values(g)
            a, b = (set(expressions.tokens(expressions.plain(text))) for text in (p, g))
            found[-1].append(
                (
                    similarity,
                    float(same_text or equal(p, g)),
                    len(numbers & wanted) / len(wanted) if wanted else 0.0,
                    len(a & b) / len(a | b) if a | b else 0.0,
                )
            )
    return found


def align(found, milestones):
    """(p*, matched) of each milestone: equation (2) and the rules below it."""
    result = []
    for g in range(milestones):
        best, best_s = None, -1.0
        for p, row in enumerate(found):
            sem, eq, num, key = row[g]
            s = round(0.55 * sem + 0.25 * eq + 0.10 * num + 0.10 * key, 12)
            if s > best_s:
                best, best_s = p, s
        if best is None:
            result.append((None, False))
            continue
        sem, eq, num, key = found[best][g]
        close = round(sem, 12) >= 0.4 and (num >= 0.5 or key >= 0.2)
        result.append((best, bool(best_s >= 0.4 or eq == 1 or close)))
    return result
