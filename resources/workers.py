"""Untrusted work in processes with a deadline and a memory limit.

A call that hangs or eats memory costs its own item and one worker process, never the stage.
"""

import multiprocessing
import resource
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import AbstractContextManager
from types import TracebackType
from typing import TypeVar

from pebble import ProcessExpired, ProcessPool

from stepforge.errors import LimitExceeded

A = TypeVar("A")
R = TypeVar("R")

GIB = 1024**3


def _limit(memory_bytes: int, initializer: Callable[[], None] | None) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.setrecursionlimit(3000)  # deep input ends in RecursionError, which is caught, before it ends in a crash
    if initializer is not None:
        initializer()


class Workers(AbstractContextManager["Workers"]):
    """A pool of `n` processes.  `memory_bytes` limits the address space of each (libraries' reservations included)."""

    def __init__(
        self,
        n: int = 2,
        *,
        memory_bytes: int = 4 * GIB,
        tasks_per_process: int = 2000,
        initializer: Callable[[], None] | None = None,
    ) -> None:
        # forkserver: a fork of a process that has threads can deadlock, a spawn costs an interpreter each
        self._pool = ProcessPool(
            max_workers=n,
            max_tasks=tasks_per_process,
            context=multiprocessing.get_context("forkserver"),
            initializer=_limit,
            initargs=(memory_bytes, initializer),
        )

    def call(self, function: Callable[[A], R], item: A, timeout_s: float) -> R:
        """The function's result.  Raises: LimitExceeded, or what the function itself raised."""
        result = next(self.map(function, [item], timeout_s))
        if isinstance(result, Exception):
            raise result
        return result

    def map(self, function: Callable[[A], R], items: Iterable[A], timeout_s: float) -> Iterator[R | Exception]:
        """One result an item, in order: the value, LimitExceeded, or the exception that the function raised.
        `function` must be importable by name; at most `timeout_s` of run time an item."""
        futures = [self._pool.schedule(function, args=[item], timeout=timeout_s) for item in items]
        for future in futures:
            try:
                yield future.result()
            except FutureTimeout:
                yield LimitExceeded(f"took longer than {timeout_s:g} s")
            except ProcessExpired as error:
                yield LimitExceeded(f"its worker process died (exit code {error.exitcode}): out of memory or a crash")
            except MemoryError:
                yield LimitExceeded("ran out of memory")
            except Exception as error:  # noqa: BLE001 - the item's own failure is the item's result
                yield error

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._pool.close()
        else:
            self._pool.stop()
        self._pool.join()


def worker_count() -> int:
    """Processes for parallel work: the cores this process may use."""
    return max(1, multiprocessing.cpu_count())
