"""Answer keys and solutions of a paper: which lines head one, and what it says of each number."""

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from stepforge._paper_lines import Line, joined
from stepforge._paper_marks import HAN_DIGITS, STYLES, Mark, marks_of, part_heading, sequence_of
from stepforge.sources import kind_of
from stepforge.vocabulary import AnswerKind

SHORT_ANSWER = 80  # characters; in a key of answers with solutions, a longer first line is the solution already
MAX_KEY_NUMBER = 999
FEW_WORDS = 40  # characters
MAX_SKIP = 4  # answers may be missing
MAX_RUN = 200  # numbers of one run of letters
MAX_HEADING = 60  # characters

_KEY_WORDS = (
    ("both", r"(?:answers?\s(?:and|&|with)\s(?:full\s|worked\s|detailed\s)?solutions|solutions\s(?:and|&)\sanswers"
             r"|(?:参考)?答案(?:与|和|及|、)?(?:试题)?(?:解析|解答|评分标准|评分参考|评分细则|详解))"),
    ("solutions", r"(?:(?:full|worked|model|detailed|sample)\s)?solutions|参考解答|试题解析|答案详解|详解|解析|解答"),
    ("answers", r"(?:final\s|correct\s)?answers?(?:\s(?:keys?|sheet|list))?|keys?|参考答案|标准答案|答案"),
)  # fmt: skip
_OF = r"(?:\s{0,3}[-–—:：(（]\s{0,3}|\s(?:to|for|of)\s(?:the\s)?)[^.?!。？！]{1,50}[)）]?"
_BEFORE = r"(?:[^.?!,;。？！，；]{1,40}[\s试题卷》]{1,3})?"
_KEYS = tuple((kind, re.compile(rf"{_BEFORE}(?:{words})(?:{_OF})?\s{{0,3}}[:：]?", re.I)) for kind, words in _KEY_WORDS)
_SMALL_WORD = re.compile(r"\b(?!and\b|to\b|of\b|for\b|the\b|with\b|in\b|on\b)[a-z]{2,}")

ANSWER_LINE = re.compile(
    r"[【\[]\s?(?:参考)?答案\s?[】\]]\s{0,9}[:：]?\s{0,9}"
    r"|(?:(?:final |correct |short )?answer|ans\.?|(?:参考|正确)?答案|答)\s{0,3}"
    r"(?:[:：]|(?<=[ns])\.\s|(?<=Answer)\.\s)\s{0,9}"
    r"|(?:answer|答案)$",
    re.I,
)
SOLUTION_LINE = re.compile(
    r"[【\[]\s?(?:解析|解答|分析|详解|证明|解|点评|点睛|解题思路|思路分析|试题解析)\s?[】\]]\s{0,9}[:：]?\s{0,9}|"
    r"(?:solution(?:\s\d)?|proof|sol\.?|解答|解析|分析|证明|解|证)\s{0,3}[:：]\s{0,9}|(?:solution(?:\s\d)?|proof)\.\s{1,9}|"
    r"(?:solution|proof|解答|解析|证明)$",
    re.I,
)
REMARK_LINE = re.compile(r"[【\[]\s?(?:考点|专题|难度|题型|来源|知识点)\s?[】\]]\s{0,9}[:：]?\s{0,9}")
_OPEN = re.compile(r"[(（]\s?\d{1,2}\s?[)）]\s?$|[,，、]$")
_INLINE = re.compile(
    r"[【\[]\s?(?:(?:参考)?答案|解析|解答|分析|详解|证明|解|点评|点睛|考点|专题|难度|题型|来源|知识点|解题思路|思路分析|试题解析)\s?[】\]]"
)

_REASONS = re.compile(
    r"(?:[(（]\d[)）]\s?)?(?:[∵∴①②]|辅助线|[证解由设因过连延作在当若如令]"
    r"|(?:since|let|we|by|if|suppose|first|consider|note|for|to|proof|because|in|as|it|there"
    r"|assume|using|from|the (?:sum|number|total|area)|each|this)\b)",
    re.I,
)
_LETTERS = r"[A-H](?:[ ,，、]{0,2}[A-H]){0,200}"
_RUN = re.compile(
    rf"(?<!\d)(\d{{1,3}})\s?(?:[-–—~～]|to|至)\s?(\d{{1,3}})\s?(?:题)?\s?[.:：、)）]?\s{{0,3}}"
    rf"({_LETTERS}|[√×✓✗TF对错](?:[ ,，、]{{0,2}}[√×✓✗TF对错]){{0,200}})(?![A-Za-z])"
)
_ENTRY = re.compile(
    r"(?:^|(?<=[\s;；|]))(?:第\s?)?(?:(\d{1,3})\s?(?:[.:：](?!\d)|[．、)）]|题\s?[:：.]?)|[(（](\d{1,3})[)）])\s{0,9}",
    re.MULTILINE,
)
_TIGHT_ENTRY = re.compile(_ENTRY.pattern + r"|^(\d{1,3})\.(?=\d)", re.MULTILINE)
_LOOSE = re.compile(
    r"(?:^|(?<=[\s;；|]))(\d{1,3})\s?[.．:：、)）\-]{0,1}\s?([A-H]{1,5}|[√×✓✗TF])(?=$|[\s;；,，|])", re.MULTILINE
)
_LETTERED = re.compile(r"(?:^|(?<=[\s;；|]))([A-N]\d{1,2})\s?[.．:：、)）]\s{0,9}", re.MULTILINE)
_CELL_HEAD = re.compile(
    r"(?:题\s?号|答\s?案|题目|(?:question|problem|answer|number|no|item|key|ans)s?\b\.?)\s{0,9}[:：|]?\s{0,9}", re.I
)
_CELL = re.compile(r"[|\s]{1,20}")
_NUMBERS = re.compile(r"(?:第?\d{1,3}[.题]?(?:[|\s]{1,20}|$)){2,200}")


class Said(NamedTuple):
    """What a block or a key entry says.  `remarks`: its lines on topic and difficulty."""

    question: str = ""
    answer: str | None = None
    solution: str | None = None
    remarks: str = ""


class KeyEntry(NamedTuple):
    """What a key says of one number.  number: as the paper writes it, `7` or `A1`.  part: of the paper, from 1; None
    where the key does not tell parts apart."""

    number: str
    answer: str | None
    solution: str | None = None
    part: int | None = None


def key_kind(text: str) -> str | None:
    """`answers`, `solutions` or `both` if the line can head such a key, else None."""
    said = ANSWER_LINE.match(text) or SOLUTION_LINE.match(text)
    if len(text) > MAX_HEADING or (said is not None and said.end() < len(text)):
        return None
    for kind, pattern in _KEYS:
        if pattern.fullmatch(text) and (len(text.split()) <= 3 or not _SMALL_WORD.search(text)):
            return kind
    return None


def begins_table(text: str) -> bool:
    """Whether a line is a run `1-5 ABCDA` or a row of numbers, as keys have."""
    return _RUN.match(text) is not None or _number_row(text) is not None


def first_number(lines: Sequence[Line]) -> int | None:
    """The number that the first marked line begins with, in whatever style."""
    for line in lines:
        for style in STYLES:
            if style.name not in ("bare", "ordinal") and (marks := marks_of([line], style)):
                return marks[0].number
    return None


def filled(said: Said, more: Said) -> Said:
    """The first, and of the second what it lacks."""
    return Said(said.question, said.answer or more.answer, said.solution or more.solution, said.remarks)


def _pieces(line: Line) -> list[Line]:
    """A line cut before each 【答案】, 【解析】, …"""
    starts = [m.start() for m in _INLINE.finditer(line.text) if m.start() > 0]
    if not starts:
        return [line]
    edges = [0, *starts, len(line.text)]
    return [line._replace(text=line.text[a:b].strip()) for a, b in itertools.pairwise(edges)]


def read_block(lines: Sequence[Line], text_of: Callable[[Iterable[Line]], str] = joined) -> Said:
    """Question, answer and solution of a block, told apart by the lines that begin with their names."""
    parts: dict[str, list[Line]] = {"question": [], "answer": [], "solution": [], "remarks": []}
    for name, line in _named(lines):
        parts[name].append(line)
    said = {name: text_of(found).strip() for name, found in parts.items()}
    answer, solution = said["answer"], said["solution"]
    first, _, rest = answer.partition("\n")
    if rest and not solution and len(first) <= SHORT_ANSWER and not re.match(r"[(（]\d|[①-⑳]", first):
        answer, solution = first, rest  # "Answer: 42", and the solution below it without a name
    return Said(said["question"], answer or None, solution or None, said["remarks"])


def question_end(lines: Sequence[Line]) -> int:
    """How many of a block's lines are its question."""
    return next(
        (i for i in range(1, len(lines)) if any(n != "question" for n, _ in _named(lines[i - 1 : i + 1]))), len(lines)
    )


def _named(lines: Sequence[Line]) -> Iterator[tuple[str, Line]]:
    """The pieces of lines, each with the part of the block that it belongs to, the part's name cut off."""
    current = "question"
    before: Line | None = None
    for line in (piece for whole in lines for piece in _pieces(whole)):
        text = line.text
        goes_on = before is not None and _is_open(before)
        if not text.startswith("<\ue000"):  # a figure's token
            before = line
        for name, pattern in (("answer", ANSWER_LINE), ("solution", SOLUTION_LINE), ("remarks", REMARK_LINE)):
            match = pattern.match(text)
            if match and not (goes_on and text[0] in "证解答" and current == "question"):
                current, text = name, text[match.end() :].strip()
                break
        yield current, line._replace(text=text)


def _is_open(line: Line) -> bool:
    """Whether a line ends in the middle of what it says: `(1)`, and `证明：…` in the next is what is asked."""
    if _OPEN.search(line.text[-5:]):
        return True
    closed = line.ends_sentence or line.text[-1:] in ")）_"
    return not closed and (line.is_full or "\u3400" <= line.text[-1:] <= "\u9fff")


class Numbered(NamedTuple):
    """The lines of a key under one number, the mark cut off."""

    label: str
    part: int
    lines: list[Line]


def key_entries(kind: str, lines: Sequence[Line], wanted: frozenset[str], part: int | None = None) -> list[KeyEntry]:
    """Entries of one stretch of a key, in the form that reads most of the wanted numbers: numbered blocks, several
    answers a line, runs of letters, rows of numbers above rows of answers, and grids filled column by column."""
    blocks = {b.label: _key_entry(kind, b.lines) for b in _numbered(lines) if b.label in wanted}
    text = "\n".join(line.text for line in lines)
    readings = [blocks]
    if kind == "answers":
        for reader in (_in_order, _tables, _loose, _in_columns):
            readings.append(_answers(reader(text, wanted), wanted))
    best = max(readings, key=len)  # the first of equals
    if kind == "both":  # runs and tables of answers above the solutions
        short = {**_answers(_tables(text, frozenset()), wanted), **_answers(_runs(text)[0], wanted)}
        best = {label: filled(best.get(label, Said()), short.get(label, Said())) for label in {**best, **short}}
    return [
        KeyEntry(label, said.answer, said.solution, part)
        for label, said in best.items()
        if said.answer or said.solution
    ]


def _answers(read: dict[str, str], wanted: frozenset[str]) -> dict[str, Said]:
    return {label: Said(answer=answer) for label, answer in read.items() if label in wanted}


def _numbered(lines: Sequence[Line]) -> list[Numbered]:
    marks: list[tuple[Mark, int]] = [
        (m, p) for p, part in enumerate(sequence_of(lines, [], in_key=True), 1) for m in part
    ]
    ends = [*(m.line for m, _ in marks[1:]), len(lines)]
    found = []
    for (mark, part), end in zip(marks, ends, strict=False):
        head = lines[mark.line]
        first = head._replace(text=head.text[mark.end :].strip())
        found.append(Numbered(f"{mark.letter}{mark.number}", part, [first, *lines[mark.line + 1 : end]]))
    return found


def _key_entry(kind: str, lines: Sequence[Line]) -> Said:
    said = read_block(lines)
    if kind == "answers":
        return Said(answer=said.answer or said.question or None, solution=said.solution)
    if kind == "solutions" or said.answer or said.solution:
        text = "\n".join(part for part in (said.question, said.solution) if part)
        is_answer = kind == "both" and said.answer is None and _is_answer(said.question)
        return Said(answer=said.question or None, solution=said.solution) if is_answer else Said("", said.answer, text)
    first, _, rest = said.question.partition("\n")
    return Said(answer=first, solution=rest or None) if _is_answer(first) else Said(solution=said.question or None)


def _is_answer(text: str) -> bool:
    """Whether a line in a key of answers with solutions is the answer, and not the solution's first line."""
    if len(text) > SHORT_ANSWER or _REASONS.match(text):
        return False
    return bool(text) and (len(text) <= FEW_WORDS or kind_of(text) is not AnswerKind.TEXT)


def _runs(text: str) -> tuple[dict[str, str], str]:
    """Runs `1-5 ABCDA`, and the text without them."""
    found: dict[str, str] = {}
    spans = []
    for run in _RUN.finditer(text):
        first, last, letters = int(run[1]), int(run[2]), re.sub(r"[ ,，、]", "", run[3])
        if last - first + 1 == len(letters) <= MAX_RUN:
            found |= {str(n): letter for n, letter in zip(range(first, last + 1), letters, strict=True)}
            spans.append(run.span())
    rest, at = [], 0
    for start, end in spans:
        rest.append(text[at:start])
        at = end
    return found, "\n".join([*rest, text[at:]])


def _in_order(text: str, wanted: frozenset[str]) -> dict[str, str]:
    """Answers one after another, `1. A  2. 15  3. B`, and runs of letters."""
    found, rest = _runs(text)
    return {**found, **_listed(rest, wanted, {int(n) for n in found})}


def _listed(text: str, wanted: frozenset[str], done: set[int]) -> dict[str, str]:
    """Answers one after another in rising order; a few numbers may be missing, and those that are `done`."""
    found: dict[str, str] = {}
    number, begin = 0, 0
    is_bracket: bool | None = None  # `2. (1) 5 (2) 7 (3) 9` are sub-answers of 2
    for mark in _TIGHT_ENTRY.finditer(text):
        n = int(mark[1] or mark[2] or mark[3])
        if mark[3]:  # a scan lost the space
            follows = n == number + 1 and str(n) in wanted and not is_bracket and (not number or begin < mark.start())
        elif is_bracket is None:
            at_line = mark.start() == 0 or text[mark.start() - 1] == "\n"
            follows = n == 1 or (str(n) in wanted and (at_line or n - 1 in done))
        else:
            skip = MAX_SKIP if str(n) in wanted else 1
            follows = number < n <= number + skip or (n > number and done.issuperset(range(number + 1, n)))
            follows = follows and is_bracket == (mark[2] is not None) and bool(text[begin : mark.start()].strip())
        if follows:
            if number:
                found[str(number)] = text[begin : mark.start()]
            number, begin, is_bracket = n, mark.end(), mark[2] is not None
    if number:
        found[str(number)] = text[begin:]
    else:
        marks = list(_LETTERED.finditer(text))
        ends = [*(m.start() for m in marks[1:]), len(text)]
        found = {m[1]: text[m.end() : end] for m, end in zip(marks, ends, strict=False)}
    tidy = {label: answer.strip(" \n;；,，|") for label, answer in found.items()}
    return {label: answer for label, answer in tidy.items() if answer}


def _number_row(text: str) -> list[int] | None:
    """The numbers of a table's row of numbers that count up by one; None if the line is no such row."""
    head = _CELL_HEAD.match(text)
    body = text[head.end() :].strip("| ") if head else text.strip("| ")
    if not _NUMBERS.fullmatch(body):
        return None
    numbers = [int(n) for n in re.findall(r"\d{1,3}", body)]
    counts = all(b == a + 1 for a, b in itertools.pairwise(numbers))
    return numbers if counts and (len(numbers) >= 3 or head) else None


def _tables(text: str, wanted: frozenset[str]) -> dict[str, str]:
    """Rows of numbers, each above a row of as many answers; a row of letters without spaces counts letter by letter."""
    found: dict[str, str] = {}
    waiting: list[int] = []
    rest: list[str] = []
    for line in text.split("\n"):
        row = _number_row(line)
        if row is not None and not (waiting and len(row) == len(waiting) and row[0] != waiting[-1] + 1):
            waiting = row
            continue
        if waiting:
            head = _CELL_HEAD.match(line)
            body = line[head.end() :].strip("| ") if head else line.strip("| ")
            cells = _CELL.split(body) if body else []
            if len(cells) != len(waiting) and re.fullmatch(r"[A-H\s]{2,200}", body):
                cells = list(re.sub(r"\s", "", body))
            if len(cells) == len(waiting):
                found |= {str(n): cell for n, cell in zip(waiting, cells, strict=True)}
                waiting = []
                continue
            if cells:
                waiting = []
        rest.append(line)
    return {**_in_order("\n".join(rest), wanted), **found} if found else {}


def _loose(text: str, _wanted: frozenset[str]) -> dict[str, str]:
    """Numbers each with its letters, in any order: `1 A  6 C` above `2 B  7 D`."""
    found: dict[str, str] = {}
    for mark in _LOOSE.finditer(text):
        if mark[1] in found:
            return {}
        found[mark[1]] = mark[2]
    return found


def _rising(marks: Sequence[re.Match[str]]) -> list[re.Match[str]]:
    """The marks whose numbers rise by more than one, each with room for an answer before it."""
    kept: list[re.Match[str]] = []
    for mark in marks:
        if not kept or (
            int(mark[1] or mark[2]) > int(kept[-1][1] or kept[-1][2]) + 1 and mark.start() > kept[-1].end()
        ):
            kept.append(mark)
    return kept


def _in_columns(text: str, wanted: frozenset[str]) -> dict[str, str]:
    """A grid filled column by column, read row by row: `1. 15   4. 3` above `2. 7   5. 12`."""
    found: dict[str, str] = {}
    for line in text.split("\n"):
        marks = list(_ENTRY.finditer(line))
        marks = _rising([m for m in marks if (m[2] is None) == (marks[0][2] is None) and (m[1] or m[2]) in wanted])
        numbers = [int(m[1] or m[2]) for m in marks]
        if not marks or line[: marks[0].start()].strip():
            continue
        ends = [*(m.start() for m in marks[1:]), len(line)]
        for n, mark, end in zip(numbers, marks, ends, strict=True):
            answer = line[mark.end() : end].strip(" ;；,，|")
            if str(n) in found or not answer:
                return {}
            found[str(n)] = answer
    return found


def key_parts(lines: Sequence[Line]) -> list[tuple[str | None, list[Line]]]:
    """The stretches of a key by the part that a heading names (None before the first)."""
    found: list[tuple[str | None, list[Line]]] = [(None, [])]
    for line in lines:
        label = part_heading(line.text)
        if label is not None:
            found.append((label, []))
        else:
            found[-1][1].append(line)
    return [(label, part) for label, part in found if part]


def ordinal_of(label: str) -> int | None:
    """The place that a part's label counts: `B`, `II`, `二`, `2` are 2; None if it counts nothing."""
    roman = {"I": 1, "II": 2, "III": 3, "IV": 4, "V": 5, "VI": 6, "VII": 7, "VIII": 8, "Ⅰ": 1, "Ⅱ": 2, "Ⅲ": 3}
    words = {"ONE": 1, "TWO": 2, "THREE": 3, "FOUR": 4}
    if label in roman or label in words:
        return roman.get(label) or words[label]
    if label.isdecimal():
        return int(label)
    if len(label) == 1 and label in HAN_DIGITS:
        return HAN_DIGITS.index(label) + 1
    return ord(label) - 64 if len(label) == 1 and "A" <= label <= "H" else None
