"""The filter of system calls, carried out step by step as the kernel does, for each machine that has one."""

import re
import struct
from pathlib import Path

import pytest

from lean_check import seccomp
from lean_check.seccomp import MACHINES, program

KILL, REFUSE, ALLOW = 0x80000000, 0x00050001, 0x7FFF0000  # linux/seccomp.h: kill the process, EPERM, allow
ARCHITECTURES = {"x86_64": 62 | 1 << 31 | 1 << 30, "aarch64": 183 | 1 << 31 | 1 << 30}  # EM_*, 64 bits, little-endian
GENERIC = Path("/usr/include/asm-generic/unistd.h")


def answer(code, number, architecture):
    """What this filter says of one call; classic BPF, of which it may use four instructions."""
    data = struct.pack("=II", number, architecture)
    steps = list(struct.iter_unpack("=HBBI", code))
    accumulator = at = 0
    while True:
        instruction, if_true, if_false, k = steps[at]
        at += 1
        if instruction == 0x20:  # BPF_LD | BPF_W | BPF_ABS
            (accumulator,) = struct.unpack_from("=I", data, k)
        elif instruction == 0x15:  # BPF_JMP | BPF_JEQ | BPF_K
            at += if_true if accumulator == k else if_false
        elif instruction == 0x35:  # BPF_JMP | BPF_JGE | BPF_K
            at += if_true if accumulator >= k else if_false
        else:
            assert instruction == 0x06  # BPF_RET | BPF_K
            return k


@pytest.mark.parametrize("name", sorted(MACHINES))
def test_every_refused_call_and_no_other_is_refused(name):
    code, refused = program(name), set(MACHINES[name].refused.values())
    assert len(refused) == len(MACHINES[name].refused) > 40
    for number in range(1200):
        assert answer(code, number, ARCHITECTURES[name]) == (REFUSE if number in refused else ALLOW), number


@pytest.mark.parametrize("name", sorted(MACHINES))
def test_a_call_of_another_architecture_ends_the_process(name):
    others = {3 | 1 << 30, 40 | 1 << 30, 0, 1 << 31, *ARCHITECTURES.values()} - {
        ARCHITECTURES[name]
    }  # i386, 32-bit ARM
    assert len(others) == 5
    for architecture in others:
        for number in (0, 41, 198, 425):
            assert answer(program(name), number, architecture) == KILL


def test_calls_with_the_bit_of_x32_are_refused_where_there_is_such():
    for number in (1 << 30, 1 << 30 | 39, 0xFFFFFFFF):
        assert answer(program("x86_64"), number, ARCHITECTURES["x86_64"]) == REFUSE


def test_the_numbers_of_aarch64_are_those_of_the_kernels_header():
    if not GENERIC.is_file():
        pytest.skip(f"{GENERIC} is not installed")
    known = {name: int(n) for name, n in re.findall(r"#define\s+__NR_(\w+)\s+(\d+)", GENERIC.read_text())}
    assert {name: known.get(name) for name in MACHINES["aarch64"].refused} == dict(MACHINES["aarch64"].refused)


def test_the_two_machines_refuse_the_same_but_for_what_only_one_has():
    both = [set(MACHINES[name].refused) for name in ("x86_64", "aarch64")]
    assert both[0] ^ both[1] == {"iopl", "ioperm"}


@pytest.mark.parametrize(("machine", "has"), [("x86_64", True), ("aarch64", True), ("riscv64", False)])
def test_a_machine_without_a_table_has_no_filter(monkeypatch, machine, has):
    monkeypatch.setattr(seccomp.platform, "machine", lambda: machine)
    assert seccomp.available() is has
