"""One spelling for texts that say the same: Unicode to LaTeX, wrappers and spacing away, case and meaning kept.

Every function is linear in the length of its input (single regexes without nested quantifiers, bounded repetition).
"""

import re
import unicodedata
from typing import NamedTuple

MAX_CHARS = 4000  # the longest reference answer of the five benchmarks' data has 640

_RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹ⁿˣ⁺⁻⁽⁾ᐟ", "0123456789nx+-()/", strict=True))
_SUPERSCRIPTS = re.compile(f"[{''.join(_RAISED)}]+")
_CIRCLED = str.maketrans({chr(0x2460 + k): f"({k + 1})" for k in range(20)})  # NFKC would leave bare digits
_SYMBOLS = str.maketrans(
    {
        "−": "-", "–": "-", "—": "-", "‐": "-", "﹣": "-",
        "×": "\\times ", "·": "\\cdot ", "⋅": "\\cdot ", "∙": "\\cdot ", "÷": "/", "∕": "/",
        "≤": "\\le ", "≥": "\\ge ", "⩽": "\\le ", "⩾": "\\ge ", "≠": "\\ne ", "≈": "\\approx ",
        "π": "\\pi ", "∞": "\\infty ", "°": "^\\circ ", "∪": "\\cup ", "∩": "\\cap ", "∈": "\\in ",
        "∠": "\\angle ", "△": "\\triangle ", "⊥": "\\perp ", "∥": "\\parallel ", "±": "\\pm ",
        "，": ",", "。": ".", "；": ";", "：": ":", "、": ",", "（": "(", "）": ")", "【": "[", "】": "]",
        "｛": "{", "｝": "}", "′": "'", "’": "'", "‘": "'", "″": "''", "“": '"', "”": '"',
        "½": "\\frac{1}{2}", "¼": "\\frac{1}{4}", "¾": "\\frac{3}{4}", "⅓": "\\frac{1}{3}", "⅔": "\\frac{2}{3}",
        "\u00a0": " ", "\u200b": None, "\ufeff": None, "\u2061": None,
    }
)  # fmt: skip
_SYNONYMS = (
    (re.compile(r",\\!\s{0,3}"), ","),  # a thousands separator as TeX users space it
    (re.compile(r"\\[dtc]frac(?![a-zA-Z])"), r"\\frac"),
    (re.compile(r"\\(?:leq|leqslant)(?![a-zA-Z])"), r"\\le"),
    (re.compile(r"\\(?:geq|geqslant)(?![a-zA-Z])"), r"\\ge"),
    (re.compile(r"\\neq(?![a-zA-Z])"), r"\\ne"),
    (re.compile(r"\\(?:m?left|m?right|[bB]igg?[lrm]?|displaystyle|limits|nolimits)(?![a-zA-Z])"), ""),
    (re.compile(r"\\(?:quad|qquad|enspace|hfill)(?![a-zA-Z])|(?<!\\)\\[,;:! ]|~"), " "),
    (re.compile(r"\^\{?\\circ\}?|\\degree(?![a-zA-Z])"), r"^\\circ "),
    (re.compile(r"\\\$|\\textdollar(?![a-zA-Z])|[$￥¥£€]"), ""),
    (re.compile(r"(?<!\\)\\[()\[\]]"), " "),
    (re.compile(r"\\%"), "%"),
    (re.compile(r"\\(?:lbrace|\{)"), r"\\{"),
    (re.compile(r"\\(?:rbrace|\})"), r"\\}"),
    (re.compile(r"\\(?:b|v|B|p|V)?matrix"), r"\\matrix"),
    (re.compile(r"(?<![\\a-zA-Z])pi(?![a-zA-Z])"), r"\\pi "),
    (re.compile(r"(?<![\\a-zA-Z])sqrt ?\(([^()]{0,200})\)"), r"\\sqrt{\1}"),
    (re.compile(r"\{[bvBpV]matrix\}"), "{matrix}"),
)
_WRAPPERS = re.compile(
    r"\\(?:text|textbf|textit|textrm|textsf|mathrm|mathbf|mathit|mathsf|mathbb|mathcal|mbox|rm|bf|boldsymbol|bm|"
    r"operatorname|mathop|emph|underline|boxed|fbox)\*?\s{0,3}\{([^{}]{0,400})\}"
)
_BARE_FRAC = re.compile(r"\\frac\s{0,3}(\d|[a-zA-Z])\s{0,3}(\d|[a-zA-Z])")
_HALF_FRAC = re.compile(r"\\frac\s{0,3}(\d|[a-zA-Z])\s{0,3}\{")
_TAIL_FRAC = re.compile(r"(\\frac\s{0,3}\{[^{}]{0,400}\})\s{0,3}(\d|[a-zA-Z])")
_BARE_SQRT = re.compile(r"\\sqrt\s{0,3}(\d|[a-zA-Z])")
_ROOT_NUMBER = re.compile(r"√\s{0,3}(\d{1,40}(?:\.\d{1,40})?|[a-zA-Z])")
_ROOT_GROUP = re.compile(r"√\s{0,3}[({]([^(){}]{0,400})[)}]")
_SPACES = re.compile(r"\s+")
_MARKDOWN = re.compile(r"\*\*|`|__")


def to_latex_symbols(text: str) -> str:
    """The text with Unicode mathematics and full-width forms written as ASCII and LaTeX commands."""
    text = _SUPERSCRIPTS.sub(_power, text).translate(_CIRCLED).translate(_SYMBOLS)
    text = unicodedata.normalize("NFKC", text)
    text = _ROOT_NUMBER.sub(r"\\sqrt{\1}", text)
    text = _ROOT_GROUP.sub(r"\\sqrt{\1}", text)
    return text.replace("√", "\\sqrt")


def _power(match: re.Match[str]) -> str:
    raised = "".join(_RAISED[char] for char in match[0])
    return f"^{raised}" if len(raised) == 1 else f"^{{{raised}}}"


def normalise(text: str) -> str:
    """The text in one spelling, spaces single: what two equal answers are most likely to share letter for letter."""
    text = to_latex_symbols(_MARKDOWN.sub("", text[:MAX_CHARS]))
    for pattern, replacement in _SYNONYMS:
        text = pattern.sub(replacement, text)
    for _ in range(4):  # wrappers inside wrappers; deeper ones stay and only cost a cheap match
        text, changed = _WRAPPERS.subn(r" \1 ", text)
        if not changed:
            break
    text = _BARE_FRAC.sub(r"\\frac{\1}{\2}", text)
    text = _HALF_FRAC.sub(r"\\frac{\1}{", text)
    text = _TAIL_FRAC.sub(r"\1{\2}", text)
    text = _BARE_SQRT.sub(r"\\sqrt{\1}", text)
    text = _SPACES.sub(" ", text).strip()
    return text.rstrip(".;,: ").strip()


def compact(normalised: str) -> str:
    """A normalised text without any space: for comparing letter by letter."""
    return normalised.replace(" ", "")


_OPEN = {"(": ")", "[": "]", "{": "}"}
_CLOSE = frozenset(_OPEN.values())


class Bracketed(NamedTuple):
    """A text with its outer brackets, each empty where there is none."""

    opening: str
    inner: str
    closing: str


def split_top(text: str, separators: str) -> list[str]:
    r"""Pieces of `text` between the characters `separators` that stand outside every bracket.
    Brackets need not be of one kind, so that intervals such as (1, 2] hold together."""
    pieces, depth, start = [], 0, 0
    for i, char in enumerate(text):
        if char in _OPEN:
            depth += 1
        elif char in _CLOSE:
            depth = max(0, depth - 1)
        elif depth == 0 and char in separators:
            pieces.append(text[start:i])
            start = i + 1
    pieces.append(text[start:])
    return pieces


def unbracket(text: str) -> Bracketed:
    r"""The outer brackets of `text`, if its first bracket closes at its very end; `\{` counts as a brace."""
    text = text.strip()
    opening = next((o for o in ("\\{", "\\langle", "(", "[", "{") if text.startswith(o)), "")
    closing = next((c for c in ("\\}", "\\rangle", ")", "]", "}") if text.endswith(c)), "")
    if not opening or not closing or len(text) < len(opening) + len(closing):
        return Bracketed("", text, "")
    inner = text[len(opening) : len(text) - len(closing)]
    depth = 0
    for char in inner:
        depth += (char in _OPEN) - (char in _CLOSE)
        if depth < 0:
            return Bracketed("", text, "")
    if depth != 0:
        return Bracketed("", text, "")
    return Bracketed(opening, inner.strip(), closing)
