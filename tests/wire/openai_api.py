"""Files and batches as OpenAI's API shows them."""

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qs

from tests.wire.batches import Asked, Batch, Desk, File, Files, Line
from tests.wire.dialects import CREATED, OpenAi
from tests.wire.http import Answer, Request, as_json
from tests.wire.ledger import Ledger
from tests.wire.script import Fault, Script

_ENDPOINT = "/v1/chat/completions"
_STATES = {"ended": "completed", "expired": "expired", "failed": "failed", "cancelled": "cancelled"}
_EXPIRED = {
    "code": "batch_expired",
    "message": "This request could not be executed before the completion window expired.",
}


class OpenAiFiles:
    """`/v1/files` and `/v1/batches`."""

    def __init__(self) -> None:
        self.files = Files()
        self.desk = Desk(OpenAi(), "batch_", self._write)

    def handle(  # noqa: PLR0911 - a table of routes
        self, request: Request, script: Script, ledger: Ledger, now_s: float
    ) -> Answer:
        """The answer to a request below /v1/files or /v1/batches."""
        match request.method, request.path.split("/")[2:]:
            case "POST", ["files"]:
                return as_json(200, _file(self._upload(request)))
            case "GET", ["files", file_id] if file_id in self.files.by_id:
                return as_json(200, _file(self.files.by_id[file_id]))
            case "DELETE", ["files", file_id] if file_id in self.files.by_id:
                del self.files.by_id[file_id]
                return as_json(200, {"id": file_id, "object": "file", "deleted": True})
            case "GET", ["files", file_id, "content"] if file_id in self.files.by_id:
                return Answer(200, {"content-type": "application/octet-stream"}, self.files.by_id[file_id].content)
            case "GET", ["files"]:
                return as_json(200, _page([_file(f) for f in self.files.by_id.values()], request.query, 10_000))
            case "POST", ["batches"]:
                return self._create(json.loads(request.body), script, ledger, now_s)
            case "GET", ["batches"]:
                return as_json(200, _page([_batch(b) for b in self.desk.batches.values()], request.query, 20))
            case "GET", ["batches", batch_id] if batch_id in self.desk.batches:
                self.desk.poll(self.desk.batches[batch_id], script, ledger)
                return as_json(200, _batch(self.desk.batches[batch_id]))
            case "POST", ["batches", batch_id, "cancel"] if batch_id in self.desk.batches:
                self.desk.cancel(self.desk.batches[batch_id], script, ledger)
                return as_json(200, _batch(self.desk.batches[batch_id]))
        return _refusal(404, f"No such object: {request.path}")

    def _upload(self, request: Request) -> File:
        parts = _multipart(request)
        name, content = parts["file"]
        return self.files.add("file-", name, parts["purpose"][1].decode(), content)

    def _create(self, asked: dict[str, Any], script: Script, ledger: Ledger, now_s: float) -> Answer:
        file = self.files.by_id.get(asked["input_file_id"])
        if file is None or asked["endpoint"] != _ENDPOINT or asked["completion_window"] != "24h":
            return _refusal(400, "input_file_id, endpoint or completion_window is not valid")
        lines, trouble = _read(file)
        batch = self.desk.create(
            lines,
            script,
            ledger,
            now_s,
            input_file=file.id,
            title="",
            extra=asked.get("metadata") or {},
            trouble=trouble,
        )
        answer = as_json(200, _batch(batch))
        return answer._replace(fault=Fault.RESET) if batch.script.lose_create_reply else answer

    def _write(self, batch: Batch, lines: Sequence[Line]) -> None:
        good = [_output(batch, n, line) for n, line in enumerate(lines) if line.reply and not line.expired]
        bad = [_output(batch, n, line) for n, line in enumerate(lines) if line.error or line.expired]
        for name, rows in (("output", good), ("error", bad)):
            if rows:
                content = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
                file = self.files.add("file-", f"{batch.id}_{name}.jsonl", "batch_output", content)
                batch.files[f"{name}_file_id"] = file.id


def _read(file: File) -> tuple[list[Asked], str]:
    """The lines of an input file, and why it is refused, "" if it is not."""
    lines = [json.loads(line) for line in file.content.splitlines() if line.strip()]
    asked = [Asked(line["custom_id"], line["body"]["model"], line["body"]) for line in lines]
    if file.kind != "batch":
        return asked, "The input file was not uploaded for batches"
    if len({a.key for a in asked}) < len(asked):
        return asked, "The custom_id of a line is used twice"
    if len({a.model for a in asked}) != 1:
        return asked, "A batch holds requests to one model"
    if any(line["url"] != _ENDPOINT or line["method"] != "POST" for line in lines):
        return asked, "The url of a line is not the endpoint of the batch"
    return asked, ""


def _output(batch: Batch, number: int, line: Line) -> dict[str, Any]:
    row: dict[str, Any] = {"id": f"batch_req_{batch.id}_{number}", "custom_id": line.key, "response": None}
    if line.expired:
        return {**row, "error": _EXPIRED}
    status, body = (line.error.status, line.error.body) if line.error else (200, line.reply)
    return {**row, "response": {"status_code": status, "request_id": f"req_{number}", "body": body}, "error": None}


def _file(file: File) -> dict[str, Any]:
    return {
        "id": file.id,
        "object": "file",
        "bytes": len(file.content),
        "created_at": CREATED,
        "filename": file.name,
        "purpose": file.kind,
        "status": "processed",
    }


def _batch(batch: Batch) -> dict[str, Any]:
    failed = sum(line.error is not None for line in batch.lines) if batch.state in ("ended", "expired") else 0
    running = "validating" if batch.polls == 0 else "in_progress"
    errors = [{"code": "invalid_request", "message": batch.trouble, "line": None, "param": None}]
    return {
        "id": batch.id,
        "object": "batch",
        "endpoint": _ENDPOINT,
        "model": batch.model,
        "input_file_id": batch.input_file,
        "completion_window": "24h",
        "status": _STATES.get(batch.state, running),
        "created_at": CREATED,
        "expires_at": CREATED + 86_400,
        "metadata": batch.extra,
        "errors": {"object": "list", "data": errors} if batch.state == "failed" else None,
        "request_counts": {"total": len(batch.lines), "completed": batch.done - failed, "failed": failed},
        "output_file_id": batch.files.get("output_file_id"),
        "error_file_id": batch.files.get("error_file_id"),
    }


def _page(items: list[dict[str, Any]], query: str, limit: int) -> dict[str, Any]:
    """A page of the items, newest first."""
    wanted = parse_qs(query)
    items = items[::-1]
    if "after" in wanted:
        items = items[[item["id"] for item in items].index(wanted["after"][0]) + 1 :]
    limit = int(wanted.get("limit", [str(limit)])[0])
    page = items[:limit]
    ends = {"first_id": page[0]["id"], "last_id": page[-1]["id"]} if page else {}
    return {"object": "list", "data": page, "has_more": len(items) > limit, **ends}


def _multipart(request: Request) -> dict[str, tuple[str, bytes]]:
    """Parts of a form: file name and content by field."""
    boundary = request.headers["content-type"].partition("boundary=")[2].strip('"').encode()
    parts = {}
    for part in request.body.split(b"--" + boundary)[1:-1]:
        head, _, content = part[2:-2].partition(b"\r\n\r\n")
        words = dict(w.strip().split("=", 1) for w in head.decode().replace("\r\n", ";").split(";") if "=" in w)
        parts[words["name"].strip('"')] = (words.get("filename", "").strip('"'), content)
    return parts


def _refusal(status: int, message: str) -> Answer:
    return as_json(
        status, {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": None}}
    )
