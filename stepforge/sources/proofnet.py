"""ProofNet: theorems of undergraduate textbooks in words and in Lean, JSON Lines.

The published files are Lean 3.  Ports to Lean 4 have the same fields, or `lean4_formalization` and `lean4_src_header`
(PAug/ProofNetSharp), or `name`, `informal_prefix`, `formal_statement` and `header` (DeepSeek-Prover).  The Lean text
is kept as it is, header and statement with `sorry` for the proof: whether this machine's Lean takes it is for the Lean
stage to say.  Where it is Lean 3 the words stay, as a proof to find.
"""

from stepforge.records import Problem
from stepforge.sources import _json, _lean
from stepforge.sources._base import SOURCES, BadRecord, Context, RawRecord, Source, build
from stepforge.sources._values import optional_text, text_field
from stepforge.vocabulary import ProblemType

LICENCE = "MIT"


def _recognises(_path: str, head: bytes) -> bool:
    keys = _json.keys_in(head)
    if {"name", "informal_prefix", "formal_statement", "header"} <= keys:
        return b'"exercise_' in head
    return "nl_statement" in keys and bool({"formal_statement", "lean4_formalization"} & keys)


def _problem(raw: RawRecord, context: Context) -> Problem:
    """The row's problem: a proof to find; its formal statement is that of the row."""
    row = raw.value or {}
    formal = "formal_statement" if "formal_statement" in row else "lean4_formalization"
    source_id, statement = text_field(row, "id" if "id" in row else "name"), text_field(row, formal)
    if not statement.strip():
        raise BadRecord(f"{formal}: it is empty; give the Lean statement")
    headers = (optional_text(row, name) for name in ("src_header", "lean4_src_header", "header"))
    header = next((found for found in headers if found), "")
    prefix = (optional_text(row, "informal_prefix") or "").strip().removeprefix("/--").removesuffix("-/").strip()
    body = _lean.with_sorry(statement)
    return build(
        "proofnet",
        raw,
        context,
        licence=LICENCE,
        source_id=source_id,
        language="en",
        question=text_field(row, "nl_statement") if "nl_statement" in row or not prefix else prefix,
        problem_type=ProblemType.PROOF,
        answer=None,
        solution=optional_text(row, "nl_proof"),
        lean_statement=f"{header.rstrip()}\n\n{body}" if header.strip() else body,
    )


SOURCES.register(
    Source(
        name="proofnet",
        title="ProofNet",
        licence=LICENCE,
        url="https://github.com/zhangir-azerbayev/ProofNet",
        recognises=_recognises,
        records=_json.records,
        problem=_problem,
        files="`test.jsonl`, `valid.jsonl`; ports to Lean 4 as JSON Lines or Parquet",
        fields=(
            ("id, name", "id"),
            ("nl_statement, informal_prefix", "question"),
            ("nl_proof", "solution"),
            ("formal_statement, lean4_formalization", "Lean statement, `sorry` for its proof"),
            ("src_header, lean4_src_header, header", "lines before the Lean statement"),
            ("split, goal", "not read"),
        ),
    )
)
