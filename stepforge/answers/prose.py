"""Answers in words."""

import re

from stepforge.answers.verdict import DIFFERENT, EQUAL, UNDECIDED, Verdict

SHORT_TEXT_WORDS = 4

_WORDS = re.compile(r"(?<![\\a-zA-Z])[a-zA-Z]{2,}|[\u3400-\u9fff]")
_FUNCTION_WORDS = frozenset(
    ("sin", "cos", "tan", "cot", "sec", "csc", "log", "ln", "exp", "pi", "sqrt", "frac", "matrix", "begin", "end")
)
_LETTERS = re.compile(r"[a-z]{3,}|[\u3400-\u9fff]")


def is_prose(text: str) -> bool:
    """Whether a normalised text has words beyond the names of functions and points."""
    words = [w.lower() for w in _WORDS.findall(text) if w.lower() not in _FUNCTION_WORDS]
    return bool(_LETTERS.search(" ".join(w for w in words if not w.isupper() or len(w) > 3)))


def compare_prose(gold: str, predicted: str) -> Verdict:
    """Equal if the words and the signs are; different if both are short; else undecided."""
    a, b = (re.sub(r"[^\w\\]+", " ", text.casefold()).split() for text in (gold, predicted))
    articles = {"the", "a", "an"}
    a, b = [w for w in a if w not in articles], [w for w in b if w not in articles]
    if a == b and _marks(gold) == _marks(predicted):
        return Verdict(EQUAL, "text", "same words")
    size = max(len(a), len(b), *(len(re.findall(r"[\u3400-\u9fff]", t)) // 2 for t in (gold, predicted)))
    if size <= SHORT_TEXT_WORDS:
        return Verdict(DIFFERENT, "text", "different words")
    return Verdict(UNDECIDED, "text", "prose that is not word for word the same")


def _marks(text: str) -> str:
    """Signs that carry meaning, without those that only separate."""
    return "".join(re.findall(r"[-+*/^<>=]", text))
