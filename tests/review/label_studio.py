"""A person at Label Studio: fills in the tasks of a project and exports them, as JSON or as JSON-MIN.

The shapes are those of Label Studio's own exporter (`label_studio_sdk.converter`)."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

AT = "2026-11-20T10:{minute:02d}:00.000000Z"


def result(name: str, value: Any, config: ET.Element) -> dict[str, Any]:
    tag = next(e for e in config.iter() if e.get("name") == name)
    values = value if isinstance(value, list) else [value]
    kind, key = ("choices", "choices") if tag.tag == "Choices" else ("textarea", "text")
    return {"id": f"r-{name}", "from_name": name, "to_name": "shown", "type": kind, "value": {key: values}}


def annotated(folder: Path, answer, *, minute: int = 1, by: Any = 7) -> list[dict[str, Any]]:
    """The tasks with what `answer(data)` says of each (field → value; None: skipped)."""
    tasks = json.loads((folder / "tasks.json").read_text("utf-8"))
    config = ET.fromstring((folder / "config.xml").read_text("utf-8"))  # noqa: S314 - our own file
    found = []
    for number, task in enumerate(tasks, 1):
        said = answer(task["data"])
        annotation = {
            "id": 1000 + number,
            "completed_by": by,
            "was_cancelled": said is None,
            "ground_truth": False,
            "created_at": AT.format(minute=0),
            "updated_at": AT.format(minute=minute),
            "lead_time": 4.2,
            "result": [result(name, value, config) for name, value in (said or {}).items()],
        }
        found.append({"id": number, "data": task["data"], "annotations": [annotation], "predictions": []})
    return found


def minimal(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same as JSON-MIN, as `prettify_result` makes it."""
    found = []
    for row in rows:
        for annotation in row["annotations"]:
            if annotation["was_cancelled"]:
                continue
            out = {**row["data"], "id": row["id"]}
            for one in annotation["result"]:
                (values,) = one["value"].values()
                out[one["from_name"]] = values[0] if len(values) == 1 else [one["value"]]
            own = {name: annotation[name] for name in ("created_at", "updated_at", "lead_time")}
            found.append({**out, "annotator": annotation["completed_by"], "annotation_id": annotation["id"], **own})
    return found


def export(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    return path


SOUND = {"question": "complete", "answer": "right", "figure": "none_is_needed", "language": "as_stated"}
