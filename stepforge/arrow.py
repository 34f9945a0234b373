"""Arrow tables from records: the schema is derived from the record, never written a second time."""

import hashlib
import json
import types
import typing
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from enum import StrEnum
from functools import cache
from itertools import islice
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pydantic.fields import FieldInfo

from stepforge.records import RECORD_VERSION, Record, VolatileMark

T = TypeVar("T", bound=Record)

CHUNK_ROWS = 4096  # rows that are Python objects at one time, where a table is walked through

_SCALARS: dict[type, pa.DataType] = {
    str: pa.string(),
    int: pa.int64(),
    float: pa.float64(),
    bool: pa.bool_(),
    datetime: pa.timestamp("us", tz="UTC"),
    date: pa.date32(),
}


def _arrow_type(annotation: Any) -> tuple[pa.DataType, bool]:
    """Arrow type of a field's annotation, and whether it may be null.  Raises: TypeError for a type without one."""
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        return _arrow_type(arguments[0])
    if origin in (typing.Union, types.UnionType):
        (inner,) = (a for a in arguments if a is not type(None))
        return _arrow_type(inner)[0], True
    if origin is tuple and len(arguments) == 2 and arguments[1] is ...:
        item, nullable = _arrow_type(arguments[0])
        return pa.list_(pa.field("item", item, nullable)), False
    if isinstance(annotation, type):
        if issubclass(annotation, StrEnum):
            return pa.string(), False
        if issubclass(annotation, Record):
            return pa.struct(list(arrow_schema(annotation))), False
        if annotation in _SCALARS:
            return _SCALARS[annotation], False
    raise TypeError(f"a record field of type {annotation!r} has no Arrow type")


@cache
def arrow_schema(record: type[Record]) -> pa.Schema:
    """Schema of a table of `record`, one field a record field, in its order."""
    fields = []
    for name, info in record.model_fields.items():
        dtype, nullable = _arrow_type(info.annotation)
        fields.append(pa.field(name, dtype, nullable, {"description": info.description} if info.description else None))
    return pa.schema(fields, {"record": record.__name__, "record_version": str(RECORD_VERSION)})


def _is_volatile(info: FieldInfo) -> bool:
    return any(isinstance(mark, VolatileMark) for mark in info.metadata)


def to_table(record: type[T], rows: Iterable[T]) -> pa.Table:
    """Table of the rows in the order given."""
    schema = arrow_schema(record)
    parts = []
    waiting = iter(rows)
    while part := list(islice(waiting, CHUNK_ROWS)):  # the rows as dicts take many times what they take as Arrow
        parts.append(pa.Table.from_pylist([row.model_dump() for row in part], schema=schema))
    return pa.concat_tables(parts) if parts else schema.empty_table()


def from_table(record: type[T], table: pa.Table) -> list[T]:
    """Rows of a table, validated.  Raises: pydantic.ValidationError if the table is not of this record."""
    return [row for part in batches_of(record, table) for row in part]


def batches_of(record: type[T], table: pa.Table, size: int = CHUNK_ROWS) -> Iterator[list[T]]:
    """Rows of a table, validated, `size` at a time at most.  Raises: pydantic.ValidationError."""
    for part in table.to_batches(max_chunksize=size):
        yield [record.model_validate(row) for row in part.to_pylist()]


def _text_bytes(array: pa.Array) -> memoryview:
    """UTF-8 of all texts of an array without nulls, one after the other."""
    _, offsets, data = array.buffers()
    if data is None:
        return memoryview(b"")
    ends = np.frombuffer(offsets, np.int32, len(array) + 1, array.offset * 4)
    return memoryview(data)[ends[0] : ends[-1]]


def _numbers(array: pa.Array) -> bytes:
    """The values of an array of numbers, truth values or times without nulls."""
    if pa.types.is_timestamp(array.type):
        array = array.cast(pa.int64())
    elif pa.types.is_date32(array.type):
        array = array.cast(pa.int32())
    return bytes(array.to_numpy(zero_copy_only=False).tobytes())


def _feed(digest: "hashlib._Hash", kind: pa.DataType, chunks: Sequence[pa.Array]) -> None:
    """Add the content of a column given in chunks: its type, its length, which values are null, and those that are not.

    Arrow's buffers are no such form: slices, chunks and a way through Parquet leave others behind for the same rows."""
    digest.update(f"{kind.id}:{sum(map(len, chunks))};".encode())
    valid = [chunk.is_valid().to_numpy(zero_copy_only=False) for chunk in chunks]
    digest.update(np.packbits(np.concatenate(valid) if valid else np.zeros(0, bool)).tobytes())
    present = [chunk.drop_null() for chunk in chunks]
    if pa.types.is_struct(kind):
        for index in range(kind.num_fields):
            _feed(digest, kind.field(index).type, [pc.struct_field(chunk, [index]) for chunk in present])
    elif pa.types.is_list(kind):
        for chunk in present:
            digest.update(pc.list_value_length(chunk).to_numpy(zero_copy_only=False).tobytes())
        _feed(digest, kind.value_type, [chunk.flatten() for chunk in present])
    elif pa.types.is_string(kind):
        for chunk in present:
            digest.update(pc.utf8_length(chunk).cast(pa.int64()).to_numpy(zero_copy_only=False).tobytes())
        for chunk in present:
            digest.update(_text_bytes(chunk))
    else:
        for chunk in present:
            digest.update(_numbers(chunk))


def content_hash(record: type[Record], table: pa.Table) -> str:
    """First 16 hex digits of sha256 over the names and values of all fields that are not volatile.

    Neither chunks, slices, compression nor file metadata change it."""
    digest = hashlib.sha256()
    for name, info in record.model_fields.items():
        if not _is_volatile(info):
            digest.update(name.encode())
            column = table.column(name)
            _feed(digest, column.type, column.chunks)
    return digest.hexdigest()[:16]


def schema_fingerprint(records: Sequence[type[Record]]) -> str:
    """Hash over the JSON Schemas: changes when a field's name, type or meaning does."""
    text = json.dumps([r.model_json_schema() for r in records], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
