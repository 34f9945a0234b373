"""Documents and images by content: the name of a file is the sha256 of its bytes."""

import hashlib

from upath import UPath

from resources.atomic import write_atomic
from stepforge.errors import PipelineError


class LostBlob(PipelineError):
    """Stored bytes are gone or are no longer what their name says."""


class Blobs:
    """The content store under `root`."""

    def __init__(self, root: UPath) -> None:
        self._root = root

    def path(self, sha256: str) -> UPath:
        """Where the bytes lie; `sha256` must be 64 hex digits.  Raises: ValueError."""
        if len(sha256) != 64 or not set(sha256) <= set("0123456789abcdef"):
            raise ValueError(f"not a sha256: {sha256[:80]!r}")
        return self._root / sha256[:2] / sha256

    def put(self, data: bytes) -> str:
        """Store the bytes once; their sha256."""
        sha256 = hashlib.sha256(data).hexdigest()
        path = self.path(sha256)
        if not path.exists():
            write_atomic(path, data)
        return sha256

    def get(self, sha256: str) -> bytes:
        """The bytes.  Raises: LostBlob if they are missing or altered."""
        try:
            data = self.path(sha256).read_bytes()
        except FileNotFoundError:
            raise LostBlob(f"stored file {sha256[:12]}… is gone from {self._root}; ingest its batch again") from None
        if hashlib.sha256(data).hexdigest() != sha256:
            raise LostBlob(f"stored file {sha256[:12]}… under {self._root} was altered; ingest its batch again")
        return data
