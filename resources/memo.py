"""Dear work, remembered by the content of its input and the version of its method.

SQLite in WAL mode: several processes may use one file, and a result that was stored survives kill -9.
"""

import hashlib
import json
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from stepforge.errors import PipelineError

SETUP_TRIES = 200
TABLE = "CREATE TABLE IF NOT EXISTS memo (kind TEXT, key TEXT, value BLOB, PRIMARY KEY (kind, key)) WITHOUT ROWID"

A = TypeVar("A")
R = TypeVar("R")


def key_of(*parts: str) -> str:
    """Key of a piece of work: sha256 over its parts, unambiguous where they are joined."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


class Memo:
    """Results as bytes under (kind, key)."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._connection = sqlite3.connect(path, timeout=60, check_same_thread=False, isolation_level=None)
        self._lock = threading.Lock()
        try:
            self._set_up()
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:
            raise PipelineError(f"{path} is damaged; delete it (it only saves work, and is made anew)") from None

    def _set_up(self) -> None:
        for statement in ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL", TABLE):
            for attempt in range(SETUP_TRIES):  # unlike later statements, these do not wait for another process
                try:
                    self._connection.execute(statement)
                    break
                except sqlite3.OperationalError:
                    if attempt == SETUP_TRIES - 1:
                        raise
                    time.sleep(0.05)

    def get(self, kind: str, key: str) -> bytes | None:
        """The remembered result, or None."""
        with self._lock:
            row = self._connection.execute("SELECT value FROM memo WHERE kind = ? AND key = ?", (kind, key)).fetchone()
        return None if row is None else bytes(row[0])

    def put_many(self, kind: str, results: Sequence[tuple[str, bytes]]) -> None:
        """Remember all of the results or, after a crash, none of them."""
        with self._lock, self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany(
                "INSERT OR REPLACE INTO memo VALUES (?, ?, ?)", [(kind, key, value) for key, value in results]
            )

    def put(self, kind: str, key: str, value: bytes) -> None:
        """Remember one result."""
        self.put_many(kind, [(key, value)])


def remembered(
    memo: Memo,
    kind: str,
    items: Sequence[A],
    *,
    key: Callable[[A], str],
    compute: Callable[[Sequence[A]], Sequence[R]],
    dump: Callable[[R], bytes],
    load: Callable[[bytes], R],
    keep: Callable[[R], bool] = lambda _result: True,
    chunk: int = 16,
) -> list[R]:
    """One result an item, in order; only what is not remembered is computed, and stored after every `chunk` items.
    keep: whether a result is worth remembering; a failure may be the fault of a busy machine and is tried again."""
    keys = [key(item) for item in items]
    known = {k: memo.get(kind, k) for k in dict.fromkeys(keys)}
    found = {k: load(value) for k, value in known.items() if value is not None}
    todo = {k: item for k, item in zip(keys, items, strict=True) if k not in found}
    pending = list(todo.items())
    for start in range(0, len(pending), chunk):
        part = pending[start : start + chunk]
        results = compute([item for _, item in part])
        done = list(zip((k for k, _ in part), results, strict=True))
        memo.put_many(kind, [(k, dump(result)) for k, result in done if keep(result)])
        found.update(done)
    return [found[k] for k in keys]
