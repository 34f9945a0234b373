"""Difficulty in three levels, by two published rules.

By length (MV-MATH, section 3.2 and appendix A.3, step 1): 0.4 · length of the question + 0.6 · length of the solution,
cut in three by k-means over the batch.  The paper names neither the unit nor the scale.  Here a length is counted in
tokens (words, numbers, signs; a Chinese character is one), and clustered by its logarithm: with these the rule agrees
best with the paper's own labels (`bench/difficulty.py`); on plain lengths the few very long ones take two clusters of
the three.  The clusters are the best there are, found exactly, so that no seed or order decides.

By milestones (MAMath-Bench, dataset organization): easy 1-3, medium 4-6, hard above.  They are made from the steps, a
stage further down; where there are some, they go before the length (`difficulty_of`).
"""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stepforge.labels._base import LABELS, Label, Levels, member_of
from stepforge.records import Problem
from stepforge.vocabulary import Difficulty, LabelMethod

NAME = "difficulty"
QUESTION, SOLUTION = 0.4, 0.6
MIN_PROBLEMS = 30  # of one language; fewer are no distribution to cut in three
CUTS = (106.0, 245.0)  # for those: where k-means cuts one half of MV-MATH
MAX_CHARS = 100_000
BIN = 1000  # of a unit of the logarithm: lengths nearer than a thousandth are one

_ORDER = (Difficulty.EASY, Difficulty.MEDIUM, Difficulty.HARD)
_TOKEN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]|[^\W\u3400-\u9fff\uf900-\ufaff]+|[^\w\s]")


def length(text: str) -> int:
    """Tokens of a text: words and numbers, single signs, single Chinese characters."""
    return sum(1 for _ in _TOKEN.finditer(text[:MAX_CHARS]))


def weighted_length(question: str, solution: str) -> float:
    """0.4 · length(question) + 0.6 · length(solution)."""
    return QUESTION * length(question) + SOLUTION * length(solution)


def cut_points(lengths: Sequence[float]) -> tuple[float, float] | None:
    """The lengths between easy, medium and hard: three clusters of the logarithms with the least sum of squares, each
    cut in the middle between its neighbours.  None with fewer than three different lengths."""
    bins, counts = np.unique(np.rint(np.log1p(np.asarray(lengths, dtype=np.float64)) * BIN), return_counts=True)
    if len(bins) < 3:
        return None
    first, second = _best_split(bins / BIN, counts.astype(np.float64))
    middle = [(bins[k - 1] + bins[k]) / (2 * BIN) for k in (first, second)]
    return (math.expm1(middle[0]), math.expm1(middle[1]))


def _best_split(values: npt.NDArray[np.float64], counts: npt.NDArray[np.float64]) -> tuple[int, int]:
    """Where the second and the third of three clusters of sorted values begin; the first of equally good ones."""
    n = len(values)
    weight, total, squares = (
        np.concatenate([[0.0], np.cumsum(part)]) for part in (counts, counts * values, counts * values**2)
    )

    def spread(start: int | npt.NDArray[np.int64], end: int | npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        w, t, s = weight[end] - weight[start], total[end] - total[start], squares[end] - squares[start]
        return np.asarray(s - t * t / w, dtype=np.float64)

    best, found = math.inf, (1, 2)
    for second in range(2, n):
        firsts = np.arange(1, second)
        costs = spread(0, firsts) + spread(firsts, second)
        at = int(costs.argmin())
        cost = float(costs[at] + spread(second, n))
        if cost < best - 1e-12:
            best, found = cost, (int(firsts[at]), second)
    return found


def level_of(weighted: float, cuts: tuple[float, float]) -> Difficulty:
    """The level of a weighted length; one that lies on a cut is the easier one."""
    return _ORDER[(weighted > cuts[0]) + (weighted > cuts[1])]


class Length(NamedTuple):
    """What a problem adds to the distribution that is cut."""

    problem_id: str
    language: str
    weighted: float


def lengths_of(problems: Iterable[Problem]) -> list[Length]:
    """The weighted lengths of those problems that have a worked solution."""
    return [
        Length(p.problem_id, p.language, weighted_length(p.question, p.solution))
        for p in problems
        if p.solution and p.solution.strip()
    ]


def levels(lengths: Iterable[Length]) -> Levels:
    """The level of each problem by id.  Each language is cut by itself: the unit is not the same."""
    by_language: dict[str, list[Length]] = defaultdict(list)
    for one in lengths:
        by_language[one.language].append(one)
    found: dict[str, Difficulty] = {}
    for of_one in by_language.values():
        cuts = cut_points([one.weighted for one in of_one]) if len(of_one) >= MIN_PROBLEMS else None
        found.update({one.problem_id: level_of(one.weighted, cuts or CUTS) for one in of_one})
    return found


def milestone_level(count: int) -> Difficulty | None:
    """MAMath-Bench's levels: easy 1-3 milestones, medium 4-6, hard above (the paper's bands meet at 6); None for 0."""
    if count == 0:
        return None
    if count <= 3:
        return Difficulty.EASY
    return Difficulty.MEDIUM if count <= 6 else Difficulty.HARD


def difficulty_of(problem: Problem, milestones: int) -> Difficulty | None:
    """The level that counts once the milestones are known: the source's or the reviewers' before the number of
    milestones, and that before the length."""
    by_length = any(vote.field == NAME and vote.method is LabelMethod.RULES for vote in problem.labels)
    if problem.difficulty is not None and not by_length:
        return problem.difficulty
    return milestone_level(milestones) or problem.difficulty


def _by_rules(problem: Problem, known: Mapping[str, Difficulty]) -> tuple[str, ...]:
    found = known.get(problem.problem_id)
    return (found,) if found else ()


LABELS.register(
    Label(
        name=NAME,
        attribute=NAME,
        stated=lambda problem: (problem.difficulty,) if problem.difficulty else (),
        by_rules=_by_rules,
        known=member_of(tuple(Difficulty)),
        value=lambda said: Difficulty(said[0]),
        asked=False,  # in the paper the length decides, and people look at it
    )
)
