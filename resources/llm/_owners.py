"""Who holds a claim, and whether that process still lives."""

import hashlib
import os
import secrets
import socket
import uuid
from functools import cache
from pathlib import Path

import psutil

FAR_SILENCE_S = 90.0  # another machine's process counts as dead after so long without a heartbeat
NEAR_SILENCE_S = 900.0  # a process of this machine that lives but says nothing: its gateway hangs or was dropped
SAME_START_S = 5.0  # the start time is derived from the clock, and may move with it; a pid is not used again so soon


@cache
def this_host() -> str:
    """Name of the set of processes in which a pid means one process: host name, boot and pid namespace."""
    try:
        kernel = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        kernel += os.readlink("/proc/self/ns/pid")  # noqa: PTH115 - no path: the name of a namespace
    except OSError:
        kernel = str(uuid.getnode())
    name = socket.gethostname().replace("|", "-")[:60]
    return f"{name}-{hashlib.sha256(kernel.encode()).hexdigest()[:12]}"


def new_owner() -> str:
    """Name of an owner of claims in this process: host, pid, start time, and what sets it apart from others here."""
    process = psutil.Process()
    return f"{this_host()}|{process.pid}|{process.create_time():.2f}|{secrets.token_hex(6)}"


def is_dead(owner: str, heartbeat_s: float | None, now_s: float) -> bool:
    """Whether the owner will never end its claims.  heartbeat_s: when it last said that it lives, None if never.

    A process of this machine is looked up; one of another machine is dead after `FAR_SILENCE_S` of silence, so the
    clocks of machines that share a store have to agree better than that."""
    silence_s = now_s - heartbeat_s if heartbeat_s is not None else float("inf")
    host, pid, started = (*owner.split("|"), "", "")[:3]
    if host != this_host():
        return silence_s > FAR_SILENCE_S
    return silence_s > NEAR_SILENCE_S or not _runs(pid, started)


def _runs(pid: str, started: str) -> bool:
    try:
        process = psutil.Process(int(pid))
        return abs(process.create_time() - float(started)) < SAME_START_S and process.status() != psutil.STATUS_ZOMBIE
    except psutil.AccessDenied:
        return True
    except (psutil.Error, ValueError, OverflowError):
        return False
