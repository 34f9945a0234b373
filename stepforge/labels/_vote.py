"""What three voters decide: a value that more than half of them name (MV-MATH, section 3.2 and appendix F.2)."""

from collections.abc import Sequence

from stepforge.labels._base import Label
from stepforge.records import LabelVote
from stepforge.vocabulary import LabelMethod

Ballot = Sequence[str] | None  # what one voter says of a label; None: the voter did not vote


def votes_on(label: Label, ballots: Sequence[Ballot]) -> tuple[LabelVote, ...]:
    """The votes on a label, one for each value that was decided for or that is tied.

    A value needs more than half of all voters, whether or not they voted; so does the decision against one.  What has
    neither is a tie, with the value None, and is for people.  `votes` names the value for each voter who chose it, and
    is empty for one who did not."""
    known = [
        None if said is None else tuple(v for one in said if (v := label.known(one)) is not None) for said in ballots
    ]
    if label.many:
        values = sorted({value for said in known if said for value in said})
        every = [_on_one(label, value, known) for value in values]
        return tuple(vote for vote in every if vote is not None) or _silent(label, known)
    said = tuple(ballot[0] if ballot else "" for ballot in known)
    decided = next((value for value in said if value and said.count(value) * 2 > len(said)), None)
    return (LabelVote(field=label.name, value=decided, method=LabelMethod.VOTE, votes=said),)


def _on_one(label: Label, value: str, known: Sequence[tuple[str, ...] | None]) -> LabelVote | None:
    said = tuple(value if ballot and value in ballot else "" for ballot in known)
    for_it = sum(map(bool, said))
    against = sum(ballot is not None and value not in ballot for ballot in known)
    if against * 2 > len(known):
        return None
    decided = value if for_it * 2 > len(known) else None
    return LabelVote(field=label.name, value=decided, method=LabelMethod.VOTE, votes=said)


def _silent(label: Label, known: Sequence[tuple[str, ...] | None]) -> tuple[LabelVote, ...]:
    """A tie where too few voted for their silence to mean that there is no value."""
    if sum(ballot is not None for ballot in known) * 2 > len(known):
        return ()
    return (LabelVote(field=label.name, value=None, method=LabelMethod.VOTE, votes=("",) * len(known)),)
