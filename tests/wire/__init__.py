"""A server of the two wire formats with scripted faults and a ledger of its own, for tests and benches.

with WireServer(Script(latency_ms=200, shares=even(0.2, Fault.RESET, Fault.STALL))) as wire:
    …                                   # ask wire.openai_url or wire.google_url
    assert wire.totals().paid_twice == 0
"""

import http.client
import json
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from tests.wire.script import BatchScript, Fault, Script, even

__all__ = ["BatchScript", "Entry", "Fault", "Script", "Totals", "WireServer", "even"]

_ROOT = Path(__file__).resolve().parents[2]


class Totals(NamedTuple):
    """The ledger in numbers.

    arrived: requests, each attempt counted.  distinct: different requests among them.
    paid: whole replies of the model (good ones, refusals, cut and schema-breaking ones) that left the server.
    billed: paid, and those that were due when the client left: what a provider charges for.
    *_twice: how many of them beyond the first of each request.
    abandoned: requests whose client left before the answer.  outcomes: attempts by what the script had for them."""

    arrived: int
    distinct: int
    answered: int
    paid: int
    paid_twice: int
    billed: int
    billed_twice: int
    abandoned: int
    in_flight: int
    max_in_flight: int
    outcomes: dict[str, int]


class Entry(NamedTuple):
    """One request of the ledger.  `in_flight`: how many others were at its arrival; `arrived_s`: since the reset."""

    content: str
    attempt: int
    arrived_s: float
    in_flight: int
    outcome: str
    charged: bool
    paid: bool
    abandoned: bool
    batch: str | None


class WireServer:
    """The server in a process of its own; it ends with this object, and with this process at the latest."""

    def __init__(self, script: Script | None = None) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.wire.server"],
            cwd=_ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        said = self._process.stdout.readline()
        if not said:
            raise RuntimeError(f"the test server ended at once with code {self._process.wait()}; its stderr says why")
        self.port = int(said)
        self.script(script or Script())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """End the process and wait for it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(timeout=30)
        self._process.stdout.close()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def openai_url(self) -> str:
        """Base URL of the OpenAI API."""
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def google_url(self) -> str:
        """Base URL of the Gemini API, to which its SDK adds a version."""
        return f"http://127.0.0.1:{self.port}/google"

    def script(self, script: Script) -> None:
        """Behave so from now on."""
        self._admin("POST", "script", script.model_dump_json())

    def reset(self, script: Script | None = None) -> None:
        """Forget the ledger, files and batches; behave as `script` says, as before if None."""
        self._admin("POST", "reset")
        if script is not None:
            self.script(script)

    def totals(self) -> Totals:
        """The ledger in numbers."""
        return Totals(**self._admin("GET", "totals"))

    def entries(self) -> list[Entry]:
        """The ledger, in order of arrival."""
        return [Entry(**row) for row in self._admin("GET", "entries")]

    def paid(self) -> dict[str, int]:
        """How often each request was paid, by its hash."""
        counts: dict[str, int] = {}
        for entry in self.entries():
            counts[entry.content] = counts.get(entry.content, 0) + entry.paid
        return counts

    def wait_until_arrived(self, count: int, timeout_s: float = 120) -> None:
        """Return as soon as so many requests have arrived.  Raises: TimeoutError."""
        self._admin("GET", f"wait?arrived={count}", timeout_s=timeout_s)

    def _admin(self, method: str, page: str, body: str | None = None, timeout_s: float = 60) -> Any:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout_s)
        try:
            connection.request(method, f"/admin/{page}", body)
            answer = connection.getresponse()
            content = answer.read()
        finally:
            connection.close()
        if answer.status != 200:
            raise RuntimeError(f"the test server answers {answer.status} to {page}: {content[:500]!r}")
        return json.loads(content)
