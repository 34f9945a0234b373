"""What can go wrong with a call, as types that the gateway acts on."""

from resources.llm.providers import Usage
from stepforge.vocabulary import ModelFailureKind


class ProviderFault(Exception):
    """A call that brought no reply.

    kind: what it is if it stays so.  retryable: whether the same call may succeed in a moment.
    retry_after_s: how long the provider asks to wait.  trips: whether it speaks against the provider as a whole (and
    counts for the circuit breaker) rather than against this one request.
    billed: tokens of a whole answer that came and is no usable reply: the provider charges for them all the same.
    The detail must hold no secret: say what the provider answered, never what was sent in a header."""

    def __init__(
        self,
        kind: ModelFailureKind,
        detail: str,
        *,
        retryable: bool,
        retry_after_s: float | None = None,
        trips: bool = False,
        billed: Usage | None = None,
    ) -> None:
        super().__init__(detail)
        self.billed = billed
        self.kind, self.detail = kind, detail
        self.retryable, self.retry_after_s, self.trips = retryable, retry_after_s, trips
