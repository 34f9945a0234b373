"""The reply store in one SQLite file: WAL mode, so that several processes read and write at the same time."""

import json
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from resources.llm._store_rows import Row
from resources.llm._store_sql import Lane, SqlStore, Statements
from resources.llm._store_tables import TABLES, VERSION
from stepforge.errors import BadHome, PipelineError

NEEDED = (3, 35)  # RETURNING
BUSY_S = 60  # SQLite itself waits so long for another process …
PATIENCE_S = 600.0  # … and is asked again for so long
# EXTRA: also the deletion of a rollback journal is synced.  The light lane syncs nothing on commit, and leaves the
# checkpoints, which have to, to the durable one.
_PRAGMAS = {
    Lane.DURABLE: ("synchronous=EXTRA", "journal_size_limit=67108864"),
    Lane.LIGHT: ("synchronous=NORMAL", "wal_autocheckpoint=0"),
    Lane.READ: ("query_only=ON", "cache_size=-16384"),  # holds the index of keys; a mapped file would grow the process
}
_WAITING = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL}
_ADVICE = {
    sqlite3.SQLITE_FULL: "the disk is full; make room and run again (what was stored is safe)",
    sqlite3.SQLITE_READONLY: "it cannot be written; make the file and its folder writable",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened; make the file and its folder readable and writable",
    sqlite3.SQLITE_IOERR: "the disk does not answer properly; check it before you go on",
}

T = TypeVar("T")


@cache
def _native(sql: str) -> str:
    return sql.replace("AMONG ?", "IN (EACH ?)").replace("EACH ?", "SELECT value AS k FROM json_each(?)")


def _bound(values: Sequence[Any]) -> list[Any]:
    return [json.dumps(value) if isinstance(value, list) else value for value in values]


class _Connection:
    """One connection and its transactions."""

    def __init__(self, path: Path, lane: Lane) -> None:
        self.lane, self.lock = lane, threading.Lock()
        self._connection = sqlite3.connect(path, timeout=BUSY_S, check_same_thread=False, isolation_level=None)

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        return self._connection.execute(_native(sql), _bound(values)).fetchall()

    def run(self, sql: str, values: Sequence[Any] = ()) -> int:
        return self._connection.execute(_native(sql), _bound(values)).rowcount

    def many(self, sql: str, rows: Sequence[Row]) -> int:
        return self._connection.executemany(_native(sql), rows).rowcount

    def transact(self, work: Callable[[Statements], T]) -> T:
        if self.lane is Lane.READ:
            return work(self)
        try:  # from before it begins: an interrupt that comes while it waits is raised when it has begun
            self._connection.execute("BEGIN IMMEDIATE")
            result = work(self)
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise
        return result

    def close(self) -> None:
        self._connection.close()


class SqliteStore(SqlStore):
    """`ReplyStore` in a file.  Any thread may call; a process that is forked opens its own."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        if sqlite3.sqlite_version_info < NEEDED:
            raise BadHome(f"this Python has SQLite {sqlite3.sqlite_version}; the reply store needs 3.35 or newer")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadHome(f"{path.parent} cannot be made ({error.strerror}); name another place for replies") from None
        self._lanes: dict[Lane, _Connection] = {}
        try:
            for lane in Lane:
                self._open(lane)
            self._create()
        except BaseException:
            self.close()
            raise
        self._file = self._identity()

    def __repr__(self) -> str:
        return f"SqliteStore({str(self._path)!r})"

    def _open(self, lane: Lane) -> None:
        connection = self._patiently(lambda: _Connection(self._path, lane))
        self._lanes[lane] = connection  # closed with the others if it cannot be used
        # larger pages than usual hold a whole reply; no effect on a file that exists
        self._patiently(lambda: connection.rows("PRAGMA page_size=8192"))
        if self._patiently(lambda: connection.rows("PRAGMA journal_mode=WAL")) != [("wal",)]:
            raise BadHome(
                f"{self._path}: this file system cannot hold a shared SQLite file; put the store on a local disk, "
                "or use PostgreSQL (STEPFORGE_REPLIES=postgresql://…)"
            )
        for pragma in _PRAGMAS[lane]:
            connection.rows(f"PRAGMA {pragma}")

    def _create(self) -> None:
        found = "SELECT name FROM sqlite_master WHERE type = 'table'"

        def make(do: Statements) -> None:
            names = {row[0] for row in do.rows(found)}
            if "store_version" in names:
                return
            if names:
                raise BadHome(f"{self._path} is a database of something else; name another file for the replies")
            for table in TABLES:
                do.run(table.format(text="TEXT", bytes="BLOB"))
            do.run("INSERT INTO store_version VALUES (?)", [VERSION])

        if ("store_version",) not in self._do(Lane.READ, lambda do: do.rows(found)):
            self._do(Lane.DURABLE, make)
        version = self._do(Lane.READ, lambda do: do.rows("SELECT version FROM store_version"))
        self._checked_version(version, str(self._path))

    def _do(self, lane: Lane, work: Callable[[Statements], T]) -> T:
        connection = self._lanes[lane]
        with connection.lock:
            if lane is Lane.DURABLE:
                self._check_file()
            return self._patiently(lambda: connection.transact(work))

    def _patiently(self, work: Callable[[], T]) -> T:
        """What `work` returns, done again while another process is in the way: SQLite does not wait by itself where a
        file is set up, recovered after a crash or closed."""
        until = time.monotonic() + PATIENCE_S
        while True:
            try:
                return work()
            except sqlite3.DatabaseError as error:
                code = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF
                if code not in _WAITING or time.monotonic() > until:
                    raise self._explained(error, code) from None
                time.sleep(0.02)

    def _explained(self, error: sqlite3.DatabaseError, code: int) -> Exception:
        if code in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}:
            return PipelineError(
                f"{self._path} is damaged ({error}). It holds replies that were paid for: restore it from a backup, or "
                "move it aside with its -wal file, save what can be read (sqlite3 FILE .recover), and run again"
            )
        if code in _WAITING:
            return PipelineError(
                f"{self._path}: another process has locked it for {PATIENCE_S:.0f} s; end that process"
            )
        if code in _ADVICE:
            return PipelineError(f"{self._path}: {_ADVICE[code]}")
        return error

    def _identity(self) -> tuple[int, int] | None:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def _check_file(self) -> None:
        """A file that was removed or replaced would take what is written now with it."""
        known = getattr(self, "_file", None)
        if known is not None and known != self._identity():
            raise PipelineError(f"{self._path} was removed or replaced while it was in use; put it back and run again")

    def close(self) -> None:
        """Close connections."""
        for connection in self._lanes.values():
            with connection.lock:
                connection.close()
