"""What a page for people is made from and what can hang: formulas and figures, in processes that can be killed, each
remembered by its content."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from importlib.metadata import version
from types import TracebackType
from typing import NamedTuple

from resources.blobs import Blobs, LostBlob
from resources.code import code_version
from resources.memo import Memo, key_of
from resources.workers import Workers, worker_count
from stepforge.errors import LimitExceeded
from stepforge.report.figures import FigureView, figure_view
from stepforge.report.mathematics import Formula
from stepforge.report.mathml import mathml

AT_ONCE = 200  # formulas a worker is handed together: a message costs as much as ten formulas
FORMULA_S = 2.0  # the slowest of MATH's 19,905 formulas takes 0.01 s
FIGURE_S = 10.0
MAX_KILLED = 20  # after so many formulas that had to be killed, a run leaves the others as they are written


class Drawn(NamedTuple):
    """A figure of a page by the content it was drawn from."""

    sha256: str
    view: FigureView | None


class PageParts(AbstractContextManager["PageParts"]):
    """Formulas and figures for the pages of one run; its worker processes start when they are first needed and end with
    the context."""

    def __init__(self, memo: Memo, blobs: Blobs) -> None:
        self._memo, self._blobs = memo, blobs
        self._workers: Workers | None = None
        self._killed = 0
        latex = f"{code_version(['stepforge.report.mathml'], [])} {version('latex2mathml')}"
        pixels = f"{code_version(['stepforge.report.figures'], [])} {version('pillow')}"
        self._versions = {"mathml": latex, "figure_view": pixels}

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._workers is not None:
            self._workers.__exit__(kind, error, trace)

    def formulas(self, wanted: Sequence[Formula]) -> dict[Formula, str]:
        """MathML of each formula that can be typeset; the others are to be shown as they are written."""
        found: dict[Formula, str] = {}
        keys = {f: key_of(f.latex, str(f.display), self._versions["mathml"]) for f in dict.fromkeys(wanted)}
        todo = []
        for formula, key in keys.items():
            known = self._memo.get("mathml", key)
            if known is None:
                todo.append(formula)
            elif known:
                found[formula] = known.decode()
        for start in range(0, len(todo), 10 * AT_ONCE):
            made = dict(self._typeset(todo[start : start + 10 * AT_ONCE]))
            self._memo.put_many("mathml", [(keys[f], (text or "").encode()) for f, text in made.items()])
            found.update({f: text for f, text in made.items() if text})
        return found

    def _typeset(self, todo: Sequence[Formula]) -> Iterator[tuple[Formula, str | None]]:
        """Each formula that was typeset or refused.  Those of a part that was killed are tried one by one, so that one
        of them costs itself alone; what is killed then is not remembered: the machine may have been busy."""
        parts = [tuple(todo[start : start + AT_ONCE]) for start in range(0, len(todo), AT_ONCE)]
        for part, result in zip(parts, self._pool().map(mathml_of_all, parts, FORMULA_S), strict=True):
            if not isinstance(result, Exception):
                yield from zip(part, result, strict=True)
                continue
            for formula in part:
                if self._killed >= MAX_KILLED:
                    return
                try:
                    yield formula, self._pool().call(mathml, formula, FORMULA_S)
                except LimitExceeded:
                    self._killed += 1

    def figures(self, wanted: Iterable[str]) -> dict[str, FigureView]:
        """The figures by the sha256 of their bytes, without those that are lost or no image."""
        found: dict[str, FigureView] = {}
        todo = []
        for sha256 in dict.fromkeys(wanted):
            known = self._memo.get("figure_view", key_of(sha256, self._versions["figure_view"]))
            view = None if known is None else self._kept(known)
            if known is None or (known != b"null" and view is None):
                todo.append(sha256)
            elif view is not None:
                found[sha256] = view
        for drawn in self._draw(todo):
            if drawn.view is not None:
                found[drawn.sha256] = drawn.view
        return found

    def _kept(self, known: bytes) -> FigureView | None:
        """A figure that was drawn before; None if it is gone."""
        facts: Mapping[str, object] | None = json.loads(known)
        if facts is None:
            return None
        try:
            data = self._blobs.get(str(facts["sha256"]))
        except LostBlob:
            return None
        return FigureView(str(facts["media_type"]), int(str(facts["width"])), int(str(facts["height"])), data)

    def _draw(self, todo: Sequence[str]) -> Iterator[Drawn]:
        present = []
        for sha256 in todo:
            try:
                present.append((sha256, self._blobs.get(sha256)))
            except LostBlob:
                continue  # the page says that the figure is not there
        if not present:
            return
        views = self._pool().map(figure_view, [data for _, data in present], FIGURE_S)
        for (sha256, _), view in zip(present, views, strict=True):
            if isinstance(view, LimitExceeded):
                continue
            drawn = None if isinstance(view, Exception) else view
            facts = None
            if drawn is not None:
                own = {"media_type": drawn.media_type, "width": drawn.width, "height": drawn.height}
                facts = {**own, "sha256": self._blobs.put(drawn.data)}
            key = key_of(sha256, self._versions["figure_view"])
            self._memo.put("figure_view", key, json.dumps(facts, sort_keys=True).encode())
            yield Drawn(sha256, drawn)

    def _pool(self) -> Workers:
        if self._workers is None:
            self._workers = Workers(worker_count())
        return self._workers


def mathml_of_all(part: Sequence[Formula]) -> list[str | None]:
    """`mathml` of each formula, in order."""
    return [mathml(formula) for formula in part]
