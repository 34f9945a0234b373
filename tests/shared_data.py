"""Real data sets that tests may read; a test skips with a message where they are absent."""

import os
from pathlib import Path

import pytest

ROOT = Path(os.environ.get("STEPFORGE_SHARED_DATA", Path(__file__).resolve().parents[1] / ".." / "shared" / "data"))


def shared(name: str) -> Path:
    """Path of a file or folder of the shared data; skips the calling test where it is absent."""
    path = (ROOT / name).resolve()
    if not path.exists():
        pytest.skip(f"real data absent: {name} is not under {ROOT} (set STEPFORGE_SHARED_DATA to a copy)")
    return path
