"""A Lake project as a toolchain: its Lean, its compiled libraries (Mathlib), and the revision of each.

Read from the project's own files, `lean-toolchain` and `lake-manifest.json`; where the libraries lie is asked of
`lake env printenv LEAN_PATH`.  Nothing is built or downloaded: elan's own `lake`, which may do that, is passed over for
the one in the toolchain that the project names, and a package of the manifest that is not there ends the matter.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from lean_check.process import GIB
from lean_check.toolchain import Toolchain, ToolchainState, elan_home, is_elan_proxy, toolchain_folder, version_of

INSTALL_PROJECT = (
    "make a Lake project that depends on Mathlib (lake +leanprover/lean4:stable new checks math), fetch and build it "
    "(lake exe cache get; lake build), and name its folder in LEAN_CHECK_PROJECT or with --project"
)
LAKE_TIMEOUT_S = 120
MATHLIB_ADDRESS_SPACE = 40 * GIB  # it is mapped, not held in memory: some 6 GiB in 2025
CHECKERS = ("safe_verify", "lean4checker")
_NAME = "Lake project"
_MAX_FILE_BYTES = 10_000_000


class UnusableError(Exception):
    """Why the project cannot be used."""


@dataclass(frozen=True)
class _Package:
    name: str
    revision: str
    folder: Path


def project_state(folder: Path | None, env: Mapping[str, str]) -> ToolchainState:
    """The project as a place that was looked at.  `env`: where elan and `lake` are found; LEAN_CHECK_LAKE names one."""
    if folder is None:
        return ToolchainState(_NAME, False, None, "LEAN_CHECK_PROJECT is not set", INSTALL_PROJECT)
    folder = folder.resolve()
    try:
        toolchain = _toolchain(folder, env)
    except UnusableError as error:
        return ToolchainState(_NAME, False, None, f"{folder}: {error}", INSTALL_PROJECT)
    libraries = ", ".join(f"{name} {revision[:12]}" for name, revision in toolchain.revisions) or "no packages"
    return ToolchainState(_NAME, True, toolchain.version, f"{folder} with {libraries}", INSTALL_PROJECT, toolchain)


def _toolchain(folder: Path, env: Mapping[str, str]) -> Toolchain:
    if not any((folder / name).is_file() for name in ("lakefile.toml", "lakefile.lean")):
        raise UnusableError("no lakefile.toml or lakefile.lean")
    named = _read(folder / "lean-toolchain").strip()
    lake = _lake(named, env)
    lean = lake.parent / "lean"
    if not os.access(lean, os.X_OK):
        raise UnusableError(f"no `lean` beside {lake}")
    version, problem = version_of((str(lean),), lean.stat().st_mtime_ns)
    if version is None:
        raise UnusableError(f"{lean}: {problem}")
    packages = _packages(folder)
    if absent := [package.name for package in packages if not package.folder.is_dir()]:
        raise UnusableError(f"not fetched: {', '.join(absent)} (lake update, or lake exe cache get)")
    lean_path = lean_path_of(lake, folder, env)
    if any(p.name == "mathlib" for p in packages) and not any((f / "Mathlib.olean").is_file() for f in lean_path):
        raise UnusableError("Mathlib is there but not built (lake exe cache get; lake build)")
    revisions = tuple((package.name, package.revision) for package in packages)
    name = f"project {folder.name}, {named}"
    prefix = lean.parent.parent
    binds = (prefix,) if (prefix / "lib" / "lean").is_dir() else (lean,)
    return Toolchain(
        name,
        version,
        (str(lean),),
        binds,
        lean_path,
        revisions=revisions,
        address_space_bytes=MATHLIB_ADDRESS_SPACE,
        project=folder,
        checkers=tuple(_checkers(folder, env)),
    )


def _checkers(folder: Path, env: Mapping[str, str]) -> Iterator[tuple[str, Path]]:
    """The public checkers that are named by a variable or built in the project or one of its packages."""
    for name in CHECKERS:
        variable = f"LEAN_CHECK_{name.upper()}"
        if env.get(variable):
            program = Path(env[variable]).resolve()
            if not os.access(program, os.X_OK):
                raise UnusableError(f"{variable}: {program} is not an executable file")
            yield name, program
            continue
        places = (folder, *sorted((folder / ".lake/packages").glob("*")))
        programs = [place / ".lake/build/bin" / name for place in places]
        if built := [program for program in programs if program.is_file() and os.access(program, os.X_OK)]:
            yield name, built[0].resolve()


def _lake(named: str, env: Mapping[str, str]) -> Path:
    """The `lake` of the toolchain that the project names, never elan's."""
    if env.get("LEAN_CHECK_LAKE"):
        lake = Path(env["LEAN_CHECK_LAKE"])
        if not os.access(lake, os.X_OK):
            raise UnusableError(f"LEAN_CHECK_LAKE: {lake} is not an executable file")
        return lake.resolve()
    home = elan_home(env)
    installed = home / "toolchains" / toolchain_folder(named) / "bin" / "lake"
    if installed.is_file():
        return installed.resolve()
    on_path = shutil.which("lake", path=env.get("PATH", ""))
    if on_path and not is_elan_proxy(Path(on_path), home):
        return Path(on_path).resolve()
    raise UnusableError(f"its toolchain {named or '(none named)'} is not installed (elan toolchain install {named})")


def _packages(folder: Path) -> list[_Package]:
    """What the manifest names.  Its form has changed over the years: a package's fields stood in an inner `git`."""
    path = folder / "lake-manifest.json"
    try:
        manifest = json.loads(_read(path))
    except (ValueError, RecursionError) as error:
        raise UnusableError(f"{path.name} is not JSON: {error}") from None
    if not isinstance(manifest, dict) or not isinstance(manifest.get("packages", []), list):
        raise UnusableError(f"{path.name} names no packages")
    base = folder / str(manifest.get("packagesDir") or ".lake/packages")
    return [_package(raw, folder, base) for raw in manifest.get("packages", [])]


def _package(raw: object, folder: Path, base: Path) -> _Package:
    if isinstance(raw, dict) and len(raw) == 1 and isinstance(inner := next(iter(raw.values())), dict):
        raw = inner
    if not isinstance(raw, dict) or not isinstance(raw.get("name"), str):
        raise UnusableError("lake-manifest.json has a package without a name")
    name = raw["name"]
    local = raw.get("dir")
    place = folder / str(local) if local else base / name
    return _Package(name, str(raw.get("rev") or "local"), place)


def lean_path_of(lake: Path, folder: Path, env: Mapping[str, str]) -> tuple[Path, ...]:
    """The folders with compiled libraries, as Lake says.  Raises: UnusableError."""
    own = {name: env[name] for name in ("HOME", "ELAN_HOME") if name in env}
    own["PATH"] = os.pathsep.join([str(lake.parent), "/usr/bin", "/bin"])
    command = [str(lake), "env", "printenv", "LEAN_PATH"]
    try:
        run = subprocess.run(
            command,
            cwd=folder,
            env=own,
            capture_output=True,
            timeout=LAKE_TIMEOUT_S,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UnusableError(f"`lake env` does not run: {error}") from None
    lines = run.stdout.decode("utf-8", "replace").strip().splitlines()
    if run.returncode != 0 or not lines:
        said = run.stderr.decode("utf-8", "replace").strip()[:300]
        raise UnusableError(f"`lake env printenv LEAN_PATH` ended with {run.returncode}: {said or 'nothing printed'}")
    paths = ((folder / part).resolve() for part in lines[-1].split(os.pathsep) if part)
    return tuple(dict.fromkeys(path for path in paths if path.is_dir()))


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_MAX_FILE_BYTES).decode("utf-8")
    except (OSError, ValueError) as error:
        raise UnusableError(f"{path.name} cannot be read: {error}") from None
