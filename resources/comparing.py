"""The symbolic comparer of a stage: workers that end with it, and verdicts that outlive it."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from resources.code import code_version
from resources.memo import Memo, key_of
from stepforge.vocabulary import EquivalenceVerdict

if TYPE_CHECKING:
    from resources.symbolic import SymbolicComparer

Pair = tuple[str, str]
KIND = "symbolic"


class _Remembered:
    """Verdicts in the memo, under the pair and the version of the method."""

    def __init__(self, memo: Memo) -> None:
        self._memo = memo
        self._version = code_version(["stepforge.answers.symbolic"], [])
        self._undecided: set[Pair] = set()

    def _key(self, pair: Pair) -> str:
        return key_of(*pair, self._version)

    def get(self, pair: Pair, /) -> EquivalenceVerdict | None:
        """The verdict, or None if the pair is new."""
        if pair in self._undecided:
            return EquivalenceVerdict.UNDECIDED
        found = self._memo.get(KIND, self._key(pair))
        return None if found is None else EquivalenceVerdict(json.loads(found))

    def __setitem__(self, pair: Pair, verdict: EquivalenceVerdict) -> None:
        # what is undecided may be so because the machine was busy: it is asked again in the next run
        if verdict is EquivalenceVerdict.UNDECIDED:
            self._undecided.add(pair)
        else:
            self._memo.put(KIND, self._key(pair), json.dumps(verdict).encode())


@contextmanager
def symbolic_comparer(memo: Memo) -> "Iterator[SymbolicComparer]":
    """A comparer whose verdicts are remembered in `memo`; its worker processes end with the context."""
    from resources.symbolic import SymbolicComparer, symbolic_workers  # noqa: PLC0415 - SymPy costs every command 0.4 s

    with symbolic_workers() as workers:
        yield SymbolicComparer(workers, remember=_Remembered(memo))
