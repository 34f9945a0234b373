"""Published files of the shared data, read whole, and records of one source made and read in tests."""

import json
from typing import Any

from stepforge.answers.equivalence import equivalent
from stepforge.records import Problem
from stepforge.vocabulary import EquivalenceVerdict
from tests.shared_data import shared
from tests.sources.reading import not_delivered, read


def kept(name: str) -> list[Problem]:
    """The problems of a published file, none of whose records is refused."""
    outcome = read(name, shared(name).read_bytes(), figures=not_delivered, licence="unknown")
    assert outcome.rejections == []
    assert outcome.kept
    return outcome.kept


def one(record: dict[str, Any], path: str = "set.jsonl", **given: Any) -> Problem:
    """The problem of a file that holds this record alone."""
    outcome = read(path, json.dumps(record) + "\n", **{"licence": "unknown", **given})
    assert [rejection.detail for rejection in outcome.rejections] == []
    (problem,) = outcome.kept
    return problem


def refusal(record: dict[str, Any], source: str, path: str = "set.jsonl") -> str:
    """Why the record is refused."""
    outcome = read(path, json.dumps(record) + "\n", source)
    assert outcome.kept == []
    (rejection,) = outcome.rejections
    return rejection.detail


def accepts(problem: Problem, reply: str) -> bool:
    """Whether the answer engine takes a reply for the problem's answer."""
    assert problem.answer is not None
    return equivalent(problem.answer, reply, problem.choices).verdict is EquivalenceVerdict.EQUAL
