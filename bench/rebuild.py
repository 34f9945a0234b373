"""What a rebuild costs: everything, nothing changed, one problem more in a batch of N.  Ratios against the first.

.venv/bin/python bench/rebuild.py [N]          (N = 1000 by default; about a minute and a half)
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

STEPFORGE = Path(sys.executable).parent / "stepforge"


def row(i: int) -> str:
    """A word problem with a solution in three steps, in GSM8K's format; another one for each `i`."""
    a, b, c = 3 + i, 4 + i % 7, 2 + i % 5
    question = (
        f"A shop packs {a} boxes with {b} pens each and then gives {c} pens away. How many pens remain, less one?"
    )
    answer = (
        f"The boxes hold {a}*{b}=<<{a}*{b}={a * b}>>{a * b} pens.\n"
        f"After the gift {a * b}-{c}=<<{a * b}-{c}={a * b - c}>>{a * b - c} pens remain.\n"
        f"One less is {a * b - c}-1=<<{a * b - c}-1={a * b - c - 1}>>{a * b - c - 1}.\n#### {a * b - c - 1}"
    )
    return json.dumps({"question": question, "answer": answer}) + "\n"


def run(home: Path, *words: str) -> float:
    began = time.perf_counter()
    subprocess.run(
        [STEPFORGE, *words], check=True, stdout=subprocess.DEVNULL, env={**os.environ, "STEPFORGE_HOME": str(home)}
    )
    return time.perf_counter() - began


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory() as folder:
        home, batch = Path(folder) / "home", Path(folder) / "batch"
        batch.mkdir()
        rows = [row(i) for i in range(count)]

        def ingest() -> None:
            (batch / "set.jsonl").write_text("".join(rows), encoding="utf-8")
            run(home, "ingest", str(batch), "--batch", "b", "--replace")

        ingest()
        seconds = {"everything": run(home, "build"), "nothing changed": run(home, "build")}
        rows.append(row(count))
        ingest()
        seconds["one problem more"] = run(home, "build")
        seconds["one stage by name"] = run(home, "build", "--stage", "variants")
        for name, took in seconds.items():
            print(f"{name:<18} {took:6.1f} s  {took / seconds['everything']:5.2f} of a full build of {count} problems")


if __name__ == "__main__":
    main()
