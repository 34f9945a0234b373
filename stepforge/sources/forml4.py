"""FormL4: theorems of Mathlib with their words, and word problems without Lean.

Fields as in `data/FormL4/*.json` of rookie-joe/PDA (commit 321d6dd; real_test of commit f13931a), JSON arrays:
`basic_test` and `random_test` have `formal` (the theorem with its proof), `nl_problem` and `nl_proof`; `real_test` has
`input` (a prompt with `# Statement:` and `# Proof:`) and no Lean.  The rows have no id: it is a hash of theorem or
prompt.  As the theorems are Mathlib's own and come without the lines before them, `import Mathlib` is put before each
that has no import, and the namespace FormL4 before its name.
"""

import re

from stepforge.formal import header_of, renamed
from stepforge.records import Problem
from stepforge.sources import _json, _lean
from stepforge.sources._base import SOURCES, BadRecord, Context, RawRecord, Source
from stepforge.sources._values import content_id, optional_text, text_field

LICENCE = "CC-BY-4.0"
_HEADER = "import Mathlib"
_PROMPT = re.compile(
    r"# Statement:\s*(.*?)\s*# Proof:\s*(.*?)\s*(?:Translate the statement and proof[^\n]*)?\s*\Z", re.S
)


def _recognises(_path: str, head: bytes) -> bool:
    keys = _json.keys_in(head)
    return {"formal", "nl_problem"} <= keys or ({"input", "output"} <= keys and b"# Statement:" in head)


def _problem(raw: RawRecord, context: Context) -> Problem:
    """The theorem with its words, or the word problem of a prompt."""
    row = raw.value or {}
    formal: str | None = None
    if "formal" in row:
        formal = text_field(row, "formal")
        source_id, words, proof = content_id(formal), text_field(row, "nl_problem"), optional_text(row, "nl_proof")
    else:
        prompt = text_field(row, "input")
        found = _PROMPT.search(prompt)
        if found is None:
            raise BadRecord("input: it has no '# Statement:' and '# Proof:'; give both")
        source_id, words, proof = content_id(prompt), found[1], found[2]
    return _lean.formal_problem(
        "forml4",
        raw,
        context,
        licence=LICENCE,
        source_id=source_id,
        words=words,
        formal=None if formal is None else renamed(formal, "FormL4"),
        header=None if formal is None or "import" in header_of(formal) else _HEADER,
        solution=proof,
    )


SOURCES.register(
    Source(
        name="forml4",
        title="FormL4",
        licence=LICENCE,
        url="https://github.com/rookie-joe/PDA",
        recognises=_recognises,
        records=_json.records,
        problem=_problem,
        files="`data/FormL4/{basic_test,random_test,real_test}.json`",
        fields=(
            ("formal", "Lean statement; the id is its hash"),
            ("nl_problem", "question"),
            ("nl_proof", "solution"),
            ("input", "question and solution of a prompt (`real_test`)"),
            ("nl_explanation, gemini_output, output", "not read"),
        ),
    )
)
