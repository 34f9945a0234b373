"""Answers in words."""

import re

from stepforge.answers.verdict import DIFFERENT, EQUAL, UNDECIDED, Verdict

SHORT_TEXT_WORDS = 4

_WORDS = re.compile(r"(?<![\\a-zA-Z])[a-zA-Z]{2,}|[\u3400-\u9fff]")
_FUNCTION_WORDS = frozenset(
    (
        *(
            "sin",
            "cos",
            "tan",
            "cot",
            "sec",
            "csc",
            "log",
            "ln",
            "lg",
            "exp",
            "pi",
            "sqrt",
            "frac",
            "matrix",
            "begin",
            "end",
        ),
        *("arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "max", "min", "gcd", "lcm", "or", "and"),
    )
)
_LETTERS = re.compile(r"[a-z]{3,}|[\u3400-\u9fff]")
_YES = frozenset(("yes", "true", "correct", "是", "对", "正确", "能", "成立", "存在", "真"))
_NO = frozenset(
    ("no", "false", "incorrect", "否", "不是", "错", "错误", "不正确", "不能", "不成立", "不存在", "假", "不对")
)
_VERDICT_WORD = re.compile(r"([a-z]{2,9}|[\u3400-\u9fff]{1,3})(?=$|[\s,.;:!])", re.IGNORECASE)
_NEAR = (
    frozenset(("undefined", "does not exist", "not defined")),
    frozenset(("infinitely many", "infinite", "infinity", "无数个", "无穷多", "无数")),
)
_LEAD = re.compile(r"^(?:it|this|that|he|she|they|there)(?: is|'s| are) ", re.IGNORECASE)
_SYMMETRIC = re.compile(r"(=|\\(?:parallel|perp|cong|sim)(?![a-zA-Z]))")


def is_prose(text: str) -> bool:
    """Whether a normalised text has words beyond the names of functions and points."""
    words = [w.lower() for w in _WORDS.findall(text) if w.lower() not in _FUNCTION_WORDS]
    return bool(_LETTERS.search(" ".join(w for w in words if not w.isupper() or len(w) > 3)))


def compare_prose(gold: str, predicted: str) -> Verdict:
    """Equal if the words and the signs are, plurals and articles apart; yes and no by their first word; different if
    both are short; else undecided."""
    decided = _yes_or_no(gold, predicted)
    if decided is not None:
        return decided
    if any(gold.casefold() in group and predicted.casefold() in group for group in _NEAR):
        return Verdict(UNDECIDED, "text", "words of nearly one meaning")
    a, b = _said(gold), _said(predicted)
    if a == b and _marks(gold) == _marks(predicted):
        return Verdict(EQUAL, "text", "same words")
    size = max(len(a), len(b), *(len(re.findall(r"[\u3400-\u9fff]", t)) // 2 for t in (gold, predicted)))
    if size <= SHORT_TEXT_WORDS:
        return Verdict(DIFFERENT, "text", "different words")
    return Verdict(UNDECIDED, "text", "prose that is not word for word the same")


def compare_statements(gold: str, predicted: str) -> Verdict | None:
    """Two symmetric relations of the same two things, AB ∥ CD and CD ∥ AB: equal if the sign is the same, else
    different.  None for any other texts."""
    a, b = ([part.strip() for part in _SYMMETRIC.split(text)] for text in (gold, predicted))
    if len(a) != 3 or len(b) != 3 or {a[0], a[2]} != {b[0], b[2]}:
        return None
    return Verdict(EQUAL if a[1] == b[1] else DIFFERENT, "text", "a symmetric relation of the same two")


def _yes_or_no(gold: str, predicted: str) -> Verdict | None:
    a, b = (_VERDICT_WORD.match(text) for text in (gold, predicted))
    if a is None or b is None or (a.end() < len(gold) and b.end() < len(predicted)):
        return None
    kinds = [_kind_of(match[1].lower()) for match in (a, b)]
    if None in kinds:
        return None
    same = kinds[0] == kinds[1]
    return Verdict(EQUAL if same else DIFFERENT, "text", "yes or no")


def _kind_of(word: str) -> bool | None:
    return True if word in _YES else False if word in _NO else None


def _said(text: str) -> list[str]:
    text = _LEAD.sub("", text.casefold())
    words = re.sub(r"[^\w\\]+", " ", text).split()
    return [_singular(w) for w in words if w not in {"the", "a", "an"}]


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _marks(text: str) -> str:
    """Signs that carry meaning, without those that only separate."""
    return "".join(re.findall(r"[-+*/^<>=|!%]|[^\s\w\x00-\x7f]", text))
