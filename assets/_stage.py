"""What a stage is: its record, inputs and version, and the asset that is made of its function."""

import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dagster as dg

from assets._collect import Collected
from assets.partitions import OWNER, PARTITIONS
from resources.arrivals import earlier_version
from resources.code import code_version
from resources.home import Home
from resources.io_manager import ALL_PARTITIONS
from resources.judges import judges_version
from resources.labellers import labellers_version
from resources.labels import labels_version
from resources.lean import toolchain_version
from resources.pages import ocr_version
from resources.pages_folder import PagesFolder
from resources.progress import Watcher
from resources.release import splits_version
from resources.replies import system_version
from resources.reviews import all_reviews_version, reviews_version
from resources.store import ModelUse, Pointer, Stored
from stepforge.asking import PASSING_REASONS
from stepforge.outcome import Outcome
from stepforge.records import Record

Function = Callable[..., Outcome[Any] | Collected]  # of a stage

CONSERVED = "counts_are_conserved"
BUILD_TAG = "stepforge/build"  # on all runs of one `stepforge build`: a budget counts them together

# What lies outside the pipeline and decides, too: its version in a home, by the partition's name.
EXTERNALS: dict[str, Callable[[Home, str], str]] = {
    "batch_files": lambda home, batch: home.batches.get(batch).version(),
    "system_settings": system_version,
    "lean_toolchain": lambda _home, _batch: toolchain_version(),
    "judge_roles": lambda home, _system: judges_version(home),
    "review_decisions": reviews_version,
    "human_labels": lambda home, _all: labels_version(home),
    "all_reviews": lambda home, _all: all_reviews_version(home),
    "splits": lambda home, _all: splits_version(home),
    "earlier_batches": earlier_version,
    "batch_wants": lambda home, batch: home.batches.get(batch).wanted_version(),
    "ocr_engine": ocr_version,
    "labeller_roles": lambda home, _batch: labellers_version(home),
}
EXTERNAL_ASSETS = ("batch_files", "system_settings")


class StageConfig(dg.Config):
    """Launch settings of a stage."""

    reuse: bool = False
    """Keep the stored partition if code and inputs are what they were; otherwise the stage is run."""
    replay_only: bool = False
    """Send nothing to a model: every reply must be stored already."""


@dataclass(frozen=True)
class Stage:
    """What a stage is, as its module declares it."""

    name: str
    record: type[Record]
    partitions: str | None
    inputs: tuple[str, ...]
    all_of: tuple[str, ...]
    externals: tuple[str, ...]
    reads_rejections: bool
    per_problem: bool
    reads_provenance: bool
    page: Callable[[Home], Path] | None
    folder: Callable[[Home], Path] | None
    key: Callable[[Any], str]
    code_version: str

    def version_read(self, pointer: Pointer) -> str:
        """What the stage reads of an upstream partition: its rows, and where it shows them its rejections, too."""
        return f"{pointer.data_version}+{pointer.rejections_version}" if self.reads_rejections else pointer.data_version

    def stands(self, home: Home, pointer: Pointer) -> bool:
        """Whether all that a build left is still there, and nothing in it waits for a model."""
        whole = home.store.is_whole(pointer) and (self.page is None or self.page(home).exists())
        whole = whole and (self.folder is None or PagesFolder(self.folder(home)).is_whole())
        return whole and waiting_for_models(pointer) == 0


def waiting_for_models(pointer: Pointer) -> int:
    """Records that the stage put aside for the sake of a provider, a budget or a batch: the next build asks again."""
    return sum(pointer.dropped.get(reason, 0) for reason in PASSING_REASONS)


STAGES: dict[str, Stage] = {}


class Work:
    """What a stage's function is given beside its inputs."""

    def __init__(
        self,
        home: Home,
        stage: str,
        partition: str | None,
        watcher: Watcher,
        *,
        run: str = "",
        replay_only: bool = False,
    ) -> None:
        self.home, self.stage, self.partition, self.watcher = home, stage, partition, watcher
        self.run, self.replay_only = run, replay_only
        self.models: ModelUse | None = None
        self.notes: dict[str, list[str]] = {}
        self.pages: dict[Path, bytes] = {}
        self.later: list[Callable[[], None]] = []
        self.taken_over = 0  # records whose rows are those of the version before
        self._left: int | None = None  # problems of the part at work that nobody has counted yet

    def note(self, name: str, lines: Sequence[str]) -> None:
        """Something that a person should know of this run and that concerns no input record."""
        self.notes[name] = list(lines)

    def publish(self, path: Path, data: bytes) -> None:
        """A page for people, written when the counts have been checked."""
        self.pages[path] = data

    def publish_later(self, write: Callable[[], None]) -> None:
        """Pages that are too many to be held: `write` makes them when the counts have been checked, before the pages
        that lead to them are written."""
        self.later.append(write)

    def begin_part(self, size: int, total: int) -> None:
        """Announce a part of `size` of the `total` problems; what is one part alone is announced by its function."""
        if self._left is not None:
            self.watcher.advance(self._left)
        elif size < total:
            self.watcher.start(self.stage, self.partition or "all", total)
        self._left = size if size < total else None

    def begin(self, total: int) -> Callable[[int], None]:
        """Announce the number of records; the function to call with the number finished since the last call."""
        if self._left is not None:
            return self._advance_part
        self.watcher.start(self.stage, self.partition or "all", total)
        return self.watcher.advance

    def _advance_part(self, done: int) -> None:
        """A function may count other things than problems, and more of them."""
        counted = min(done, self._left or 0)
        self._left = (self._left or 0) - counted
        self.watcher.advance(counted)

    def finish(self, summary: str) -> None:
        """Announce the outcome."""
        self.watcher.finish(summary)


def stage(
    *,
    record: type[Record],
    group: str,
    partitions: str | None = "batch",
    external: str | tuple[str, ...] = (),
    reads_rejections: bool = False,
    per_problem: bool = False,
    reads_provenance: bool = False,
    page: Callable[[Home], Path] | None = None,
    folder: Callable[[Home], Path] | None = None,
    parameters: str = "",
    kinds: Sequence[str] = ("python", "parquet"),
    key: Callable[[Any], str] = lambda row: str(row.problem_id),
) -> Callable[[Function], dg.AssetsDefinition]:
    """Make an asset of a function `(work, <upstream>: Stored | dict[str, Stored], …) -> Outcome[record] | Collected`.

    The function's module and all of the project that it imports are the code version.
    partitions: the kind of partition, None for one table.
    An upstream annotated `Stored` is read in the same partition, `dict[str, Stored]` in all partitions.
    external: one or more of EXTERNALS, whose versions decide, too (a batch's files, a system's settings, the Lean
    toolchain, the judge roles, what people said of judged items, what reviewers decided, which splits there are).
    reads_rejections: other rejections upstream make it stale even where the rows are the same.
    per_problem: each problem is treated by itself, in the order of the first input: only those that changed are run,
    some thousand at a time, and one that makes the code fail costs itself.
    reads_provenance: of such a stage: something is made of a problem's provenance, so that it counts as a change.
    page: where the page for people lies that the function publishes.  folder: where more pages lie, with a manifest.
    key: the input record that a row stands for; with the rejections these must be exactly the inputs."""

    def decorate(function: Function) -> dg.AssetsDefinition:
        name = function.__name__
        inputs = dict(list(inspect.signature(function).parameters.items())[1:])
        this = Stage(
            name=name,
            record=record,
            partitions=partitions,
            inputs=tuple(inputs),
            all_of=tuple(n for n, p in inputs.items() if p.annotation == dict[str, Stored]),
            externals=(external,) if isinstance(external, str) else external,
            reads_rejections=reads_rejections,
            per_problem=per_problem,
            reads_provenance=reads_provenance,
            page=page,
            folder=folder,
            key=key,
            code_version=code_version([function.__module__], [record], parameters),
        )
        STAGES[name] = this
        return _asset(this, function, group=group, kinds=kinds)

    return decorate


def _asset_in(every: bool) -> dg.AssetIn:
    if every:
        return dg.AssetIn(metadata={ALL_PARTITIONS: True}, partition_mapping=dg.AllPartitionMapping())
    return dg.AssetIn()


def _asset(this: Stage, function: Function, *, group: str, kinds: Sequence[str]) -> dg.AssetsDefinition:
    from assets._run import Launch, run  # noqa: PLC0415 - it needs Stage

    @dg.asset(
        name=this.name,
        ins={name: _asset_in(name in this.all_of) for name in this.inputs},
        deps=[name for name in this.externals if name in EXTERNAL_ASSETS],
        partitions_def=PARTITIONS[this.partitions] if this.partitions else None,
        description=inspect.getdoc(function),
        owners=[OWNER],
        kinds=set(kinds),
        group_name=group,
        code_version=this.code_version,
        io_manager_key="store",
        check_specs=[
            dg.AssetCheckSpec(
                CONSERVED,
                asset=this.name,
                blocking=True,
                description="Every record that came in is a row or a rejection, once.",
            )
        ],
    )
    def asset(
        context: dg.AssetExecutionContext, config: StageConfig, home: dg.ResourceParam[Home], **inputs: Any
    ) -> Iterator[Any]:
        partition = context.partition_key if this.partitions else None
        how = Launch(
            run=context.run.tags.get(BUILD_TAG) or context.run.root_run_id or context.run_id,
            reuse=config.reuse,
            replay_only=config.replay_only,
        )
        yield from run(this, function, home, partition, inputs, how, context.log.info)

    return asset
