"""What is out of date, and why: from the pointers of the store, in the order in which it must be rebuilt."""

from collections.abc import Iterable, Iterator
from graphlib import TopologicalSorter
from typing import NamedTuple

from assets._stage import EXTERNALS, STAGES, Stage, waiting_for_models
from dagster_project.stages import STAGE_ORDER
from resources.arrivals import arrival_order, earlier_batches
from resources.home import Home
from resources.store import WHOLE
from stepforge.errors import BadRequest

__all__ = ["Stale", "checked_stage", "downstream", "order", "partitions_of", "plan", "upstream"]


class Stale(NamedTuple):
    """One partition of a stage that must be rebuilt."""

    stage: str
    partition: str | None
    why: str


def order() -> list[str]:
    """All stages, upstream first; siblings in the order of the chain."""
    sorter = TopologicalSorter({name: stage.inputs for name, stage in STAGES.items()})
    rank = {name: i for i, name in enumerate(STAGE_ORDER)}
    sorter.prepare()
    out: list[str] = []
    while sorter.is_active():
        ready = sorted(sorter.get_ready(), key=rank.__getitem__)
        out += ready
        sorter.done(*ready)
    return out


def checked_stage(name: str) -> Stage:
    """The stage of that name.  Raises: BadRequest."""
    if name not in STAGES:
        raise BadRequest(f"there is no stage {name!r}; the stages are: {', '.join(order())}")
    return STAGES[name]


def partitions_of(home: Home, stage: Stage) -> list[str | None]:
    """The partitions that the stage has or should have: batches in the order in which they are built (each is compared
    with those before it), systems sorted."""
    if stage.partitions is None:
        return [None]
    return list(arrival_order(home) if stage.partitions == "batch" else home.systems.names())


def downstream(names: Iterable[str]) -> set[str]:
    """The stages and all that lie below them."""
    found = set(names)
    for name in order():
        if found & set(STAGES[name].inputs):
            found.add(name)
    return found


def upstream(name: str) -> set[str]:
    """The stage and all that it is made of."""
    found, waiting = set[str](), [name]
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting += STAGES[one].inputs
    return found


class _Planner:
    def __init__(self, home: Home) -> None:
        self._home = home
        self._stale: dict[str, set[str | None]] = {}

    def _expected(self, stage: Stage, partition: str | None) -> dict[str, dict[str, str]]:
        """The versions that the partition would read now."""
        versions: dict[str, dict[str, str]] = {}
        for name in stage.inputs:
            upstream = self._home.built(name) if name in stage.all_of else [partition or WHOLE]
            pointers = [self._home.store.pointer(name, p) for p in upstream]
            versions[name] = {p.partition: stage.version_read(p) for p in pointers if p}
        for name in stage.externals:
            versions[name] = {partition or WHOLE: EXTERNALS[name](self._home, partition or WHOLE)}
        return versions

    def why(self, stage: Stage, partition: str | None) -> str | None:
        """Why the partition is out of date; None if it is not."""
        above = [
            name
            for name in stage.inputs
            if (self._stale.get(name) if name in stage.all_of else partition in self._stale.get(name, ()))
        ]
        pointer = self._home.store.pointer(stage.name, partition)
        if pointer is None:
            return "never built"
        if pointer.code_version != stage.code_version:
            return "its code changed"
        expected = self._expected(stage, partition)
        changed = sorted(name for name in expected if expected[name] != pointer.inputs.get(name))
        if changed:
            return f"{', '.join(changed)} changed"
        if waiting := waiting_for_models(pointer):
            return f"{waiting} records wait for a model"
        if not stage.stands(self._home, pointer):
            return "its files are gone"
        if "earlier_batches" in stage.externals:
            above += [
                f"{one.stage} of {one.batch}"
                for one in earlier_batches(self._home, partition or WHOLE)
                if one.batch in self._stale.get(one.stage, ())
            ]
        return f"{', '.join(above)} will be rebuilt" if above else None

    def run(self) -> Iterator[Stale]:
        for name in order():
            stage = STAGES[name]
            for partition in partitions_of(self._home, stage):
                why = self.why(stage, partition)
                if why is not None:
                    self._stale.setdefault(name, set()).add(partition)
                    yield Stale(name, partition, why)


def plan(home: Home) -> list[Stale]:
    """All partitions that are out of date, upstream first, each with its reason."""
    return list(_Planner(home).run())
