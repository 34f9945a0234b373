"""What a model is asked and what it said: the records between a stage that wants a reply and the gateway that gets one.

A stage names a role (segmenter, judge, solver, …) and never a model or a provider; those are configuration.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated

from pydantic import Field

from stepforge.outcome import reject
from stepforge.records import Record, Rejection, Volatile
from stepforge.vocabulary import (
    PASSING_FAILURES,
    Disposition,
    Finish,
    ModelFailureKind,
    PartKind,
    Reason,
    Speaker,
)


class Part(Record):
    """One part of a message: text, or the content of an image or an audio file by its hash."""

    kind: PartKind
    text: str | None = None
    sha256: str | None = Field(default=None, description="key in the content store")
    media_type: str | None = None


class Message(Record):
    """One message: who says it, and its parts in order."""

    speaker: Speaker
    parts: tuple[Part, ...]


class Sampling(Record):
    """Parameters that change what a model says; None leaves the provider's own default."""

    temperature: float | None = Field(default=None, ge=0, le=2)
    top_p: float | None = Field(default=None, gt=0, le=1)
    max_output_tokens: int | None = Field(default=None, ge=1, description="reasoning tokens included")
    seed: int | None = Field(default=None, description="sample k is sent with seed + k")
    reasoning_effort: str | None = Field(default=None, description="as the provider names it: low, medium, high, …")
    stop: tuple[str, ...] = ()


class ModelRequest(Record):
    """One question to a model.  `messages`, `sampling` and `sample` are part of what identifies its reply; the rest is
    not."""

    request_id: str = Field(description="the asker's own id, unique among the requests asked together")
    role: str = Field(description="who is asked, as the configuration names it: solver, judge, segmenter, …")
    messages: tuple[Message, ...]
    sampling: Sampling | None = Field(default=None, description="what differs from the role's parameters")
    sample: int = Field(default=0, ge=0, description="which of several replies to the same question")
    prompt_id: str | None = Field(default=None, description="prompt file and version, kept with the reply")
    prompt_sha256: str | None = None


class ModelReply(Record):
    """A reply as the model gave it."""

    request_id: str
    key: str = Field(description="sha256 of the canonical request")
    text: str
    structured: str | None = Field(description="the reply as canonical JSON where a record was asked for")
    finish: Finish
    provider: str
    model: str = Field(description="the model that was asked")
    tokens_in: int
    tokens_cached: int = Field(description="of `tokens_in`, read from the provider's cache")
    tokens_out: int = Field(description="`tokens_reasoning` included")
    tokens_reasoning: int
    cost_usd: str | None = Field(description="exact decimal; None if no price is known")
    repaired: bool = Field(description="a second call mended a reply that broke its schema")
    from_store: Annotated[bool, Volatile] = Field(description="the reply was there already: nothing was sent or paid")
    latency_s: Annotated[float | None, Volatile]


class ModelFailure(Record):
    """A request without a usable reply.  Never a verdict about the item that was asked about."""

    request_id: str
    key: str
    kind: ModelFailureKind
    detail: str = Field(description="what happened, where, and what to do")
    reply: str | None = Field(default=None, description="what the model did say")
    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: str | None = None


Answered = ModelReply | ModelFailure

# How pure code asks: all requests at once, and a record type where the replies are to follow its schema.
Ask = Callable[[Iterable[ModelRequest], type[Record] | None], Mapping[str, Answered]]


def text(content: str) -> Part:
    """A part of text."""
    return Part(kind=PartKind.TEXT, text=content)


def system(content: str) -> Message:
    """What the model is told before the conversation."""
    return Message(speaker=Speaker.SYSTEM, parts=(text(content),))


def user(*parts: Part | str) -> Message:
    """What the model is asked; a `str` is a part of text."""
    return Message(speaker=Speaker.USER, parts=tuple(text(p) if isinstance(p, str) else p for p in parts))


def assistant(content: str) -> Message:
    """What the model said before."""
    return Message(speaker=Speaker.ASSISTANT, parts=(text(content),))


def rejection_of(failure: ModelFailure, stage: str, record_id: str, problem_id: str | None = None) -> Rejection:
    """The rejection of the record that was asked about: quarantined where the same request may succeed later or on
    another machine, and where a person must look at what the model did."""
    return reject(
        stage,
        record_id,
        Reason(f"model_{failure.kind}"),
        failure.detail,
        problem_id=problem_id,
        evidence=failure.reply or "",
        disposition=Disposition.QUARANTINED,
    )


PASSING_REASONS = frozenset(Reason(f"model_{kind}") for kind in PASSING_FAILURES)
