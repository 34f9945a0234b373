"""The home folder: everything that a Stepforge installation knows, in one place.

<home>/dagster/     Dagster's own home: runs, events, schedules
<home>/batches/     one manifest a batch: which files it holds, by content
<home>/systems/     one file a system that is scored
<home>/blobs/       documents and images by content
<home>/tables/      the tables of all stages (or STEPFORGE_TABLES, any fsspec URL)
<home>/memo.sqlite  dear work, remembered
<home>/replies.sqlite  what models said and what it cost (or STEPFORGE_REPLIES, a file or postgresql://…)
<home>/report/      the newest report
<home>/models.toml  which models are asked and how (or STEPFORGE_MODELS, a file)
"""

import os
import re
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from upath import UPath

from resources.batches import Batches
from resources.blobs import Blobs
from resources.llm.config import ENVIRONMENT as MODELS_VARIABLE
from resources.llm.config import FILE as MODELS_FILE
from resources.llm.config import ModelsConfig
from resources.memo import Memo
from resources.store import WHOLE, Store
from resources.systems import Systems
from stepforge.errors import BadHome, BadRequest

if TYPE_CHECKING:
    from resources.llm.store import ReplyStore

DAGSTER_YAML = """\
# Written once by Stepforge; yours to change.
telemetry:
  enabled: false
run_monitoring:
  enabled: true
  poll_interval_seconds: 30
  free_slots_after_run_end_seconds: 30
concurrency:
  runs:
    max_concurrent_runs: 2
"""

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


def checked_name(kind: str, name: str) -> str:
    """`name` if it can name a batch or a system.  Raises: BadRequest."""
    if not NAME.fullmatch(name) or ".." in name:
        raise BadRequest(
            f"{name[:120]!r} cannot name a {kind}: use letters, digits, '.', '_' and '-' "
            "(at most 100, beginning with a letter or digit, no '..')"
        )
    return name


class Home:
    """The parts of a home folder, made when they are first asked for."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @classmethod
    def from_environment(cls) -> "Home":
        """The home that STEPFORGE_HOME names, `.stepforge` in the current folder if it names none.  Raises: BadHome if
        that is something else than a folder."""
        root = Path(os.environ.get("STEPFORGE_HOME") or ".stepforge").absolute()
        if root.exists() and not root.is_dir():
            raise BadHome(f"the home {root} is not a folder; name another with STEPFORGE_HOME")
        return cls(root)

    def prepare(self) -> "Home":
        """Create what is missing.  Raises: BadHome if the folder cannot be written."""
        try:
            self.dagster.mkdir(parents=True, exist_ok=True)
            probe = self.root / f".write-test-{os.getpid()}"
            probe.write_bytes(b"")
            probe.unlink()
            settings = self.dagster / "dagster.yaml"
            if not settings.exists():
                settings.write_text(DAGSTER_YAML, encoding="utf-8")
        except OSError as error:
            raise BadHome(
                f"the home folder {self.root} cannot be written ({error.strerror}); "
                "make it writable or name another with STEPFORGE_HOME"
            ) from None
        return self

    @property
    def dagster(self) -> Path:
        """DAGSTER_HOME."""
        return self.root / "dagster"

    @property
    def report(self) -> Path:
        """Folder of the newest report."""
        return self.root / "report"

    @property
    def items(self) -> Path:
        """Folder of the pages of items, beside the report."""
        return self.report / "items"

    @cached_property
    def blobs(self) -> Blobs:
        """Documents and images."""
        return Blobs(UPath(self.root / "blobs"))

    @cached_property
    def store(self) -> Store:
        """Tables of all stages.  Raises: BadHome if STEPFORGE_TABLES names a place that cannot be reached."""
        place = os.environ.get("STEPFORGE_TABLES")
        try:
            root = UPath(place) if place else UPath(self.root / "tables")
            root.exists()
        except (ImportError, ValueError, OSError) as error:
            raise BadHome(f"STEPFORGE_TABLES={place} cannot be used: {error}") from None
        return Store(root.absolute() if root.protocol in ("", "file", "local") else root)

    def built(self, stage: str) -> list[str]:
        """Partitions of the stage that are built and whose batch or system still exists, sorted."""
        named = {WHOLE, *self.batches.names(), *self.systems.names()}
        return [name for name in self.store.partitions(stage) if name in named]

    @cached_property
    def memo(self) -> Memo:
        """Remembered work."""
        return Memo(self.root / "memo.sqlite")

    @cached_property
    def replies(self) -> "ReplyStore":
        """What models said, at STEPFORGE_REPLIES or in the home.  Raises: BadHome, BadRequest, PipelineError."""
        from resources.llm.stores import ENVIRONMENT, FILE, open_store  # noqa: PLC0415 - most commands need no store

        return open_store(os.environ.get(ENVIRONMENT) or self.root / FILE)

    @cached_property
    def batches(self) -> Batches:
        """Manifests of the batches."""
        return Batches(UPath(self.root / "batches"))

    @cached_property
    def systems(self) -> Systems:
        """Systems to score."""
        return Systems(UPath(self.root / "systems"))

    @property
    def models_file(self) -> Path:
        """Where the configuration of models stands, whether or not it is there."""
        named = os.environ.get(MODELS_VARIABLE)
        return Path(named).expanduser().absolute() if named else self.root / MODELS_FILE

    @cached_property
    def models(self) -> ModelsConfig:
        """Providers, models and roles; none if there is no file.  Raises: BadInput if the file is wrong."""
        return ModelsConfig.load(self.models_file)
