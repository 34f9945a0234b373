"""A filter of system calls for the sandbox: what no proof needs and what gets round its other limits is refused.

Memory that belongs to no process (`memfd_create`, System V shared memory), which the watch on memory would not see;
sockets, of which some kinds know nothing of network namespaces; looking into other processes; namespaces and mounts;
parts of the kernel that are large and were flawed before.  Written by hand for one architecture: elsewhere there is no
filter, and the sandbox stands on its namespaces and limits alone.

Source: seccomp(2), linux/audit.h, and the system call table of x86-64.
"""

import functools
import os
import platform
import struct

_X86_64 = 0xC000003E  # AUDIT_ARCH_X86_64
_X32_BIT = 0x40000000
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06  # BPF_LD|W|ABS, BPF_JMP|JEQ|K, BPF_JMP|JGE|K, BPF_RET|K
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050001, 0x80000000  # SECCOMP_RET_ERRNO with EPERM
_NUMBER_AT, _ARCHITECTURE_AT = 0, 4  # in struct seccomp_data

REFUSED = {
    "shmget": 29, "socket": 41, "semget": 64, "msgget": 68, "ptrace": 101, "syslog": 103, "personality": 135,
    "pivot_root": 155, "chroot": 161, "acct": 163, "mount": 165, "umount2": 166, "swapon": 167, "reboot": 169,
    "iopl": 172, "ioperm": 173, "init_module": 175, "delete_module": 176, "quotactl": 179, "mq_open": 240,
    "kexec_load": 246, "add_key": 248, "request_key": 249, "keyctl": 250, "unshare": 272, "perf_event_open": 298,
    "name_to_handle_at": 303, "open_by_handle_at": 304, "setns": 308, "process_vm_readv": 310,
    "process_vm_writev": 311, "kcmp": 312, "finit_module": 313, "memfd_create": 319, "kexec_file_load": 320,
    "bpf": 321, "userfaultfd": 323, "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427,
    "open_tree": 428, "move_mount": 429, "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433,
    "pidfd_getfd": 438, "mount_setattr": 442, "memfd_secret": 447,
}  # fmt: skip


def available() -> bool:
    """Whether there is a filter for this machine."""
    return platform.machine() == "x86_64"


def program() -> bytes:
    """The filter as bubblewrap takes it: an array of `struct sock_filter`."""
    numbers = sorted(REFUSED.values())
    steps = [
        (_LOAD, 0, 0, _ARCHITECTURE_AT),
        (_EQUAL, 1, 0, _X86_64),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER_AT),
        (_AT_LEAST, len(numbers) + 1, 0, _X32_BIT),
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
