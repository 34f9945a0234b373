"""`stepforge replies`: what models said and what it cost: listed, shown, exchanged and pruned."""

import base64
import json
import os
import secrets
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer

from dagster_project.cli._console import as_json, as_jsonl, say, table
from dagster_project.cli._progress import Live
from dagster_project.cli.inspect import Format
from resources.home import Home
from resources.llm.exchange import dump, load
from resources.llm.prices import usd
from resources.llm.store import ReplyFilter, ReplyStore, Spent, StoredReply
from resources.llm.stores import ENVIRONMENT, FILE
from stepforge.errors import BadInput, BadRequest, NotBuilt

KEY_SHOWN = 16
AMBIGUOUS_SHOWN = 5
STEP = 100  # replies between two movements of a progress bar

replies = typer.Typer(help="What models said and what it cost.", no_args_is_help=True)

ModelOption = Annotated[str | None, typer.Option("--model", help="Only replies of this model.")]
ProviderOption = Annotated[str | None, typer.Option("--provider", help="Only replies of this kind of provider.")]
PromptOption = Annotated[str | None, typer.Option("--prompt", help="Only replies to this prompt, as segment/v3.")]
BeforeOption = Annotated[str | None, typer.Option("--before", help="Only older ones: YYYY-MM-DD or a time, UTC.")]
SinceOption = Annotated[str | None, typer.Option("--since", help="Only those from then on, UTC.")]


def _time(option: str, text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        found = datetime.fromisoformat(text)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise BadRequest(f"{option} {text!r} is no date; write YYYY-MM-DD or YYYY-MM-DDTHH:MM") from None


def _filter(
    model: str | None, provider: str | None, prompt: str | None, before: str | None, since: str | None
) -> ReplyFilter:
    return ReplyFilter(
        model=model,
        provider=provider,
        prompt_id=prompt,
        before=_time("--before", before),
        since=_time("--since", since),
    )


@contextmanager
def _opened(*, create: bool = False) -> Iterator[ReplyStore]:
    home = Home.from_environment()
    place = os.environ.get(ENVIRONMENT) or str(home.root / FILE)
    if create:
        home.prepare()
    elif ":" not in place and not Path(place).expanduser().exists():
        raise NotBuilt(f"there are no replies yet: {place} does not exist (name another home with STEPFORGE_HOME)")
    with closing(home.replies) as store:
        yield store


def _money(spent: Spent) -> str:
    unpriced = f" ({spent.unpriced:,} have no known price)" if spent.unpriced else ""
    return f"${usd(spent.cost_pico_usd)}{unpriced}"


def _row(reply: StoredReply) -> dict[str, Any]:
    usage = reply.usage
    return {
        "key": reply.key,
        "provider": reply.provider,
        "model": reply.model,
        "prompt": reply.prompt_id,
        "prompt_sha256": reply.prompt_sha256,
        "batch_id": reply.batch_id,
        "tokens_in": usage.tokens_in,
        "tokens_cached": usage.cached,
        "tokens_out": usage.tokens_out,
        "tokens_reasoning": usage.reasoning,
        "cost_usd": None if reply.cost_pico_usd is None else usd(reply.cost_pico_usd),
        "latency_s": reply.latency_s,
        "created": reply.created_at.isoformat(),
    }


@replies.command("list")
def list_replies(
    model: ModelOption = None,
    provider: ProviderOption = None,
    prompt: PromptOption = None,
    before: BeforeOption = None,
    since: SinceOption = None,
    style: Annotated[Format, typer.Option("--format")] = Format.TABLE,
    limit: Annotated[int, typer.Option(min=0, help="At most so many; 0 for all.")] = 20,
) -> None:
    """The stored replies, sorted by key."""
    which = _filter(model, provider, prompt, before, since)
    with _opened() as store:
        found = islice(store.replies(which), limit or None)
        if style is Format.JSONL:
            as_jsonl(map(_row, found))
            return
        rows = (
            (r.key[:KEY_SHOWN], r.model, r.prompt_id, r.usage.tokens_in, r.usage.tokens_out, _cost(r), _minute(r))
            for r in found
        )
        columns = ["key", "model", "prompt", "tokens in", "tokens out", "cost $", "created (UTC)"]
        table(columns, rows, right=["tokens in", "tokens out", "cost $"])
        counted = store.count(which)
        shown = f"{limit} of {counted.calls:,}" if limit and counted.calls > limit else f"{counted.calls:,}"
        say(f"({shown} replies; all that fit: {_money(counted)})")


def _cost(reply: StoredReply) -> str:
    return "unknown" if reply.cost_pico_usd is None else usd(reply.cost_pico_usd)


def _minute(reply: StoredReply) -> str:
    return f"{reply.created_at:%Y-%m-%d %H:%M}"


def _readable(data: bytes) -> Any:
    """JSON where it is JSON, text where it is text, base64 else."""
    try:
        text = data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode("ascii")}
    try:
        value = json.loads(text)
        json.dumps(value, indent=2)
    except (ValueError, RecursionError):  # also too deep, or a number of thousands of digits
        return text
    return value


@replies.command("show")
def show(key: Annotated[str, typer.Argument(help="Key of the reply; its beginning is enough.")]) -> None:
    """One reply as JSON: the request, and the raw reply as it came."""
    prefix = key.lower()
    if not prefix or set(prefix) - set("0123456789abcdef"):
        raise BadRequest(f"{key!r} is no key: keys are of the digits 0-9 and a-f; `stepforge replies list` shows them")
    with _opened() as store:
        found = list(islice(store.replies(ReplyFilter(key_prefix=prefix)), AMBIGUOUS_SHOWN))
    if not found:
        raise BadRequest(f"no reply has a key that begins with {prefix}; stepforge replies list shows the keys")
    if len(found) > 1:
        keys = ", ".join(reply.key[: max(len(prefix) + 4, KEY_SHOWN)] for reply in found)
        raise BadRequest(f"several replies have a key that begins with {prefix}: {keys}, …; write more of it")
    reply = found[0]
    as_json({**_row(reply), "request": _readable(reply.canonical), "reply": _readable(reply.body)})


@replies.command("export")
def export(
    file: Annotated[Path, typer.Argument(help="File to write, JSON Lines.")],
    model: ModelOption = None,
    provider: ProviderOption = None,
    prompt: PromptOption = None,
    before: BeforeOption = None,
    since: SinceOption = None,
) -> None:
    """Write replies to a file that another store can import."""
    which = _filter(model, provider, prompt, before, since)
    if file.is_dir():
        raise BadInput(f"{file} is a folder; name a file to write")
    temporary = file.with_name(f".{file.name[:100]}.{secrets.token_hex(4)}.tmp")
    try:
        with _opened() as store, temporary.open("wb") as out, Live() as live:
            live.start("export", "replies", store.count(which).calls)
            written = 0
            for reply in store.replies(which):
                out.write(dump(reply))
                written += 1
                if written % STEP == 0:
                    live.advance(STEP)
            out.flush()
            os.fsync(out.fileno())
            live.finish(f"{written:,} replies written to {file}")
        temporary.replace(file)
    finally:
        temporary.unlink(missing_ok=True)


def _counted(found: Iterator[StoredReply], live: Live) -> Iterator[StoredReply]:
    for number, reply in enumerate(found, 1):
        yield reply
        if number % STEP == 0:
            live.advance(STEP)


@replies.command("import")
def import_replies(
    file: Annotated[Path, typer.Argument(help="File that `stepforge replies export` wrote.")],
) -> None:
    """Take in replies of another store; what is stored already stays as it is.  The whole file is checked first."""
    if not file.is_file():
        raise BadInput(f"{file}: no such file")
    with file.open("rb") as lines:
        total = sum(1 for _ in iter(lambda: lines.readline(1 << 20), b""))
    with Live() as live:
        live.start("check", "replies", total)
        good = sum(1 for _ in _counted(load(file), live))
        with _opened(create=True) as store:
            live.start("import", "replies", good)
            new, there = store.add(_counted(load(file), live))
        live.finish(f"{new:,} replies taken in from {file}, {there:,} were there already")


@replies.command("prune")
def prune(
    model: ModelOption = None,
    provider: ProviderOption = None,
    prompt: PromptOption = None,
    before: BeforeOption = None,
    since: SinceOption = None,
    yes: Annotated[bool, typer.Option("--yes", help="Delete them.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be deleted; the default.")] = False,
) -> None:
    """Delete replies that fit all of the options.  They are paid again if they are asked for again."""
    which = _filter(model, provider, prompt, before, since)
    if which == ReplyFilter():
        raise BadRequest("say which replies to delete: --model, --provider, --prompt, --before, --since")
    with _opened() as store:
        counted = store.count(which)
        if dry_run or not yes:
            say(f"{counted.calls:,} replies that cost {_money(counted)} would be deleted; to do so: --yes")
            return
        deleted = store.prune(which)
        say(f"{deleted:,} replies that cost {_money(counted)} deleted; the record of what was paid stays")


@replies.command("stats")
def stats() -> None:
    """Replies, tokens and cost by model, and what is under way."""
    with _opened() as store:
        by_model, jobs = store.by_model(), store.jobs(open_only=True)
        alive, left = store.claimed(datetime.now(UTC))
    rows = [
        (model, f"{s.calls:,}", f"{s.tokens_in:,}", f"{s.tokens_out:,}", usd(s.cost_pico_usd), f"{s.unpriced:,}")
        for model, s in by_model.items()
    ]
    columns = ["model", "replies", "tokens in", "tokens out", "cost $", "without a price"]
    table(columns, rows, right=columns[1:])
    say(f"claims: {alive:,} of live processes, {left:,} left behind by dead ones (the next to ask takes them over)")
    say(f"open batch jobs: {len(jobs):,}")
    if jobs:
        named = ((j.job_id, j.provider, j.model_name, j.state, j.total, f"{j.created_at:%Y-%m-%d %H:%M}") for j in jobs)
        table(["job", "provider", "model", "state", "calls", "created (UTC)"], named, right=["calls"])


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    app.add_typer(replies, name="replies")
