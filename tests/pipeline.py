"""A command line and small batches for tests of the whole pipeline."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from dagster_project.cli import main
from resources.home import Home


class Said(NamedTuple):
    code: int
    out: str
    err: str


class CommandLine:
    """Runs `stepforge …` in this process on a home of its own."""

    def __init__(self, home: Path, capture: pytest.CaptureFixture[str] | None = None) -> None:
        self.root, self._capture = home, capture

    @property
    def home(self) -> Home:
        return Home(self.root)

    @contextmanager
    def _environment(self, *words: str) -> Iterator[None]:
        before, argv = dict(os.environ), sys.argv
        os.environ["STEPFORGE_HOME"] = str(self.root)
        os.environ["COLUMNS"] = "200"
        sys.argv = ["stepforge", *words]
        try:
            yield
        finally:
            sys.argv = argv
            os.environ.clear()
            os.environ.update(before)

    def __call__(self, *words: str | Path) -> Said:
        with self._environment(*map(str, words)):
            if self._capture is not None:
                self._capture.readouterr()
            code = 0
            try:
                main()
            except SystemExit as end:
                code = end.code if isinstance(end.code, int) else 1
            captured = self._capture.readouterr() if self._capture is not None else ("", "")
        return Said(code, captured[0], captured[1])


def chain(i: int) -> dict[str, Any]:
    """A sound word problem with a three-step solution, another one for each `i`."""
    a, b, c = 3 + i, 4 + i % 7, 2 + i % 5
    text = f"A shop packs {a} boxes with {b} pens each and then gives {c} pens away. How many pens remain, less one?"
    steps = [
        f"The boxes hold {a} * {b} = {a * b} pens.",
        f"After the gift {a * b} - {c} = {a * b - c} pens remain.",
        f"One less is {a * b - c} - 1 = {a * b - c - 1}.",
    ]
    return {
        "id": f"p{i:04d}",
        "language": "en",
        "type": "free_form",
        "question": text,
        "answer": str(a * b - c - 1),
        "solution": "\n".join(steps),
    }


def write_set(folder: Path, problems: list[Any], name: str = "problems.json") -> Path:
    """A folder with one set of problems in the project's own format."""
    folder.mkdir(parents=True, exist_ok=True)
    document = {"format": "stepforge-problems/1", "licence": "CC0-1.0", "problems": problems}
    (folder / name).write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
    return folder
