"""Rows of a CSV or TSV file, one by one; a broken row costs itself."""

import csv
import io
from collections import deque
from collections.abc import Iterator

from stepforge.sources._base import RawRecord
from stepforge.sources._checked import EVIDENCE, fault
from stepforge.sources._encoding import utf8

MAX_CELL = 1 << 20  # characters; the csv module's own limit of 128 KiB is global and refuses some long solutions
RESYNC_BUDGET = 20  # lines read again after damage: at most this many times the file's length
DELIMITERS = ",\t;"


def delimiter_of(line: str) -> str:
    """The delimiter that a header has most of."""
    return max(DELIMITERS, key=line.count)


class _Lines:
    """Lines of a text, with those of the row that is being read kept, so that they can be read again."""

    def __init__(self, data: bytes) -> None:
        self._lines = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", errors="surrogateescape", newline="")
        self._again: deque[str] = deque()
        self._budget = RESYNC_BUDGET * len(data)
        self.row: list[str] = []
        self.number = 0

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        line = self._again.popleft() if self._again else next(self._lines)
        self.row.append(line)
        self.number += 1
        return line

    def begin_row(self) -> None:
        self.row = []

    def to_second_line(self) -> bool:
        """Go back to the second line of the row; whether there is one and it may be read again."""
        rest = self.row[1:]
        self._budget -= sum(map(len, rest))
        if not rest or self._budget < 0:
            return False
        self._again.extendleft(reversed(rest))
        self.number -= len(rest)
        self.row = self.row[:1]
        return True


def csv_rows(data: bytes, delimiter: str | None = None) -> Iterator[RawRecord]:
    """Rows by the names of the header: `row:N` from 1, the header not counted; quoted cells may hold line ends.  A cell
    that is empty is there as an empty text.

    A row of several lines that is none (a quote that does not end, too many or too few cells) costs its first line.
    """
    found = utf8(data)
    if found.error is not None:
        yield RawRecord("", None, found.error, method="csv")
        return
    csv.field_size_limit(MAX_CELL)
    lines = _Lines(found.data)
    first = found.data[: found.data.find(b"\n") + 1 or len(found.data)].decode(errors="replace")
    reader = csv.reader(lines, delimiter=delimiter or delimiter_of(first), strict=True)
    header: list[str] | None = None
    number = 0
    while True:
        lines.begin_row()
        begins = lines.number + 1
        try:
            cells, wrong = next(reader), None
        except StopIteration:
            return
        except csv.Error as error:
            cells, wrong = [], f"line {begins}: {error}; correct the quotes"
        if header is None and wrong is None:
            twice = next((name for i, name in enumerate(cells) if name.strip() and name in cells[:i]), None)
            if twice is not None:
                yield RawRecord("", None, f"line 1: the column {twice[:60]!r} stands twice; rename one", method="csv")
                return
            header = cells
            continue
        if wrong is None and not any(cell.strip() for cell in cells):
            continue
        number += 1
        row = _row(header or [], cells, number, begins) if wrong is None else None
        if row is None or row.error is not None:
            lines.to_second_line()
            shown = lines.row[0][:EVIDENCE] if lines.row else ""
            row = RawRecord(f"row:{number}", None, wrong or (row.error if row else None), shown, method="csv")
        yield row


def _row(header: list[str], cells: list[str], number: int, line: int) -> RawRecord:
    locator, shown = f"row:{number}", ",".join(cells)[:EVIDENCE]
    wrong = fault(cells)
    if len(cells) != len(header):
        wrong = f"{len(cells)} cells, but the header has {len(header)} columns"
    if wrong is not None:
        return RawRecord(locator, None, f"line {line}: {wrong}; correct the row", shown, method="csv")
    return RawRecord(locator, dict(zip(header, cells, strict=True)), evidence=shown, method="csv")
