"""From the files of a batch to documents: what each file is, and which of them hold problems."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import NamedTuple

from stepforge.answer_keys import ANSWER_KEY, TABLES, TEXTS, is_key_table, paper_of_key, papers_of
from stepforge.figures import FigureIndex, absent
from stepforge.mathpix import MEDIA as MATHPIX_MEDIA
from stepforge.mathpix import media_of as mathpix_media
from stepforge.outcome import Outcome, Tick, no_tick, reject
from stepforge.records import Document, Rejection
from stepforge.sources import MAPPING_FILE, PARQUET_MAGIC, SOURCES, Beside, figure_names, head_of, recognise
from stepforge.vocabulary import Disposition, Reason

STAGE = "documents"
MAX_BYTES = 512 * 2**20  # a structured file is parsed in memory
HEAD_BYTES = 64 * 2**10
PAPER = "paper"  # source name of PDFs and scans
SETTINGS_FILE = "contest.toml"
PAPERWORK = {".md", ".txt", ".py", ".toml", ".rst", ""}  # read by people: README, LICENSE, scripts

_IMAGE_MAGIC = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF8": "image/gif",
    b"II*\x00": "image/tiff",
    b"MM\x00*": "image/tiff",
    b"BM": "image/bmp",
}
_IMAGE_SUFFIXES = {".png", ".jpg", ".jpeg", ".gif", ".tif", ".tiff", ".bmp", ".webp"}
_TEXT_MEDIA = {
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".lean": "text/x-lean",
    ".ndjson": "application/jsonl",
    ".parquet": "application/vnd.apache.parquet",
    ".inkml": "application/inkml+xml",
    ".txt": "text/plain",
}
MAX_BESIDE_BYTES = 2**20  # of a file that says what the others are


class FileEntry(NamedTuple):
    """One file of a batch by content."""

    path: str
    sha256: str
    size_bytes: int
    arrived_at: datetime
    refused: str | None = None  # why an archive's file was not taken in; it has no bytes then


class BatchInfo(NamedTuple):
    """What the batch says of all its files.  answers: paper by answer key, both paths inside the batch."""

    batch: str
    licence: str
    published_on: date | None
    allow_missing_images: bool
    answers: Mapping[str, str] = MappingProxyType({})


def media_type(path: str, head: bytes) -> str:  # noqa: PLR0911 - one a kind of file
    """Media type by the first bytes, else by the name's ending."""
    if head.startswith(b"%PDF-"):
        return "application/pdf"
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "image/webp"
    for magic, media in _IMAGE_MAGIC.items():
        if head.startswith(magic):
            return media
    if (mathpix := mathpix_media(path, head)) is not None:
        return mathpix
    suffix = PurePosixPath(path).suffix.lower()
    if suffix in _IMAGE_SUFFIXES:
        return f"image/{suffix[1:]}"
    if suffix == ".pdf":
        return "application/pdf"
    return _TEXT_MEDIA.get(suffix, "application/octet-stream")


class _Seen(NamedTuple):
    entry: FileEntry
    media: str
    source: str | None


def _figures(seen: Sequence[_Seen], read: Callable[[str], bytes]) -> set[str]:
    """Paths of the images that a structured file names."""
    images = {s.entry.path: absent(s.entry.path, s.entry.sha256) for s in seen if s.media.startswith("image/")}
    index = FigureIndex(images)
    found: set[str] = set()
    for one in seen if images else ():
        if one.source:
            for name in figure_names(read(one.entry.sha256), one.source, one.entry.path):
                found.update(index.candidates(one.entry.path, name))
    return found


def beside(files: Sequence[FileEntry], read: Callable[[str], bytes]) -> Beside:
    """The small files of a batch by their path, each read once: mappings and data set cards."""
    small = {f.path: f for f in files if f.refused is None and 0 < f.size_bytes <= MAX_BESIDE_BYTES}
    known: dict[str, bytes] = {}

    def look(path: str) -> bytes | None:
        if path in small and path not in known:
            known[path] = read(small[path].sha256)
        return known.get(path)

    return look


def _with_keys(
    seen: Sequence[_Seen], figures: set[str], named: Mapping[str, str], read: Callable[[str], bytes]
) -> list[_Seen]:
    """The files, those that are answer keys of papers among them marked as such."""
    papers = [s.entry.path for s in seen if is_page_media(s.media) and s.source is None and s.entry.path not in figures]
    questions = [path for path in papers if path not in named and paper_of_key(path) is None] or papers

    def is_key(one: _Seen) -> bool:
        path, ending = one.entry.path, PurePosixPath(one.entry.path).suffix.lower()
        if one.source is not None or path in figures or _unfit(one.entry) is not None:
            return False
        if not (ending in (*TABLES, *TEXTS) or is_page_media(one.media)):
            return False
        if ending in TABLES and not is_key_table(read(one.entry.sha256)[:HEAD_BYTES]):
            return False
        is_called = path in named or paper_of_key(path) is not None
        return (is_called or ending in TABLES) and bool(papers_of(path, questions, named))

    return [one._replace(source=ANSWER_KEY) if is_key(one) else one for one in seen]


def is_page_media(media: str) -> bool:
    """Whether a file of this type is read page by page."""
    return media == "application/pdf" or media.startswith("image/") or media in MATHPIX_MEDIA


def no_check(_data: bytes) -> str | None:
    """Every file may be opened here."""
    return None


def documents(
    info: BatchInfo,
    files: Sequence[FileEntry],
    read: Callable[[str], bytes],
    tick: Tick = no_tick,
    check: Callable[[bytes], str | None] = no_check,
) -> Outcome[Document]:
    """The documents among the files of a batch; input ids are paths.

    Figures that a structured file names belong to its problems; an image beside such figures that nothing names is
    dropped; any other image is a scanned page.  `read` gives a file's bytes by sha256; `check` says why a file of
    compressed tables must not be opened."""
    kept: list[Document] = []
    rejections: list[Rejection] = []
    seen: list[_Seen] = []
    others = beside(files, read)
    for entry in files:
        data = read(entry.sha256) if 0 < entry.size_bytes <= MAX_BYTES else b""
        fault = check(data) if data.startswith(PARQUET_MAGIC) else None
        if fault is not None:
            why = f"{entry.path}: {fault}; write it again, in smaller row groups"
            rejections.append(reject(STAGE, entry.path, Reason.UNREADABLE_DOCUMENT, why))
            tick(1)
            continue
        head = head_of(data)
        media = media_type(entry.path, head) if entry.refused is None else "application/octet-stream"
        text = media in _TEXT_MEDIA.values()
        seen.append(_Seen(entry, media, recognise(entry.path, head, others) if text and head else None))
        tick(1)
    figures = _figures(seen, read)
    seen = _with_keys(seen, figures, info.answers, read)
    figure_folders = {str(PurePosixPath(path).parent) for path in figures}
    first_path: dict[str, str] = {}
    for one in seen:
        rejection = _refuse(one, figures, figure_folders, first_path)
        if rejection is not None:
            rejections.append(rejection)
            continue
        first_path[one.entry.sha256] = one.entry.path
        kept.append(_document(info, one))
    return Outcome(sorted(kept, key=lambda d: d.path), rejections, [f.path for f in files])


def _document(info: BatchInfo, one: _Seen) -> Document:
    source = one.source or PAPER
    licence = info.licence
    if licence == "unknown" and one.source and one.source != ANSWER_KEY:
        licence = SOURCES[one.source].licence
    return Document(
        document_id=one.entry.sha256,
        batch=info.batch,
        path=one.entry.path,
        source=source,
        media_type=one.media,
        size_bytes=one.entry.size_bytes,
        licence=licence,
        arrived_at=one.entry.arrived_at,
        published_on=info.published_on,
        allow_missing_images=info.allow_missing_images,
    )


class _Why(NamedTuple):
    reason: Reason
    detail: str
    disposition: Disposition = Disposition.DROPPED


def _refuse(one: _Seen, figures: set[str], figure_folders: set[str], first_path: dict[str, str]) -> Rejection | None:
    """Why the file is no document, or None if it is one."""
    why = _unfit(one.entry) or _not_a_source(one, figures, figure_folders)
    if why is None and one.entry.sha256 in first_path:
        why = _Why(Reason.DUPLICATE_DOCUMENT, f"the same bytes as {first_path[one.entry.sha256]}")
    if why is None:
        return None
    path = one.entry.path
    return reject(STAGE, path, why.reason, f"{path}: {why.detail}", disposition=why.disposition)


def _unfit(entry: FileEntry) -> _Why | None:
    if entry.refused is not None:
        return _Why(Reason.REFUSED_ARCHIVE_FILE, entry.refused)
    if entry.path == SETTINGS_FILE or PurePosixPath(entry.path).name == MAPPING_FILE:
        return _Why(Reason.BATCH_SETTINGS, "read as the batch's settings", Disposition.NOT_APPLICABLE)
    if entry.size_bytes == 0:
        return _Why(Reason.EMPTY_FILE, "the file is empty; deliver it again or leave it out")
    if entry.size_bytes > MAX_BYTES:
        return _Why(Reason.TOO_LARGE, f"{entry.size_bytes} bytes; the limit is {MAX_BYTES}: split the file")
    return None


def _not_a_source(one: _Seen, figures: set[str], figure_folders: set[str]) -> _Why | None:
    pure = PurePosixPath(one.entry.path)
    if one.source == ANSWER_KEY:
        return None
    if one.media.startswith("image/"):
        if one.entry.path in figures:
            return _Why(Reason.FIGURE_OF_A_PROBLEM, "a figure that a problem names", Disposition.NOT_APPLICABLE)
        if str(pure.parent) in figure_folders:
            return _Why(Reason.UNREFERENCED_FIGURE, "lies among figures, but no problem names it")
    elif not is_page_media(one.media) and one.source is None:
        paperwork = pure.suffix.lower() in PAPERWORK
        known = ", ".join(s.name for s in SOURCES)
        return _Why(
            Reason.UNSUPPORTED_FORMAT,
            f"no source reads this file (known: PDF, page images, {known}); see docs/sources.md",
            Disposition.NOT_APPLICABLE if paperwork else Disposition.DROPPED,
        )
    return None
