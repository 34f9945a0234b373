"""Files that appear whole or not at all, locally and on object stores."""

import os
import uuid

from upath import UPath


def write_atomic(path: UPath, data: bytes) -> None:
    """Put `data` at `path`: a reader sees the old content or the new one, also after a crash in between."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.protocol not in ("", "file", "local"):
        path.write_bytes(data)  # an object store shows an object when its upload is complete
        return
    temporary = path.with_name(f".{uuid.uuid4().hex}.tmp")
    try:
        with open(temporary.path, "wb") as handle:  # noqa: PTH123 - os.fsync needs the descriptor
            handle.write(data)
            handle.flush()
            os.fsync(handle.fileno())
        os.replace(temporary.path, path.path)  # noqa: PTH105 - the string path of a UPath
    finally:
        temporary.unlink(missing_ok=True)
