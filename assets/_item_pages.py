"""The pages of items: evidence gathered by problem from the tables of all stages, a few hundred problems at a time."""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import pyarrow as pa

from resources.code import code_version
from resources.home import Home
from resources.page_parts import PageParts
from resources.pages_folder import PagesFolder
from resources.store import Stored
from stepforge.records import Item, Judgement, JudgeVerdict, LeanVerdict, Prediction, Record, Score, Task, Variant
from stepforge.report.evidence import Evidence, Reply, settled, standings
from stepforge.report.glossary import CONTROLS
from stepforge.report.item_page import ItemRow, item_row, render_item, render_items
from stepforge.report.item_view import item_view
from stepforge.report.mathematics import Formula, formulas

AT_ONCE = 200  # problems whose evidence is in memory at a time
MODULES = ("stepforge.report.item_page", "stepforge.report.item_view", "stepforge.report.mathml")
VOLATILE = {"latency_s", "seconds", "peak_bytes"}

Row = dict[str, Any]
R = TypeVar("R", bound=Record)


class Tables(NamedTuple):
    """The stages that a page is made from: by batch, and by system."""

    filtered_items: Mapping[str, Stored]
    variants: Mapping[str, Stored]
    predictions: Mapping[str, Stored]
    judgements: Mapping[str, Stored]
    candidate_verdicts: Mapping[str, Stored]
    judge_verdicts: Mapping[str, Stored]
    scores: Mapping[str, Stored]


class _Table:
    """A table whose rows can be taken out by problem."""

    def __init__(self, table: pa.Table, field: str, problem_of: Callable[[str], str | None]) -> None:
        self._table = table
        self._places: dict[str, list[int]] = defaultdict(list)
        for place, key in enumerate(table[field].to_pylist()):
            problem = problem_of(key)
            if problem is not None:
                self._places[problem].append(place)

    def take(self, problems: Sequence[str]) -> dict[str, list[Row]]:
        """The rows of each of the problems, in the order of the table."""
        places = [(problem, place) for problem in problems for place in self._places.get(problem, ())]
        rows = self._table.take(pa.array([place for _, place in places], pa.int64())).to_pylist()
        found: dict[str, list[Row]] = defaultdict(list)
        for (problem, _), row in zip(places, rows, strict=True):
            for name in VOLATILE & row.keys():
                row[name] = None
            found[problem].append(row)
        return found


def write_item_pages(
    home: Home, tables: Tables, tasks: Sequence[Task], systems: Sequence[str], tick: Callable[[int], None]
) -> None:
    """Write the page of each problem that has a task, and the tables that lead to them, into the home's folder of item
    pages; pages of problems that are gone are removed, and those made from the same as before are left alone."""
    ordered = sorted(systems, key=lambda name: (name in CONTROLS, name))
    by_problem: dict[str, list[Task]] = defaultdict(list)
    for task in tasks:
        by_problem[task.problem_id].append(task)
    gatherer = _Gatherer(tables, by_problem, ordered)
    writer = _Writer(PagesFolder(home.items), ordered)
    problems = sorted(by_problem)
    with PageParts(home.memo, home.blobs) as parts:
        for start in range(0, len(problems), AT_ONCE):
            chunk = problems[start : start + AT_ONCE]
            writer.write(list(gatherer.gather(chunk)), parts)
            tick(len(chunk))
    writer.finish()


class _Gathered(NamedTuple):
    """What the tables hold of one problem, and a hash over all of it.  `of_system`: by table, then by system."""

    tasks: Sequence[Task]
    item: list[Row]
    variants: list[Row]
    of_system: Mapping[str, Mapping[str, list[Row]]]
    fingerprint: str

    def judgements(self) -> list[Judgement]:
        """The judgements of all systems, with the word of a judge where the engine left an answer undecided."""
        found = []
        for system, rows in self.of_system["judgements"].items():
            said = _grouped(JudgeVerdict, self.of_system["judge_verdicts"].get(system, []))
            for judgement in (Judgement.model_validate(row) for row in rows):
                found.append(settled(judgement, said.get((judgement.task_id, judgement.sample), ())))
        return found

    def evidence(self) -> Evidence:
        """All of it as records."""
        return Evidence(
            problem_id=self.tasks[0].problem_id,
            item=Item.model_validate(self.item[0]) if self.item else None,
            tasks=tuple(self.tasks),
            variants={row["variant_id"]: Variant.model_validate(row) for row in self.variants},
            replies=self._replies(),
        )

    def _replies(self) -> dict[str, tuple[Reply, ...]]:
        found: dict[str, list[Reply]] = defaultdict(list)
        for system in self.of_system["predictions"]:
            rows = {name: of.get(system, []) for name, of in self.of_system.items()}
            judged = _keyed(Judgement, rows["judgements"])
            scored, judges = _grouped(Score, rows["scores"]), _grouped(JudgeVerdict, rows["judge_verdicts"])
            lean = {row["item_id"]: LeanVerdict.model_validate(row) for row in rows["candidate_verdicts"]}
            for key, prediction in sorted(_keyed(Prediction, rows["predictions"]).items()):
                if key in judged:
                    reply = Reply(prediction, judged[key], tuple(scored[key]), tuple(judges[key]))
                    found[key[0]].append(reply._replace(lean=lean.get(f"{key[0]}|{key[1]}")))
        return {task_id: tuple(replies) for task_id, replies in found.items()}


class _Gatherer:
    """The rows of all tables by problem."""

    def __init__(self, tables: Tables, tasks: Mapping[str, Sequence[Task]], systems: Sequence[str]) -> None:
        self._tasks = tasks
        problem_of = {task.task_id: problem for problem, own in tasks.items() for task in own}

        def by_batch(stage: Mapping[str, Stored]) -> dict[str, _Table]:
            return {batch: _Table(stored.table(), "problem_id", str) for batch, stored in stage.items()}

        def by_system(stage: Mapping[str, Stored], field: str, of: Callable[[str], str | None]) -> dict[str, _Table]:
            return {system: _Table(stage[system].table(), field, of) for system in systems if system in stage}

        self._items, self._variants = by_batch(tables.filtered_items), by_batch(tables.variants)
        self._of_system = {
            name: by_system(getattr(tables, name), "task_id", problem_of.get)
            for name in ("predictions", "judgements", "judge_verdicts", "scores")
        }
        self._of_system["candidate_verdicts"] = by_system(tables.candidate_verdicts, "problem_id", str)

    def gather(self, problems: Sequence[str]) -> Iterator[_Gathered]:
        """What there is on each of the problems, in order."""
        items, variants = ({b: t.take(problems) for b, t in of.items()} for of in (self._items, self._variants))
        of_system = {
            name: {system: table.take(problems) for system, table in tables.items()}
            for name, tables in self._of_system.items()
        }
        for problem in problems:
            tasks = self._tasks[problem]
            item, variant = (of.get(tasks[0].batch, {}).get(problem, []) for of in (items, variants))
            rows = {name: {s: t.get(problem, []) for s, t in tables.items()} for name, tables in of_system.items()}
            seen = repr(([task.model_dump_json() for task in tasks], item, variant, rows))
            digest = hashlib.sha256(seen.encode("utf-8", "surrogatepass")).hexdigest()
            yield _Gathered(tasks, item, variant, rows, digest)


def _keyed(record: type[R], rows: Sequence[Row]) -> dict[tuple[str, int], R]:
    """Rows by task and sample; the first of a kind (the judging stage refuses the others)."""
    found: dict[tuple[str, int], R] = {}
    for row in rows:
        found.setdefault((row["task_id"], row["sample"]), record.model_validate(row))
    return found


def _grouped(record: type[R], rows: Sequence[Row]) -> dict[tuple[str, int], list[R]]:
    found: dict[tuple[str, int], list[R]] = defaultdict(list)
    for row in rows:
        found[row["task_id"], row["sample"]].append(record.model_validate(row))
    return found


class _Writer:
    """Writes what changed, and remembers a line of each item for the tables that lead to them."""

    def __init__(self, folder: PagesFolder, systems: Sequence[str]) -> None:
        self._folder, self._systems = folder, systems
        self._version = code_version(MODULES, [], " ".join(map(repr, systems)))
        self._rows: list[ItemRow] = []
        self._excerpts: dict[Formula, str] = {}

    def write(self, gathered: Sequence[_Gathered], parts: PageParts) -> None:
        """The pages of some problems, their formulas typeset together."""
        views = {}
        for found in gathered:
            told = standings(found.tasks, found.judgements(), self._systems)
            row = item_row(found.tasks[0], told)
            self._rows.append(row)
            fingerprint = f"{self._version} {found.fingerprint}"
            if not self._folder.stands(row.page, fingerprint):
                views[row.page] = (fingerprint, item_view(found.evidence(), self._systems))
        excerpts = [row.excerpt for row in self._rows[-len(gathered) :]]
        shown = [text for _, view in views.values() for text in view.texts]
        typeset = parts.formulas(formulas([*excerpts, *shown]))
        self._excerpts.update({formula: typeset[formula] for formula in formulas(excerpts) if formula in typeset})
        for name, (fingerprint, view) in views.items():
            page = render_item(view, typeset, parts.figures(view.figures))
            self._folder.put(name, fingerprint, page.encode())

    def finish(self) -> None:
        """The tables that lead to the items; then what is left over goes."""
        for name, page in render_items(self._rows, self._systems, self._excerpts).items():
            data = page.encode()
            fingerprint = hashlib.sha256(data).hexdigest()
            if not self._folder.stands(name, fingerprint):
                self._folder.put(name, fingerprint, data)
        self._folder.finish()
