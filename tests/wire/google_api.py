"""Files and batches as the Gemini API shows them."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qs

from tests.wire.batches import Asked, Batch, Desk, File, Files, Line
from tests.wire.dialects import Google
from tests.wire.http import Answer, Request, as_json
from tests.wire.ledger import Ledger
from tests.wire.script import Fault, Script

PREFIX = "/google"  # both APIs have a /v1/files
_TIME = "2026-04-18T12:00:00Z"
_STATES = {
    "ended": "BATCH_STATE_SUCCEEDED",
    "expired": "BATCH_STATE_EXPIRED",
    "failed": "BATCH_STATE_FAILED",
    "cancelled": "BATCH_STATE_CANCELLED",
}


class GoogleFiles:
    """`/v1/files`, `/upload/v1/files` (the resumable protocol) and `/v1/batches`, of any version."""

    def __init__(self) -> None:
        self.files = Files()
        self.desk = Desk(Google(), "batches/b", self._write, whole=True)  # no results of an expired job
        self._uploads: dict[str, tuple[dict[str, str], bytearray]] = {}

    def handle(  # noqa: PLR0911 - a table of routes
        self, request: Request, script: Script, ledger: Ledger, now_s: float
    ) -> Answer:
        """The answer to a request for files and batches."""
        _, version, path = request.path.removeprefix(PREFIX).split("/", 2)
        match request.method, path.split("/"):
            case "POST", [_, "files"] if version == "upload":
                return self._upload(request)
            case "GET", ["files", name] if name.endswith(":download"):
                return self._download(name)
            case "GET", ["files", _] if path in self.files.by_id:
                return as_json(200, _file(self.files.by_id[path], request))
            case "DELETE", ["files", _] if path in self.files.by_id:
                del self.files.by_id[path]
                return as_json(200, {})
            case "GET", ["files"]:
                return as_json(200, _page("files", [_file(f, request) for f in self.files.by_id.values()], request))
            case "POST", ["models", name] if name.endswith(":batchGenerateContent"):
                model = name.removesuffix(":batchGenerateContent")
                return self._create(model, json.loads(request.body)["batch"], script, ledger, now_s)
            case "GET", ["batches"]:
                return as_json(200, _page("operations", [_batch(b) for b in self.desk.batches.values()], request))
            case "GET", ["batches", _] if path in self.desk.batches:
                self.desk.poll(self.desk.batches[path], script, ledger)
                return as_json(200, _batch(self.desk.batches[path]))
            case "POST", ["batches", _] if path.removesuffix(":cancel") in self.desk.batches:
                self.desk.cancel(self.desk.batches[path.removesuffix(":cancel")], script, ledger)
                return as_json(200, {})
        return _refusal(404, "NOT_FOUND", f"{request.path} is not found")

    def _upload(self, request: Request) -> Answer:
        """One step of the resumable protocol: start, upload, finalize, query."""
        command = request.headers.get("x-goog-upload-command", "")
        if "start" in command:
            return self._start(request)
        named, content = self._uploads[parse_qs(request.query)["upload_id"][0]]
        if "query" in command:
            return Answer(
                200, {"x-goog-upload-status": "active", "x-goog-upload-size-received": str(len(content))}, b""
            )
        if int(request.headers.get("x-goog-upload-offset", "0")) != len(content):
            return _refusal(400, "INVALID_ARGUMENT", f"the upload goes on at offset {len(content)}")
        content += request.body
        if "finalize" not in command:
            return Answer(200, {"x-goog-upload-status": "active"}, b"")
        if len(content) != int(named["length"]):
            return _refusal(400, "INVALID_ARGUMENT", "the file is not as long as was said")
        file = self.files.add("files/f", named["title"], named["kind"], bytes(content))
        return as_json(200, {"file": _file(file, request)}, {"x-goog-upload-status": "final"})

    def _start(self, request: Request) -> Answer:
        if request.headers.get("x-goog-upload-protocol") != "resumable":
            return _refusal(400, "INVALID_ARGUMENT", "X-Goog-Upload-Protocol is not resumable")
        upload_id = f"u{len(self._uploads) + 1:06d}"
        meta = json.loads(request.body or b"{}").get("file", {})
        kind = request.headers.get("x-goog-upload-header-content-type", "")
        length = request.headers["x-goog-upload-header-content-length"]
        named = {"name": meta.get("name", ""), "title": meta.get("displayName", ""), "kind": kind, "length": length}
        self._uploads[upload_id] = (named, bytearray())
        url = f"http://{request.headers['host']}{request.path}?upload_id={upload_id}&upload_protocol=resumable"
        return Answer(200, {"x-goog-upload-url": url, "x-goog-upload-status": "active"}, b"")

    def _download(self, name: str) -> Answer:
        file = self.files.by_id.get(f"files/{name.removesuffix(':download')}")
        # an uploaded file cannot be read back, only one that the service made
        if file is None or not file.made:
            return _refusal(404, "NOT_FOUND", f"{name} cannot be downloaded")
        return Answer(200, {"content-type": "application/octet-stream"}, file.content)

    def _create(self, model: str, asked: dict[str, Any], script: Script, ledger: Ledger, now_s: float) -> Answer:
        source = asked["inputConfig"]
        file = self.files.by_id.get(source.get("fileName", ""))
        if file is not None:
            rows = [json.loads(line) for line in file.content.splitlines() if line.strip()]
        elif "requests" in source:
            rows = [{"key": r.get("metadata", {}).get("key", ""), **r} for r in source["requests"]["requests"]]
        else:
            return _refusal(400, "INVALID_ARGUMENT", "inputConfig names no uploaded file and holds no requests")
        lines = [Asked(row["key"], model, row["request"]) for row in rows]
        trouble = "" if len({a.key for a in lines}) == len(lines) else "The key of a line is used twice"
        batch = self.desk.create(
            lines,
            script,
            ledger,
            now_s,
            input_file=source.get("fileName", ""),
            title=asked.get("displayName", ""),
            extra={},
            trouble=trouble,
        )
        answer = as_json(200, _batch(batch))
        return answer._replace(fault=Fault.RESET) if batch.script.lose_create_reply else answer

    def _write(self, batch: Batch, lines: Sequence[Line]) -> None:
        content = b"".join(json.dumps(_output(line)).encode() + b"\n" for line in lines)
        file = self.files.add("files/batch-", f"output of {batch.id}", "application/jsonl", content, made=True)
        batch.files["output"] = file.id


def _output(line: Line) -> dict[str, Any]:
    if line.error:
        error = line.error.body["error"]
        return {"key": line.key, "error": {"code": error["code"], "message": error["message"]}}
    return {"key": line.key, "response": line.reply}


def _file(file: File, request: Request) -> dict[str, Any]:
    uri = f"http://{request.headers['host']}{PREFIX}/v1beta/{file.id}"
    return {
        "name": file.id,
        "displayName": file.name,
        "mimeType": file.kind,
        "sizeBytes": str(len(file.content)),
        "createTime": _TIME,
        "updateTime": _TIME,
        "expirationTime": "2026-04-20T12:00:00Z",
        "sha256Hash": hashlib.sha256(file.content).hexdigest(),
        "uri": uri,
        "state": "ACTIVE",
        "source": "GENERATED" if file.made else "UPLOADED",
        **({"downloadUri": f"{uri}:download?alt=media"} if file.made else {}),
    }


def _batch(batch: Batch) -> dict[str, Any]:
    failed = sum(line.error is not None for line in batch.lines) if batch.state == "ended" else 0
    running = "BATCH_STATE_PENDING" if batch.polls == 0 else "BATCH_STATE_RUNNING"
    output = {"responsesFile": batch.files["output"]} if "output" in batch.files else {}
    done = batch.done if batch.state in ("running", "ended") else 0
    stats = {"requestCount": len(batch.lines), "pendingRequestCount": len(batch.lines) - done}
    if batch.state == "ended":
        stats |= {"successfulRequestCount": done - failed, "failedRequestCount": failed}
    metadata = {
        "@type": "type.googleapis.com/google.ai.generativelanguage.v1main.GenerateContentBatch",
        "name": batch.id,
        "model": f"models/{batch.model}",
        "displayName": batch.title,
        "state": _STATES.get(batch.state, running),
        "createTime": _TIME,
        "updateTime": _TIME,
        "batchStats": {name: str(count) for name, count in stats.items()},
        **({"output": output} if output else {}),
    }
    operation: dict[str, Any] = {"name": batch.id, "metadata": metadata, "done": batch.state != "running"}
    if batch.state == "failed":
        operation["error"] = {"code": 3, "message": batch.trouble}
    if output:
        operation["response"] = output
    return operation


def _page(name: str, items: list[dict[str, Any]], request: Request) -> dict[str, Any]:
    """A page of the items, newest first."""
    wanted = parse_qs(request.query)
    size, start = int(wanted.get("pageSize", ["10"])[0]), int(wanted.get("pageToken", ["0"])[0])
    items = items[::-1]
    more = {"nextPageToken": str(start + size)} if len(items) > start + size else {}
    return {name: items[start : start + size], **more}


def _refusal(status: int, name: str, message: str) -> Answer:
    return as_json(status, {"error": {"code": status, "message": message, "status": name}})
