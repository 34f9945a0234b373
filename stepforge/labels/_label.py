"""Problems with their labels: the source's word first, then the voters', else the rules'."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from stepforge.asking import Ask
from stepforge.labels._ask import Ballots, Labeller, ballots_of
from stepforge.labels._base import LABELS, Label, Levels
from stepforge.labels._vote import votes_on
from stepforge.labels.difficulty import lengths_of, levels
from stepforge.outcome import Outcome, Tick, no_tick
from stepforge.records import LabelVote, Problem, Rejection
from stepforge.vocabulary import LabelMethod


def labelled_problems(
    problems: Sequence[Problem],
    tick: Tick = no_tick,
    *,
    labellers: Sequence[Labeller] = (),
    ask: Ask | None = None,
    known: Levels | None = None,
) -> Outcome[Problem]:
    """Every problem with the labels that can be told, and with who told each.

    A label of the source is never changed.  With `labellers`, models vote on what the source does not say, and a tie
    leaves the label open for people; without, the rules say it where they can.  known: levels of difficulty by length
    over the whole batch, where `problems` are a part of it."""
    found = levels(lengths_of(problems)) if known is None else known
    if labellers and ask is None:
        raise ValueError("labellers need `ask`")
    said = ballots_of(problems, labellers, ask) if labellers and ask is not None else {}
    kept: list[Problem] = []
    rejections: list[Rejection] = []
    for problem in problems:
        ballots = said.get(problem.problem_id, {})
        if isinstance(ballots, Rejection):
            rejections.append(ballots)
        else:
            kept.append(_labelled(problem, ballots, found))
        tick(1)
    return Outcome(kept, rejections, [problem.problem_id for problem in problems])


def _labelled(problem: Problem, ballots: Ballots, known: Levels) -> Problem:
    votes: list[LabelVote] = []
    changes: dict[str, Any] = {}
    for label in LABELS:
        own = tuple(_votes(label, problem, ballots, known))
        votes += own
        decided = [vote.value for vote in own if vote.value is not None and vote.method is not LabelMethod.SOURCE]
        if decided:
            changes[label.attribute] = label.value(decided)
    return problem.model_copy(update={**changes, "labels": tuple(votes)})


def _votes(
    label: Label, problem: Problem, ballots: Mapping[str, Sequence[Sequence[str] | None]], known: Levels
) -> Iterator[LabelVote]:
    stated = label.stated(problem)
    if stated:
        yield from (LabelVote(field=label.name, value=value, method=LabelMethod.SOURCE) for value in stated)
    elif label.name in ballots:
        yield from votes_on(label, ballots[label.name])
    elif label.applies(problem):
        said = label.by_rules(problem, known)
        yield from (LabelVote(field=label.name, value=str(value), method=LabelMethod.RULES) for value in said)
