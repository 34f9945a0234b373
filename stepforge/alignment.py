"""Whether a formalization says what the words say, as a judge model reads it (AgenticMathBench, Lean-Align).

The judge's word is one of the three ways of `stepforge.metrics.formalization`; what Lean shows is another.
"""

from collections.abc import Sequence
from typing import NamedTuple

from stepforge.asking import Ask, ModelFailure, ModelRequest, user
from stepforge.prompting import PROMPTS
from stepforge.records import AlignmentReply

ROLE = "alignment_judge"
PROMPT = "align_statement/v1"


class Pair(NamedTuple):
    """A statement in words and a candidate in Lean."""

    item_id: str
    words: str
    candidate: str


class Judged(NamedTuple):
    """Verdicts by item id; a pair on which the judge gave none is in `failures`, and in no denominator."""

    aligned: dict[str, bool]
    failures: dict[str, ModelFailure]


def request_of(pair: Pair, role: str = ROLE) -> ModelRequest:
    """What the judge is asked.  Words and candidate are data; neither can speak to the judge."""
    prompt = PROMPTS[PROMPT].render(words=pair.words, candidate=pair.candidate)
    return ModelRequest(
        request_id=pair.item_id,
        role=role,
        messages=(user(prompt.text),),
        prompt_id=prompt.prompt_id,
        prompt_sha256=prompt.sha256,
    )


def judge_alignment(pairs: Sequence[Pair], ask: Ask, role: str = ROLE) -> Judged:
    """The judge's verdict on each pair.  Ids are unique."""
    answered = ask((request_of(pair, role) for pair in pairs), AlignmentReply)
    found = Judged({}, {})
    for pair in pairs:
        answer = answered[pair.item_id]
        if isinstance(answer, ModelFailure):
            found.failures[pair.item_id] = answer
        else:
            found.aligned[pair.item_id] = AlignmentReply.model_validate_json(answer.structured or "").aligned
    return found
