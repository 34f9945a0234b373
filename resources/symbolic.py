"""The symbolic test of the answer-equivalence engine: in a worker with a deadline, each pair asked once."""

from typing import Protocol

from resources.workers import Workers
from stepforge.answers.symbolic import compare, warm
from stepforge.errors import LimitExceeded
from stepforge.vocabulary import EquivalenceVerdict

TIME_LIMIT_S = 2.0


def symbolic_workers(n: int = 1) -> Workers:
    """Workers that have the grammar loaded before their first pair."""
    return Workers(n, initializer=warm)


class Verdicts(Protocol):
    """Verdicts by the two texts; a dict is one."""

    def get(self, pair: tuple[str, str], /) -> EquivalenceVerdict | None:
        """The verdict, or None if the pair is new."""
        ...

    def __setitem__(self, pair: tuple[str, str], verdict: EquivalenceVerdict, /) -> None: ...


class SymbolicComparer:
    """`compare` with a time limit.  What is killed is UNDECIDED.  `remember`: pairs judged before, by the two texts;
    a mapping that outlives the run saves their work in the next one.  A killed pair is given to it, too: it would be
    killed again."""

    def __init__(
        self,
        workers: Workers,
        *,
        timeout_s: float = TIME_LIMIT_S,
        remember: Verdicts | None = None,
    ) -> None:
        self._workers = workers
        self._timeout_s = timeout_s
        self._known: Verdicts = remember if remember is not None else {}

    def __call__(self, gold: str, predicted: str) -> EquivalenceVerdict:
        """The verdict on one pair of texts."""
        pair = (gold, predicted)
        known = self._known.get(pair)
        if known is None:
            try:
                known = self._workers.call(compare, pair, self._timeout_s)
            except LimitExceeded:
                known = EquivalenceVerdict.UNDECIDED
            self._known[pair] = known
        return known
