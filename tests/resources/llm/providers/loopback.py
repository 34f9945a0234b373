"""A small HTTP server on loopback that answers what a test tells it to, and keeps what it was asked."""

import asyncio
import json
from collections.abc import Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Asked:
    """A request as it came over the socket; header names in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Answer:
    """What is sent back.  cut: so many bytes of the body are held back and the connection is closed.  reset: the
    connection is reset in place of an answer.  stall: nothing comes."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    cut: int = 0
    reset: bool = False
    stall: bool = False
    raw: bytes | None = None


def as_json(value: Any, status: int = 200, **headers: str) -> Answer:
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return Answer(json.dumps(value).encode(), status, {"content-type": "application/json", **named})


@dataclass
class Server:
    url: str
    asked: list[Asked] = field(default_factory=list)


@asynccontextmanager
async def serving(answer: Callable[[Asked], Answer]):
    """A server while the block runs."""
    server = Server("")
    open_writers: set[asyncio.StreamWriter] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        open_writers.add(writer)
        try:
            while (asked := await _request(reader)) is not None:
                server.asked.append(asked)
                if not await _send(answer(asked), writer):
                    break
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    listening = await asyncio.start_server(serve, "127.0.0.1", 0, limit=2**24)
    host, port = listening.sockets[0].getsockname()
    server.url = f"http://{host}:{port}"
    try:
        yield server
    finally:
        listening.close()
        for writer in open_writers:
            writer.transport.abort()


async def _request(reader: asyncio.StreamReader) -> Asked | None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.rstrip().split("\r\n")
    method, path, _ = first.split(" ")
    headers = {name.lower(): value.strip() for name, value in (line.split(":", 1) for line in lines)}
    body = await _body(reader, headers)
    return Asked(method, path, headers, body)


async def _body(reader: asyncio.StreamReader, headers: dict[str, str]) -> bytes:
    if headers.get("transfer-encoding") != "chunked":
        return await reader.readexactly(int(headers.get("content-length", 0)))
    body = b""
    while size := int((await reader.readline()).strip(), 16):
        body += await reader.readexactly(size)
        await reader.readline()
    await reader.readline()
    return body


async def _send(answer: Answer, writer: asyncio.StreamWriter) -> bool:
    """Whether the connection stays open."""
    if answer.stall:
        await asyncio.Event().wait()
    if answer.reset:
        writer.transport.abort()
        return False
    if answer.raw is not None:
        writer.write(answer.raw)
        await writer.drain()
        return False
    headers = {"content-length": str(len(answer.body)), **answer.headers}
    head = f"HTTP/1.1 {answer.status} Said\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    writer.write(head.encode() + b"\r\n" + answer.body[: len(answer.body) - answer.cut])
    await writer.drain()
    return answer.cut == 0
