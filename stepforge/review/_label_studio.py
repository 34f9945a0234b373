"""Projects of Label Studio, written and read: labelling configuration, tasks, exports (JSON and JSON-MIN).

Format: https://labelstud.io/guide/task_format.  Every text of a source is hostile: it stands in the page of a task
escaped, and without characters that turn the direction of writing.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from html import escape
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from stepforge.errors import BadInput
from stepforge.records import ReviewAnswer, ReviewDecision
from stepforge.review._base import MAX_TEXT, Block, Candidate, Question, ReviewKind

SHOWN, FIGURES = "shown", "figures"  # fields of a task's data
ITEM, PROJECT = "review_item", "review_project"
MAX_VALUES = 100  # values of one field: more than a form of ours can hold
_MARK = re.compile(r"<image_(\d{1,3})>")
_UNFIT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_STYLE = "white-space: pre-wrap; overflow-wrap: anywhere; margin: 0 0 0.6em"

Typeset = Callable[[str], str]  # a text as HTML, escaped, with the formulas that can be typeset
# one white pixel: Label Studio shows a list of pictures, and none is no list
NO_FIGURE = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mP4DwABAQEAG7buVgAAAABJRU5ErkJggg=="
)


def configuration(kind: ReviewKind, *, figures: bool) -> str:
    """The labelling configuration of the kind, XML, with a place for figures where the project has some."""
    view = Element("View")
    SubElement(view, "Header", value=kind.title)
    SubElement(view, "Text", name="instruction", value=kind.instruction)
    SubElement(view, "HyperText", name=SHOWN, value=f"${SHOWN}", selectionEnabled="false")
    if figures:
        SubElement(view, "Image", name=FIGURES, valueList=f"${FIGURES}", zoom="true")
    for question in kind.questions:
        SubElement(view, "Header", value=question.title, size="5")
        _control(view, question)
    indent(view)
    return tostring(view, encoding="unicode") + "\n"


def _control(view: Element, question: Question) -> None:
    about = {"name": question.name, "toName": SHOWN, "required": "true" if question.required else "false"}
    if question.options:
        choices = SubElement(
            view, "Choices", about, choice="multiple" if question.many else "single", showInline="true"
        )
        for option in question.options:
            SubElement(choices, "Choice", value=option)
    else:
        SubElement(view, "TextArea", about, rows=str(question.rows), maxSubmissions="1", editable="true")


def task(item: str, project: str, page: str, figures: Sequence[str] | None) -> dict[str, Any]:
    """A task of the project, without annotations and predictions.  `figures`: where they are, in their order; None in a
    project whose form has no place for them."""
    data: dict[str, Any] = {ITEM: item, PROJECT: project, SHOWN: page}
    return {"data": data if figures is None else {**data, FIGURES: list(figures) or [NO_FIGURE]}}


def texts_of(candidate: Candidate) -> Iterator[str]:
    """All texts of the page, whose formulas may be typeset."""
    for block in candidate.blocks:
        yield from (block.text, *block.lines)


def page_of(candidate: Candidate, typeset: Typeset, verdicts: Sequence[str] = ()) -> str:
    """What a reviewer sees beside the figures, as HTML: the blocks, and where the round shows them, what others said.
    Label Studio takes embedded pictures out of such a page, so that a figure is named where it belongs."""
    return f"<div>{''.join([*(_block(block, candidate, typeset) for block in candidate.blocks), *verdicts])}</div>"


def _block(block: Block, candidate: Candidate, typeset: Typeset) -> str:
    texts = block.lines or (block.text,)
    shown = [_text(text, len(candidate.images), typeset) for text in texts]
    if block.lines:
        tag = "ul" if block.title == "Options" else "ol"
        lines = "".join(f'<li style="{_STYLE}">{text}</li>' for text in shown)
        body = f"<{tag}>{lines}</{tag}>"
    else:
        body = f'<div style="{_STYLE}">{shown[0]}</div>'
    written = plain("\n".join(texts))
    if "<math" in "".join(shown):
        body += f'<details><summary>As it is written</summary><pre style="{_STYLE}">{written}</pre></details>'
    return f"<h4>{plain(block.title)}</h4>{body}"


def _text(text: str, n_figures: int, typeset: Typeset) -> str:
    """Escaped and typeset, each delivered figure by its number."""
    parts, at = [], 0
    for mark in _MARK.finditer(text):
        if 1 <= int(mark[1]) <= n_figures:
            parts += [typeset(fit(text[at : mark.start()])), f"<strong>[Figure {int(mark[1])}]</strong>"]
            at = mark.end()
    return "".join([*parts, typeset(fit(text[at:]))])


def fit(text: str) -> str:
    """The text without control characters and those that turn the direction of writing."""
    return _UNFIT.sub("\ufffd", text)


def plain(text: str) -> str:
    """The text as it may stand in HTML, in an element or an attribute."""
    return escape(fit(text))


def verdicts_of(kind: ReviewKind, decisions: Sequence[ReviewDecision]) -> list[str]:
    """What reviewers said, in the order given, under letters and without names."""
    found = ["<hr>"]
    for letter, decision in zip("ABCDEFGH", decisions, strict=False):
        said = {answer.field: answer.values for answer in decision.answers}
        rows = (
            f"<tr><th align='left'>{plain(question.title)}</th><td style=\"{_STYLE}\">"
            f"{plain(', '.join(said[question.name]))}</td></tr>"
            for question in kind.questions
            if said.get(question.name)
        )
        found.append(f"<h4>Verdict {letter}</h4><table>{''.join(rows)}</table>")
    return found


class Said(NamedTuple):
    """One annotation of an export.  `by`: account of Label Studio, as text; None if the export does not say."""

    place: str
    item: str
    project: str
    by: str | None
    at: datetime | None
    answers: Mapping[str, tuple[str, ...]]


def read_export(rows: object, where: str) -> Iterator[Said]:
    """The annotations of an export, JSON or JSON-MIN; those that were skipped, and tasks without any, are left out.
    Raises: BadInput naming file, task and field."""
    if not isinstance(rows, list):
        raise BadInput(f"{where}: no export of Label Studio: it is a list of tasks; export as JSON or JSON-MIN")
    for number, row in enumerate(rows, 1):
        if not isinstance(row, dict):
            raise BadInput(f"{where}, task {number}: no object but {type(row).__name__}")
        place = f"{where}, task {row['id'] if isinstance(row.get('id'), int) else number}"
        yield from _full(row, place) if "data" in row else _minimal(row, place)


def _full(row: Mapping[str, Any], place: str) -> Iterator[Said]:
    data, annotations = row["data"], row.get("annotations", [])
    if not isinstance(data, dict) or not isinstance(annotations, list):
        raise BadInput(f"{place}: data or annotations have another form; export as JSON or JSON-MIN")
    for annotation in annotations:
        if not isinstance(annotation, dict) or not isinstance(annotation.get("result", []), list):
            raise BadInput(f"{place}, annotations: no annotation of Label Studio; export as JSON or JSON-MIN")
        if annotation.get("was_cancelled"):
            continue
        answers: dict[str, tuple[str, ...]] = {}
        for result in annotation.get("result", []):
            if not isinstance(result, dict) or not isinstance(result.get("value"), dict):
                raise BadInput(f"{place}, result: a result has no value; export as JSON or JSON-MIN")
            name = str(result.get("from_name"))[:80]
            answers[name] = answers.get(name, ()) + _values(result["value"], f"{place}, field {name!a}")
        yield Said(place, *_keys(data, place), _account(annotation.get("completed_by")), _time(annotation), answers)


def _minimal(row: Mapping[str, Any], place: str) -> Iterator[Said]:
    own = {"id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time", "agreement"}
    own |= {ITEM, PROJECT, SHOWN, FIGURES}
    answers = {
        str(name)[:80]: _values(value, f"{place}, field {name!a}") for name, value in row.items() if name not in own
    }
    if answers:
        yield Said(place, *_keys(row, place), _account(row.get("annotator")), _time(row), answers)
    else:
        _keys(row, place)


def _values(value: object, place: str) -> tuple[str, ...]:
    """Texts of a result: plain, in a list, or under `choices` or `text`."""
    if isinstance(value, dict):
        value = value.get("choices", value.get("text"))
    values = value if isinstance(value, list) else [value]
    flat = [one for v in values for one in (_values(v, place) if isinstance(v, dict) else (v,))]
    if len(flat) > MAX_VALUES or not all(isinstance(one, str) for one in flat):
        raise BadInput(f"{place}: neither choices nor a text; a form of this project has no other fields")
    return tuple(map(str, flat))


def _keys(data: Mapping[str, Any], place: str) -> tuple[str, str]:
    item, project = data.get(ITEM), data.get(PROJECT)
    if not isinstance(item, str) or not isinstance(project, str):
        raise BadInput(f"{place}: has no {ITEM} and {PROJECT}: no task of `stepforge review export`")
    return item, project


def _account(who: object) -> str | None:
    if isinstance(who, dict):
        who = who.get("email") or who.get("id")
    return None if who is None or isinstance(who, bool) else str(who)[:200]


def _time(row: Mapping[str, Any]) -> datetime | None:
    written = row.get("updated_at") or row.get("created_at")
    try:
        found = datetime.fromisoformat(written) if isinstance(written, str) else None
        return None if found is None else (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def checked(kind: ReviewKind, said: Said) -> tuple[ReviewAnswer, ...]:
    """The answers in the order of the form.  Raises: BadInput for a field or an option that the form does not have, and
    for a field that must be filled in and is not."""
    unknown = sorted(name for name in said.answers if kind.question(name) is None)
    if unknown:
        names = ", ".join(question.name for question in kind.questions)
        raise BadInput(f"{said.place}, field {unknown[0]!a}: the form has none of that name; it has: {names}")
    found = []
    for question in kind.questions:
        values = tuple(value for value in said.answers.get(question.name, ()) if value.strip())
        place = f"{said.place}, field {question.name}"
        wrong = [value for value in values if question.options and value not in question.options]
        if wrong:
            raise BadInput(f"{place}: {wrong[0][:60]!a} is none of {', '.join(question.options)}")
        if question.options and len(set(values)) > 1 and not question.many:
            raise BadInput(f"{place}: {len(set(values))} choices where one is asked for")
        if question.required and not values:
            raise BadInput(f"{place}: nothing is said; submit the task again, or skip it in Label Studio")
        if any(len(value) > MAX_TEXT for value in values):
            raise BadInput(f"{place}: longer than {MAX_TEXT:,} characters; shorten it")
        if values:
            texts = tuple(_UNFIT.sub("\ufffd", value).strip() for value in dict.fromkeys(values))
            found.append(ReviewAnswer(field=question.name, values=texts))
    return tuple(found)
