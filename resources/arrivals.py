"""What came before a batch: public benchmarks, and the batches that arrived earlier.

Their problems decide which of the batch's are copies.  What is compared of them is kept by content in the home, so that
a small batch after a large one costs the small one.
"""

import hashlib
import json
import zlib
from collections.abc import Callable
from typing import NamedTuple

from upath import UPath

from resources.atomic import write_atomic
from resources.batches import Manifest
from resources.code import code_version
from resources.home import Home
from resources.memo import key_of
from resources.store import Pointer
from resources.workers import Workers
from stepforge.arrow import batches_of
from stepforge.duplicates import Builder, Signatures, from_bytes, to_bytes
from stepforge.pictures import same_picture
from stepforge.records import Problem
from stepforge.selection import Before, entry_of

PICTURE_TIMEOUT_S = 20.0
SELECTED, CLEAN = "selected_problems", "clean_problems"


class Earlier(NamedTuple):
    """A batch that is compared with, and the stage whose rows are."""

    batch: str
    stage: str
    public: bool


def arrival_order(home: Home) -> list[str]:
    """All batches: public benchmarks, then the others, each in the order in which their first version came."""
    return [manifest.batch for manifest in _manifests(home)]


def _manifests(home: Home) -> list[Manifest]:
    found = [home.batches.get(name) for name in home.batches.names()]
    return sorted(found, key=lambda m: (not m.settings.public_benchmark, m.arrived_at, m.batch))


def earlier_batches(home: Home, batch: str) -> list[Earlier]:
    """What the batch is compared with, in that order; nothing if it is a public benchmark itself."""
    manifests = _manifests(home)
    place = next((k for k, m in enumerate(manifests) if m.batch == batch), 0)
    if not manifests or manifests[place].settings.public_benchmark:
        return []
    public = [m.settings.public_benchmark for m in manifests[:place]]
    return [
        Earlier(m.batch, CLEAN if of_public else SELECTED, of_public)
        for m, of_public in zip(manifests, public, strict=False)
    ]


def earlier_version(home: Home, batch: str) -> str:
    """Hash of what the batch is compared with: the rows of all that came before."""
    told = [
        [one.batch, one.public, pointer.data_version]
        for one in earlier_batches(home, batch)
        if (pointer := home.store.pointer(one.stage, one.batch)) is not None
    ]
    told.append(["public benchmark" if home.batches.get(batch).settings.public_benchmark else "batch"])
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]


def before(home: Home, batch: str) -> list[Before]:
    """The problems that the batch is compared with, of those batches that are built."""
    found = []
    for one in earlier_batches(home, batch):
        pointer = home.store.pointer(one.stage, one.batch)
        if pointer is not None:
            found.append(Before(one.batch, _signatures(home, pointer), one.public))
    return found


def _path(home: Home, stage: str, batch: str, data_version: str) -> UPath:
    method = code_version(["stepforge.selection._entries"], [])
    return UPath(home.root) / "signatures" / f"{stage}-{batch}-{data_version}-{method}.npz"


def _signatures(home: Home, pointer: Pointer) -> Signatures:
    """What is compared of a stored partition: as it was kept, else read out of the rows and kept."""
    path = _path(home, pointer.stage, pointer.partition, pointer.data_version)
    try:
        data = path.read_bytes()
        if zlib.crc32(data[4:]).to_bytes(4, "big") == data[:4]:
            return from_bytes(data[4:])
    except (FileNotFoundError, ValueError):
        pass  # never kept, or damaged: the rows say the same
    builder = Builder()
    for rows in batches_of(Problem, home.store.read(pointer)):
        for problem in rows:
            builder.add(entry_of(problem))
    found = builder.done()
    keep_signatures(home, pointer.stage, pointer.partition, pointer.data_version, found)
    return found


def keep_signatures(home: Home, stage: str, batch: str, data_version: str, signatures: Signatures) -> None:
    """Keep what is compared of a partition for the batches that come later, in place of its older versions."""
    path = _path(home, stage, batch, data_version)
    data = to_bytes(signatures)
    write_atomic(path, zlib.crc32(data).to_bytes(4, "big") + data)
    tail = len(f"-{data_version}-") + len(path.stem.rpartition("-")[2])
    prefix = path.stem[:-tail]
    for other in path.parent.glob("*.npz"):
        if other.stem[:-tail] == prefix and other.name != path.name:
            other.unlink()


def picture_comparer(home: Home, workers: Callable[[], Workers]) -> Callable[[str, str], bool]:
    """Whether two stored images show the same, decided in a process that can be killed and remembered."""
    version = code_version(["stepforge.pictures"], [])

    def same(one: str, two: str) -> bool:
        key = key_of(one, two, version)
        known = home.memo.get("same_picture", key)
        if known is not None:
            return known == b"1"
        pair = home.blobs.get(one), home.blobs.get(two)
        (found,) = workers().map(same_picture, [pair], PICTURE_TIMEOUT_S)
        if isinstance(found, Exception):
            return False  # not shown to be the same; asked again next time
        home.memo.put("same_picture", key, b"1" if found else b"0")
        return found

    return same
