"""What the connections share: an HTTP client with limits, and faults named from what came back.

No fault holds the key: what a server answered is searched for it, and exceptions of the HTTP libraries, which carry the
request with its headers, are neither kept nor chained.
"""

import asyncio
import email.utils
import math
import re
import time
from collections.abc import AsyncIterator, Awaitable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import urlsplit

import aiohttp
import httpx2
import openai
from pydantic import SecretStr

from resources.llm.faults import ProviderFault
from resources.llm.providers import ProviderSettings
from stepforge.errors import BadInput
from stepforge.vocabulary import ModelFailureKind

CONNECT_S = 15.0
MAX_REPLY_BYTES = 64 * 1024**2
MAX_FILE_BYTES = 2 * 1024**3  # a batch's output: 50,000 replies
COMPRESSED_SHARE = 128  # no encoding is asked for; one that comes all the same may unfold about a thousandfold
MAX_DETAIL = 400
MIN_SECRET = 8  # a shorter "key" (EMPTY, none) is a placeholder of a server without keys

# What can come out of a call through a provider's SDK, besides the SDK's own errors.
TRANSPORT_ERRORS = (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, aiohttp.ClientError, OSError, EOFError)


T = TypeVar("T")


class ReplyTooLarge(Exception):
    """A server sends more than any reply holds."""


class _Capped(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream, limit: int) -> None:
        self._stream, self._left = stream, limit

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._stream:
            self._left -= len(chunk)
            if self._left < 0:
                raise ReplyTooLarge
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


async def _cap(response: httpx2.Response) -> None:
    stream = response.stream
    if isinstance(stream, httpx2.AsyncByteStream):
        of_file = response.request.method == "GET" and "/files/" in response.request.url.path
        limit = MAX_FILE_BYTES if of_file else MAX_REPLY_BYTES
        if response.headers.get("content-encoding", "identity") != "identity":
            limit //= COMPRESSED_SHARE
        response.stream = _Capped(stream, limit)


def http_client(connections: int, *, loopback: bool = False) -> httpx2.AsyncClient:
    """An HTTP client over aiohttp (half the CPU of the SDKs' own) with that many connections.  loopback: the server is
    on this machine, whatever proxy the environment names."""
    return openai.DefaultAioHttpClient(
        limits=httpx2.Limits(max_connections=connections, max_keepalive_connections=connections),
        headers={"Accept-Encoding": "identity"},
        event_hooks={"response": [_cap]},
        follow_redirects=False,
        trust_env=not loopback,
    )


def limits(timeout_s: float) -> httpx2.Timeout:
    """The time limits of one call, besides the deadline of the whole."""
    return httpx2.Timeout(timeout_s, connect=min(timeout_s, CONNECT_S))


def checked_url(url: str) -> str:
    """A base URL that can be used and printed.  Raises: BadInput."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadInput(f"base_url {_printable(url)!r} is no URL; write it as http(s)://host[:port]/path")
    if parts.username is not None or parts.password is not None:
        raise BadInput(
            f"base_url of {parts.hostname} holds a user name or a password; name the environment variable that holds "
            "the key with api_key_env"
        )
    return url


def checked_key(key: SecretStr | None, key_env: str | None) -> SecretStr | None:
    """The key without the white space around it.  Raises: BadInput if it cannot be sent in a header."""
    value = key.get_secret_value().strip() if key else ""
    if not value:
        return None
    if not (value.isascii() and value.isprintable() and " " not in value):
        raise BadInput(f"the key in {key_env or 'the environment'} holds a character that no key has; set it anew")
    return SecretStr(value)


def _printable(url: str) -> str:
    return re.sub(r"//[^/@]*@", "//…@", url)[:200]


@dataclass(frozen=True)
class Peer:
    """The other side of a connection.  `name` is for people; `key_env`: the variable that holds the key."""

    name: str
    key_env: str | None
    key: SecretStr | None

    def clean(self, text: str) -> str:
        """What a server said, on one line, short, and without the key."""
        return " ".join(self.without_key(text).split())[:MAX_DETAIL]

    def without_key(self, text: str) -> str:
        """The text without the key, if a server echoes it."""
        secret = self.key.get_secret_value() if self.key else ""
        return text.replace(secret, "[key]") if len(secret) >= MIN_SECRET else text

    def body(self, content: bytes) -> bytes:
        """A reply as received, without the key if the server echoes it: replies are kept and passed on."""
        secret = self.key.get_secret_value().encode() if self.key else b""
        return content.replace(secret, b"[key]") if len(secret) >= MIN_SECRET and secret in content else content

    def fault(self, kind: ModelFailureKind, what: str, *, retryable: bool, trips: bool = False) -> ProviderFault:
        """A fault of this peer."""
        return ProviderFault(kind, f"{self.name}: {self.clean(what)}", retryable=retryable, trips=trips)

    def unusable(self, what: str) -> ProviderFault:
        """A reply that is none."""
        return self.fault(ModelFailureKind.PROVIDER_ERROR, what, retryable=True)

    def late(self, timeout_s: float) -> ProviderFault:
        """No complete reply by the deadline."""
        return self.fault(ModelFailureKind.TIMED_OUT, f"no complete reply within {timeout_s:g} s", retryable=True)

    def broken(self, error: BaseException) -> ProviderFault:
        """What an exception of the HTTP libraries means.  aiohttp's own is asked first: the transport maps a connection
        that was closed to a timeout."""
        chain = list(_chain(error))
        for known, what, kind, trips in _TRANSPORT:
            if any(isinstance(link, known) for link in chain):
                return self.fault(kind, what, retryable=known is not ReplyTooLarge, trips=trips)
        what = f"the call failed ({type(chain[-1]).__name__})"
        return self.fault(ModelFailureKind.PROVIDER_ERROR, what, retryable=True, trips=True)

    def refused(self, status: int, headers: Mapping[str, str], said: str) -> ProviderFault:
        """What an HTTP status other than 200 means."""
        answer = f"answered {status}" + (f": {said}" if said else "")
        key = self.key_env or "the variable that api_key_env names"
        if status in (401, 403):
            what = f"{answer}. The key comes from the environment variable {key}: set it to a key that may do this"
            return self.fault(ModelFailureKind.PROVIDER_ERROR, what, retryable=False)
        if status == 402:
            what = f"{answer}. The account behind {key} has no credit left: add some"
            return self.fault(ModelFailureKind.PROVIDER_ERROR, what, retryable=False)
        if status == 404 or 300 <= status < 400:
            what = f"{answer}. Look at the model's name and at base_url in models.toml"
            return self.fault(ModelFailureKind.PROVIDER_ERROR, what, retryable=False)
        return self._passing(status, headers, answer)

    def _passing(self, status: int, headers: Mapping[str, str], answer: str) -> ProviderFault:
        kind = {429: ModelFailureKind.RATE_LIMITED, 408: ModelFailureKind.TIMED_OUT}.get(status)
        passes = kind is not None or status == 409 or status >= 500 or status < 300
        if not passes:
            return self.fault(ModelFailureKind.BAD_REQUEST, answer, retryable=False)
        fault = self.fault(kind or ModelFailureKind.PROVIDER_ERROR, answer, retryable=True, trips=status >= 500)
        fault.retry_after_s = retry_after_s(headers)
        return fault


class Link:
    """A connection through an SDK.  `errors`: what the SDK raises besides the errors of HTTP libraries."""

    errors: tuple[type[Exception], ...] = ()

    def __init__(self, settings: ProviderSettings, key: SecretStr | None, *, url: str, key_env: str) -> None:
        """url, key_env: of the provider itself, where the settings name no server.  Raises: BadInput."""
        self.url = checked_url(settings.base_url or url)
        env = settings.api_key_env or (None if settings.base_url else key_env)
        self.key = checked_key(key, env)
        self.peer = Peer(f"{settings.kind} at {urlsplit(self.url).netloc}", env, self.key)
        self._known: tuple[type[Exception], ...] = (ReplyTooLarge, *self.errors, *TRANSPORT_ERRORS)

    async def tried(self, work: Awaitable[T], timeout_s: float) -> T:
        """What a call through the SDK brings.  Raises: ProviderFault, chained to nothing: the exceptions of SDK and
        HTTP libraries carry the request with its key."""
        try:
            async with asyncio.timeout(timeout_s):
                return await work
        except TimeoutError:
            fault = self.peer.late(timeout_s)
        except self._known as error:
            fault = self.meaning(error)
        raise fault

    def meaning(self, error: Exception) -> ProviderFault:
        """What an exception means; an SDK's own are told apart where it is known."""
        return self.peer.broken(error)


_ERROR, _LATE = ModelFailureKind.PROVIDER_ERROR, ModelFailureKind.TIMED_OUT
_TRANSPORT: tuple[tuple[type[BaseException], str, ModelFailureKind, bool], ...] = (
    (ReplyTooLarge, f"the reply is larger than {MAX_REPLY_BYTES // 1024**2} MiB", _ERROR, True),
    (aiohttp.ConnectionTimeoutError, "no connection within the time limit", _ERROR, True),
    (aiohttp.ServerTimeoutError, "no reply within the time limit", _LATE, False),
    (aiohttp.ClientConnectorError, "cannot connect; look at base_url and at the network", _ERROR, True),
    (aiohttp.ClientPayloadError, "the connection was closed inside the reply", _ERROR, True),
    (aiohttp.ClientConnectionError, "the connection was closed before a reply", _ERROR, True),
    (aiohttp.ClientError, "what came back is no HTTP", _ERROR, True),
    (httpx2.ConnectTimeout, "no connection within the time limit", _ERROR, True),
    (httpx2.ConnectError, "cannot connect; look at base_url and at the network", _ERROR, True),
    (httpx2.TimeoutException, "no reply within the time limit", _LATE, False),
    (httpx2.DecodingError, "the reply is cut or its compression is damaged", _ERROR, True),
    (httpx2.TransportError, "the connection was closed inside the reply", _ERROR, True),
)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """How long a server asks to wait: retry-after-ms, or Retry-After in seconds or as a date, which is taken against
    the server's own clock where it states one."""
    if (wait_ms := _number(headers.get("retry-after-ms"))) is not None:
        return wait_ms / 1000
    said = headers.get("retry-after")
    if (wait_s := _number(said)) is not None or said is None:
        return wait_s
    until = _date(said)
    return None if until is None else max(0.0, until - (_date(headers.get("date")) or time.time()))


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return max(0.0, value) if math.isfinite(value) else None


def _date(text: str | None) -> float | None:
    try:
        return email.utils.parsedate_to_datetime(text or "").timestamp()
    except (ValueError, OverflowError):
        return None
