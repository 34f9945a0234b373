"""Raw problems at scale: N records through ingest, reading, cleanup, selection and the search for duplicates.

    .venv/bin/python bench/scale.py [--data FOLDER] [--records 300000] [--more 1000]

The records are those of `FOLDER/gsm8k/test.jsonl` and `FOLDER/math/test.jsonl`, each many times with other numbers and
other names; without a folder, word problems made here.  Prints for N/10 and N records the seconds and the peak memory
of the process, whether the time is linear, and what a batch of `--more` records costs after N.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from rebuild import row as made_row

STEPFORGE = Path(sys.executable).parent / "stepforge"
LAST = "selected_problems"
NAMES = re.compile(
    r"\b(Janet|Josh|James|Wendi|Kylar|Toulouse|Carla|John|Eliza|Toula|Mary|Tom|Sam|Anna|Ben|Lucy|Mark|Jack|Jill|Emma)\b"
)
OTHERS = (
    "Ada",
    "Bo",
    "Chen",
    "Dora",
    "Eli",
    "Fay",
    "Gus",
    "Hana",
    "Ida",
    "Jo",
    "Kim",
    "Lea",
    "Mia",
    "Nia",
    "Ola",
    "Pia",
)
NUMBER = re.compile(r"(?<![\w.])\d{1,3}(?![\w.])")


def varied(text: str, draw: random.Random) -> str:
    """The text with other names, and each number moved by a little."""
    shift = draw.randrange(1, 5000)
    text = NUMBER.sub(lambda m: str(int(m[0]) + shift), text)
    return NAMES.sub(lambda m: OTHERS[(hash_of(m[0]) + shift) % len(OTHERS)], text)


def hash_of(word: str) -> int:
    return sum(word.encode())


def real(folder: Path) -> list[tuple[str, dict[str, str]]]:
    """The records with the field that is varied."""
    found = []
    for name, field in (("gsm8k/test.jsonl", "question"), ("math/test.jsonl", "problem")):
        with (folder / name).open(encoding="utf-8") as lines:
            found += [(field, json.loads(line)) for line in lines]
    return found


def records(count: int, seed: int, folder: Path | None) -> Iterator[tuple[str, str]]:
    """Kind of file and line, `count` times."""
    if folder is None:
        for i in range(count):
            yield "question", made_row(seed * 10_000_000 + i)
        return
    base, draw = real(folder), random.Random(seed)
    for i in range(count):
        field, record = base[i % len(base)]
        record = dict(record)
        if i >= len(base) or seed:
            record[field] = varied(record[field], draw)
        if "idx" in record:
            record["idx"] = seed * 10_000_000 + i
        yield field, json.dumps(record, ensure_ascii=False) + "\n"


def write(folder: Path, count: int, seed: int, data: Path | None) -> None:
    folder.mkdir(parents=True)
    files = {}
    for kind, line in records(count, seed, data):
        if kind not in files:
            files[kind] = (folder / f"{kind}.jsonl").open("w", encoding="utf-8")
        files[kind].write(line)
    for file in files.values():
        file.close()


def environment(home: Path) -> dict[str, str]:
    return {**os.environ, "STEPFORGE_HOME": str(home), "COLUMNS": "140"}


def run(home: Path, *words: str) -> tuple[float, float]:
    """Seconds and peak MiB of one command."""
    began = time.perf_counter()
    process = subprocess.Popen([STEPFORGE, *words], stdout=subprocess.DEVNULL, env=environment(home))
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{' '.join(words)}: exit status {status}")
    return time.perf_counter() - began, used.ru_maxrss / 1024


def through(home: Path, source: Path, batch: str) -> dict[str, tuple[float, float]]:
    took = {"ingest": run(home, "ingest", str(source), "--batch", batch)}
    took["build"] = run(home, "build", "--to", LAST, "--batch", batch)
    stages = subprocess.run(
        [STEPFORGE, "status", "--batch", batch], check=True, capture_output=True, text=True, env=environment(home)
    )
    print(stages.stdout)
    return took


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--records", type=int, default=300_000)
    parser.add_argument("--more", type=int, default=1000)
    given = parser.parse_args()
    totals = []
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for count in (given.records // 10, given.records):
            home = root / f"home-{count}"
            write(root / f"set-{count}", count, 0, given.data)
            took = through(home, root / f"set-{count}", "raw")
            totals.append(sum(seconds for seconds, _ in took.values()))
            print(f"{count} records")
            for name, (seconds, mib) in took.items():
                print(f"  {name:<18} {seconds:8.1f} s {mib:8.0f} MiB")
            print(
                f"  {'all':<18} {totals[-1]:8.1f} s {max(mib for _, mib in took.values()):8.0f} MiB at most", flush=True
            )
        write(root / "more", given.more, 1, given.data)
        took = through(home, root / "more", "raw-more")
        spent = sum(seconds for seconds, _ in took.values())
        for name, (seconds, mib) in took.items():
            print(f"  {name:<18} {seconds:8.1f} s {mib:8.0f} MiB")
        idle = run(home, "status")[0]
        print(f"{given.more} records more: {spent:.1f} s, {spent / totals[1]:.3f} of {given.records}")
        print(f"a command that does nothing takes {idle:.1f} s; two are in each sum")
        print(f"ten times the records: {totals[1] / totals[0]:.1f} times the time")


if __name__ == "__main__":
    main()
