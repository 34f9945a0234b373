"""References to figures by number, mapped to a problem's images where that can be done in one way only."""

import re

_REFERENCE = re.compile(r"(?<![A-Za-z])(?:Figure|Fig\.|figure|图) ?(\d{1,2}|[①-⑳])(?!\d|\.\d)")
# numbered by chapter: which image it is cannot be told
_OF_A_BOOK = re.compile(r"(?:Figure|Fig\.|figure|图) ?\d{1,2}[.\-–]\d")
_CAPTION = re.compile(r"^(?:Figure|Fig\.|图) ?(\d{1,2}|[①-⑳])$", re.MULTILINE)
_THE_FIGURE = re.compile(r"\b(?:figure|diagram)\b|the picture (?:below|above|shown)|[如由下右左]图|图[中示]", re.I)


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else ord(text) - ord("①") + 1


def with_image_marks(question: str, images: int) -> str:
    """The question with `<image_k>` before the caption `Figure k`, or after its first mention.

    Only for a question without any mark whose figures are numbered 1 to `images`, no more and no less; one image alone
    is also what `the figure` (`如图`) of a question without numbers is.
    """
    if images < 1 or "<image_" in question or _OF_A_BOOK.search(question):
        return question
    named = {_number(m[1]) for m in _REFERENCE.finditer(question)}
    if not named:
        return f"{question}\n<image_1>" if images == 1 and _THE_FIGURE.search(question) else question
    if named != set(range(1, images + 1)):
        return question
    captions = [_number(m[1]) for m in _CAPTION.finditer(question)]
    if sorted(captions) == list(range(1, images + 1)):
        return _CAPTION.sub(lambda m: f"<image_{_number(m[1])}>\n{m[0]}", question)
    seen: set[int] = set()

    def marked(match: re.Match[str]) -> str:
        number = _number(match[1])
        if number in seen:
            return match[0]
        seen.add(number)
        return f"{match[0]} <image_{number}>"

    return _REFERENCE.sub(marked, question)
