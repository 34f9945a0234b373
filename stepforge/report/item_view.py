"""One item as its page shows it: evidence cut to what a person can read, in the order in which it is read.

Every text that came from a source or a model goes through `Texts`, which shortens it and remembers it, so that the
formulas of a page can be typeset before the page is drawn.
"""

import re
import shlex
from collections.abc import Sequence
from typing import NamedTuple

from stepforge.records import ImageRef, Judgement, Task, Variant
from stepforge.report.evidence import Evidence, Reply, Standing, settled, standings
from stepforge.report.mathematics import as_formula
from stepforge.report.reply_view import MAX_ANSWER_CHARS, ReplyView, Texts, cut, place_text, reply_view
from stepforge.steps.text import without_marks
from stepforge.vocabulary import NOT_COUNTED, DefectKind, TaskKind

MAX_QUESTION_CHARS = 12_000
MAX_FIGURES = 24
MAX_SAMPLES = 8  # replies of one system to one task
MAX_SHOWN_STEPS = 60
MAX_ID_CHARS = 300

KINDS = tuple(TaskKind)  # solving first, then detection by kind, then Lean
IMAGE_MARK = re.compile(r"<image_(\d{1,3})>")


class Figure(NamedTuple):
    """A figure in the text.  `sha256`: None where it was not delivered."""

    number: int
    name: str
    sha256: str | None


Part = str | Figure


class Chain(NamedTuple):
    """One step of a perturbed chain.  `number`: None for the place of a step that is missing; `defect`: at fault."""

    number: int | None
    text: str
    defect: bool


class TaskView(NamedTuple):
    """One task with its replies.  `unasked`: systems that were not asked or cannot read it; `command`: shows the task's
    way through the stages."""

    anchor: str
    kind: TaskKind
    title: str
    chain: tuple[Chain, ...]
    expected: str
    before: str | None
    after: str | None
    statement: str | None
    replies: tuple[ReplyView, ...]
    unasked: tuple[str, ...]
    more_replies: int
    command: str


class ItemView(NamedTuple):
    """The page.  `paths`: milestones of each reference solution."""

    problem_id: str
    labels: tuple[tuple[str, str], ...]
    question: tuple[Part, ...]
    choices: tuple[tuple[str, tuple[Part, ...]], ...]
    answer: str | None
    answer_facts: tuple[tuple[str, str], ...]
    paths: tuple[tuple[str, ...], ...]
    steps: tuple[str, ...]
    auxiliary: tuple[tuple[str, str], ...]
    lean: str | None
    standings: tuple[Standing, ...]
    tasks: tuple[TaskView, ...]
    provenance: tuple[tuple[str, str], ...]
    cleaning: tuple[tuple[str, str, str, str], ...]
    commands: tuple[str, ...]
    texts: tuple[str, ...]
    figures: tuple[str, ...]


def item_view(evidence: Evidence, systems: Sequence[str]) -> ItemView:
    """What the page of the item shows; `systems` in the order of the leaderboard."""
    texts = Texts()
    tasks = sorted(evidence.tasks, key=lambda t: (KINDS.index(t.kind), t.task_id))
    task = tasks[0]
    figures = _figures(task, evidence)
    placed: set[int] = set()
    question = _parts(texts(task.question, MAX_QUESTION_CHARS), figures, placed)
    choices = tuple((c.label[:20], _parts(texts(c.text), figures, placed)) for c in task.choices)
    rest = tuple(figure for figure in figures if figure.number not in placed)
    target = next((t.target for t in evidence.tasks if t.kind is TaskKind.SOLVE), None)
    item = evidence.item
    answer = item.problem.answer if item else (target.answer if target else None)
    paths = item.reference_paths if item else (target.reference_paths if target else ())
    lean = item.problem.lean_statement if item else None
    return ItemView(
        problem_id=evidence.problem_id,
        labels=_labels(task),
        question=(*question, *rest),
        choices=choices,
        answer=None if answer is None else texts(as_formula(answer.text), MAX_ANSWER_CHARS),
        answer_facts=_answer_facts(evidence, texts),
        paths=tuple(tuple(texts(m) for m in path[:MAX_SHOWN_STEPS]) for path in paths),
        steps=tuple(texts(without_marks(step)) for step in (item.steps[:MAX_SHOWN_STEPS] if item else ())),
        auxiliary=tuple((str(a.complexity), texts(a.text)) for a in (item.auxiliary_lines if item else ())),
        lean=None if lean is None else cut(lean),
        standings=tuple(standings(tasks, _judged(evidence), systems)),
        tasks=tuple(_task(number, t, evidence, systems, texts) for number, t in enumerate(tasks, start=1)),
        provenance=_provenance(evidence),
        cleaning=_cleaning(evidence),
        commands=_commands(task),
        texts=tuple(texts.given),
        figures=tuple(dict.fromkeys(figure.sha256 for figure in figures if figure.sha256)),
    )


def _judged(evidence: Evidence) -> list[Judgement]:
    return [settled(reply.judgement, reply.verdicts) for replies in evidence.replies.values() for reply in replies]


def _labels(task: Task) -> tuple[tuple[str, str], ...]:
    named = {
        "source": task.source,
        "subject": task.subject,
        "difficulty": task.difficulty,
        "steps": task.step_length,
        "modality": task.modality.replace("_", " "),
        "type": task.problem_type.replace("_", " "),
        "language": task.language,
        "licence": task.licence,
    }
    if task.group_id is not None:
        named["part of"] = f"{task.group_id} ({task.group_role})"
    return tuple((name, cut(str(value), MAX_ID_CHARS)) for name, value in named.items() if value is not None)


def _figures(task: Task, evidence: Evidence) -> list[Figure]:
    images: Sequence[ImageRef] = task.images or (evidence.item.problem.images if evidence.item else ())
    return [Figure(k, cut(image.name, 120), image.sha256) for k, image in enumerate(images[:MAX_FIGURES], start=1)]


def _parts(text: str, figures: Sequence[Figure], placed: set[int]) -> tuple[Part, ...]:
    """The text with its `<image_k>` marks replaced by the figures; a figure stands where it is first named."""
    parts: list[Part] = []
    at = 0
    for mark in IMAGE_MARK.finditer(text):
        number = int(mark[1])
        if 0 < number <= len(figures) and number not in placed:
            placed.add(number)
            parts += [text[at : mark.start()], figures[number - 1]]
            at = mark.end()
    return tuple(part for part in (*parts, text[at:]) if part)


def _answer_facts(evidence: Evidence, texts: Texts) -> tuple[tuple[str, str], ...]:
    answer = evidence.item.problem.answer if evidence.item else None
    if answer is None:
        return ()
    facts = [("kind", str(answer.kind).replace("_", " "))]
    facts += [(f"part {k}", texts(as_formula(part), MAX_ANSWER_CHARS)) for k, part in enumerate(answer.parts, start=1)]
    facts += [("or", texts(as_formula(other), MAX_ANSWER_CHARS)) for other in answer.alternatives]
    facts += [("unit", texts(answer.unit, MAX_ANSWER_CHARS))] if answer.unit else []
    return tuple(facts)


def _task(number: int, task: Task, evidence: Evidence, systems: Sequence[str], texts: Texts) -> TaskView:
    variant = evidence.variants.get(task.task_id)
    place = {system: rank for rank, system in enumerate(systems)}
    replies = sorted(
        evidence.replies.get(task.task_id, ()),
        key=lambda r: (place.get(r.prediction.system, len(place)), r.prediction.system, r.prediction.sample),
    )
    asked = [reply for reply in replies if reply.judgement.failure not in NOT_COUNTED]
    shown = [reply for reply in asked if reply.prediction.sample < MAX_SAMPLES]
    several = any(reply.prediction.sample for reply in replies)
    return TaskView(
        anchor=f"task-{number}",
        kind=task.kind,
        title=_title(task),
        chain=_chain(task, texts),
        expected=_expected(task),
        before=texts(variant.before) if variant and _was_changed(variant) else None,
        after=texts(variant.after) if variant and _was_changed(variant) else None,
        statement=None if task.target.lean_statement is None else cut(task.target.lean_statement),
        replies=tuple(reply_view(task, reply, texts, several=several) for reply in shown),
        unasked=tuple(dict.fromkeys(_unasked(reply) for reply in replies if reply.judgement.failure in NOT_COUNTED)),
        more_replies=len(asked) - len(shown),
        command=f"stepforge lineage benchmark_tasks --batch {shlex.quote(task.batch)} --record "
        + shlex.quote(cut(task.task_id, MAX_ID_CHARS)),
    )


def _unasked(reply: Reply) -> str:
    return f"{reply.prediction.system} ({str(reply.judgement.failure).replace('_', ' ')})"


def _was_changed(variant: Variant) -> bool:
    """Whether a step reads otherwise than before; of the other defects the chain itself says all."""
    return bool(variant.before and variant.after) and variant.before != variant.after


def _title(task: Task) -> str:
    if task.kind is TaskKind.SOLVE:
        return "Solve"
    if task.kind is TaskKind.FORMALIZE:
        return "Formalize in Lean"
    return f"Detect the defect: {task.target.defect or task.kind.removeprefix('detect_')}"


def _chain(task: Task, texts: Texts) -> tuple[Chain, ...]:
    """The chain as it is asked, steps numbered from 1; a missing step stands where it would be."""
    missing = task.target.defect is DefectKind.MISSING
    at = set(task.target.location)
    rows = []
    for index, step in enumerate(task.chain[:MAX_SHOWN_STEPS]):
        if missing and index in at:
            rows.append(Chain(None, texts(task.target.missing_step or ""), defect=True))
        rows.append(Chain(index + 1, texts(step), defect=index in at and not missing))
    if missing and len(task.chain) in at:
        rows.append(Chain(None, texts(task.target.missing_step or ""), defect=True))
    return tuple(rows)


def _expected(task: Task) -> str:
    return place_text(task.target.defect, task.target.location) if task.target.defect else ""


def _provenance(evidence: Evidence) -> tuple[tuple[str, str], ...]:
    rows = [("Problem", evidence.problem_id), ("Batch", evidence.tasks[0].batch)]
    if evidence.item is not None:
        problem, came = evidence.item.problem, evidence.item.problem.provenance
        page = f", page {came.page}" if came.page is not None else ""
        rows += [
            ("Document", f"{came.path} ({came.locator}{page})"),
            ("sha256", came.document_id),
            ("Read by", came.method),
            ("OCR confidence", "" if came.confidence is None else f"{came.confidence:.3f}"),
            ("Published", str(problem.published_on or "")),
        ]
    rows.append(("Licence", evidence.tasks[0].licence))
    return tuple((name, cut(text, MAX_ID_CHARS)) for name, text in rows if text)


def _cleaning(evidence: Evidence) -> tuple[tuple[str, str, str, str], ...]:
    steps = evidence.item.problem.provenance.cleaning if evidence.item else ()
    return tuple((s.rule, s.field, cut(s.before, 200), cut(s.after, 200)) for s in steps[:30])


def _commands(task: Task) -> tuple[str, ...]:
    batch, problem = shlex.quote(task.batch), shlex.quote(cut(task.problem_id, MAX_ID_CHARS))
    return (f"stepforge lineage filtered_items --batch {batch} --record {problem}",)
