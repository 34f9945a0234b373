"""How a stage asks models: the gateway on the home's configuration and reply store, with progress and cost told."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from assets._stage import Work
from resources.llm.gateway import Gateway, Totals
from resources.llm.prices import usd
from resources.store import ModelUse
from stepforge.asking import Answered, Ask, ModelRequest
from stepforge.records import Record


def _use(totals: Totals) -> ModelUse:
    return ModelUse(
        replies=totals.from_store + totals.sent,
        from_store=totals.from_store,
        failed=totals.failed,
        tokens_in=totals.tokens_in,
        tokens_out=totals.tokens_out,
        cost_usd=usd(totals.cost_pico_usd),
        paid_usd=usd(totals.paid_pico_usd),
        unpriced=totals.unpriced,
    )


@contextmanager
def asking(work: Work) -> Iterator[Ask]:
    """The function by which pure code asks.  What it will cost is told before anything is sent, what it costs while it
    runs; tokens and money are noted with the stage."""
    home = work.home
    with Gateway(
        home.models,
        home.replies,
        home.blobs.get,
        run=work.run,
        stage=work.stage,
        partition=work.partition,
        replay_only=work.replay_only,
        tell=work.watcher.tell,
    ) as gateway:

        def ask(requests: Iterable[ModelRequest], reply_type: type[Record] | None) -> Mapping[str, Answered]:
            asked = list(requests)
            work.watcher.tell(str(gateway.estimate(asked, reply_type)))
            tick = work.begin(len(asked))
            answers: dict[str, Answered] = {}
            for answered in gateway.ask(asked, reply_type):
                answers[answered.request_id] = answered
                totals = gateway.totals
                work.watcher.note(f"{usd(totals.paid_pico_usd)} USD, {totals.failed} failed, {totals.retries} retries")
                tick(1)
            return answers

        try:
            yield ask
        finally:
            used = _use(gateway.totals)
            work.models = used if work.models is None else work.models.plus(used)
