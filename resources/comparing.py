"""The symbolic comparer of a stage: workers that end with it, and verdicts that outlive it."""

import json
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from resources.code import code_version
from resources.memo import Memo, key_of
from stepforge.vocabulary import EquivalenceVerdict

if TYPE_CHECKING:
    from resources.symbolic import SymbolicComparer

Pair = tuple[str, str]
KIND = "symbolic"


class _Remembered(MutableMapping[Pair, EquivalenceVerdict]):
    """Verdicts in the memo, under the pair and the version of the method."""

    def __init__(self, memo: Memo) -> None:
        self._memo = memo
        self._version = code_version(["stepforge.answers.symbolic"], [])
        self._undecided: set[Pair] = set()

    def _key(self, pair: Pair) -> str:
        return key_of(*pair, self._version)

    def __getitem__(self, pair: Pair) -> EquivalenceVerdict:
        if pair in self._undecided:
            return EquivalenceVerdict.UNDECIDED
        found = self._memo.get(KIND, self._key(pair))
        if found is None:
            raise KeyError(pair)
        return EquivalenceVerdict(json.loads(found))

    def __setitem__(self, pair: Pair, verdict: EquivalenceVerdict) -> None:
        if (
            verdict is EquivalenceVerdict.UNDECIDED
        ):  # a busy machine may have been the reason: ask again in the next run
            self._undecided.add(pair)
        else:
            self._memo.put(KIND, self._key(pair), json.dumps(verdict).encode())

    def __delitem__(self, pair: Pair) -> None:
        raise NotImplementedError("a verdict is forgotten by a new version of the method, never one by one")

    def __iter__(self) -> Iterator[Pair]:
        raise NotImplementedError("only hashes of the pairs are stored")

    def __len__(self) -> int:
        raise NotImplementedError("only hashes of the pairs are stored")


@contextmanager
def symbolic_comparer(memo: Memo) -> "Iterator[SymbolicComparer]":
    """A comparer whose verdicts are remembered in `memo`; its worker processes end with the context."""
    from resources.symbolic import SymbolicComparer, symbolic_workers  # noqa: PLC0415 - SymPy costs every command 0.4 s

    with symbolic_workers() as workers:
        yield SymbolicComparer(workers, remember=_Remembered(memo))
