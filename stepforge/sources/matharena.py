"""MathArena: problems of recent contests (AIME, HMMT, CMIMC, USAMO, IMO, Apex, …), a small data set a contest.

Format: the data sets of MathArena on the Hugging Face Hub (their cards; code in eth-sri/matharena): Parquet rows with
`problem_idx`, `problem`, `answer` (a number or LaTeX), `problem_type` (a list) in most, `source` in Apex; contests of
proofs have `points`, `grading_scheme` and perhaps `sample_solution` instead of an answer; Kangaroo problems are an
`image`.  An index is unique in its contest, whose name is that of the data set's folder (`aime_2025/data/train-…`), so
that the id is `aime_2025-1`; without such a folder the file's name stands for it.  The cards give no day: set the
batch's date of publication for splits by time.  A set of several contests names them in `competition`, which
then stands in the id.  The sets of model outputs (`…_outputs`) hold no problems: their `answer` is a model's reply.
"""

import re
from pathlib import PurePosixPath
from typing import Any

from stepforge.records import Problem
from stepforge.sources import _json
from stepforge.sources._answers import value_list
from stepforge.sources._base import SOURCES, BadRecord, Context, RawRecord, Source, build
from stepforge.sources._figures import figures_of, with_marks
from stepforge.sources._values import content_id, guess_answer, language_of, optional_text, text_field
from stepforge.vocabulary import ProblemType

LICENCE = "CC BY-NC-SA 4.0"
_PLUMBING = re.compile(r"data|default|train|test|\.|(?:train|test|validation)(?:-\d{5}-of-\d{5})?|\d{4}")
_OUTPUT = frozenset({"model_name", "idx_answer", "gold_answer", "parsed_answer"})


def _recognises(_path: str, head: bytes) -> bool:
    keys = _json.keys_in(head)
    return "problem_idx" in keys and bool({"problem", "image"} & keys) and bool({"answer", "grading_scheme"} & keys)


def _contest(path: str) -> str | None:
    """The name of the contest: the last part of the path that is not the layout of a data set."""
    parts = [*PurePosixPath(path).parent.parts, PurePosixPath(path).stem]
    return next((part for part in reversed(parts) if not _PLUMBING.fullmatch(part)), None)


def _problem(raw: RawRecord, context: Context) -> Problem:
    """The row's problem."""
    row: dict[str, Any] = raw.value or {}
    if not _OUTPUT.isdisjoint(row):
        raise BadRecord("answer: it is a model's reply; deliver the contest's set without '_outputs' in its name")
    images = figures_of("image", row.get("image"), context)
    question = optional_text(row, "problem") or ""
    if not question and not images:
        raise BadRecord("problem: it is empty, and there is no image; give the statement")
    index = text_field(row, "problem_idx").strip()
    types = value_list(row, "problem_type")
    answers = value_list(row, "answer")
    named = "-".join((optional_text(row, "competition") or "").split())
    contest = named or _contest(context.document.path) or content_id(question)
    return build(
        "matharena",
        raw,
        context,
        licence=LICENCE,
        source_id=f"{contest}-{index}" if index else "",
        language=language_of(question),
        question=with_marks(question, len(images)).strip(),
        images=images,
        problem_type=ProblemType.FREE_FORM if answers else ProblemType.PROOF,
        answer=guess_answer(", ".join(answers)),
        solution=optional_text(row, "sample_solution"),
        subject=types[0] if types else None,
        knowledge_concepts=tuple(types[1:]),
    )


SOURCES.register(
    Source(
        name="matharena",
        title="MathArena",
        licence=LICENCE,
        url="https://huggingface.co/MathArena",
        recognises=_recognises,
        records=_json.records,
        problem=_problem,
        files="the Parquet files of a contest's data set, or their rows as JSON Lines",
        fields=(
            ("problem_idx", "id, after the contest's name"),
            ("problem", "question"),
            ("image", "figure"),
            ("answer", "answer; without one the problem is a proof"),
            ("problem_type", "subject (the first) and knowledge concepts (the others)"),
            ("sample_solution", "solution"),
            ("competition", "id, the contest's name in sets of several"),
            ("points, grading_scheme, source", "not read"),
        ),
    )
)
