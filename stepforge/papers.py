"""Problems of a paper from its pages: numbered, with options, figures, answers and solutions, keys at the end."""

import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from stepforge._paper_blocks import Block, KeySection, structure_of
from stepforge._paper_figures import LeftOut, Placed, with_figures
from stepforge._paper_keys import KeyEntry, Said, key_entries, key_kind, key_parts, ordinal_of, read_block
from stepforge._paper_lines import Line, Place, joined, lines_of
from stepforge._paper_options import options_of
from stepforge.cleaning import CleanedPages, without_watermarks
from stepforge.figures import absent
from stepforge.outcome import Outcome, reject
from stepforge.records import (
    Answer,
    Choice,
    CleaningStep,
    Document,
    ImageRef,
    Page,
    PageRegion,
    Problem,
    Provenance,
    Rejection,
)
from stepforge.sources import content_id, guess_answer, language_of, parts_of
from stepforge.vocabulary import AnswerKind, Disposition, ProblemType, Reason

__all__ = ["KeyEntry", "KeyJoin", "Paper", "join_key", "read_key_pages", "read_paper", "split_paper"]

STAGE = "problems"
SOURCE = "paper"
REPAIRED = "number_repaired"  # in a problem's trace: its number was misread or lost, and found again by its place
DISAGREES = "key_disagrees"  # in a problem's trace: the key says another answer than the problem itself

_PROOF = re.compile(r"(?:prove|show) (?:that|the)\b|证明|求证", re.I)
_SUB_QUESTION = re.compile(r"(?:^|(?<=[\s。．；;.?？:：)），,]))[(（]\s?([12])\s?[)）]", re.MULTILINE)
_WHERE = re.compile(r"/problem:(?P<number>[A-N]?\d{1,3})$")
_PART = re.compile(r"/part:(\d{1,4})/")
_TOKEN = re.compile(r"<\ue000\d{1,9}>")


class Paper(NamedTuple):
    """A paper taken apart.  Every line of its readable pages is in a block, a key, a heading, a running head or a label
    of a figure; `figures`: by block."""

    blocks: list[Block]
    keys: list[KeySection]
    headings: list[Line]
    running: list[Line]
    labels: list[Line]
    figures: dict[int, list[Placed]]
    figures_left: list[LeftOut]
    part_labels: dict[int, str]


class KeyJoin(NamedTuple):
    """Problems with what a key says of them, and the entries that no problem took."""

    problems: list[Problem]
    unused: list[KeyEntry]


def read_paper(pages: Sequence[Page]) -> Paper:
    """The problems of a paper with their figures, its keys, and what is neither."""
    text = lines_of(pages)
    found = structure_of(text.lines)
    others = [*found.headings, *(line for key in found.keys for line in key.lines)]
    placed = with_figures(pages, found.blocks, others)
    return Paper(
        placed.blocks,
        found.keys,
        found.headings,
        text.running,
        text.labels,
        placed.placed,
        placed.left_out,
        found.part_labels,
    )


def split_paper(document: Document, pages: Sequence[Page]) -> Outcome[Problem]:
    """Numbered problems of a paper, each with its options, figures, answer and solution.

    A problem begins at a line with the next number (`1.`, `1、`, `(1)`, `Problem 1`, `Q1`, `第1题`, `A1`); numbers may
    begin again in a later part.  Lines `Answer:` and `Solution:` (`答案：`, `【解析】`) inside it say its answer and
    solution; keys at the end (`Answers`, `Solutions`, `参考答案`: lists, runs `1-5 ABCDA`, tables) add what is missing.
    A figure becomes `<image_k>` where it stands, its image called `pageP-figureN` by content, not yet measured.

    What is no part of a problem is recorded: rejections, not applicable, of headings, running heads, labels inside
    figures, keys that no problem takes and figures that stand at no problem.  A page with an error and a paper without
    numbered problems are dropped.

    Record ids: `<document_id>#page:P/problem:N`, where a number comes back in a later part
    `<document_id>#page:P/part:K/problem:N`; `<document_id>#page:P`, `<document_id>#page:P/WHAT`, `<document_id>`.
    """
    rejections = [_bad_page(document, page) for page in pages if page.error is not None]
    cleaned = without_watermarks(pages)
    paper = read_paper(cleaned.pages)
    engines = {page.number: page.engine for page in pages}
    counts = Counter(block.label for block in paper.blocks)
    made = [
        _problem(document, block, paper.figures.get(k, []), engines, cleaned, is_unique=counts[block.label] == 1)
        for k, block in enumerate(paper.blocks)
    ]
    kept = [one.problem for one in made]
    unused: list[KeyEntry] = []
    for entries in _entries(paper):
        part = join_key(kept, entries)
        kept, unused = part.problems, [*unused, *part.unused]
    if not kept and len(rejections) < max(1, len(pages)):
        detail = f"{document.path}: no numbered problem was found on {len(pages)} pages; number them 1., 2., 3., …"
        evidence = joined(paper.headings)[:300]
        rejections.append(reject(STAGE, document.document_id, Reason.NO_PROBLEMS_FOUND, detail, evidence=evidence))
    else:
        rejections += _left_out(document, paper, made, unused)
    ids = [f"{p.provenance.document_id}#{p.provenance.locator}" for p in kept]
    return Outcome(kept, rejections, [*ids, *(r.record_id for r in rejections)])


def read_key_pages(pages: Sequence[Page]) -> list[KeyEntry]:
    """The entries of a document that is a key and nothing else, in whatever form it has them; parts are counted in the
    order of their headings."""
    text = lines_of(pages)
    (section,) = structure_of(text.lines, is_key=True).keys
    found: list[KeyEntry] = []
    kind, start = section.kind, 0
    stretches: list[tuple[str, list[Line]]] = []
    for i, line in enumerate(section.lines):
        if (other := key_kind(line.text)) is not None:
            stretches.append((kind, section.lines[start:i]))
            kind, start = other, i + 1
    stretches.append((kind, section.lines[start:]))
    every = frozenset(str(n) for n in range(1, 1000)) | {f"{c}{n}" for c in "ABCDEFGHIJKLMN" for n in range(1, 31)}
    for kind_here, lines in stretches:
        parts = key_parts(lines)
        for place, (_, part) in enumerate(parts, 1):
            found += key_entries(kind_here, part, every, place if len(parts) > 1 else None)
    return found


def join_key(problems: Sequence[Problem], entries: Iterable[KeyEntry]) -> KeyJoin:
    """The problems of one paper with the answers and solutions of a key, joined by number and part.

    A problem keeps what it says itself; an answer of the key that differs from its own is in its trace.  An entry
    without a part is unused where its number stands in several parts.
    """
    at: dict[tuple[int | None, str], list[int]] = defaultdict(list)
    for i, problem in enumerate(problems):
        found = _WHERE.search(problem.provenance.locator)
        if found:
            part = _PART.search(problem.provenance.locator)
            at[None, found["number"]].append(i)
            if part:
                at[int(part[1]), found["number"]].append(i)
    joined_problems = list(problems)
    unused = []
    for entry in entries:
        places = at.get((entry.part, entry.number), []) or at.get((None, entry.number), [])
        if len(places) == 1:
            joined_problems[places[0]] = _answered(joined_problems[places[0]], entry)
        else:
            unused.append(entry)
    return KeyJoin(joined_problems, unused)


def _answered(problem: Problem, entry: KeyEntry) -> Problem:
    """The problem with what the key says of it and it does not say itself."""
    update: dict[str, object] = {}
    if entry.answer and problem.answer is None:
        answer = _answer(entry.answer, problem.choices)
        update["answer"] = answer
        update["problem_type"] = _type(problem.question, problem.choices, answer)
    elif entry.answer and problem.answer is not None and _disagrees(entry.answer, problem):
        step = CleaningStep(rule=DISAGREES, field="answer", before=entry.answer[:200], after=problem.answer.text[:200])
        trace = (*problem.provenance.cleaning, step)
        update["provenance"] = problem.provenance.model_copy(update={"cleaning": trace})
    if entry.solution and problem.solution is None:
        update["solution"] = _without_question(entry.solution, problem.question) or None
    return problem.model_copy(update=update) if update else problem


def _without_question(solution: str, question: str) -> str:
    """A solution without the question, where a booklet of solutions says it again first."""
    plain_question = "".join(question.split())
    if len(plain_question) < 20:
        return solution
    seen = 0
    for i, char in enumerate(solution):
        if not char.isspace():
            if seen >= len(plain_question) or char != plain_question[seen]:
                break
            seen += 1
            if seen == len(plain_question):
                return solution[i + 1 :].strip() or solution
    return solution


def _disagrees(answer: str, problem: Problem) -> bool:
    """Whether a key says something else than the problem's own answer."""
    own = problem.answer
    return own is not None and answer.strip() != own.text.strip() and _answer(answer, problem.choices) != own


def _entries(paper: Paper) -> Iterable[list[KeyEntry]]:
    """The entries of each key of a paper; its parts are those of the paper by their labels, else by their order."""
    labels = frozenset(block.label for block in paper.blocks)
    n_parts = max((block.part for block in paper.blocks), default=1)
    by_label = {label: part for part, label in paper.part_labels.items()}
    for section in paper.keys:
        stretches = key_parts(section.lines)
        found = []
        headed = [label for label, _ in stretches if label is not None]
        place = 0
        for label, lines in stretches:
            part = None
            if label is not None and n_parts > 1:
                place += 1
                part = by_label.get(label) or (place if len(headed) == n_parts else ordinal_of(label))
            elif n_parts > 1 and len(paper.keys) > 1 and not headed:
                part = None
            found += key_entries(section.kind, lines, labels, part)
        yield found


def _bad_page(document: Document, page: Page) -> Rejection:
    detail = f"{document.path}, page {page.number}: {page.error}"
    return reject(STAGE, f"{document.document_id}#page:{page.number}", Reason.UNREADABLE_PAGE, detail)


def _left_out(document: Document, paper: Paper, made: Sequence["_Made"], unused: Sequence[KeyEntry]) -> list[Rejection]:
    """Records of what is no part of a problem: one a page and kind of lines, one a figure and key entry."""

    def note(name: str, reason: Reason, why: str, evidence: str = "") -> Rejection:
        return reject(
            STAGE,
            f"{document.document_id}#{name}",
            reason,
            f"{document.path}, {why}",
            evidence=evidence,
            disposition=Disposition.NOT_APPLICABLE,
        )

    found = []
    for name, reason, what, lines in (
        ("headings", Reason.PAPER_HEADING, "title, heading or instructions", paper.headings),
        ("running_heads", Reason.RUNNING_HEAD, "running head, foot or page number", paper.running),
        ("figure_labels", Reason.FIGURE_LABEL, "text inside a figure", paper.labels),
    ):
        by_page: dict[int, list[Line]] = defaultdict(list)
        for line in lines:
            by_page[line.page].append(line)
        for page, here in sorted(by_page.items()):
            numbers = ", ".join(str(line.place.at + 1) for line in sorted(here, key=lambda line: line.place))
            text = "\n".join(line.text for line in here)
            found.append(note(f"page:{page}/{name}", reason, f"page {page}, lines {numbers[:200]}: {what}", text))
    for left in paper.figures_left:
        name = f"page:{left.page}/figure:{left.number}"
        found.append(
            note(
                name,
                Reason.FIGURE_OUTSIDE_PROBLEMS,
                f"page {left.page}, figure {left.number}: {left.why}",
                left.figure.sha256,
            )
        )
    for one in made:
        if one.remarks:
            where = one.problem.provenance.locator
            found.append(note(f"{where}/remarks", Reason.PAPER_REMARK, f"{where}: remarks on the problem", one.remarks))
    for placed in (figure for one in made for figure in one.figures_left):
        why = f"page {placed.page}, figure {placed.number}: it stands in a solution"
        name = f"page:{placed.page}/figure:{placed.number}"
        found.append(note(name, Reason.FIGURE_OUTSIDE_PROBLEMS, why, placed.figure.sha256))
    for k, entry in enumerate(unused, 1):
        why = f"the key's entry {entry.number} belongs to no problem, or to one in each of several parts"
        text = entry.answer or entry.solution or ""
        found.append(note(f"key:{k}/{entry.number}", Reason.UNMATCHED_ANSWER, why, f"{entry.number}: {text}"))
    return found


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
    if [m[1] for m in _SUB_QUESTION.finditer(question)][:2] == ["1", "2"]:
        return ProblemType.MULTI_STEP
    return ProblemType.PROOF if _PROOF.search(question) else ProblemType.FREE_FORM


class _Made(NamedTuple):
    problem: Problem
    figures_left: list[Placed]  # those in its solution
    remarks: str  # on its topic and difficulty


def _problem(
    document: Document,
    block: Block,
    placed: Sequence[Placed],
    engines: dict[int, str],
    cleaned: CleanedPages,
    *,
    is_unique: bool,
) -> _Made:
    said, images, left = _with_images(read_block(block.lines), placed)
    start, choices = options_of(said.question)
    question = said.question[:start].strip()
    answer = _answer(said.answer, choices)
    page = block.places[0].page
    part = "" if is_unique else f"part:{block.part}/"
    source_id = content_id(document.document_id + part + block.label)
    rated = [line.confidence for line in block.lines if line.confidence is not None]
    trace = cleaned.trace_of({line.page for line in block.lines})
    if block.before is not None:
        trace.append(CleaningStep(rule=REPAIRED, field="number", before=block.before, after=block.label))
    problem = Problem(
        problem_id=f"{SOURCE}/{source_id}",
        source=SOURCE,
        source_id=source_id,
        language=language_of(said.question),
        question=question,
        images=images,
        choices=choices,
        problem_type=_type(question, choices, answer),
        answer=answer,
        solution=said.solution,
        licence=document.licence.strip() or "unknown",
        published_on=document.published_on,
        provenance=Provenance(
            document_id=document.document_id,
            path=document.path,
            locator=f"page:{page}/{part}problem:{block.label}",
            page=page,
            regions=_regions(block),
            method=engines[page],
            confidence=round(statistics.fmean(rated), 4) if rated else None,
            cleaning=tuple(trace),
        ),
    )
    return _Made(problem, left, said.remarks)


def _with_images(said: Said, placed: Sequence[Placed]) -> tuple[Said, tuple[ImageRef, ...], list[Placed]]:
    """The texts with `<image_k>` for the figures of the question, k from 1 in the order of the text, and the figures
    that stand elsewhere."""
    by_token = {one.token: one for one in placed}
    order = [by_token[m[0]] for m in _TOKEN.finditer(said.question) if m[0] in by_token]
    order = sorted(set(order), key=order.index)
    question = said.question
    for k, one in enumerate(order, 1):
        question = question.replace(one.token, f"<image_{k}>")
    images = tuple(absent(f"page{one.page}-figure{one.number}", one.figure.sha256) for one in order)

    def bare(text: str | None) -> str | None:
        return text if text is None or "\ue000" not in text else _TOKEN.sub("", text).strip() or None

    left = [one for one in placed if one not in order]
    return Said(question, bare(said.answer), bare(said.solution), said.remarks), images, left


def _regions(block: Block) -> tuple[PageRegion, ...]:
    """Where the lines of a problem stand: one region a column."""
    stretches: dict[tuple[int, int], dict[Place, Line]] = defaultdict(dict)
    for line in block.lines:
        stretches[line.page, line.column].setdefault(line.place, line)
    return tuple(
        PageRegion(
            page=page,
            first_line=min(place.at for place in lines) + 1,
            last_line=max(place.at for place in lines) + 1,
            x0=min(line.x0 for line in lines.values()),
            y0=min(line.y0 for line in lines.values()),
            x1=max(line.x1 for line in lines.values()),
            y1=max(line.y1 for line in lines.values()),
        )
        for (page, _), lines in sorted(stretches.items())
    )
