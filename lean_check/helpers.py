"""What stands beside the judge: the REPL of `lean-interact` as a filter before it, and LeanDojo for tracing.

Neither is ever the judge.  Both are optional packages, found without importing them.
"""

import importlib.metadata
import importlib.util
import os
import shutil
from collections.abc import Mapping

from lean_check.toolchain import ToolchainState

INSTALL_REPL = (
    "pip install lean-interact==0.11.6, build https://github.com/leanprover-community/repl for the project's Lean, and "
    "name its folder in LEAN_CHECK_REPL (LEAN_CHECK_PROJECT names the project)"
)
INSTALL_DOJO = "pip install lean-dojo (Python 3.12 at most), and put git, lake and lean on the PATH"


def helpers(env: Mapping[str, str] | None = None) -> tuple[ToolchainState, ...]:
    """Whether each is usable here.  `env`: the environment to read, this process's by default."""
    env = os.environ if env is None else env
    return _repl(env), _dojo(env)


def _repl(env: Mapping[str, str]) -> ToolchainState:
    version = _version("lean_interact", "lean-interact")
    wanted = [name for name in ("LEAN_CHECK_REPL", "LEAN_CHECK_PROJECT") if not env.get(name)]
    if version is None:
        detail = "the package lean-interact is not installed"
    elif wanted:
        detail = f"{' and '.join(wanted)} not set"
    else:
        detail = f"{env['LEAN_CHECK_REPL']} in {env['LEAN_CHECK_PROJECT']}, a filter before the judge"
    usable = version is not None and not wanted
    return ToolchainState("REPL through lean-interact", usable, version, detail, INSTALL_REPL)


def _dojo(env: Mapping[str, str]) -> ToolchainState:
    version = _version("lean_dojo", "lean-dojo")
    absent = [name for name in ("git", "lake", "lean") if shutil.which(name, path=env.get("PATH", "")) is None]
    if version is None:
        detail = "the package lean-dojo is not installed"
    else:
        detail = f"not on the PATH: {', '.join(absent)}" if absent else "traces premises and tactic states"
    return ToolchainState("LeanDojo", version is not None and not absent, version, detail, INSTALL_DOJO)


def _version(module: str, package: str) -> str | None:
    if importlib.util.find_spec(module) is None:
        return None
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None
