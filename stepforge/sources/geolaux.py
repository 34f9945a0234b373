"""GeoLaux: Chinese plane geometry with reference step lengths and auxiliary lines; a JSON object by problem id."""

import re

from stepforge.records import Answer, Choice, ImageRef, Problem
from stepforge.sources import _json
from stepforge.sources._base import SOURCES, BadRecord, Context, RawRecord, Source, build
from stepforge.sources._values import field, guess_answer, list_field, one_of, optional_text, split_options, text_field
from stepforge.vocabulary import AnswerKind, Complexity, ProblemType

LICENCE = "MIT"
ORIGINALS = "mini_original_images"  # a figure and an auxiliary figure of another problem can have one name (71_6_2)
AUXILIARIES = "mini_auxiliary_images"
_NOTHING = ("", "null")
_TYPES = {"calculation": False, "proving": True}
_COMPLEXITY = {"0": None, "1": Complexity.SIMPLE, "2": Complexity.COMPLEX}
_BETWEEN = re.compile(r"[、和或]")


def _recognises(_path: str, head: bytes) -> bool:
    return {"problem_text", "step_length", "auxiliary_type"} <= _json.keys_in(head)


def _figure(name: str, folder: str, context: Context) -> ImageRef:
    """The figure in the folder that the data set keeps it in, or else anywhere."""
    found = context.figures(f"{folder}/{name}.png")
    return found if found.sha256 is not None else context.figures(f"{name}.png")


def _choices(row: dict[str, object]) -> tuple[Choice, ...]:
    entries = list_field(row, "choices")
    _start, choices = split_options("\n".join(entries), whole=True)
    if len(choices) != len(entries):
        raise BadRecord(f"choices: expected a list of texts `A.…`, `B.…`, got {entries!r:.80}")
    return choices


def _value_key(text: str, unit: str | None) -> str:
    return "".join(text.split()).removesuffix(unit or "")


def _answer(row: dict[str, object], choices: tuple[Choice, ...]) -> Answer | None:
    """The typed answer.  The source gives the value of a multiple-choice answer, not its letter; an option that equals
    the value, its unit aside, gives the letter.  Two values are a set."""
    value, unit = optional_text(row, "number_answer", _NOTHING), optional_text(row, "unit", _NOTHING)
    if value is None:
        return None
    value = value.strip()
    labels = [c.label for c in choices if _value_key(c.text, unit) == _value_key(value, unit)]
    if len(labels) == 1:
        return Answer(kind=AnswerKind.CHOICE, text=labels[0], alternatives=(value,), unit=unit)
    parts = tuple(part.strip() for part in _BETWEEN.split(value))
    if len(parts) > 1 and all(parts):
        return Answer(kind=AnswerKind.SET, text=value, parts=parts, unit=unit)
    return guess_answer(value, unit=unit)


def _problem_type(row: dict[str, object], answer: Answer | None) -> ProblemType:
    if one_of(row, "type", _TYPES):
        return ProblemType.PROOF
    return ProblemType.CHOICE if answer is not None and answer.kind is AnswerKind.CHOICE else ProblemType.FREE_FORM


def _problem(raw: RawRecord, context: Context) -> Problem:
    """The member's problem.  The text "null" means missing; a question that names no image gets one mark at its end."""
    row = raw.value or {}
    question = text_field(row, "problem_text").strip()
    original, auxiliary = optional_text(row, "original_image_name", _NOTHING), None
    if optional_text(row, "auxiliary_image_name", _NOTHING):
        auxiliary = _figure(text_field(row, "auxiliary_image_name"), AUXILIARIES, context)
    if original and "<image_" not in question:
        question += "\n<image_1>"
    steps = field(row, "step_length")
    if isinstance(steps, bool) or not isinstance(steps, int) or steps < 0:
        raise BadRecord("step_length: expected a whole number of steps")
    choices = _choices(row)
    answer = _answer(row, choices)
    problem_type = _problem_type(row, answer)
    return build(
        "geolaux",
        raw,
        context,
        licence=LICENCE,
        source_id=raw.key or text_field(row, "problem_id"),
        language="zh",
        question=question,
        images=(_figure(original, ORIGINALS, context),) if original else (),
        choices=choices,
        problem_type=problem_type,
        answer=None if problem_type is ProblemType.PROOF else answer,
        solution=optional_text(row, "solution", _NOTHING),
        subject="plane geometry",
        reference_step_length=steps,
        auxiliary_text=optional_text(row, "auxiliary_text", _NOTHING),
        auxiliary_complexity=one_of(row, "auxiliary_type", _COMPLEXITY),
        auxiliary_image=auxiliary,
    )


SOURCES.register(
    Source(
        name="geolaux",
        title="GeoLaux",
        licence=LICENCE,
        url="https://github.com/Candice-yu/GeoLaux",
        recognises=_recognises,
        records=_json.records,
        problem=_problem,
        files="`GeoLaux_minidata.json` with `mini_original_images/` and `mini_auxiliary_images/`",
        fields=(
            ("key of the object", "id"),
            ("problem_text", "question"),
            ("type", "kind of problem: `calculation` or `proving`"),
            ("choices", "options"),
            ("number_answer, unit", "answer: the letter of the option with that value, else the value"),
            ("solution", "solution"),
            ("step_length", "steps as counted by the source"),
            ("original_image_name", "figure"),
            ("auxiliary_text, auxiliary_type, auxiliary_image_name", "auxiliary line, its complexity, its figure"),
            ("steps_explanation, has_processed", "not read"),
        ),
    )
)
