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


_HAN_DIGITS = {han: value for value, han in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_HAN_SCALES = {"十": 10, "百": 100, "千": 1000}
_HAN_NUMBER = re.compile(r"[零〇一二两三四五六七八九十百千]{1,12}")
_HAN_FRACTION = re.compile(rf"(?P<below>{_HAN_NUMBER.pattern})分之(?P<above>{_HAN_NUMBER.pattern})")
_SPOKEN_FRACTION = re.compile(
    r"(?P<above>one|two|three|four|five|six|seven|eight|nine|ten|a)[ -](?P<below>half|halves|thirds?|quarters?|fourths?"
    r"|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?)",
    re.IGNORECASE,
)
_BELOW = {
    **{"half": 2, "halve": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6},
    **{"seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10},
}


def _han(text: str) -> int | None:
    """三百二十一 as 321; None for characters that make no number, 一二."""
    total, digit, last = 0, None, 10**4
    for char in text:
        if char in _HAN_SCALES:
            scale = _HAN_SCALES[char]
            if scale >= last or digit == 0 or (digit is None and scale != 10):
                return None
            total, digit, last = total + scale * (1 if digit is None else digit), None, scale
        elif digit:
            return None
        else:
            digit = _HAN_DIGITS[char]
    return total + (digit or 0)


def _in_figures(text: str) -> str | None:
    """A number or a fraction in words, and nothing else, in figures."""
    if _HAN_NUMBER.fullmatch(text):
        value = _han(text)
        return None if value is None else str(value)
    han = _HAN_FRACTION.fullmatch(text)
    if han:
        above, below = _han(han["above"]), 100 if han["below"] == "百" else _han(han["below"])
        if above is None or not below:
            return None
        return f"{above}%" if below == 100 else f"\\frac{{{above}}}{{{below}}}"
    spoken = _SPOKEN_FRACTION.fullmatch(text)
    if spoken:
        name = spoken["below"].lower()
        below = _BELOW[name if name in _BELOW else name.removesuffix("s")]
        return f"\\frac{{{_NUMBERS.get(spoken['above'].lower(), 1)}}}{{{below}}}"
    return None


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
    figures = _in_figures(normalised)
    if figures is not None:
        return figures
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
