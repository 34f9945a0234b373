"""What the test server does with a request: a pure function of the script's seed, the request and the attempt."""

import hashlib
import re
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field


class Fault(StrEnum):
    """What can go wrong with one request, by the name that a marker in its text uses."""

    RATE_LIMITED = "429"  # says how long to wait
    RATE_LIMITED_SILENT = "429-silent"  # does not
    QUOTA = "quota"  # 429 that no wait mends
    SERVER_ERROR = "500"
    UNAVAILABLE = "503"
    BAD_REQUEST = "400"
    UNAUTHORIZED = "401"
    RESET = "reset"  # the connection is reset instead of an answer
    STALL = "stall"  # no answer, ever
    TRUNCATED = "truncated"  # the body ends before its announced length
    WRONG_JSON = "wrong-json"  # 200, and the body is no JSON
    EMPTY = "empty"  # 200, and no choice in it
    SCHEMA = "schema"  # a good envelope around content that breaks the schema
    REFUSAL = "refusal"
    FILTERED = "filtered"
    LENGTH = "length"  # cut at the token limit


# A whole reply of the model came, whatever it says: the provider charges for these as for a good one.
PAID_FAULTS = frozenset({Fault.SCHEMA, Fault.REFUSAL, Fault.FILTERED, Fault.LENGTH})

_MARKER = re.compile(rb"\[\[fault:([a-z0-9-]+)(?:@(\d+))?\]\]")
_WAIT = re.compile(rb"\[\[wait:(\d+)\]\]")


class BatchScript(BaseModel):
    """What becomes of one batch.  Its lines meet the faults of the script besides."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    polls: int = Field(default=2, ge=0, description="how often its status is asked before it has ended")
    fails: bool = Field(default=False, description="it is refused as a whole, after its creation")
    no_output: bool = Field(default=False, description="it completes and names no output file; nothing is charged")
    expired_share: float = Field(default=0, ge=0, le=1, description="lines that never run; Gemini expires all or none")
    missing_share: float = Field(default=0, ge=0, le=1, description="lines that run, are charged and are in no file")
    lose_create_reply: bool = Field(default=False, description="it starts, and whoever started it is not told")


class Script(BaseModel):
    """How the server behaves from now on."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    seed: int = 0
    latency_ms: float = Field(default=0, ge=0)
    jitter_ms: float = Field(default=0, ge=0, description="up to so much more, another amount for each request")
    shares: dict[Fault, float] = Field(default_factory=dict, description="share of attempts that meet each fault")
    good_after: int | None = Field(default=None, description="attempts after so many meet no fault of `shares`")
    retry_after_s: float = 1
    api_key: str | None = Field(default=None, description="requests with another key get 401")
    batches: tuple[BatchScript, ...] = Field(default=(BatchScript(),), description="one a batch; the last one repeats")

    def batch(self, index: int) -> BatchScript:
        """Script of the batch that is created as number `index`, from 0."""
        return self.batches[min(index, len(self.batches) - 1)] if self.batches else BatchScript()


def even(share: float, *faults: Fault) -> dict[Fault, float]:
    """`share` divided evenly among the faults."""
    return dict.fromkeys(faults, share / len(faults))


def draw(*parts: object) -> float:
    """A number in [0, 1) that depends on the parts alone."""
    digest = hashlib.sha256(":".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:7], "big") / 2**56


def fault_for(script: Script, content: str, attempt: int, body: bytes) -> Fault | None:
    """The fault that attempt number `attempt` (from 0) of the request with hash `content` meets.

    A marker in the text, `[[fault:500]]` or `[[fault:500@2]]` (the first two attempts only), overrides the shares."""
    if b"[[fault:" in body and (marker := _MARKER.search(body)):
        limit = marker.group(2)
        return Fault(marker.group(1).decode()) if limit is None or attempt < int(limit) else None
    if not script.shares or (script.good_after is not None and attempt >= script.good_after):
        return None
    point = draw(script.seed, content, attempt)
    for fault, share in script.shares.items():
        if point < share:
            return fault
        point -= share
    return None


def delay_s(script: Script, content: str, body: bytes) -> float:
    """Seconds before the server answers; `[[wait:1500]]` in the text asks for 1,500 ms."""
    if b"[[wait:" in body and (marker := _WAIT.search(body)):
        return int(marker.group(1)) / 1000
    jitter = script.jitter_ms * draw("delay", content) if script.jitter_ms else 0
    return (script.latency_ms + jitter) / 1000
