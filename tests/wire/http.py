"""HTTP/1.1 on an asyncio protocol: one request after the other on a connection, an answer when it is due.

Lean, because it shares two cores with what it measures."""

import asyncio
import json
import socket
import struct
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, NamedTuple

import httptools

from tests.wire.ledger import Entry, Ledger
from tests.wire.script import Fault


class Request(NamedTuple):
    """A request that arrived whole; header names in lower case."""

    method: str
    path: str
    query: str
    headers: dict[str, str]
    body: bytes


class Answer(NamedTuple):
    """What to send, when, and the ledger's entry that it ends.  `fault`: RESET, STALL or TRUNCATED."""

    status: int
    headers: dict[str, str]
    body: bytes
    delay_s: float = 0
    entry: Entry | None = None
    fault: Fault | None = None


def as_json(status: int, body: object, headers: dict[str, str] | None = None) -> Answer:
    """An answer of JSON."""
    return Answer(status, headers or {}, json.dumps(body).encode())


Handler = Callable[[Request, "Connection"], Answer | None]


class Connection(asyncio.Protocol):
    """One connection.  A handler that returns None answers later through `answer`."""

    def __init__(self, handler: Handler, ledger: Callable[[], Ledger]) -> None:
        self._handler, self._ledger = handler, ledger
        self._entry: tuple[Ledger, Entry] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._parser: Any = httptools.HttpRequestParser(self)
        self._transport: asyncio.Transport
        self._reset()

    def _reset(self) -> None:
        self._url = b""
        self._headers: dict[str, str] = {}
        self._body: list[bytes] = []

    # asyncio

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.set_write_buffer_limits(0)  # resume_writing then means that all was taken
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserError:
            self._transport.abort()

    def resume_writing(self) -> None:
        self._taken()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        if self._timer is not None:
            self._timer.cancel()
        if self._entry is not None:
            book, entry = self._entry
            self._entry = None
            book.abandon(entry)

    # httptools

    def on_url(self, url: bytes) -> None:
        self._url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        self._headers[name.decode("latin-1").lower()] = value.decode("latin-1")

    def on_body(self, body: bytes) -> None:
        self._body.append(body)

    def on_message_complete(self) -> None:
        path, _, query = self._url.decode("latin-1").partition("?")
        method = self._parser.get_method().decode("ascii")
        request = Request(method, path, query, self._headers, b"".join(self._body))
        self._reset()
        answer = self._handler(request, self)
        if answer is not None:
            self.answer(answer)

    # answers

    def answer(self, answer: Answer) -> None:
        """Send the answer when it is due."""
        if answer.entry is not None:
            self._entry = (self._ledger(), answer.entry)
        if answer.fault is Fault.STALL:
            return
        if answer.delay_s:
            self._timer = asyncio.get_running_loop().call_later(answer.delay_s, self._send, answer)
        else:
            self._send(answer)

    def _send(self, answer: Answer) -> None:
        self._timer = None
        if answer.fault is Fault.RESET:
            self._fail()
            sock = self._transport.get_extra_info("socket")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self._transport.abort()
            return
        cut = answer.fault is Fault.TRUNCATED
        if cut:
            self._fail()
        body = answer.body[: len(answer.body) // 2] if cut else answer.body
        self._transport.write(_head(answer) + body)
        if cut:
            self._transport.close()
        elif not self._transport.get_write_buffer_size():
            self._taken()

    def _taken(self) -> None:
        """The kernel took the whole answer."""
        if self._entry is not None and self._timer is None:
            book, entry = self._entry
            self._entry = None
            book.written(entry)

    def _fail(self) -> None:
        if self._entry is not None:
            book, entry = self._entry
            self._entry = None
            book.failed(entry)


def _head(answer: Answer) -> bytes:
    lines = [f"HTTP/1.1 {answer.status} {HTTPStatus(answer.status).phrase}"]
    headers = {"content-type": "application/json", **answer.headers, "content-length": str(len(answer.body))}
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")
