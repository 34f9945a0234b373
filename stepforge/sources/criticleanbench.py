"""CriticLeanBench: statements in words with a Lean 4 formalization that people found right or wrong.

The data set is one Parquet file on the Hugging Face Hub (m-a-p/CriticLeanBench, revision 6225522); read is that file,
or its export as JSON or JSON Lines, with the fields `id`, `refined_statement`, `autoformalization` and `tag`, which is
`compile_right_is_right`, `compile_right_is_false` or `compile_false`.  The formalization stays as it is, with the tag
as its label: `right`, `misaligned`, `does_not_compile`.  Each is to be judged by systems; only one that is right, and
that Lean takes, is also the reference of a task to put the words into Lean.
"""

from stepforge.records import Problem
from stepforge.sources import _json, _lean
from stepforge.sources._base import SOURCES, BadRecord, Context, RawRecord, Source
from stepforge.sources._values import text_field
from stepforge.vocabulary import FormalLabel

LICENCE = "Apache-2.0"
LABELS = {
    "compile_right_is_right": FormalLabel.RIGHT,
    "compile_right_is_false": FormalLabel.MISALIGNED,
    "compile_false": FormalLabel.DOES_NOT_COMPILE,
}


def _recognises(_path: str, head: bytes) -> bool:
    return {"refined_statement", "autoformalization", "tag"} <= _json.keys_in(head)


def _problem(raw: RawRecord, context: Context) -> Problem:
    """The row's statement with its formalization, and what people said of that."""
    row = raw.value or {}
    tag = text_field(row, "tag")
    if tag not in LABELS:
        raise BadRecord(f"tag: {tag[:60]!r} is none of {', '.join(sorted(LABELS))}")
    source_id = row.get("id")
    if isinstance(source_id, bool) or not isinstance(source_id, str | int):
        raise BadRecord("id: it is missing or neither a number nor a text; give the row's id")
    words = text_field(row, "refined_statement")
    if not words.strip():
        raise BadRecord("refined_statement: it is empty; give the statement in words")
    formalization = text_field(row, "autoformalization")
    if not formalization.strip():
        raise BadRecord("autoformalization: it is empty; give the formalization that the tag speaks of")
    return _lean.formal_problem(
        "criticleanbench",
        raw,
        context,
        licence=LICENCE,
        source_id=str(source_id),
        words=words,
        formal=_lean.with_sorry(formalization),
        whole=True,  # the tag speaks of the text as it is
        formal_label=LABELS[tag],
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
        files="its Parquet file, or its rows as JSON or JSON Lines",
        fields=(
            ("id", "id"),
            ("refined_statement", "question"),
            ("autoformalization", "Lean statement, as it is"),
            ("tag", "label of the Lean statement: right, misaligned, does not compile"),
            ("source", "not read"),
        ),
    )
)
