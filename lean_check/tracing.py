"""Premises and tactic states of a repository, through the optional package `lean-dojo`.  Never a judge.

LeanDojo needs git, lake and lean, builds the repository, and runs what it holds with this user's rights: trace only
repositories that you trust.  Its maintainers have moved to LeanDojo-v2; 4.20.0 is the last one of this interface.
"""

import importlib
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any


class NoTracingError(Exception):
    """A repository cannot be traced; the message says what to do."""


@dataclass(frozen=True)
class TracedTactic:
    """One tactic of a proof: the goals before and after it, and the full names of the premises in it."""

    file: str
    theorem: str
    tactic: str
    before: str
    after: str
    premises: tuple[str, ...]


def trace(repository: Path) -> Iterator[TracedTactic]:
    """Every tactic of every theorem of a local git repository.  Raises: NoTracingError."""
    dojo = package()
    try:
        traced = dojo.trace(dojo.LeanGitRepo.from_path(repository), build_deps=False)
    except Exception as error:
        raise NoTracingError(f"{repository}: lean-dojo could not trace it: {error}") from error
    for theorem in traced.get_traced_theorems():
        for tactic in theorem.get_traced_tactics():
            _, premises = tactic.get_annotated_tactic()
            names = tuple(dict.fromkeys(str(premise["full_name"]) for premise in premises))
            place, name = str(theorem.theorem.file_path), str(theorem.theorem.full_name)
            yield TracedTactic(place, name, tactic.tactic, tactic.state_before, tactic.state_after, names)


def package() -> Any:
    """The package, imported so that it asks no remote cache.  Raises: NoTracingError."""
    if absent := [name for name in ("git", "lake", "lean") if shutil.which(name) is None]:
        raise NoTracingError(f"lean-dojo needs {', '.join(absent)} on the PATH")
    os.environ.setdefault("DISABLE_REMOTE_CACHE", "1")
    try:
        return importlib.import_module("lean_dojo")
    except ImportError:
        raise NoTracingError("the package lean-dojo is not installed: pip install lean-dojo==4.20.0") from None
    except Exception as error:  # it tries git while it is imported
        raise NoTracingError(f"lean-dojo cannot be loaded: {error}") from error
