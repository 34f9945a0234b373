"""Which of several numbered statements are right: (1)(3), ①③, "statements 1 and 3"."""

import re

from stepforge.answers.verdict import DIFFERENT, EQUAL, Verdict

_BETWEEN = r"(?:[\s,;.]|\\quad|and\b|和|与|及|以及){0,8}"
_BEFORE = (
    r"(?:(?:the )?(?:correct |true |right )?(?:statements?|conclusions?|propositions?|numbers?|ones?)? ?"
    r"(?:are|is|:)? ?|"
    r"(?:正确的?)?(?:结论|命题|说法|序号|有)?(?:是|为|有|:)?)?"
)
_LABELS = re.compile(rf"{_BEFORE}(?:\(\s?\d{{1,2}}\s?\){_BETWEEN}){{1,20}}", re.IGNORECASE)
_NUMBERS = re.compile(
    rf"{_BEFORE}\d{{1,2}}(?:[\s,;]{{0,4}}(?:and\b|[,;]|和|与|及)\s{{0,4}}\d{{1,2}}){{0,20}}", re.IGNORECASE
)
_DIGITS = re.compile(r"\d{1,2}")


def compare_labels(gold: str, predicted: str) -> Verdict | None:
    """The verdict if the (normalised) reference is a list of two or more statement labels in brackets and the reply
    lists labels or bare numbers; order does not count.  None if either is anything else."""
    if not _LABELS.fullmatch(gold):
        if not _LABELS.fullmatch(predicted) or not _NUMBERS.fullmatch(gold):
            return None
        gold, predicted = predicted, gold
    wanted = _DIGITS.findall(gold)
    if len(wanted) < 2 or not (_LABELS.fullmatch(predicted) or _NUMBERS.fullmatch(predicted)):
        return None
    found = _DIGITS.findall(predicted)
    same = set(map(int, wanted)) == set(map(int, found))
    return Verdict(EQUAL if same else DIFFERENT, "statement labels", f"{','.join(found)} for {','.join(wanted)}")
