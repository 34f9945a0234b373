"""What is said of one piece of Lean text."""

import json
import re
from dataclasses import asdict, dataclass
from typing import Literal

Decision = Literal["accepted", "rejected", "infrastructure"]
"""`infrastructure` says nothing of the text: no toolchain, no sandbox, a library that is not here, a crash."""

NOT_AUDITED = "axioms not audited, statement not compared, proof not replayed through the kernel"
NOT_COMPARED = "statement not compared: no reference was given"


_UNPRINTED = re.compile(r"[^ -~]")


@dataclass(frozen=True)
class Message:
    """One message about the text.  `line` counts from 1, `column` from 0, in the item's own text; None: no position.

    `severity` is Lean's own (`error`, `warning`, `information`), or `refused` where the screening speaks.
    """

    severity: str
    line: int | None
    column: int | None
    text: str


@dataclass(frozen=True)
class Verdict:
    """The verdict for one file.

    `reasons`: names of rules and of kinds of error, in order of first appearance, empty for an accepted text.
    `axioms`: those that the audit found, of the theorem asked for or, without a reference, of all that the text
    declares; None where there was no audit, which `notes` repeats: a list, even an empty one, would claim it.
    `seconds`: wall time of Lean and the audit; `peak_bytes`: largest private memory of either, seen by sampling; both
    None where Lean was not run.  `method`: METHOD_VERSION of the rules that gave this verdict.
    """

    file: str
    verdict: Decision
    reasons: tuple[str, ...]
    messages: tuple[Message, ...] = ()
    axioms: tuple[str, ...] | None = None
    seconds: float | None = None
    peak_bytes: int | None = None
    toolchain: str | None = None
    notes: tuple[str, ...] = ()
    method: str = ""

    def to_json(self) -> str:
        """One line of JSON; keys in the order of the fields.  What cannot be printed is escaped, so that nothing is
        lost, nothing reaches a terminal, and every name of a file can be encoded."""
        return _UNPRINTED.sub(_escaped, json.dumps(asdict(self), ensure_ascii=False))


def _escaped(match: re.Match[str]) -> str:
    return match.group() if match.group().isprintable() else json.dumps(match.group())[1:-1]
