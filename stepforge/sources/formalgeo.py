"""FormalGeo (formalgeo7k, formalgeo-imo): geometry problems with words, diagram and formal statement.

Fields as FormalGeo/Datasets writes them (`src/fgdat/formalgeo7k_v2/problems/format_problem.py`), one JSON file a
problem (`problems/1.json`, the diagram `diagrams/1.png`), or the rows of the copies on the Hugging Face Hub (`id` for
`problem_id`, the diagram in `image`).  A goal `Value(…)` asks for a value; `Relation(…)` and `Equal(…)` are to be
proved.  The solution is the sequence of theorems.  Problems made by expansion have no words: their question is the
formal statement.
"""

import re
from collections.abc import Mapping

from stepforge.records import ImageRef, Problem
from stepforge.sources import _json
from stepforge.sources._base import SOURCES, BadRecord, Context, RawRecord, Source, build
from stepforge.sources._figures import figures_of, with_marks
from stepforge.sources._values import guess_answer, list_field, optional_text, text_field
from stepforge.vocabulary import ProblemType

LICENCE = "MIT"
_THEOREM = re.compile(r"([a-z][a-z0-9_]{0,100})\s?\(")
_STATEMENT = ("construction_cdl", "text_cdl", "image_cdl")


def _recognises(_path: str, head: bytes) -> bool:
    return {"construction_cdl", "goal_cdl", "problem_answer"} <= _json.keys_in(head)


def _formal_words(row: Mapping[str, object]) -> str:
    """The formal statement, for a problem without words."""
    parts = [f"{name}: {'; '.join(found)}" for name in _STATEMENT if (found := list_field(row, name))]
    return "\n".join([*parts, f"goal_cdl: {text_field(row, 'goal_cdl')}"])


def _question(row: Mapping[str, object]) -> tuple[str, str]:
    """Words and their language; English words before Chinese ones."""
    for name, language in (("problem_text_en", "en"), ("problem_text_cn", "zh")):
        words = (optional_text(row, name) or "").strip()
        if words:
            return words, language
    return _formal_words(row), "en"


def _images(row: Mapping[str, object], context: Context) -> tuple[ImageRef, ...]:
    if row.get("image") is not None:
        return figures_of("image", row["image"], context)
    name = optional_text(row, "problem_img")
    return (context.figures(name),) if name else ()


def _problem(raw: RawRecord, context: Context) -> Problem:
    """The problem of a file or row."""
    row = raw.value or {}
    goal = text_field(row, "goal_cdl").strip()
    if not goal:
        raise BadRecord("goal_cdl: it is empty; say what is to be found")
    is_value = goal.startswith("Value(")
    words, language = _question(row)
    images = _images(row, context)
    theorems = list_field(row, "theorem_seqs")
    names = (match[1] for theorem in theorems if (match := _THEOREM.match(theorem)))
    return build(
        "formalgeo",
        raw,
        context,
        licence=LICENCE,
        source_id=text_field(row, "problem_id" if "problem_id" in row else "id"),
        language=language,
        question=with_marks(words, len(images)),
        images=images,
        problem_type=ProblemType.FREE_FORM if is_value else ProblemType.PROOF,
        answer=guess_answer(text_field(row, "problem_answer")) if is_value else None,
        solution="\n".join(theorems) or None,
        subject="plane geometry",
        knowledge_concepts=tuple(dict.fromkeys(names)),
        reference_step_length=len(theorems) or None,
    )


SOURCES.register(
    Source(
        name="formalgeo",
        title="FormalGeo",
        licence=LICENCE,
        url="https://github.com/FormalGeo/Datasets",
        recognises=_recognises,
        records=_json.records,
        problem=_problem,
        files="`problems/*.json` with `diagrams/*.png`; rows of the Hugging Face copies",
        fields=(
            ("problem_id, id", "id"),
            ("problem_text_en, problem_text_cn", "question: the first of them that is not empty"),
            ("problem_img, image", "figure"),
            ("construction_cdl, text_cdl, image_cdl", "question of a problem without words"),
            ("goal_cdl", "kind of problem: `Value(…)` is free-form, `Relation(…)` and `Equal(…)` are proofs"),
            ("problem_answer", "answer of a `Value(…)`"),
            ("theorem_seqs", "solution, one theorem a line; its length; knowledge concepts"),
            ("problem_level, annotation, source, theorem_seq_dag", "not read"),
        ),
    )
)
