"""Geometry3K: 3,002 plane geometry problems with a diagram and four options.

Read are the folders of lupantech/InterGPS (`data/geometry3k/train/0/data.json` with `img_diagram.png` beside it; format
as in its `annotation_tool/data_collection/data_examples`), one problem a file, and the rows of hiyouga/geometry3k on
the Hugging Face Hub (`images`, `problem`, `answer`, `id`, `choices`, `ground_truth`), where `ground_truth` is the
letter and `answer` the text of its option.  Of the three texts of a question the annotated one, which is LaTeX, is
taken.
"""

from collections.abc import Mapping
from pathlib import PurePosixPath

from stepforge.records import Answer, Choice, ImageRef, Problem
from stepforge.sources import _json
from stepforge.sources._base import SOURCES, BadRecord, Context, RawRecord, Source, build
from stepforge.sources._figures import figures_of, with_marks
from stepforge.sources._values import list_field, optional_text, text_field
from stepforge.vocabulary import AnswerKind, ProblemType

LICENCE = "MIT"
DIAGRAM = "img_diagram.png"
_LETTERS = "ABCD"
_ROW = {"images", "problem", "answer", "id", "choices", "ground_truth"}  # and nothing else: the names are common ones


def _recognises(_path: str, head: bytes) -> bool:
    keys = _json.keys_in(head)
    return {"problem_text", "problem_type_graph", "choices"} <= keys or keys - {"bytes", "path"} == _ROW


def _texts(row: Mapping[str, object], name: str) -> list[str]:
    found = row.get(name)
    return [str(one) for one in found] if isinstance(found, list) else list_field(row, name)


def _choices(row: Mapping[str, object]) -> tuple[Choice, ...]:
    texts = _texts(row, "choices")
    if len(texts) != len(_LETTERS):
        raise BadRecord(f"choices: {len(texts)} options, Geometry3K has {len(_LETTERS)}")
    return tuple(Choice(label=label, text=text) for label, text in zip(_LETTERS, texts, strict=True))


def _letter(text: str) -> Answer:
    letter = text.strip()
    if letter not in _LETTERS or len(letter) != 1:
        raise BadRecord(f"answer: {letter[:60]!r} is no letter from A to D")
    return Answer(kind=AnswerKind.CHOICE, text=letter)


def _concepts(row: Mapping[str, object]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*_texts(row, "problem_type_graph"), *_texts(row, "problem_type_goal")]))


def _problem(raw: RawRecord, context: Context) -> Problem:
    """The problem of a folder or of a row."""
    row = raw.value or {}
    images: tuple[ImageRef, ...]
    if "ground_truth" in row:
        question, letter = text_field(row, "problem"), text_field(row, "ground_truth")
        images = figures_of("images", row.get("images"), context)
    else:
        written = (optional_text(row, name) for name in ("annotat_text", "compact_text", "problem_text"))
        question, letter = next((text for text in written if text), ""), text_field(row, "answer")
        images = (context.figures(DIAGRAM),)
    solution = (optional_text(row, "detailed_solution") or "").strip()
    return build(
        "geometry3k",
        raw,
        context,
        licence=LICENCE,
        source_id=text_field(row, "id"),
        language="en",
        question=with_marks(question, len(images)),
        images=images,
        choices=_choices(row),
        problem_type=ProblemType.CHOICE,
        answer=_letter(letter),
        solution=solution or None,
        subject="plane geometry",
        knowledge_concepts=_concepts(row),
    )


def _figures(path: str, _data: bytes) -> tuple[str, ...]:
    return (DIAGRAM,) if PurePosixPath(path).name == "data.json" else ()


SOURCES.register(
    Source(
        name="geometry3k",
        title="Geometry3K",
        licence=LICENCE,
        url="https://github.com/lupantech/InterGPS",
        recognises=_recognises,
        records=_json.records,
        problem=_problem,
        figures=_figures,
        files="`data.json` of each problem's folder with `img_diagram.png` beside it; rows of the Hugging Face copy",
        fields=(
            ("id", "id"),
            ("annotat_text, compact_text, problem_text", "question: the first of them that is not empty"),
            ("problem", "question (rows)"),
            ("choices", "options A to D"),
            ("answer", "answer, a letter; in rows the text of the option, not read"),
            ("ground_truth", "answer, a letter (rows)"),
            ("img_diagram.png, images", "figure"),
            ("detailed_solution", "solution; mostly empty"),
            ("problem_type_graph, problem_type_goal", "knowledge concepts"),
            ("precise_value, rough_value, compact_choices, unit", "not read: values of the options"),
            ("logic_form.json", "not read"),
        ),
    )
)
