"""MiniF2F: 488 statements of school and contest mathematics.

Read are the Lean files (`test.lean` and `valid.lean` of openai/miniF2F in Lean 3, `Test.lean` and `Valid.lean` of
facebookresearch/miniF2F in Lean 4), one problem a theorem; the words of the latter's `informal/*.json`
(`problem_name`, `informal_statement`, `informal_proof`), which are joined to the theorem of that name in the same
batch; and the two common forms as JSON Lines: `id`, `formal_statement`, `header`, `informal_stmt`, `informal_proof`
(cat-searcher/minif2f-lean4), and `name`, `formal_statement`, `header`, `informal_prefix` (DeepSeek-Prover).  The id is
the theorem's name.  A proof is left out: the item is the statement.  The Lean 4 files import a module of their own
repository that imports parts of Mathlib; in its place stands `import Mathlib`.  Lean 3 is refused as such by the Lean
stage.
"""

import re

from stepforge.records import Problem
from stepforge.sources import _json, _lean
from stepforge.sources._base import SOURCES, Context, RawRecord, Source
from stepforge.sources._values import optional_text, text_field

LICENCE = "Apache-2.0"
# PutnamBench, ProofNet and others are passed on in the same form
_NAME = re.compile(rb'"(?:mathd|amc|aime|imo|algebra|numbertheory|induction)[a-z0-9]{0,9}_')
_OWN_IMPORT, _MATHLIB = "import MiniF2F.Minif2fImport", "import Mathlib"


def _recognises(path: str, head: bytes) -> bool:
    if _lean.is_lean(path):
        return b"minif2f" in head.lower() or "minif2f" in path.lower()
    keys = _json.keys_in(head)
    if {"problem_name", "informal_statement"} <= keys:
        return b'"fimo_' not in head
    if not {"formal_statement", "header"} <= keys:
        return False
    return {"id", "informal_stmt"} <= keys or ({"name", "informal_prefix"} <= keys and _NAME.search(head) is not None)


def _problem(raw: RawRecord, context: Context) -> Problem:
    """The theorem, in the form in which the record has it."""
    row = raw.value or {}
    if "formal" in row:
        source_id, words, formal = text_field(row, "name"), optional_text(row, "words"), text_field(row, "formal")
    elif "problem_name" in row:
        source_id, words, formal = text_field(row, "problem_name"), text_field(row, "informal_statement"), None
    else:
        source_id = text_field(row, "id" if "id" in row else "name")
        prefix = (optional_text(row, "informal_prefix") or "").strip().removeprefix("/--").removesuffix("-/")
        words, formal = optional_text(row, "informal_stmt") or prefix, text_field(row, "formal_statement")
    return _lean.formal_problem(
        "minif2f",
        raw,
        context,
        licence=LICENCE,
        source_id=source_id,
        words=words,
        formal=formal,
        header=(optional_text(row, "header") or "").replace(_OWN_IMPORT, _MATHLIB),
        solution=optional_text(row, "informal_proof"),
    )


SOURCES.register(
    Source(
        name="minif2f",
        title="MiniF2F",
        licence=LICENCE,
        url="https://github.com/openai/miniF2F",
        recognises=_recognises,
        records=_lean.records,
        problem=_problem,
        files="`*.lean` of miniF2F, `informal/*.json`, and the two forms as JSON Lines or Parquet",
        fields=(
            ("name of the theorem, problem_name, id, name", "id"),
            ("informal_statement, informal_stmt, informal_prefix, comment before the theorem", "question"),
            ("informal_proof", "solution"),
            ("theorem, formal_statement, header", "Lean statement, `sorry` for its proof"),
            ("split, goal", "not read"),
        ),
    )
)
