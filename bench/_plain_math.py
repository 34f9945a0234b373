"""LaTeX of school problems as Unicode text on one line, for pages set without a formula typesetter."""

import re

_SYMBOLS = {
    "circ": "°", "angle": "∠", "triangle": "△", "pi": "π", "cdot": "·", "times": "×", "le": "≤", "leq": "≤", "ge": "≥",
    "leqslant": "≤", "geqslant": "≥", "geq": "≥", "perp": "⊥", "parallel": "∥", "approx": "≈", "dots": "…",
    "ldots": "…", "cdots": "…", "theta": "θ", "alpha": "α", "beta": "β", "gamma": "γ", "neq": "≠", "ne": "≠",
    "rightarrow": "→", "equiv": "≡", "in": "∈", "div": "÷", "odot": "⊙", "pm": "±", "infty": "∞", "cong": "≅",
    "sim": "∼", "omega": "ω", "phi": "φ", "Delta": "Δ", "cap": "∩", "cup": "∪", "prime": "'", "lfloor": "⌊",
    "rfloor": "⌋", "lt": "<", "gt": ">", "%": "%", "$": "$", "{": "{", "}": "}", " ": " ", ",": "", "!": "", ";": " ",
    "quad": " ", "qquad": " ", "left": "", "right": "", "displaystyle": "", "square": "□",
}  # fmt: skip
_WORDS = (
    "cos",
    "sin",
    "tan",
    "log",
    "gcd",
    "cot",
    "sec",
    "csc",
    "arctan",
    "arccos",
    "arcsin",
    "ln",
    "max",
    "min",
    "det",
)
_STYLES = ("mathrm", "text", "textbf", "mathbf", "mathbb", "operatorname", "textit", "mbox", "rm", "bf", "boxed")
_MATH = re.compile(r"\$\$(.+?)\$\$|\$((?:[^$\\]|\\.)+)\$|\\\[(.+?)\\\]|\\\((.+?)\\\)", re.DOTALL)
_TOKEN = re.compile(r"\\([A-Za-z]+|.)\s*|([\s\S])")
_MORE = re.compile(r"[-−+*/=<> ·×÷≤≥±]")


MONEY = "＄"  # a dollar sign that opens no formula


class NotPlain(Exception):
    """The formula needs a typesetter."""


class _Reader:
    def __init__(self, source: str) -> None:
        self.tokens = [(m[1], m[2]) for m in _TOKEN.finditer(source)]
        self.at = 0

    def argument(self) -> str:
        """The next group or character."""
        while self.at < len(self.tokens) and (self.tokens[self.at][1] or "x").isspace():
            self.at += 1
        if self.at >= len(self.tokens):
            raise NotPlain("a command without its argument")
        if self.tokens[self.at][1] == "{":
            self.at += 1
            return self.text("}")
        return self.one()

    def text(self, until: str | None = None) -> str:
        """What stands up to the end, or up to a closing sign."""
        parts = []
        while self.at < len(self.tokens):
            if self.tokens[self.at][1] == until and until:
                self.at += 1
                return "".join(parts)
            parts.append(self.one())
        if until:
            raise NotPlain("an open brace")
        return "".join(parts)

    def one(self) -> str:
        """The next character or command with its arguments."""
        command, char = self.tokens[self.at]
        self.at += 1
        return self._character(char) if command is None else self._command(command)

    def _character(self, char: str) -> str:
        if char == "{":
            return self.text("}")
        if char in "^_":
            return self._script(char)
        if char in "&}~#":
            raise NotPlain(char)
        return "−" if char == "-" else char

    def _command(self, command: str) -> str:
        if command in ("frac", "dfrac", "tfrac"):
            return f"{_grouped(self.argument())}/{_grouped(self.argument())}"
        if command == "sqrt":
            if self.at < len(self.tokens) and self.tokens[self.at][1] == "[":
                raise NotPlain("a root with an index")
            inner = self.argument()
            return f"√{inner}" if re.fullmatch(r"\d+|[a-z]", inner) else f"√({inner})"
        if command in _STYLES:
            return self.argument()
        if command in _WORDS:
            return f"{command} " if self._letter_follows() else command
        if command not in _SYMBOLS:
            raise NotPlain(command)
        return _SYMBOLS[command]

    def _letter_follows(self) -> bool:
        return self.at < len(self.tokens) and bool(re.fullmatch(r"[A-Za-z\d]", self.tokens[self.at][1] or "\\"))

    def _script(self, mark: str) -> str:
        inner = self.argument()
        if inner in ("°", "'", "''"):
            return inner
        if not re.fullmatch(r"[\w+−,]+", inner):
            raise NotPlain(f"{mark}{inner}")
        return f"{mark}{inner}" if re.fullmatch(r"[A-Za-z]|\d+", inner) else f"{mark}{{{inner}}}"


def _grouped(text: str) -> str:
    return f"({text})" if _MORE.search(text.strip()) else text.strip()


def _formula(source: str) -> str:
    text = re.sub(r"\s+", " ", _Reader(source).text()).strip()
    text = re.sub(r"(?<=[A-Z∠△⊙]) (?=[A-Z](?![a-z]))", "", text)  # `A B C` is how some sources write a triangle's name
    text = re.sub(r"\s?([=<>≤≥≈≠≡∈⊥∥→+×÷])\s?", r" \1 ", text)
    return re.sub(r" +", " ", re.sub(r"(?<=[\w)'°]) ?− ?(?=[\w(√∠])", " − ", text)).strip()


def plain(source: str) -> str:
    """The text with each formula as `$…$` around Unicode text.  Raises: NotPlain."""
    parts, at = [], 0
    for math in _MATH.finditer(source):
        parts.append(_outside(source[at : math.start()]))
        inner = next(group for group in math.groups() if group is not None)
        if parts[-1][-1:].isalpha():
            raise NotPlain("a formula that touches a word")
        parts.append(f"${_formula(inner)}$")
        at = math.end()
    parts.append(_outside(source[at:]))
    return "".join(parts)


def _outside(text: str) -> str:
    text = re.sub(r"\\([%$&#])", r"\1", text)
    if "\\" in text or "{" in text:
        raise NotPlain("a command in the text")
    return text.replace("$", MONEY)
