"""Where two texts differ, each text being one character a token."""

from itertools import takewhile
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

MAX_CELLS = 16_000_000  # tokens of one times tokens of the other, where they begin and end to differ
CHANCE_TOKENS = 2


class Hunk(NamedTuple):
    """A stretch where the texts differ: tokens a[i1:i2] against b[j1:j2]."""

    i1: int
    i2: int
    j1: int
    j2: int


def hunks_of(a: str, b: str) -> list[Hunk] | None:
    """Where two texts differ, in order; None if they are too long and too different to say."""
    at = b.find(a) if a else 0
    if at >= 0:
        found = [Hunk(0, 0, 0, at)] if at else []
        return [*found, *([Hunk(len(a), len(a), at + len(a), len(b))] if at + len(a) < len(b) else [])]
    if len(a) * len(b) > MAX_CELLS and _middle(a, b) > MAX_CELLS:
        return None
    hunks: list[Hunk] = []
    for op in Levenshtein.opcodes(a, b):
        i1, i2, j1, j2 = op.src_start, op.src_end, op.dest_start, op.dest_end
        if op.tag == "equal":
            continue
        if hunks and hunks[-1].i2 == i1 and hunks[-1].j2 == j1:
            hunks[-1] = Hunk(hunks[-1].i1, i2, hunks[-1].j1, j2)
        else:
            hunks.append(Hunk(i1, i2, j1, j2))
    return _slid(a, b, hunks)


def _middle(a: str, b: str) -> int:
    """Size of the table that remains when what both begin and end with is taken away."""
    head = _same(a, b)
    tail = _same(a[head:][::-1], b[head:][::-1])
    return (len(a) - head - tail) * (len(b) - head - tail)


def _same(a: str, b: str) -> int:
    """Length of what both begin with."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))


def _slid(a: str, b: str, hunks: list[Hunk]) -> list[Hunk]:
    """The same differences, with what was put in between moved to the ends where it can be."""
    if not hunks:
        return hunks
    first = hunks[0]
    if first.i1 == first.i2 and 0 < first.i1 == first.j1 and b[first.j2 - first.i1 : first.j2] == a[: first.i1]:
        hunks[0] = Hunk(0, 0, 0, first.j2 - first.i1)
    last = hunks[-1]
    rest = len(a) - last.i2
    if last.i1 == last.i2 and rest and rest == len(b) - last.j2 and b[last.j1 : last.j1 + rest] == a[last.i2 :]:
        hunks[-1] = Hunk(len(a), len(a), last.j1 + rest, len(b))
    # a token or two that stand alone between what was put in are there by chance
    while len(hunks) > 1 and hunks[0].i1 == 0 and _by_chance(hunks[0], hunks[1]):
        hunks[:2] = [Hunk(0, hunks[1].i2, hunks[0].j1, hunks[1].j2)]
    while len(hunks) > 1 and hunks[-1].i2 == len(a) and _by_chance(hunks[-2], hunks[-1]):
        hunks[-2:] = [Hunk(hunks[-2].i1, len(a), hunks[-2].j1, hunks[-1].j2)]
    return hunks


def _by_chance(one: Hunk, two: Hunk) -> bool:
    return two.i1 - one.i2 <= CHANCE_TOKENS and all(h.j2 - h.j1 > h.i2 - h.i1 for h in (one, two))
