"""Items a second of the milestone matcher, beside a straightforward scikit-learn loop, on the same items in one run.

python bench/milestones.py [--items 2000] [--loop-items 60] [--processes 1] [--data FILE]

An item is a reply against its reference milestones. Without `--data` the items are generated, the same in every run;
FILE is JSON Lines of {"units": […], "milestones": […]} or {"reply": "…", "milestones": […]}. Three contenders:

- tfidf: vectors text by text, cosines; S_sem alone;
- sympy: the same with S_eq by SymPy, each pair of expressions once, in a worker with a time limit; the paper's rules;
- ours: everything, S_eq with it; `--processes` splits the items.

The loops take the first `--loop-items`; their components and decisions are compared with ours, and any that differ are
shown.
"""

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from resources.workers import Workers
from stepforge.metrics.milestones import Alignment, Matcher, Pairing
from stepforge.reply_units import reasoning_units
from stepforge.vocabulary import MatchedBy
from tests.metrics import straightforward

SEED = 7
ROUNDING = 1e-9
CHUNK = 512  # as the stage that judges replies
NAMES = ("Ann", "Bo", "Chen", "Dana", "Eli", "Fay")
THINGS = ("apples", "marbles", "tickets", "pages", "coins", "eggs")
STEPS = (  # as the reference says it, and in other words
    (
        "{n} has {a} bags with {b} {t} each, so there are {a}*{b}={ab} {t}.",
        "Each of the {a} bags holds {b}: {b} x {a} = {ab} {t}",
    ),
    (
        "Then {n} buys {c} more {t}, which makes {ab}+{c}={abc}.",
        "After buying {c} more, {n} has {c} + {ab} = {abc} {t}.",
    ),
    ("Half of the {t} are sold: {abc}/2={half}.", "{n} sells {abc} / 2 = {half} of them."),
    ("Let $x$ be the price, so $x+{a}={b}x-{c}$.", "If one costs $x$, then ${b}x-x={a}+{c}$."),
    ("Hence $x=\\frac{{{ac}}}{{{b1}}}$ for each of the {t}.", "Therefore $x = {ac}/{b1}$."),
    ("The area is $\\sqrt{{{a}}}\\cdot y = {b}$.", "So $y=\\frac{{{b}}}{{\\sqrt{{{a}}}}}$ is the side."),
    ("In total {n} earns {half}*{c}={hc} dollars.", "{n} makes {half} * {c} = {hc} dollars."),
)


def generated(count: int) -> list[Pairing]:
    """Word problems: three to five milestones, and a reply that says some of them, in other words or with an error."""
    rng, items = random.Random(SEED), []
    for _ in range(count):
        a, b, c = rng.randint(2, 12), rng.randint(2, 12), rng.randint(2, 30)
        facts: dict[str, Any] = {"n": rng.choice(NAMES), "t": rng.choice(THINGS), "a": a, "b": b, "c": c, "ab": a * b}
        half = (a * b + c) / 2
        facts |= {"abc": a * b + c, "half": f"{half:g}", "hc": f"{half * c:g}", "ac": a + c, "b1": b - 1 or 1}
        steps = sorted(rng.sample(range(len(STEPS)), rng.randint(3, 5)))
        units = [STEPS[k][rng.random() < 0.7] for k in steps if rng.random() < 0.85]
        wrong = {**facts, "ab": a * b + 1} if rng.random() < 0.2 else facts
        items.append(Pairing([unit.format(**wrong) for unit in units], [STEPS[k][0].format(**facts) for k in steps]))
    return items


def from_file(path: Path, count: int) -> list[Pairing]:
    """The first items of a file."""
    items = []
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            units = row["units"] if "units" in row else reasoning_units(row["reply"])
            items.append(Pairing(units, row["milestones"]))
            if len(items) == count:
                break
    return items


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """The result and the seconds on the clock."""
    began = time.perf_counter()
    return work(), time.perf_counter() - began


_matcher: Matcher | None = None


def _fit(milestones: Sequence[str]) -> None:
    global _matcher  # noqa: PLW0603 - one a worker process
    _matcher = Matcher(milestones)


def _align(pairings: Sequence[Pairing]) -> list[Alignment]:
    assert _matcher is not None
    return _matcher.align(pairings)


def ours(items: Sequence[Pairing], processes: int) -> tuple[list[Alignment], float]:
    """Alignments and seconds, the fitting and the start of the processes apart (once a release)."""
    milestones = [milestone for item in items for milestone in item.milestones]
    size = min(CHUNK, -(-len(items) // (4 * processes))) if processes > 1 else CHUNK  # as even as may be
    chunks = [items[start : start + size] for start in range(0, len(items), size)]
    if processes == 1:
        _fit(milestones)
        _align([Pairing(["x"], ["x"])])  # its imports
        found, seconds = timed(lambda: [alignment for chunk in chunks for alignment in _align(chunk)])
        return found, seconds
    with ProcessPoolExecutor(processes, initializer=_fit, initargs=(milestones,)) as pool:
        list(pool.map(_align, [[Pairing(["x"], ["x"])]] * processes * 4))
        found, seconds = timed(lambda: [alignment for part in pool.map(_align, chunks) for alignment in part])
    return found, seconds


def main() -> int:
    """Print the comparison; 1 if a number differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=2000)
    parser.add_argument("--loop-items", type=int, default=60)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--data", type=Path)
    options = parser.parse_args()
    items = from_file(options.data, options.items) if options.data else generated(options.items)
    some = items[: options.loop_items]
    units, gold = (sum(len(item[k]) for item in items) / len(items) for k in (0, 1))
    print(f"{len(items)} items: {units:.1f} units and {gold:.1f} milestones each")

    alignments, seconds = ours(items, options.processes)
    rate = len(items) / seconds
    print(f"ours        {rate:8.0f} items/s with S_eq ({options.processes} process{'es' * (options.processes > 1)})")
    tfidf = straightforward.TfIdf([milestone for item in items for milestone in item.milestones])
    filled = [item for item in some if item.units]
    _, seconds = timed(lambda: [tfidf.semantic(*item) for item in filled])
    tfidf_rate = len(filled) / seconds
    print(f"tfidf loop  {tfidf_rate:8.0f} items/s without S_eq: ours is {rate / tfidf_rate:.1f} times as fast")
    with Workers(1) as workers:
        equal = straightforward.Equality(workers)
        equal.ask(("x+1", "1+x"))  # its imports
        found, seconds = timed(lambda: [_by_the_book(tfidf, equal, item) for item in some])
    sympy_rate = len(some) / seconds
    print(f"sympy loop  {sympy_rate:8.1f} items/s with S_eq: ours is {rate / sympy_rate:.1f} times as fast")
    return _differences(some, alignments, found)


def _by_the_book(tfidf: Any, equal: Any, item: Pairing) -> tuple[list[Any], list[tuple[int | None, bool]]]:
    found = straightforward.components(tfidf, equal, *item) if item.units else []
    return found, straightforward.align(found, len(item.milestones))


def _differences(items: Sequence[Pairing], alignments: Sequence[Alignment], found: Sequence[Any]) -> int:
    """Show the items whose decisions or components (at p*) are not those of the loop; 1 if there are any."""
    worst, differing = 0.0, 0
    for item, alignment, (components, expected) in zip(items, alignments, found, strict=False):
        decisions = [(match.unit, match.by is not MatchedBy.NONE) for match in alignment.matches]
        gaps = [
            abs(ours - loop)
            for g, match in enumerate(alignment.matches)
            if match.unit is not None
            for ours, loop in zip(
                (match.semantic, match.equation, match.numeric, match.keyword), components[match.unit][g], strict=True
            )
        ]
        if decisions != expected or max(gaps, default=0.0) > ROUNDING:
            differing += 1
            print(f"differs: {item.units} against {item.milestones}: {alignment.matches}, in the loop {expected}")
        else:
            worst = max(worst, *gaps, 0.0)
    print(f"same numbers: {len(items) - differing} of {len(items)} items, their components to {worst:.0e}")
    return int(differing > 0)


if __name__ == "__main__":
    raise SystemExit(main())
