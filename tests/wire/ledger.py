"""The server's own book: every request that arrived, what became of it, and what a provider would charge for."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Entry:
    """One request.  `paid`: a whole reply of the model was written to the socket and taken by the kernel.
    `abandoned`: the client left before that; a provider charges for the work if the reply was to be a good one."""

    content: str
    attempt: int
    arrived_s: float
    in_flight: int
    outcome: str = ""
    charged: bool = False  # whether the reply that is coming is one that a provider charges for
    paid: bool = False
    abandoned: bool = False
    batch: str | None = None

    def as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


@dataclass
class Ledger:
    """All entries since the last reset, with what is asked often counted as it happens."""

    entries: list[Entry] = field(default_factory=list)
    attempts: Counter[str] = field(default_factory=Counter)
    paid: Counter[str] = field(default_factory=Counter)
    in_flight: int = 0
    max_in_flight: int = 0
    answered: int = 0

    def arrive(self, content: str, now_s: float, batch: str | None = None) -> Entry:
        """Book a request that arrived whole."""
        entry = Entry(content, self.attempts[content], now_s, self.in_flight, batch=batch)
        self.attempts[content] += 1
        self.entries.append(entry)
        if batch is None:
            self.in_flight += 1
            self.max_in_flight = max(self.max_in_flight, self.in_flight)
        return entry

    def written(self, entry: Entry) -> None:
        """The whole answer has left."""
        self._end(entry)
        self.answered += 1
        if entry.charged:
            entry.paid = True
            self.paid[entry.content] += 1

    def failed(self, entry: Entry) -> None:
        """The server ended it without a whole answer, on purpose."""
        self._end(entry)
        self.answered += 1

    def abandon(self, entry: Entry) -> None:
        """The client left first."""
        self._end(entry)
        entry.abandoned = True

    def _end(self, entry: Entry) -> None:
        if entry.batch is None:
            self.in_flight -= 1

    def totals(self) -> dict[str, Any]:
        """Counts over all entries; see `tests.wire.Totals`."""
        billed = Counter(e.content for e in self.entries if e.paid or (e.abandoned and e.charged))
        return {
            "arrived": len(self.entries),
            "distinct": len(self.attempts),
            "answered": self.answered,
            "paid": sum(self.paid.values()),
            "paid_twice": sum(n - 1 for n in self.paid.values() if n > 1),
            "billed": sum(billed.values()),
            "billed_twice": sum(n - 1 for n in billed.values() if n > 1),
            "abandoned": sum(e.abandoned for e in self.entries),
            "in_flight": self.in_flight,
            "max_in_flight": self.max_in_flight,
            "outcomes": dict(sorted(Counter(e.outcome for e in self.entries).items())),
        }
