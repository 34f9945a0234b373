"""An export: which items go to whom in a round."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from stepforge.errors import BadRequest
from stepforge.records import ReviewAssignment, ReviewDecision, ReviewItem, ReviewOutcome, ReviewPlan
from stepforge.review._protocols import ARBITRATION, FIRST, SECOND, Protocol, assign, drawn, latest
from stepforge.vocabulary import ReviewState

PLAN_DIGITS = 16


class Request(NamedTuple):
    """What a coordinator asks for.  `limit`: at most so many items, None: all; `every`: also those without doubt."""

    protocol: Protocol
    kind: str
    batch: str
    round: str
    seed: int
    reviewers: tuple[str, ...]
    limit: int | None = None
    every: bool = False

    @property
    def name(self) -> str:
        """A hash of all of it; in which order reviewers are named does not matter."""
        told = [*self._replace(reviewers=tuple(sorted(self.reviewers)))]
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:PLAN_DIGITS]


class Planned(NamedTuple):
    """The plans of a request, and how many items that it could have are in none of them."""

    plans: tuple[ReviewPlan, ...]
    new: ReviewPlan | None
    left: int


def planned(
    request: Request,
    items: Sequence[ReviewItem],
    plans: Sequence[ReviewPlan],
    found: Sequence[ReviewOutcome],
    *,
    more: bool = False,
) -> Planned:
    """The plans of the request: those that there are, and a new one if there is none yet or `more` is asked for.
    `items`: those of the kind that can be shown now; `plans`, `found`: all of the batch.
    In the first round items go out that went to nobody; in a later one those on which the earlier ones disagree.
    Raises: BadRequest if reviewers are too few, or judge what they have judged before."""
    mine = tuple(plan for plan in plans if plan.request == request.name)
    given = {
        assignment.item.item
        for plan in plans
        if plan.round == request.round and plan.kind == request.kind
        for assignment in plan.assignments
    }
    open_ = [item for item in _asked(request, items, found) if item.item not in given]
    if not open_ or (mine and not more):
        return Planned(mine, None, len(open_))
    chosen = sorted(open_, key=lambda item: drawn(request.seed, "sample", item.item))[: request.limit]
    new = _plan(request, _assigned(request, chosen, plans))
    return Planned((*mine, new), new, len(open_) - len(chosen))


def _asked(request: Request, items: Sequence[ReviewItem], found: Sequence[ReviewOutcome]) -> list[ReviewItem]:
    if request.round == FIRST:
        return list(items)
    disputed = {
        outcome.item.item
        for outcome in found
        if outcome.state is ReviewState.DISPUTED and outcome.protocol == request.protocol
    }
    return [item for item in items if item.item in disputed]


def _assigned(request: Request, items: Sequence[ReviewItem], plans: Sequence[ReviewPlan]) -> list[ReviewAssignment]:
    if request.round == FIRST:
        return assign(items, request.reviewers, request.protocol, seed=request.seed)
    before = {
        assignment.item.item: assignment.reviewers
        for plan in plans
        if plan.round == FIRST
        for assignment in plan.assignments
    }
    if request.round == SECOND:
        return [ReviewAssignment(item=item, reviewers=before[item.item]) for item in items]
    if not request.reviewers:
        raise BadRequest("arbitration needs those who arbitrate: --reviewers carla")
    judged = sorted({name for item in items for name in before.get(item.item, ())} & set(request.reviewers))
    if judged:
        raise BadRequest(f"{', '.join(judged)} judged some of the disputed items; let others arbitrate")
    return [ReviewAssignment(item=item, reviewers=tuple(sorted(request.reviewers))) for item in items]


def _plan(request: Request, assignments: Sequence[ReviewAssignment]) -> ReviewPlan:
    ordered = tuple(sorted(assignments, key=lambda one: one.item.item))
    text = json.dumps([request.name, [one.item.item for one in ordered]])
    return ReviewPlan(
        plan_id=hashlib.sha256(text.encode()).hexdigest()[:PLAN_DIGITS],
        protocol=request.protocol,
        kind=request.kind,
        batch=request.batch,
        round=request.round,
        seed=request.seed,
        request=request.name,
        reviewers=tuple(sorted({name for one in ordered for name in one.reviewers})),
        assignments=ordered,
    )


def seen_verdicts(
    plan: ReviewPlan, reviewer: str, decisions: Sequence[ReviewDecision]
) -> Mapping[str, list[ReviewDecision]]:
    """By item, what the reviewer is shown of the rounds before: nothing in the first; else what the first two said (in
    arbitration the second time, where there was one), in an order drawn for the reviewer."""
    if plan.round == FIRST:
        return {}
    said = latest(decisions)
    found: dict[str, list[ReviewDecision]] = {}
    for assignment in plan.assignments:
        item = assignment.item.item
        of = {
            round_: [d for (name, r, _), d in said.items() if name == item and r == round_]
            for round_ in (FIRST, SECOND)
        }
        last = of[SECOND] if plan.round == ARBITRATION and len(of[SECOND]) > 1 else of[FIRST]
        found[item] = sorted(last, key=lambda d: drawn(plan.seed, "verdict", reviewer, item, d.reviewer))
    return found
