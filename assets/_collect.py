"""What a stage makes, gathered as Arrow while it is made: rows as objects take many times the memory."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from stepforge.arrow import arrow_schema, from_table, to_table
from stepforge.outcome import Outcome
from stepforge.records import Record, Rejection


class Collected:
    """The outcome of a stage, added part by part.  key: the input record that a row stands for."""

    def __init__(self, record: type[Record], key: Callable[[Any], str]) -> None:
        self.record, self._key = record, key
        self.rejections: list[Rejection] = []
        self.input_ids: list[str] = []
        self.kept_ids: set[str] = set()
        self._parts: list[pa.Table] = []

    def add(self, outcome: Outcome[Any]) -> None:
        """Rows, rejections and input ids of a part."""
        self.add_rows(outcome.kept)
        self.rejections += outcome.rejections
        self.input_ids += outcome.input_ids

    def add_rows(self, rows: Iterable[Record]) -> None:
        """Rows alone."""
        rows = list(rows)
        self.kept_ids.update(map(self._key, rows))
        self._parts.append(to_table(self.record, rows))

    def take_over(self, table: pa.Table, rejections: Sequence[Rejection], kept_ids: Iterable[str]) -> None:
        """Rows and rejections as they were stored."""
        self._parts.append(table)
        self.rejections += rejections
        self.kept_ids.update(kept_ids)

    def drop_row(self, column: str, value: str) -> Any:
        """Take out the row whose column has the value; the row.  Raises: KeyError if there is none."""
        for number, part in enumerate(self._parts):
            where = pc.index(part[column], value).as_py()
            if where >= 0:
                (row,) = from_table(self.record, part.slice(where, 1))
                self._parts[number] = pa.concat_tables([part.slice(0, where), part.slice(where + 1)])
                self.kept_ids.discard(self._key(row))
                return row
        raise KeyError(value)

    def table(self) -> pa.Table:
        """All rows, in the order in which they were added."""
        parts = [part for part in self._parts if part.num_rows]
        return pa.concat_tables(parts) if parts else arrow_schema(self.record).empty_table()

    def sort(self, column: str, order: Sequence[str] | None = None) -> None:
        """Put the rows in the order of a column of texts, or in that which `order` gives its values; equal ones stay as
        they are."""
        table = self.table()
        values = table.column(column).to_pylist()
        if order is not None:
            place = {value: n for n, value in enumerate(order)}
            ranks = np.fromiter((place[value] for value in values), np.int64, len(values))
            positions = np.argsort(ranks, kind="stable")
        else:
            positions = np.array(sorted(range(len(values)), key=values.__getitem__), np.int64)
        if (np.diff(positions) != 1).any():
            table = table.take(pa.array(positions))
        self._parts = [table]


def collected(outcome: "Outcome[Any] | Collected", record: type[Record], key: Callable[[Any], str]) -> Collected:
    """The outcome of a stage that was made at once, as one that was gathered."""
    if isinstance(outcome, Collected):
        return outcome
    whole = Collected(record, key)
    whole.add(outcome)
    return whole
