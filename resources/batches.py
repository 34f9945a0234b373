"""Batch manifests: which files a batch holds, by content."""

import hashlib
import json
from datetime import UTC, date, datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator
from upath import UPath

from resources.atomic import write_atomic
from stepforge.errors import BadRequest, PipelineError
from stepforge.selection import Wanted

DEFAULT_OCR = "rapidocr"


class Settings(BaseModel):
    """What a batch says of itself, from `contest.toml` in its folder or from the command line."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str | None = None
    licence: str = "unknown"
    published_on: date | None = None
    allow_missing_images: bool = False
    answers: dict[str, str] = Field(default_factory=dict, description="paper by answer key, both paths in the batch")
    review: Literal["optional", "required"] = "optional"
    final_answer_only: bool = Field(default=False, description="problems with nothing but a proof to give are refused")
    solution_needed: bool = Field(default=False, description="problems without a worked solution are refused")
    keep_calculations: bool = Field(default=False, description="long bare calculations stay")
    public_benchmark: bool = Field(default=False, description="its problems are compared with, never selected")
    ocr: str = Field(default=DEFAULT_OCR, description="engine that reads scanned pages")

    @field_validator("ocr")
    @classmethod
    def _known(cls, name: str) -> str:
        from resources.ocr import ENGINES  # noqa: PLC0415 - the engines cost every command some time

        if name != DEFAULT_OCR and name not in ENGINES:
            raise ValueError(f"no OCR engine has this name; there are: {', '.join(e.name for e in ENGINES)}")
        return name

    @property
    def wanted(self) -> Wanted:
        """What selection is to hold the batch's problems to."""
        return Wanted(self.final_answer_only, self.solution_needed, self.keep_calculations)


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
    first_arrived_at: datetime | None = Field(default=None, description="when its first version came")

    @property
    def arrived_at(self) -> datetime:
        """When the batch came; a new version of it does not come later."""
        never = datetime.max.replace(tzinfo=UTC)
        return self.first_arrived_at or min((file.arrived_at for file in self.files), default=never)

    def version(self) -> str:
        """Hash of names, contents and settings; the time of arrival is no part of it."""
        settings = self.settings.model_dump(mode="json", exclude=set(Wanted._fields))  # see `wanted_version`
        if self.settings.review == "optional":
            del settings["review"]  # the version of a batch that says nothing of review is as it was before one could
        if not self.settings.answers:
            del settings["answers"]
        if not self.settings.public_benchmark:
            del settings["public_benchmark"]
        if self.settings.ocr == DEFAULT_OCR:
            del settings["ocr"]
        content = [
            settings,
            [[f.path, f.sha256, *([f.refused] if f.refused else [])] for f in self.files],
        ]
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]

    def wanted_version(self) -> str:
        """What selection is told of the batch, in words; `soundness` if nothing beyond that is wanted."""
        return ", ".join(name for name, said in self.settings.wanted._asdict().items() if said) or "soundness"


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
