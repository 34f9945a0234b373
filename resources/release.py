"""Settings of a release: what is said of the benchmark as a whole.  <home>/release.json"""

import hashlib

from pydantic import BaseModel, ConfigDict, ValidationError
from upath import UPath

from resources.atomic import write_atomic
from resources.home import Home
from stepforge.errors import BadRequest, PipelineError
from stepforge.records import Split

FILE = "release.json"


class Release(BaseModel):
    """The settings, as they stand in the file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    splits: tuple[Split, ...] = ()

    def split(self, name: str) -> Split:
        """The split of that name.  Raises: BadRequest."""
        for split in self.splits:
            if split.name == name:
                return split
        known = ", ".join(split.name for split in self.splits) or "none yet"
        raise BadRequest(
            f"there is no split {name!r} (splits: {known}); "
            "add one with: stepforge split --newer-than YYYY-MM-DD --name NAME"
        )


def release_of(home: Home) -> Release:
    """The settings; those of a home without the file are empty.  Raises: PipelineError if the file is damaged."""
    path = home.root / FILE
    if not path.exists():
        return Release()
    try:
        return Release.model_validate_json(path.read_bytes())
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        raise PipelineError(f"{path}: {field}: {first['msg']}; mend or delete the file") from None


def keep_split(home: Home, split: Split) -> None:
    """Add the split, or put it in place of the one of its name."""
    others = [one for one in release_of(home).splits if one.name != split.name]
    _write(home, Release(splits=tuple(sorted([*others, split], key=lambda one: one.name))))


def remove_split(home: Home, name: str) -> None:
    """Forget the split.  Raises: BadRequest."""
    release = release_of(home)
    gone = release.split(name)
    _write(home, Release(splits=tuple(one for one in release.splits if one != gone)))


def _write(home: Home, release: Release) -> None:
    write_atomic(UPath(home.root / FILE), release.model_dump_json(indent=1).encode())


def splits_version(home: Home) -> str:
    """16 hex digits over the splits; `none` if there are none."""
    splits = release_of(home).splits
    text = "\n".join(split.model_dump_json() for split in splits)
    return hashlib.sha256(text.encode()).hexdigest()[:16] if splits else "none"
