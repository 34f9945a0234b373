"""What a source is: how its files are recognised, cut into records, and turned into problems."""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from stepforge.figures import absent
from stepforge.records import Document, ImageRef, Problem, Provenance
from stepforge.registry import Registry

Figures = Callable[[str], ImageRef]  # an image by the name that the source writes; sha256 is None if not delivered
Embed = Callable[[str, bytes], ImageRef]  # an image whose bytes stand in the record, under a name
Beside = Callable[[str], bytes | None]  # another file of the batch by its path; None if there is none


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


def embedded(name: str, data: bytes) -> ImageRef:
    """An image by its content, not measured yet."""
    return absent(name[:MAX_NAME], hashlib.sha256(data).hexdigest())


def nothing_beside(_path: str) -> bytes | None:
    """A document that stands alone."""
    return None


class Context(NamedTuple):
    """What a parser may look at beside the record."""

    document: Document
    figures: Figures
    embed: Embed = embedded
    beside: Beside = nothing_beside


class Source(NamedTuple):
    """One readable format.  `recognises` gets the path inside the batch and the first 64 KiB of the file, of a Parquet
    file its first row as JSON; `problem` raises BadRecord where the record is not what the format says."""

    name: str
    title: str
    licence: str
    url: str
    recognises: Callable[[str, bytes], bool]
    records: Callable[[bytes], Iterator[RawRecord]]
    problem: Callable[[RawRecord, Context], Problem]
    general: bool = False  # asked only after every specific source said no
    files: str = ""  # the files it reads, in words
    fields: tuple[tuple[str, str], ...] = ()  # as the source writes them, and what becomes of each
    records_beside: Callable[[bytes, Context], Iterator[RawRecord]] | None = None  # where `records` needs the context
    recognises_beside: Callable[[str, bytes, Beside], bool] | None = None  # where another file says what this one is
    first: bool = False  # asked before every specific source: a file of the user's says what the others are
    figures: Callable[[str, bytes], Iterable[str]] | None = None  # names that belong to a file and do not stand in it


SOURCES: Registry[Source] = Registry("stepforge.sources")

MAX_NAME = 300  # characters of an image's name
MAX_ID = 300  # characters of a source's own id
_CONTROL = re.compile(r"[\x00-\x1f\x7f\u2028\u2029]")
_NO_LICENCE = ("", "unknown")


def build(source: str, raw: RawRecord, context: Context, *, licence: str, **fields: Any) -> Problem:
    """A problem of `source` with its key, licence and provenance; `fields` are those of Problem.

    licence: the source's own, used where the document states none.   Raises: ValidationError, BadRecord.
    """
    document = context.document
    source_id = str(fields["source_id"])
    published_on = fields.pop("published_on", None) or document.published_on
    if not source_id.strip():
        raise BadRecord("id: the problem's id is empty; give it one")
    if len(source_id) > MAX_ID or _CONTROL.search(source_id):
        raise BadRecord(
            f"id: {source_id[:60]!r} has a line break or control character, or more than {MAX_ID} characters; mend it"
        )
    return Problem(
        problem_id=f"{source}/{source_id}",
        source=source,
        licence=licence if document.licence.strip() in _NO_LICENCE else document.licence,
        published_on=published_on,
        provenance=Provenance(
            document_id=document.document_id, path=document.path, locator=raw.locator, method=raw.method
        ),
        **fields,
    )
