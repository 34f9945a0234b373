"""A theorem of a repository proved tactic by tactic, through the optional package `lean-dojo`.  Never a judge.

    with opened(Path("repository"), "Ex.lean", "Ex.t") as proving:
        state = proving.run(proving.first, "intro h")

A proof that LeanDojo calls finished is handed back as source text, with the reference that it is to be checked against;
`lean_check.check` says whether it is one.  LeanDojo traces the repository, which builds it with this user's rights:
open only repositories that you trust.  The tactics need no trust: each is screened as every text is, and Lean runs
under `lean_check.sandbox`, which a script enters that LeanDojo finds in the place of `lake`.

LeanDojo changes the working folder and this module the PATH while a theorem is opened: one at a time in a process.
"""

import contextlib
import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lean_check import sandbox
from lean_check.audit import Reference
from lean_check.lake import MATHLIB_ADDRESS_SPACE, UnusableError, lean_path_of
from lean_check.process import Limits, guarded
from lean_check.screen import screen
from lean_check.tracing import NoTracingError, package
from lean_check.warm_process import PROCESS_CPU_S

TIMEOUT_S = 60.0  # for a tactic, and for what stands before the theorem
PREFIX_TIMEOUT_S = 60
_LIMITS = Limits(timeout_s=TIMEOUT_S, address_space_bytes=MATHLIB_ADDRESS_SPACE)
# What LeanDojo writes: the file up to the theorem, its statement, and this in the place of its proof.
_IMPORT = "import Lean4Repl\n\n"
_BEFORE = "\n\nset_option maxHeartbeats 0 in\n"
_PROOF = "by\n  lean_dojo_repl\n  sorry\n"
_ENTRANCE = """#!/bin/sh
[ "$1 $2 $#" = "env lean 5" ] || exit 64
exec {} "$3" "$4" "$PWD/$5"
"""


@dataclass(frozen=True)
class Goal:
    """One goal: its hypotheses as (name, type), and what is to be shown."""

    hypotheses: tuple[tuple[str, str], ...]
    conclusion: str


@dataclass(frozen=True)
class State:
    """The goals that are left after these tactics; `text`: as Lean prints them."""

    goals: tuple[Goal, ...]
    text: str
    tactics: tuple[str, ...] = ()
    handle: Any = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class Finished:
    """No goal is left.  `source`: the text that proves the theorem with these tactics, `reference`: what it has to
    prove; both are to be given to `lean_check.check`, which alone says whether it does."""

    tactics: tuple[str, ...]
    source: str
    reference: Reference


@dataclass(frozen=True)
class Failed:
    """The tactic does not apply, or was refused before it was tried; the state that it was tried in still holds."""

    error: str


@dataclass(frozen=True)
class GivenUp:
    """The proof has a `sorry`."""


class Proving:
    """One opened theorem; made by `opened`."""

    def __init__(self, dojo: Any, lean: Any, first: Any, theorem: str, limits: Limits) -> None:
        """dojo: the package; lean: its `Dojo`, entered; first: the state that it began with."""
        self._dojo, self._lean, self._limits = dojo, lean, limits
        self._before, self._statement = _parts(Path(lean.modified_file.name))
        self._theorem = theorem
        self.first = _state(first, ())

    def run(self, state: State, tactic: str) -> State | Finished | Failed | GivenUp:
        """What comes of the tactic in this state, which may be any that was handed back before.  Raises:
        NoTracingError where Lean does not answer or has ended; the theorem is then to be opened again."""
        refused, tactic = _screened(tactic)
        if refused:
            return Failed(refused)
        tactics = (*state.tactics, tactic)
        try:
            with guarded(self._lean.proc.pid, self._limits):
                result = self._lean.run_tac(state.handle, tactic)
        except self._dojo.DojoTacticTimeoutError:
            said = f"{tactic!r} was not done in {self._limits.timeout_s:g} s"
            raise NoTracingError(f"{said}: open the theorem again, and leave that tactic out") from None
        except self._dojo.DojoCrashError as error:
            raise NoTracingError(f"Lean ended over {tactic!r} ({error}): open the theorem again") from error
        except AssertionError as error:  # LeanDojo counts the goals in what Lean prints
            raise NoTracingError(f"lean-dojo cannot read the goals after {tactic!r}: {error}") from error
        if isinstance(result, self._dojo.ProofFinished):
            return Finished(tactics, self._source(tactics), Reference(self._source(("sorry",)), self._theorem))
        if isinstance(result, self._dojo.ProofGivenUp):
            return GivenUp()
        return _state(result, tactics) if isinstance(result, self._dojo.TacticState) else Failed(str(result.error))

    def _source(self, tactics: tuple[str, ...]) -> str:
        lines = [f"  {line}" for tactic in tactics for line in tactic.strip("\n").split("\n")]
        return "\n".join([*([self._before, ""] if self._before else []), f"{self._statement} by", *lines, ""])


@contextlib.contextmanager
def opened(repository: Path, file: str, theorem: str, limits: Limits = _LIMITS) -> Iterator[Proving]:
    """The theorem of this full name in this file of a local git repository, ready for its first tactic.  The repository
    is traced the first time, which takes longer than to build it.  Raises: NoTracingError."""
    dojo = package()
    if not sandbox.probe().works:
        raise NoTracingError(f"untrusted tactics are not run: {sandbox.probe().detail}. {sandbox.INSTALL}")
    with tempfile.TemporaryDirectory(prefix="lean-check-dojo-") as folder, contextlib.ExitStack() as stack:
        try:
            repo = dojo.LeanGitRepo.from_path(repository)
            traced = Path(dojo.get_traced_repo_path(repo, build_deps=False))
            _entrance(Path(folder), traced, limits)
            lean = dojo.Dojo(dojo.Theorem(repo, file, theorem), timeout=limits.timeout_s, build_deps=False)
            stack.callback(_end, lean)  # its own exit is not called where its entry fails
            with _first_on_path(Path(folder)):
                _, first = lean.__enter__()
        except Exception as error:
            raise NoTracingError(_why(repository, file, theorem, error)) from error
        yield Proving(dojo, lean, first, theorem, limits)


def _end(lean: Any) -> None:
    if hasattr(lean, "proc"):
        lean.__exit__(None, None, None)
        lean.proc.close(force=True)
    elif hasattr(lean, "modified_file"):
        lean.modified_file.close()


def _why(repository: Path, file: str, theorem: str, error: Exception) -> str:
    where = f"{repository}: lean-dojo could not open {theorem} in {file}"
    what = str(error) or type(error).__name__
    return f"{where}: {what}. It needs a repository that `lake build` builds, and asks GitHub when it traces it first"


@contextlib.contextmanager
def _first_on_path(folder: Path) -> Iterator[None]:
    before = os.environ["PATH"]
    os.environ["PATH"] = f"{folder}{os.pathsep}{before}"
    try:
        yield
    finally:
        os.environ["PATH"] = before


def _entrance(folder: Path, traced: Path, limits: Limits) -> None:
    """Puts a `lake` into the folder that starts the traced repository's Lean in the sandbox.  Raises: OSError,
    UnusableError, subprocess.SubprocessError."""
    asked = ["lean", "--print-prefix"]  # elan's `lean` says it of the toolchain that this folder names
    done = subprocess.run(asked, cwd=traced, capture_output=True, timeout=PREFIX_TIMEOUT_S, check=True)
    prefix = Path(done.stdout.decode().strip()).resolve()
    lake = shutil.which("lake")
    if lake is None:
        raise UnusableError("no `lake` on the PATH")
    libraries = lean_path_of(Path(lake), traced, os.environ)
    item = folder / "item"
    item.mkdir()
    env = {"LEAN_PATH": os.pathsep.join(map(str, libraries))}
    job = sandbox.Job([str(prefix / "bin/lean")], (prefix, traced.resolve(), *libraries), env, item)
    command = sandbox.command(job, replace(limits, timeout_s=max(limits.timeout_s, PROCESS_CPU_S)))
    script = folder / "lake"
    script.write_text(_ENTRANCE.format(shlex.join(command)), encoding="utf-8")
    script.chmod(0o700)


def _parts(modified: Path) -> tuple[str, str]:
    """What stands before the theorem, and its statement up to `:=`, from the file that LeanDojo made."""
    head, proof, _ = modified.read_text(encoding="utf-8").partition(_PROOF)
    before, mark, statement = head.removeprefix(_IMPORT).rpartition(_BEFORE)
    if not (proof and mark and head.startswith(_IMPORT)):
        raise NoTracingError(f"{modified.name}: not in the form that lean-dojo 4.20.0 writes: install that version")
    return before.strip(), statement.strip()


def _state(state: Any, tactics: tuple[str, ...]) -> State:
    goals = tuple(
        Goal(tuple((one.ident, one.lean_type) for one in goal.assumptions), goal.conclusion) for goal in state.goals
    )
    return State(goals, state.pp, tactics, state)


def _screened(tactic: str) -> tuple[str, str]:
    """Why the screening lets no tactic like this run, and what Lean may read of it; a `sorry` is LeanDojo's to find."""
    begin = "example : True := by\n"
    found = screen(begin + "\n".join(f"  {line}" for line in tactic.split("\n")), allow=("sorry",))
    if found.refusals:
        return f"refused before it was tried: {found.refusals[0].rule}: {found.refusals[0].detail}", ""
    return "", "\n".join(line[2:] for line in found.text.removeprefix(begin).split("\n"))
