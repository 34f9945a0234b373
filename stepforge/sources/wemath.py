"""We-Math: composite visual problems with their one-step sub-problems; a JSON array of lettered-option problems."""

import re

from stepforge.records import Answer, Problem
from stepforge.sources import _json
from stepforge.sources._base import SOURCES, BadRecord, Context, RawRecord, Source, build
from stepforge.sources._values import optional_text, split_options, text_field
from stepforge.vocabulary import AnswerKind, ProblemType

LICENCE = "CC BY-NC 4.0"
COMPOSITE = "composite"
_KEY = re.compile(r"\d{1,2}steps_(multi|\d{1,2})")


def _recognises(_path: str, head: bytes) -> bool:
    return {"ID", "key", "option", "image_path", "knowledge concept"} <= _json.keys_in(head)


def _role(key: str) -> str:
    """`composite` for `2steps_multi`, `sub_1` for `2steps_1`: the part that a problem plays in its group."""
    match = _KEY.fullmatch(key)
    if match is None:
        raise BadRecord(f"key: {key[:60]!r} is not of the form 2steps_1 or 2steps_multi")
    return COMPOSITE if match[1] == "multi" else f"sub_{match[1]}"


def _concepts(row: dict[str, object], role: str) -> tuple[str, ...]:
    """A sub-problem has one concept, a composite the list of its parts, joined with a semicolon."""
    text = optional_text(row, "knowledge concept") or ""
    names = text.split(";") if role == COMPOSITE else [text]
    return tuple(name.strip() for name in names if name.strip())


def _problem(raw: RawRecord, context: Context) -> Problem:
    """The row's problem.  The records of a group share `ID`, so that the key is `ID` with the role."""
    row = raw.value or {}
    group, role = text_field(row, "ID"), _role(text_field(row, "key"))
    question, image = text_field(row, "question").strip(), optional_text(row, "image_path")
    letter = (optional_text(row, "answer") or "").strip()
    if image and "<image_" not in question:
        question += "\n<image_1>"
    return build(
        "wemath",
        raw,
        context,
        licence=LICENCE,
        source_id=f"{group}_{role}",
        language="en",
        question=question,
        images=(context.figures(image),) if image else (),
        choices=split_options(text_field(row, "option"), whole=True)[1],
        problem_type=ProblemType.CHOICE,
        answer=Answer(kind=AnswerKind.CHOICE, text=letter) if letter else None,
        solution=None,
        group_id=group,
        group_role=role,
        knowledge_concepts=_concepts(row, role),
    )


SOURCES.register(
    Source(
        name="wemath",
        title="We-Math",
        licence=LICENCE,
        url="https://github.com/We-Math/We-Math",
        recognises=_recognises,
        records=_json.records,
        problem=_problem,
        files="`testmini.json` with `2steps/image/` and `3steps/image/`",
        fields=(
            ("ID, key", "id, group and role in it"),
            ("question, image_path", "question, figure"),
            ("option", "options"),
            ("answer", "answer, a letter"),
            ("knowledge concept", "knowledge concepts"),
            ("knowledge concept description, question number, split", "not read"),
        ),
    )
)
