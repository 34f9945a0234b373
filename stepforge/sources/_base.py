"""What a source is: how its files are recognised, cut into records, and turned into problems."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from stepforge.records import Document, ImageRef, Problem, Provenance
from stepforge.registry import Registry

Figures = Callable[[str], ImageRef]  # an image by the name that the source writes; sha256 is None if not delivered


class BadRecord(Exception):
    """One record cannot become a problem; the message names the field, what is wrong and what to do."""


class RawRecord(NamedTuple):
    """One record as cut from a file: its value, or why it has none.  An empty locator means the whole file;
    `is_syntax`: the text at that place is none of the format at all; `key`: its name in an object of records."""

    locator: str
    value: dict[str, Any] | None
    error: str | None = None
    evidence: str = ""
    method: str = "json"
    is_syntax: bool = False
    key: str | None = None


class Context(NamedTuple):
    """What a parser may look at beside the record."""

    document: Document
    figures: Figures


class Source(NamedTuple):
    """One readable format.  `recognises` gets the path inside the batch and the first 64 KiB of the file; `problem`
    raises BadRecord where the record is not what the format says."""

    name: str
    title: str
    licence: str
    url: str
    recognises: Callable[[str, bytes], bool]
    records: Callable[[bytes], Iterator[RawRecord]]
    problem: Callable[[RawRecord, Context], Problem]
    general: bool = False  # asked only after every specific source said no


SOURCES: Registry[Source] = Registry("stepforge.sources")

_NO_LICENCE = ("", "unknown")


def build(source: str, raw: RawRecord, context: Context, *, licence: str, **fields: Any) -> Problem:
    """A problem of `source` with its key, licence and provenance; `fields` are those of Problem.

    licence: the source's own, used where the document states none.   Raises: ValidationError, BadRecord.
    """
    document = context.document
    source_id = str(fields["source_id"])
    if not source_id.strip():
        raise BadRecord("id: the problem's id is empty; give it one")
    return Problem(
        problem_id=f"{source}/{source_id}",
        source=source,
        licence=licence if document.licence.strip() in _NO_LICENCE else document.licence,
        published_on=document.published_on,
        provenance=Provenance(
            document_id=document.document_id, path=document.path, locator=raw.locator, method=raw.method
        ),
        **fields,
    )
