"""Progress of long work: counts, rate and time left, to whoever watches."""

import time
from collections.abc import Callable
from typing import Protocol


class Watcher(Protocol):
    """Whoever is told how far a stage is."""

    def start(self, stage: str, partition: str, total: int) -> None:
        """A stage begins on `total` records."""

    def advance(self, done: int) -> None:
        """`done` more records are finished."""

    def note(self, text: str) -> None:
        """A word beside the counts: what was spent so far."""

    def tell(self, line: str) -> None:
        """A line that stays: what the stage is about to do."""

    def finish(self, summary: str) -> None:
        """The stage is done."""


class LogWatcher:
    """Writes a line to a log at most every `every_s` seconds: the way in the UI and in other processes."""

    def __init__(self, log: Callable[[str], None], every_s: float = 10) -> None:
        self._log, self._every_s = log, every_s
        self._stage, self._total, self._done, self._note = "", 0, 0, ""
        self._began = self._told = time.monotonic()

    def start(self, stage: str, partition: str, total: int) -> None:
        """Remember what is being counted."""
        self._stage, self._total, self._done, self._note = f"{stage}[{partition}]", total, 0, ""
        self._began = self._told = time.monotonic()

    def advance(self, done: int) -> None:
        """Count, and tell when it is time."""
        self._done += done
        now = time.monotonic()
        if now - self._told >= self._every_s:
            self._told = now
            rate = self._done / (now - self._began)
            left_s = (self._total - self._done) / rate if rate else 0.0
            self._log(
                f"{self._stage}: {self._done}/{self._total}, {rate:.1f} a second, {left_s:.0f} s left{self._note}"
            )

    def note(self, text: str) -> None:
        """Remember it for the next line."""
        self._note = f", {text}"

    def tell(self, line: str) -> None:
        """Tell it now."""
        self._log(f"{self._stage}: {line}")

    def finish(self, summary: str) -> None:
        """Tell the outcome."""
        self._log(f"{self._stage}: {summary}")


_watcher: list[Watcher] = []


def watch_with(watcher: Watcher | None) -> None:
    """Send the progress of all stages in this process to `watcher` (None: to each run's own log)."""
    _watcher[:] = [] if watcher is None else [watcher]


def watcher_or(default: Watcher) -> Watcher:
    """The process's watcher, else `default`."""
    return _watcher[0] if _watcher else default
