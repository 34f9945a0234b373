"""Rows of a Parquet file, some at a time, as JSON would give them: exact decimal numbers, dates as ISO texts.

A missing value and a number that is none (`NaN`, pandas' sign for missing) are null.  Bytes stay bytes: an image column
of a Hugging Face data set is `{"bytes": b"...", "path": "..."}`.
"""

import json
import math
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from stepforge.sources._base import RawRecord
from stepforge.sources._checked import EVIDENCE, MAX_DEPTH, checked

MAGIC = b"PAR1"
MAX_ROWS = 5_000_000  # of one file; a column of one value repeated takes no bytes
BATCH_BYTES = 16 * 2**20  # uncompressed, as the file says it
MAX_BATCH_ROWS = 1024
_SHOWN = 60
_HEAD_TEXT = 4000  # characters of a text of the first row


class _Unusable(ValueError):
    """A value that no record can hold."""


def _open(data: bytes) -> pq.ParquetFile:
    """The file.  Raises: pa.ArrowException, OSError, ValueError."""
    return pq.ParquetFile(pa.BufferReader(data), pre_buffer=False, schema_depth_limit=MAX_DEPTH)


def head(data: bytes) -> bytes:
    """The file's columns and first row as a JSON object, so that it is recognised as its rows in JSON would be; empty
    if it is none that can be read."""
    try:
        file = _open(data)
        shapes = {field.name: _shape(field.type) for field in file.schema_arrow}
        batch = next(file.iter_batches(batch_size=1, use_threads=False), None)
        first = batch.slice(0, 1).to_pylist() if batch is not None else []
    except (pa.ArrowException, OSError, ValueError, MemoryError):
        return b""
    texts = {name: cell[:_HEAD_TEXT] for name, cell in (first[0] if first else {}).items() if isinstance(cell, str)}
    return json.dumps(shapes | texts, ensure_ascii=False).encode(errors="replace")


def _shape(kind: pa.DataType) -> Any:
    if pa.types.is_struct(kind):
        return {field.name: _shape(field.type) for field in kind}
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return [_shape(kind.value_type)]
    return str(kind)


def rows(data: bytes) -> Iterator[RawRecord]:
    """Records `row:N`, from 1.  What is damaged ends the file with a rejection that names the row."""
    number = 0
    try:
        file = _open(data)
        declared = file.metadata.num_rows
        if declared > MAX_ROWS:
            yield RawRecord("", None, f"{declared} rows, the limit is {MAX_ROWS}; split the file", method="parquet")
            return
        names = file.schema_arrow.names
        twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
        if twice is not None:
            yield RawRecord("", None, f"the column {twice[:60]!r} stands twice; rename one", method="parquet")
            return
        for batch in file.iter_batches(batch_size=_batch_rows(file.metadata), use_threads=False):
            for value in _values(batch):
                number += 1
                if number > MAX_ROWS:
                    break
                yield _row(number, value)
    except (pa.ArrowException, OSError, ValueError, MemoryError) as error:
        what = " ".join(str(error).split())[:200] or type(error).__name__
        where = f"row:{number + 1}" if number else ""
        yield RawRecord(where, None, f"the Parquet file cannot be read on: {what}; write it again", method="parquet")


def walk(data: bytes) -> int:
    """Rows of the file, every one decompressed and none kept: what a hostile file does, it does here.  A damaged file
    is walked as far as it goes.   Raises: MemoryError."""
    count = 0
    try:
        file = _open(data)
        for batch in file.iter_batches(batch_size=_batch_rows(file.metadata), use_threads=False):
            count += batch.num_rows
            if count > MAX_ROWS:
                break
    except MemoryError:
        raise MemoryError("it takes more memory than it may") from None  # Arrow's own is an ArrowException, too
    except (pa.ArrowException, OSError, ValueError):
        pass
    return count


def texts(data: bytes, longest: int) -> Iterator[str]:
    """The texts of the file that have at most so many characters; those before damage."""
    try:
        file = _open(data)
        for batch in file.iter_batches(batch_size=_batch_rows(file.metadata), use_threads=False):
            for column in batch.columns:
                for leaf in _leaves(column):
                    short = pc.less_equal(pc.utf8_length(leaf), longest)
                    yield from leaf.filter(short).drop_null().to_pylist()
    except (pa.ArrowException, OSError, ValueError, MemoryError):
        return


def _leaves(array: pa.Array) -> Iterator[pa.Array]:
    kind = array.type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        yield array
    elif pa.types.is_struct(kind):
        for part in array.flatten():
            yield from _leaves(part)
    elif pa.types.is_list(kind) or pa.types.is_large_list(kind):
        yield from _leaves(array.flatten())


def _batch_rows(metadata: pq.FileMetaData) -> int:
    total = sum(metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups))
    wanted = BATCH_BYTES * max(1, metadata.num_rows) // max(1, total)
    return max(1, min(MAX_BATCH_ROWS, int(wanted)))


def _values(batch: pa.RecordBatch) -> Iterator[dict[str, Any] | _Unusable]:
    plain = [_is_plain(field.type) for field in batch.schema]
    columns = [column.to_pylist() for column in batch.columns]
    names = batch.schema.names
    for cells in zip(*columns, strict=True):
        try:
            yield {
                name: cell if is_plain else _as_json(cell)
                for name, cell, is_plain in zip(names, cells, plain, strict=True)
            }
        except _Unusable as error:
            yield error


def _is_plain(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_integer(kind))


def _map(value: Mapping[str, Any]) -> dict[str, Any]:
    return {str(key): _as_json(part) for key, part in value.items()}


_CONVERT: dict[type, Callable[[Any], Any]] = {
    dict: _map,
    list: lambda value: [_as_json(part) for part in value],
    tuple: lambda value: [_as_json(part) for part in value],
    datetime: datetime.isoformat,
    date: date.isoformat,
    time: time.isoformat,
}


def _as_json(value: Any) -> Any:
    if isinstance(value, float):
        if math.isinf(value):
            raise _Unusable("a number is infinite")
        return None if math.isnan(value) else Decimal(repr(value))
    convert = _CONVERT.get(type(value))
    return value if convert is None else convert(value)


def _row(number: int, value: dict[str, Any] | _Unusable) -> RawRecord:
    locator = f"row:{number}"
    if isinstance(value, _Unusable):
        return RawRecord(locator, None, f"{value}; correct the record", method="parquet")
    shown = ", ".join(f"{name}: {_brief(cell)}" for name, cell in value.items())[:EVIDENCE]
    return checked(locator, value, shown, method="parquet")


def _brief(cell: Any) -> str:
    if isinstance(cell, bytes):
        return f"{len(cell)} bytes"
    if isinstance(cell, dict):
        return "{" + ", ".join(f"{name}: {_brief(part)}" for name, part in list(cell.items())[:4]) + "}"
    if isinstance(cell, list):
        return f"[{', '.join(_brief(part) for part in cell[:4])}]"
    return str(cell)[:_SHOWN]
