r"""Words that stand for mathematics: no solution, all real numbers, number words."""

import re

_NOTHING = re.compile(
    r"(?:there (?:is|are) )?no (?:such )?solutions?(?: exists?)?|(?:the )?(?:empty|null) set"
    r"|(?:方程|原方程|不等式)?无解|空集",
    re.IGNORECASE,
)
_REALS = re.compile(
    r"(?:(?:the set of )?(?:all|any|every) (?:the )?reals?(?: numbers?)?(?: [a-z])?"
    r"|(?:the )?set of (?:all )?real numbers"
    r"|(?:全体|一切|任意|所有)实数)"
    r"(?: ?(?:except|excluding|other than|but not|除了?) ?(?:for )?(?:[a-z] ?= ?)?"
    r"(?P<without>-?[\w\\{}/.]{1,30}?)(?:以?外)?)?",
    re.IGNORECASE,
)
_MISSING = re.compile(r"DNE|(?:it )?does(?: not|n't) exist|不存在", re.IGNORECASE)
_UNITS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_NUMBERS = {word: k for k, word in enumerate(_UNITS)} | {word: 10 * k for k, word in enumerate(_TENS, start=2)}
NUMBER_WORDS = frozenset(_NUMBERS)
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
_WORD = rf"(?:{'|'.join((*_TENS, *_UNITS[::-1], *_SCALES))})"  # longer words before those that they begin with
_NUMBER_WORDS = re.compile(rf"{_WORD}(?:(?:-| and | ){_WORD}){{0,12}}(?![a-zA-Z-])", re.IGNORECASE)
NAMED_SETS = frozenset(("\\emptyset", "\\Reals", "\\Rationals", "\\Integers", "\\Naturals", "\\Complexes"))
_FIRST = re.compile(r"[A-Za-z\u3400-\u9fff]")


def canonical(normalised: str) -> str:
    r"""The text with such words as mathematics (\emptyset, \Reals, digits); any other text as it is."""
    if not _FIRST.match(normalised):
        return normalised
    if _NOTHING.fullmatch(normalised):
        return "\\emptyset"
    if _MISSING.fullmatch(normalised):
        return "does not exist"
    reals = _REALS.fullmatch(normalised)
    if reals:
        return f"\\Reals \\setminus \\{{{reals['without']}\\}}" if reals["without"] else "\\Reals"
    match = _NUMBER_WORDS.match(normalised)
    value = _spoken(re.findall("[a-z]+", match[0].lower())) if match else None
    return normalised if match is None or value is None else f"{value}{normalised[match.end() :]}"


def _spoken(words: list[str]) -> int | None:
    """one hundred (and) twenty-five; None for words that make no number, "two three"."""
    total = current = 0
    last = 10**12  # the size of the word before, which the next must be below
    for word in words:
        if word == "and":
            continue
        if word == "hundred" and 0 < current < 10:
            current, last = current * 100, 100
        elif word in _SCALES and word != "hundred" and 0 < current < 1000:
            total, current, last = total + current * _SCALES[word], 0, 10**12
        elif word in _NUMBERS and _NUMBERS[word] < last:
            current += _NUMBERS[word]
            last = 0 if _NUMBERS[word] < 20 else 10
        else:
            return None
    return total + current
