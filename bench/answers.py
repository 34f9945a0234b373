"""Pairs of answers a second: the engine against math-verify, each in one process, in one run, on the same pairs.

    python bench/answers.py                    # the constructed pairs of the shared data
    python bench/answers.py --input pairs.jsonl --limit 500

Rows are `id, gold, prediction, kind` (or the constructed pairs with their `human_type` and `label`). The engine asks
its symbolic library in one worker process, as the pipeline does, and waits for it; math-verify runs without its own
time limit, which would only slow it. Pairs are taken in turns of 200, so that a change of the machine's load meets
both.
"""

import argparse
import json
import logging
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from math_verify import parse, verify

from resources.symbolic import SymbolicComparer, symbolic_workers
from stepforge.answers.equivalence import equivalent
from stepforge.records import Answer
from stepforge.vocabulary import AnswerKind

PAIRS = Path(__file__).resolve().parents[2] / "shared" / "data" / "golden" / "answer_pairs" / "pairs.jsonl"
KINDS = {
    "Real": "number", "Expression": "expression", "Complex": "expression", "Function": "expression", "Vector": "tuple",
    "Set": "set", "Matrix": "matrix", "Interval": "interval", "Equation": "equation", "Inequality": "inequality",
    "Others": "text",
}  # fmt: skip
TURN = 200

Row = dict[str, Any]


def rows_of(path: Path, limit: int | None) -> list[Row]:
    """Pairs with their kind."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        row.setdefault("kind", KINDS.get(row.get("human_type", ""), "expression"))
    return rows[:limit]


def math_verify(row: Row) -> bool:
    """What math-verify says of a pair."""
    sides = [s if "$" in s or "\\boxed" in s else f"${s}$" for s in (row["gold"], row["prediction"])]
    gold, predicted = (parse(side, parsing_timeout=None) for side in sides)
    return bool(verify(gold, predicted, timeout_seconds=None))


def main() -> None:
    """Print pairs per second of both, and how both agree with the labels."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--input", type=Path, default=PAIRS)
    parser.add_argument("--limit", type=int)
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    rows = rows_of(options.input, options.limit)
    seconds: Counter[str] = Counter()
    found: dict[str, Counter[tuple[object, bool]]] = {"engine": Counter(), "math-verify": Counter()}
    with symbolic_workers() as workers:
        symbolic = SymbolicComparer(workers)
        symbolic("x+1", "1+x")  # the worker is there

        def engine(row: Row) -> bool:
            answer = Answer(kind=AnswerKind(row["kind"]), text=row["gold"])
            return equivalent(answer, row["prediction"], (), symbolic).verdict == "equal"

        judges: Sequence[tuple[str, Callable[[Row], bool]]] = (("engine", engine), ("math-verify", math_verify))
        for start in range(0, len(rows), TURN):
            for name, judge in judges:
                began = time.perf_counter()
                said = [judge(row) for row in rows[start : start + TURN]]
                seconds[name] += time.perf_counter() - began
                found[name].update(
                    (row.get("label"), each) for row, each in zip(rows[start : start + TURN], said, strict=True)
                )
    for name, _ in judges:
        false = f"{found[name][False, True]} false positives, {found[name][True, False]} false negatives"
        print(f"{name:12} {len(rows) / seconds[name]:8,.0f} pairs/s  {false}")
    print(f"{seconds['math-verify'] / seconds['engine']:.1f} x math-verify, {len(rows):,} pairs")


if __name__ == "__main__":
    main()
