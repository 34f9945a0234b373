"""OpenAI's batch API: a file of requests up, an output file and an error file down, lines matched by `custom_id`."""

import asyncio
import json
from collections.abc import Sequence
from typing import Final

from openai.types import Batch

from resources.llm.calls import Call
from resources.llm.providers import BatchResult, BatchState, BatchStatus
from resources.llm.providers._bodies import jsonl, unsendable
from resources.llm.providers._openai_client import Connection
from resources.llm.providers._openai_wire import error_of

ENDPOINT: Final = "/v1/chat/completions"
JOB = "stepforge_job"  # key of the metadata by which a batch is found again
MAX_CALLS, MAX_BYTES = 50_000, 200 * 1024**2  # the API's own limits of one batch
CALL_S, FILE_S = 60.0, 900.0
ENDED, FAILED = ("completed", "expired", "cancelled"), ("failed",)
NEVER_RAN = ("batch_expired", "batch_cancelled")


class OpenAIBatch:
    """The batch API over a connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection, self._client = connection, connection.client

    async def upload(self, job_id: str, calls: Sequence[Call]) -> str:
        """Send the file of requests; the provider's id of the file."""
        if len(calls) > MAX_CALLS:
            raise unsendable(f"{len(calls)} calls are more than the {MAX_CALLS} of one batch; make several")
        lines, size = [], 0
        for call in calls:
            body = await self._connection.body_of(call)
            entry = {"custom_id": call.key, "method": "POST", "url": ENDPOINT, "body": body}
            lines.append(json.dumps(entry, ensure_ascii=False).encode() + b"\n")
            size += len(lines[-1])
            if size > MAX_BYTES:
                raise unsendable(f"the {len(calls)} calls are larger than the 200 MiB of one batch; make several")
        work = self._client.files.create(file=(f"{job_id}.jsonl", b"".join(lines)), purpose="batch", timeout=FILE_S)
        return (await self._connection.tried(work, FILE_S)).id

    async def create(self, job_id: str, file_id: str, model: str) -> str:  # noqa: ARG002 - each line names it
        """Start the batch with the job's id in its metadata; the provider's id of it."""
        work = self._client.batches.create(
            input_file_id=file_id,
            endpoint=ENDPOINT,
            completion_window="24h",
            metadata={JOB: job_id},
            timeout=CALL_S,
        )
        return (await self._connection.tried(work, CALL_S)).id

    async def find(self, job_id: str) -> str | None:
        """The provider's id of the newest batch with that job's id."""
        return await self._connection.tried(self._search(job_id), FILE_S)

    async def _search(self, job_id: str) -> str | None:
        seen = set()
        async for batch in self._client.batches.list(limit=100, timeout=CALL_S):
            if (batch.metadata or {}).get(JOB) == job_id:
                return batch.id
            if batch.id in seen:  # a server without pages answers with the first one for ever
                return None
            seen.add(batch.id)
        return None

    async def status(self, batch_id: str) -> BatchStatus:
        """What has become of it."""
        batch = await self._retrieve(batch_id)
        state = BatchState.ENDED if batch.status in ENDED else BatchState.RUNNING
        counts = batch.request_counts
        return BatchStatus(
            BatchState.FAILED if batch.status in FAILED else state,
            done=counts.completed + counts.failed if counts else 0,
            total=counts.total if counts else 0,
            detail=self._connection.peer.clean(f"{batch.status} {_errors(batch)}"),
        )

    async def _retrieve(self, batch_id: str) -> Batch:
        return await self._connection.tried(self._client.batches.retrieve(batch_id, timeout=CALL_S), CALL_S)

    async def results(self, batch_id: str) -> list[BatchResult]:
        """All lines of its output and error files, of which either may be missing."""
        batch = await self._retrieve(batch_id)
        found: list[BatchResult] = []
        for file_id in (batch.output_file_id, batch.error_file_id):
            if file_id:
                work = self._client.files.content(file_id, timeout=FILE_S)
                content = (await self._connection.tried(work, FILE_S)).content
                found += await asyncio.to_thread(self._lines, content)
        return found

    def _lines(self, content: bytes) -> list[BatchResult]:
        found = []
        for line in jsonl(content):
            key, response, error = line.get("custom_id"), line.get("response"), line.get("error")
            if not isinstance(key, str):
                continue
            status = response.get("status_code") if isinstance(response, dict) else None
            body = response.get("body") if isinstance(response, dict) else None
            if status == 200 and isinstance(body, dict) and not error:
                found.append(BatchResult(key, self._connection.peer.body(json.dumps(body).encode()), None))
            else:
                said = error_of({"error": error} if error else body)
                what = self._connection.peer.clean(said.text or f"answered {status}")
                found.append(BatchResult(key, None, what, expired=bool(said.codes & set(NEVER_RAN))))
        return found

    async def cancel(self, batch_id: str) -> None:
        """Ask the provider to stop it."""
        await self._connection.tried(self._client.batches.cancel(batch_id, timeout=CALL_S), CALL_S)


def _errors(batch: Batch) -> str:
    errors = batch.errors.data if batch.errors else None
    return "; ".join(error.message or error.code or "" for error in (errors or [])[:5])
