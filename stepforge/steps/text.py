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
    r"(?: is)?[ ]?:?[ ]?[$(*]{0,3}(?:\\mathrm\{)?[A-G]\}?[$)*]{0,3}[ ]?[.。]?[ \t*]{0,9}$"
)
_LINE = r"^[ \t]*[#>*]{0,4}[ \t]?"  # a line, with the markdown that may open it
_REMARK = (
    r"(?:Key (?:Insights?|[Pp]oints?|Concepts?)|(?:Exam|Test) (?:[Pp]oints?|Focus)|Insights?|Highlights?"
    r"|Comment(?:s|ary)?|Review|Error Analysis|Difficulty|点评|考点|专题|点睛|名师点睛|方法总结|思路点拨)"
)
_SOLVES = "(?:解答?|详解|解析|证明|Solution|Proof)"
_COMMENT = (
    rf"{_LINE}(?:【(?!{_SOLVES}】)[^】\n]{{1,24}}】|\[{_REMARK}\]|{_REMARK}\*{{0,2}}[:：]|####)"
    r"(?:\*{0,2}[ \t]*\n(?=[^\n])(?:[^\n]+(?:\n|\Z))+|[^\n]*$)"  # alone in its line, it heads the lines below it
    rf"|{_LINE}This (?:question|problem)(?: (?:mainly|primarily|chiefly))? (?:tests|examines|assesses)\b"
    r"[^\n]*$"
)
_CLOSING = (
    r"^[ \t]*答[:：][^\n]*$|^[ \t]*(?:Therefore|Hence|Thus),? the answer is[:：][^\n=]{0,200}$"
    rf"|{_LINE}(?:Final )?Answer\*{{0,2}}[:：](?![^\n]*\\(?:therefore|because))[^\n=]{{1,300}}$"
)
_FIGURE = (
    r"^(?:[ \t]{0,4}<image_[0-9]{1,3}>)+[ \t]*$|^[ \t]*-{3,}[ \t]*$"
    rf"|{_LINE}[(（]?(?:Figure|Diagram|图)[ ]?(?:[(（]?[0-9A-Z]{{1,2}}[)）]?[-.]?){{0,3}}[)）]?[:：]?\*{{0,2}}[ \t]*$"
    r"|\[asy\][^\0]{0,4000}?\[/asy\]"
)
DROPPED = re.compile("|".join([_COMMENT, _CLOSING, _FIGURE, _ANSWER, _ENGLISH_ANSWER]), re.MULTILINE)

_SECTION = (
    r"(?:Solution|Proof|(?:Detailed )?Explanation|Detailed Solution"
    r"|(?:Test )?(?:Question|Problem) (?:Solution|Explanation))"
)
_PREVIEW = r"(?:(?:Test )?(?:Question |Problem )?Analysis)"
LABEL = re.compile(
    r"(?:[(（][0-9]{1,2}[)）][ ]?)?(?:(?:解|证明|解答|解法[一二三四]|方法[一二三四]|分析)[ ]?[:：]"
    rf"|【{_SOLVES}】[:：]?"
    rf"|[#>]{{0,4}}[ ]?\*{{0,2}}(?:{_SECTION}|{_PREVIEW})[ ]?[0-9]?\*{{0,2}}[ ]?[:：]\*{{0,2}}"
    r"|\*{0,2}(?:Solution|Proof)[ ]?[0-9]?\*{0,2}[ ]?\.\*{0,2}"
    r"|\*{0,2}(?:Final )?Answer\*{0,2}[:：]\*{0,2}[ \t]*(?=\n|\Z))"
)
_ANALYSIS = re.compile(rf"\s*\*{{0,2}}{_PREVIEW}\*{{0,2}}[:：]")
_THEN_SOLUTION = re.compile(rf"^[ \t#*]{{0,6}}{_SECTION}[ ]?[0-9]?\*{{0,2}}[:：]", re.MULTILINE)
PATH = re.compile(
    r"^[ \t]*(?:[(（]?(?:解法|方法|证法|法)[一二三四五1-5][)）]?[ \t]*[:：]"
    r"|\*{0,2}(?:Solution|Proof|Method) [1-5]\*{0,2}[ \t]*[:.])",
    re.MULTILINE,
)
_RELATION = re.compile(
    r"[=＝<>≤≥≠≈⊥∥∽≌∈∴∵]|//"
    r"|\\(?:therefore|because|perp|parallel|leq?|geq?|neq?|in|sim|cong|approx|equiv|mid)(?![A-Za-z])"
)
_NAMES_ONLY = re.compile(
    r"<image_[0-9]{1,3}>|\\[A-Za-z]+|\b(?:figure|fig|diagram|option|step|case|part|solution|analysis|answer)s?\b|图|选项|步骤",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]{2,}")


def without_marks(text: str) -> str:
    """`text` without its `<<…>>` calculator marks."""
    return _MARK.sub("", text)


def clean(text: str) -> str:
    """Without calculator marks, runs of white space inside lines made one space."""
    return re.sub(r"[ \t]+", " ", without_marks(text)).strip()


def one_line(text: str) -> str:
    """`clean` on one line."""
    return re.sub(r"\s+", " ", clean(text))


def has_content(text: str) -> bool:
    """Whether the text says something: a word or a relation, beside labels (`(1)`, `A.`, `Case 2:`) and marks."""
    return _RELATION.search(text) is not None or _WORD.search(_NAMES_ONLY.sub(" ", text)) is not None


def dropped_spans(solution: str) -> list[tuple[int, int]]:
    """Character ranges that are no step: answer phrases, commentary, figure marks, and an analysis that a labelled
    solution follows; in order, not overlapping."""
    opening = _ANALYSIS.match(solution)
    after = _THEN_SOLUTION.search(solution, opening.end()) if opening else None
    begin = after.start() if after else 0
    found = [match.span() for match in DROPPED.finditer(solution, begin) if match.end() > match.start()]
    return [(0, begin), *found] if begin else found


def is_filler(text: str) -> bool:
    """Whether what lies between two steps is only white space, labels, marks and dropped phrases."""
    kept, at = [], 0
    for start, end in dropped_spans(text):
        kept.append(text[at:start])
        at = end
    return not any(has_content(LABEL.sub("\n", piece)) for piece in [*kept, text[at:]])


_DELIMITERS = re.compile(r"\$\$|(?<!\\)\$|\\\[|\\\]|\\\(|\\\)|\\(?:begin|end)\{[a-z*]{1,16}\}")
_CLOSERS = {"\\[": "\\]", "\\(": "\\)", "$": "$", "$$": "$$"}
MASK = "\ue000"  # private use: no source text has it
MAX_INLINE = 600  # a longer run between two $ is prose between two prices


def maths_spans(text: str) -> list[tuple[int, int]]:
    """Character ranges of mathematics with its LaTeX delimiters, in order, not overlapping."""
    found = [(m.group(), m.start(), m.end()) for m in _DELIMITERS.finditer(text)]
    spans, at = [], 0
    while at < len(found):
        close = _closer(text, found, at, found[at][0])
        if close is None:
            at += 1
            continue
        spans.append((found[at][1], found[close][2]))
        at = close + 1
    return spans


def masked(text: str) -> str:
    """`text` of the same length with all mathematics between LaTeX delimiters replaced by `MASK`."""
    pieces, done = [], 0
    for start, stop in maths_spans(text):
        pieces += [text[done:start], MASK * (stop - start)]
        done = stop
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
