"""FIMO: problems of the IMO shortlists in words (245) and as statements in Lean 3 (149).

Read are `informal/*.json` (`problem_name`, `informal_statement`, `informal_proof`) and `lean/fimo.lean`, one problem a
theorem; words and theorem of one name in a batch are one problem.  The id is the theorem's name.  Lean 3 is refused as
such by the Lean stage; the words stay, as a proof to find.
"""

from stepforge.records import Problem
from stepforge.sources import _json, _lean
from stepforge.sources._base import SOURCES, Context, RawRecord, Source
from stepforge.sources._values import optional_text, text_field

LICENCE = "Apache-2.0"


def _recognises(path: str, head: bytes) -> bool:
    if _lean.is_lean(path):
        return b"fimo_import" in head or b"\ntheorem fimo_" in head
    return {"problem_name", "informal_statement"} <= _json.keys_in(head) and b'"fimo_' in head


def _problem(raw: RawRecord, context: Context) -> Problem:
    """The problem in words, or the theorem."""
    row = raw.value or {}
    in_lean = "formal" in row
    return _lean.formal_problem(
        "fimo",
        raw,
        context,
        licence=LICENCE,
        source_id=text_field(row, "name" if in_lean else "problem_name"),
        words=optional_text(row, "words") if in_lean else text_field(row, "informal_statement"),
        formal=text_field(row, "formal") if in_lean else None,
        header=optional_text(row, "header"),
        solution=optional_text(row, "informal_proof"),
    )


SOURCES.register(
    Source(
        name="fimo",
        title="FIMO",
        licence=LICENCE,
        url="https://github.com/liuchengwucn/FIMO",
        recognises=_recognises,
        records=_lean.records,
        problem=_problem,
        files="`informal/*.json`, `lean/fimo.lean`",
        fields=(
            ("problem_name, name of the theorem", "id"),
            ("informal_statement", "question"),
            ("informal_proof", "solution"),
            ("theorem", "Lean statement; question where there are no words"),
        ),
    )
)
