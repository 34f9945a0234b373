"""Items, plans and decisions for tests, complete, with what matters given by name."""

from datetime import UTC, datetime

from stepforge.records import ReviewAnswer, ReviewDecision, ReviewItem
from stepforge.review import KINDS, Material, item_of
from tests.make import problem

NOW = datetime(2026, 11, 20, tzinfo=UTC)
SOUND = {"question": "complete", "answer": "right", "figure": "none_is_needed", "language": "as_stated"}


def items(n, batch="b", kind="problem", **fields):
    problems = [problem(f"native/p{k}", question=f"What is 2 + {k}?", **fields) for k in range(n)]
    of = KINDS[kind]
    return [item_of(of, batch, one) for one in of.candidates(Material(problems=problems))]


def answers(said):
    return tuple(
        ReviewAnswer(field=name, values=(value,) if isinstance(value, str) else tuple(value))
        for name, value in said.items()
    )


def decision(item: ReviewItem, reviewer: str, said, *, round_="1", revision=0, at=NOW, sha="f"):
    return ReviewDecision(
        item=item.item,
        kind=item.kind,
        batch=item.batch,
        record_id=item.record_id,
        problem_id=item.problem_id,
        round=round_,
        reviewer=reviewer,
        revision=revision,
        answers=answers(said),
        decided_at=at,
        recorded_at=NOW,
        source_sha256=sha,
    )
