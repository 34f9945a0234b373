"""The audit of a compiled text by public checkers, for a Lake project of any version that has them built.

SafeVerify (`safe_verify TARGET.olean SUBMISSION.olean`) replays both files through the kernel, compares every
declaration of the first with the second's, and holds the second's axioms against Lean's three.  lean4checker
(`lake env lean4checker MODULE`), where it is built too, replays the text once more.  It reports no axioms and compares
no statements, so that alone it is no audit.

Weaker than `lean_check.audit_rules` in this: both map the compiled text into their memory as it is (in a sandbox of
their own).  Stricter in this: a statement has to be the reference's without unfolding anything.  SafeVerify is believed
where it ends with `SafeVerify check passed.` or `SafeVerify check failed.`; older versions, of which some end with exit
code 0 whatever they found, do not.

Sources: Main.lean, SafeVerify/Printing.lean and README.md of GasStationManager/SafeVerify; Main.lean and README.md of
leanprover/lean4checker.  comparator (leanprover/comparator) is not used: it compiles the text itself, under a sandbox
of its own that has to be installed.
"""

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lean_check import sandbox
from lean_check.process import Limits, Run
from lean_check.tokens import tokenize
from lean_check.toolchain import Toolchain

SAFE_VERIFY, LEAN4CHECKER = "safe_verify", "lean4checker"
AXIOMS = frozenset(["propext", "Classical.choice", "Quot.sound"])  # what SafeVerify allows, which no option changes
INSTALL = (
    "build SafeVerify (https://github.com/GasStationManager/SafeVerify, `lake build`) with the project's Lean, as a "
    "package of the project or with its .lake/build/bin/safe_verify named in LEAN_CHECK_SAFE_VERIFY"
)
_TARGET, _CANDIDATE = "target.olean", "Item.olean"
_PASSED, _FAILED, _REPLAYED = "SafeVerify check passed.", "SafeVerify check failed.", "Finished replay."
_READY = "Finished setting up the environment."
_AXIOMS_USED = re.compile(r"^(.*) used disallowed axioms\. #\[(.*)\]$", re.M)
_PROBLEM = re.compile(r"^Found a problem in \S+ with declaration (.*?): (.*)$", re.M)
_THROWN = re.compile(r"uncaught exception: (.*)", re.S)
_RULE_OF_THROWN = (  # what SafeVerify throws of the text before it compares anything
    ("unsafe constant", "unsafe_constant"),
    ("partial constant", "unsafe_constant"),
    ("has no imports", "prelude"),
    ("transitive imports required by target", "imports"),
    ("missing imports required by target", "imports"),
    ("kernel verification failed for", "kernel"),
    ("suspicious Nat literal", "kernel"),
)
_NATIVE = frozenset(["Lean.ofReduceBool", "Lean.ofReduceNat", "Lean.trustCompiler"])
_ENDED_BY = {"timeout": "timeout", "memory": "memory"}


@dataclass(frozen=True)
class Asked:
    """One question: the compiled text, the compiled reference (that of an empty text where nothing is compared), and
    the name of the theorem asked for, None where nothing is compared."""

    candidate: bytes
    reference: bytes
    target: str | None


@dataclass(frozen=True)
class Found:
    """What the checkers say, as `lean_check.audit.Audited` has it."""

    reasons: tuple[str, ...] = ()
    details: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    failed: tuple[str, str] | None = None
    seconds: float = 0.0
    peak_bytes: int = 0


def why_not(toolchain: Toolchain) -> str | None:
    """Why this toolchain has no audit by public checkers; None where it has."""
    names = [name for name, _ in toolchain.checkers]
    if SAFE_VERIFY in names:
        return None
    alone = " (lean4checker alone reports no axioms and compares no statement)" if LEAN4CHECKER in names else ""
    return f"no public checker is built for it{alone}: {INSTALL}"


def why_not_asked(axioms: Sequence[str], allow_sorry: bool) -> str | None:
    """Why these checkers cannot answer a question with other rules than their own; None where they can."""
    if allow_sorry:
        return "SafeVerify refuses every `sorry`, also that of a statement without proof"
    if frozenset(axioms) != AXIOMS:
        return f"SafeVerify allows {', '.join(sorted(AXIOMS))}, no more and no fewer"
    return None


def with_target(source: str, target: str) -> str:
    """The reference with a line that does not compile where there is no such theorem: SafeVerify compares what both
    files declare and is not told a name.  Raises: ValueError where the text has no theorem of that name."""
    code = tokenize(source).code()
    named = [after.text for word, after in itertools.pairwise(code) if word.text in ("theorem", "lemma")]
    if not any(target == name or target.endswith(f".{name.removeprefix('_root_.')}") for name in named):
        raise ValueError(f"the reference declares no theorem {target}")
    return f"{source}\nexample : True := (fun _ => True.intro) @_root_.{target}\n"


def run(toolchain: Toolchain, asked: Asked, limits: Limits, folder: Path, *, sandboxed: bool) -> Found:
    """What SafeVerify and lean4checker say; `folder` is theirs.  Raises: OSError where nothing can be started."""
    (folder / _TARGET).write_bytes(asked.reference)
    (folder / _CANDIDATE).write_bytes(asked.candidate)
    programs = dict(toolchain.checkers)
    seen_as = "/item" if sandboxed else str(folder)
    arguments = [f"{seen_as}/{_TARGET}", f"{seen_as}/{_CANDIDATE}"]
    found = _safe_verify(_run(programs[SAFE_VERIFY], arguments, toolchain, limits, folder, sandboxed), asked.target)
    if found.reasons or found.failed or LEAN4CHECKER not in programs:
        return found
    again = _lean4checker(_run(programs[LEAN4CHECKER], ["Item"], toolchain, limits, folder, sandboxed))
    notes = () if again.reasons or again.failed else (*found.notes, *again.notes)
    peak_bytes = max(found.peak_bytes, again.peak_bytes)
    return replace(again, notes=notes, seconds=found.seconds + again.seconds, peak_bytes=peak_bytes)


def _run(
    program: Path, arguments: list[str], toolchain: Toolchain, limits: Limits, folder: Path, sandboxed: bool
) -> Run:
    binds = (*toolchain.readable(), program)
    env = _environment(toolchain, folder, sandboxed)
    job = sandbox.Job([str(program), *arguments], binds, env, folder)
    return (sandbox.run_sandboxed if sandboxed else sandbox.run_unsandboxed)(job, limits)


def _environment(toolchain: Toolchain, folder: Path, sandboxed: bool) -> dict[str, str]:
    """What `lake env` sets of which the checkers make use; the folder of the text is on the path for its module."""
    prefix = Path(toolchain.command[0]).parent.parent
    path = ["/item" if sandboxed else str(folder), *map(str, toolchain.lean_path)]
    return {
        "LEAN_PATH": ":".join(path),
        "LEAN_SYSROOT": str(prefix),
        "LD_LIBRARY_PATH": f"{prefix}/lib/lean:{prefix}/lib",
        "PATH": f"{prefix}/bin:/usr/bin:/bin",
    }


def _safe_verify(run: Run, target: str | None) -> Found:
    used = Found(seconds=run.seconds, peak_bytes=run.peak_bytes)
    if run.stopped is not None:
        return _stopped(run, used, "SafeVerify")
    said = (run.stdout + b"\n" + run.stderr).decode("utf-8", "replace")
    if run.exit_code == 0 and _PASSED in said.splitlines() and not (_FAILED in said or _PROBLEM.search(said)):
        limit = f"its axioms are {', '.join(sorted(AXIOMS))} at most: SafeVerify lists none"
        return replace(used, notes=(f"audited by SafeVerify; {limit}",))
    if run.exit_code in (0, 1):
        refusals = list(_refusals(said, target)) if _FAILED in said else list(_thrown(said))
        if refusals and refusals[0][0] == "bad_reference":
            return replace(used, failed=refusals[0])
        if refusals and run.exit_code == 1:
            return _refused(used, refusals)
        if run.exit_code == 1 and _FAILED in said:
            return _refused(used, [("safe_verify", said.strip()[-500:])])
    return replace(used, failed=("crash", f"SafeVerify ended with exit code {run.exit_code}: {said.strip()[-500:]}"))


def _refusals(said: str, target: str | None) -> Iterator[tuple[str, str]]:
    """Rule and detail of each line of a comparison that failed."""
    for name, used in _AXIOMS_USED.findall(said):
        for axiom in used.split(", "):
            if axiom not in AXIOMS:
                yield _rule_of_axiom(axiom), f"{name} uses the axiom {axiom}"
    for name, problem in _PROBLEM.findall(said):
        asked = name == target
        if problem.startswith("uses disallowed axioms"):
            continue
        if problem.startswith("declaration not found"):
            yield "target_missing" if asked else "definition_differs", f"{name}: {problem}"
        elif problem.startswith("kind mismatch"):
            yield "not_a_theorem" if asked else "definition_differs", f"{name}: {problem}"
        else:
            yield "statement_differs" if asked else "definition_differs", f"{name}: {problem}"


def _rule_of_axiom(axiom: str) -> str:
    if axiom == "sorryAx":
        return "sorry"
    return "native_decide" if axiom in _NATIVE or "_native" in axiom else "axiom_not_allowed"


def _thrown(said: str) -> Iterator[tuple[str, str]]:
    """Rule and detail of what ended SafeVerify before it compared: nothing where that is no judgement of the text."""
    thrown = _THROWN.search(said)
    if thrown is None:
        return
    detail = thrown.group(1).strip()[:1000]
    replaying = said[: thrown.start()].rpartition("Replaying ")[2]  # what a name could say comes after it
    rule = next((rule for text, rule in _RULE_OF_THROWN if text in detail), None)
    if rule is None and _READY in replaying and _REPLAYED not in replaying:
        rule = "kernel"
    of_reference = f"/{_TARGET}" in replaying.split("\n", 1)[0]
    if detail.startswith("Target ") and "does not import Init" in detail:
        rule, of_reference = "prelude", True
    if rule is not None:
        yield "bad_reference" if of_reference else rule, detail


def _lean4checker(run: Run) -> Found:
    used = Found(seconds=run.seconds, peak_bytes=run.peak_bytes)
    if run.stopped is not None:
        return _stopped(run, used, "lean4checker")
    said = (run.stdout + b"\n" + run.stderr).decode("utf-8", "replace")
    problem = "lean4checker found a problem in Item" in said.splitlines()
    if run.exit_code == 0 and not problem:
        return replace(used, notes=("replayed by lean4checker",))
    if run.exit_code == 1 and problem:
        thrown = _THROWN.search(said)
        return _refused(used, [("kernel", said if thrown is None else thrown.group(1).strip())])
    return replace(used, failed=("crash", f"lean4checker ended with exit code {run.exit_code}: {said.strip()[-500:]}"))


def _refused(used: Found, refusals: Sequence[tuple[str, str]]) -> Found:
    reasons = tuple(dict.fromkeys(rule for rule, _ in refusals))
    return replace(used, reasons=reasons, details=tuple(f"{rule}: {detail[:1000]}" for rule, detail in refusals))


def _stopped(run: Run, used: Found, name: str) -> Found:
    if (reason := _ENDED_BY.get(run.stopped or "")) is not None:
        return _refused(used, [(reason, f"stopped by its limit of {reason} in {name}")])
    return replace(used, failed=(str(run.stopped), f"{name} was stopped: {run.stopped}"))
