"""What outcomes of review do to the records of a batch: refuse, correct, or hold back until people have spoken."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from stepforge.records import ReviewOutcome
from stepforge.review._base import KINDS, Candidate, Material, Reviewed, ReviewKind, item_of
from stepforge.vocabulary import ReviewState

UNDECIDED = frozenset({ReviewState.OPEN, ReviewState.DISPUTED})


class Reviews(NamedTuple):
    """Outcomes of one batch.  `required`: what nobody has decided is held back."""

    batch: str = ""
    outcomes: Sequence[ReviewOutcome] = ()
    required: bool = False


NO_REVIEWS = Reviews()


class Refusal(NamedTuple):
    """Why a record does not pass.  `waiting`: people may still decide."""

    detail: str
    waiting: bool


class Obeyed(NamedTuple):
    """What follows from review.  `refusals`: by the id of the problem, or of the record where only that is concerned;
    `reviewed`: corrected problems and paths by id; `answers`: problems whose answer people corrected."""

    refusals: Mapping[str, Refusal]
    reviewed: Mapping[str, Reviewed]
    answers: frozenset[str]


def obey(material: Material, reviews: Reviews, *, whole: bool = True) -> Obeyed:
    """What the outcomes say of the records at hand, of kinds that concern a whole problem or a record alone.  An
    outcome counts for the record that was shown: once its texts are others, it must be reviewed again."""
    refusals: dict[str, Refusal] = {}
    reviewed: dict[str, Reviewed] = {}
    answers: set[str] = set()
    by_item = {outcome.item.item: outcome for outcome in reviews.outcomes}
    records = {(outcome.item.kind, outcome.item.record_id) for outcome in reviews.outcomes}
    problems = {problem.problem_id: problem for problem in material.problems}
    for kind, candidate in _candidates(material, reviews, whole=whole):
        outcome = by_item.get(item_of(kind, reviews.batch, candidate).item)
        place = candidate.problem_id if kind.whole else candidate.record_id
        refusal = _refusal(kind, candidate, outcome, reviews, known=(kind.name, candidate.record_id) in records)
        if refusal is not None and (place not in refusals or refusals[place].waiting):
            refusals[place] = refusal
        if outcome is not None and outcome.state is ReviewState.CORRECTED:
            before = reviewed.get(candidate.problem_id) or Reviewed(problems[candidate.problem_id], {})
            reviewed[candidate.problem_id] = kind.apply(before, outcome)
            if any(correction.field == "answer" for correction in outcome.corrections):
                answers.add(candidate.problem_id)
    return Obeyed(refusals, reviewed, frozenset(answers))


def _candidates(material: Material, reviews: Reviews, *, whole: bool) -> Iterator[tuple[ReviewKind, Candidate]]:
    """Records that an outcome may concern; with `required` all of the kinds that are demanded."""
    concerned: dict[str, set[str]] = defaultdict(set)
    for outcome in reviews.outcomes:
        concerned[outcome.item.kind].add(outcome.item.problem_id)
    for kind in KINDS:
        if kind.whole is not whole:
            continue
        every = reviews.required and kind.demanded
        ids = concerned[kind.name]
        if every or ids:
            for candidate in kind.candidates(material if every else _only(material, ids)):
                yield kind, candidate


def _only(material: Material, ids: set[str]) -> Material:
    """Those problems, and the ones that they are variants of."""
    shown = ids | {p.variant_of for p in material.problems if p.problem_id in ids and p.variant_of}
    return material._replace(problems=[p for p in material.problems if p.problem_id in shown])


def _refusal(
    kind: ReviewKind, candidate: Candidate, outcome: ReviewOutcome | None, reviews: Reviews, *, known: bool
) -> Refusal | None:
    if outcome is not None and outcome.state is ReviewState.REFUSED:
        round_ = "arbitration" if outcome.round == "arbitration" else f"round {outcome.round}"
        why = f"reviewers refused it ({kind.name}, {outcome.refused_by}, {round_}); see stepforge review show"
        return Refusal(why, waiting=False)
    if not reviews.required:
        return None
    if outcome is None:
        if known:
            return Refusal(f"it changed since it was reviewed ({kind.name}); export it again", waiting=True)
        if kind.demanded and candidate.doubtful:
            why = f"the batch demands review and nobody was given it ({kind.name}); stepforge review export"
            return Refusal(why, waiting=True)
    elif outcome.state in UNDECIDED:
        waits = "reviewers disagree" if outcome.state is ReviewState.DISPUTED else "not all reviewers have answered"
        return Refusal(f"{waits} ({kind.name}); see stepforge review status", waiting=True)
    return None
