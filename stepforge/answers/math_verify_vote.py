"""The vote of the library math-verify on two texts. Run in a worker that can be killed.

It is heard only where the engine's own tests and SymPy decide nothing, and only its "equal" counts. That is accepted
if it holds both ways round (the library is not symmetric), if every number and letter of both texts is in what the
library read (1−1/e and 1+1/e both become 1 when it loses the rest; units, words and ratios are lost, too), and if
what it read agrees at several points in 30 digits by our own test. Everything else leaves the pair undecided.
"""

import logging
import re
from typing import Any

import sympy
from math_verify import parse, verify

from stepforge.answers import symbolic
from stepforge.answers.normalise import normalise
from stepforge.answers.parts import nested_parts
from stepforge.vocabulary import EquivalenceVerdict

MAX_CHARS = 400

EQUAL, UNDECIDED = EquivalenceVerdict.EQUAL, EquivalenceVerdict.UNDECIDED
_NUMBER = re.compile(r"\d+")
_COMMAND = re.compile(r"\\[a-zA-Z]+")
_FUNCTION = re.compile(r"(?<![a-zA-Z])(?:sin|cos|tan|cot|sec|csc|log|ln|exp|sqrt|pi|max|min)(?![a-zA-Z])")

for name in ("math_verify", "latex2sympy2_extended"):
    logging.getLogger(name).setLevel(logging.CRITICAL)  # a text that is not read is this vote's result, no event


def vote(pair: tuple[str, str]) -> EquivalenceVerdict:
    """EQUAL if math-verify says so and our own check confirms it, else UNDECIDED."""
    if max(map(len, pair)) > MAX_CHARS or any(map(nested_parts, pair)):  # (a) 6 (b) 1 is a product there
        return UNDECIDED
    try:
        if not says_equal(pair) or not says_equal((pair[1], pair[0])):
            return UNDECIDED
        readings = [_reading(text) for text in pair]
        if all(_reads_all(text, found) for text, found in zip(pair, readings, strict=True)):
            return EQUAL if symbolic.same(*readings) is EQUAL else UNDECIDED
    except Exception:  # noqa: BLE001 - whatever the library raises on a text is that text's result
        return UNDECIDED
    return UNDECIDED


def says_equal(pair: tuple[str, str]) -> bool:
    """What the library says by itself, reference first."""
    return bool(verify(_parsed(pair[0]), _parsed(pair[1]), timeout_seconds=None))


def _parsed(text: str) -> list[Any]:
    return list(parse(text if "$" in text or "\\boxed" in text else f"${text}$", parsing_timeout=None))


def _reading(text: str) -> Any:
    """The SymPy object that the library made of a text.  Raises: IndexError where it made none."""
    return next(found for found in _parsed(text) if isinstance(found, sympy.Basic | sympy.MatrixBase))


def _reads_all(text: str, reading: Any) -> bool:
    """Whether every number and letter of a text is in its reading; not where it has a sign that is known to be lost."""
    plain = normalise(text)
    written = str(reading)
    letters = set(re.findall(r"[a-zA-Z]", _COMMAND.sub(" ", _FUNCTION.sub(" ", plain))))
    known = set(re.findall(r"[a-zA-Z]", written)) | {"e" for sign in ("E", "exp") if sign in written}
    numbers = set(_NUMBER.findall(plain))
    lost = not plain.isascii() or symbolic.is_refused(plain) or letters - known - {"i"}
    return not lost and numbers <= set(_NUMBER.findall(written))
