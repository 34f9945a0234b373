"""CriticLeanBench: statements in words with a Lean 4 formalization that people found right or wrong.

The data set is one Parquet file on the Hugging Face Hub (m-a-p/CriticLeanBench, revision 6225522); read is its export
as JSON or JSON Lines with the fields `id`, `refined_statement`, `autoformalization` and `tag`, which is
`compile_right_is_right`, `compile_right_is_false` or `compile_false`.  Only a formalization that is right becomes the
problem's Lean statement; of the others the words remain.
"""

from stepforge.records import Problem
from stepforge.sources import _json, _lean
from stepforge.sources._base import SOURCES, BadRecord, Context, RawRecord, Source
from stepforge.sources._values import text_field

LICENCE = "Apache-2.0"
RIGHT = "compile_right_is_right"
TAGS = frozenset({RIGHT, "compile_right_is_false", "compile_false"})


def _recognises(_path: str, head: bytes) -> bool:
    return {"refined_statement", "autoformalization", "tag"} <= _json.keys_in(head)


def _problem(raw: RawRecord, context: Context) -> Problem:
    """The row's statement, with its formalization where that is right."""
    row = raw.value or {}
    tag = text_field(row, "tag")
    if tag not in TAGS:
        raise BadRecord(f"tag: {tag[:60]!r} is none of {', '.join(sorted(TAGS))}")
    source_id = row.get("id")
    if isinstance(source_id, bool) or not isinstance(source_id, str | int):
        raise BadRecord("id: it is missing or neither a number nor a text; give the row's id")
    words = text_field(row, "refined_statement")
    if not words.strip():
        raise BadRecord("refined_statement: it is empty; give the statement in words")
    return _lean.formal_problem(
        "criticleanbench",
        raw,
        context,
        licence=LICENCE,
        source_id=str(source_id),
        words=words,
        formal=text_field(row, "autoformalization") if tag == RIGHT else None,
    )


SOURCES.register(
    Source(
        name="criticleanbench",
        title="CriticLeanBench",
        licence=LICENCE,
        url="https://huggingface.co/datasets/m-a-p/CriticLeanBench",
        recognises=_recognises,
        records=_json.records,
        problem=_problem,
    )
)
