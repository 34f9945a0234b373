"""Live progress in a terminal; plain lines elsewhere."""

import time
from types import TracebackType
from typing import Self

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.progress import Task as RichTask
from rich.text import Text

from dagster_project.cli._console import out, say


class _Rate(ProgressColumn):
    def render(self, task: RichTask) -> Text:
        return Text(f"{task.speed:,.0f}/s" if task.speed else "")


class Live:
    """Shows each stage while it runs and one line for each that is done.  Used as a context."""

    def __init__(self) -> None:
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            _Rate(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[note]}"),
            console=out,
            transient=True,
            disable=not out.is_terminal,
        )
        self._task: TaskID | None = None
        self._name = ""
        self._began = 0.0
        self.done = 0

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def start(self, stage: str, partition: str, total: int) -> None:
        """A stage begins."""
        self._name, self._began = f"{partition:<16.16} {stage:<18}", time.monotonic()
        if self._task is not None:
            self._progress.remove_task(self._task)
        self._task = self._progress.add_task(self._name, total=total, note="")

    def advance(self, done: int) -> None:
        """`done` more records are finished."""
        if self._task is not None:
            self._progress.advance(self._task, done)

    def note(self, text: str) -> None:
        """What was spent so far, beside the bar."""
        if self._task is not None:
            self._progress.update(self._task, note=text)

    def tell(self, line: str) -> None:
        """A line that stays."""
        say(f"{self._name} {line}")

    def finish(self, summary: str) -> None:
        """The stage is done: its line stays."""
        if self._task is not None:
            self._progress.remove_task(self._task)
            self._task = None
        self.done += 1
        say(f"{self._name} {time.monotonic() - self._began:6.1f} s  {summary}")
