"""Arrow tables from records: the schema is derived from the record, never written a second time."""

import hashlib
import json
import types
import typing
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from enum import StrEnum
from functools import cache
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pydantic.fields import FieldInfo

from stepforge.records import RECORD_VERSION, Record, VolatileMark

T = TypeVar("T", bound=Record)

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
    return pa.Table.from_pylist([row.model_dump() for row in rows], schema=arrow_schema(record))


def from_table(record: type[T], table: pa.Table) -> list[T]:
    """Rows of a table, validated.  Raises: pydantic.ValidationError if the table is not of this record."""
    return [record.model_validate(row) for row in table.to_pylist()]


def _values(array: pa.Array) -> bytes:
    """The values of an array without nulls and children, one way for each content."""
    if pa.types.is_string(array.type):
        texts = array.to_pylist()
        lengths = np.fromiter((len(text) for text in texts), np.int64, len(texts))
        return lengths.tobytes() + "".join(texts).encode("utf-8", "surrogatepass")
    if pa.types.is_timestamp(array.type):
        array = array.cast(pa.int64())
    elif pa.types.is_date32(array.type):
        array = array.cast(pa.int32())
    return bytes(array.to_numpy(zero_copy_only=False).tobytes())


def _feed(digest: "hashlib._Hash", array: pa.Array) -> None:
    """Add an array's content: its type, its length, which values are null, and the values that are not.

    Arrow's buffers are no such form: slices, chunks and a way through Parquet leave others behind for the same rows."""
    digest.update(f"{array.type.id}:{len(array)};".encode())
    digest.update(np.packbits(array.is_valid().to_numpy(zero_copy_only=False)).tobytes())
    present = array.drop_null()
    if pa.types.is_struct(array.type):
        for index in range(array.type.num_fields):
            _feed(digest, pc.struct_field(present, [index]))
    elif pa.types.is_list(array.type):
        digest.update(pc.list_value_length(present).to_numpy(zero_copy_only=False).tobytes())
        _feed(digest, present.flatten())
    else:
        digest.update(_values(present))


def content_hash(record: type[Record], table: pa.Table) -> str:
    """First 16 hex digits of sha256 over the names and values of all fields that are not volatile.

    Neither chunks, slices, compression nor file metadata change it."""
    digest = hashlib.sha256()
    for name, info in record.model_fields.items():
        if not _is_volatile(info):
            digest.update(name.encode())
            column = table.column(name).combine_chunks()
            _feed(digest, pa.concat_arrays(column.chunks) if isinstance(column, pa.ChunkedArray) else column)
    return digest.hexdigest()[:16]


def schema_fingerprint(records: Sequence[type[Record]]) -> str:
    """Hash over the JSON Schemas: changes when a field's name, type or meaning does."""
    text = json.dumps([r.model_json_schema() for r in records], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
