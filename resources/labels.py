"""What people say of judged items: files of labels in the home, one an annotator.

<home>/labels/NAME.jsonl   one `HumanLabel` a line, sorted; NAME is the annotator

People write another form, the one that `stepforge judge sample` gives them: the item with its texts, and `label`,
which is null until they fill it in: true or false; of the rubric `steps` a list of 0 and 1, one a step.
"""

import hashlib
import json
from typing import Any

from pydantic import ValidationError
from upath import UPath

from resources.atomic import write_atomic
from resources.home import Home, checked_name
from stepforge.errors import BadInput
from stepforge.judges import RUBRICS
from stepforge.records import HumanLabel

FOLDER = "labels"


def read_labels(data: bytes, annotator: str, where: str) -> tuple[list[HumanLabel], int]:
    """The labels of a file that was filled in, sorted, and how many of its items have none.
    Raises: BadInput naming line and field; also for an item that is labelled twice."""
    labels: dict[tuple[str, str], HumanLabel] = {}
    unlabelled = 0
    for number, line in enumerate(data.split(b"\n"), start=1):
        if not line.strip():
            continue
        place = f"{where}, line {number}"
        row = _row(line, place)
        if row["label"] is None:
            unlabelled += 1
            continue
        label = _label(row, annotator, place)
        if (label.item, label.rubric) in labels:
            raise BadInput(f"{place}: item {label.item} is labelled twice; keep one of the lines")
        labels[label.item, label.rubric] = label
    return [labels[key] for key in sorted(labels)], unlabelled


def _row(line: bytes, place: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{place}: not valid JSON ({error}); mend or drop the line") from None
    names = ("item", "rubric", "label")
    if not isinstance(row, dict) or not all(name in row for name in names):
        raise BadInput(f"{place}: needs {', '.join(names)}; begin with: stepforge judge sample")
    if not isinstance(row["item"], str) or not isinstance(row["rubric"], str):
        raise BadInput(f"{place}: item and rubric are texts, as in the sample")
    return row


def _label(row: dict[str, Any], annotator: str, place: str) -> HumanLabel:
    said = row["label"]
    rubrics = [rubric.name for rubric in RUBRICS]
    if row["rubric"] not in rubrics:
        raise BadInput(f"{place}: there is no rubric {row['rubric'][:40]!a}; there are: {', '.join(rubrics)}")
    if not row["item"].isascii() or not row["item"].isalnum():
        raise BadInput(f"{place}: item: the name in the sample, not {row['item'][:40]!a}")
    scores: tuple[int, ...] = ()
    if isinstance(said, list):
        if not said or not all(score in (0, 1) for score in said):
            raise BadInput(f"{place}: label: 1 or 0 for each step, or null for all of them")
        steps = row.get("shown", {}).get("steps") if isinstance(row.get("shown"), dict) else None
        if isinstance(steps, list) and len(steps) != len(said):
            raise BadInput(f"{place}: label: {len(said)} scores for {len(steps)} steps")
        scores = tuple(int(score) for score in said)
        said = all(scores)
    elif row["rubric"] == "steps":
        raise BadInput(f"{place}: label: a list of 0 and 1, one for each step, as [1, 1, 0]")
    if not isinstance(said, bool):
        raise BadInput(f"{place}: label: true, false or null")
    return HumanLabel(item=row["item"], rubric=row["rubric"], annotator=annotator, right=said, step_scores=scores)


def keep_labels(home: Home, annotator: str, labels: list[HumanLabel]) -> UPath:
    """Write an annotator's labels into the home, beside those of items that the annotator labelled before; a new label
    of an item goes before an old one.  The file.  Raises: BadRequest if the name can be no file's."""
    path = _folder(home) / f"{checked_name('person', annotator)}.jsonl"
    kept = {(label.item, label.rubric): label for label in (_stored(path) if path.exists() else [])}
    kept |= {(label.item, label.rubric): label for label in labels}
    lines = [kept[key].model_dump_json() + "\n" for key in sorted(kept)]
    write_atomic(path, "".join(lines).encode())
    return path


def human_labels(home: Home) -> list[HumanLabel]:
    """All labels in the home, by annotator and item; none if nobody has labelled anything.  Raises: BadInput."""
    folder = _folder(home)
    paths = sorted((p for p in folder.iterdir() if p.name.endswith(".jsonl")), key=str) if folder.exists() else []
    return [label for path in paths for label in _stored(path)]


def labels_version(home: Home) -> str:
    """16 hex digits over all labels in the home; `none` if nobody has labelled anything.  Raises: BadInput."""
    lines = [label.model_dump_json() for label in human_labels(home)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16] if lines else "none"


def _folder(home: Home) -> UPath:
    return UPath(home.root / FOLDER)


def _stored(path: UPath) -> list[HumanLabel]:
    try:
        return [HumanLabel.model_validate_json(line) for line in path.read_bytes().split(b"\n") if line.strip()]
    except ValidationError as error:
        raise BadInput(f"{path}: no file of labels ({error.error_count()} faults); delete it and label again") from None
