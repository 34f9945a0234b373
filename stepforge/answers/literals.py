r"""Ways to write one rational number that a grammar of arithmetic does not know, rewritten as fractions.

Repeating decimals (0.\overline{3}, 0.\dot{1}4285\dot{7}, 0.(3), 0.333…), scientific notation (1.2e5), spaces between
thousands (1 234 567), "6 and 1/5".

Policy: 0.2(3) is a repeating decimal, not the product of 0.2 and 3. Digits before an ellipsis repeat if their end
repeats (0.333…, 0.1212…); other digits before one (1.414…) are a decimal that was cut off: a value known to its last
digit only, which equals no value that a finite decimal writes.  2e5 is 200000; Euler's number is written 2e^5 or 2e.
"""

import re
from fractions import Fraction

_TRIGGER = re.compile(r"\.\d{0,60}(?:\\(?:overline|bar|dot)|\(|\d ?\\dots)|\d[eE][-+\d{]|\d \d|\d and \d")
_BAR = re.compile(r"(\d{0,40})\.(\d{0,60})\\(?:overline|bar) ?\{ ?(\d{1,60}) ?\}")
_DOTS = re.compile(r"(\d{0,40})\.(\d{0,60})\\dot ?(?:\{ ?(\d) ?\}|(\d))(?:(\d{0,60})\\dot ?(?:\{ ?(\d) ?\}|(\d)))?")
_BRACKETS = re.compile(r"(?<![\d.])(\d{1,40})\.(\d{0,60})\((\d{1,60})\)(?!\d)")
_ELLIPSIS = re.compile(r"(?<![\d.])(\d{1,40})\.(\d{1,60}) ?\\dots ?")
_REPEATED = re.compile(r"(\d{0,60}?)(\d{1,20}?)\2{1,59}")
_SCIENTIFIC = re.compile(r"(?<![\w.\\])(\d{1,40}(?:\.\d{1,40})?)[eE](?:([-+]?\d{1,4})|\{([-+]?\d{1,4})\})(?![\w.])")
_SPACED = re.compile(r"-?\d{1,3}(?: \d{3}){1,6}(?:\.\d{1,40})?")
_AND = re.compile(r"(?<![\d.,/^}*])(\d{1,9}) and (?=\d{1,9}/\d{1,9}(?!\d)|\\frac ?\{\d{1,9}\} ?\{\d{1,9}\})")


def rewritten(normalised: str) -> str:
    """The text with such numbers as fractions in brackets; a cut-off decimal keeps its ellipsis."""
    if not _TRIGGER.search(normalised):
        return normalised
    text = _BAR.sub(lambda m: _repeating(m[1], m[2], m[3]), normalised)
    text = _DOTS.sub(lambda m: _repeating(m[1], m[2], (m[3] or m[4]) + (m[5] or "") + (m[6] or m[7] or "")), text)
    text = _BRACKETS.sub(lambda m: _repeating(m[1], m[2], m[3]), text)
    text = _ELLIPSIS.sub(_cut_off, text)
    text = _SCIENTIFIC.sub(lambda m: f"({m[1]}*10^{{{(m[2] or m[3]).lstrip('+')}}})", text)
    text = _AND.sub(r"\1 ", text)
    return text.replace(" ", "") if _SPACED.fullmatch(text) else text


def is_cut_off(normalised: str) -> bool:
    """Whether the text is a decimal with an ellipsis whose digits do not repeat."""
    return normalised.endswith("\\dots") and rewritten(normalised).endswith("\\dots")


def _repeating(whole: str, fixed: str, period: str) -> str:
    value = Fraction(int(whole or 0)) + Fraction(int(fixed or 0), 10 ** len(fixed))
    value += Fraction(int(period), (10 ** len(period) - 1) * 10 ** len(fixed))
    return f"({value.numerator}/{value.denominator})"


def _cut_off(match: re.Match[str]) -> str:
    whole, digits = match[1], match[2]
    repeated = _REPEATED.fullmatch(digits)
    if repeated is None:
        return match[0]
    return _repeating(whole, repeated[1], repeated[2])
