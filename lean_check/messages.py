"""What `lean --json` printed: one JSON object a line, and the kind of error that each message is."""

import json
from collections.abc import Iterable
from dataclasses import dataclass

from lean_check.verdict import Message

MAX_MESSAGE_CHARS = 10_000  # a type of Mathlib printed in full is shorter; a flood is not worth keeping

# Libraries that a machine may lack through no fault of the text; any other module that is not found is the text's own.
_LIBRARY_WORDS = """
    Init Std Lean Lake Mathlib Batteries Aesop Qq ProofWidgets Plausible LeanSearchClient ImportGraph Cli
"""
LIBRARIES = frozenset(_LIBRARY_WORDS.split())

# First match wins; compared with the message in small letters.
_KINDS = (
    ("(deterministic) timeout", "heartbeats"),
    ("maximum recursion depth", "deep_recursion"),
    ("deep recursion", "deep_recursion"),
    ("unknown module prefix", "unknown_import"),
    ("unknown package", "unknown_import"),
    ("object file", "unknown_import"),
    ("unknown tactic", "syntax"),
    ("unknown identifier", "unknown_name"),
    ("unknown constant", "unknown_name"),
    ("unknown namespace", "unknown_name"),
    ("invalid field", "unknown_name"),
    ("type mismatch", "type_mismatch"),
    ("not a definitional equality", "type_mismatch"),
    ("function expected", "type_mismatch"),
    ("numerals are data", "type_mismatch"),
    ("proved that the proposition", "false_statement"),
    ("termination", "termination"),
    ("unsolved goals", "unsolved_goals"),
    ("failed to synthesize", "no_instance"),
    ("universe", "universe"),
    ("(kernel)", "kernel"),
    ("unterminated", "syntax"),
    ("failed", "tactic_failed"),
    ("no progress", "tactic_failed"),
)
_MET_BEHIND = "unexpected token '#check'"
_SYNTAX_STARTS = ("unexpected ", "expected ", "missing end of ", "invalid escape")


@dataclass(frozen=True)
class LeanMessage:
    """One message as Lean gives it; `kind` is Lean's own tag, such as `hasSorry`."""

    severity: str
    kind: str
    line: int | None
    column: int | None
    text: str

    def is_error(self) -> bool:
        """Whether Lean calls it an error."""
        return self.severity == "error"

    def says_sorry(self) -> bool:
        """Whether it is the warning that a declaration uses `sorry`: by kind, or by text as older versions quote it."""
        return self.kind == "hasSorry" or (self.text.startswith("declaration uses") and "sorry" in self.text)

    def public(self, last_line: int, source: str = "") -> Message:
        """The message for the verdict; a position behind the item's own text becomes its last line, and where Lean met
        the command that `lean_check.check` puts there, the message speaks of the end."""
        line = None if self.line is None else min(max(self.line, 1), last_line)
        text = self.text if len(self.text) <= MAX_MESSAGE_CHARS else self.text[:MAX_MESSAGE_CHARS] + " … (cut)"
        if text.startswith(_MET_BEHIND) and "#check" not in source:
            text = "unexpected end of the text" + text.removeprefix(_MET_BEHIND)
        return Message(self.severity, line, self.column if line == self.line else 0, text)


@dataclass(frozen=True)
class Parsed:
    """The messages in the order printed, and how many lines were not messages."""

    messages: tuple[LeanMessage, ...]
    other_lines: int


def parse(stdout: bytes) -> Parsed:
    """Lean's standard output read line by line; what is no message is counted, never an error."""
    messages: list[LeanMessage] = []
    other = 0
    for line in stdout.split(b"\n"):
        if not line.strip():
            continue
        message = _message(line)
        if message is None:
            other += 1
        else:
            messages.append(message)
    return Parsed(tuple(messages), other)


def _message(line: bytes) -> LeanMessage | None:
    try:
        raw = json.loads(line)
    except (ValueError, RecursionError):  # the text under check can make Lean print anything
        return None
    if not isinstance(raw, dict) or raw.get("severity") not in ("error", "warning", "information"):
        return None
    position = raw.get("pos")
    position = position if isinstance(position, dict) else {}
    text = str(raw.get("data", "")).encode("utf-8", "replace").decode()  # an escaped half surrogate is not text
    return LeanMessage(
        str(raw["severity"]), str(raw.get("kind", "")), _int(position.get("line")), _int(position.get("column")), text
    )


def _int(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def error_kinds(messages: Iterable[LeanMessage]) -> tuple[str, ...]:
    """The kinds of the errors, each once, in order of first appearance: the groups of the failure report."""
    return tuple(dict.fromkeys(_kind(message.text) for message in messages if message.is_error()))


def _kind(text: str) -> str:
    low = text[:MAX_MESSAGE_CHARS].lower()
    if low.startswith(_SYNTAX_STARTS):
        return "syntax"
    return next((kind for needle, kind in _KINDS if needle in low), "lean_error")


def missing_library(messages: Iterable[LeanMessage]) -> str | None:
    """The public library that this machine lacks, if a message says so.

    A module inside a library that is here (`Mathlib.NoSuchFile`), or one of no known library, is the text's own error:
    otherwise a text could call itself unjudged by importing a name that exists nowhere.
    """
    for message in messages:
        if message.is_error() and message.text.startswith("unknown module prefix '"):
            name = message.text.split("'")[1]
            if name.split(".")[0] in LIBRARIES:
                return name
    return None
