"""`stepforge duplicates`: copies and variants among the problems of a file, without the pipeline."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import typer

from dagster_project.cli._console import errors
from dagster_project.cli._jsonl import lines_of, unread, written
from resources.imaging import facts_of
from resources.workers import Workers, worker_count
from stepforge.documents import MAX_BYTES
from stepforge.duplicates import Builder, Entry, Figure, LinkKind, Links, SameFigure, Signatures, find, only_same_bytes
from stepforge.errors import BadRequest
from stepforge.json_rows import row_of
from stepforge.pictures import same_picture

PICTURE_TIMEOUT_S = 20.0

HELP = """Find copies and variants among problems, each of what stands before it in the file.

The row it wants, one JSON object a line (images may be left out):

    {"id": "p7", "question": "What is $\\\\frac{1}{2} + 3$?", "images": ["fig7.png"]}

The row it writes for each problem that is a copy or a variant of one before it:

    {"id": "p7", "duplicate_of": "p2", "kind": "near", "similarity": 0.97, "reason": "..."}

kind is exact, near or variant (then with variant_of for duplicate_of): the same words with other numbers, names,
terms or figures, which is another problem. With --against, problems are also compared with those of another file, as
if these stood before them; such a row says "against": true. Images are files of the folder --images, compared by
content, hash and pixels; without it, a name is taken for what the image shows. A row that cannot be read is named with
its line, the rest is compared, and the exit code is 2."""


def duplicates(
    source: Annotated[str, typer.Option("--input", help="JSON Lines file; - for standard input.")],
    target: Annotated[str, typer.Option("--output", help="JSON Lines file; - for standard output.")] = "-",
    against: Annotated[
        str | None, typer.Option("--against", help="JSON Lines file of problems that came before.")
    ] = None,
    images: Annotated[Path | None, typer.Option("--images", help="Folder of the images that rows name.")] = None,
) -> None:
    """Find copies and variants among problems (`--help` shows the row)."""
    if images is not None and not images.is_dir():
        raise BadRequest(f"{images} is no folder; name the one that the images lie in with --images")
    faults: list[str] = []
    count: Counter[str] = Counter()
    with ExitStack() as stack:
        figures = _Figures(images, stack) if images else None
        before = [_signatures(against, figures, faults)] if against else []
        rows = _signatures(source, figures, faults)
        links = find(rows, before, same_figure=figures.same if figures else only_same_bytes)
        with written(target) as write:
            for told in _told(links):
                write(json.dumps(told, ensure_ascii=False))
                count[told["kind"]] += 1
    found = ", ".join(f"{n:,} {kind}" for kind, n in sorted(count.items())) or "no copies, no variants"
    errors.print(f"{len(rows):,} problems: {found}", markup=False, highlight=False)
    unread(faults, source, target)


def _told(links: Links) -> Iterator[dict[str, Any]]:
    for link in links.links:
        name = "variant_of" if link.kind is LinkKind.VARIANT else "duplicate_of"
        row: dict[str, Any] = {"id": links.ids[link.row], name: links.ids[link.first], "kind": str(link.kind)}
        row |= {"similarity": link.similarity, "reason": link.reason}
        if link.other != link.first:
            row["through"] = links.ids[link.other]
        if link.first < links.new_from:
            row["against"] = True
        yield row


def _signatures(source: str, figures: "_Figures | None", faults: list[str]) -> Signatures:
    builder = Builder()
    with lines_of(source) as (lines, _):
        for number, line in enumerate(lines, start=1):
            if line.strip():
                try:
                    builder.add(_entry(line, figures))
                except ValueError as error:
                    faults.append(f"{source}:{number}: {error}")
    return builder.done()


def _entry(line: str, figures: "_Figures | None") -> Entry:
    """Raises: ValueError saying what is wrong with the row."""
    row = row_of(line)
    fault = _fault(row)
    if fault:
        raise ValueError(fault)
    names = row.get("images") or []
    known: Callable[[str], Figure] = figures.figure if figures else lambda name: Figure(f"name:{name}", None)
    return Entry(str(row["id"]), row["question"], tuple(map(known, names)))


def _fault(row: Mapping[str, Any]) -> str:
    """What is wrong with a row; empty if nothing is."""
    problem_id, names = row.get("id"), row.get("images") or []
    if not isinstance(problem_id, str | int) or isinstance(problem_id, bool) or problem_id == "":
        return "'id' must be a text or a whole number"
    if not isinstance(row.get("question"), str):
        return "'question' must be a text"
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        return "'images' must be a list of names"
    return ""


class _Figures:
    """The images of a folder, measured once each in processes that can be killed."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder = folder.resolve()
        self._paths: dict[str, Path] = {}
        self._known: dict[str, Figure] = {}
        self._workers = cache(lambda: stack.enter_context(Workers(worker_count())))

    def figure(self, name: str) -> Figure:
        """Raises: ValueError if the folder holds no such file."""
        if name not in self._known:
            path = self._folder / name.replace("\0", "")
            if not path.resolve().is_relative_to(self._folder) or not path.is_file():
                raise ValueError(f"image {name[:120]!r} is not in the folder --images")
            if path.stat().st_size > MAX_BYTES:
                raise ValueError(f"image {name[:120]!r} is larger than {MAX_BYTES >> 20} MiB")
            data = path.read_bytes()
            (facts,) = facts_of(_once(data), self._workers())
            sha256 = hashlib.sha256(data).hexdigest()
            self._paths[sha256] = path
            self._known[name] = Figure(sha256, facts.phash)
        return self._known[name]

    @property
    def same(self) -> SameFigure:
        """Whether two images show the same."""

        @cache
        def decided(one: str, two: str) -> bool:
            pair = self._paths[one].read_bytes(), self._paths[two].read_bytes()
            (found,) = self._workers().map(same_picture, [pair], PICTURE_TIMEOUT_S)
            return found is True

        return decided


def _once(data: bytes) -> Iterable[bytes]:
    yield data


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command(help=HELP)(duplicates)
