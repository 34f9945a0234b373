"""A folder of pages made from something else: each is made anew only where what it is made from changed.

What was made stands in a manifest, written last: a run that is killed leaves pages that the next run finds wanting and
makes again, and never a manifest that names a page that is not there.
"""

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from upath import UPath

from resources.atomic import write_atomic

MANIFEST = "manifest.json"


class _Made(NamedTuple):
    """What a page was made from, and its size as a check of what lies on the disk."""

    fingerprint: str
    size: int


class PagesFolder:
    """The pages under `root`.  Names are file names, given by the program and never by data."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._before = self._manifest()
        self._sizes = self._on_disk()
        self._now: dict[str, _Made] = {}

    def _manifest(self) -> dict[str, _Made]:
        try:
            told = json.loads((self.root / MANIFEST).read_bytes())
            return {str(name): _Made(str(made[0]), int(made[1])) for name, made in told["pages"].items()}
        except (OSError, ValueError, LookupError, TypeError, AttributeError):
            return {}

    def _on_disk(self) -> dict[str, int]:
        try:
            with os.scandir(self.root) as entries:
                return {entry.name: entry.stat().st_size for entry in entries if entry.is_file(follow_symlinks=False)}
        except OSError:
            return {}

    def is_whole(self) -> bool:
        """Whether every page that the manifest names is there in its size; False where there is no manifest."""
        return bool(self._before) and all(self._sizes.get(name) == made.size for name, made in self._before.items())

    def stands(self, name: str, fingerprint: str) -> bool:
        """Whether the page is there as it was made from the same; it is then kept."""
        made = self._before.get(name)
        if made is None or made.fingerprint != fingerprint or self._sizes.get(name) != made.size:
            return False
        self._now[name] = made
        return True

    def put(self, name: str, fingerprint: str, data: bytes) -> None:
        """Write a page; a reader sees the old one or the new one.  It is not forced onto the disk: what a power failure
        takes is found by its size and made again."""
        temporary = self.root / f".{name}.{os.getpid()}.tmp"
        for attempt in range(2):
            self.root.mkdir(parents=True, exist_ok=True)
            temporary.write_bytes(data)
            try:
                temporary.replace(self.root / name)
                break
            except FileNotFoundError:  # another build, which has just finished, took it for a left-over
                if attempt:
                    raise
        self._now[name] = _Made(fingerprint, len(data))

    def finish(self) -> list[str]:
        """Write the manifest and remove the pages that were neither put nor kept; their names."""
        text = json.dumps({"pages": dict(sorted(self._now.items()))}, indent=0)
        write_atomic(UPath(self.root / MANIFEST), text.encode())
        gone = sorted(self._left_over(self._sizes))
        for name in gone:
            (self.root / name).unlink(missing_ok=True)
        return gone

    def _left_over(self, sizes: Mapping[str, int]) -> Iterable[str]:
        return (name for name in sizes if name not in self._now and name.endswith((".html", ".tmp")))
