"""A stage that asks a model, as a program that can be killed:  python -m tests.resources.llm.stage JSON

It asks all its requests through the gateway and writes the final rows, sorted by id, to a Parquet file."""

import json
import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import BaseModel, ConfigDict, Field
from upath import UPath

from resources.atomic import write_atomic
from resources.llm.batch import Jobs
from resources.llm.config import ModelsConfig
from resources.llm.gateway import Gateway
from resources.llm.prices import Prices
from resources.llm.providers import ProviderSettings
from resources.llm.store import ReplyStore
from resources.llm.stores import open_store
from stepforge.arrow import to_table
from stepforge.asking import Answered, ModelFailure, ModelReply, ModelRequest, system, user
from stepforge.records import Record
from stepforge.vocabulary import ModelFailureKind


class Stage(BaseModel):
    """What to ask, whom, and where the replies go."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: str = "openai"
    url: str
    store: str = Field(description="path or URL")
    count: int
    slots: int
    out: str | None = Field(default=None, description="Parquet file; None counts the replies and keeps none")
    structured: bool = False
    limits: dict[str, Any] = Field(default_factory=dict, description="keys of [models.NAME]")
    replay_only: bool = False
    batch: bool = Field(
        default=False, description="through the provider's batch API, whose jobs are polled to their end"
    )


class Verdict(Record):
    """A record to be filled in by the model."""

    verdict: str = Field(description="right or wrong")
    first_wrong_step: int | None
    reasons: tuple[str, ...]


class Row(Record):
    """A final row: what a stage keeps of a reply, without the times of one run."""

    request_id: str
    key: str
    text: str
    structured: str | None
    model: str
    tokens_in: int
    tokens_out: int
    cost_usd: str | None


def requests(count: int) -> Iterator[ModelRequest]:
    """The requests, made one by one."""
    for i in range(count):
        question = f"Problem {i}: a shop packs {i} boxes with {i % 7 + 2} pens each. How many pens are there? " * 8
        yield ModelRequest(request_id=f"r{i:06d}", role="solver", messages=(system("Solve it."), user(question)))


def config(stage: Stage) -> ModelsConfig:
    """One model of one provider."""
    provider = ProviderSettings(kind=stage.kind, base_url=stage.url)
    limits = {"concurrency": stage.slots, "input_usd_per_million": 1, "output_usd_per_million": 2, **stage.limits}
    parameters = {"max_output_tokens": 1000, "mode": "batch" if stage.batch else "online"}
    return ModelsConfig.single(provider, "wire", limits=limits, parameters=parameters)


def no_media(sha256: str) -> bytes:
    raise AssertionError(f"no request has a part {sha256}")


def row(reply: ModelReply) -> Row:
    return Row(**{name: getattr(reply, name) for name in Row.model_fields})


def answers(stage: Stage, gateway: Gateway, store: ReplyStore) -> Iterator[Answered]:
    """What comes of each request; those that travel in a batch are asked for again until the batch has ended."""
    wanted: Iterable[ModelRequest] = requests(stage.count)
    reply_type = Verdict if stage.structured else None
    while True:
        waiting = []
        for answered in gateway.ask(wanted, reply_type):
            if isinstance(answered, ModelFailure) and answered.kind is ModelFailureKind.AWAITING_BATCH:
                waiting.append(answered.request_id)
            else:
                yield answered
        if not waiting:
            return
        Jobs(config(stage), store, Prices.load(), lambda: datetime.now(UTC)).poll(no_media)
        among = frozenset(waiting)
        wanted = (request for request in requests(stage.count) if request.request_id in among)


def run(stage: Stage) -> dict[str, int]:
    """Ask all; how many replies and failures there were."""
    rows: list[Row] = []
    counts = {"replies": 0, "failures": 0, "sent": 0}
    store = open_store(stage.store)
    with Gateway(config(stage), store, no_media, run="evidence", replay_only=stage.replay_only) as gateway:
        print("asking", flush=True)
        for answered in answers(stage, gateway, store):
            if isinstance(answered, ModelFailure):
                counts["failures"] += 1
                print(f"{answered.request_id}: {answered.kind}: {answered.detail}", file=sys.stderr)
                continue
            counts["replies"] += 1
            if stage.out is not None:
                rows.append(row(answered))
        print("asked", flush=True)
    store.close()
    if stage.out is not None:
        sink = pa.BufferOutputStream()
        pq.write_table(to_table(Row, sorted(rows, key=lambda row: row.request_id)), sink)
        write_atomic(UPath(stage.out), sink.getvalue().to_pybytes())
    counts["sent"] = gateway.totals.sent
    counts["peak_rss_kib"] = peak_rss_kib()
    return counts


def peak_rss_kib() -> int:
    """Most memory that this program held.  `ru_maxrss` is at least what its parent held when it started it."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0])


if __name__ == "__main__":
    print(json.dumps(run(Stage.model_validate_json(sys.argv[1]))), flush=True)
