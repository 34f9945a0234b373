"""`stepforge judge`: judged items for people to label, and how far judges and people agree."""

import json
from pathlib import Path
from typing import Annotated

import typer
from upath import UPath

from assets._tasks import all_tasks
from assets.report import SEED
from dagster_project.cli._console import as_jsonl, say, table
from dagster_project.cli.inspect import Format
from resources.atomic import write_atomic
from resources.home import Home, checked_name
from resources.labels import human_labels, keep_labels, read_labels
from stepforge.errors import BadInput, BadRequest, NotBuilt
from stepforge.judge_labels import AgreementRow, agreement_rows, image_file, sample
from stepforge.judges import RUBRICS, Case
from stepforge.metrics.agreement import Estimate
from stepforge.panel import cases
from stepforge.records import Judgement, JudgeVerdict, Prediction, Task

STAGE = "judge_verdicts"

judge = typer.Typer(help="Judges: items for people to label, and agreement.", no_args_is_help=True)


def _verdicts(home: Home) -> list[JudgeVerdict]:
    """The verdicts on all systems.  Raises: NotBuilt."""
    systems = home.built(STAGE)
    if not systems:
        raise NotBuilt("nothing has been judged yet; run: stepforge build")
    return [v for system in systems for v in home.store.stored(STAGE, system).rows(JudgeVerdict)]


def _cases(home: Home) -> dict[tuple[str, str], Case]:
    """What was judged, by system and TASK|SAMPLE."""
    tasks: list[Task] = all_tasks({b: home.store.stored("benchmark_tasks", b) for b in home.built("benchmark_tasks")})
    found: dict[tuple[str, str], Case] = {}
    for system in home.built(STAGE):
        judgements = home.store.stored("judgements", system).rows(Judgement)
        predictions = home.store.stored("predictions", system).rows(Prediction)
        found |= {(system, name): case for name, case in cases(tasks, judgements, predictions).items()}
    return found


@judge.command("sample")
def sample_(
    output: Annotated[Path, typer.Option(help="File to write, JSON Lines.")],
    rubric: Annotated[str, typer.Option(help="steps, answer or alignment.")] = "steps",
    n: Annotated[int, typer.Option("--n", min=1, help="At most so many items.")] = 100,
    seed: Annotated[int, typer.Option(help="Another seed draws other items.")] = 1,
    figures: Annotated[Path | None, typer.Option(help="Folder to copy the figures to, under the names given.")] = None,
) -> None:
    """Write items that a judge decided for people to label: the texts, not the system, nor what the judge said.

    Drawn in turn from each source. Fill in `label` (true or false; for steps a list of 0 and 1, one a step), then:
    stepforge judge agreement --labels FILE --annotator NAME"""
    if rubric not in RUBRICS:
        raise BadRequest(f"there is no rubric {rubric!r}; there are: {', '.join(r.name for r in RUBRICS)}")
    if output.exists():
        raise BadRequest(f"{output} exists and stays as it is: it may hold labels; name another file")
    home = Home.from_environment()
    items = sample(_verdicts(home), _cases(home), rubric, n, seed=seed)
    if not items:
        raise BadRequest(f"no judge model has decided anything by the rubric {rubric} yet; see: stepforge models")
    lines = [json.dumps(item.as_row(), ensure_ascii=False) + "\n" for item in items]
    write_atomic(UPath(output.absolute()), "".join(lines).encode("utf-8", "replace"))
    for image in (image for item in items for image in item.images if figures is not None):
        if figures is not None and image.sha256 is not None:
            figures.mkdir(parents=True, exist_ok=True)
            (figures / image_file(image)).write_bytes(home.blobs.get(image.sha256))
    sources = sorted({item.source for item in items})
    say(f"{output}: {len(items)} items of {', '.join(sources)}; next: fill in `label` in each line")


@judge.command()
def agreement(
    labels: Annotated[Path | None, typer.Option(help="File of `judge sample` with labels filled in; is kept.")] = None,
    annotator: Annotated[str | None, typer.Option(help="Who labelled it (default: the file's name).")] = None,
    style: Annotated[Format, typer.Option("--format", help="jsonl has the intervals, too.")] = Format.TABLE,
) -> None:
    """How far judges agree with people and with each other: accuracy, precision, recall, F1, Cohen's κ.

    The labels are kept in the home, and count from then on."""
    home = Home.from_environment()
    verdicts = _verdicts(home)
    if labels is not None:
        _keep(home, labels, annotator or labels.stem, {(v.item, v.rubric) for v in verdicts})
    rows = agreement_rows(verdicts, human_labels(home), seed=SEED)
    if style is Format.JSONL:
        as_jsonl(map(_plain, rows))
    elif rows:
        columns = ["rubric", "by", "judge", "against", "n", "accuracy", "precision", "recall", "F1", "kappa"]
        table(columns, map(_cells, rows), right=columns[4:])
    else:
        say("nothing to compare: label items of `stepforge judge sample`, or name a [roles.second_judge]")


def _keep(home: Home, path: Path, annotator: str, judged: set[tuple[str, str]]) -> None:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from None
    found, unlabelled = read_labels(data, checked_name("person", annotator), str(path))
    if not found:
        raise BadInput(f"{path}: no item in it is labelled; fill in `label`")
    kept = keep_labels(home.prepare(), annotator, found)
    unknown = sum((label.item, label.rubric) not in judged for label in found)
    left = f"{unlabelled} items unlabelled, {unknown} not judged here"
    say(f"{len(found)} labels of {annotator} kept in {kept}; {left}")


def _cells(row: AgreementRow) -> list[object]:
    values = (row.accuracy, row.precision, row.recall, row.f1, row.kappa)
    return [row.rubric, row.level, row.judge, row.against, row.n, *(_rounded(value) for value in values)]


def _rounded(estimate: Estimate) -> str:
    return "–" if estimate.value is None else f"{estimate.value:.3f}"


def _plain(row: AgreementRow) -> dict[str, object]:
    return {name: value._asdict() if isinstance(value, Estimate) else value for name, value in row._asdict().items()}


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    app.add_typer(judge, name="judge")
