"""ProofNet: theorems of undergraduate textbooks in words and in Lean, JSON Lines.

The published files are Lean 3; ports to Lean 4 have the same fields.  The Lean text is kept as it is, header and
statement with `sorry` for the proof: whether this machine's Lean takes it is for the Lean stage to say.  Where it is
Lean 3 the words stay, as a proof to find.
"""

from stepforge.records import Problem
from stepforge.sources import _json, _lean
from stepforge.sources._base import SOURCES, BadRecord, Context, RawRecord, Source, build
from stepforge.sources._values import optional_text, text_field
from stepforge.vocabulary import ProblemType

LICENCE = "MIT"


def _recognises(_path: str, head: bytes) -> bool:
    return {"nl_statement", "formal_statement"} <= _json.keys_in(head)


def _problem(raw: RawRecord, context: Context) -> Problem:
    """The row's problem: a proof to find; its formal statement is that of the row."""
    row = raw.value or {}
    source_id, statement = text_field(row, "id"), text_field(row, "formal_statement")
    if not statement.strip():
        raise BadRecord("formal_statement: it is empty; give the Lean statement")
    header = optional_text(row, "src_header") or ""
    body = _lean.with_sorry(statement)
    return build(
        "proofnet",
        raw,
        context,
        licence=LICENCE,
        source_id=source_id,
        language="en",
        question=text_field(row, "nl_statement"),
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
    )
)
