"""One round of asking: which requests are answered from the store, which are sent, which another process is getting."""

import queue
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple, Protocol

from resources.blobs import LostBlob
from resources.llm.answers import Broken, Used, answer, failure, repair_call, where
from resources.llm.budget import OverBudget
from resources.llm.calls import Call, Schema
from resources.llm.config import Mode, ModelsConfig
from resources.llm.engine import Done, Engine, Failed, Results
from resources.llm.store import ReplyStore, StoredReply
from stepforge.asking import Answered, ModelRequest
from stepforge.errors import PipelineError
from stepforge.records import Record
from stepforge.vocabulary import ModelFailureKind

AT_ONCE = 256  # requests looked up and claimed together
WINDOW_SLOTS = 4  # requests open at a time, for each slot: room for those that wait to be tried again
POLL_S = 0.2  # how often a reply that another process is getting is looked for


class NotInStore(PipelineError):
    """A replay met a request whose reply is not stored."""


class Waiting(NamedTuple):
    """A request that waits for a reply, and the broken reply of its own that this one is to mend."""

    call: Call
    broken: StoredReply | None


class Outlet(Protocol):
    """Where requests go that travel in a batch."""

    def add(self, call: Call) -> str:
        """Take the call; the name of the job that gets its reply.  Raises: OverBudget, LostBlob."""
        ...

    def pending(self, keys: list[str]) -> dict[str, str]:
        """Those of the keys that an open job is getting, with the job's name."""
        ...

    def flush(self) -> None:
        """Send off what was taken."""
        ...


@dataclass(frozen=True)
class Shop:
    """What every round of a gateway shares."""

    config: ModelsConfig
    store: ReplyStore
    owner: str
    replay_only: bool
    engine: Callable[[], Engine]
    outlet: Callable[[], Outlet]
    tally: Callable[[Answered, tuple[StoredReply, ...], bool], None]  # replies it used, and whether it was sent now
    sent_again: Callable[[int], None]


class Desk:
    """Serves one iterable of requests.  Belongs to the thread that asks."""

    def __init__(self, shop: Shop, schema: Schema | None, reply_type: type[Record] | None) -> None:
        self._shop, self._schema, self._reply_type = shop, schema, reply_type
        self._open: dict[str, list[Waiting]] = {}  # by the key of the call that is to be made
        self._others: dict[str, Call] = {}  # those of them that another process is making
        self._polled = 0.0
        self._window = AT_ONCE
        self._done: Results = queue.SimpleQueue()  # what comes for other rounds of the gateway is none of this one's
        self._posted: list[str] = []  # keys claimed for a job that is not written down yet
        self._ended = False

    def serve(self, requests: Iterable[ModelRequest]) -> Iterator[Answered]:
        """One answer for each request, as they come."""
        source, ended = iter(requests), False
        while not ended or self._open:
            while not ended and len(self._open) < self._window:
                chunk = list(islice(source, AT_ONCE))
                ended = len(chunk) < AT_ONCE
                yield from self._take([Waiting(self._shop.config.resolve(r, self._schema), None) for r in chunk])
            if self._open:
                yield from self._receive()
        self._send_off()

    @property
    def is_waiting(self) -> bool:
        """Whether calls were begun and are not answered."""
        return bool(self._open)

    def end(self) -> list[str]:
        """Serve no more; keys of the calls that were begun and not answered, because whoever asked went away."""
        self._ended = True
        return [*self._open, *self._posted]

    def _take(self, waiting: list[Waiting]) -> Iterator[Answered]:
        """Answer what is stored, attach what is being made already, and obtain the rest."""
        found = self._shop.store.get_many(list(dict.fromkeys(w.call.key for w in waiting)))
        wanted: dict[str, Call] = {}
        for one in waiting:
            key = one.call.key
            if key in found:
                yield from self._answer(one, found[key], sent=False)
            elif key in self._open:
                self._open[key].append(one)
            else:
                self._open[key] = [one]
                wanted[key] = one.call
        if wanted:
            yield from self._obtain(wanted)

    def _obtain(self, wanted: dict[str, Call]) -> Iterator[Answered]:
        if self._shop.replay_only:
            first = next(iter(wanted.values()))
            raise NotInStore(
                f"replay only: no reply is stored for {where(first)} (key {first.key[:12]}…); import it with: "
                "stepforge replies import FILE, or build without --replay-only"
            )
        engine = self._shop.engine()  # it is what says that the owner of the claims lives
        claims = self._shop.store.claim(list(wanted), self._shop.owner)
        self._shop.sent_again(len(claims.taken_over))
        self._others |= {key: wanted[key] for key in claims.others}
        mine = {key: call for key, call in wanted.items() if key in claims.mine}
        # looked for when they are ours: whoever puts a call into a job has claimed it until the job is written down
        coming = self._shop.outlet().pending(list(mine))
        self._shop.store.release(coming.keys() - set(self._posted), self._shop.owner)
        for key, job in coming.items():
            yield from self._awaits(mine.pop(key), job)
        # what a batch refused is asked once more by itself, so that it ends in a reply or in a failure that says why
        refused = self._shop.store.refused([k for k, c in mine.items() if not self._goes_online(c)])
        online = [c for k, c in mine.items() if k in refused or self._goes_online(c)]
        if online:
            self._submit(engine, online)
        for call in [c for k, c in mine.items() if k not in refused and not self._goes_online(c)]:
            yield from self._post(call)
        arrived = [key for key in wanted if key not in claims.mine and key not in claims.others]
        if arrived:
            yield from self._arrived(arrived)

    def _goes_online(self, call: Call) -> bool:
        # what mends a reply of a batch is one short call each: another day's wait would save little
        mends = any(w.broken is not None for w in self._open[call.key])
        return mends or self._shop.config.role(call.request.role).mode is Mode.ONLINE

    def _post(self, call: Call) -> Iterator[Answered]:
        try:
            job = self._shop.outlet().add(call)
        except (OverBudget, LostBlob) as refusal:
            self._shop.store.release([call.key], self._shop.owner)
            over = isinstance(refusal, OverBudget)
            kind = ModelFailureKind.OVER_BUDGET if over else ModelFailureKind.BAD_REQUEST
            yield from self._fail(call.key, Failed(kind, f"{refusal} ({where(call)})"))
        else:
            self._posted.append(call.key)
            yield from self._awaits(call, job)

    def _awaits(self, call: Call, job: str) -> Iterator[Answered]:
        told = f"its reply comes with batch job {job} ({where(call)}); see: stepforge jobs list"
        yield from self._fail(call.key, Failed(ModelFailureKind.AWAITING_BATCH, told))

    def _send_off(self) -> None:
        """Send what was taken for batches; its jobs are written down then, and say who gets the replies."""
        if any(role.mode is Mode.BATCH for role in self._shop.config.roles.values()):
            self._shop.outlet().flush()
        if self._posted:
            self._shop.store.release(self._posted, self._shop.owner)
            self._posted = []

    def _submit(self, engine: Engine, calls: list[Call]) -> None:
        models = self._shop.config.models
        slots = sum(models[name].concurrency for name in {call.model_name for call in calls})
        self._window = max(self._window, WINDOW_SLOTS * slots)
        engine.submit(calls, self._done)

    def _arrived(self, keys: list[str]) -> Iterator[Answered]:
        """Replies that another process has stored in the meantime."""
        for key, stored in self._shop.store.get_many(keys).items():
            self._others.pop(key, None)
            yield from self._settle(key, stored, sent=False)

    def _receive(self) -> Iterator[Answered]:
        """Wait for something to come, and answer with all that came."""
        if self._ended:
            raise RuntimeError("the gateway was closed while answers were still to come")
        if len(self._others) < len(self._open):
            came: list[Done] = []
            try:
                came.append(self._done.get(timeout=POLL_S if self._others else None))
                while True:
                    came.append(self._done.get_nowait())
            except queue.Empty:
                pass
            failed = [call.key for call, outcome in came if not isinstance(outcome, StoredReply)]
            self._shop.store.release(failed, self._shop.owner)
            for call, outcome in came:
                if isinstance(outcome, BaseException):
                    raise outcome
                if isinstance(outcome, Failed):
                    told = f"{outcome.detail} ({where(call)})"
                    yield from self._fail(call.key, outcome._replace(detail=told))
                else:
                    yield from self._settle(call.key, outcome, sent=True)
        else:
            self._send_off()  # two processes that wait for what the other is about to send would wait for ever
            time.sleep(POLL_S)
        if self._others and time.monotonic() - self._polled >= POLL_S:
            self._polled = time.monotonic()
            yield from self._arrived(list(self._others))
            if self._others:  # an owner that failed or died has left its keys to whoever wants them
                wanted, self._others = self._others, {}
                yield from self._obtain(wanted)

    def _settle(self, key: str, stored: StoredReply, *, sent: bool) -> Iterator[Answered]:
        first = True
        for one in self._open.pop(key):
            yield from self._answer(one, stored, sent=sent and first)
            first = False

    def _answer(self, one: Waiting, stored: StoredReply, *, sent: bool) -> Iterator[Answered]:
        result = answer(one.call, stored, self._reply_type, from_store=not sent, mends=one.broken)
        if isinstance(result, Broken):
            yield from self._take([Waiting(repair_call(one.call, result), stored)])
            return
        self._shop.tally(result, (stored,) if one.broken is None else (one.broken, stored), sent)
        yield result

    def _fail(self, key: str, failed: Failed) -> Iterator[Answered]:
        for one in self._open.pop(key):
            used = () if one.broken is None else (one.broken,)
            result = failure(one.call, failed.kind, failed.detail, used=Used.of(used) if used else None)
            self._shop.tally(result, used, False)
            yield result
