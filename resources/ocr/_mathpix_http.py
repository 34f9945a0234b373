"""How Mathpix is asked: keys from the environment, replies within limits, busy servers asked again."""

import contextlib
import fcntl
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
import stamina
from upath import UPath

from resources.ocr._base import PageFault

APP_ID, APP_KEY, URL = "MATHPIX_APP_ID", "MATHPIX_APP_KEY", "MATHPIX_URL"
DEFAULT_URL = "https://api.mathpix.com"
FOLDER = "ocr_replies"
TIMEOUT_S = 120.0
TRIES = 5
MAX_REPLY_BYTES = 32 * 2**20
BUSY = frozenset({408, 425, 429, 500, 502, 503, 504})


class ServiceError(PageFault):
    """The service says that it could not read the page, or what it says is no reading: it may be asked again."""


class Gone(PageFault):
    """The service does not know what it is asked about."""


class _Busy(Exception):
    """The server may answer the same request later; nothing was recognised or paid."""


class Kept(NamedTuple):
    """Where what is known of one page lies: its reply, and on the way to it that it was asked and as which job."""

    reply: UPath
    asked: UPath
    job: UPath


@contextlib.contextmanager
def kept(folder: UPath, version: str, png: bytes) -> Iterator[Kept]:
    """The page's place in the folder, held against other processes: none asks for the page while another does."""
    key = hashlib.sha256(version.encode() + hashlib.sha256(png).digest()).hexdigest()
    place = folder / key[:2]
    place.mkdir(parents=True, exist_ok=True)
    with (Path(place.path) / f"{key}.lock").open("wb") as lock:  # a lock ends with its process, also by kill -9
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield Kept(place / f"{key}.json", place / f"{key}.asked", place / f"{key}.job")


def missing_keys() -> str | None:
    """What to do about keys that are not set; None if they are."""
    absent = [name for name in (APP_ID, APP_KEY) if not os.environ.get(name)]
    return f"set {' and '.join(absent)} in the environment (accounts.mathpix.com)" if absent else None


def ask(method: str, path: str, *, once: bool = False, **body: Any) -> bytes:
    """The body of a reply with status 200.  Raises: PageFault; the keys stand in no message.

    once: a request that makes work, and may have been taken though no answer came, is not sent again; one that the
    server refused as too much is."""
    headers = {"app_id": os.environ.get(APP_ID, ""), "app_key": os.environ.get(APP_KEY, "")}
    url = f"{os.environ.get(URL, DEFAULT_URL).rstrip('/')}/{path}"
    again = (_Busy, httpx2.ConnectError) if once else (_Busy, httpx2.TransportError)
    try:
        with httpx2.Client(timeout=TIMEOUT_S, follow_redirects=False) as client:
            for attempt in stamina.retry_context(on=again, attempts=TRIES, timeout=TIMEOUT_S * 3):
                with attempt:
                    return _sent(client, method, url, headers, body)
    except (_Busy, httpx2.HTTPError, httpx2.InvalidURL) as error:
        said = f"{type(error).__name__}: {error}"[:200]
        raise PageFault(f"Mathpix gave no answer ({said}); build again later") from None
    except (ValueError, TypeError):  # a key that no header can carry; the error would repeat it
        raise PageFault(f"{APP_ID} or {APP_KEY} holds characters that no key has; set it anew") from None
    raise PageFault("Mathpix gave no answer; build again later")


def _sent(client: httpx2.Client, method: str, url: str, headers: dict[str, str], body: dict[str, Any]) -> bytes:
    with client.stream(method, url, headers=headers, **body) as response:
        if response.status_code in BUSY:
            raise _Busy(f"HTTP {response.status_code}")
        data = bytearray()
        for part in response.iter_bytes():
            data += part
            if len(data) > MAX_REPLY_BYTES:
                raise PageFault(f"Mathpix replied with more than {MAX_REPLY_BYTES} bytes")
    if response.status_code in (401, 403):
        raise PageFault(f"Mathpix refused the keys of {APP_ID} and {APP_KEY} (HTTP {response.status_code})")
    if response.status_code == 404:
        raise Gone("Mathpix does not know it (HTTP 404)")
    if response.status_code != 200:
        raise PageFault(f"Mathpix replied with HTTP {response.status_code}")
    return bytes(data)
