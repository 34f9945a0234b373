"""The files that `stepforge ingest` takes in: of folders, of archives, and the settings beside them."""

import os
import tomllib
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError

from resources.archives import Unpacked, is_archive, unpack
from resources.batches import BatchFile, Manifest, Settings
from resources.blobs import Blobs
from resources.home import Home
from stepforge.documents import SETTINGS_FILE
from stepforge.errors import BadInput
from stepforge.sources import MAPPING_FILE, BadMapping, parse_mapping

Incoming = Path | Unpacked  # a file on this machine, or one that came out of an archive


def _files_of(path: Path, prefix: str) -> Iterator[tuple[str, Path]]:
    if path.is_file():
        yield path.name, path
        return
    if not path.is_dir():
        raise BadInput(f"{path}: no such file or folder")
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        for name in sorted(names):
            file = Path(folder) / name
            if name.startswith(".") or not file.is_file():
                continue
            if file.is_symlink() and not file.resolve().is_relative_to(path.resolve()):
                raise BadInput(f"{file}: a link out of the folder, to {file.resolve()}; put the file itself there")
            yield prefix + file.relative_to(path).as_posix(), file


def _is_archive(path: Path) -> bool:
    with path.open("rb") as handle:
        return is_archive(handle.read(512), path.name)


def _inside(name: str, archive: Path, blobs: Blobs, *, alone: bool) -> Iterator[tuple[str, Unpacked]]:
    """The files of an archive; below its name, unless it is all that was handed in."""
    for one in unpack(archive, blobs):
        yield (one.name or name if alone else f"{name}/{one.name}".rstrip("/")), one


def collect(paths: list[Path], blobs: Blobs) -> dict[str, Incoming]:
    """All files by their path inside the batch, archives unpacked into `blobs`; hidden files are left out.
    Raises: BadInput."""
    plain = _plain_files(paths)
    alone = len(plain) == 1
    found: dict[str, Incoming] = {}
    for name, path in plain.items():
        if not _openable(path) or not _is_archive(path):
            found[name] = path
            continue
        for inner, one in _inside(name, path, blobs, alone=alone):
            if inner in found or inner in plain.keys() - {name}:
                raise BadInput(f"{path}: its {one.name!r} would be {inner!r} in the batch, which is there; rename it")
            found[inner] = one
    return dict(sorted(found.items()))


def _openable(path: Path) -> bool:
    return os.access(path, os.R_OK)


def _plain_files(paths: list[Path]) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for path in paths:
        prefix = f"{path.resolve().name}/" if len(paths) > 1 and path.is_dir() else ""
        for name, file in _files_of(path, prefix):
            if name in found and found[name].resolve() != file.resolve():
                raise BadInput(
                    f"{found[name]} and {file} would both be {name!r} in the batch; ingest their common folder"
                )
            found[name] = file
    if not found:
        raise BadInput(f"{', '.join(map(str, paths))}: no files in it; name a folder or files that hold problems")
    return dict(sorted(found.items()))


def read_settings(files: Mapping[str, Incoming], blobs: Blobs) -> Settings:
    """What `contest.toml` at the top of the batch says; defaults if there is none.  Raises: BadInput."""
    stray = [name for name in files if name.endswith(f"/{SETTINGS_FILE}")]
    if stray:
        raise BadInput(
            f"{stray[0]}: settings count for a whole batch and must lie at its top; "
            "ingest that folder as a batch of its own"
        )
    path = files.get(SETTINGS_FILE)
    if path is None:
        return Settings()
    try:
        data = read_file(path) if isinstance(path, Path) else blobs.get(path.sha256) if path.sha256 else b""
        settings = Settings.model_validate(tomllib.loads(data.decode("utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{SETTINGS_FILE}: not valid TOML: {error}") from None
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        raise BadInput(f"{SETTINGS_FILE}: {field}: {first['msg']} (keys: {', '.join(Settings.model_fields)})") from None
    for key, paper in settings.answers.items():
        missing = next((name for name in (key, paper) if name and name not in files), None)
        if missing is not None:
            raise BadInput(f"{SETTINGS_FILE}: answers: {missing!r} is no file of the batch; write its path in it")
    return settings


def check_mappings(files: Mapping[str, Incoming], blobs: Blobs) -> None:
    """Read every `mapping.toml` among the files.  Raises: BadInput naming the file and the key that is wrong."""
    for name, file in files.items():
        if name.rpartition("/")[2] == MAPPING_FILE and (isinstance(file, Path) or file.sha256):
            data = read_file(file) if isinstance(file, Path) else blobs.get(file.sha256 or "")
            try:
                parse_mapping(data, name)
            except BadMapping as error:
                raise BadInput(str(error)) from None


def read_file(path: Path) -> bytes:
    """The file's bytes.  Raises: BadInput."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror})") from None


def manifest_of(
    home: Home, batch: str, files: Mapping[str, Incoming], settings: Settings, old: Manifest | None
) -> Manifest:
    """The batch of these files, their bytes in the home; a file that was there keeps the time of its arrival."""
    arrived = {(f.path, f.sha256): f.arrived_at for f in old.files} if old else {}
    now = datetime.now(UTC)
    entries = []
    for name, file in files.items():
        if isinstance(file, Unpacked):
            sha256, size, refused = file.sha256, file.size_bytes, file.refused
        else:
            data = read_file(file)
            sha256, size, refused = home.blobs.put(data), len(data), None
        entries.append(
            BatchFile(
                path=name,
                sha256=sha256,
                size_bytes=size,
                arrived_at=arrived.get((name, sha256), now),
                refused=refused,
            )
        )
    return Manifest(
        batch=batch, settings=settings, files=tuple(entries), first_arrived_at=old.arrived_at if old else now
    )
