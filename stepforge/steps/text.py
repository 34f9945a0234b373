"""What in a solution's text is no reasoning: calculator marks, labels, answer phrases, commentary; and masked maths."""

import re

_MARK = re.compile(r"<<[^<>\n]{0,200}>>")

# What may stand between two steps without being one (GeoLaux, section 3, counts none of these)
_ANSWER = (
    r"[，,。；;]?[ ]?(?:(?:因此|所以|∴)?[ ]?故?(?:选择?|答案)[为是]?[ ]?[:：]?[ ]?"
    r"(?:选项)?[A-G][)）]?[ ]?[.。．；;]?[ \t]{0,9}$|故[ ]?(?:答案)?[选为是][^\n]{0,200}$|故答案[^\n]{0,200}$)"
)
_ENGLISH_ANSWER = (
    r"(?:(?:Therefore|Hence|Thus|So),? )?(?:[Tt]he )?(?:correct )?(?:[Aa]nswer|[Cc]hoice|[Oo]ption|choose|select)"
    r"(?: is)?[ ]?:?[ ]?[$(]{0,3}(?:\\mathrm\{)?[A-G]\}?[$)]{0,3}[ ]?[.。]?[ \t]{0,9}$"
)
_COMMENT = (
    r"^[ \t]*\*{0,2}(?:【[^】\n]{1,12}】|\[[A-Z][A-Za-z ]{2,24}\]"
    r"|Key (?:Insights?|Points?)[:：]|Exam Focus[:：]|Comment[:：]|点评[:：]|####)"
    r"[^\n]*$"
)
_CLOSING = r"^[ \t]*答[:：][^\n]*$|^[ \t]*(?:Therefore|Hence|Thus),? the answer is[:：][^\n=]{0,200}$"
_FIGURE = (
    r"^(?:[ \t]{0,4}<image_[0-9]{1,3}>)+[ \t]*$|^[ \t]*(?:Figure|图)[ ]?[(（]?[0-9]{1,2}[)）]?[ \t]*$"
    r"|\[asy\][^\0]{0,4000}?\[/asy\]"
)
DROPPED = re.compile("|".join([_COMMENT, _CLOSING, _FIGURE, _ANSWER, _ENGLISH_ANSWER]), re.MULTILINE)

LABEL = re.compile(
    r"(?:[(（][0-9]{1,2}[)）][ ]?)?(?:(?:解|证明|解答|解法[一二三四]|方法[一二三四]|分析)[ ]?[:：]"
    r"|\*{0,2}(?:Solution|Proof)[ ]?[0-9]?\*{0,2}[ ]?[:.])"
)
PATH = re.compile(
    r"^[ \t]*(?:[(（]?(?:解法|方法|证法|法)[一二三四五1-5][)）]?[ \t]*[:：]|(?:Solution|Proof|Method) [1-5][ \t]*[:.])",
    re.MULTILINE,
)


def without_marks(text: str) -> str:
    """`text` without its `<<…>>` calculator marks."""
    return _MARK.sub("", text)


def clean(text: str) -> str:
    """Without calculator marks, runs of white space inside lines made one space."""
    return re.sub(r"[ \t]+", " ", without_marks(text)).strip()


def one_line(text: str) -> str:
    """`clean` on one line."""
    return re.sub(r"\s+", " ", clean(text))


def dropped_spans(solution: str) -> list[tuple[int, int]]:
    """Character ranges that are no step: answer phrases, commentary, figure marks; in order, not overlapping."""
    return [match.span() for match in DROPPED.finditer(solution) if match.end() > match.start()]


def is_filler(text: str) -> bool:
    """Whether what lies between two steps is only white space, labels and dropped phrases."""
    return LABEL.sub("", DROPPED.sub("", text)).strip() == ""


_DELIMITERS = re.compile(r"\$\$|(?<!\\)\$|\\\[|\\\]|\\\(|\\\)|\\(?:begin|end)\{[a-z*]{1,16}\}")
_CLOSERS = {"\\[": "\\]", "\\(": "\\)", "$": "$", "$$": "$$"}
MASK = "\ue000"  # private use: no source text has it
MAX_INLINE = 600  # a longer run between two $ is prose between two prices


def masked(text: str) -> str:
    """`text` of the same length with all mathematics between LaTeX delimiters replaced by `MASK`."""
    found = [(m.group(), m.start(), m.end()) for m in _DELIMITERS.finditer(text)]
    pieces, done, at = [], 0, 0
    while at < len(found):
        opener, start, _ = found[at]
        close = _closer(text, found, at, opener)
        if close is None:
            at += 1
            continue
        stop = found[close][2]
        pieces += [text[done:start], MASK * (stop - start)]
        done, at = stop, close + 1
    return "".join([*pieces, text[done:]])


def _closer(text: str, found: list[tuple[str, int, int]], at: int, opener: str) -> int | None:
    """Index of the delimiter that closes the one at `at`; looks a bounded number of delimiters ahead."""
    wanted = "\\end" + opener[6:] if opener.startswith("\\begin") else _CLOSERS.get(opener)
    if wanted is None:
        return None
    for place in range(at + 1, min(len(found), at + 40)):
        name, start, _ = found[place]
        if name != wanted:
            continue
        inside = text[found[at][2] : start]
        prose = opener == "$" and (
            len(inside) > MAX_INLINE or "\n\n" in inside or re.search(r"[.!?] [A-Z][a-z]", inside)
        )
        return None if prose else place
    return None
