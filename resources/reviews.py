"""What reviewers were given and what they said: files in the home that are only ever added to.

<home>/reviews/people.json                    who is behind a pseudonym; the one file with names, and never published
<home>/reviews/BATCH/plans/PLAN.json          an export: which items went to whom
<home>/reviews/BATCH/decisions/N-HASH.jsonl   what an import added, one `ReviewDecision` a line
"""

import fcntl
import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError
from upath import UPath

from resources.atomic import write_atomic
from resources.home import Home, checked_name
from stepforge.errors import PipelineError
from stepforge.records import Record, ReviewDecision, ReviewOutcome, ReviewPlan
from stepforge.review import Reviews, outcomes
from stepforge.review._protocols import drawn
from stepforge.vocabulary import ReviewState

R = TypeVar("R", bound=Record)

FOLDER = "reviews"
PEOPLE = "people.json"
OBEYED = (ReviewState.REFUSED, ReviewState.CORRECTED)  # what changes a record, whether or not review is demanded
TOKEN_DIGITS = 16


@contextmanager
def locked(home: Home) -> Iterator[None]:
    """Nobody else adds to the reviews of the home meanwhile; a lock that goes with its process."""
    folder = home.root / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("wb") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def people(home: Home) -> dict[str, str]:
    """Pseudonym of each reviewer by name, in the order in which they came.  Raises: PipelineError."""
    path = home.root / FOLDER / PEOPLE
    if not path.exists():
        return {}
    try:
        found = json.loads(path.read_bytes())
        return {str(name): str(found[name]) for name in found}
    except (ValueError, TypeError):
        raise PipelineError(f"{path} is damaged; it holds the names behind pseudonyms: restore it") from None


def pseudonyms(home: Home, names: Sequence[str], *, seed: int) -> dict[str, str]:
    """The pseudonym of each name; new ones are kept.  New names are numbered in an order drawn by the seed, so that R1
    is not whoever was named first.  To be called while `locked`.  Raises: BadRequest if a name can be nobody's."""
    known = people(home)
    new = sorted(
        {checked_name("reviewer", name) for name in names} - known.keys(), key=lambda n: drawn(seed, "name", n)
    )
    if new:
        known |= {name: f"R{len(known) + k}" for k, name in enumerate(new, 1)}
        write_atomic(UPath(home.root / FOLDER / PEOPLE), json.dumps(known, indent=1, ensure_ascii=False).encode())
    return {name: known[name] for name in names}


def project_token(plan_id: str, reviewer: str) -> str:
    """What names a reviewer's project in its tasks; it tells nobody who that is."""
    return hashlib.sha256(f"{plan_id}|{reviewer}".encode()).hexdigest()[:TOKEN_DIGITS]


def _files(folder: Path, ending: str) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.name.endswith(ending)) if folder.exists() else []


def _read(record: type[R], path: Path, lines: Sequence[bytes]) -> list[R]:
    try:
        return [record.model_validate_json(line) for line in lines if line.strip()]
    except ValidationError as error:
        raise PipelineError(f"{path} is damaged ({error.error_count()} faults); restore it from a copy") from None


def plans(home: Home, batch: str) -> list[ReviewPlan]:
    """What was exported of the batch, in the order of export.  Raises: PipelineError."""
    found = [
        plan
        for path in _files(_folder(home, batch) / "plans", ".json")
        for plan in _read(ReviewPlan, path, [path.read_bytes()])
    ]
    return sorted(found, key=lambda plan: (plan.exported_at is not None, str(plan.exported_at), plan.plan_id))


def keep_plan(home: Home, plan: ReviewPlan) -> None:
    """Keep an export; to be called while `locked`."""
    path = UPath(_folder(home, plan.batch) / "plans" / f"{plan.plan_id}.json")
    write_atomic(path, plan.model_dump_json(indent=1).encode())


def decisions(home: Home, batch: str) -> list[ReviewDecision]:
    """All that reviewers said of the batch, in the order of import.  Raises: PipelineError."""
    return [
        decision
        for path in _files(_folder(home, batch) / "decisions", ".jsonl")
        for decision in _read(ReviewDecision, path, path.read_bytes().split(b"\n"))
    ]


def keep_decisions(home: Home, batch: str, added: Sequence[ReviewDecision]) -> None:
    """Add decisions to those of the batch, all or none; to be called while `locked`."""
    if not added:
        return
    folder = _folder(home, batch) / "decisions"
    data = "".join(decision.model_dump_json() + "\n" for decision in added).encode()
    number = len(_files(folder, ".jsonl")) + 1
    write_atomic(UPath(folder / f"{number:06d}-{hashlib.sha256(data).hexdigest()[:12]}.jsonl"), data)


def reviewed_batches(home: Home) -> list[str]:
    """Batches of the home that something was exported of, sorted."""
    return [batch for batch in home.batches.names() if (_folder(home, batch) / "plans").exists()]


def outcomes_of(home: Home, batch: str) -> list[ReviewOutcome]:
    """What the decisions on the batch amount to, by item."""
    return outcomes(plans(home, batch), decisions(home, batch))


def reviews_of(home: Home, batch: str) -> Reviews:
    """What the stages of the batch obey."""
    required = home.batches.get(batch).settings.review == "required"
    return Reviews(batch, outcomes_of(home, batch), required)


def reviews_version(home: Home, batch: str) -> str:
    """16 hex digits over what the stages of the batch obey: what is refused or corrected, and where the batch demands
    review, everything; `none` if that is nothing."""
    reviews = reviews_of(home, batch)
    told = [o.model_dump_json() for o in reviews.outcomes if reviews.required or o.state in OBEYED]
    if not told and not reviews.required:
        return "none"
    return hashlib.sha256("\n".join([str(reviews.required), *told]).encode()).hexdigest()[:16]


def all_reviews_version(home: Home) -> str:
    """16 hex digits over everything that reviewers were given and said; `none` if there is nothing."""
    digest = hashlib.sha256()
    batches = reviewed_batches(home)
    for batch in batches:
        for path in [
            *_files(_folder(home, batch) / "plans", ".json"),
            *_files(_folder(home, batch) / "decisions", ".jsonl"),
        ]:
            digest.update(f"{batch}/{path.name}\n".encode())
    return digest.hexdigest()[:16] if batches else "none"


def _folder(home: Home, batch: str) -> Path:
    return home.root / FOLDER / batch
