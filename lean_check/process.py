"""One child process under watch: wall clock, output, memory and number of processes of its whole tree (Linux)."""

import contextlib
import os
import selectors
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Literal

Stop = Literal["timeout", "stalled", "memory", "output", "processes"]

TICK_S = 0.025  # between two looks at the process tree; a look costs about half a millisecond
COMPUTED_SHARE = 0.9  # of the allowed time: who computed for so long has had its time
MAX_TREE = 256  # processes looked at; the limit on their number is far below
PATIENCE = 5  # times the allowed time, for a run that a busy machine keeps waiting
GRACE_S = 2.0  # for the pipes to close after the tree was killed
READ_BYTES = 65536
MIB = 1024**2
GIB = 1024**3


_starting = threading.Lock()


@contextlib.contextmanager
def starting() -> Iterator[None]:
    """Around the start of a process: between two of them a caller may say `start_no_more`."""
    with _starting:
        yield


def start_no_more() -> None:
    """From now on no thread of this process gets past `starting`.  Only for a process that is about to end."""
    _starting.acquire(timeout=GRACE_S)


@dataclass(frozen=True)
class Limits:
    """What one run may use.  Lean reserves about 8 GiB of address space and uses some 150 MiB of it; a run that imports
    Mathlib maps several GiB more, and wants a larger `address_space_bytes`.

    `timeout_s` is wall time, except that a run that could not compute meanwhile gets up to PATIENCE times as long: it
    is stopped as "timeout" when it has had its time, as "stalled" when the machine never gave it.
    A caller that has itself a lower hard limit on address space cannot raise it, and every run of its ends in a crash.
    `memory_bytes` is for the private memory of the whole tree, `processes` counts processes, each seen every 25 ms.
    """

    timeout_s: float = 60
    memory_bytes: int = 4 * GIB
    address_space_bytes: int = 8 * GIB
    output_bytes: int = 8 * MIB
    processes: int = 16
    threads: int = 256
    scratch_bytes: int = 256 * MIB
    product_bytes: int = 64 * MIB

    def passed(self, used: "Usage", output_bytes: int, elapsed_s: float) -> Stop | None:
        """The first limit that is passed."""
        counts: list[tuple[int, int, Stop]] = [
            (used.memory_bytes, self.memory_bytes, "memory"),
            (len(used.pids), self.processes, "processes"),
            (output_bytes, self.output_bytes, "output"),
        ]
        for amount, limit, name in counts:
            if amount > limit:
                return name
        if elapsed_s > self.timeout_s and used.cpu_seconds >= COMPUTED_SHARE * self.timeout_s:
            return "timeout"
        return "stalled" if elapsed_s > PATIENCE * self.timeout_s else None


@dataclass(frozen=True)
class Usage:
    """What a process tree uses now: the processes, their private memory, and their time so far."""

    pids: tuple[int, ...]
    memory_bytes: int
    cpu_seconds: float


def usage(root: int, but: frozenset[int] = frozenset()) -> Usage:
    """The tree of `root`; processes in `but` are counted for their time only, in which that of their ended children
    is."""
    tree = _tree(root)
    counted = tuple(pid for pid in tree if pid not in but)
    return Usage(counted, sum(map(_private_bytes, counted)), sum(map(_cpu_seconds, tree)))


@dataclass(frozen=True)
class Run:
    """How one process ended.  `exit_code` is negative for a signal; `stopped` says which limit ended it, if one did.
    `cpu_seconds` and `peak_bytes` are of the whole tree, by sampling: the last moments are not seen.  `product`: the
    file that the job was to make, where there is one (see `sandbox.Job`)."""

    exit_code: int
    stopped: Stop | None
    stdout: bytes
    stderr: bytes
    seconds: float
    cpu_seconds: float
    peak_bytes: int
    product: bytes | None = None


@dataclass
class _Watch:
    """What has been seen of the tree so far."""

    cpu_seconds: float = 0.0
    peak_bytes: int = 0
    pids: tuple[int, ...] = ()
    output: dict[str, list[bytes]] = field(default_factory=lambda: {"stdout": [], "stderr": []})
    output_bytes: int = 0

    def over(self, root: int, limits: Limits, elapsed_s: float) -> Stop | None:
        """The first limit that is passed."""
        now = usage(root)
        self.pids = now.pids
        self.peak_bytes = max(self.peak_bytes, now.memory_bytes)
        self.cpu_seconds = max(self.cpu_seconds, now.cpu_seconds)
        now = replace(now, cpu_seconds=self.cpu_seconds)
        return limits.passed(now, self.output_bytes, elapsed_s)


@contextlib.contextmanager
def guarded(group: int, limits: Limits) -> Iterator[None]:
    """Meanwhile this process group is killed where it passes a limit other than that of time: for a process that
    another library started and speaks with.  What it used before does not count."""
    done = threading.Event()
    guard = threading.Thread(target=_guard, args=(group, limits, done), daemon=True)
    guard.start()
    try:
        yield
    finally:
        done.set()
        guard.join()


def _guard(group: int, limits: Limits, done: threading.Event) -> None:
    before, written_before = usage(group), _written(group)
    while not done.wait(TICK_S):
        now = usage(group)
        now = replace(now, memory_bytes=now.memory_bytes - before.memory_bytes)
        if limits.passed(now, _written(group) - written_before, 0.0) is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(group, signal.SIGKILL)
            return


def _written(root: int) -> int:
    """Bytes that the tree's processes have written anywhere."""
    total = 0
    for pid in _tree(root):
        with contextlib.suppress(OSError, ValueError):
            rows = (line.split() for line in Path(f"/proc/{pid}/io").read_text(encoding="utf-8").splitlines())
            total += sum(int(row[1]) for row in rows if row[:1] == ["wchar:"])
    return total


def watch(
    command: Sequence[str],
    limits: Limits,
    env: Mapping[str, str],
    cwd: Path | None = None,
    pass_fds: Sequence[int] = (),
) -> Run:
    """Runs `command` (an argument list, no shell) until it ends or passes a limit; then its whole group is killed.

    Raises: OSError where the command cannot be started.
    """
    begin = time.monotonic()
    with starting():
        process = subprocess.Popen(
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(env),
            cwd=cwd,
            start_new_session=True,
            pass_fds=pass_fds,
        )
    with process:
        seen = _Watch()
        stopped: Stop | None = None
        with selectors.DefaultSelector() as pipes:
            _register(pipes, process)
            try:
                while process.poll() is None and stopped is None:
                    _read(pipes, seen, TICK_S)
                    stopped = seen.over(process.pid, limits, time.monotonic() - begin)
            finally:
                _kill(process, seen.pids if stopped else ())
            seconds = time.monotonic() - begin
            _drain(pipes, seen, limits, time.monotonic() + GRACE_S)
        if stopped is None and seen.output_bytes > limits.output_bytes:
            stopped = "output"
        stdout, stderr = (b"".join(seen.output[name])[: limits.output_bytes] for name in ("stdout", "stderr"))
        return Run(process.returncode, stopped, stdout, stderr, seconds, seen.cpu_seconds, seen.peak_bytes)


def _register(pipes: selectors.BaseSelector, process: subprocess.Popen[bytes]) -> None:
    named: list[tuple[str, IO[bytes] | None]] = [("stdout", process.stdout), ("stderr", process.stderr)]
    for name, pipe in named:
        if pipe is not None:
            os.set_blocking(pipe.fileno(), False)
            pipes.register(pipe, selectors.EVENT_READ, name)


def _read(pipes: selectors.BaseSelector, seen: _Watch, wait_s: float) -> None:
    """One read from each pipe that has something.  Waits when both are closed too, so that the caller does not spin."""
    if not pipes.get_map():
        time.sleep(wait_s)
        return
    for key, _ in pipes.select(wait_s):
        data = os.read(key.fd, READ_BYTES)
        if data:
            seen.output[key.data].append(data)
            seen.output_bytes += len(data)
        else:
            pipes.unregister(key.fileobj)


def _drain(pipes: selectors.BaseSelector, seen: _Watch, limits: Limits, until: float) -> None:
    """What is left in the pipes.  A process that fled from the group can hold them open, so there is a deadline."""
    while pipes.get_map() and time.monotonic() < until and seen.output_bytes <= limits.output_bytes:
        _read(pipes, seen, TICK_S)


def _kill(process: subprocess.Popen[bytes], descendants: Sequence[int]) -> None:
    """Ends the group, and by id the descendants just seen, which may have left it.  Under bubblewrap the first is
    enough: its process namespace dies with it."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    for pid in descendants:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
    process.wait()


def _tree(root: int) -> tuple[int, ...]:
    """The process and its descendants, from /proc; only itself where the kernel does not list children.  Of a fork bomb
    only the first: to look at all of it would give it time to grow."""
    found = [root]
    for pid in found:
        if len(found) > MAX_TREE:
            break
        for task in _listing(Path(f"/proc/{pid}/task")):
            with contextlib.suppress(OSError):
                found += [int(child) for child in (task / "children").read_text().split()]
    return tuple(found)


def _listing(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:  # it ended meanwhile
        return []


def _private_bytes(pid: int) -> int:
    """Anonymous and shared memory; pages of files (the libraries of Lean) are not the item's."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except (OSError, ValueError):
        return 0
    rows = (line.split() for line in status.splitlines() if line.startswith(("RssAnon:", "RssShmem:")))
    return sum(int(row[1]) * 1024 for row in rows)


def _cpu_seconds(pid: int) -> float:
    """Its own time and that of the children it has waited for."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return 0.0
    return sum(int(ticks) for ticks in fields[11:15]) / os.sysconf("SC_CLK_TCK")
