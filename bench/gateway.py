"""What asking a model costs: ours beside bare HTTP, the OpenAI SDK and, where they are installed, other libraries.

.venv/bin/python bench/gateway.py [--quick] [--peers-python PATH …]        (about six minutes without peers)

All in one run against the same server on the loopback address, each in a process of its own. Ideal is what the slots
allow: requests × seconds a reply ÷ slots. A PATH is an interpreter that can import inspect_ai, bespokelabs.curator or
distilabel; what it cannot import is left out.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.wire import Fault, Script, Totals, WireServer, even  # noqa: E402 - after the path to it

# Faults that every client here tries again.  A stall would compare time limits, and a broken body passes for a reply
# with some of them.
FAULTS = even(0.2, Fault.RATE_LIMITED, Fault.RATE_LIMITED_SILENT, Fault.SERVER_ERROR, Fault.UNAVAILABLE, Fault.RESET)
OURS, OTHERS = "gateway", ("bare_http", "openai_sdk")
PATIENCE = 30  # a contender is ended after so many times the ideal, and a minute for its start


@dataclass(frozen=True)
class Size:
    """How much is asked."""

    count: int
    slots: int
    latency_ms: float
    many: int

    @property
    def ideal_s(self) -> float:
        return self.count * self.latency_ms / 1000 / self.slots


FULL, QUICK = Size(5_000, 64, 200, 50_000), Size(640, 64, 100, 4_000)


class Measured(NamedTuple):
    """One run.  wall_s: of the asking; cpu_s: of its process and its children; peak_mib: of its process alone;
    rows: None if it failed or was ended."""

    wall_s: float
    cpu_s: float
    peak_mib: float
    rows: int | None
    books: Totals


class Bench:
    """Runs contenders, one after the other, against one server."""

    def __init__(self, wire: WireServer, size: Size, peers: dict[str, str]) -> None:
        self.wire, self.size = wire, size
        self._pythons = {**dict.fromkeys((OURS, *OTHERS), sys.executable), **peers}

    @property
    def names(self) -> list[str]:
        return list(self._pythons)

    def start(self, name: str, folder: Path, **more: Any) -> "subprocess.Popen[bytes]":
        options = {"url": self.wire.openai_url, "count": self.size.count, "slots": self.size.slots, **more}
        command = [self._pythons[name], str(ROOT / "bench" / "contenders.py"), name]
        with (folder / "stdout").open("wb") as out, (folder / "stderr").open("ab") as errors:
            return subprocess.Popen(
                [*command, json.dumps({"folder": str(folder), **options})],
                cwd=folder,
                stdout=out,
                stderr=errors,
                start_new_session=True,
            )

    def finish(self, process: "subprocess.Popen[bytes]", folder: Path) -> Measured:
        """Wait for its end, or end it when it takes too long."""
        until = time.monotonic() + 60 + PATIENCE * self.size.ideal_s
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > until:
                os.killpg(process.pid, signal.SIGKILL)
            time.sleep(0.05)
        process.returncode = os.waitstatus_to_exitcode(status)
        lines = (folder / "stdout").read_text(errors="replace").strip().splitlines()
        cpu_s, books = usage.ru_utime + usage.ru_stime, self.wire.totals()
        if process.returncode != 0 or not lines:
            return Measured(float("nan"), cpu_s, float("nan"), None, books)
        told = json.loads(lines[-1])
        return Measured(told["wall_s"], cpu_s, told["peak_mib"], told["rows"], books)

    def measure(self, name: str, script: Script, folder: Path, **more: Any) -> Measured:
        """A run on a server that has seen nothing before."""
        self.wire.reset(script)
        return self.finish(self.start(name, folder, **more), folder)

    def kill_at_half(self, name: str, script: Script, folder: Path) -> Measured:
        """A run that is killed when half of the requests have arrived, and the one that follows it."""
        self.wire.reset(script)
        process = self.start(name, folder)
        while process.poll() is None:
            try:
                self.wire.wait_until_arrived(self.size.count // 2, timeout_s=1)
            except TimeoutError:
                continue
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        while self.wire.totals().in_flight:
            time.sleep(0.05)
        return self.finish(self.start(name, folder), folder)


def compare(bench: Bench, folder: Path) -> tuple[Table, dict[str, tuple[Measured, Measured, Measured]]]:
    """Every contender: calm, at a fifth of faults, killed at half."""
    size, found = bench.size, {}
    title = f"{size.count:,} requests, {size.latency_ms:g} ms a reply, {size.slots} slots: ideal {size.ideal_s:.1f} s"
    table = Table(title=title)
    for column in (
        "",
        "wall s",
        "× ideal",
        "CPU s",
        "peak MiB",
        "× at 20 % faults",
        "lost there",
        "paid twice, killed",
    ):
        table.add_column(column, justify="right" if column else "left", no_wrap=True)
    calm = Script(latency_ms=size.latency_ms)
    for name in bench.names:
        places = [folder / f"{name}-{i}" for i in range(3)]
        for place in places:
            place.mkdir()
        first = bench.measure(name, calm, places[0])
        faulty = bench.measure(name, calm.model_copy(update={"shares": FAULTS, "seed": 1}), places[1])
        killed = bench.kill_at_half(name, calm, places[2])
        found[name] = (first, faulty, killed)
        table.add_row(
            name,
            f"{first.wall_s:.2f}",
            f"{first.wall_s / size.ideal_s:.2f}",
            f"{first.cpu_s:.1f}",
            f"{first.peak_mib:.0f}",
            f"{faulty.wall_s / size.ideal_s:.2f}",
            lost(faulty, size.count),
            f"{killed.books.billed_twice:,}{', then failed' if killed.rows is None else ''}",
        )
    return table, found


def lost(measured: Measured, count: int) -> str:
    return "failed" if measured.rows is None else f"{count - measured.rows:,}"


def check_ours(bench: Bench, folder: Path, three: tuple[Measured, Measured, Measured]) -> Table:
    """What is asked of the gateway, and what was measured."""
    size = bench.size
    first, faulty, killed = three
    again = bench.finish(bench.start(OURS, folder / f"{OURS}-0", replay=True), folder / f"{OURS}-0")
    few, many = folder / "few", folder / "many"
    few.mkdir()
    many.mkdir()
    small = bench.measure(OURS, Script(), few)
    large = bench.measure(OURS, Script(), many, count=size.many)
    sent = bench.wire.totals().arrived
    reread = bench.finish(bench.start(OURS, many, count=size.many, replay=True), many)
    assert bench.wire.totals().arrived == sent, "a rerun has sent something"
    table = Table(title="the gateway")
    for column in ("", "measured", "aim"):
        table.add_column(column, justify="right" if column else "left", no_wrap=True)
    rows = [
        ("wall, × ideal", f"{first.wall_s / size.ideal_s:.3f}", "≤ 1.10"),
        ("CPU of the process, s", f"{first.cpu_s:.2f}", "≤ 10" if size is FULL else ""),
        ("wall at 20 % faults, × ideal", f"{faulty.wall_s / size.ideal_s:.3f}", "≤ 1.6"),
        ("rows lost at 20 % faults", lost(faulty, size.count), "0"),
        ("paid twice, at 20 % faults", f"{faulty.books.billed_twice}", "0"),
        ("paid twice after kill -9 at half", f"{killed.books.billed_twice}", f"≤ {size.slots}"),
        ("rows after kill -9 at half", f"{killed.rows}", f"{size.count}"),
        (f"replies read a second, {size.count:,}", f"{size.count / again.wall_s:,.0f}", "≥ 20,000"),
        (f"replies read a second, {size.many:,}", f"{size.many / reread.wall_s:,.0f}", "≥ 20,000"),
        (f"peak MiB, {size.count:,} and {size.many:,}", f"{small.peak_mib:.0f}, {large.peak_mib:.0f}", "flat"),
        (f"peak MiB, {size.many:,} read again", f"{reread.peak_mib:.0f}", "flat"),
        (f"requests a second at 0 ms, {size.many:,}", f"{size.many / large.wall_s:,.0f}", ""),
    ]
    for row in rows:
        table.add_row(*row)
    return table


def importable(python: str) -> list[str]:
    """The peers that an interpreter can import."""
    command = [python, str(ROOT / "bench" / "contenders.py"), "which", "{}"]
    return list(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a small run, for a look at the bench itself")
    parser.add_argument("--peers-python", action="append", default=[], metavar="PATH")
    parser.add_argument("--keep", metavar="FOLDER", help="keep what the contenders wrote, their stderr among it")
    options = parser.parse_args()
    peers = {peer: python for python in options.peers_python for peer in importable(python)}
    console = Console(width=120)
    with tempfile.TemporaryDirectory() as scratch, WireServer() as wire:
        folder = Path(options.keep or scratch).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        bench = Bench(wire, QUICK if options.quick else FULL, peers)
        table, found = compare(bench, folder)
        console.print(table)
        console.print(check_ours(bench, folder, found[OURS]))


if __name__ == "__main__":
    main()
