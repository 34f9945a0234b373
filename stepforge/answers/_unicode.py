"""Unicode mathematics as ASCII and LaTeX commands, one table and one pass; no two different characters become one
unless they are the same mathematics (a Cyrillic letter stays another letter than its Latin look-alike)."""

import re
import unicodedata

_GREEK = (
    *(
        "alpha",
        "beta",
        "gamma",
        "delta",
        "epsilon",
        "zeta",
        "eta",
        "theta",
        "iota",
        "kappa",
        "lambda",
        "mu",
        "nu",
        "xi",
    ),
    *("omicron", "pi", "rho", "varsigma", "sigma", "tau", "upsilon", "varphi", "chi", "psi", "omega"),
)
_CAPITAL_GREEK = {"Γ": "Gamma", "Δ": "Delta", "Θ": "Theta", "Λ": "Lambda", "Ξ": "Xi", "Π": "Pi", "Σ": "Sigma",
                  "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega", "ϕ": "phi", "ϵ": "epsilon"}  # fmt: skip
_COMMANDS = {
    "×": "times", "✕": "times", "✖": "times", "⨯": "times", "·": "cdot", "⋅": "cdot", "∙": "cdot", "•": "cdot",
    "≤": "le", "≥": "ge", "⩽": "le", "⩾": "ge", "≦": "le", "≧": "ge", "≠": "ne", "≈": "approx", "≡": "equiv",
    "∞": "infty", "∪": "cup", "∩": "cap", "∈": "in", "∉": "notin", "∅": "emptyset", "Ø": "emptyset", "∖": "setminus",
    "∠": "angle", "△": "triangle", "⊥": "perp", "∥": "parallel", "±": "pm", "∓": "mp", "∨": "lor", "∧": "land",
    "≌": "cong", "≅": "cong", "∽": "sim", "∼": "sim", "…": "dots", "⋯": "dots", "ℝ": "Reals", "ℕ": "Naturals",
    "ℤ": "Integers", "ℚ": "Rationals", "ℂ": "Complexes", "⟨": "langle", "⟩": "rangle", "〈": "langle", "〉": "rangle",
    "⌊": "lfloor", "⌋": "rfloor", "⌈": "lceil", "⌉": "rceil", "∣": "mid", "‰": "permille", "∆": "Delta",
    "∛": "sqrt[3]", "∜": "sqrt[4]",
}  # fmt: skip
_PLAIN: dict[str, str | None] = {
    "−": "-", "–": "-", "—": "-", "‐": "-", "‑": "-", "﹣": "-", "－": "-", "÷": "/", "∕": "/", "⁄": "/", "∗": "*",
    "，": ",", "。": ".", "；": ";", "：": ":", "、": ",", "（": "(", "）": ")", "【": "[", "】": "]", "∶": ":",
    "｛": "{", "｝": "}", "′": "'", "’": "'", "‘": "'", "″": "''", "‴": "'''", "“": '"', "”": '"',
    "°": "^\\circ ", "º": "^\\circ ", "˚": "^\\circ ", "\u00a0": " ",
}  # fmt: skip
_VULGAR = "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒"
_INVISIBLE = [0x00AD, 0x061C, 0x180E, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0xFEFF]
_TABLE = (
    {ord(char): f"\\{name} " for char, name in _COMMANDS.items()}
    | {ord("α") + k: f"\\{name} " for k, name in enumerate(_GREEK)}
    | {ord(char): f"\\{name} " for char, name in _CAPITAL_GREEK.items()}
    | {ord(char): text for char, text in _PLAIN.items()}
    | {0x2460 + k: f"({k + 1})" for k in range(20)}  # circled numbers; NFKC would leave bare digits
    | dict.fromkeys(_INVISIBLE)
)
_SMALL_RANGES = (range(0xB2, 0xBA), range(0x2070, 0x20A0), range(0x1D2C, 0x1DC0), range(0x2C7C, 0x2C7E))


def _small(kind: str) -> dict[str, str]:
    """Characters that Unicode has as raised or lowered ones, with what they are."""
    found = {}
    for code in (code for codes in _SMALL_RANGES for code in codes):
        mark, _, rest = unicodedata.decomposition(chr(code)).partition(" ")
        if mark == kind and rest:
            found[chr(code)] = unicodedata.normalize("NFKC", chr(code)).replace("−", "-")
    return found


_RAISED = _small("<super>") | {"ᐟ": "/"}
_LOWERED = _small("<sub>")
_RUNS = (
    (re.compile(f"[{''.join(map(re.escape, _RAISED))}]+"), _RAISED, "^"),
    (re.compile(f"[{''.join(map(re.escape, _LOWERED))}]+"), _LOWERED, "_"),
)
_FRACTION = re.compile(rf" ?([{_VULGAR}])")
_DOTTED = re.compile("(\\d)\u0307")
_BARRED = re.compile("((?:\\d[\u0304\u0305])+)")
_ROOT_NUMBER = re.compile(r"√\s{0,3}(\d{1,40}(?:\.\d{1,40})?|[a-zA-Z])")
_ROOT_GROUP = re.compile(r"√\s{0,3}[({]([^(){}]{0,400})[)}]")


def to_latex_symbols(text: str) -> str:
    """The text with Unicode mathematics and full-width forms written as ASCII and LaTeX commands."""
    if text.isascii():
        return text
    for pattern, table, sign in _RUNS:
        text = pattern.sub(lambda match, t=table, s=sign: _run(match, t, s), text)  # type: ignore[misc]
    text = _FRACTION.sub(_vulgar, text)
    text = _DOTTED.sub(r"\\dot{\1}", text)
    text = _BARRED.sub(lambda match: "\\overline{" + re.sub("[\u0304\u0305]", "", match[0]) + "}", text)
    text = unicodedata.normalize("NFKC", text.translate(_TABLE)).translate(_TABLE)
    text = _ROOT_NUMBER.sub(r"\\sqrt{\1}", text)
    text = _ROOT_GROUP.sub(r"\\sqrt{\1}", text)
    return text.replace("√", "\\sqrt")


def _run(match: re.Match[str], table: dict[str, str], sign: str) -> str:
    plain = "".join(table[char] for char in match[0])
    return f"{sign}{plain}" if len(plain) == 1 else f"{sign}{{{plain}}}"


def _vulgar(match: re.Match[str]) -> str:
    above, _, below = unicodedata.normalize("NFKC", match[1]).partition("⁄")
    return f"\\frac{{{above}}}{{{below}}}"
