"""Step numbers at the beginning of step texts, which would give away where a step was moved, added or removed."""

import re

_DIGITS = r"(?:[0-9]{1,2}|[一二三四五六七八九十]{1,3})"
_NUMBER = re.compile(
    r"[ \t#>]{0,6}\*{0,2}(?:"
    rf"(?:Step|STEP|步骤)[ ]?{_DIGITS}[ ]?[.:：、)）-]?"
    rf"|(?:Case|情况|情形)[ ]?{_DIGITS}[:：]|第[ ]?{_DIGITS}[ ]?步[ ]?[.:：、,，]?"
    r"|[0-9]{1,2}[.)、．](?![0-9])|[0-9]{1,2}）|[(（][0-9]{1,2}[)）][.:：、]?|[①-⑳][.:：、]?"
    r")\*{0,2}[ \t]*"
)
_REFERENCE = re.compile(  # (1) + (2), ①代入②: names of equations, no step numbers
    r"(?!\*\*)[-+×*/=＝,，、)）(（①-⑳−–]|(?:and|or|into|to|is|gives?|from|minus|plus|we|yields?)\b|代|和|得|与|中|或|式|可|是|减|加"
)
MOST_LABELS = 3  # `Step 2: (1)` has two
_SENTENCE_ENDS = tuple("。.；;：:！!？?，,$*")


def unnumbered(text: str) -> str:
    """The step without `3.`, `(2)`, `Step 4:`, `第五步` or `①` before it or before a line of it; a number that names an
    equation stays, and so does one that a line break cuts off its sentence."""
    lines = text.split("\n")
    after_end = [True, *(not line.strip() or line.rstrip().endswith(_SENTENCE_ENDS) for line in lines)]
    bare = "\n".join(_bare(line) if free else line for line, free in zip(lines, after_end, strict=False)).strip()
    return bare or text


def _bare(line: str) -> str:
    """The line without its own numbers."""
    for _ in range(MOST_LABELS):
        match = _NUMBER.match(line)
        rest = line[match.end() :] if match else ""
        if match is None:
            return line
        two_labels = match.group()[-1].isspace() and _NUMBER.match(rest)  # `(2) (1) Draw …`, not `(1)(2) are …`
        if _REFERENCE.match(rest) and not two_labels:
            return line
        bold = match.group().count("**") % 2 and rest.count("**") % 2
        line = ("**" if bold else "") + rest
    return line
