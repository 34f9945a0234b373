"""Letters of options as replies write them."""

import re
from collections.abc import Sequence

from stepforge.answers.normalise import compact, normalise
from stepforge.records import Choice

_ALONE = re.compile(r"\W{0,6}(?:option|choice|answer)?\W{0,4}([A-Z])\W{0,6}", re.IGNORECASE)
_LED = re.compile(r"\W{0,6}(?:(?:option|choice)\s|选项?)?\s{0,2}[(\[]?([A-Z])[)\]]?\s{0,2}[.:)．：](?:\s|\S|$)")
_SEVERAL = re.compile(r"[A-J](?:[\s,;、和及&]|and|or){0,6}(?:[A-J](?:[\s,;、和及&]|and|or){0,6}){1,9}")
_WORD_LETTER = re.compile(r"(?<![A-Za-z\\])([A-J])(?![A-Za-z'])")
_FILLER = r"(?:\s?(?:be|choose|pick|select|the|answer|option|choice|选项?|为|是|[(\[])){0,4}\s?"
_DENIED = re.compile(  # "not A", "all except A", "A不正确": the letter is named to be ruled out
    rf"(?:\bnot|\bcannot|n't|\bnever|\bexcept(?: for)?|\bexcluding|不|非|除了?|排除){_FILLER}[A-J](?![A-Za-z])"
    r"|(?<![A-Za-z])[A-J][)\]]?\s?(?:项|选项)?\s?(?:(?:is|are|was) (?:not|wrong|incorrect|false)|isn't|不|错|有误)"
)
SHORT_CHARS = 80


def _labels(choices: Sequence[Choice]) -> frozenset[str]:
    return frozenset(choice.label.strip().upper() for choice in choices) or frozenset("ABCDEFGHIJ")


def letters(text: str, choices: Sequence[Choice]) -> tuple[str, ...]:
    """The options that a text names, sorted: "B", "(B)", "B. 12 cm", "ACD", "A and C"; in a short text also the one
    letter that stands alone ("it is C").  Empty if it names none, or if what it says is an option's text."""
    labels = _labels(choices)
    plain = normalise(text).strip("{}<>* ")
    if any(compact(normalise(choice.text)) == compact(plain) and choice.text for choice in choices) and len(plain) > 1:
        return ()
    for pattern in (_ALONE, _LED):
        match = pattern.fullmatch(plain) if pattern is _ALONE else pattern.match(plain)
        if match and match[1].upper() in labels:
            return (match[1].upper(),)
    if _SEVERAL.fullmatch(plain):
        named = sorted(set(re.findall(r"[A-J]", plain.replace("and", "").replace("or", ""))))
        return tuple(named) if labels.issuperset(named) else ()
    if len(plain) <= SHORT_CHARS and not _DENIED.search(plain):
        named = sorted({letter for letter in _WORD_LETTER.findall(plain) if letter in labels})
        if len(named) == 1 and not _reads_as_mathematics(plain, named[0]):
            return tuple(named)
        if len(named) > 1 and re.search(r"\b(?:or|and)\b|或|和", plain):
            return tuple(named)
    return ()


def _reads_as_mathematics(text: str, letter: str) -> bool:
    """Whether the one capital may be an article or a name in mathematics: "A line", "3C", "S = C"."""
    if letter in {"A", "I"} and re.match(rf"{letter}\s[a-z]", text):
        return True
    return re.search(rf"[\d=+\-*/^_\\]\s?{letter}|{letter}\s?[\d=+*/^_]", text) is not None


def single_letter(text: str, choices: Sequence[Choice]) -> str | None:
    """The option that a text names by nothing but its letter."""
    match = _ALONE.fullmatch(normalise(text))
    return match[1].upper() if match and match[1].upper() in _labels(choices) else None


def text_of(letter: str, choices: Sequence[Choice]) -> str:
    """The text of an option; empty if there is no such option."""
    return next((choice.text for choice in choices if choice.label.strip().upper() == letter.upper()), "")
