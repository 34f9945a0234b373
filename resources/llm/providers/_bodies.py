"""What the wire formats share: bodies read without trust, counts without nonsense, media loaded off the event loop."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

from pydantic_core import from_json

from resources.llm.calls import Call
from resources.llm.faults import ProviderFault
from resources.llm.providers import LoadMedia, Usage
from stepforge.vocabulary import ModelFailureKind

MAX_TOKENS = 10**9


def unsendable(what: str) -> ProviderFault:
    """A call that the API cannot take; nothing was sent."""
    return ProviderFault(ModelFailureKind.BAD_REQUEST, what, retryable=False)


def no_reply(what: str, usage: Usage | None = None) -> ProviderFault:
    """A body that is no usable reply.  usage: the tokens that it states."""
    billed = usage if usage is not None and any(usage) else None
    return ProviderFault(ModelFailureKind.PROVIDER_ERROR, what, retryable=True, billed=billed)


def parsed(body: bytes) -> Any:
    """The JSON of a body.  Raises: ProviderFault."""
    try:
        return from_json(body)
    except ValueError:
        pass
    try:
        return json.loads(body)  # takes halves of surrogate pairs
    except (ValueError, RecursionError):
        shown = body[:80].decode("utf-8", "replace")
    raise no_reply(f"the reply is not JSON: {len(body)} bytes that begin with {shown!r}")


def parsed_or_none(body: bytes) -> Any:
    """The JSON of a body, None if it is none."""
    try:
        return from_json(body)
    except ValueError:
        return None


def jsonl(content: bytes) -> Iterator[dict[str, Any]]:
    """The objects of a file of JSON lines; damaged lines are left out, as their calls then have no reply.
    Raises: ProviderFault if the file ends inside a line, since then it was not received whole."""
    lines = content.split(b"\n")
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            value = parsed(line)
        except ProviderFault:
            if number == len(lines):
                raise no_reply("the result file ends inside a line; it was not received whole") from None
            continue
        if isinstance(value, dict):
            yield value


def whole(text: str) -> str:
    """The text without halves of surrogate pairs, which no file takes."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def tokens(count: Any) -> int:
    """A number of tokens as a provider states it; 0 where it states none or nonsense."""
    sane = isinstance(count, int | float) and 0 <= count <= MAX_TOKENS
    return int(count) if sane else 0


def as_dict(value: Any) -> dict[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


async def media_of(call: Call, load: LoadMedia) -> dict[str, bytes]:
    """The content of every image and audio file of a call by its sha256."""
    wanted = {part.sha256 for message in call.request.messages for part in message.parts if part.sha256}
    return {sha256: await asyncio.to_thread(load, sha256) for sha256 in sorted(wanted)}
