r"""Texts of mathematics as trees: a small grammar of its own, bounded in length, depth and size. Nothing is evaluated.

Reads numbers (as `literals` writes them), letters with indices, + - * / ^ !, brackets, |x|, `\frac`, `\sqrt[k]`,
`\binom`, floor and ceiling, named functions with or without brackets (`\sin 2x`, `\sin^2 x`, `\log_2 8`), degrees,
mixed numbers and implicit multiplication. What it is not sure of it does not read: words, unknown functions `f(…)`,
`1/2x` (half x, or one by two x), sums and integrals.
"""

import re
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from stepforge.answers.literals import rewritten

MAX_CHARS = 1000  # the longest closed answer of the five benchmarks' data has 300
MAX_DEPTH = 40
MAX_NODES = 600
MAX_LITERAL_DIGITS = 400


class UnreadableError(ValueError):
    """The text is no expression that the grammar reads within its limits."""


class AmbiguousError(UnreadableError):
    """The text has two readings; no other reader may choose one."""


class Node(NamedTuple):
    """A tree: `op` is num, sym, add, mul, div, pow, neg, fn or const; `name` is a symbol's or a function's."""

    op: str
    args: "tuple[Node, ...]" = ()
    name: str = ""
    value: Fraction = Fraction(0)


def num(value: Fraction | int) -> Node:
    """A rational constant."""
    return Node("num", value=Fraction(value))


PI, EULER, IMAGINARY = Node("const", name="pi"), Node("const", name="e"), Node("const", name="i")
DEGREE = Node("div", (PI, num(180)))

_TRIGONOMETRIC = ("sin", "cos", "tan", "cot", "sec", "csc")
_HYPERBOLIC = ("sinh", "cosh", "tanh", "coth")
_ARCS = ("arcsin", "arccos", "arctan", "arccot", "arcsec", "arccsc")
PREFIX_FUNCTIONS = frozenset((*_TRIGONOMETRIC, *_HYPERBOLIC, *_ARCS, "ln", "log", "lg", "exp"))
_LIST_FUNCTIONS = frozenset(("max", "min", "gcd", "lcm"))
_GREEK = frozenset(
    (
        *("alpha", "beta", "gamma", "delta", "epsilon", "varepsilon", "zeta", "eta", "theta", "vartheta", "iota"),
        *("kappa", "lambda", "mu", "nu", "xi", "rho", "sigma", "tau", "upsilon", "phi", "varphi", "chi", "psi"),
        *("omega", "Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Phi", "Psi", "Omega", "ell"),
    )
)
_ACCENTS = frozenset(("vec", "overrightarrow", "hat", "overline", "bar", "tilde", "widehat"))
_NAMED = frozenset(("angle", "triangle"))
_TIMES = frozenset(("*", "\\times", "\\cdot"))
_FUNCTION_LETTERS = frozenset("fghFGH")
_CLOSING = {"(": ")", "[": "]", "{": "}", "\\{": "\\}", "\\lfloor": "\\rfloor", "\\lceil": "\\rceil"}
_WORDS = sorted({*PREFIX_FUNCTIONS, *_LIST_FUNCTIONS, "sqrt"}, key=len, reverse=True)
_TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|\d+(?:\.\d*)?|\.\d+)|(?P<command>\\[a-zA-Z]+|\\[{}])"
    rf"|(?P<word>(?:{'|'.join(_WORDS)})(?![a-zA-Z]))|(?P<capitals>[A-Z]{{2,6}}(?![a-z]))|(?P<letter>[a-zA-Z])"
    r"|(?P<op>[-+*/^(){}\[\]|!,%_'])",
    re.ASCII,
)
_LONG_WORD = re.compile(r"(?<![\\a-zA-Z])(?!(?:(?:arc)?(?:sin|cos|tan|cot|sec|csc)h?|sqrt)(?![a-zA-Z]))[a-zA-Z]{4,}")
_INDEX = re.compile(r"[\w+\-*/ ,'\\]{1,24}", re.ASCII)


class _Token(NamedTuple):
    kind: str
    text: str
    spaced: bool  # a space stands before it


def _tokens(text: str) -> list[_Token]:
    found: list[_Token] = []
    at, spaced = 0, False
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise UnreadableError(f"{text[at]!r} is not read")
        at = match.end()
        if match.lastgroup == "space":
            spaced = True
            continue
        found.append(_Token(str(match.lastgroup), match[0], spaced))
        spaced = False
    return found


_END = _Token("end", "", False)


class _Parser:
    def __init__(self, text: str) -> None:
        self.tokens = _tokens(text)
        self.at = self.depth = self.nodes = 0
        self.bars = 0

    def peek(self, ahead: int = 0) -> _Token:
        at = self.at + ahead
        return self.tokens[at] if at < len(self.tokens) else _END

    def take(self) -> _Token:
        token = self.peek()
        self.at += 1
        return token

    def expect(self, text: str) -> None:
        if self.take().text != text:
            raise UnreadableError(f"{text!r} is missing")

    def node(self, op: str, *args: Node, name: str = "") -> Node:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise UnreadableError("too large")
        return Node(op, args, name)

    def sum(self) -> Node:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise UnreadableError("nested too deeply")
        value = self.product()
        while self.peek().text in {"+", "-"}:
            op = self.take().text
            right = self.product()
            value = self.node("add", value, right if op == "+" else self.node("neg", right))
        self.depth -= 1
        return value

    def signs(self) -> bool:
        negative = False
        while self.peek().text in {"+", "-"}:
            negative ^= self.take().text == "-"
        return negative

    def product(self, *, argument: bool = False) -> Node:
        """Factors; as the argument of a function written without brackets it ends before the next function."""
        negative = self.signs()
        value = self.factor()
        divided = False  # the last factor is a bare number or letter below a slash
        while True:
            token = self.peek()
            if token.text in _TIMES:
                if argument:
                    break
                self.take()
                value, divided = self.node("mul", value, self.signed_factor()), False
            elif token.text == "/":
                self.take()
                divided = self.peek().kind in {"number", "letter"}
                value = self.node("div", value, self.signed_factor())
            elif self.begins_factor(argument=argument):
                if divided and not token.spaced and token.kind in {"letter", "capitals"}:
                    raise AmbiguousError("1/2x may mean two things")
                value, divided = self.node("mul", value, self.factor()), False
            else:
                break
        return self.node("neg", value) if negative else value

    def signed_factor(self) -> Node:
        negative = self.signs()
        value = self.factor()
        return self.node("neg", value) if negative else value

    def begins_factor(self, *, argument: bool) -> bool:
        token = self.peek()
        if token.kind == "number":
            return self.tokens[self.at - 1].text in {")", "}", "]"}
        if token.text == "|":
            return self.bars == 0
        if token.kind == "command":
            name = token.text[1:]
            if name in PREFIX_FUNCTIONS:
                return not argument
            return name in {
                "frac",
                "sqrt",
                "pi",
                "binom",
                "lfloor",
                "lceil",
                *_GREEK,
                *_ACCENTS,
                *_NAMED,
                *_LIST_FUNCTIONS,
            }
        if token.kind == "word":
            return not argument
        return token.kind in {"letter", "capitals"} or token.text in {"(", "[", "{"}

    def factor(self) -> Node:
        first = self.at
        value = self.atom()
        if self.at == first + 1 and self.tokens[first].text.isdigit() and self.peek().text == "\\frac":
            value = self.mixed(value)
        while self.peek().text in {"^", "!", "%"}:
            op = self.take().text
            if op == "^" and self.peek().text == "\\circ":
                self.take()
                value = self.node("mul", value, DEGREE)
            elif op == "^":
                value = self.node("pow", value, self.exponent())
            elif op == "!":
                if self.peek().text == "!":
                    raise AmbiguousError("a double factorial")
                value = self.node("fn", value, name="factorial")
            else:
                value = self.node("div", value, num(100))
        return value

    def mixed(self, whole: Node) -> Node:
        r"""`6\frac15` is six and a fifth; `2\frac{x}{3}` a product."""
        fraction = self.atom()
        above, below = fraction.args
        if above.op == below.op == "num" and above.value.denominator == 1 and 0 <= above.value < below.value:
            return self.node("add", whole, fraction)
        return self.node("mul", whole, fraction)

    def exponent(self) -> Node:
        negative = self.signs()
        token = self.peek()
        if token.kind == "number" and len(token.text) > 1 and "." not in token.text:
            self.take()
            value = num(_rational(token.text))
        else:
            value = self.atom()
        if self.peek().text == "^":
            self.take()
            value = self.node("pow", value, self.exponent())
        return self.node("neg", value) if negative else value

    def atom(self) -> Node:  # noqa: PLR0911 - one return a kind of token
        token = self.take()
        kind, text = token.kind, token.text
        if kind == "number":
            if self.peek().text == "_":
                raise UnreadableError("a number in another base")
            return num(_rational(text))
        if text in {"(", "[", "{", "\\{"}:
            return self.group(text)
        if text == "|":
            self.bars += 1
            inner = self.sum()
            self.expect("|")
            self.bars -= 1
            return self.node("fn", inner, name="abs")
        if kind == "command":
            return self.command(text[1:])
        if kind == "word":
            return self.function(text)
        if kind == "letter":
            return self.letter(text)
        if kind == "capitals":
            return self.capitals(text)
        raise UnreadableError(f"unexpected {text!r}" if text else "ends too early")

    def group(self, opening: str) -> Node:
        bars, self.bars = self.bars, 0
        value = self.sum()
        self.expect(_CLOSING[opening])
        self.bars = bars
        return value

    def braced(self) -> Node:
        if self.peek().text == "{":
            return self.group(self.take().text)
        return self.atom()

    def command(self, name: str) -> Node:  # noqa: PLR0911 - one return a kind of command
        if name == "frac":
            above = self.braced()
            return self.node("div", above, self.braced())
        if name == "sqrt":
            return self.root()
        if name == "binom":
            above = self.braced()
            return self.node("fn", above, self.braced(), name="binomial")
        if name == "pi":
            return PI
        if name in {"lfloor", "lceil"}:
            return self.node("fn", self.group(f"\\{name}"), name="floor" if name == "lfloor" else "ceil")
        if name in PREFIX_FUNCTIONS or name in _LIST_FUNCTIONS:
            return self.function(name)
        if name in _GREEK:
            return self.symbol(f"\\{name}")
        if name in _ACCENTS:
            letters = self.raw()
            segment = name in {"overline", "bar"} and re.fullmatch("[A-Z]{2}", letters)
            return self.symbol(f"\\{name}{{{''.join(sorted(letters)) if segment else letters}}}")
        if name in _NAMED and self.peek().kind in {"letter", "capitals"}:
            return self.symbol(f"\\{name} {self.take().text}")
        raise UnreadableError(f"\\{name} is not read")

    def root(self) -> Node:
        degree = num(2)
        if self.peek().text == "[":
            degree = self.group(self.take().text)
        return self.node("fn", self.braced() if self.peek().text != "(" else self.atom(), degree, name="root")

    def raw(self) -> str:
        """The letters of an accent's or an index's argument."""
        if self.peek().text != "{":
            return self.take().text
        self.take()
        found: list[str] = []
        while (token := self.take()).text != "}":
            if token is _END or len(found) > 24 or token.text == "{":
                raise UnreadableError("an index that is not read")
            found.append(token.text)
        return "".join(found)

    def symbol(self, name: str) -> Node:
        while self.peek().text in {"_", "'"}:
            mark = self.take().text
            name += "'" if mark == "'" else f"_{self.raw()}"
        self.nodes += 1
        return Node("sym", name=name)

    def letter(self, text: str) -> Node:
        plain = self.peek().text not in {"_", "'"}
        if text in "CAP" and (counted := self.counted(text)) is not None:
            return counted
        if text == "e" and plain:
            return EULER
        if text in _FUNCTION_LETTERS and self.peek().text == "(":
            raise UnreadableError(f"an unknown function {text}")
        return self.symbol(text)

    def counted(self, letter: str) -> Node | None:
        """Combinations and permutations of numbers as Chinese texts write them: C_{10}^{3}, A_5^2."""
        start = self.at
        found: list[str] = []
        for mark in "_^":
            if self.peek().text != mark:
                break
            self.take()
            try:
                found.append(self.raw())
            except UnreadableError:
                break
        if len(found) == 2 and all(part.isdigit() and len(part) < 5 for part in found):
            n, k = (num(int(part)) for part in found)
            chosen = self.node("fn", n, k, name="binomial")
            return chosen if letter == "C" else self.node("mul", chosen, self.node("fn", k, name="factorial"))
        self.at = start
        return None

    def capitals(self, text: str) -> Node:
        """AB: a segment, or the product of A and B; either way BA is the same. Longer runs keep their order."""
        return self.symbol("".join(sorted(text)) if len(text) == 2 else text)

    def function(self, name: str) -> Node:
        if name in _LIST_FUNCTIONS:
            return self.listed(name)
        if name == "sqrt":
            return self.root()
        base: Node | None = None
        power: Node | None = None
        inverse = False
        if self.peek().text == "_" and name == "log":
            self.take()
            base = self.braced() if self.peek().text == "{" else self.digit_or_letter()
        if self.peek().text == "^":
            self.take()
            power = self.exponent_of_function()
            inverse = power.op == "neg" and power.args[0] == num(1) and name in (*_TRIGONOMETRIC, *_HYPERBOLIC)
        value = self.applied(f"arc{name}" if inverse else name, self.argument(), base)
        return value if power is None or inverse else self.node("pow", value, power)

    def digit_or_letter(self) -> Node:
        r"""The base in `\log_28`: one digit, then what follows."""
        token = self.peek()
        if token.kind == "number" and len(token.text) > 1 and token.text.isdigit():
            self.tokens[self.at] = token._replace(text=token.text[1:], spaced=True)
            return num(_rational(token.text[0]))
        return self.atom()

    def exponent_of_function(self) -> Node:
        token = self.peek()
        if token.kind == "number" and len(token.text) > 1 and token.text.isdigit():
            return self.digit_or_letter()  # \sin^2 2x without the space
        return self.exponent()

    def argument(self) -> Node:
        token = self.peek()
        if token.text in {"(", "{", "["}:
            value = self.group(self.take().text)
            while self.peek().text in {"^", "!"} and token.text != "{":
                raise AmbiguousError("a power of an argument or of the function")
            return value
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise UnreadableError("nested too deeply")
        value = self.product(argument=True)
        self.depth -= 1
        return value

    def applied(self, name: str, argument: Node, base: Node | None) -> Node:
        if name == "exp":
            return self.node("pow", EULER, argument)
        if name == "lg":
            name, base = "log", num(10)
        if name in {"ln", "log"}:
            logarithm = self.node("fn", argument, name="ln")
            if base is not None:
                return self.node("div", logarithm, self.node("fn", base, name="ln"))
            return logarithm if name == "ln" else self.node("mul", logarithm, Node("sym", name=BARE_LOG))
        return self.node("fn", argument, name=name)

    def listed(self, name: str) -> Node:
        opening = self.take().text
        if opening not in {"(", "\\{", "{", "["}:
            raise UnreadableError(f"{name} without brackets")
        values = [self.sum()]
        while self.peek().text == ",":
            self.take()
            values.append(self.sum())
        self.expect(_CLOSING[opening])
        return self.node("fn", *values, name=name)


BARE_LOG = "log without a base"  # as a factor: log x = ln x times what its base makes of it


def _rational(text: str) -> Fraction:
    digits = text.replace(",", "").rstrip(".")
    if len(digits) > MAX_LITERAL_DIGITS:
        raise UnreadableError("a number too long")
    return Fraction(digits)


@lru_cache(maxsize=2048)
def _read(normalised: str) -> Node | UnreadableError:
    try:
        return _parsed(normalised)
    except UnreadableError as error:
        return type(error)(str(error))


def _parsed(normalised: str) -> Node:
    if len(normalised) > MAX_CHARS:
        raise UnreadableError("too long")
    text = rewritten(normalised)
    if _LONG_WORD.search(text):
        raise UnreadableError("words")
    parser = _Parser(text)
    if not parser.tokens:
        raise UnreadableError("empty")
    value = parser.sum()
    if parser.at < len(parser.tokens):
        raise UnreadableError(f"unexpected {parser.peek().text!r}")
    return value


def read(normalised: str) -> Node:
    """The tree of a (normalised) expression.  Raises: UnreadableError."""
    found = _read(normalised)
    if isinstance(found, UnreadableError):
        raise type(found)(str(found))
    return found


def symbols(node: Node) -> frozenset[str]:
    """Names of the letters in a tree, without π, e."""
    if node.op == "sym":
        return frozenset((node.name,))
    return frozenset().union(*(symbols(arg) for arg in node.args)) if node.args else frozenset()
