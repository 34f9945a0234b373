"""IMO-Bench: AnswerBench (400 final answers), ProofBench (60 proofs, also in Lean 4), GradingBench; CSV files.

Format: google-deepmind/superhuman, `imobench/*.csv` and `imobench/hf_dataset_cards`.  AnswerBench has `Problem ID`,
`Problem`, `Short Answer`, `Category`, `Level`, `Subcategory`, `Source`; ProofBench `Solution` and `Grading guidelines`
instead of the subcategory; `lean_proof_bench.csv` a `Lean Statement` in Lean 4 beside them.  GradingBench is gradings
of model responses, many of one problem: its first row of a problem is the problem, the others are refused as repeats.
A proof problem keeps its short answer, where it has one.  The guidelines, the responses and the contest are not kept.
"""

import re
from collections.abc import Mapping
from typing import Any

from stepforge.records import Problem
from stepforge.sources import _json, _lean, _stream
from stepforge.sources._answers import value_field
from stepforge.sources._base import SOURCES, BadRecord, Context, RawRecord, Source, build
from stepforge.sources._values import guess_answer, optional_text, text_field
from stepforge.vocabulary import Difficulty, ProblemType

LICENCE = "CC BY 4.0"
_DIFFICULTIES = {
    "pre-imo": Difficulty.EASY,
    "imo-easy": Difficulty.EASY,
    "imo-medium": Difficulty.MEDIUM,
    "imo-hard": Difficulty.HARD,
}
_HEADER = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:Grading ID,)?Problem ID,Problem,[^\n]{0,200}(?:Category|Grading guidelines)"
)


def _recognises(_path: str, head: bytes) -> bool:
    keys = _json.keys_in(head)
    return _HEADER.match(head) is not None or (
        {"Problem ID", "Problem"} <= keys and bool({"Category", "Grading guidelines"} & keys)
    )


def _difficulty(level: str | None) -> Difficulty | None:
    if level is None:
        return None
    if level.strip().lower() not in _DIFFICULTIES:
        raise BadRecord(f"Level: {level.strip()[:60]!r} is none of pre-IMO, IMO-easy, IMO-medium, IMO-hard")
    return _DIFFICULTIES[level.strip().lower()]


def _is_proof(row: Mapping[str, Any]) -> bool:
    return "Grading guidelines" in row or "Lean Statement" in row


def _problem(raw: RawRecord, context: Context) -> Problem:
    """The row's problem."""
    row = raw.value or {}
    is_proof = _is_proof(row)
    level = optional_text(row, "Level")
    lean = optional_text(row, "Lean Statement")
    short = optional_text(row, "Short Answer") if is_proof else value_field(row, "Short Answer")
    concept = (optional_text(row, "Subcategory") or "").strip()
    return build(
        "imobench",
        raw,
        context,
        licence=LICENCE,
        source_id=text_field(row, "Problem ID").strip(),
        language="en",
        question=text_field(row, "Problem").strip(),
        problem_type=ProblemType.PROOF if is_proof else ProblemType.FREE_FORM,
        answer=guess_answer(short),
        solution=(optional_text(row, "Solution") or "").strip() or None,
        subject=optional_text(row, "Category"),
        grade=level.strip() if level else None,
        difficulty=_difficulty(level),
        knowledge_concepts=(concept,) if concept else (),
        lean_statement=_lean.with_sorry(lean) if lean else None,
    )


SOURCES.register(
    Source(
        name="imobench",
        title="IMO-Bench",
        licence=LICENCE,
        url="https://github.com/google-deepmind/superhuman",
        recognises=_recognises,
        records=_stream.rows,
        problem=_problem,
        files="`answerbench.csv`, `proofbench.csv`, `lean_proof_bench.csv`, `gradingbench.csv`, or Parquet",
        fields=(
            ("Problem ID", "id"),
            ("Problem", "question"),
            ("Short Answer", "answer; of a proof problem too, where it has one"),
            ("Solution", "solution"),
            ("Category, Subcategory", "subject, knowledge concept"),
            ("Level", "grade, and difficulty: pre-IMO and IMO-easy are easy"),
            ("Lean Statement", "Lean statement (Lean 4)"),
            ("Grading guidelines, Response, Points, Reward, Source, Problem Source", "not read"),
        ),
    )
)
