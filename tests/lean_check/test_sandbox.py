import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lean_check import seccomp
from lean_check.process import Limits
from lean_check.sandbox import Job, probe, run_sandboxed
from lean_check.toolchains import python_executable

BASE = Path(sys.base_prefix).resolve()
QUICK = Limits(timeout_s=20)


@pytest.fixture
def run(tmp_path):
    """Runs Python code in the sandbox; its standard output."""
    if not probe().works:
        pytest.skip(f"no sandbox on this machine: {probe().detail}")
    item = tmp_path / "item"
    item.mkdir()
    (item / "Item.lean").write_text("text")

    def call(code, limits=QUICK, env=None):
        command = [python_executable(), "-I", "-S", "-c", code]
        return run_sandboxed(Job(command, (BASE / "bin", BASE / "lib"), env or {}, item), limits)

    return call


def test_nothing_can_be_written_but_the_scratch_folder(run, tmp_path):
    code = """
import os
for path in ("/new", "/usr/new", "/item/new", "/item/Item.lean", "/etc/new", "/scratch/new", "/dev/new", "/lib/new"):
    try:
        open(path, "w").close()
        print(path)
    except OSError:
        pass
"""
    result = run(code)
    assert set(result.stdout.decode().split()) <= {"/scratch/new", "/dev/new"}  # /dev is the sandbox's own, in memory
    assert b"/scratch/new" in result.stdout
    assert [path.name for path in (tmp_path / "item").iterdir()] == ["Item.lean"]


def test_the_item_can_be_read_and_no_other_file_of_the_user(run, tmp_path):
    (tmp_path / "secret").write_text("secret")
    places = [str(tmp_path / "secret"), str(Path(__file__)), str(Path.home() / ".profile"), "/etc/passwd", "/tmp"]
    result = run(f"import os; print(open('/item/Item.lean').read(), [p for p in {places!r} if os.path.exists(p)])")
    assert result.stdout.decode().strip() == "text []"


def test_there_is_no_network(run):
    code = """
import socket
for address in (("127.0.0.1", 22), ("1.1.1.1", 53)):
    try:
        s = socket.socket(); s.settimeout(2)
        s.connect(address); print("connected")
    except OSError as e:
        print("no")
"""
    assert run(code).stdout.split() == [b"no", b"no"]


def test_the_environment_is_only_what_was_given(run, monkeypatch):
    monkeypatch.setenv("SECRET_KEY", "1")
    seen = run("import os; print(sorted(os.environ))", env={"LEAN_PATH": "/x"}).stdout.decode()
    assert "SECRET_KEY" not in seen
    assert {part.strip(" '[]\n") for part in seen.split(",")} <= {
        "HOME",
        "LANG",
        "LEAN_PATH",
        "PWD",
        "TMPDIR",
        "LC_CTYPE",
    }


def test_other_processes_are_neither_seen_nor_reached(run):
    code = f"""
import os
pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
print(len(pids) <= 4)
try:
    os.kill({os.getpid() + 1000}, 0); print("reached")
except ProcessLookupError:
    print("none")
"""
    assert run(code).stdout.split() == [b"True", b"none"]


def test_no_further_user_namespace_and_no_privilege_can_be_had(run):
    code = """
import os, subprocess
print(subprocess.run(["unshare", "-U", "true"], stderr=subprocess.DEVNULL).returncode != 0)
print([line for line in open("/proc/self/status") if line.startswith(("CapEff", "NoNewPrivs"))])
"""
    shown = run(code).stdout.decode()
    assert shown.startswith("True")
    assert "0000000000000000" in shown
    assert "NoNewPrivs:\\t1" in shown


def test_the_scratch_folder_is_limited_in_size(run):
    code = """
try:
    for n in range(10):
        with open(f"/scratch/{n}", "wb") as f: f.write(bytes(1_000_000))
    print("all")
except OSError as e:
    print("full")
"""
    assert run(code, Limits(timeout_s=20, scratch_bytes=3_000_000)).stdout.strip() == b"full"


def test_a_killed_run_leaves_no_process_behind(run):
    name = f"left_behind_{os.getpid()}"
    code = f"""
import os, time
for _ in range(5):
    if os.fork() == 0:
        os.setsid(); time.sleep(600)
print("{name}", flush=True)
time.sleep(600)
"""
    result = run(code, Limits(timeout_s=0.3))
    assert result.stopped == "stalled"
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and name in running():
        time.sleep(0.05)
    assert name not in running()


def running():
    return subprocess.run(["ps", "axww", "-o", "args"], capture_output=True, text=True, check=True).stdout


def test_address_space_is_limited(run):
    code = "try:\n    bytearray(3 << 30)\nexcept MemoryError:\n    print('limited')"
    assert run(code, Limits(timeout_s=20, address_space_bytes=2 << 30)).stdout.strip() == b"limited"


REFUSED_CALLS = """
import ctypes, errno, os
libc = ctypes.CDLL(None, use_errno=True)
for number in {numbers}:
    ctypes.set_errno(0)
    libc.syscall(number, 0, 0, 0, 0, 0, 0)
    print(ctypes.get_errno() == errno.EPERM)
"""


def test_system_calls_that_get_round_the_limits_are_refused(run):
    if not seccomp.available():
        pytest.skip("there is no filter for this machine")
    numbers = sorted(seccomp.REFUSED.values())
    answers = run(REFUSED_CALLS.format(numbers=numbers)).stdout.split()
    assert answers == [b"True"] * len(numbers)


def test_calls_of_another_kind_of_machine_are_not_let_through(run):
    if not seccomp.available():
        pytest.skip("there is no filter for this machine")
    code = (
        "import ctypes; libc = ctypes.CDLL(None, use_errno=True); libc.syscall(1 << 30 | 39); print(ctypes.get_errno())"
    )
    assert run(code).stdout.strip() == b"1"


def test_memory_cannot_be_hidden_in_files_that_no_process_maps(run):
    code = """
import os
for make in (lambda: os.memfd_create("x"), lambda: open("/dev/shm/x", "wb"), lambda: open("/dev/x", "wb")):
    try:
        make(); print("made")
    except OSError:
        print("no")
"""
    assert run(code).stdout.split() == [b"no"] * 3


def test_only_the_three_standard_descriptors_are_open(run):
    code = "import os; print(sorted(int(n) for n in os.listdir('/proc/self/fd'))[:-1])"
    assert run(code).stdout.strip() == b"[0, 1, 2]"


def test_a_process_that_flees_from_its_group_and_its_parent_dies_with_the_sandbox(run):
    name = f"fled_{os.getpid()}"
    code = f"""
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.closerange(0, 3)
        os.execv("/bin/sleep", ["{name}", "600"])
    os._exit(0)
time.sleep(0.3)
print("done")
"""
    result = run(code)
    assert (result.stopped, result.stdout.strip()) == (None, b"done")
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and name in running():
        time.sleep(0.05)
    assert name not in running()


ESCAPES = [
    "os.chroot('/scratch')",
    "os.setuid(12345)",
    "os.mknod('/scratch/sda', 0o60600, os.makedev(8, 0))",
    "os.open('/proc/sys/kernel/hostname', os.O_WRONLY)",
    "os.open('/proc/1/mem', os.O_RDWR)",
    "os.open('/proc/1/environ', os.O_WRONLY)",
    "os.link('/item/Item.lean', '/scratch/linked')",
    "os.rename('/item/Item.lean', '/item/gone')",
    "os.chmod('/item/Item.lean', 0o777)",
    "os.utime('/item/Item.lean')",
    "os.kill(os.getppid() + 100000, 9)",
    "os.open('/sys', os.O_RDONLY)",
    "os.open('/proc/sys/kernel/core_pattern', os.O_WRONLY)",
    "os.open('/proc/sysrq-trigger', os.O_WRONLY)",
    "os.open('/proc/self/oom_score_adj', os.O_WRONLY)",
    "os.open('/var', os.O_RDONLY)",
    "os.open('/etc/shadow', os.O_RDONLY)",
    "os.open('/dev/mem', os.O_RDONLY)",
    "os.sethostname('x')" if hasattr(os, "sethostname") else "os.open('/nowhere', 0)",
]


@pytest.mark.parametrize("escape", ESCAPES)
def test_no_way_out_is_open(run, escape, tmp_path):
    before = (tmp_path / "item" / "Item.lean").stat()
    code = f"import os\ntry:\n    {escape}\n    print('out')\nexcept (OSError, AttributeError):\n    print('held')"
    assert run(code).stdout.strip() == b"held"
    after = (tmp_path / "item" / "Item.lean").stat()
    assert (after.st_mode, after.st_mtime_ns) == (before.st_mode, before.st_mtime_ns)


def handed(run, tmp_path, code, limits=QUICK):
    command = [python_executable(), "-I", "-S", "-c", code]
    return run_sandboxed(Job(command, (BASE / "bin", BASE / "lib"), {}, tmp_path / "item", "made"), limits)


def test_a_file_that_the_job_makes_is_handed_back_with_its_exit_code(run, tmp_path):
    result = handed(run, tmp_path, "open('made', 'wb').write(bytes(range(256)) * 1000); raise SystemExit(3)")
    assert (result.exit_code, result.product) == (3, bytes(range(256)) * 1000)
    assert handed(run, tmp_path, "pass").product is None


def test_a_file_handed_back_is_bounded_in_size(run, tmp_path):
    limits = Limits(timeout_s=20, product_bytes=1000)
    result = handed(run, tmp_path, "open('made', 'wb').write(bytes(5000))", limits)
    assert len(result.product) == 1001  # one more than allowed, by which the caller sees it


def test_a_link_in_the_place_of_the_file_leads_to_nothing_outside(run, tmp_path):
    (tmp_path / "secret").write_text("secret")
    code = f"import os; os.symlink({str(tmp_path / 'secret')!r}, 'made')"
    assert handed(run, tmp_path, code).product is None


def test_a_machine_without_bubblewrap_is_told_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    state = probe()
    assert not state.works
    assert "bwrap" in state.detail
    assert "apt-get install bubblewrap" in state.install


def test_a_bubblewrap_that_only_pretends_does_not_pass_the_probe(monkeypatch, tmp_path):
    pretender = tmp_path / "bwrap"
    pretender.write_text('#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n')
    pretender.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    state = probe()
    assert not state.works
    assert "no file of this user is seen" not in state.guarantees
    assert "no environment variable is passed on" not in state.guarantees


def test_the_first_process_of_the_sandbox_shows_no_environment_of_the_caller(run, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    seen = run("print([open('/proc/1/' + name).read() for name in ('comm', 'environ')])").stdout.decode()
    assert seen == "['bwrap\\n', '']\n"
