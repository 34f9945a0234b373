"""What a row of the human review is: what reviewers were given, what each said, and what counts in the end."""

from datetime import date, datetime
from typing import Annotated

from pydantic import Field

from stepforge._source_records import Record, Volatile
from stepforge.vocabulary import ReviewState


class ReviewAnswer(Record):
    """What a reviewer says in one field of the form."""

    field: str
    values: tuple[str, ...]


class ReviewItem(Record):
    """One thing that is reviewed. Key: `item`."""

    item: str = Field(description="hash of batch, kind, record and of what is shown; another text is another item")
    kind: str = Field(description="what is asked, as problem or milestones")
    batch: str
    stage: str = Field(description="stage that the record is from")
    record_id: str
    problem_id: str
    expected: tuple[ReviewAnswer, ...] = Field(
        default=(), description="what the record itself says, which no reviewer is shown"
    )


class ReviewAssignment(Record):
    """An item and those who review it in one round."""

    item: ReviewItem
    reviewers: tuple[str, ...] = Field(description="pseudonyms")


class ReviewPlan(Record):
    """One export: what was given to whom. Key: `plan_id`."""

    plan_id: str
    protocol: str
    kind: str
    batch: str
    round: str = Field(description="1, 2 or arbitration")
    seed: int
    request: str = Field(description="hash of all that was asked for; the same request writes the same plan again")
    reviewers: tuple[str, ...]
    assignments: tuple[ReviewAssignment, ...]
    exported_at: Annotated[datetime | None, Volatile] = None


class ReviewDecision(Record):
    """What one reviewer says of one item in one round. Key: item, round, reviewer, revision."""

    item: str
    kind: str
    batch: str
    record_id: str
    problem_id: str
    round: str
    reviewer: str = Field(description="a pseudonym; who that is stands in the home alone")
    revision: int = Field(ge=0, description="0, and one more for each changed answer; the highest counts")
    answers: tuple[ReviewAnswer, ...]
    decided_at: datetime | None = Field(description="when the reviewer said so, as Label Studio wrote it")
    recorded_at: Annotated[datetime | None, Volatile] = Field(description="when it was imported, UTC")
    source_sha256: str = Field(description="of the file that it was read from")


class ReviewOutcome(Record):
    """What the protocol makes of the decisions on one item. Key: `item`."""

    item: ReviewItem
    protocol: str
    state: ReviewState
    round: str = Field(description="the round that decided, or the last that there was")
    answers: tuple[ReviewAnswer, ...] = Field(description="what counts; empty while nothing does")
    refused_by: str | None = Field(default=None, description="FIELD:VALUE for which the record is refused")
    corrections: tuple[ReviewAnswer, ...] = Field(default=(), description="by the field of the record")


class Split(Record):
    """A part of the benchmark that is held out by time. Key: `name`."""

    name: str
    newer_than: date = Field(description="problems published later than this day are in it; that day's are not")
