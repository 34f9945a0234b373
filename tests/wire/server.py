"""A server of the two wire formats, in a process of its own:  python -m tests.wire.server

It says its port on stdout, listens on the loopback address only, and ends when its stdin does: with its parent."""

import asyncio
import json
import sys
from typing import Any

from tests.wire.dialects import Dialect, Google, OpenAi
from tests.wire.google_api import PREFIX, GoogleFiles
from tests.wire.http import Answer, Connection, Request, as_json
from tests.wire.ledger import Ledger
from tests.wire.openai_api import OpenAiFiles
from tests.wire.samples import NoSample
from tests.wire.script import PAID_FAULTS, Fault, Script, delay_s, fault_for

_HTTP_ERRORS = frozenset(
    {
        Fault.RATE_LIMITED,
        Fault.RATE_LIMITED_SILENT,
        Fault.QUOTA,
        Fault.SERVER_ERROR,
        Fault.UNAVAILABLE,
        Fault.BAD_REQUEST,
        Fault.UNAUTHORIZED,
    }
)
_OPENAI, _GOOGLE = OpenAi(), Google()


class Server:
    """Everything the server knows: its script, its ledger, files and batches."""

    def __init__(self) -> None:
        self.script, self.ledger = Script(), Ledger()
        self._openai, self._google = OpenAiFiles(), GoogleFiles()
        self._waiting: list[tuple[str, int, Connection]] = []
        self._began = 0.0

    def connection(self) -> Connection:
        return Connection(self.handle, lambda: self.ledger)

    def now_s(self) -> float:
        """Seconds since the last reset."""
        return asyncio.get_running_loop().time() - self._began

    def handle(self, request: Request, connection: Connection) -> Answer | None:
        """The answer to any request; None if it comes later."""
        path = request.path
        if path.startswith("/admin/"):
            return self._admin(request, connection)
        google = path.startswith(f"{PREFIX}/")
        dialect: Dialect = _GOOGLE if google else _OPENAI
        if self.script.api_key is not None and dialect.key_of(request.headers) != self.script.api_key:
            return _error(dialect, Fault.UNAUTHORIZED, self.script)
        if path == "/v1/chat/completions" and request.method == "POST":
            return self._ask(dialect, "", request)
        if google and path.endswith(":generateContent"):
            return self._ask(dialect, path.rpartition("/")[2].removesuffix(":generateContent"), request)
        if path == "/v1/models":
            return as_json(200, {"object": "list", "data": [{"id": "wire", "object": "model"}]})
        return (self._google if google else self._openai).handle(request, self.script, self.ledger, self.now_s())

    def _ask(self, dialect: Dialect, model: str, request: Request) -> Answer:
        """A question to a model: book it, decide its fault, answer."""
        try:
            body = json.loads(request.body)
            model = model or body["model"]
        except (ValueError, KeyError, TypeError):
            return _error(dialect, Fault.BAD_REQUEST, self.script)
        content = dialect.content(model, body)
        entry = self.ledger.arrive(content, self.now_s())
        fault = fault_for(self.script, content, entry.attempt, request.body)
        if fault is Fault.SCHEMA and dialect.schema_of(body) is None:
            fault = None  # there is no schema to break
        try:
            answer = _answer(dialect, model, body, content, fault, self.script)
        except NoSample as err:
            fault, answer = Fault.BAD_REQUEST, as_json(400, {"error": {"message": str(err), "code": 400}})
        entry.outcome = fault or "ok"
        entry.charged = fault is None or fault in PAID_FAULTS
        self._wake()
        return answer._replace(delay_s=delay_s(self.script, content, request.body), entry=entry)

    # what tests ask

    def _admin(self, request: Request, connection: Connection) -> Answer | None:  # noqa: PLR0911 - routes
        match request.method, request.path.removeprefix("/admin/"):
            case "GET", "totals":
                return as_json(200, self.ledger.totals())
            case "GET", "entries":
                return as_json(200, [entry.as_dict() for entry in self.ledger.entries])
            case "POST", "script":
                self.script = Script.model_validate_json(request.body)
                return as_json(200, {})
            case "POST", "reset":
                self.ledger, self._began = Ledger(), asyncio.get_running_loop().time()
                self._openai, self._google = OpenAiFiles(), GoogleFiles()
                return as_json(200, {})
            case "GET", "wait":
                name, _, count = request.query.partition("=")
                if name not in ("arrived", "answered"):
                    return as_json(404, {"error": f"no such count: {name}"})
                self._waiting.append((name, int(count), connection))
                self._wake()
                return None
        return as_json(404, {"error": f"no such page: {request.path}"})

    def _wake(self) -> None:
        """Answer those who wait for a count that is reached."""
        if self._waiting:
            now = {"arrived": len(self.ledger.entries), "answered": self.ledger.answered}
            due = [waiter for waiter in self._waiting if now[waiter[0]] >= waiter[1]]
            self._waiting = [waiter for waiter in self._waiting if now[waiter[0]] < waiter[1]]
            for _, _, connection in due:
                connection.answer(as_json(200, now))


def _error(dialect: Dialect, fault: Fault, script: Script) -> Answer:
    error = dialect.error(fault, script)
    return as_json(error.status, error.body, error.headers)


def _answer(
    dialect: Dialect, model: str, body: dict[str, Any], content: str, fault: Fault | None, script: Script
) -> Answer:
    if fault in _HTTP_ERRORS:
        assert fault is not None
        return _error(dialect, fault, script)
    kept = fault if fault in PAID_FAULTS or fault is Fault.EMPTY else None
    answer = as_json(200, dialect.reply(model, body, content, kept))
    if fault is Fault.WRONG_JSON:
        return answer._replace(body=answer.body[:-20])
    return answer._replace(fault=fault) if fault in (Fault.RESET, Fault.STALL, Fault.TRUNCATED) else answer


async def _until_parent_ends() -> None:
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    await reader.read()


async def main() -> None:
    """Serve until stdin ends."""
    server = Server()
    listener = await asyncio.get_running_loop().create_server(server.connection, "127.0.0.1", 0, backlog=1024)
    print(listener.sockets[0].getsockname()[1], flush=True)
    await _until_parent_ends()
    listener.close()


if __name__ == "__main__":
    asyncio.run(main())
