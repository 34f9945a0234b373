"""Untrusted work in processes with a deadline and a memory limit.

A call that hangs or eats memory costs its own item and one worker process, never the stage.
"""

import contextlib
import multiprocessing
import os
import resource
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any, TypeVar

from pebble import ProcessExpired, ProcessPool

from stepforge.errors import LimitExceeded

A = TypeVar("A")
R = TypeVar("R")

GIB = 1024**3
START_S = 60.0  # a worker with its libraries starts in 2 s on an idle machine


class WorkersUnavailable(Exception):
    """No worker process can be started: a fault of the machine or of the installation, not of an item."""


class _PoolBroken(Exception):
    """The pool takes no more work."""


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
        self._n, self._tasks_per_process = n, tasks_per_process
        self._initargs = (memory_bytes, initializer)
        self._pool = self._new_pool()

    def _new_pool(self) -> ProcessPool:
        # forkserver: a fork of a process that has threads can deadlock, a spawn costs an interpreter each
        return ProcessPool(
            max_workers=self._n,
            max_tasks=self._tasks_per_process,
            context=multiprocessing.get_context("forkserver"),
            initializer=_limit,
            initargs=self._initargs,
        )

    def call(self, function: Callable[[A], R], item: A, timeout_s: float) -> R:
        """The function's result.  Raises: LimitExceeded, or what the function itself raised."""
        result = next(self.map(function, [item], timeout_s))
        if isinstance(result, Exception):
            raise result
        return result

    def map(self, function: Callable[[A], R], items: Iterable[A], timeout_s: float) -> Iterator[R | Exception]:
        """One result an item, in order: the value, LimitExceeded, or the exception that the function raised.
        `function` must be importable by name; at most `timeout_s` of run time an item.
        Raises: WorkersUnavailable if processes cannot be started."""
        waiting = list(items)
        try:
            futures = self._schedule(function, waiting, timeout_s)
        except BrokenExecutor:  # broken by an earlier call
            self._renew()
            futures = self._schedule(function, waiting, timeout_s)
        for index in range(len(waiting)):
            try:
                yield self._result(futures[index], timeout_s)
            except _PoolBroken:  # all its processes died, or one died holding a lock: the rest gets a new pool
                self._renew()
                futures[index:] = self._schedule(function, waiting[index:], timeout_s)
                try:
                    yield self._result(futures[index], timeout_s)
                except _PoolBroken as error:
                    raise WorkersUnavailable(f"worker processes cannot be started or do not answer: {error}") from None

    def _schedule(self, function: Callable[[A], R], items: Sequence[A], timeout_s: float) -> list[Any]:
        return [self._pool.schedule(function, args=[item], timeout=timeout_s) for item in items]

    def _result(self, future: Any, timeout_s: float) -> Any:
        # results are taken in order, so a future that is waited for runs or is next in a worker's queue
        patience_s = 2 * timeout_s + START_S
        try:
            return future.result(timeout=patience_s)
        except ProcessExpired as error:
            return LimitExceeded(f"its worker process died (exit code {error.exitcode}): out of memory or a crash")
        except BrokenExecutor as error:
            raise _PoolBroken(str(error)) from None
        except FutureTimeout:
            if not future.done():
                raise _PoolBroken(f"no answer within {patience_s:g} s") from None
            return LimitExceeded(f"took longer than {timeout_s:g} s")
        except MemoryError:
            return LimitExceeded("ran out of memory")
        except Exception as error:  # noqa: BLE001 - the item's own failure is the item's result
            return error

    def _renew(self) -> None:
        self._pool.stop()
        with contextlib.suppress(FutureTimeout):  # a process that cannot be ended is left to the system
            self._pool.join(timeout=START_S)
        self._pool = self._new_pool()

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
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
