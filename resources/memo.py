"""Dear work, remembered by the content of its input and the version of its method.

SQLite in WAL mode: several processes may use one file, and a result that was stored survives kill -9.
"""

import hashlib
import json
import sqlite3
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

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
        self._connection.execute("PRAGMA journal_mode=WAL")
        self._connection.execute("PRAGMA synchronous=FULL")
        self._connection.execute(
            "CREATE TABLE IF NOT EXISTS memo (kind TEXT, key TEXT, value BLOB, PRIMARY KEY (kind, key)) WITHOUT ROWID"
        )

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

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()


def remembered(
    memo: Memo,
    kind: str,
    items: Sequence[A],
    *,
    key: Callable[[A], str],
    compute: Callable[[Sequence[A]], Sequence[R]],
    dump: Callable[[R], bytes],
    load: Callable[[bytes], R],
    chunk: int = 16,
) -> list[R]:
    """One result an item, in order; only what is not remembered is computed, and stored after every `chunk` items."""
    keys = [key(item) for item in items]
    found = {k: memo.get(kind, k) for k in dict.fromkeys(keys)}
    todo = {k: item for k, item in zip(keys, items, strict=True) if found[k] is None}
    pending = list(todo.items())
    for start in range(0, len(pending), chunk):
        part = pending[start : start + chunk]
        results = [dump(r) for r in compute([item for _, item in part])]
        done = list(zip((k for k, _ in part), results, strict=True))
        memo.put_many(kind, done)
        found.update(done)
    return [load(value) for k in keys if (value := found[k]) is not None]
