"""The symbolic tests of the answer-equivalence engine: in workers with a deadline, each pair asked once.

SymPy is asked first. `math-verify` may be asked about what SymPy leaves open; it is off by default, because it decides
nothing more on the published data (docs/equivalence.md has the numbers).
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from resources.workers import Workers
from stepforge.answers.symbolic import compare, warm
from stepforge.answers.verdict import EQUAL, UNDECIDED, Verdict
from stepforge.errors import LimitExceeded
from stepforge.vocabulary import EquivalenceVerdict

TIME_LIMIT_S = 2.0
METHOD, SECOND_METHOD = "symbolic", "math-verify"

Pair = tuple[str, str]


def symbolic_workers(n: int = 1) -> Workers:
    """Workers that have the grammar loaded before their first pair."""
    return Workers(n, initializer=warm)


def vote(pair: Pair) -> EquivalenceVerdict:
    """The vote of math-verify, whose import costs a worker that needs it half a second, once."""
    from stepforge.answers.math_verify_vote import vote as asked  # noqa: PLC0415

    return asked(pair)


def ask_all(
    workers: Workers, pairs: Sequence[Pair], *, timeout_s: float = TIME_LIMIT_S, math_verify: bool = False
) -> Mapping[Pair, Verdict]:
    """A verdict for each pair, side by side.  What is killed is UNDECIDED, with its limit as the reason."""
    found = {pair: _verdict(result) for pair, result in zip(pairs, workers.map(compare, pairs, timeout_s), strict=True)}
    if math_verify:
        rest = [pair for pair, verdict in found.items() if verdict.verdict is UNDECIDED]
        for pair, voted in zip(rest, workers.map(vote, rest, timeout_s), strict=True):
            found[pair] = _with_vote(found[pair], voted)
    return found


def _verdict(result: EquivalenceVerdict | Exception) -> Verdict:
    if isinstance(result, LimitExceeded):
        return Verdict(UNDECIDED, METHOD, f"limit: {result}")
    if isinstance(result, Exception):
        return Verdict(UNDECIDED, METHOD, f"failed: {type(result).__name__}")
    return Verdict(result, METHOD, "by the symbolic library" if result is not UNDECIDED else "no test decides")


def _with_vote(before: Verdict, voted: EquivalenceVerdict | Exception) -> Verdict:
    if voted is EQUAL:
        return Verdict(EQUAL, SECOND_METHOD, "math-verify says equal, confirmed at several points")
    said = f"limit: {voted}" if isinstance(voted, LimitExceeded) else "no vote"
    return before._replace(reason=f"{before.reason}; math-verify: {said}")


class Verdicts(Protocol):
    """Verdicts by the two texts; a dict is one."""

    def get(self, pair: tuple[str, str], /) -> EquivalenceVerdict | None:
        """The verdict, or None if the pair is new."""
        ...

    def __setitem__(self, pair: tuple[str, str], verdict: EquivalenceVerdict, /) -> None: ...


class SymbolicComparer:
    """`compare` with a time limit.  What is killed is UNDECIDED.  `remember`: pairs judged before, by the two texts;
    a mapping that outlives the run saves their work in the next one.  A killed pair is given to it, too: it would be
    killed again.  `math_verify`: whether that library votes on what SymPy leaves open."""

    def __init__(
        self,
        workers: Workers,
        *,
        timeout_s: float = TIME_LIMIT_S,
        remember: Verdicts | None = None,
        math_verify: bool = False,
    ) -> None:
        self._workers = workers
        self._timeout_s = timeout_s
        self._known: Verdicts = remember if remember is not None else {}
        self._math_verify = math_verify
        self._said: dict[Pair, Verdict] = {}

    def __call__(self, gold: str, predicted: str) -> EquivalenceVerdict:
        """The verdict on one pair of texts."""
        return self.judge(gold, predicted).verdict

    def judge(self, gold: str, predicted: str) -> Verdict:
        """The verdict with who decided, and the limit that ended it."""
        pair = (gold, predicted)
        if pair in self._said:
            return self._said[pair]
        known = self._known.get(pair)
        if known is not None:
            return Verdict(known, METHOD, "remembered")
        asked = ask_all(self._workers, [pair], timeout_s=self._timeout_s, math_verify=self._math_verify)
        self._said[pair] = asked[pair]
        self._known[pair] = asked[pair].verdict
        return asked[pair]
