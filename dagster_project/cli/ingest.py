"""`stepforge ingest` and `stepforge system`: what comes in from outside."""

import os
import tomllib
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import ValidationError

from dagster_project.cli._console import say, table
from dagster_project.instance import instance_of, report_external, sync_partitions
from resources.batches import BatchFile, Manifest, Settings
from resources.home import Home, checked_name
from resources.replies import check_replies, system_version
from resources.systems import CONTROLS, SystemSpec
from stepforge.documents import SETTINGS_FILE
from stepforge.errors import BadInput, BadRequest


def _files_of(path: Path, prefix: str) -> Iterator[tuple[str, Path]]:
    if path.is_file():
        yield path.name, path
        return
    if not path.is_dir():
        raise BadInput(f"{path}: no such file or folder")
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        for name in sorted(names):
            file = Path(folder) / name
            if name.startswith(".") or not file.is_file():
                continue
            if file.is_symlink() and not file.resolve().is_relative_to(path.resolve()):
                raise BadInput(f"{file}: a link out of the folder, to {file.resolve()}; put the file itself there")
            yield prefix + file.relative_to(path).as_posix(), file


def collect(paths: list[Path]) -> dict[str, Path]:
    """All files by their path inside the batch; hidden files are left out.  Raises: BadInput."""
    found: dict[str, Path] = {}
    for path in paths:
        prefix = f"{path.resolve().name}/" if len(paths) > 1 and path.is_dir() else ""
        for name, file in _files_of(path, prefix):
            if name in found and found[name].resolve() != file.resolve():
                raise BadInput(
                    f"{found[name]} and {file} would both be {name!r} in the batch; ingest their common folder"
                )
            found[name] = file
    if not found:
        raise BadInput(f"{', '.join(map(str, paths))}: no files in it; name a folder or files that hold problems")
    return dict(sorted(found.items()))


def read_settings(files: dict[str, Path]) -> Settings:
    """What `contest.toml` at the top of the batch says; defaults if there is none.  Raises: BadInput."""
    stray = [name for name in files if name.endswith(f"/{SETTINGS_FILE}")]
    if stray:
        raise BadInput(
            f"{files[stray[0]]}: settings count for a whole batch and must lie at its top; "
            "ingest that folder as a batch of its own"
        )
    path = files.get(SETTINGS_FILE)
    if path is None:
        return Settings()
    try:
        return Settings.model_validate(tomllib.loads(_read(path).decode("utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: not valid TOML: {error}") from None
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        raise BadInput(f"{path}: {field}: {first['msg']} (keys: {', '.join(Settings.model_fields)})") from None


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror})") from None


def _manifest(home: Home, batch: str, files: dict[str, Path], settings: Settings, old: Manifest | None) -> Manifest:
    arrived = {(f.path, f.sha256): f.arrived_at for f in old.files} if old else {}
    now = datetime.now(UTC)
    entries = []
    for name, path in files.items():
        data = _read(path)
        sha256 = home.blobs.put(data)
        entries.append(
            BatchFile(path=name, sha256=sha256, size_bytes=len(data), arrived_at=arrived.get((name, sha256), now))
        )
    return Manifest(batch=batch, settings=settings, files=tuple(entries))


def ingest(
    paths: Annotated[
        list[Path], typer.Argument(help="Files and folders: PDFs, page images, JSON, JSONL, CSV, figures.")
    ],
    batch: Annotated[str, typer.Option(help="Name of the batch.")],
    replace: Annotated[bool, typer.Option("--replace", help="Make these files a new version of the batch.")] = False,
    licence: Annotated[
        str | None, typer.Option(help="Licence of the problems (else contest.toml, else the source's).")
    ] = None,
    published_on: Annotated[str | None, typer.Option(help="Publication date, YYYY-MM-DD.")] = None,
    allow_missing_images: Annotated[
        bool, typer.Option("--allow-missing-images", help="Keep problems whose figures are not there, as text.")
    ] = False,
) -> None:
    """Take files in as a batch; nothing is built yet."""
    checked_name("batch", batch)
    files = collect(paths)
    overrides: dict[str, Any] = {"licence": licence} if licence else {}
    if published_on:
        try:
            overrides["published_on"] = date.fromisoformat(published_on)
        except ValueError:
            raise BadRequest(f"--published-on {published_on!r} is no date; write YYYY-MM-DD") from None
    if allow_missing_images:
        overrides["allow_missing_images"] = True
    settings = read_settings(files).model_copy(update=overrides)
    home = Home.from_environment().prepare()
    old = home.batches.get(batch) if batch in home.batches.names() else None
    manifest = _manifest(home, batch, files, settings, old)
    if old is not None and old.version() == manifest.version():
        with instance_of(home) as instance:  # an earlier ingest may have been killed before it told Dagster
            sync_partitions(instance, home)
        say(f"batch {batch} already holds exactly these {len(files)} files; nothing changed")
        return
    if old is not None and not replace:
        raise BadRequest(
            f"batch {batch!r} exists with other content; give the new files another name, "
            "or make them its new version with --replace"
        )
    home.batches.put(manifest)
    with instance_of(home) as instance:
        sync_partitions(instance, home)
        report_external(instance, "batch_files", batch, manifest.version())
    total = sum(f.size_bytes for f in manifest.files)
    say(f"batch {batch}: {len(files)} files, {total:,} bytes, version {manifest.version()}; next: stepforge build")


systems = typer.Typer(help="Systems to score.", no_args_is_help=True)


@systems.command("add")
def add_system(
    name: Annotated[str, typer.Argument(help="Name of the system on the leaderboard.")],
    replies: Annotated[
        Path | None, typer.Option(help="JSONL: one row a reply, with task_id, problem_id or question.")
    ] = None,
    reply_field: Annotated[str, typer.Option(help="Where the reply stands in a row; dots go into objects.")] = "reply",
    partial: Annotated[
        bool, typer.Option("--partial", help="Tasks without a reply are out of scope rather than wrong.")
    ] = False,
    role: Annotated[
        str | None, typer.Option(help="Role of models.toml: ask its model instead of reading a file.")
    ] = None,
    samples: Annotated[int, typer.Option(min=1, max=1000, help="Replies a task, with --role.")] = 1,
    limit: Annotated[
        int | None,
        typer.Option(min=1, help="With --role: ask so many tasks only, to try it; the rest is out of scope."),
    ] = None,
    merge_images: Annotated[
        bool, typer.Option("--merge-images", help="With --role: send the figures of a task as one image, numbered.")
    ] = False,
    text_only: Annotated[
        bool, typer.Option("--text-only", help="With --role: tasks with figures are not accessible to the model.")
    ] = False,
    replace: Annotated[bool, typer.Option("--replace", help="Make this a new version of the system.")] = False,
) -> None:
    """Score the replies of a file, or of a model that the next build asks, as a system."""
    checked_name("system", name)
    if (replies is None) == (role is None):
        raise BadRequest("say where the replies come from: --replies FILE, or --role ROLE of models.toml (not both)")
    home = Home.from_environment().prepare()
    if role is not None:
        home.models.role(role)
        spec = SystemSpec(
            name=name,
            solver="single",
            role=role,
            samples=samples,
            limit=limit,
            merge_images=merge_images,
            text_only=text_only,
        )
        told = f"asks {home.models.role(role).model}"
    elif replies is not None:
        spec, told = _replay(home, name, replies, reply_field, partial)
    other = name in home.systems.names() and name not in CONTROLS and home.systems.get(name) != spec
    if other and not replace:
        raise BadRequest(f"system {name!r} exists with other replies or settings; take another name or --replace")
    home.systems.put(spec)
    with instance_of(home) as instance:
        sync_partitions(instance, home)
        report_external(instance, "system_settings", name, system_version(home, name))
    say(f"system {name}: {told}; next: stepforge build")


def _replay(home: Home, name: str, replies: Path, reply_field: str, partial: bool) -> tuple[SystemSpec, str]:
    if not replies.is_file():
        raise BadInput(f"{replies}: no such file")
    data = _read(replies)
    count = check_replies(data, reply_field, str(replies))
    spec = SystemSpec(
        name=name, solver="replay", replies_sha256=home.blobs.put(data), reply_field=reply_field, partial=partial
    )
    return spec, f"{count} replies"


@systems.command("remove")
def remove_system(name: Annotated[str, typer.Argument(help="Name of the system.")]) -> None:
    """Take a system off the leaderboard; the next build does it. Its tables stay in the home."""
    home = Home.from_environment()
    home.systems.remove(name)
    with instance_of(home) as instance:
        sync_partitions(instance, home)
    say(f"system {name} removed; next: stepforge build")


def remove(batch: Annotated[str, typer.Option(help="Name of the batch.")]) -> None:
    """Take a batch out of the benchmark; the next build does it. Its files and tables stay in the home."""
    home = Home.from_environment()
    home.batches.remove(batch)
    with instance_of(home) as instance:
        sync_partitions(instance, home)
    say(f"batch {batch} removed; next: stepforge build")


@systems.command("list")
def list_systems() -> None:
    """The systems and where their replies come from."""
    home = Home.from_environment()
    specs = [home.systems.get(name) for name in home.systems.names()]
    table(
        ["system", "solver", "asks", "scope"],
        [(s.name, s.solver, s.role or "", "its own tasks" if s.partial else "all tasks") for s in specs],
    )


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    app.command()(ingest)
    app.command()(remove)
    app.add_typer(systems, name="system")
