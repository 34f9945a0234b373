"""What a stage makes of its input: every record that came in is kept or rejected with a reason, by id."""

from collections.abc import Callable, Iterable
from typing import Generic, NamedTuple, TypeVar

from stepforge.records import Record, Rejection
from stepforge.vocabulary import Disposition, Reason

T = TypeVar("T", bound=Record)

Tick = Callable[[int], None]  # called with the number of records finished since the last call

EVIDENCE_CHARS = 300  # enough to recognise the text, little enough to keep a rejection table small


def no_tick(_done: int) -> None:
    """Progress that nobody watches."""


class Outcome(NamedTuple, Generic[T]):
    """Rows of a stage.  `input_ids`: the ids of all records that came in, in input order, without repeats."""

    kept: list[T]
    rejections: list[Rejection]
    input_ids: list[str]


def reject(
    stage: str,
    record_id: str,
    reason: Reason,
    detail: str,
    *,
    problem_id: str | None = None,
    evidence: str = "",
    disposition: Disposition = Disposition.DROPPED,
) -> Rejection:
    """A rejection with its evidence cut to `EVIDENCE_CHARS` characters."""
    return Rejection(
        stage=stage,
        record_id=record_id,
        problem_id=problem_id,
        disposition=disposition,
        reason=reason,
        detail=detail,
        evidence=evidence[:EVIDENCE_CHARS],
    )


def not_applicable(stage: str, problem_id: str, reason: Reason, detail: str) -> Rejection:
    """A record that the stage has no work for; it stays in the benchmark."""
    return reject(stage, problem_id, reason, detail, problem_id=problem_id, disposition=Disposition.NOT_APPLICABLE)


def unaccounted(
    outcome_ids: Iterable[str], kept_ids: Iterable[str], rejected_ids: Iterable[str]
) -> dict[str, list[str]]:
    """Ids that break conservation, by how: `lost` (neither kept nor rejected), `both` (kept and rejected), `invented`
    (kept or rejected, but never came in).  Empty if rows in = rows out + rejections."""
    came, kept, rejected = set(outcome_ids), set(kept_ids), set(rejected_ids)
    faults = {
        "lost": sorted(came - kept - rejected),
        "both": sorted(kept & rejected),
        "invented": sorted((kept | rejected) - came),
    }
    return {how: ids for how, ids in faults.items() if ids}
