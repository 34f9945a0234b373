"""Archives of a batch unpacked into the content store: no member is a path, and none may fill the disk or the memory.

ZIP and tar (plain, gzip, bzip2, xz) are known by their first bytes.  An archive inside an archive stays one file.
"""

import io
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, NamedTuple

from resources.blobs import Blobs
from resources.workers import GIB, Workers
from stepforge.errors import LimitExceeded

MAX_MEMBERS = 100_000
MAX_MEMBER_BYTES = GIB // 2  # what a structured file may have, too
MAX_TOTAL_BYTES = 8 * GIB
MAX_RATIO = 200  # unpacked to packed bytes, beyond the first 64 MiB; of 48 files of real sets the best packs 39 to 1
FREE_BYTES = 64 * 2**20
MAX_NAME = 1000
TIMEOUT_S = 900.0
MEMORY_BYTES = 2 * GIB
_CHUNK = 1 << 20

_TAR_AT = 257  # where "ustar" stands in a tar's first header
_PACKED_TAR = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00")


class Unpacked(NamedTuple):
    """One member: its bytes in the content store, or why it was refused.  name: "" for the archive as a whole."""

    name: str
    sha256: str
    size_bytes: int
    refused: str | None = None


class _Job(NamedTuple):
    archive: Path
    blobs: Blobs


class _Refused(Exception):
    """The member or the archive cannot be taken; the message is for a person."""


def is_archive(head: bytes, name: str) -> bool:
    """Whether a file with these first 512 bytes is an archive.  A packed file that is no tar by its name is none."""
    lowered = name.lower()
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return not lowered.endswith((".docx", ".xlsx", ".pptx", ".odt", ".epub", ".npz"))
    if head[_TAR_AT : _TAR_AT + 5] == b"ustar":
        return True
    return head.startswith(_PACKED_TAR) and (".tar" in lowered or lowered.endswith((".tgz", ".tbz2", ".txz")))


def unpack(archive: Path, blobs: Blobs) -> list[Unpacked]:
    """The archive's files, sorted by name, each in `blobs` or refused with a reason; in a killable process."""
    with Workers(1, memory_bytes=MEMORY_BYTES) as workers:
        try:
            return workers.call(_unpack, _Job(archive, blobs), TIMEOUT_S)
        except (LimitExceeded, OSError) as error:
            return [_whole(f"the archive cannot be unpacked ({error}); unpack it and ingest the folder")]


def _whole(why: str) -> Unpacked:
    return Unpacked("", "", 0, why)


def _unpack(job: _Job) -> list[Unpacked]:
    members = _zip_members if zipfile.is_zipfile(job.archive) else _tar_members
    purse = _Purse(job.archive.stat().st_size)
    found: dict[str, Unpacked] = {}
    try:
        for number, (name, read) in enumerate(members(job.archive), 1):
            purse.count(number)
            one = _member(name, read, purse, job.blobs)
            if one.name in found:
                one = Unpacked(f"{one.name}~{number}", "", 0, "its name stands twice in the archive; rename it")
            found[one.name] = one
    except _Refused as error:
        found[""] = _whole(str(error))
    except (
        tarfile.TarError,
        zipfile.BadZipFile,
        EOFError,
        OSError,
        zlib.error,
        ValueError,
        NotImplementedError,
    ) as error:
        found[""] = _whole(f"the archive is damaged ({str(error)[:200] or type(error).__name__}); deliver it again")
    return [found[name] for name in sorted(found)]


class _Purse:
    """How much may still be unpacked."""

    def __init__(self, packed_bytes: int) -> None:
        self._left = min(MAX_TOTAL_BYTES, FREE_BYTES + MAX_RATIO * packed_bytes)

    def count(self, members: int) -> None:
        """Raises: _Refused when the archive has more members than it may."""
        if members > MAX_MEMBERS:
            raise _Refused(f"it has more than {MAX_MEMBERS} members; split it")

    def take(self, size: int) -> None:
        """Raises: _Refused when the archive unpacks to more than it may."""
        self._left -= size
        if self._left < 0:
            raise _Refused("it unpacks to far more than an archive of its size may hold; unpack it and look at it")


def _member(name: str, read: "Callable[[], IO[bytes]] | str", purse: _Purse, blobs: Blobs) -> Unpacked:
    shown, unsafe = _checked_name(name)
    refused = unsafe or (read if isinstance(read, str) else None)
    if refused or isinstance(read, str):
        return Unpacked(shown, "", 0, refused)
    held = io.BytesIO()
    try:
        with read() as stream:
            while part := stream.read(_CHUNK):
                purse.take(len(part))
                if held.tell() + len(part) > MAX_MEMBER_BYTES:
                    return Unpacked(shown, "", 0, f"it unpacks to more than {MAX_MEMBER_BYTES} bytes; split the file")
                held.write(part)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError) as error:
        return Unpacked(shown, "", 0, f"it cannot be unpacked ({str(error)[:200]}); pack it again")
    data = held.getvalue()
    return Unpacked(shown, blobs.put(data), len(data))


def _checked_name(name: str) -> tuple[str, str | None]:
    """The name as it may be shown and stored, and what is wrong with it."""
    shown = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in name)
    shown = shown.encode("utf-8", "backslashreplace").decode()
    wrong = None
    if shown != name or "\\" in name:
        wrong = "its name holds control characters or backslashes"
    elif name.startswith("/") or name[1:2] == ":":
        wrong = "its name is an absolute path"
    elif any(part in ("..", ".", "") for part in name.split("/")):
        wrong = "its name leaves the archive or has empty parts"
    elif len(name) > MAX_NAME:
        wrong = f"its name has {len(name)} characters; {MAX_NAME} at most"
    return shown[:MAX_NAME], f"{wrong}; rename it" if wrong else None


def _is_hidden(name: str) -> bool:
    """Hidden files are left out of folders, too; so is what macOS adds to each of its archives."""
    parts = name.split("/")
    return parts[0] == "__MACOSX" or any(part.startswith(".") and part not in (".", "..") for part in parts)


_Member = tuple[str, "Callable[[], IO[bytes]] | str"]  # name, and how to read it or why not


def _zip_members(path: Path) -> Iterator[_Member]:
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            if info.is_dir() or _is_hidden(info.filename):
                continue
            kind = info.external_attr >> 16
            # only names in UTF-8 carry the flag; others are what the packer's machine used, cp437 by the standard
            name = info.filename if info.flag_bits & 0x800 else _legacy_name(info.filename)
            if info.flag_bits & 1:
                yield name, "it is encrypted; pack it without a password"
            elif stat.S_ISLNK(kind):
                yield name, "it is a link; put the file itself into the archive"
            else:
                yield name, _reader(archive, info)


def _reader(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Callable[[], IO[bytes]]:
    return lambda: archive.open(info)


def _legacy_name(name: str) -> str:
    """A name that zipfile has read as cp437: packers on Chinese and Linux machines write GB18030 and UTF-8 there."""
    try:
        raw = name.encode("cp437")
    except UnicodeEncodeError:
        return name
    for encoding in ("utf-8", "gb18030"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return name


def _tar_members(path: Path) -> Iterator[_Member]:
    with tarfile.open(path, "r:*") as archive:
        for info in archive:
            name = info.name.removeprefix("./")
            if info.isdir() or _is_hidden(name):
                continue
            if info.issym() or info.islnk():
                yield name, "it is a link; put the file itself into the archive"
            elif not info.isfile():
                yield name, "it is a device, no file; leave it out"
            else:
                yield name, _tar_reader(archive, info)


def _tar_reader(archive: tarfile.TarFile, info: tarfile.TarInfo) -> Callable[[], IO[bytes]]:
    def read() -> IO[bytes]:
        stream = archive.extractfile(info)
        if stream is None:
            raise EOFError("it has no content")
        return stream

    return read
