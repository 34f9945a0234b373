"""Who reviews what, and what follows from what they say.

two-round: reviewers in fixed pairs judge blind, then a panel of others decides what they disagree on (MAMath-Bench).
two-annotator: any two judge blind; what they disagree on they may see again, each with both verdicts and no names
(round 2: AgenticMathBench's discussion), and an expert decides the rest (arbitration: MV-MATH, appendix F.2).
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple

from stepforge.errors import BadRequest
from stepforge.records import (
    ReviewAnswer,
    ReviewAssignment,
    ReviewDecision,
    ReviewItem,
    ReviewOutcome,
    ReviewPlan,
)
from stepforge.review._base import KINDS, Question, ReviewKind, step_numbers
from stepforge.vocabulary import ReviewState


class Protocol(StrEnum):
    """The two ways to review."""

    TWO_ROUND = "two-round"
    TWO_ANNOTATOR = "two-annotator"


FIRST, SECOND, ARBITRATION = "1", "2", "arbitration"
ROUNDS: Mapping[Protocol, tuple[str, ...]] = {
    Protocol.TWO_ROUND: (FIRST, ARBITRATION),
    Protocol.TWO_ANNOTATOR: (FIRST, SECOND, ARBITRATION),
}


def round_of(protocol: Protocol, written: str) -> str:
    """The round that is meant; of two-round the second is the arbitration.  Raises: BadRequest."""
    found = ARBITRATION if protocol is Protocol.TWO_ROUND and written == SECOND else written
    if found not in ROUNDS[protocol]:
        raise BadRequest(f"{protocol} has no round {written!r}; it has: {', '.join(ROUNDS[protocol])}")
    return found


def drawn(seed: int, *words: str) -> bytes:
    """A number that orders things by chance, the same for the same seed and words."""
    return hashlib.sha256("|".join([str(seed), *words]).encode("utf-8", "surrogatepass")).digest()


def assign(
    items: Sequence[ReviewItem], reviewers: Sequence[str], protocol: Protocol, *, seed: int
) -> list[ReviewAssignment]:
    """Two reviewers for each item, the load as even as can be, sorted by item.  two-round: pairs that stay together.
    Raises: BadRequest for too few reviewers, or an odd number of them that must be paired."""
    if len(reviewers) < 2:
        raise BadRequest(f"{protocol} needs two reviewers or more: --reviewers anna,ben")
    if protocol is Protocol.TWO_ROUND and len(reviewers) % 2:
        raise BadRequest(f"two-round pairs its reviewers, and {len(reviewers)} are an odd number; add or leave out one")
    by_chance = sorted(reviewers, key=lambda name: drawn(seed, "reviewer", name))
    pairs = [pair for k, pair in enumerate(pairwise(by_chance)) if k % 2 == 0]
    load = dict.fromkeys(reviewers, 0)
    found = []
    for item in sorted(items, key=lambda one: drawn(seed, one.item)):
        if protocol is Protocol.TWO_ROUND:
            chosen = min(pairs, key=lambda pair: (load[pair[0]], drawn(seed, item.item, *pair)))
        else:
            least = sorted(reviewers, key=lambda name: (load[name], drawn(seed, item.item, name)))
            chosen = (least[0], least[1])
        for name in chosen:
            load[name] += 1
        found.append(ReviewAssignment(item=item, reviewers=tuple(sorted(chosen))))
    return sorted(found, key=lambda one: one.item.item)


def in_order(plan: ReviewPlan, reviewer: str) -> list[ReviewAssignment]:
    """What the reviewer is given, in an order of the reviewer's own."""
    mine = [one for one in plan.assignments if reviewer in one.reviewers]
    return sorted(mine, key=lambda one: drawn(plan.seed, "order", plan.round, reviewer, one.item.item))


def latest(decisions: Iterable[ReviewDecision]) -> dict[tuple[str, str, str], ReviewDecision]:
    """The decision that counts by item, round and reviewer: the last revision."""
    found: dict[tuple[str, str, str], ReviewDecision] = {}
    for decision in decisions:
        key = (decision.item, decision.round, decision.reviewer)
        if key not in found or found[key].revision < decision.revision:
            found[key] = decision
    return found


class _Voices(NamedTuple):
    """Who was asked of an item in each round, and what they said."""

    asked: Mapping[str, set[str]]
    said: Mapping[str, Mapping[str, ReviewDecision]]


def compared(kind: ReviewKind, answers: Sequence[ReviewAnswer]) -> tuple[ReviewAnswer, ...]:
    """The answers on which reviewers must agree, in a form in which like ones are equal."""
    by_field = {answer.field: answer.values for answer in answers}
    found = []
    for question in kind.questions:
        values = _normal(question, by_field.get(question.name, ()))
        if question.compared and values:
            found.append(ReviewAnswer(field=question.name, values=values))
    return tuple(found)


def _normal(question: Question, values: Sequence[str]) -> tuple[str, ...]:
    if question.options:
        return tuple(option for option in question.options if option in values)
    if question.numbers:
        numbers = step_numbers(" ".join(values))
        return (", ".join(map(str, numbers)),) if numbers else ()
    lines = (" ".join(line.split()) for value in values for line in value.splitlines())
    kept = [line for line in lines if line]
    return ("\n".join(kept),) if kept and question.rows > 1 else tuple(kept)


def outcomes(plans: Sequence[ReviewPlan], decisions: Iterable[ReviewDecision]) -> list[ReviewOutcome]:
    """What counts for each item that was given to reviewers, sorted by item.

    Arbitration decides by more than half of those who were asked (of two, both); else the second round where all of
    its reviewers agree; else the first round likewise.  An item on which all have spoken and no round decides is
    disputed; of a kind that is gone, and while someone is silent, it is open."""
    items: dict[str, tuple[ReviewItem, str]] = {}
    asked: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for plan in plans:
        for assignment in plan.assignments:
            items.setdefault(assignment.item.item, (assignment.item, plan.protocol))
            asked[assignment.item.item][plan.round] |= set(assignment.reviewers)
    said: dict[str, dict[str, dict[str, ReviewDecision]]] = defaultdict(lambda: defaultdict(dict))
    for (name, round_, reviewer), decision in latest(decisions).items():
        if reviewer in asked[name][round_]:
            said[name][round_][reviewer] = decision
    return [_outcome(*items[name], _Voices(asked[name], said[name])) for name in sorted(items)]


def _outcome(item: ReviewItem, protocol: str, voices: _Voices) -> ReviewOutcome:
    rounds = [name for name in (ARBITRATION, SECOND, FIRST) if voices.asked.get(name)]
    if item.kind in KINDS:
        for name in rounds:
            answers = _decided(KINDS[item.kind], name, voices)
            if answers is not None:
                return _ruled(item, protocol, name, answers)
    first_is_whole = voices.asked.get(FIRST, set()) <= set(voices.said.get(FIRST, {}))
    state = ReviewState.DISPUTED if first_is_whole and item.kind in KINDS else ReviewState.OPEN
    return ReviewOutcome(item=item, protocol=protocol, state=state, round=rounds[0] if rounds else FIRST, answers=())


def _decided(kind: ReviewKind, name: str, voices: _Voices) -> tuple[ReviewAnswer, ...] | None:
    """The answers that carry the round; None if none do."""
    asked, said = voices.asked[name], voices.said.get(name, {})
    votes: dict[tuple[ReviewAnswer, ...], int] = defaultdict(int)
    for _, decision in sorted(said.items()):
        votes[compared(kind, decision.answers)] += 1
    if not votes:
        return None
    most = max(votes, key=lambda answers: votes[answers])
    needed = len(asked) // 2 + 1 if name == ARBITRATION else len(asked)
    return most if votes[most] >= needed else None


def _ruled(item: ReviewItem, protocol: str, name: str, answers: tuple[ReviewAnswer, ...]) -> ReviewOutcome:
    ruling = KINDS[item.kind].ruling(item, {answer.field: answer.values for answer in answers})
    state = ReviewState.CORRECTED if ruling.corrections else ReviewState.ACCEPTED
    return ReviewOutcome(
        item=item,
        protocol=protocol,
        state=state if ruling.refused_by is None else ReviewState.REFUSED,
        round=name,
        answers=answers,
        refused_by=ruling.refused_by,
        corrections=() if ruling.refused_by is not None else ruling.corrections,
    )
