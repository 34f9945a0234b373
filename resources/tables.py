"""Parquet files that were handed in, walked through once where they can be killed."""

from contextlib import AbstractContextManager, ExitStack

from resources.workers import GIB, Workers
from stepforge.errors import LimitExceeded
from stepforge.sources import walk_parquet

TIMEOUT_S = 120.0  # 500 MB take 3 s
MEMORY_BYTES = 4 * GIB  # address space; Arrow reserves more than it uses


class ParquetCheck(AbstractContextManager["ParquetCheck"]):
    """Says why a Parquet file must not be opened: it holds more than memory or time allow, or ends the process that
    opens it.  A file that is only damaged may be."""

    def __init__(self, timeout_s: float = TIMEOUT_S, memory_bytes: int = MEMORY_BYTES) -> None:
        self._stack = ExitStack()
        self._workers: Workers | None = None
        self._timeout_s, self._memory_bytes = timeout_s, memory_bytes

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def __call__(self, data: bytes) -> str | None:
        """Why not, None if it may."""
        if self._workers is None:
            self._workers = self._stack.enter_context(Workers(1, memory_bytes=self._memory_bytes))
        try:
            self._workers.call(walk_parquet, data, self._timeout_s)
        except (LimitExceeded, MemoryError) as error:
            return f"the Parquet file was given up: {str(error) or 'out of memory'}"
        return None
