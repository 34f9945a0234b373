"""Copies among 300,000 problems: what is found, what is dropped wrongly, time and memory, beside two public tools.

    .venv/bin/python bench/duplicates.py [--rows 300000] [--data FOLDER] [--seed 1] [--peers rensa datasketch]

The set is that of `_planted.py`.  Every contender runs alone in a process of its own, reads the same JSONL file and
says which rows it drops; its time includes reading.  A planted copy is found if it or its original is dropped.  The
peers run as their guides have it: MinHash over words with 128 permutations, LSH with threshold 0.8, and a row is
dropped if it meets one that was kept.
"""

import argparse
import json
import os
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from _planted import COPIES, VARIANT, planted

WORD = re.compile(r"\w+")
THRESHOLD, PERMUTATIONS = 0.8, 128


def read(path: Path) -> Iterator[tuple[str, str]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            yield row["id"], row["question"]


def ours(path: Path) -> dict[str, list[str]]:
    from stepforge.duplicates import Builder, Entry, LinkKind, find  # noqa: PLC0415 - memory is that of one contender

    builder = Builder()
    for row_id, text in read(path):
        builder.add(Entry(row_id, text))
    told = time.perf_counter()
    found = find(builder.done())
    print(f"  search alone {time.perf_counter() - told:.1f} s", file=sys.stderr)
    dropped = [found.ids[link.row] for link in found.links if link.kind is not LinkKind.VARIANT]
    linked = [found.ids[link.row] for link in found.links if link.kind is LinkKind.VARIANT]
    pairs = [f"{found.ids[link.row]} {found.ids[link.first]}" for link in found.links if link.kind != LinkKind.VARIANT]
    return {"dropped": dropped, "linked": linked, "pairs": pairs}


def rensa(path: Path) -> dict[str, list[str]]:
    from rensa import RMinHash, RMinHashLSH  # noqa: PLC0415 - memory is that of one contender

    lsh, dropped = RMinHashLSH(threshold=THRESHOLD, num_perm=PERMUTATIONS, num_bands=16), []
    for number, (row_id, text) in enumerate(read(path)):
        sketch = RMinHash(num_perm=PERMUTATIONS, seed=42)
        sketch.update(text.lower().split())
        near = lsh.query(sketch)
        if near:
            dropped.append(row_id)
        else:
            lsh.insert(number, sketch)
    return {"dropped": dropped}


def datasketch(path: Path) -> dict[str, list[str]]:
    from datasketch import MinHash, MinHashLSH  # noqa: PLC0415 - memory is that of one contender

    lsh, dropped = MinHashLSH(threshold=THRESHOLD, num_perm=PERMUTATIONS), []
    for row_id, text in read(path):
        sketch = MinHash(num_perm=PERMUTATIONS)
        sketch.update_batch([word.encode() for word in WORD.findall(text.lower())])
        if lsh.query(sketch):
            dropped.append(row_id)
        else:
            lsh.insert(row_id, sketch)
    return {"dropped": dropped}


CONTENDERS: dict[str, Callable[[Path], dict[str, list[str]]]] = {
    "ours": ours, "rensa": rensa, "datasketch": datasketch,
}  # fmt: skip


def measured(name: str, path: Path, out: Path) -> tuple[float, float, float]:
    """Seconds, seconds of processor time (what the clock says on an idle machine, at most) and peak MiB of a contender
    in a process of its own."""
    began = time.perf_counter()
    child = os.posix_spawn(
        sys.executable, [sys.executable, __file__, "--contender", name, str(path), str(out)], dict(os.environ)
    )
    _, status, used = os.wait4(child, 0)
    if status:
        raise SystemExit(f"{name}: exit status {status}")
    return time.perf_counter() - began, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def judged(kinds: dict[str, tuple[str, str | None]], result: dict[str, list[str]]) -> None:
    dropped = set(result["dropped"])
    with_copy = {of for kind, of in kinds.values() if of is not None and kind != VARIANT}
    total, hit = Counter[str](), Counter[str]()
    for row, (kind, of) in kinds.items():
        total[kind] += 1
        if kind == "original":
            alone = row not in with_copy
            total["untouched"] += alone
            hit["untouched"] += alone and row in dropped
        elif kind == VARIANT:
            hit[kind] += row in dropped
        else:
            hit[kind] += row in dropped or of in dropped
    for kind in COPIES:
        print(f"  recall {kind:<14} {hit[kind] / max(1, total[kind]):.4f}  of {total[kind]:,}")
    planted_total = sum(total[k] for k in COPIES)
    print(f"  recall of all         {sum(hit[k] for k in COPIES) / max(1, planted_total):.4f}  of {planted_total:,}")
    share = hit[VARIANT] / max(1, total[VARIANT])
    print(f"  renumbered dropped    {share:.4f}  {hit[VARIANT]:,} of {total[VARIANT]:,}")
    share = hit["untouched"] / max(1, total["untouched"])
    print(f"  untouched dropped     {share:.4f}  {hit['untouched']:,} of {total['untouched']:,}")
    if "linked" in result:
        linked = set(result["linked"])
        either = sum(row in linked or of in linked for row, (kind, of) in kinds.items() if kind == VARIANT)
        print(f"  renumbered linked     {either / max(1, total[VARIANT]):.4f}  it or its original, as a variant")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=300_000)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--peers", nargs="*", default=["rensa", "datasketch"])
    parser.add_argument("--keep", type=Path, help="leave the set and the results in this folder")
    parser.add_argument("--contender", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.contender:
        name, source, target = given.contender
        Path(target).write_text(json.dumps(CONTENDERS[name](Path(source))), encoding="utf-8")
        return
    with tempfile.TemporaryDirectory() as made:
        folder = given.keep or Path(made)
        folder.mkdir(parents=True, exist_ok=True)
        path, kinds = folder / "rows.jsonl", {}
        with path.open("w", encoding="utf-8") as file:
            for row in planted(given.rows, given.seed, given.data):
                kinds[row.id] = row.kind, row.of
                line = {"id": row.id, "question": row.question}
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
        if given.keep:
            (folder / "truth.json").write_text(json.dumps(kinds), encoding="utf-8")
        print(f"{len(kinds):,} rows, {path.stat().st_size / 2**20:.0f} MiB", flush=True)
        for name in ["ours", *given.peers]:
            out = folder / f"{name}.json"
            seconds, busy, mib = measured(name, path, out)
            print(f"{name}: {seconds:.1f} s, {busy:.1f} s of processor time, {mib:.0f} MiB at most")
            judged(kinds, json.loads(out.read_text(encoding="utf-8")))
            sys.stdout.flush()


if __name__ == "__main__":
    main()
