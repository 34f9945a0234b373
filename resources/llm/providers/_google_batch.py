"""Gemini's batch API, by file: requests with a key up, a file of replies with their keys down.

By file because replies to requests sent inside the call that starts a batch come without a key and out of order
(https://github.com/googleapis/python-genai/issues/1909)."""

import asyncio
import io
import json
from collections.abc import Sequence
from typing import Any

from resources.llm.calls import Call
from resources.llm.providers import BatchResult, BatchState, BatchStatus
from resources.llm.providers._bodies import as_dict, jsonl, parsed, tokens, unsendable
from resources.llm.providers._google_client import Connection, model_path

MAX_BYTES = 2 * 1000**3  # of one file
CALL_S, FILE_S = 60.0, 900.0
ENDED = ("SUCCEEDED", "PARTIALLY_SUCCEEDED", "EXPIRED", "CANCELLED")
FAILED = ("FAILED",)
CANCELLED = 1  # google.rpc.Code of a line that was not run


class GoogleBatch:
    """The batch API over a connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection, self._api = connection, connection.client.aio

    async def upload(self, job_id: str, calls: Sequence[Call]) -> str:
        """Send the file of requests; the provider's id of the file."""
        file, size = io.BytesIO(), 0
        for call in calls:
            entry = {"key": call.key, "request": await self._connection.body_of(call, in_batch=True)}
            size += file.write(json.dumps(entry, ensure_ascii=False).encode() + b"\n")
            if size > MAX_BYTES:
                raise unsendable(f"the {len(calls)} calls are larger than the 2 GB of one batch; make several")
        file.seek(0)
        work = self._api.files.upload(file=file, config={"display_name": job_id, "mime_type": "application/jsonl"})
        uploaded = await self._connection.tried(work, FILE_S)
        return uploaded.name or ""

    async def create(self, job_id: str, file_id: str, model: str) -> str:
        """Start the batch with the job's id as its display name; the provider's id of it."""
        work = self._api.batches.create(model=model_path(model), src=file_id, config={"display_name": job_id})
        batch = await self._connection.tried(work, CALL_S)
        if not batch.name:
            raise self._connection.peer.unusable("the batch that was started has no name")
        return batch.name

    async def find(self, job_id: str) -> str | None:
        """The provider's id of the newest batch with that display name."""
        return await self._connection.tried(self._search(job_id), FILE_S)

    async def _search(self, job_id: str) -> str | None:
        seen = set()
        async for batch in await self._api.batches.list(config={"page_size": 100}):
            if batch.display_name == job_id and batch.name:
                return batch.name
            if batch.name in seen:  # a server without pages answers with the first one for ever
                return None
            seen.add(batch.name)
        return None

    async def status(self, batch_id: str) -> BatchStatus:
        """What has become of it."""
        batch, metadata = await self._retrieve(batch_id)
        state, stats, error = _state(metadata), as_dict(metadata.get("batchStats")), as_dict(batch.get("error"))
        failed = state in FAILED or (bool(error) and state not in ENDED)
        ended = BatchState.ENDED if state in ENDED else BatchState.RUNNING
        total, waiting = _count(stats.get("requestCount")), _count(stats.get("pendingRequestCount"))
        return BatchStatus(
            BatchState.FAILED if failed else ended,
            done=max(0, total - waiting),
            total=total,
            detail=self._connection.peer.clean(f"{state.lower()} {error.get('message', '')}"),
        )

    async def _retrieve(self, batch_id: str) -> tuple[dict[str, Any], dict[str, Any]]:
        body = await self._connection.asked("get", _batch_path(batch_id), {}, CALL_S)
        batch = as_dict(parsed(body))
        return batch, as_dict(batch.get("metadata"))

    async def results(self, batch_id: str) -> list[BatchResult]:
        """All lines of its result file; none if it expired, since it then has no file."""
        batch, metadata = await self._retrieve(batch_id)
        output = as_dict(metadata.get("output")) or as_dict(batch.get("response"))
        file_id = output.get("responsesFile")
        if not isinstance(file_id, str):
            return []
        work = self._api.files.download(file=file_id)
        content = await self._connection.tried(work, FILE_S)
        return await asyncio.to_thread(self._lines, content)

    def _lines(self, content: bytes) -> list[BatchResult]:
        found = []
        for line in jsonl(content):
            key, response = line.get("key"), line.get("response")
            if not isinstance(key, str):
                continue
            if isinstance(response, dict):
                found.append(BatchResult(key, self._connection.peer.body(json.dumps(response).encode()), None))
            else:
                error = as_dict(line.get("error") or line.get("status"))
                what = self._connection.peer.clean(str(error.get("message") or error.get("code") or "no reply"))
                found.append(BatchResult(key, None, what, expired=error.get("code") == CANCELLED))
        return found

    async def cancel(self, batch_id: str) -> None:
        """Ask the provider to stop it."""
        await self._connection.tried(self._api.batches.cancel(name=batch_id), CALL_S)


def _state(metadata: dict[str, Any]) -> str:
    return str(metadata.get("state", "UNSPECIFIED")).removeprefix("BATCH_STATE_").removeprefix("JOB_STATE_")


def _batch_path(batch_id: str) -> str:
    path = model_path(batch_id)
    return path if path.startswith("batches/") else f"batches/{batch_id}"


def _count(stated: Any) -> int:
    """A count, which this API writes as a string."""
    return tokens(int(stated) if isinstance(stated, str) and stated.isdecimal() else stated)
