"""Records of a file of any structured format, one by one: JSON array or object, JSON Lines, Parquet, CSV.

What is in memory is the file and the record at hand.  A broken record costs itself; what is nested deeper than
`MAX_DEPTH`, in an encoding that cannot be told, or no such file at all is a rejection that says where and why.
"""

from collections.abc import Iterator

from stepforge.sources import _json, _parquet
from stepforge.sources._base import RawRecord
from stepforge.sources._checked import MAX_DEPTH
from stepforge.sources._csv import csv_rows
from stepforge.sources._encoding import utf8

__all__ = ["HEAD_BYTES", "MAX_DEPTH", "csv_rows", "head_of", "is_json", "members_of", "rows"]

HEAD_BYTES = 64 * 1024


def is_json(data: bytes) -> bool:
    """Whether the bytes begin like JSON."""
    return data[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"[", b"{")


def head_of(data: bytes) -> bytes:
    """What a source is recognised by: the beginning of the file in UTF-8, or the columns and first row
    of a Parquet file as a JSON object."""
    if data.startswith(_parquet.MAGIC):
        return _parquet.head(data)[:HEAD_BYTES]
    head = data[:HEAD_BYTES]
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        found = utf8(head[: len(head) & ~3])
        return head if found.error else found.data[:HEAD_BYTES]
    return head


def rows(data: bytes, *, delimiter: str | None = None) -> Iterator[RawRecord]:
    """Records of the file, whichever format the bytes are."""
    if data.startswith(_parquet.MAGIC):
        yield from _parquet.rows(data)
        return
    found = utf8(data)
    if found.error is not None:
        yield RawRecord("", None, found.error)
    elif is_json(found.data):
        yield from _json.records(found.data)
    else:
        yield from csv_rows(found.data, delimiter)


def members_of(data: bytes, name: str) -> Iterator[RawRecord]:
    """Records of the list that is the member `name` of a JSON object."""
    decoded = _json.decode(data)
    if decoded.error is not None:
        yield RawRecord("", None, decoded.error)
        return
    found = _json.header(decoded.text, name)
    error = found.error
    if error is None and found.start is None:
        error = (
            f"{name}: the object has no such list; it has {', '.join(map(repr, list(found.fields)[:20])) or 'nothing'}"
        )
    if error is not None or found.start is None:
        yield RawRecord("", None, error, decoded.text[:300])
        return
    yield from _json.whole_file(_json.members(decoded.text, found.start, alone=False))
