"""References compiled once for a batch, whichever of its lanes asks first."""

import threading
from collections import Counter, OrderedDict

from lean_check.audit import NoReferenceError, compile_reference
from lean_check.process import MIB, Limits
from lean_check.toolchain import Toolchain

MOST_BYTES = 256 * MIB  # of compiled references that are kept; the one asked for longest ago goes first
FAILURES = 3  # then a reference is not tried again: the first may have been a busy machine's fault


class References:
    """Compiled references by content."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._kept: OrderedDict[tuple[object, ...], bytes] = OrderedDict()
        self._turns: dict[tuple[object, ...], threading.Lock] = {}
        self._failures: Counter[tuple[object, ...]] = Counter()
        self._said: dict[tuple[object, ...], str] = {}
        self._lock = threading.Lock()

    def compiled(self, source: str, toolchain: Toolchain, limits: Limits, sandboxed: bool) -> bytes:
        """The reference's `.olean`.  Raises: NoReferenceError; OSError where Lean cannot be started."""
        key = (source, toolchain, limits, sandboxed)
        with self._lock:
            turn = self._turns.setdefault(key, threading.Lock())
        with turn:
            if (kept := self._known(key)) is not None:
                return kept
            try:
                made = compile_reference(source, toolchain, limits, sandboxed)
            except NoReferenceError as error:
                self._failures[key] += 1
                self._said[key] = str(error)
                raise
            self._keep(key, made)
            return made

    def _known(self, key: tuple[object, ...]) -> bytes | None:
        if self._failures[key] >= FAILURES:
            raise NoReferenceError(self._said[key])
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def _keep(self, key: tuple[object, ...], made: bytes) -> None:
        with self._lock:
            self._kept[key] = made
            while sum(map(len, self._kept.values())) > self._most_bytes and len(self._kept) > 1:
                self._kept.popitem(last=False)
