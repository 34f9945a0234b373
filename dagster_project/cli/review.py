"""`stepforge review`: what people judge of a benchmark, exported, imported and told."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from assets._stage import STAGES
from assets.report import SEED
from dagster_project.cli._console import as_jsonl, say, table
from dagster_project.cli.inspect import Format
from dagster_project.plan import checked_stage
from resources.home import Home
from resources.review_projects import Looks, import_files, write_projects
from resources.reviews import (
    decisions,
    keep_plan,
    locked,
    outcomes_of,
    people,
    plans,
    pseudonyms,
    reviewed_batches,
)
from resources.store import Stored
from stepforge.errors import BadRequest, NotBuilt
from stepforge.metrics.agreement import Estimate
from stepforge.records import (
    Milestone,
    Problem,
    Record,
    ReviewDecision,
    ReviewPlan,
    Step,
    Trajectory,
    Variant,
)
from stepforge.review import (
    KINDS,
    Candidate,
    Material,
    Protocol,
    ReviewKind,
    item_of,
    latest,
    pair_agreement,
    review_agreement,
    round_of,
)
from stepforge.review._plans import Planned, Request, planned
from stepforge.review._protocols import FIRST, SECOND
from stepforge.vocabulary import ReviewState

PROBLEMS = "labelled_problems"
ROWS: Mapping[str, tuple[str, type[Record]]] = {
    "steps": ("solution_steps", Step),
    "milestones": ("milestones", Milestone),
    "variants": ("variants", Variant),
    "trajectories": ("trajectories", Trajectory),
}

review = typer.Typer(
    help="Human review: blind projects for Label Studio, and what became of them.", no_args_is_help=True
)


class Figures(StrEnum):
    """Where the figures of a project are."""

    EMBED = "embed"
    FILES = "files"


class Formulas(StrEnum):
    """How formulas are shown."""

    TYPESET = "typeset"
    SOURCE = "source"


def _kinds(stage: str, kind: str | None) -> list[ReviewKind]:
    checked_stage(stage)
    found = [one for one in KINDS if one.stage == stage and kind in (None, one.name)]
    if not found:
        of = [f"{one.stage} ({one.name})" for one in KINDS]
        raise BadRequest(
            f"nothing of {stage} is reviewed{f' as {kind!r}' if kind else ''}; there are: {', '.join(sorted(of))}"
        )
    return found


def _batches(home: Home, stage: str, batch: str | None) -> list[str]:
    if batch is not None:
        home.batches.get(batch)
        home.store.stored(stage, batch)
        return [batch]
    found = [name for name in home.built(stage) if STAGES[stage].partitions == "batch"]
    if not found:
        raise NotBuilt(f"{stage} has not been built yet; run: stepforge build")
    return found


def _material(home: Home, kind: ReviewKind, batch: str) -> Material:
    stored: Stored = home.store.stored(PROBLEMS, batch)
    material = Material(problems=stored.rows(Problem))
    for name in kind.reads:
        stage, record = ROWS[name]
        rows: Any = home.store.stored(stage, batch).rows(record)
        material = material._replace(**{name: rows})
    return material


def _candidates(home: Home, kind: ReviewKind, batch: str, *, every: bool) -> dict[str, Candidate]:
    """What can be shown now, by item."""
    found = kind.candidates(_material(home, kind, batch))
    return {item_of(kind, batch, one).item: one for one in found if every or one.doubtful}


@review.command("export")
def export(
    protocol: Annotated[Protocol, typer.Option(help="Who reviews what, and who decides.")],
    stage: Annotated[str, typer.Option(help="Stage whose records are reviewed, as labelled_problems.")],
    out: Annotated[Path, typer.Option(help="Folder for the projects.")],
    reviewers: Annotated[str, typer.Option(help="Names, with commas; in round 2 those of round 1 if left out.")] = "",
    round_: Annotated[str, typer.Option("--round", help="1, 2 or arbitration.")] = FIRST,
    batch: Annotated[str | None, typer.Option(help="Only this batch.")] = None,
    kind: Annotated[str | None, typer.Option(help="Only this kind of review (else all of the stage).")] = None,
    seed: Annotated[int, typer.Option(help="Draws who gets what, in which order.")] = 1,
    limit: Annotated[int | None, typer.Option(min=1, help="At most so many items a batch and kind.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Also records that nothing makes doubtful.")] = False,
    more: Annotated[bool, typer.Option("--more", help="Also items that came up since the same export.")] = False,
    figures: Annotated[Figures, typer.Option(help="Figures in the tasks, or as files beside them.")] = Figures.EMBED,
    formulas: Annotated[Formulas, typer.Option(help="Formulas typeset, or as they are written.")] = Formulas.TYPESET,
) -> None:
    """Write a blind Label Studio project for each reviewer: labelling configuration and tasks.

    The same command writes the same files again; what went to reviewers once goes to nobody else."""
    home = Home.from_environment().prepare()
    names = tuple(name.strip() for name in reviewers.split(",") if name.strip())
    if len(set(names)) < len(names):
        raise BadRequest("--reviewers: one name stands there twice; a reviewer is one person")
    told = round_of(protocol, round_)
    if told == SECOND and names:
        raise BadRequest("round 2 goes back to the reviewers of round 1; leave --reviewers out")
    written = 0
    with locked(home):
        for one in _kinds(stage, kind):
            given: list[ReviewPlan] = []
            shown: dict[str, Candidate] = {}
            for name in _batches(home, stage, batch):
                candidates = _candidates(home, one, name, every=every)
                known = pseudonyms(home, names, seed=seed)
                mine = tuple(known[who] for who in names)
                request = Request(protocol, one.name, name, told, seed, mine, limit, every)
                found = _planned(home, request, one, candidates, more=more)
                given += found.plans
                shown |= candidates
                if found.left:
                    say(f"{one.name}, {name}: {found.left} further items are in no project yet; add them with --more")
            if given:
                behind = {alias: who for who, alias in people(home).items()}
                looks = Looks(embed=figures is Figures.EMBED, formulas=formulas is Formulas.TYPESET)
                for project in write_projects(home, given, shown, behind, out, looks):
                    written += 1
                    say(f"{project.folder}: {project.tasks} tasks for {project.reviewer}")
    if not written:
        what = "no item is left to review" if told == FIRST else "there is no item on which reviewers disagree"
        raise BadRequest(f"{what}; see: stepforge review status")
    say("next: in Label Studio a project for each folder, with config.xml and tasks.json; then stepforge review import")


def _planned(
    home: Home, request: Request, kind: ReviewKind, candidates: Mapping[str, Candidate], *, more: bool
) -> Planned:
    items = [item_of(kind, request.batch, candidate) for candidate in candidates.values()]
    found = planned(request, items, plans(home, request.batch), outcomes_of(home, request.batch), more=more)
    if found.new is None:
        return found
    new = found.new.model_copy(update={"exported_at": datetime.now(UTC)})
    keep_plan(home, new)
    return found


@review.command("import")
def import_(
    files: Annotated[list[Path], typer.Argument(help="Exports of Label Studio, JSON or JSON-MIN.")],
    annotator: Annotated[
        list[str] | None,
        typer.Option(help="ACCOUNT=NAME: who is behind an account, where several people worked in one project."),
    ] = None,
) -> None:
    """Take in what reviewers said; of all files, or of none if there is a fault in one. Twice changes nothing."""
    home = Home.from_environment()
    accounts = {}
    for pair in annotator or ():
        account, equals, name = pair.partition("=")
        if not equals or not account or not name:
            raise BadRequest(f"--annotator {pair!r}: write ACCOUNT=NAME, as 3=anna or anna@school.org=anna")
        accounts[account] = name
    if not reviewed_batches(home):
        raise NotBuilt("nothing was exported from this home yet; run: stepforge review export")
    with locked(home):
        found = import_files(home, files, accounts, datetime.now(UTC))
    for one in found:
        changed = sum(decision.revision > 0 for decision in one.taken.added)
        say(
            f"{one.path}: {len(one.taken.added) - changed} new answers, {changed} changed, "
            f"{one.taken.unchanged} known, {one.taken.older} older than what is known"
        )
    states = Counter(outcome.state for name in reviewed_batches(home) for outcome in outcomes_of(home, name))
    counts = ", ".join(f"{states[state]} {state}" for state in ReviewState)
    say(f"items: {counts}; next: {_next(states)}")


def _next(states: Mapping[ReviewState, int]) -> str:
    if states.get(ReviewState.DISPUTED):
        return "stepforge review export --round arbitration"
    return "stepforge build"


@review.command()
def status(
    batch: Annotated[str | None, typer.Option(help="Only this batch.")] = None,
    style: Annotated[Format, typer.Option("--format", help="jsonl has the intervals, too.")] = Format.TABLE,
) -> None:
    """How far reviews are: items by state, each reviewer's progress, agreement, and what waits."""
    home = Home.from_environment()
    names = reviewed_batches(home)
    if batch is not None:
        home.batches.get(batch)
        names = [name for name in names if name == batch]
    said = [decision for name in names for decision in decisions(home, name)]
    items = list(_item_rows(home, names))
    progress = list(_progress_rows(home, names, said))
    agreement = [*_agreement_rows(said)]
    pairs = [*_pair_rows(said)]
    if style is Format.JSONL:
        as_jsonl([*items, *progress, *agreement, *pairs])
        return
    if not items:
        say("nothing was exported for review yet; run: stepforge review export")
        return
    _show(items, "items")
    _show(progress, "progress")
    _show(agreement, "agreement of the first round")
    _show(pairs, "pairs")
    waiting = sum(row["disputed"] for row in items)
    if waiting:
        say(f"{waiting} items wait for arbitration: stepforge review export --round arbitration")


def _show(rows: list[dict[str, Any]], title: str) -> None:
    if rows:
        say(f"{title}:")
        columns = [name for name in rows[0] if name != "what"]
        right = [name for name in columns if not isinstance(rows[0][name], str)]
        table(columns, ([_cell(row[name]) for name in columns] for row in rows), right=right)


def _cell(value: object) -> object:
    if isinstance(value, dict):
        if value["value"] is None:
            return "–"
        ends = "" if value["low"] is None else f" [{value['low']:.2f}, {value['high']:.2f}]"
        return f"{value['value']:.3f}{ends}"
    return value


def _item_rows(home: Home, names: Iterable[str]) -> Iterable[dict[str, Any]]:
    for name in names:
        states: dict[str, Counter[str]] = defaultdict(Counter)
        rounds: dict[str, Counter[str]] = defaultdict(Counter)
        for outcome in outcomes_of(home, name):
            states[outcome.item.kind][outcome.state] += 1
            if outcome.answers:
                rounds[outcome.item.kind][outcome.round] += 1
        now = {kind: set(_shown_now(home, kind, name)) for kind in states}
        for kind, counts in sorted(states.items()):
            given = {outcome.item.item for outcome in outcomes_of(home, name) if outcome.item.kind == kind}
            yield {
                "what": "items",
                "batch": name,
                "kind": kind,
                "items": counts.total(),
                **{state.value: counts[state] for state in ReviewState},
                **{f"by {round_}": rounds[kind][round_] for round_ in ("1", "2", "arbitration")},
                "outdated": len(given - now[kind]),
            }


def _shown_now(home: Home, kind: str, batch: str) -> Iterable[str]:
    """Items of the kind whose records are as they were shown."""
    if kind not in KINDS:
        return ()
    try:
        return _candidates(home, KINDS[kind], batch, every=True)
    except NotBuilt:
        return ()


def _progress_rows(home: Home, names: Iterable[str], said: Iterable[ReviewDecision]) -> Iterable[dict[str, Any]]:
    behind = {alias: who for who, alias in people(home).items()}
    given: Counter[tuple[str, str, str]] = Counter()
    for name in names:
        for plan in plans(home, name):
            for assignment in plan.assignments:
                given.update((reviewer, plan.kind, plan.round) for reviewer in assignment.reviewers)
    answered = Counter((d.reviewer, d.kind, d.round) for d in latest(said).values())
    for (reviewer, kind, round_), n in sorted(given.items()):
        yield {
            "what": "progress",
            "reviewer": reviewer,
            "name": behind.get(reviewer, "?"),
            "kind": kind,
            "round": round_,
            "answered": answered[reviewer, kind, round_],
            "of": n,
        }


def _agreement_rows(said: list[ReviewDecision]) -> Iterable[dict[str, Any]]:
    for row in review_agreement(said, seed=SEED):
        yield {
            "what": "agreement",
            "kind": row.kind,
            "field": row.field,
            "reviewers": row.reviewers,
            "items": row.items,
            **{name: _plain(value) for name, value in row.agreement._asdict().items()},
        }


def _pair_rows(said: list[ReviewDecision]) -> Iterable[dict[str, Any]]:
    for row in pair_agreement(said, seed=SEED):
        yield {"what": "pair", **row._asdict(), "kappa": _plain(row.kappa)}


def _plain(estimate: Estimate) -> dict[str, object]:
    return dict(estimate._asdict())


@review.command()
def show(
    problem: Annotated[str, typer.Argument(help="Id of the problem.")],
) -> None:
    """What each reviewer said of a problem and of what is made of it, with all revisions, and what came of it."""
    home = Home.from_environment()
    found = 0
    for name in reviewed_batches(home):
        said = [decision for decision in decisions(home, name) if decision.problem_id == problem]
        for outcome in outcomes_of(home, name):
            if outcome.item.problem_id == problem:
                found += 1
                history = [d.model_dump(mode="json") for d in said if d.item == outcome.item.item]
                as_jsonl([{**outcome.model_dump(mode="json"), "decisions": history}])
    if not found:
        raise BadRequest(f"{problem!r} was not given to reviewers; see: stepforge review status")


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    app.add_typer(review, name="review")
