"""A stored reply as the answer to a call: read, checked against its schema, or a typed failure."""

import dataclasses
from collections.abc import Sequence
from typing import NamedTuple

from resources.llm.calls import Call
from resources.llm.faults import ProviderFault
from resources.llm.prices import usd
from resources.llm.providers import PROVIDERS, Read, Usage
from resources.llm.schemas import validated
from resources.llm.store import StoredReply
from stepforge.asking import Answered, ModelFailure, ModelReply, assistant, user
from stepforge.prompting import PROMPTS
from stepforge.records import Record
from stepforge.vocabulary import Finish, ModelFailureKind

REPAIR = "repair/v1"

_FINAL = {
    Finish.REFUSAL: (ModelFailureKind.REFUSED, "the model refused to answer"),
    Finish.CONTENT_FILTER: (ModelFailureKind.CONTENT_FILTERED, "the provider's content filter held the reply back"),
    Finish.LENGTH: (
        ModelFailureKind.TRUNCATED,
        "the reply was cut off at its token limit; raise max_output_tokens of the role",
    ),
}


class Broken(NamedTuple):
    """A reply that is not the record it was to be: its text, and what is wrong with it."""

    text: str
    error: str


def answer(
    call: Call,
    stored: StoredReply,
    reply_type: type[Record] | None,
    *,
    from_store: bool,
    mends: StoredReply | None = None,
) -> Answered | Broken:
    """What the reply says to the call.

    mends: the broken reply that `stored` mends; what both used is counted together, and a mended reply that is still
    broken is a failure."""
    both = (stored,) if mends is None else (mends, stored)
    used = Used.of(both)
    try:
        read = _read(stored)
    except ProviderFault as fault:  # taken in from elsewhere, or stored by a version that read it otherwise
        told = f"the stored reply {stored.key[:12]} cannot be read: {fault.detail}; look at it with: stepforge replies "
        told += f"show {stored.key[:12]}, delete it with: stepforge replies prune ({where(call)})"
        return failure(call, ModelFailureKind.PROVIDER_ERROR, told, used=used)
    if read.finish in _FINAL:
        kind, told = _FINAL[read.finish]
        return failure(call, kind, f"{told} ({where(call)})", read.text, used)
    structured: str | None = None
    if reply_type is not None:
        structured, error = validated(reply_type, read.text)
        if error is not None:
            if mends is None:
                return Broken(read.text, error)
            told = f"the reply breaks its schema, mended once ({error}; {where(call)}; stored as {stored.key[:12]})"
            return failure(call, ModelFailureKind.SCHEMA_VIOLATED, told, read.text, used)
    return ModelReply(
        request_id=call.request.request_id,
        key=call.key,
        text=read.text,
        structured=structured,
        finish=read.finish,
        provider=call.provider,
        model=call.model,
        tokens_in=used.usage.tokens_in,
        tokens_cached=used.usage.cached,
        tokens_out=used.usage.tokens_out,
        tokens_reasoning=used.usage.reasoning,
        cost_usd=used.cost_usd,
        repaired=mends is not None,
        from_store=from_store,
        latency_s=sum(s.latency_s or 0.0 for s in both),
    )


def _read(stored: StoredReply) -> Read:
    if stored.provider not in PROVIDERS:
        known = ", ".join(kind.name for kind in PROVIDERS)
        told = f"there is no kind of provider {stored.provider[:100]!r} here; there are: {known}"
        raise ProviderFault(ModelFailureKind.PROVIDER_ERROR, told, retryable=False)
    return PROVIDERS[stored.provider].read(stored.body)


class Used(NamedTuple):
    """Tokens and money that an answer took."""

    usage: Usage = Usage()
    cost_pico_usd: int | None = 0

    @classmethod
    def of(cls, replies: Sequence[StoredReply]) -> "Used":
        """Their sum; no price if one of them has none."""
        if len(replies) == 1:
            return cls(replies[0].usage, replies[0].cost_pico_usd)
        costs = [r.cost_pico_usd for r in replies if r.cost_pico_usd is not None]
        usage = Usage(*(sum(column) for column in zip(*(r.usage for r in replies), strict=True)))
        return cls(usage, sum(costs) if len(costs) == len(replies) else None)

    @property
    def cost_usd(self) -> str | None:
        """The cost as an exact decimal."""
        return None if self.cost_pico_usd is None else usd(self.cost_pico_usd)


def where(call: Call) -> str:
    """Which request it was, for a message."""
    prompt = f", prompt {call.request.prompt_id}" if call.request.prompt_id else ""
    return f"role {call.request.role}, model {call.model}{prompt}, request {call.request.request_id}"


def failure(
    call: Call, kind: ModelFailureKind, detail: str, reply: str | None = None, used: Used | None = None
) -> ModelFailure:
    """A failure of the call."""
    used = used or Used()
    return ModelFailure(
        request_id=call.request.request_id,
        key=call.key,
        kind=kind,
        detail=detail,
        reply=reply,
        tokens_in=used.usage.tokens_in,
        tokens_out=used.usage.tokens_out,
        cost_usd=used.cost_usd,
    )


def repair_call(call: Call, broken: Broken) -> Call:
    """The follow-up call that shows the model its reply and what is wrong with it, once."""
    prompt = PROMPTS[REPAIR].render(error=broken.error)
    messages = (*call.request.messages, assistant(broken.text), user(prompt.text))
    return dataclasses.replace(call, request=call.request.model_copy(update={"messages": messages}))
