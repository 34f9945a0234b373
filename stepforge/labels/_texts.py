"""What the rules read in the text of a question: options that are images, numbered figures, sub-questions."""

import re

MAX_CHARS = 20_000

_MARKS = str.maketrans(dict.fromkeys(".,;:()[]{}$\"'!?-\n\t=，。；：（）？！~&", " "))

_OPTION_IMAGE = re.compile(
    r"^[ \t]*[(（]?[A-Ha-h][)）]?[.．、:：]?[ \t]*\$?[ \t]*\n{0,3}[ \t]*<image_(\d{1,3})>", re.MULTILINE
)
_IMAGE_THEN_LETTER = re.compile(
    r"<image_(\d{1,3})>[ \t]*\n+[ \t]*[(（]?[A-H][)）]?[.．]?(?![A-Za-z])[^\n]{0,40}$", re.MULTILINE
)

_SUB_QUESTION = re.compile(
    r"(?:^|[\n。；;.?？:：）)])[ \t]*[(（]([1-9])[)）](?![ \t]*(?:[(（]|$|\n|and|或|和|、|,|，))", re.MULTILINE
)


def spaced(text: str) -> str:
    """Lower case, one space for any white space and mark of punctuation, and one at either end."""
    return f" {' '.join(text.lower().translate(_MARKS).split())} "


def sub_questions(question: str) -> int:
    """How many numbered parts, counted from (1) without a gap, the question asks for."""
    numbers = [int(n) for n in _SUB_QUESTION.findall(question[:MAX_CHARS])]
    count = 0
    for number in numbers:
        if number == count + 1:
            count = number
    return count


def image_options(question: str) -> int:
    """How many images of the question stand as options: behind a letter, or with their letter on the line below."""
    text = question[:MAX_CHARS]
    behind, above = set(_OPTION_IMAGE.findall(text)), set(_IMAGE_THEN_LETTER.findall(text))
    return max(len(behind), len(above))
