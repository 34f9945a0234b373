"""Problems of a paper from its pages: numbered problems, options, inline answers, and keys at the end."""

import re
import statistics
from collections.abc import Sequence
from typing import NamedTuple

from stepforge._paper_lines import STYLES, Block, Line, blocks_of, joined, lines_of, marks_of
from stepforge.outcome import Outcome, reject
from stepforge.records import Answer, Choice, Document, Page, Problem, Provenance, Rejection
from stepforge.sources import content_id, guess_answer, language_of, parts_of, split_options
from stepforge.vocabulary import AnswerKind, ProblemType, Reason

STAGE = "problems"
SOURCE = "paper"
SHORT_ANSWER = 80  # characters; in a key of answers with solutions, a longer first line is the solution already

_ANSWERS = re.compile(r"(?:answers?|answer keys?|keys?|final answers|参考答案|答案)\s{0,3}[:：]?", re.I)
_SOLUTIONS = re.compile(r"(?:(?:full |worked |model )?solutions|解答|解析|详解|参考解答)\s{0,3}[:：]?", re.I)
_BOTH = re.compile(
    r"(?:answers (?:and|&) (?:full |worked )?solutions|solutions (?:and|&) answers|"
    r"(?:参考)?答案[与和及](?:解析|解答|评分标准))\s{0,3}[:：]?",
    re.I,
)
_ANSWER_LINE = re.compile(
    r"[【\[]答案[】\]]\s{0,9}[:：]?\s{0,9}|(?:(?:final )?answer|ans\.?|答案|答)\s{0,3}[:：]\s{0,9}", re.I
)
_SOLUTION_LINE = re.compile(
    r"[【\[](?:解析|解答|分析|详解|证明)[】\]]\s{0,9}[:：]?\s{0,9}|"
    r"(?:solution|proof|sol\.?|解答|解析|分析|证明|解|证)\s{0,3}[:：]\s{0,9}|(?:solution|proof)\.\s{1,9}",
    re.I,
)
_ENTRY = re.compile(r"(?:^|(?<=\s))(?:(\d{1,3})\s?(?:[.．:：](?!\d)|[、)）])|[(（](\d{1,3})[)）])\s{0,9}", re.MULTILINE)
_RUN = re.compile(r"(?<!\d)(\d{1,3})\s?[-–—~～]\s?(\d{1,3})\s?[.:：、]?\s{0,3}([A-H](?:[ ,，、]?[A-H]){1,30})\b")
_PROOF = re.compile(r"(?:prove|show) (?:that|the)\b|证明|求证", re.I)


class _Said(NamedTuple):
    """What a block or a key entry says."""

    question: str = ""
    answer: str | None = None
    solution: str | None = None


def split_paper(document: Document, pages: Sequence[Page]) -> Outcome[Problem]:
    """Numbered problems of a paper, each with its options, answer and solution.

    A problem begins at a line with the next number (`1.`, `1、`, `(1)`, `Problem 1`, `Question 1`, `第1题`).  Lines
    `Answer:` and `Solution:` (`答案：`, `解：`) inside it say its answer and solution; a section at the end (`Answers`,
    `Answer key`, `Solutions`, `参考答案`) adds what is missing, joined by number.  A page with an error and a paper
    without numbered problems are rejected.

    Record ids: `<document_id>#page:P/problem:N`, `<document_id>#page:P`, `<document_id>`.

    Limits: one column; numbers that begin again in a later part of the paper belong to the problem before; figures are
    not cut out; a key laid out as a table is not read.
    """
    rejections = [_bad_page(document, page) for page in pages if page.error is not None]
    main, keys = _sections(lines_of(pages))
    key: dict[int, _Said] = {}
    blocks = blocks_of(main)
    for kind, lines in keys:
        for number, said in _key_entries(kind, lines, {b.number for b in blocks}).items():
            key[number] = _filled(key.get(number, _Said()), said)
    engines = {page.number: page.engine for page in pages}
    kept = [_problem(document, block, key.get(block.number, _Said()), engines) for block in blocks]
    if not kept and len(rejections) < max(1, len(pages)):
        detail = f"{document.path}: no numbered problem was found on {len(pages)} pages; number them 1., 2., 3., …"
        evidence = joined(main)[:300]
        rejections.append(reject(STAGE, document.document_id, Reason.NO_PROBLEMS_FOUND, detail, evidence=evidence))
    ids = [f"{p.provenance.document_id}#{p.provenance.locator}" for p in kept]
    return Outcome(kept, rejections, [*ids, *(r.record_id for r in rejections)])


def _bad_page(document: Document, page: Page) -> Rejection:
    detail = f"{document.path}, page {page.number}: {page.error}"
    return reject(STAGE, f"{document.document_id}#page:{page.number}", Reason.UNREADABLE_PAGE, detail)


def _sections(lines: Sequence[Line]) -> tuple[list[Line], list[tuple[str, list[Line]]]]:
    """The problems' lines, and each key with its kind: `answers`, `solutions` or `both`.

    A heading begins a key only if numbers begin again after it; else it belongs to the problem that it stands in.
    """
    first = next((b.number for b in blocks_of(lines)), None)
    starts = []
    for i, line in enumerate(lines):
        kinds = (("both", _BOTH), ("answers", _ANSWERS), ("solutions", _SOLUTIONS))
        kind = next((name for name, pattern in kinds if pattern.fullmatch(line.text)), None)
        if kind and first is not None and i > 0 and _next_number(lines[i + 1 : i + 6]) == first:
            starts.append((i, kind))
    if not starts:
        return list(lines), []
    ends = [*(i for i, _ in starts[1:]), len(lines)]
    keys = [(kind, list(lines[i + 1 : end])) for (i, kind), end in zip(starts, ends, strict=True)]
    return list(lines[: starts[0][0]]), keys


def _next_number(lines: Sequence[Line]) -> int | None:
    """The first number that a line begins with; a run `1-5 ABCDA` counts as its first."""
    for line in lines:
        run = _RUN.match(line.text)
        if run:
            return int(run[1])
        for style in STYLES:
            for mark in marks_of([line], style):
                return mark.number
    return None


def _filled(said: _Said, more: _Said) -> _Said:
    return _Said(said.question, said.answer or more.answer, said.solution or more.solution)


def _read_block(lines: Sequence[Line]) -> _Said:
    """Question, answer and solution of a block, told apart by the lines that begin with their names."""
    parts: dict[str, list[Line]] = {"question": [], "answer": [], "solution": []}
    current = "question"
    for line in lines:
        text = line.text
        for name, pattern in (("answer", _ANSWER_LINE), ("solution", _SOLUTION_LINE)):
            match = pattern.match(text)
            if match:
                current, text = name, text[match.end() :].strip()
                break
        parts[current].append(line._replace(text=text))
    answer, solution = joined(parts["answer"]).strip(), joined(parts["solution"]).strip()
    return _Said(joined(parts["question"]).strip(), answer or None, solution or None)


def _key_entries(kind: str, lines: Sequence[Line], wanted: set[int]) -> dict[int, _Said]:
    """Entries of a key by number."""
    found: dict[int, _Said] = {}
    if kind != "solutions":
        found = {number: _Said(answer=text) for number, text in _short_entries(lines).items() if number in wanted}
    blocks = [block for block in blocks_of(lines) if block.number in wanted]
    if len(found) > len(blocks):
        return found
    return {block.number: _key_entry(kind, block) for block in blocks}


def _short_entries(lines: Sequence[Line]) -> dict[int, str]:
    """Answers that stand several on a line: `1. A  2. 15  3. B`, and runs of letters, `1-5 ABCDA`."""
    text = "\n".join(line.text for line in lines)
    found: dict[int, str] = {}
    for run in _RUN.finditer(text):
        first, last, letters = int(run[1]), int(run[2]), re.sub(r"[^A-H]", "", run[3])
        if last - first + 1 == len(letters):
            found |= dict(zip(range(first, last + 1), letters, strict=True))
    if found:
        text = _RUN.sub("", text)
    number, begin = max(found, default=0), 0
    for mark in _ENTRY.finditer(text):
        if int(mark[1] or mark[2]) == number + 1:
            if begin:
                found[number] = text[begin : mark.start()]
            number, begin = number + 1, mark.end()
    if begin:
        found[number] = text[begin:]
    tidy = {number: answer.strip(" \n;；,，") for number, answer in found.items()}
    return {number: answer for number, answer in tidy.items() if answer}


def _key_entry(kind: str, block: Block) -> _Said:
    said = _read_block(block.lines)
    if kind == "answers":
        return _Said(answer=said.answer or said.question or None, solution=said.solution)
    if kind == "solutions" or said.answer or said.solution:
        text = "\n".join(part for part in (said.question, said.solution) if part)
        is_answer = kind == "both" and said.answer is None and len(said.question) <= SHORT_ANSWER
        return (
            _Said(answer=said.question or None, solution=said.solution) if is_answer else _Said("", said.answer, text)
        )
    first, _, rest = said.question.partition("\n")
    return _Said(answer=first, solution=rest or None) if len(first) <= SHORT_ANSWER else _Said(solution=said.question)


def _answer(text: str | None, choices: tuple[Choice, ...]) -> Answer | None:
    parts = parts_of(text) if text and not choices else ()
    if text and parts:
        return Answer(kind=AnswerKind.MULTI_PART, text=text, parts=parts)
    return guess_answer(text, choices)


def _type(question: str, choices: tuple[Choice, ...], answer: Answer | None) -> ProblemType:
    if choices:
        return ProblemType.CHOICE
    if answer is not None:
        return ProblemType.MULTI_STEP if answer.kind is AnswerKind.MULTI_PART else ProblemType.FREE_FORM
    return ProblemType.PROOF if _PROOF.search(question) else ProblemType.FREE_FORM


def _problem(document: Document, block: Block, key: _Said, engines: dict[int, str]) -> Problem:
    said = _filled(_read_block(block.lines), key)
    start, choices = split_options(said.question)
    question = said.question[:start].strip()
    answer = _answer(said.answer, choices)
    page = block.lines[0].page
    source_id = content_id(document.document_id + str(block.number))
    rated = [line.confidence for line in block.lines if line.confidence is not None]
    return Problem(
        problem_id=f"{SOURCE}/{source_id}",
        source=SOURCE,
        source_id=source_id,
        language=language_of(said.question),
        question=question,
        choices=choices,
        problem_type=_type(question, choices, answer),
        answer=answer,
        solution=said.solution,
        licence=document.licence.strip() or "unknown",
        published_on=document.published_on,
        provenance=Provenance(
            document_id=document.document_id,
            path=document.path,
            locator=f"page:{page}/problem:{block.number}",
            page=page,
            method=engines[page],
            confidence=round(statistics.fmean(rated), 4) if rated else None,
        ),
    )
