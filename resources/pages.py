"""Pages of papers as text and figures: the text layer of a PDF where it is sound, else OCR; every page in a killable
worker, remembered when it is read.

A worker that reads pages by OCR needs 2 GiB of address space at least (RLIMIT_AS; 1.5 GiB measured on an A4 page at 200
dpi, of which 0.8 GiB resident) and about 10 s of one core a page; give `Workers` `memory_bytes=3 * GIB`.  Each worker
process holds its own engine: `n=1` keeps to the memory of one, and the engine uses two threads itself.
"""

import hashlib
import importlib.metadata
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import cv2
from upath import UPath

from resources._page_read import PDF_ENGINE, PageJob, PageReading, Told, count_pages, read_page, understood
from resources.batches import DEFAULT_OCR
from resources.blobs import Blobs
from resources.home import Home
from resources.memo import Memo, key_of
from resources.ocr import ENGINES, Engine, PageFault, RemoteReader, engine_named
from resources.ocr.rapid import VERSION as RAPIDOCR
from resources.workers import Workers
from stepforge.arrow import schema_fingerprint
from stepforge.errors import LimitExceeded, PipelineError
from stepforge.outcome import Tick, no_tick
from stepforge.records import Page, PageFigure

__all__ = [
    "ENGINE_VERSION",
    "PDF_ENGINE",
    "PageFault",
    "PageJob",
    "PageReading",
    "count_pages",
    "ocr_version",
    "page_count",
    "read_page",
    "read_pages",
]

REVISION = 3  # raised when the same page may give other lines or figures with the same libraries
_PDFIUM, _PILLOW = (importlib.metadata.version(name) for name in ("pypdfium2", "pillow"))
# rapidocr is part of it whatever the engine: it finds the lines by which pages are made upright
ENGINE_VERSION = f"pages {REVISION}; pypdfium2 {_PDFIUM}; pillow {_PILLOW}; opencv {cv2.__version__}; {RAPIDOCR}"

PAGE_TIMEOUT_S = 120.0
COUNT_TIMEOUT_S = 30.0
MAX_PAGES = 200
MAX_KILLED = 4  # pages of one file; the others of such a file are not tried
AT_ONCE = 4  # pages lost at most if the process is killed


@dataclass
class _Reader:
    """How the pages of one paper are read.  killed: how many took too long or too much memory."""

    document_id: str
    media_type: str
    path: str
    workers: Workers
    engine: Engine
    remote: RemoteReader | None
    engine_version: str
    blobs: Blobs | None
    killed: int = 0

    def read(self, positions: Sequence[int]) -> list[list[Page]]:
        """The pages at the positions, numbered from 1 each; what cannot be read has an error."""
        if self.killed >= MAX_KILLED:
            why = f"{self.killed} pages of the file took too long or too much memory; the others are not tried"
            return [[self.failed(why, n)] for n in positions]
        jobs = [PageJob(self.media_type, self.path, n, self.engine.name) for n in positions]
        results = self.workers.map(read_page, jobs, PAGE_TIMEOUT_S)
        return [self._pages(n, result) for n, result in zip(positions, results, strict=True)]

    def _pages(self, position: int, result: list[PageReading] | Exception) -> list[Page]:
        if isinstance(result, Exception):
            self.killed += isinstance(result, LimitExceeded)
            return [self.failed(result, position)]
        pages = []
        for reading in result:
            try:
                pages.append(self._page(position, self._asked(reading)))
            except PageFault as error:
                pages.append(self.failed(error, position))
        return pages

    def _asked(self, reading: PageReading) -> PageReading:
        """The reading, by the engine that is asked over a network where that is to read it.  Raises: PageFault."""
        if reading.png is None:
            return reading
        if self.remote is None:
            raise PageFault(f"the OCR engine {self.engine.name!r} cannot be asked here")
        told = Told(reading.png, self.remote(reading.png))
        result = next(self.workers.map(understood, [told], PAGE_TIMEOUT_S))
        if isinstance(result, Exception):
            raise PageFault(str(result) or type(result).__name__)
        return reading._replace(lines=result.lines, figures=result.figures, png=None)

    def _page(self, position: int, reading: PageReading) -> Page:
        figures = tuple(
            PageFigure(sha256=self._kept(cut.png), x0=cut.x0, y0=cut.y0, x1=cut.x1, y1=cut.y1)
            for cut in reading.figures
        )
        return Page(
            document_id=self.document_id,
            number=1,
            engine=PDF_ENGINE if reading.engine == PDF_ENGINE else self.engine_version,
            lines=reading.lines,
            figures=figures,
            error=None,
            sheet=position + 1,
            half=reading.half,
            width=reading.width,
            height=reading.height,
            turned_deg=reading.turned_deg,
            skew_deg=reading.skew_deg,
        )

    def _kept(self, png: bytes) -> str:
        return hashlib.sha256(png).hexdigest() if self.blobs is None else self.blobs.put(png)

    def failed(self, error: object, position: int | None = None) -> Page:
        """A page that says why it was not read."""
        text = str(error) or type(error).__name__
        return Page(
            document_id=self.document_id,
            number=1,
            engine=self.engine_version,
            lines=(),
            error=text[:500],
            sheet=None if position is None else position + 1,
        )


class _Remembered(NamedTuple):
    """Pages of one paper that were read before by the same engine."""

    memo: Memo
    blobs: Blobs | None
    prefix: tuple[str, ...]

    def get(self, position: int) -> list[Page] | None:
        """The pages at the position, if their figures are still stored."""
        data = self.memo.get("page", key_of(*self.prefix, str(position)))
        if data is None:
            return None
        pages = [Page.model_validate_json(line) for line in data.split(b"\n")]
        shas = [figure.sha256 for page in pages for figure in page.figures]
        lost = self.blobs is not None and not all(self.blobs.path(sha).exists() for sha in shas)
        return None if lost else pages

    def put(self, found: Sequence[tuple[int, list[Page]]]) -> None:
        """Remember what was read; a failure may be the fault of a busy machine and is tried again."""
        whole = [(n, pages) for n, pages in found if pages and all(page.error is None for page in pages)]
        dumped = [(n, b"\n".join(page.model_dump_json().encode() for page in pages)) for n, pages in whole]
        self.memo.put_many("page", [(key_of(*self.prefix, str(n)), data) for n, data in dumped])


def read_pages(
    document_id: str,
    media_type: str,
    data: bytes,
    workers: Workers,
    engine: Engine | None = None,
    remote: RemoteReader | None = None,
    engine_version: str = RAPIDOCR,
    *,
    memo: Memo | None = None,
    blobs: Blobs | None = None,
    tick: Tick = no_tick,
) -> list[Page]:
    """The pages of a PDF or an image, from 1; a page that cannot be read has an `error` and no lines.

    A file that cannot be opened gives one such page.  What lies beyond `MAX_PAGES` is one page with an error.  The
    halves of a double page are two pages.
    engine: reads what has no sound text layer (None: rapidocr); remote: its reader, if it is asked over a network;
    engine_version: what the pages say of it.
    memo: pages are remembered there, one by one.  blobs: the figures are stored there.  tick: told of each page of the
    file."""
    used = engine or ENGINES[DEFAULT_OCR]
    with tempfile.NamedTemporaryFile(prefix="stepforge-page-") as file:
        Path(file.name).write_bytes(data)
        reader = _Reader(document_id, media_type, file.name, workers, used, remote, engine_version, blobs)
        counted = _counted(document_id, media_type, file.name, workers, memo)
        if isinstance(counted, Exception):
            tick(1)
            return [reader.failed(counted)]
        version = (ENGINE_VERSION, used.name, engine_version, schema_fingerprint([Page]))
        known = None if memo is None else _Remembered(memo, blobs, (document_id, media_type, *version))
        pages = []
        for start in range(0, min(counted, MAX_PAGES), AT_ONCE):
            for at_position in _read_some(reader, known, range(start, min(counted, MAX_PAGES, start + AT_ONCE))):
                pages += at_position
                tick(1)
    if counted > MAX_PAGES:
        pages.append(reader.failed(f"pages {MAX_PAGES + 1} to {counted} are not read; split the file"))
    return [page.model_copy(update={"number": number}) for number, page in enumerate(pages, 1)]


def _read_some(reader: _Reader, known: _Remembered | None, positions: Sequence[int]) -> list[list[Page]]:
    found = {n: pages for n in positions if known is not None and (pages := known.get(n)) is not None}
    todo = [n for n in positions if n not in found]
    read = list(zip(todo, reader.read(todo), strict=True)) if todo else []
    if known is not None and read:
        known.put(read)
    found.update(read)
    return [found[n] for n in positions]


def page_count(document_id: str, media_type: str, path: UPath, workers: Workers, memo: Memo | None = None) -> int:
    """How many pages of the file `read_pages` reads; 1 for a file that cannot be opened."""
    counted = _counted(document_id, media_type, str(path), workers, memo)
    return 1 if isinstance(counted, Exception) else min(counted, MAX_PAGES)


def ocr_version(home: Home, batch: str) -> str:
    """What the batch's OCR engine is now, as pages say of it; of one that cannot be used here, its name."""
    name = home.batches.get(batch).settings.ocr
    if name == DEFAULT_OCR:
        return RAPIDOCR
    try:
        return engine_named(name, home).version(home)
    except (PipelineError, PageFault):
        return name


def _counted(document_id: str, media_type: str, path: str, workers: Workers, memo: Memo | None) -> int | Exception:
    key = key_of(document_id, media_type, ENGINE_VERSION)
    known = None if memo is None else memo.get("page_count", key)
    if known is not None:
        return int(known)
    counted = next(workers.map(count_pages, [PageJob(media_type, path, 0)], COUNT_TIMEOUT_S))
    if memo is not None and not isinstance(counted, Exception):
        memo.put("page_count", key, str(counted).encode())
    return counted
