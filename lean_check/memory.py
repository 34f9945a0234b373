"""Verdicts remembered in one SQLite file: several processes may use it, and what was put survives kill -9."""

import sqlite3
import threading
from pathlib import Path
from types import TracebackType
from typing import Self

_TABLE = "CREATE TABLE IF NOT EXISTS verdicts (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID"


class MemoryDamagedError(Exception):
    """The file is no memory of verdicts; the message says what to do."""


class FileMemory:
    """Bytes under keys.  Use it in a `with`."""

    def __init__(self, path: Path) -> None:
        """Raises: MemoryDamagedError, also where the file cannot be opened."""
        self._lock = threading.Lock()
        try:
            self._connection = sqlite3.connect(path, timeout=60, check_same_thread=False, isolation_level=None)
            for statement in ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL", _TABLE):
                self._connection.execute(statement)
        except sqlite3.Error as error:
            raise MemoryDamagedError(
                f"{path}: {error}; name another file, or delete this one: it only saves work"
            ) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def get(self, key: str) -> bytes | None:
        """What was put under the key."""
        with self._lock:
            row = self._connection.execute("SELECT value FROM verdicts WHERE key = ?", (key,)).fetchone()
        return None if row is None else bytes(row[0])

    def put(self, key: str, value: bytes) -> None:
        """Durable when it returns."""
        with self._lock:
            self._connection.execute("INSERT OR REPLACE INTO verdicts VALUES (?, ?)", (key, value))

    def close(self) -> None:
        """Closes the file."""
        with self._lock:
            self._connection.close()
