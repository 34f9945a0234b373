r"""Symbols of a LaTeX formula, in a canonical order, so that two ways of writing one formula give one sequence.

Canonical: no mathematics delimiters, spacing, sizes, styles, upright or italic fonts, or closing full stop; one name
for each symbol (`\le` is `\leq`, × is `\times`); braces only around more than one symbol; a subscript before a
superscript; `x'` is `x^\prime`.  Digits and letters are symbols of their own, a command is one.  Nothing is evaluated,
and no depth of nesting costs a call.
"""

import re
from collections.abc import Sequence

MAX_SYMBOLS = 20_000

_SYMBOL = re.compile(r"\\[a-zA-Z]+\*?|\\.|\S", re.DOTALL)
_ENVIRONMENT = re.compile(
    r"\\(begin|end)\s{0,4}\{\s{0,4}(?:equation|displaymath|math|align|aligned|gather)\*?\s{0,4}\}"
)
_TEXT = re.compile(r"\\(?:text|mbox|operatorname\*?)\s{0,4}(?=\{)")
_DROPPED = frozenset(
    [r"\[", r"\]", r"\(", r"\)", r"\,", r"\;", r"\:", r"\!", "\\ ", "\\\n", r"\quad", r"\qquad", "$", "~", "&",
     r"\displaystyle", r"\textstyle", r"\scriptstyle", r"\limits", r"\nolimits", r"\left", r"\right", r"\big", r"\Big",
     r"\bigg", r"\Bigg", r"\bigl", r"\bigr", r"\Bigl", r"\Bigr", r"\biggl", r"\biggr", r"\mathrm", r"\mathit", r"\rm",
     r"\it", r"\mathstrut", r"\strut"]
)  # fmt: skip
_SAME = {
    "\\le": "\\leq", "\\ge": "\\geq", "\\ne": "\\neq", "\\dfrac": "\\frac", "\\tfrac": "\\frac", "\\cfrac": "\\frac",
    "\\to": "\\rightarrow", "\\gets": "\\leftarrow", "\\land": "\\wedge", "\\lor": "\\vee", "\\lnot": "\\neg",
    "\\lbrace": "\\{", "\\rbrace": "\\}", "\\lbrack": "[", "\\rbrack": "]", "\\vert": "|", "\\mid": "|", "\\lvert": "|",
    "\\rvert": "|", "\\Vert": "\\|", "\\lt": "<", "\\gt": ">", "\\colon": ":", "\\dots": "\\ldots",
    "\\cdots": "\\ldots", "\\leqslant": "\\leq", "\\geqslant": "\\geq", "\\varnothing": "\\emptyset",
    "\\iff": "\\Leftrightarrow", "\\implies": "\\Rightarrow", "\\tbinom": "\\binom", "\\dbinom": "\\binom",
    "\\overline": "\\bar", "×": "\\times", "·": "\\cdot", "÷": "\\div", "≤": "\\leq", "≥": "\\geq",
    "≠": "\\neq", "±": "\\pm", "∞": "\\infty", "√": "\\sqrt", "∠": "\\angle", "△": "\\triangle",
    "⊥": "\\perp", "∥": "\\parallel", "π": "\\pi", "−": "-", "→": "\\rightarrow", "∈": "\\in",
    "∪": "\\cup", "∩": "\\cap", "∑": "\\sum", "∫": "\\int", "α": "\\alpha",
    "β": "\\beta", "θ": "\\theta", "′": "\\prime", "（": "(", "）": ")",
}  # fmt: skip
Group = list[object]  # symbols and groups


def symbols(latex: str) -> list[str]:
    r"""The formula's symbols. Unbalanced braces are symbols that stand where they stand.  At most `MAX_SYMBOLS`."""
    text = _TEXT.sub("", _ENVIRONMENT.sub(" ", latex.replace("°", "^\\circ ")))
    raw = [_SAME.get(symbol, symbol) for symbol in _SYMBOL.findall(text)][: 2 * MAX_SYMBOLS]
    tokens = [symbol for symbol in raw if symbol not in _DROPPED]
    while tokens and tokens[-1] in {".", ",", "。"}:
        tokens.pop()
    return _flat(_scripts(_grouped(_primes(tokens))))[:MAX_SYMBOLS]


def _primes(tokens: Sequence[str]) -> list[str]:
    """Each run of ' as a superscript of primes."""
    found: list[str] = []
    for k, symbol in enumerate(tokens):
        if symbol != "'":
            found.append(symbol)
        elif k and tokens[k - 1] == "'":
            found.insert(-1, "\\prime")
        else:
            found += ["^", "{", "\\prime", "}"]
    return found


def _grouped(tokens: Sequence[str]) -> Group:
    """The tokens with what stands between matching braces as a group; a group of one element is that element."""
    stack: list[Group] = [[]]
    for symbol in tokens:
        if symbol == "{":
            stack.append([])
        elif symbol == "}" and len(stack) > 1:
            group = stack.pop()
            stack[-1] += group if len(group) < 2 else [group]
        else:
            stack[-1].append(symbol)
    for rest in stack[1:]:  # of an opening brace that is never closed
        stack[0] += ["{", *rest]
    return stack[0]


def _scripts(root: Group) -> Group:
    """Every `^a _b` as `_b ^a`, in all groups."""
    pending = [root]
    while pending:
        group = pending.pop()
        pending += [element for element in group if isinstance(element, list)]
        for k in range(len(group) - 3):
            if group[k] == "^" and group[k + 2] == "_":
                group[k : k + 4] = [*group[k + 2 : k + 4], *group[k : k + 2]]
    return root


def _flat(root: Group) -> list[str]:
    """Symbols in order, braces around groups."""
    found: list[str] = []
    pending: list[object] = list(reversed(root))
    while pending:
        element = pending.pop()
        if isinstance(element, list):
            pending += ["}", *reversed(element), "{"]
        else:
            found.append(str(element))
    return found
