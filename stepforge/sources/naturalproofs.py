"""NaturalProofs: theorems of ProofWiki, the Stacks project and textbooks with their proofs.

Read is `dataset.theorems` of `naturalproofs_*.json` (format as `naturalproofs/tokenize_pairwise.py` of
wellecks/naturalproofs reads it), one proof to find a theorem: its title and contents are the question, the first of its
proofs is the solution.  A link `[[A|b]]` stands as its text, as there.  Definitions and other pages are no problems;
what the first proof refers to is named as knowledge concepts.  Ids are numbers of their file, so that the file's name
stands before them.  The licence is that of the repository; ProofWiki, Stacks and the books have their own.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from stepforge.records import Problem
from stepforge.sources import _json
from stepforge.sources._base import SOURCES, BadRecord, Context, RawRecord, Source, build
from stepforge.sources._encoding import utf8
from stepforge.sources._values import list_field, optional_text, text_field
from stepforge.vocabulary import ProblemType

LICENCE = "MIT"
_BEGIN = re.compile(rb'"dataset"\s{0,20}:\s{0,20}\{')
_THEOREMS = re.compile(rb'"theorems"\s{0,20}:\s{0,20}(?=\[)')
_LINK = re.compile(r"\[\[([^\[\]|]{0,500})(?:\|([^\[\]]{0,500}))?\]\]")
_FILE = re.compile(r"naturalproofs_([a-z0-9]{1,40})")


def _recognises(_path: str, head: bytes) -> bool:
    return _BEGIN.search(head) is not None and {"contents", "proofs", "ref_ids"} <= _json.keys_in(head)


def _records(data: bytes) -> Iterator[RawRecord]:
    """The members of `dataset.theorems`."""
    found = utf8(data)
    if found.error is not None:
        yield RawRecord("", None, found.error)
        return
    place = _THEOREMS.search(found.data)
    if place is None:
        yield RawRecord("", None, "dataset.theorems: the file has no such list; deliver it whole")
        return
    yield from _json.whole_file(_json.list_at(found.data, place.end()))


def _text(lines: list[str]) -> str:
    return _LINK.sub(lambda link: link[2] or link[1], "\n".join(lines)).strip()


def _proof(row: Mapping[str, Any]) -> Mapping[str, Any]:
    proofs = row.get("proofs")
    if proofs is None or proofs == []:
        return {}
    if not isinstance(proofs, list) or not isinstance(proofs[0], dict):
        raise BadRecord("proofs: expected a list of objects with contents")
    return proofs[0]


def _problem(raw: RawRecord, context: Context) -> Problem:
    """The theorem as a proof to find."""
    row = raw.value or {}
    title, contents = (optional_text(row, "title") or "").strip(), _text(list_field(row, "contents"))
    if not contents:
        raise BadRecord("contents: the theorem states nothing")
    proof = _proof(row)
    name = _FILE.search(PurePosixPath(context.document.path).name)
    categories = list_field(row, "toplevel_categories")
    return build(
        "naturalproofs",
        raw,
        context,
        licence=LICENCE,
        source_id=f"{name[1]}-{text_field(row, 'id')}" if name else text_field(row, "id"),
        language="en",
        question=f"{title}\n{contents}" if title else contents,
        problem_type=ProblemType.PROOF,
        answer=None,
        solution=_text(list_field(proof, "contents")) or None,
        subject=categories[0] if categories else None,
        knowledge_concepts=tuple(dict.fromkeys(list_field(proof, "refs"))),
    )


SOURCES.register(
    Source(
        name="naturalproofs",
        title="NaturalProofs",
        licence=LICENCE,
        url="https://github.com/wellecks/naturalproofs",
        recognises=_recognises,
        records=_records,
        problem=_problem,
        files="`naturalproofs_*.json`",
        fields=(
            ("dataset.theorems[].id", "id, after the name of the file's domain"),
            ("title, contents", "question"),
            ("proofs[0].contents", "solution"),
            ("proofs[0].refs", "knowledge concepts"),
            ("toplevel_categories", "subject: the first"),
            ("proofs[1:], label, categories, ref_ids, recursive_categories", "not read"),
            ("dataset.definitions, dataset.others, splits", "not read: they are no problems"),
        ),
    )
)
