"""Files of replies: JSON Lines, one reply a row."""

import json
from collections.abc import Iterator
from typing import Any

from resources.home import Home
from resources.llm.providers import PROVIDERS
from resources.systems import SystemSpec
from stepforge.errors import BadInput, BadRequest
from stepforge.records import Task
from stepforge.solvers import SolveOptions
from stepforge.solvers.replay import match_replies
from stepforge.vocabulary import Modality, PartKind

KEYS = ("task_id", "problem_id", "question")  # a row names its task by one of these
MISSING = object()


def _at(row: dict[str, Any], dotted: str) -> Any:
    value: Any = row
    for name in dotted.split("."):
        if not isinstance(value, dict) or name not in value:
            return MISSING
        value = value[name]
    return value


def read_rows(data: bytes, reply_field: str, where: str) -> Iterator[dict[str, str]]:
    """Rows with one of `KEYS` and `reply`.  Raises: BadInput naming line and field."""
    for number, line in enumerate(data.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise BadInput(f"{where}, line {number}: not valid JSON ({error}); mend or drop the line") from None
        if not isinstance(row, dict) or not any(isinstance(row.get(key), str) for key in KEYS):
            raise BadInput(f"{where}, line {number}: needs one of {', '.join(KEYS)} to name its task")
        reply = _at(row, reply_field)
        if reply is MISSING:
            raise BadInput(f"{where}, line {number}: has no field {reply_field!r}; name it with --reply-field")
        if reply is not None and not isinstance(reply, str):
            raise BadInput(f"{where}, line {number}: {reply_field!r} is no text but {type(reply).__name__}")
        yield {**{k: row[k] for k in KEYS if isinstance(row.get(k), str)}, "reply": reply or ""}


def check_replies(data: bytes, reply_field: str, where: str) -> int:
    """Number of replies in the file.  Raises: BadInput as `read_rows`, and for a file without any."""
    count = sum(1 for _ in read_rows(data, reply_field, where))
    if count == 0:
        raise BadInput(f"{where}: no replies in it")
    return count


def load_replies(home: Home, spec: SystemSpec, tasks: list[Task]) -> tuple[SolveOptions, list[str]]:
    """What the system's solver is told (no replies for one that makes its own), and a line for each reply that belongs
    to no task."""
    if spec.role is not None:
        return _asking(home, spec, spec.role), []
    if spec.replies_sha256 is None:
        return SolveOptions(system=spec.name, partial=spec.partial), []
    data = home.blobs.get(spec.replies_sha256)
    matched = match_replies(tasks, read_rows(data, spec.reply_field, f"replies of {spec.name}"))
    options = SolveOptions(system=spec.name, replies=matched.replies, partial=spec.partial)
    return options, matched.unmatched


def _asking(home: Home, spec: SystemSpec, role: str) -> SolveOptions:
    """Options of a system that asks a model: it reads what its provider can send, unless the user knows better."""
    provider = home.models.providers[home.models.model_of(role).provider]
    figures = PartKind.IMAGE in PROVIDERS[provider.kind].reads and not spec.text_only
    modalities = {Modality.TEXT, *((Modality.IMAGE_TEXT, Modality.MULTI_IMAGE) if figures else ())}
    return SolveOptions(
        system=spec.name, modalities=frozenset(modalities), role=role, samples=spec.samples, limit=spec.limit
    )


def system_version(home: Home, name: str) -> str:
    """Hash of all that the system's replies depend on: its settings, and the model and parameters of its role."""
    spec = home.systems.get(name)
    if spec.role is None:
        return spec.version()
    try:
        return f"{spec.version()}+{home.models.role_version(spec.role)}"
    except BadRequest:  # said when it is built, with what to do
        return f"{spec.version()}+role-missing"
