"""Batch manifests: which files a batch holds, by content."""

import hashlib
import json
from datetime import date, datetime

from pydantic import BaseModel, ConfigDict, Field
from upath import UPath

from resources.atomic import write_atomic
from stepforge.errors import BadRequest, PipelineError


class Settings(BaseModel):
    """What a batch says of itself, from `contest.toml` in its folder or from the command line."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str | None = None
    licence: str = "unknown"
    published_on: date | None = None
    allow_missing_images: bool = False


class BatchFile(BaseModel):
    """One file of a batch."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: str = Field(description="POSIX path inside the batch; a name, never opened")
    sha256: str
    size_bytes: int
    arrived_at: datetime
    refused: str | None = Field(default=None, description="why it was not taken out of its archive")


class Manifest(BaseModel):
    """The files of one batch, sorted by path."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    batch: str
    settings: Settings
    files: tuple[BatchFile, ...]

    def version(self) -> str:
        """Hash of names, contents and settings; the time of arrival is no part of it."""
        content = [
            self.settings.model_dump(mode="json"),
            [[f.path, f.sha256, *([f.refused] if f.refused else [])] for f in self.files],
        ]
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]


class Batches:
    """The manifests under `root`."""

    def __init__(self, root: UPath) -> None:
        self._root = root

    def names(self) -> list[str]:
        """All batches, sorted."""
        return sorted(p.stem for p in self._root.glob("*.json")) if self._root.exists() else []

    def get(self, batch: str) -> Manifest:
        """The manifest.  Raises: BadRequest if there is no such batch."""
        path = self._root / f"{batch}.json"
        if batch not in self.names():
            known = ", ".join(self.names()) or "none yet"
            raise BadRequest(
                f"there is no batch {batch!r} (batches: {known}); add one with: stepforge ingest PATH --batch NAME"
            )
        try:
            return Manifest.model_validate_json(path.read_bytes())
        except ValueError as error:
            raise PipelineError(f"{path} is damaged ({error}); ingest the batch again") from None

    def remove(self, batch: str) -> None:
        """Forget the batch.  Raises: BadRequest if there is none of that name."""
        if batch not in self.names():
            raise BadRequest(f"there is no batch {batch!r} (batches: {', '.join(self.names()) or 'none'})")
        (self._root / f"{batch}.json").unlink()

    def put(self, manifest: Manifest) -> None:
        """Store the manifest, replacing an older one of its batch."""
        write_atomic(self._root / f"{manifest.batch}.json", manifest.model_dump_json(indent=1).encode())
