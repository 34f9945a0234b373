"""Folders of Label Studio projects: one for each reviewer, kind and round."""

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from upath import UPath

from resources.atomic import write_atomic
from resources.home import Home
from resources.page_parts import PageParts
from resources.reviews import decisions, keep_decisions, people, plans, project_token, reviewed_batches
from stepforge.errors import BadInput, BadRequest
from stepforge.records import ImageRef, ReviewPlan
from stepforge.report.figures import FigureView
from stepforge.report.item_page import typeset
from stepforge.report.mathematics import Formula, formulas
from stepforge.review import KINDS, Candidate, in_order
from stepforge.review._label_studio import (
    NO_FIGURE,
    configuration,
    page_of,
    read_export,
    task,
    texts_of,
    verdicts_of,
)
from stepforge.review._plans import seen_verdicts
from stepforge.review._protocols import drawn
from stepforge.review._take import Project, Taken, projects, take

CONFIGURATION, TASKS, IMAGES = "config.xml", "tasks.json", "images"
LOCAL = "/data/local-files/?d="  # how Label Studio names a file below its document root
MAX_EXPORT_BYTES = 512 * 1024**2


class Written(NamedTuple):
    """A project that was written, and how many tasks it holds."""

    reviewer: str
    folder: Path
    tasks: int


class _Parts:
    """Figures and formulas of the tasks of one project."""

    def __init__(self, views: Mapping[str, FigureView], formulas: Mapping[Formula, str], *, prefix: str | None) -> None:
        self._views, self._formulas, self._prefix = views, formulas, prefix
        self.used: dict[str, bytes] = {}

    def typeset(self, text: str) -> str:
        return str(typeset(text, self._formulas))

    def figure(self, image: ImageRef) -> str:
        view = None if image.sha256 is None else self._views.get(image.sha256)
        if view is None:
            return NO_FIGURE
        if self._prefix is None:
            return f"data:{view.media_type};base64,{base64.b64encode(view.data).decode('ascii')}"
        name = f"{image.sha256}.{view.media_type.rsplit('/', 1)[1]}"
        self.used[name] = view.data
        return f"{LOCAL}{self._prefix}/{IMAGES}/{name}"


class Looks(NamedTuple):
    """How tasks look.  `embed`: figures in the tasks, not beside them; `formulas`: typeset, not as they are written."""

    embed: bool = True
    formulas: bool = True


def write_projects(
    home: Home,
    given: Sequence[ReviewPlan],
    candidates: Mapping[str, Candidate],
    names: Mapping[str, str],
    out: Path,
    looks: Looks,
) -> list[Written]:
    """Write the projects of the plans, all of one kind and round; an item whose record changed since is left out.
    `candidates`: by item.  `names`: of reviewers, by pseudonym.  Figures are drawn anew.
    Raises: BadRequest if another project stands in the place of one."""
    asked = {one.item.item for plan in given for one in plan.assignments}
    shown = {item: candidate for item, candidate in candidates.items() if item in asked}
    wanted = [image.sha256 for one in shown.values() for image in one.images if image.sha256 is not None]
    texts = [text for one in shown.values() for text in texts_of(one)] if looks.formulas else []
    with PageParts(home.memo, home.blobs) as parts:
        views, typeset_ = parts.figures(wanted), parts.formulas(formulas(texts))
    written = []
    for reviewer in sorted({name for plan in given for name in plan.reviewers}, key=lambda name: names[name]):
        folder = out / names[reviewer] / f"{given[0].kind}-round-{given[0].round}"
        of = _Parts(views, typeset_, prefix=None if looks.embed else f"{names[reviewer]}/{folder.name}")
        tasks = _tasks(home, given, reviewer, shown, of)
        _put(folder / TASKS, json.dumps(tasks, ensure_ascii=True, indent=1).encode() + b"\n")
        _put(folder / CONFIGURATION, configuration(KINDS[given[0].kind], figures=_has_figures(shown)).encode())
        for name, data in sorted(of.used.items()):
            _put(folder / IMAGES / name, data)
        written.append(Written(names[reviewer], folder, len(tasks)))
    return written


def _has_figures(shown: Mapping[str, Candidate]) -> bool:
    return any(candidate.images for candidate in shown.values())


def _tasks(
    home: Home,
    given: Sequence[ReviewPlan],
    reviewer: str,
    shown: Mapping[str, Candidate],
    parts: _Parts,
) -> list[dict[str, object]]:
    found = []
    for plan in given:
        seen = seen_verdicts(plan, reviewer, decisions(home, plan.batch))
        token = project_token(plan.plan_id, reviewer)
        for assignment in in_order(plan, reviewer):
            item = assignment.item.item
            if item in shown:
                verdicts = verdicts_of(KINDS[plan.kind], seen[item]) if item in seen else ()
                page = page_of(shown[item], parts.typeset, verdicts)
                figures = [parts.figure(image) for image in shown[item].images] if _has_figures(shown) else None
                rank = drawn(plan.seed, "order", plan.round, reviewer, item)
                found.append((rank, task(item, token, page, figures)))
    return [one for _, one in sorted(found, key=lambda ranked: ranked[0])]


def _put(path: Path, data: bytes) -> None:
    if path.exists() and path.read_bytes() != data:
        raise BadRequest(f"{path} exists and holds something else; name another folder with --out")
    write_atomic(UPath(path.absolute()), data)


class Imported(NamedTuple):
    """What one file added."""

    path: Path
    taken: Taken


def read_file(path: Path) -> tuple[object, str]:
    """The JSON of an export, and its sha256.  Raises: BadInput."""
    try:
        if path.stat().st_size > MAX_EXPORT_BYTES:
            raise BadInput(f"{path}: larger than {MAX_EXPORT_BYTES // 1024**2} MiB; export fewer tasks at a time")
        data = path.read_bytes()
        return json.loads(data), hashlib.sha256(data).hexdigest()
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror})") from None
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{path}: not valid JSON ({error}); export as JSON or JSON-MIN") from None


def import_files(home: Home, paths: Sequence[Path], accounts: Mapping[str, str], now: datetime) -> list[Imported]:
    """Take the decisions of exports into the home, of all files or of none; to be called while it is `locked`.
    `accounts`: names of reviewers by account of Label Studio.  Raises: BadInput, BadRequest."""
    known_people = people(home)
    unknown = sorted(set(accounts.values()) - known_people.keys())
    if unknown:
        raise BadRequest(f"{unknown[0]!r} is no reviewer; the reviewers are: {', '.join(known_people) or 'none yet'}")
    pseudonyms = {account: known_people[name] for account, name in accounts.items()}
    given = [plan for batch in reviewed_batches(home) for plan in plans(home, batch)]
    by_token: dict[str, Project] = {project_token(one.plan.plan_id, one.reviewer): one for one in projects(given)}
    known = {batch: decisions(home, batch) for batch in {plan.batch for plan in given}}
    found = []
    for path in paths:
        rows, sha256 = read_file(path)
        said = list(read_export(rows, str(path)))
        batches = sorted({by_token[one.project].plan.batch for one in said if one.project in by_token})
        everything = [decision for batch in batches for decision in known[batch]]
        taken = take(said, by_token.get, pseudonyms, everything, source_sha256=sha256, now=now)
        for batch in batches:
            known[batch] = [*known[batch], *(decision for decision in taken.added if decision.batch == batch)]
        found.append(Imported(path, taken))
    for batch in sorted(known):
        keep_decisions(home, batch, [d for one in found for d in one.taken.added if d.batch == batch])
    return found
