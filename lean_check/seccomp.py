"""A filter of system calls for the sandbox: what no proof needs and what gets round its other limits is refused.

Memory that belongs to no process (`memfd_create`, System V shared memory), which the watch on memory would not see;
sockets, of which some kinds know nothing of network namespaces; looking into other processes; namespaces and mounts;
parts of the kernel that are large and were flawed before.  Written by hand for two architectures: elsewhere there is no
filter, and the sandbox stands on its namespaces and limits alone.

Source: seccomp(2), linux/audit.h, the system call table of x86-64, and asm-generic/unistd.h, which aarch64 has.
"""

import functools
import os
import platform
import struct
from collections.abc import Mapping
from dataclasses import dataclass

_X32_BIT = 0x40000000
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06  # BPF_LD|W|ABS, BPF_JMP|JEQ|K, BPF_JMP|JGE|K, BPF_RET|K
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050001, 0x80000000  # SECCOMP_RET_ERRNO with EPERM
_NUMBER_AT, _ARCHITECTURE_AT = 0, 4  # in struct seccomp_data

_X86_64 = {
    "shmget": 29, "socket": 41, "semget": 64, "msgget": 68, "ptrace": 101, "syslog": 103, "personality": 135,
    "pivot_root": 155, "chroot": 161, "acct": 163, "mount": 165, "umount2": 166, "swapon": 167, "reboot": 169,
    "iopl": 172, "ioperm": 173, "init_module": 175, "delete_module": 176, "quotactl": 179, "mq_open": 240,
    "kexec_load": 246, "add_key": 248, "request_key": 249, "keyctl": 250, "unshare": 272, "perf_event_open": 298,
    "name_to_handle_at": 303, "open_by_handle_at": 304, "setns": 308, "process_vm_readv": 310,
    "process_vm_writev": 311, "kcmp": 312, "finit_module": 313, "memfd_create": 319, "kexec_file_load": 320,
    "bpf": 321, "userfaultfd": 323,
}  # fmt: skip
_AARCH64 = {
    "umount2": 39, "mount": 40, "pivot_root": 41, "chroot": 51, "quotactl": 60, "acct": 89, "personality": 92,
    "unshare": 97, "kexec_load": 104, "init_module": 105, "delete_module": 106, "syslog": 116, "ptrace": 117,
    "reboot": 142, "mq_open": 180, "msgget": 186, "semget": 190, "shmget": 194, "socket": 198, "add_key": 217,
    "request_key": 218, "keyctl": 219, "swapon": 224, "perf_event_open": 241, "name_to_handle_at": 264,
    "open_by_handle_at": 265, "setns": 268, "process_vm_readv": 270, "process_vm_writev": 271, "kcmp": 272,
    "finit_module": 273, "memfd_create": 279, "bpf": 280, "userfaultfd": 282, "kexec_file_load": 294,
}  # fmt: skip
_EVERYWHERE = {
    "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "open_tree": 428, "move_mount": 429,
    "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433, "pidfd_getfd": 438, "mount_setattr": 442,
    "memfd_secret": 447,
}  # fmt: skip


@dataclass(frozen=True)
class Machine:
    """An architecture: the kernel's number for it, the system calls refused by name, and the first of those numbers
    that stand for calls of another kind (x32), if it has such."""

    architecture: int
    refused: Mapping[str, int]
    other_calls_at: int | None = None


MACHINES = {
    "x86_64": Machine(0xC000003E, _X86_64 | _EVERYWHERE, _X32_BIT),  # AUDIT_ARCH_X86_64
    "aarch64": Machine(0xC00000B7, _AARCH64 | _EVERYWHERE),  # AUDIT_ARCH_AARCH64
}
REFUSED = MACHINES[platform.machine()].refused if platform.machine() in MACHINES else {}
"""What is refused on this machine."""


def available() -> bool:
    """Whether there is a filter for this machine."""
    return platform.machine() in MACHINES


def program(name: str | None = None) -> bytes:
    """The filter for the machine of this name, by default this one, as bubblewrap takes it: an array of `struct
    sock_filter`."""
    machine = MACHINES[platform.machine() if name is None else name]
    numbers = sorted(machine.refused.values())
    others = [] if machine.other_calls_at is None else [(_AT_LEAST, len(numbers) + 1, 0, machine.other_calls_at)]
    steps = [
        (_LOAD, 0, 0, _ARCHITECTURE_AT),
        (_EQUAL, 1, 0, machine.architecture),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER_AT),
        *others,
        *((_EQUAL, len(numbers) - index, 0, number) for index, number in enumerate(numbers)),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _REFUSE),
    ]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def path() -> str:
    """A path from which a child of this process can read the filter; it is a file in memory."""
    return f"/proc/{os.getpid()}/fd/{_file()}"


@functools.lru_cache(maxsize=1)
def _file() -> int:
    descriptor = os.memfd_create("filter")
    os.write(descriptor, program())
    return descriptor
