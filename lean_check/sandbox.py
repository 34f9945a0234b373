"""Untrusted Lean under bubblewrap: no network, no environment, no write outside one scratch folder in memory.

Lean carries out macros, `initialize` and tactics while it reads a file, so a text is a program.  In the sandbox it sees
the system's libraries, the toolchain and itself, all read-only; namespaces of its own for processes, network, IPC
and users; no capability; limits on address space, CPU time, threads, file size and open files, no core dump.  The wall
clock, memory, output and process limits of `lean_check.process` hold from outside.

Not covered: a flaw of the kernel in what `lean_check.seccomp` lets through (on other machines than x86-64 and aarch64
there is no filter), and reading what the system keeps readable under /usr.  How many files the scratch folder holds is
not limited, only their size.  The names of the folders in bubblewrap's own arguments can be read.
For the super-user the kernel does not count processes against RLIMIT_NPROC: there only the watch from outside stops a
fork bomb, late enough that other work on the machine may feel it for a second or two.
"""

import functools
import math
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lean_check import seccomp
from lean_check.process import Limits, Run, watch

__all__ = ["GUARANTEES", "INSTALL", "Job", "Limits", "SandboxState", "probe", "run_sandboxed", "run_unsandboxed"]

INSTALL = (
    "install bubblewrap 0.8.0 or newer and util-linux (Debian, Ubuntu: apt-get install bubblewrap util-linux) on a "
    "Linux that lets this user make namespaces, then look again with: lean-check doctor"
)
GUARANTEES = (
    ("write", "no write outside the scratch folder"),
    ("scratch", "a scratch folder, limited in size"),
    ("files", "no file of this user is seen"),
    ("network", "no network"),
    ("environment", "no environment variable is passed on"),
    ("processes", "no other process is seen"),
    *([("calls", "system calls are filtered")] if seccomp.available() else []),
)
# Prints the name of each guarantee that holds.  $1: a file of this user outside the sandbox.
_PROBE = """
[ -w / ] || [ -w /usr ] || [ -w /item ] || [ -w /dev ] || (exec 3> /proc/sys/kernel/core_pattern) || echo write
head -c 2000000 /dev/zero > /scratch/large 2>/dev/null || { touch /scratch/small && echo scratch; }
[ -e "$1" ] || echo files
[ "$(grep -c : /proc/net/dev)" -le 1 ] && echo network
[ -z "${LEAN_CHECK_PROBE+set}" ] && echo environment
[ "$(ls /proc | grep -c '^[0-9]')" -le 8 ] && echo processes
grep -q '^Seccomp:[[:space:]]*2' /proc/self/status && echo calls
exit 0
"""
_HAND_OVER = 'product=$1; shift; "$@"; code=$?; [ -f "$product" ] && cat -- "$product" > "$0"; exit "$code"'
_WITH_FILTER = 'unset PWD OLDPWD; exec "$@" 9< "$0"'  # what a shell adds to the environment would be seen in /proc
_PROBE_LIMITS = Limits(timeout_s=10, scratch_bytes=1_000_000)


@dataclass(frozen=True)
class Job:
    """What to run: `binds` are the files and folders it may read, `env` all of its environment, `item` the folder that
    it sees as /item.  `product`: the name of a file that the command makes in the folder where it is started, handed
    back with the run whatever the command did: its bytes are as untrusted as the command."""

    command: Sequence[str]
    binds: Sequence[Path]
    env: Mapping[str, str]
    item: Path
    product: str | None = None


@dataclass(frozen=True)
class SandboxState:
    """Whether the sandbox works on this machine, which guarantees were seen to hold, and what to do if it does not."""

    works: bool
    detail: str
    guarantees: tuple[str, ...] = ()
    install: str = INSTALL


def probe() -> SandboxState:
    """The sandbox tried with a small script that looks for what it must prevent.  Remembered for the process."""
    bwrap, prlimit = shutil.which("bwrap"), shutil.which("prlimit")
    if bwrap is None or prlimit is None:
        missing = [name for name, path in (("bwrap", bwrap), ("prlimit", prlimit)) if path is None]
        return SandboxState(False, f"not on the PATH: {', '.join(missing)}")
    return _probe(bwrap, prlimit)


@functools.lru_cache(maxsize=8)
def _probe(bwrap: str, prlimit: str) -> SandboxState:
    with tempfile.TemporaryDirectory(prefix="lean-check-probe-") as folder:
        item, secret = Path(folder) / "item", Path(folder) / "secret"
        item.mkdir()
        secret.touch()
        job = Job(["/bin/sh", "-c", _PROBE, "probe", str(secret)], (), {}, item)
        try:
            run = watch(_command(bwrap, prlimit, job, _PROBE_LIMITS), _PROBE_LIMITS, {"LEAN_CHECK_PROBE": "1"})
        except OSError as error:
            return SandboxState(False, f"{bwrap} cannot be started: {error}")
    held = run.stdout.decode("utf-8", "replace").split()
    names = tuple(text for name, text in GUARANTEES if name in held)
    if run.exit_code != 0 or len(names) < len(GUARANTEES):
        lost = [text for name, text in GUARANTEES if name not in held]
        error_text = run.stderr.decode("utf-8", "replace").strip()[:500]
        detail = f"not seen to hold: {'; '.join(lost)}. {bwrap} said: {error_text or 'nothing'}"
        return SandboxState(False, detail, names)
    return SandboxState(True, bwrap, names)


def run_sandboxed(job: Job, limits: Limits) -> Run:
    """The job in the sandbox, started in /scratch; it sees its item folder, read-only, as /item.

    Raises: OSError where bubblewrap cannot be started; ask `probe` first.
    """
    bwrap, prlimit = shutil.which("bwrap"), shutil.which("prlimit")
    if bwrap is None or prlimit is None:
        raise FileNotFoundError(f"no sandbox: {INSTALL}")
    if job.product is None:
        return watch(_command(bwrap, prlimit, job, limits), limits, {})
    with os.fdopen(os.memfd_create("product"), "r+b") as product:
        # a file in memory, bounded as every file is, is the only thing that leaves the sandbox beside what is printed
        hand_over = ["/bin/sh", "-c", _HAND_OVER, f"/proc/self/fd/{product.fileno()}", job.product, *job.command]
        inside = replace(job, command=hand_over)
        run = watch(_command(bwrap, prlimit, inside, limits), limits, {}, pass_fds=[product.fileno()])
        product.seek(0)
        return replace(run, product=product.read(limits.product_bytes + 1) or None)


def command(job: Job, limits: Limits) -> list[str]:
    """The command that runs the job in the sandbox, for a caller that speaks with it.  Raises: as `run_sandboxed`."""
    bwrap, prlimit = shutil.which("bwrap"), shutil.which("prlimit")
    if bwrap is None or prlimit is None:
        raise FileNotFoundError(f"no sandbox: {INSTALL}")
    return _command(bwrap, prlimit, job, limits)


def run_unsandboxed(job: Job, limits: Limits) -> Run:
    """The job with limits and a clean environment but with this user's rights: it can read and write what the user can.
    A process that leaves the group and its parent outlives the kill.  Raises: OSError if it cannot start."""
    prlimit = shutil.which("prlimit")
    prefix = _limits(prlimit, limits) if prlimit else []
    env = {"HOME": str(job.item), "TMPDIR": str(job.item), "LANG": "C.UTF-8", **job.env}
    run = watch([*prefix, *job.command], limits, env, cwd=job.item)
    product = job.item / job.product if job.product is not None else None
    if product is None or not product.is_file():
        return run
    with product.open("rb") as file:
        return replace(run, product=file.read(limits.product_bytes + 1))


def _command(bwrap: str, prlimit: str, job: Job, limits: Limits) -> list[str]:
    arguments = ["/bin/sh", "-c", _WITH_FILTER, seccomp.path()] if seccomp.available() else []
    arguments += [bwrap, *(["--seccomp", "9"] if seccomp.available() else [])]
    arguments += ["--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--new-session"]
    arguments += ["--clearenv", "--cap-drop", "ALL", "--hostname", "sandbox", *_system(), "--proc", "/proc"]
    arguments += ["--dev", "/dev", "--size", str(limits.scratch_bytes), "--tmpfs", "/scratch"]
    for path in sorted(set(job.binds)):
        if not path.is_relative_to("/usr"):
            arguments += ["--ro-bind", str(path), str(path)]
    arguments += [
        "--ro-bind",
        str(job.item),
        "/item",
        "--remount-ro",
        "/dev",
        "--remount-ro",
        "/proc",
        "--remount-ro",
        "/",
    ]
    arguments += ["--chdir", "/scratch"]
    for name, value in sorted({"HOME": "/scratch", "TMPDIR": "/scratch", "LANG": "C.UTF-8", **job.env}.items()):
        arguments += ["--setenv", name, value]
    return [*arguments, "--", *_limits(prlimit, limits), *job.command]


def _system() -> list[str]:
    """/usr read-only, and the old names of its folders as this system has them."""
    arguments = ["--ro-bind", "/usr", "/usr", "--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"]
    for path in (Path("/bin"), Path("/lib"), Path("/lib32"), Path("/lib64")):
        if path.is_symlink():
            arguments += ["--symlink", str(path.readlink()), str(path)]
        elif path.is_dir():
            arguments += ["--ro-bind", str(path), str(path)]
    return arguments


def _limits(prlimit: str, limits: Limits) -> list[str]:
    cpu_s = math.ceil(2 * limits.timeout_s) + 10  # a second net under the wall clock; Lean runs more than one thread
    return [
        prlimit,
        f"--as={limits.address_space_bytes}",
        f"--cpu={cpu_s}",
        f"--nproc={limits.threads}",  # the kernel counts threads; inside, only those of this sandbox
        f"--fsize={limits.scratch_bytes}",
        "--nofile=512",
        "--core=0",
        "--",
    ]
