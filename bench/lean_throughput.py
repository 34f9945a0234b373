"""Lean texts a minute: one Lean process a file, as most scripts do it, beside lean_check, in one run.

    python bench/lean_throughput.py            # headers of three weights, statements and proofs
    python bench/lean_throughput.py --poison   # 10,000 statements, three of them poisonous

Real Lean 4.35 with the small library of the tests.  The weight of a header is that of the definitions in it: imports
such as Mathlib's, which cost seconds a file, are not to be had everywhere.  Every verdict is compared: speed that
changes an answer is none.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from lean_check.batch import Item, Settings, check_many, lanes_for  # noqa: E402
from lean_check.toolchains import Toolchain  # noqa: E402
from tests.lean_check.real import real_toolchain  # noqa: E402

WEIGHTS = (0, 20, 200)
POISON = (
    "set_option maxHeartbeats 0\nset_option maxRecDepth 1000000\ndef f : Nat → Bool → Bool\n  | 0, b => b\n"
    "  | n+1, b => f n (f n b)\ntheorem t : f 60 true = false := by decide\n",
    "theorem t : True := " + "(" * 250_000 + "True.intro" + ")" * 250_000,
    'def s : String := "' + "x" * 200_000 + '"\ntheorem t : True := True.intro\n' + "#print s\n" * 200,
)


def header(definitions: int) -> str:
    """Definitions and lemmas that many statements share."""
    lines = [
        f"def f{n} (a b : Nat) : Nat := (a + {n}) * b\ntheorem f{n}_eq (a b : Nat) : f{n} a b = (a + {n}) * b := rfl"
        for n in range(definitions)
    ]
    return "\n".join(["universe u", *lines, ""])


def proofs(weight: int, count: int) -> list[Item]:
    """Proofs: every third one has an error, the others are audited."""
    end = ("n + {k} = {k} + n := Nat.add_comm n {k}", "{k} = {k} := rfl", "n.bar{k} = 1 := rfl")
    top = header(weight)
    texts = [f"theorem t{k} (n : Nat) : {end[k % 3].format(k=k)}\n" for k in range(count)]
    return [Item(f"{weight}-{k}", top + text, header_end=len(top)) for k, text in enumerate(texts)]


def items(weight: int, count: int) -> list[Item]:
    """Statements: every third one has an error."""
    end = ("n + {k} = {k} + n", "n * {k} = {k} * n", "n.bar{k} = 1")
    top = header(weight)
    texts = [f"theorem t{k} (n : Nat) : {end[k % 3].format(k=k)} := by sorry\n" for k in range(count)]
    return [Item(f"{weight}-{k}", top + text, True, header_end=len(top)) for k, text in enumerate(texts)]


def naive(texts: Sequence[Item], toolchain: Toolchain) -> list[bool]:
    """One `lean` a file, no sandbox, no limit; accepted where no message is an error."""
    accepted = []
    with tempfile.TemporaryDirectory() as folder:
        for item in texts:
            path = Path(folder) / "Item.lean"
            path.write_text(item.source, encoding="utf-8")
            command = [*toolchain.command, "--json", str(path)]
            out = subprocess.run(command, env=toolchain.environment(), capture_output=True, check=False).stdout
            accepted.append(not any(json.loads(line)["severity"] == "error" for line in out.splitlines()))
    return accepted


def ours(texts: Sequence[Item], toolchain: Toolchain, *, warm: bool, lanes: int) -> list[bool]:
    """The same through lean_check."""
    settings = Settings(warm=warm)
    return [v.verdict == "accepted" for v in check_many(texts, settings, toolchain=toolchain, lanes=lanes)]


def compare(count: int) -> None:
    """The tables.  Only lean_check audits the proofs, cold by a Lean and an audit started for each."""
    toolchain = real_toolchain()
    lanes = lanes_for(Settings().memory_bytes)
    print(f"{toolchain.label}; {count} texts a header; times in ms a text")
    for kind, made in (("statements", items), ("proofs", proofs)):
        heads = (kind, "naive", "cold", "warm, 1 lane", f"warm, {lanes} lanes", "naive/warm", "cold/warm")
        print(" ".join(f"{head:>13}" for head in heads))
        for weight in WEIGHTS:
            compare_one(made(weight, count), weight, toolchain, lanes)


def compare_one(texts: Sequence[Item], weight: int, toolchain: Toolchain, lanes: int) -> None:
    """One line: the texts under a header of so many definitions; the ratios are to the last of the warm runs."""
    times, answers = [], []
    for run in (
        lambda: naive(texts, toolchain),
        lambda: ours(texts, toolchain, warm=False, lanes=1),
        lambda: ours(texts, toolchain, warm=True, lanes=1),
        lambda: ours(texts, toolchain, warm=True, lanes=lanes),
    ):
        begin = time.perf_counter()
        answers.append(run())
        times.append((time.perf_counter() - begin) / len(texts) * 1000)
    assert all(answer == answers[0] for answer in answers), "the answers differ"
    one, cold, _, many = times
    cells = (f"{weight}", *(f"{value:.1f}" for value in times), f"{one / many:.1f}x", f"{cold / many:.1f}x")
    print(" ".join(f"{cell:>13}" for cell in cells), flush=True)


def poison(count: int) -> None:
    """Time for `count` texts with the poison among them, beside what it should be: the texts' and the poison's own."""
    toolchain = real_toolchain()
    settings = Settings(timeout_s=20, memory_bytes=1 << 30)
    lanes = lanes_for(settings.memory_bytes)
    few = items(0, 500)
    begin = time.perf_counter()
    assert len(list(check_many(few, settings, toolchain=toolchain, lanes=lanes))) == len(few)
    rate = (time.perf_counter() - begin) / len(few)
    bad = [Item(f"poison-{n}", text) for n, text in enumerate(POISON)]
    begin = time.perf_counter()
    reasons = [v.reasons for v in check_many(bad, settings, toolchain=toolchain, lanes=1)]
    alone = time.perf_counter() - begin
    texts = items(0, count)
    for n, item in enumerate(bad):
        texts.insert((n + 1) * count // 4, item)
    begin = time.perf_counter()
    verdicts = list(check_many(texts, settings, toolchain=toolchain, lanes=lanes))
    took = time.perf_counter() - begin
    assert [v.file for v in verdicts] == [item.name for item in texts]
    poisoned = [v.reasons for v in verdicts if v.file.startswith("poison")]
    numbered = [(int(v.file.split("-")[1]), v.verdict) for v in verdicts if not v.file.startswith("poison")]
    wrong = sum(said != ("rejected" if n % 3 == 2 else "accepted") for n, said in numbered)
    base = rate * count
    print(
        f"{len(texts)} texts, {lanes} lanes; {rate * 1000:.1f} ms a text, {alone:.0f} s for the poison alone: {reasons}"
    )
    print(f"expected {base + alone / lanes:.0f} to {base + alone:.0f} s, took {took:.0f} s")
    print(f"{wrong} wrong verdicts; poison in the run: {poisoned}")


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--count", type=int, default=None, help="texts a header (40), or all in all with --poison (10000)"
    )
    parser.add_argument("--poison", action="store_true")
    options = parser.parse_args()
    if options.poison:
        poison(options.count or 10_000)
    else:
        compare(options.count or 40)


if __name__ == "__main__":
    main()
