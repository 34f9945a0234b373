"""OlympiadBench: 8,952 olympiad and college-entrance problems, English and Chinese, with figures; its mathematics.

Format: OpenBMB/OlympiadBench (README; `inference/judge.py` and `evaluators/gpt_4v.py` for answers and figures).  A
JSON array a part, `data/OE_MM_maths_en_COMP.json`: OE open-ended, TP to be proved; MM with figures, TO text; maths or
physics; en or zh; COMP contests, CEE entrance exams.  Fields: `id`, `subfield`, `context`, `question`, `solution`
(list), `final_answer` (list), `is_multiple_answer`, `unit`, `answer_type`, `error`.  Figures are the marks
`<img_3362>`, which mean `images/img_3362.jpg`.  The rows on the Hugging Face Hub (Hothan/OlympiadBench) have columns
`image_1` … with bytes, and `question_type`, `subject`, `language` too.

Several answers stand in one text with commas between them, in any order, or in several texts; without
`is_multiple_answer` several texts are other forms of one answer.  Physics is refused.  `error`, the tolerance that the
source's own judge allows a decimal, is not kept.  Ids of parts may clash, so that the id is the part's name with the
row's id where the part is known.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Any

from stepforge.answers.normalise import split_top
from stepforge.records import Answer, ImageRef, Problem
from stepforge.sources import _json
from stepforge.sources._answers import value_list, with_alternatives
from stepforge.sources._base import SOURCES, BadRecord, Context, RawRecord, Source, build
from stepforge.sources._figures import figures_of
from stepforge.sources._values import bare, guess_answer, language_of, optional_text, text_field
from stepforge.vocabulary import AnswerKind, ProblemType

LICENCE = "Apache-2.0"
MAX_IMAGES = 20  # the published rows have up to 9 columns
_KINDS = {"Equation": AnswerKind.EQUATION, "Interval": AnswerKind.INTERVAL, "Tuple": AnswerKind.TUPLE}
_PART = re.compile(r"(OE|TP)_(?:MM|TO)_(maths|physics)_(en|zh)_(?:COMP|CEE)")
_MARK = re.compile(r"<(img_\d{1,9})>")
_BYTES_MARK = re.compile(rb"<(img_\d{1,9})>")
_LANGUAGES = {"English": "en", "Chinese": "zh"}


def _recognises(_path: str, head: bytes) -> bool:
    return {"subfield", "question", "final_answer", "is_multiple_answer", "answer_type"} <= _json.keys_in(head)


def _part(path: str) -> "re.Match[str] | None":
    """The part of the set that a file's name or folder says."""
    found = (_PART.search(name) for name in reversed(PurePosixPath(path).parts))
    return next((match for match in found if match), None)


def _check_subject(row: Mapping[str, Any], part: "re.Match[str] | None") -> None:
    subject = (optional_text(row, "subject") or (part[2] if part else "maths")).strip()
    if subject.lower() not in ("math", "maths", "mathematics"):
        raise BadRecord(f"subject: {subject[:60]!r} is no mathematics; leave this part of the set out")


def _figures(row: Mapping[str, Any], text: str, context: Context) -> tuple[str, tuple[ImageRef, ...]]:
    """The text with `<image_k>` for each `<img_N>`, and the images: those of the columns, else the named ones."""
    names = list(dict.fromkeys(_MARK.findall(text)))
    marks = {name: f"<image_{k}>" for k, name in enumerate(names, 1)}
    marked = _MARK.sub(lambda found: marks[found[1]], text)
    columns = [row.get(f"image_{k}") for k in range(1, MAX_IMAGES + 1)]
    given = tuple(one for k, value in enumerate(columns, 1) for one in figures_of(f"image_{k}", value, context))
    return marked, given or tuple(context.figures(f"{name}.jpg") for name in names)


def _several(texts: list[str]) -> list[str]:
    """The answers of a problem with several: texts of a list, or the pieces of one between its outer commas."""
    if len(texts) != 1:
        return texts
    return [piece.strip() for piece in split_top(bare(texts[0]), ",;") if piece.strip()]


def _answer(row: Mapping[str, Any]) -> Answer | None:
    """The typed answer; None where people have to judge."""
    texts, kind = value_list(row, "final_answer"), (optional_text(row, "answer_type") or "").strip()
    unit = optional_text(row, "unit")
    if not texts:
        return None
    if row.get("is_multiple_answer") is True and len(parts := _several(texts)) > 1:
        text = texts[0] if len(texts) == 1 else ", ".join(texts)
        return Answer(kind=AnswerKind.SET, text=text, parts=tuple(parts), unit=unit)
    answer = with_alternatives(guess_answer(texts[0], unit=unit), texts[1:])
    if answer is None or kind not in _KINDS:
        return answer
    return answer.model_copy(update={"kind": _KINDS[kind]})


def _is_proof(row: Mapping[str, Any], part: "re.Match[str] | None") -> bool:
    kind = optional_text(row, "question_type")
    return kind.strip().startswith("Theorem") if kind else part is not None and part[1] == "TP"


def _problem(raw: RawRecord, context: Context) -> Problem:
    """The row's problem; a context, given where several questions share one, stands before the question."""
    row = raw.value or {}
    part = _part(context.document.path)
    _check_subject(row, part)
    asked = text_field(row, "question").strip()
    shared = (optional_text(row, "context") or "").strip()
    question, images = _figures(row, f"{shared}\n{asked}" if shared else asked, context)
    said = _LANGUAGES.get((optional_text(row, "language") or "").strip())
    source_id = text_field(row, "id").strip()
    is_proof = _is_proof(row, part)
    return build(
        "olympiadbench",
        raw,
        context,
        licence=LICENCE,
        source_id=f"{part[0]}-{source_id}" if part and source_id else source_id,
        language=said or (part[3] if part else language_of(question)),
        question=question,
        images=images,
        problem_type=ProblemType.PROOF if is_proof else ProblemType.FREE_FORM,
        answer=None if is_proof else _answer(row),
        solution="\n\n".join(value_list(row, "solution")) or None,
        subject=optional_text(row, "subfield"),
    )


def _names(_path: str, data: bytes) -> Iterable[str]:
    return {f"{name.decode()}.jpg" for name in _BYTES_MARK.findall(data)}


SOURCES.register(
    Source(
        name="olympiadbench",
        title="OlympiadBench",
        licence=LICENCE,
        url="https://github.com/OpenBMB/OlympiadBench",
        recognises=_recognises,
        records=_json.records,
        problem=_problem,
        figures=_names,
        files="`data/{OE,TP}_{MM,TO}_maths_{en,zh}_{COMP,CEE}.json` with `images/`, or the Hugging Face rows",
        fields=(
            ("id", "id, after the part's name"),
            ("subfield", "subject"),
            ("context, question", "question; `<img_N>` becomes `<image_k>` and the figure `img_N.jpg`"),
            ("solution", "solution: its texts, a blank line between them"),
            ("final_answer, is_multiple_answer, answer_type, unit", "answer: several are a set, or other right forms"),
            ("question_type, subject, language", "type, refusal of physics, language (Hugging Face rows)"),
            ("error", "not read: the tolerance"),
        ),
    )
)
