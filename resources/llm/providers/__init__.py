"""Model providers, one file each: a call out, the raw reply back.

A provider neither retries, waits, stores nor counts money; it sends one call once and says in types what came of it.
Adding one is adding a file here that registers a `ProviderKind`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, NamedTuple, Protocol

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from resources.llm.calls import Call
from stepforge.registry import Registry
from stepforge.vocabulary import Finish


class Usage(NamedTuple):
    """Tokens of a reply as the provider counts them: `cached`, `cache_written` and `audio` of those that went in (no
    token in two of them), `reasoning` of those that came out.  The store keeps the first four; the others only bear on
    the cost, which is kept too."""

    tokens_in: int = 0
    cached: int = 0
    tokens_out: int = 0
    reasoning: int = 0
    cache_written: int = 0
    audio: int = 0


class Read(NamedTuple):
    """A raw reply as read: what the model wrote and why it stopped."""

    text: str
    finish: Finish
    usage: Usage


class ProviderSettings(BaseModel):
    """How a provider is reached, from `[providers.NAME]` of models.toml; the key itself comes from the environment and
    is no part of this."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: str = Field(description="a file of resources/llm/providers: openai, google, local")
    base_url: str | None = Field(default=None, description="for a compatible server: vLLM, DeepSeek, llama.cpp, …")
    api_key_env: str | None = Field(default=None, description="environment variable that holds the key")
    batch: bool = Field(default=True, description="whether the server has the batch API of its kind")
    structured: Literal["json_schema", "json_object"] = Field(
        default="json_schema",
        description="how an openai server is held to a schema; json_object: it knows none and is told it (DeepSeek)",
    )
    token_limit_name: Literal["max_tokens", "max_completion_tokens"] | None = Field(
        default=None, description="what an openai server calls the limit; default: max_tokens where base_url is set"
    )


# Content of an image or an audio file by its sha256; loaded when a call is sent, not before.
LoadMedia = Callable[[str], bytes]


class BatchState(StrEnum):
    """What has become of a batch at the provider."""

    RUNNING = "running"
    ENDED = "ended"  # completed, expired or cancelled: some or all of its replies are there
    FAILED = "failed"  # refused as a whole: none will come


class BatchStatus(NamedTuple):
    """State of a batch, with what the provider says of a failure."""

    state: BatchState
    done: int
    total: int
    detail: str = ""


class BatchResult(NamedTuple):
    """One line of a batch's output: the raw reply, or the error, of the call that was sent under `key`.
    `expired`: the provider never ran it, so it can be sent again and cost nothing."""

    key: str
    body: bytes | None
    error: str | None
    expired: bool = False


class BatchApi(Protocol):
    """A provider's batch API.  Calls are matched by their key, never by position.  All methods raise ProviderFault."""

    async def upload(self, job_id: str, calls: Sequence[Call]) -> str:
        """Send the file of requests; the provider's id of the file."""
        ...

    async def create(self, job_id: str, file_id: str, model: str) -> str:
        """Start the batch under the name `job_id`; the provider's id of it."""
        ...

    async def find(self, job_id: str) -> str | None:
        """The provider's id of a batch that was started under that name: whoever died between starting it and writing
        the id down finds it again instead of paying twice."""
        ...

    async def status(self, batch_id: str) -> BatchStatus:
        """What has become of it."""
        ...

    async def results(self, batch_id: str) -> list[BatchResult]:
        """All lines of its output and error files; in any order, possibly not one for every call."""
        ...

    async def cancel(self, batch_id: str) -> None:
        """Ask the provider to stop it."""
        ...


class Provider(Protocol):
    """An open connection to a provider, used from one event loop."""

    async def send(self, call: Call, timeout_s: float) -> bytes:
        """The body of a complete reply (HTTP 200), as received.  Raises: ProviderFault."""
        ...

    @property
    def batch(self) -> BatchApi | None:
        """Its batch API, if it has one."""
        ...

    async def close(self) -> None:
        """Give back connections and processes."""
        ...


@dataclass(frozen=True)
class ProviderKind:
    """A registered kind of provider.  `open` is called inside the event loop that will use it.
    read: what a raw body says; needs no connection, since stored replies are read, too.  Raises: ProviderFault
    (retryable) if it is no reply of this API: not JSON, no choices.
    reads: the kinds of parts (text, image, audio) that it can send.  needs_key: whether a key must be in the
    environment when no base_url is given."""

    name: str
    open: Callable[[ProviderSettings, SecretStr | None, LoadMedia, int], Provider]  # … , number of connections
    read: Callable[[bytes], Read]
    reads: frozenset[str]
    default_key_env: str | None
    installed: Callable[[], str | None] = lambda: None  # how to install what is missing; None if nothing is


PROVIDERS: Registry[ProviderKind] = Registry("resources.llm.providers")
