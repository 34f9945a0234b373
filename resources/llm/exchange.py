"""Replies as JSON Lines, for another store: one line a reply, byte for byte what was asked and what came back."""

import base64
import hashlib
import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Annotated

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from resources.llm._store_rows import MAX_COST_PICO, MAX_TOKENS, clean
from resources.llm.providers import Usage
from resources.llm.store import StoredReply
from stepforge.errors import BadInput

MAX_LINE_BYTES = 256 << 20  # no reply is so long; a file without line ends must not fill the memory

Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Tokens = Annotated[int, Field(ge=0, le=MAX_TOKENS)]


class ReplyLine(BaseModel):
    """One reply in a file.  `request` and `reply` are text where they are UTF-8, base64 under the other name where they
    are not."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    key: Sha256
    provider: str
    model: str
    prompt_id: str | None
    prompt_sha256: str | None
    batch_id: str | None
    created_at: AwareDatetime
    latency_s: float | None = Field(ge=0)
    tokens_in: Tokens
    tokens_cached: Tokens
    tokens_out: Tokens
    tokens_reasoning: Tokens
    cost_pico_usd: int | None = Field(ge=0, le=MAX_COST_PICO)
    request: str | None = None
    request_base64: str | None = None
    reply: str | None = None
    reply_base64: str | None = None

    def stored(self) -> StoredReply:
        """The reply.  Raises: ValueError if request or reply are missing or no base64, or the key is another one's."""
        canonical = _bytes("request", self.request, self.request_base64)
        if hashlib.sha256(canonical).hexdigest() != self.key:
            raise ValueError("the key is not the sha256 of the request; the line was changed since it was exported")
        return StoredReply(
            key=self.key,
            canonical=canonical,
            provider=clean(self.provider),
            model=clean(self.model),
            body=_bytes("reply", self.reply, self.reply_base64),
            usage=Usage(self.tokens_in, self.tokens_cached, self.tokens_out, self.tokens_reasoning),
            cost_pico_usd=self.cost_pico_usd,
            created_at=self.created_at,
            latency_s=self.latency_s,
            prompt_id=self.prompt_id,
            prompt_sha256=self.prompt_sha256,
            batch_id=self.batch_id,
        )


def _bytes(name: str, text: str | None, encoded: str | None) -> bytes:
    if (text is None) == (encoded is None):
        raise ValueError(f"it needs one of {name} and {name}_base64")
    if text is not None:
        return text.encode("utf-8")
    return base64.b64decode(encoded or "", validate=True)


def _text(name: str, data: bytes) -> dict[str, str]:
    try:
        return {name: data.decode("utf-8")}
    except UnicodeDecodeError:
        return {f"{name}_base64": base64.b64encode(data).decode("ascii")}


def dump(reply: StoredReply) -> bytes:
    """The reply as a line."""
    usage = reply.usage
    row = {
        "key": reply.key,
        "provider": reply.provider,
        "model": reply.model,
        "prompt_id": reply.prompt_id,
        "prompt_sha256": reply.prompt_sha256,
        "batch_id": reply.batch_id,
        "created_at": _iso(reply.created_at),
        "latency_s": reply.latency_s,
        "tokens_in": usage.tokens_in,
        "tokens_cached": usage.cached,
        "tokens_out": usage.tokens_out,
        "tokens_reasoning": usage.reasoning,
        "cost_pico_usd": reply.cost_pico_usd,
        **_text("request", reply.canonical),
        **_text("reply", reply.body),
    }
    return json.dumps(row, ensure_ascii=False).encode("utf-8") + b"\n"


def _iso(when: datetime) -> str:
    return when.isoformat().replace("+00:00", "Z")


def load(path: Path) -> Iterator[StoredReply]:
    """The replies of a file, one line in memory at a time.  Raises: BadInput with file and line at the first line that
    holds no reply, or one whose key does not fit its request."""
    with path.open("rb") as lines:
        for number in range(1, 1 << 62):
            line = lines.readline(MAX_LINE_BYTES)
            if not line:
                return
            if len(line) == MAX_LINE_BYTES:
                raise BadInput(f"{path}:{number}: a line of more than {MAX_LINE_BYTES >> 20} MB is no reply")
            if line.strip():
                yield _loaded(line, f"{path}:{number}")


def _loaded(line: bytes, where: str) -> StoredReply:
    try:
        return ReplyLine.model_validate_json(line).stored()
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        field = ".".join(map(str, first["loc"]))
        told = f"{field}: {first['msg']}" if field else first["msg"]
        raise BadInput(f"{where}: no line of `stepforge replies export`: {told}") from None
    except ValueError as error:
        raise BadInput(f"{where}: {error}") from None
