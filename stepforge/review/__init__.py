"""Human review: what people are shown, what they may say, and what follows from it.  A kind of review is one module."""

from stepforge.review._agreement import PairAgreement, ReviewAgreement, pair_agreement, review_agreement
from stepforge.review._base import KINDS, Candidate, Material, ReviewKind, item_of
from stepforge.review._obey import NO_REVIEWS, Obeyed, Reviews, obey
from stepforge.review._protocols import ROUNDS, Protocol, assign, in_order, latest, outcomes, round_of

__all__ = [
    "KINDS",
    "NO_REVIEWS",
    "ROUNDS",
    "Candidate",
    "Material",
    "Obeyed",
    "PairAgreement",
    "Protocol",
    "ReviewAgreement",
    "ReviewKind",
    "Reviews",
    "assign",
    "in_order",
    "item_of",
    "latest",
    "obey",
    "outcomes",
    "pair_agreement",
    "review_agreement",
    "round_of",
]
