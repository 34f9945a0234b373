"""What an export of Label Studio adds to the decisions that there are."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from stepforge.errors import BadInput
from stepforge.records import ReviewAnswer, ReviewAssignment, ReviewDecision, ReviewPlan
from stepforge.review._base import KINDS
from stepforge.review._label_studio import Said, checked
from stepforge.review._protocols import latest

NEVER = datetime(1970, 1, 1, tzinfo=UTC)  # of an export that does not say when


class Project(NamedTuple):
    """Whose project it is, and what was given in it, by item."""

    plan: ReviewPlan
    reviewer: str
    assignments: Mapping[str, ReviewAssignment]


class Taken(NamedTuple):
    """Decisions that are new, and annotations that change nothing: as they were before, or older than what is known."""

    added: list[ReviewDecision]
    unchanged: int
    older: int


class _Voice(NamedTuple):
    said: Said
    assignment: ReviewAssignment
    answers: tuple[ReviewAnswer, ...]


_Key = tuple[str, str, str]  # item, round, reviewer


def take(
    said: Iterable[Said],
    project_of: Callable[[str], Project | None],
    accounts: Mapping[str, str],
    known: Sequence[ReviewDecision],
    *,
    source_sha256: str,
    now: datetime,
) -> Taken:
    """The decisions that the annotations of one file add to those known.  A project is its reviewer's own; `accounts`
    says who is behind an account of Label Studio where several people worked in one.
    Raises: BadInput naming file, task and field of the first fault, and how many there are."""
    newest, faults = _newest(said, project_of, accounts)
    if faults:
        more = f" (and {len(faults) - 1} more faults in it)" if len(faults) > 1 else ""
        raise BadInput(f"{faults[0]}{more}; nothing of it was taken")
    before, files = latest(known), {decision.source_sha256 for decision in known}
    added, unchanged, older = [], 0, 0
    for key, voice in sorted(newest.items()):
        last = before.get(key)
        if last is not None and last.answers == voice.answers:
            unchanged += 1
        elif last is not None and _is_older(voice.said, last, again=source_sha256 in files):
            older += 1
        else:
            revision = 0 if last is None else last.revision + 1
            added.append(_decision(key, voice, revision, source_sha256, now))
    return Taken(added, unchanged, older)


def _is_older(said: Said, last: ReviewDecision, *, again: bool) -> bool:
    """Whether the annotation is from before the decision; where no times tell, whether its file was taken before."""
    if said.at is None or last.decided_at is None or said.at == last.decided_at:
        return again
    return said.at < last.decided_at


def _newest(
    said: Iterable[Said], project_of: Callable[[str], Project | None], accounts: Mapping[str, str]
) -> tuple[dict[_Key, _Voice], list[str]]:
    """The last annotation of each reviewer on each item, and what is wrong with others."""
    newest: dict[_Key, _Voice] = {}
    behind: dict[str, set[str]] = defaultdict(set)
    faults: list[str] = []
    for one in said:
        try:
            key, voice = _voice(one, project_of, accounts, behind)
        except BadInput as error:
            faults.append(str(error))
            continue
        if key not in newest or (newest[key].said.at or NEVER) <= (one.at or NEVER):
            newest[key] = voice
    return newest, faults


def _voice(
    one: Said,
    project_of: Callable[[str], Project | None],
    accounts: Mapping[str, str],
    behind: dict[str, set[str]],
) -> tuple[_Key, _Voice]:
    project = project_of(one.project)
    if project is None:
        raise BadInput(f"{one.place}: its project was not exported from this home; see: stepforge review status")
    assignment = project.assignments.get(one.item)
    if assignment is None:
        raise BadInput(
            f"{one.place}: item {one.item[:40]!a} is not in its project; keep review_item as it was exported"
        )
    if one.by is not None and one.by in accounts:
        reviewer = accounts[one.by]
    else:
        reviewer = project.reviewer
        behind[one.project].add(one.by or "")
    if len(behind[one.project]) > 1:
        who = ", ".join(sorted(repr(name) for name in behind[one.project]))
        raise BadInput(
            f"{one.place}, completed_by: accounts {who} answered in a project of one reviewer; "
            "say who they are: --annotator ACCOUNT=NAME"
        )
    if reviewer not in assignment.reviewers:
        raise BadInput(f"{one.place}: the item was not given to {reviewer} in round {project.plan.round}")
    answers = checked(KINDS[project.plan.kind], one)
    return (one.item, project.plan.round, reviewer), _Voice(one, assignment, answers)


def _decision(key: _Key, voice: _Voice, revision: int, source_sha256: str, now: datetime) -> ReviewDecision:
    item, round_, reviewer = key
    of = voice.assignment.item
    return ReviewDecision(
        item=item,
        kind=of.kind,
        batch=of.batch,
        record_id=of.record_id,
        problem_id=of.problem_id,
        round=round_,
        reviewer=reviewer,
        revision=revision,
        answers=voice.answers,
        decided_at=voice.said.at,
        recorded_at=now,
        source_sha256=source_sha256,
    )


def projects(plans: Iterable[ReviewPlan]) -> Iterator[Project]:
    """The project of each reviewer of each plan."""
    for plan in plans:
        for reviewer in plan.reviewers:
            given = {one.item.item: one for one in plan.assignments}
            yield Project(plan, reviewer, given)
