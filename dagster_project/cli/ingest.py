"""`stepforge ingest` and `stepforge system`: what comes in from outside."""

from datetime import date
from pathlib import Path
from typing import Annotated, Any

import typer

from dagster_project.cli._console import say, table
from dagster_project.cli._incoming import check_mappings, collect, manifest_of, read_file, read_settings
from dagster_project.instance import instance_of, report_external, sync_partitions
from resources.home import Home, checked_name
from resources.ocr import ENGINES
from resources.replies import check_replies, system_version
from resources.systems import CONTROLS, SystemSpec
from stepforge.errors import BadInput, BadRequest


def ingest(
    paths: Annotated[
        list[Path],
        typer.Argument(help="Files, folders and archives: PDFs, page images, JSON, JSONL, CSV, Parquet, figures."),
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
    public_benchmark: Annotated[
        bool,
        typer.Option(
            "--public-benchmark", help="Problems that are public: never selected, and no other batch may copy one."
        ),
    ] = False,
    ocr: Annotated[
        str | None,
        typer.Option(help="Engine that reads scanned pages (else contest.toml, else rapidocr; see: stepforge doctor)."),
    ] = None,
) -> None:
    """Take files in as a batch; nothing is built yet."""
    checked_name("batch", batch)
    home = Home.from_environment().prepare()
    files = collect(paths, home.blobs)
    overrides: dict[str, Any] = {"licence": licence} if licence else {}
    if published_on:
        try:
            overrides["published_on"] = date.fromisoformat(published_on)
        except ValueError:
            raise BadRequest(f"--published-on {published_on!r} is no date; write YYYY-MM-DD") from None
    if allow_missing_images:
        overrides["allow_missing_images"] = True
    if public_benchmark:
        overrides["public_benchmark"] = True
    if ocr is not None:
        if ocr not in ENGINES:
            raise BadRequest(f"--ocr: there is no engine {ocr!r}; there are: {', '.join(e.name for e in ENGINES)}")
        overrides["ocr"] = ocr
    settings = read_settings(files, home.blobs).model_copy(update=overrides)
    check_mappings(files, home.blobs)
    old = home.batches.get(batch) if batch in home.batches.names() else None
    manifest = manifest_of(home, batch, files, settings, old)
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
    data = read_file(replies)
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
