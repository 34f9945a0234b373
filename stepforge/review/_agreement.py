"""How far reviewers agree in the first, blind round: by kind and field, with intervals over items."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from stepforge.metrics.agreement import Estimate, RaterAgreement, cohen_agreement, rater_agreement
from stepforge.records import ReviewDecision
from stepforge.review._base import KINDS
from stepforge.review._protocols import FIRST, latest

Label = str
Ratings = dict[str, dict[str, Label]]  # by item and reviewer


class ReviewAgreement(NamedTuple):
    """Reviewers on one field of one kind: how many and on how many items two or more spoke, and their agreement."""

    kind: str
    field: str
    reviewers: int
    items: int
    agreement: RaterAgreement


class PairAgreement(NamedTuple):
    """Two reviewers, by their pseudonyms, on the items that both judged."""

    kind: str
    field: str
    first: str
    second: str
    items: int
    kappa: Estimate


def ratings(decisions: Iterable[ReviewDecision]) -> dict[tuple[str, str], Ratings]:
    """By kind and field of the form, what each reviewer chose for each item in the first round.  Fields with options
    only; several choices in one field are one label."""
    found: dict[tuple[str, str], Ratings] = defaultdict(lambda: defaultdict(dict))
    for (item, round_, reviewer), decision in sorted(latest(decisions).items()):
        if round_ == FIRST and decision.kind in KINDS:
            said = {answer.field: answer.values for answer in decision.answers}
            for question in KINDS[decision.kind].questions:
                if question.options and question.compared and said.get(question.name):
                    chosen = (option for option in question.options if option in said[question.name])
                    found[decision.kind, question.name][item][reviewer] = ", ".join(chosen)
    return {key: found[key] for key in sorted(found)}


def review_agreement(
    decisions: Sequence[ReviewDecision], *, seed: int = 0, resamples: int = 1000
) -> list[ReviewAgreement]:
    """A row for each kind and field on which two reviewers or more judged an item."""
    rows = []
    for (kind, field), of in ratings(decisions).items():
        judged = [tuple(label for _, label in sorted(of[item].items())) for item in sorted(of) if len(of[item]) > 1]
        if judged:
            reviewers = len({name for said in of.values() for name in said})
            told = rater_agreement(judged, key=f"{seed}|{kind}|{field}", resamples=resamples)
            rows.append(ReviewAgreement(kind, field, reviewers, len(judged), told))
    return rows


def pair_agreement(decisions: Sequence[ReviewDecision], *, seed: int = 0, resamples: int = 1000) -> list[PairAgreement]:
    """Cohen's κ of each two reviewers that share an item, by kind and field."""
    rows = []
    for (kind, field), of in ratings(decisions).items():
        for first, second in combinations(sorted({name for said in of.values() for name in said}), 2):
            both = [(of[item][first], of[item][second]) for item in sorted(of) if {first, second} <= of[item].keys()]
            if both:
                key = f"{seed}|{kind}|{field}|{first}|{second}"
                kappa = cohen_agreement([a for a, _ in both], [b for _, b in both], key=key, resamples=resamples)
                rows.append(PairAgreement(kind, field, first, second, len(both), kappa))
    return rows
