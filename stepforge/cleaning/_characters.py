"""Rules on characters: what a wrong encoding, a font or a typewriter's habit made of them."""

import re
import unicodedata

from ftfy import TextFixerConfig, fix_encoding

from stepforge.cleaning._rule import Rule

# JSON written by hand turns \t, \f, \b, \v, \a and \r of a LaTeX command into a control character
_LOST_BACKSLASH = (
    (re.compile(r"\t(?=frac|imes|heta|ext|riangle|an\b|o\b|herefore)"), r"\\t"),
    (re.compile(r"\f(?=rac|orall)"), r"\\f"),
    (re.compile(r"\x08(?=eta|egin|inom|ecause)"), r"\\b"),
    (re.compile(r"\x0b(?=ec\b|arphi|arepsilon)"), r"\\v"),
    (re.compile(r"\x07(?=lpha|ngle|pprox)"), r"\\a"),
    (re.compile(r"\r(?=ight[)\]|.\\]|ightarrow|floor|ceil)"), r"\\r"),
)


def _lost_backslash(text: str) -> str:
    for pattern, back in _LOST_BACKSLASH:
        text = pattern.sub(back, text)
    return text


def _line_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n")


# A lead byte of UTF-8 read as Latin-1 or Windows-1252, and a byte that goes on from it
_MOJIBAKE = re.compile(
    "[\u00c2-\u00f4][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]"
)
_CAREFUL = TextFixerConfig(  # its defaults straighten Chinese quotes, unescape `&lt;` and narrow `＝３`
    uncurl_quotes=False, unescape_html=False, fix_character_width=False, replace_lossy_sequences=False
)


def _mojibake(text: str) -> str:
    return fix_encoding(text, _CAREFUL) if _MOJIBAKE.search(text) else text


# Word and MathType keep the Symbol font at U+F000 and what follows
_SYMBOL_FONT = {
    0xF000 + code: char
    for code, char in {
        0x22: "∀", 0x24: "∃", 0x28: "(", 0x29: ")", 0x2B: "+", 0x2C: ",", 0x2D: "−", 0x2E: ".", 0x2F: "/", 0x3C: "<",
        0x3D: "=", 0x3E: ">", 0x44: "Δ", 0x5B: "[", 0x5C: "∴", 0x5D: "]", 0x5E: "⊥", 0x61: "α", 0x62: "β", 0x64: "δ",
        0x67: "γ", 0x6A: "φ", 0x6C: "λ", 0x6D: "μ", 0x70: "π", 0x71: "θ", 0x72: "ρ", 0x73: "σ", 0x77: "ω", 0x7E: "∼",
        0xA2: "′", 0xA3: "≤", 0xA5: "∞", 0xAE: "→", 0xB0: "°", 0xB1: "±", 0xB3: "≥", 0xB4: "×", 0xB8: "÷", 0xB9: "≠",
        0xBA: "≡", 0xBB: "≈", 0xC7: "∩", 0xC8: "∪", 0xCC: "⊂", 0xCD: "⊆", 0xCE: "∈", 0xCF: "∉", 0xD0: "∠", 0xD6: "√",
        0xD7: "⋅", 0xDE: "⇒",
    }.items()
}  # fmt: skip


def _symbol_font(text: str) -> str:
    return text.translate(_SYMBOL_FONT)


def _folded(*ranges: tuple[int, int]) -> dict[int, str]:
    return {code: unicodedata.normalize("NFKC", chr(code)) for low, high in ranges for code in range(low, high + 1)}


_LIGATURES = _folded((0xFB00, 0xFB06))
_RADICALS = _folded((0x2F00, 0x2FD5))  # what some fonts' tables give for the Chinese character
_ITALICS = _folded((0x1D434, 0x1D454), (0x1D456, 0x1D467), (0x1D6E2, 0x1D71B)) | {0x210E: "h"}


def _ligatures(text: str) -> str:
    return text.translate(_LIGATURES)


def _radicals(text: str) -> str:
    return text.translate(_RADICALS)


def _italics(text: str) -> str:
    return text.translate(_ITALICS)


def _nfc(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFC", text)


_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


def _control_characters(text: str) -> str:
    return _CONTROL.sub("", text)


_SPACES = re.compile("[\u00a0\u2000-\u200a\u202f\u205f]")


def _odd_spaces(text: str) -> str:
    return _SPACES.sub(" ", text)


_FULL_WIDTH: dict[int, str] = {
    code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F) if chr(code - 0xFEE0).isalnum()
}
_FULL_WIDTH.update((ord(wide), plain) for wide, plain in zip("＝＋－＜＞／％", "=+-<>/%", strict=True))


def _full_width(text: str) -> str:
    return text.translate(_FULL_WIDTH)


def _signs(codes: dict[int, str]) -> tuple[str]:
    return ("".join(map(chr, codes)),)


RULES: tuple[Rule, ...] = (
    Rule(
        "lost_backslash",
        _lost_backslash,
        (("\tfrac32", "\\tfrac32"), ("2 \times 3", "2 \\times 3"), ("(x\right)", "(x\\right)"), ("a\tb", "a\tb")),
        signs=("\t\f\x08\x0b\x07\r",),
    ),
    Rule("line_ends", _line_ends, (("a\r\nb\rc", "a\nb\nc"),), signs=("\r\u2028\u2029",)),
    Rule(
        "mojibake",
        _mojibake,
        (
            ("âˆ\xa0ABC = 90Â°", "∠ABC = 90°"),
            ("3 Ã— 4 âˆ’ âˆš2", "3 × 4 − √2"),
            ("naïve “x”, Ö ÄÜ, 90°", "naïve “x”, Ö ÄÜ, 90°"),
            ("＝３ &lt; “AB”", "＝３ &lt; “AB”"),
        ),
        signs=("".join(map(chr, range(0xC2, 0xF5))),),
    ),
    Rule("symbol_font", _symbol_font, (("\uf0d0A\uf03d90\uf0b0", "∠A=90°"),), signs=_signs(_SYMBOL_FONT)),
    Rule("ligatures", _ligatures, (("ﬁnd the coeﬃcient", "find the coefficient"),), signs=_signs(_LIGATURES)),
    Rule("radicals", _radicals, (("⼀个⽅程", "一个方程"),), signs=_signs(_RADICALS)),
    Rule("math_italics", _italics, (("𝑥 + 𝜋 = ℎ, 𝐱", "x + π = h, 𝐱"),), signs=_signs(_ITALICS)),
    Rule("unicode_nfc", _nfc, (("e\u0301", "é"),)),
    Rule("control_characters", _control_characters, (("a\u200bb\ufeff", "ab"), ("co\u00adefficient", "coefficient"))),
    Rule("odd_spaces", _odd_spaces, (("3\u00a0cm", "3 cm"),)),
    Rule("full_width", _full_width, (("ｘ＝３", "x=3"), ("已知：（1）", "已知：（1）")), signs=_signs(_FULL_WIDTH)),
)
