"""Correctness judgment of formalizations (AgenticMathBench, feedback; CriticLean).

Words and Lean are given, and a system says whether the Lean is right.  What people said is the reference; no Lean is
needed to ask or to score.
"""

import json
from typing import NamedTuple

from stepforge.answers.extract import tail_of
from stepforge.answers.json_reply import json_objects
from stepforge.formal import fenced_lean
from stepforge.records import LeanVerdict
from stepforge.vocabulary import FormalLabel, LeanOutcome

METRIC = "correctness"
RIGHT, WRONG = "right", "wrong"
_KEY = "formalization"


class Said(NamedTuple):
    """What a reply says of the formalization, `right` or `wrong`; `error` where nothing is read."""

    word: str | None
    error: str | None


def expected(label: FormalLabel) -> str:
    """The word that a right reply says: a formalization that misses the words or does not compile is wrong."""
    return RIGHT if label is FormalLabel.RIGHT else WRONG


def question(words: str, formalization: str) -> str:
    """What is judged: the statement in words, then its formalization in a block of Lean."""
    return f"{words.rstrip()}\n\n{fenced_lean(formalization)}"


def reply_json(label: FormalLabel) -> str:
    """The JSON object that a system is asked to end with."""
    return json.dumps({_KEY: expected(label)})


def parse(reply: str) -> Said:
    """The word in the reply's last JSON object that has the key; no prose is read, and no other word."""
    found = [value[_KEY] for value in json_objects(tail_of(reply)) if _KEY in value]
    if not found:
        return Said(None, f"no JSON object with the key {_KEY!r}")
    word = found[-1].strip().lower() if isinstance(found[-1], str) else None
    if word not in (RIGHT, WRONG):
        return Said(None, f"{_KEY!r} is neither {RIGHT!r} nor {WRONG!r}")
    return Said(word, None)


def said_to_compile(label: FormalLabel) -> bool:
    """Whether people said that Lean takes the formalization."""
    return label is not FormalLabel.DOES_NOT_COMPILE


def compiled(verdict: LeanVerdict) -> bool | None:
    """Whether Lean itself took the text; None where it could not say: it was not run (no toolchain, a missing library,
    a text refused before), or a limit ended it.  What an audit refuses afterwards was taken by Lean."""
    if verdict.outcome is LeanOutcome.ACCEPTED:
        return True
    if verdict.outcome is LeanOutcome.INFRASTRUCTURE or verdict.toolchain is None:
        return None
    severities = {message.severity for message in verdict.messages}
    return False if "error" in severities else True if "refused" in severities else None
