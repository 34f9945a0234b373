"""Difficulty by length.  Source: MV-MATH, section 3.2 and appendix A.3, step 1 (its step 2, manual correction, is a
person's work; its cut points on its own data are 150 and 500)."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple

import numpy as np
from pydantic import Field

from stepforge.metrics._base import Measure, Metric, Options, Row, mean, register
from stepforge.metrics._text import words
from stepforge.vocabulary import Difficulty

QUESTION, ANALYSIS = 0.4, 0.6
STARTS = 10  # of k-means


class SolvedRow(Row):
    """A question and its worked solution."""

    EXAMPLE: ClassVar = {"id": "p1", "question": "How many marbles are red?", "analysis": "Three bags of four are 12."}

    question: str = Field(description="text of the question")
    analysis: str = Field(description="text of the solution")


def weighted_length(question: str, analysis: str) -> float:
    """0.4·words(question) + 0.6·words(analysis)."""
    return QUESTION * words(question) + ANALYSIS * words(analysis)


class Levels(NamedTuple):
    """Level of each length, and the two cut points: the middle between neighbouring clusters."""

    levels: list[Difficulty]
    cuts: tuple[float, float]


def levels(lengths: Sequence[float], seed: int = 0) -> Levels | None:
    """Easy, medium and hard by k-means with three clusters; None with fewer than three different lengths."""
    if len(set(lengths)) < 3:
        return None
    from sklearn.cluster import KMeans  # noqa: PLC0415 - dear to import

    values = np.array(lengths, dtype=np.float64).reshape(-1, 1)
    found = KMeans(n_clusters=3, n_init=STARTS, random_state=seed).fit(values)
    rank = np.argsort(np.argsort(found.cluster_centers_[:, 0]))
    order = (Difficulty.EASY, Difficulty.MEDIUM, Difficulty.HARD)
    ranks = rank[found.labels_]
    ends = [(values[ranks == k].max() + values[ranks == k + 1].min()) / 2 for k in (0, 1)]
    return Levels([order[k] for k in ranks], (float(ends[0]), float(ends[1])))


def _clusters(rows: Sequence[SolvedRow], options: Options) -> Mapping[str, object]:
    found = levels([weighted_length(row.question, row.analysis) for row in rows], options.seed)
    if found is None:
        return {"cut_points": None, "levels": None, "difficulties": None}
    counts = {level.value: found.levels.count(level) for level in Difficulty}
    of_items = [
        {"id": row.id if row.id is not None else k, "difficulty": level.value}
        for k, (row, level) in enumerate(zip(rows, found.levels, strict=True))
    ]
    return {"cut_points": list(found.cuts), "levels": counts, "difficulties": of_items}


register(
    Metric(
        name="length-difficulty",
        title="Difficulty by length",
        source="MV-MATH, section 3.2, appendix A.3",
        row=SolvedRow,
        measures=lambda _: [
            Measure("weighted_length", "mean weighted length in words", "0.4·words(question) + 0.6·words(analysis)",
                    mean(lambda row: weighted_length(row.question, row.analysis)), better=""),
        ],
        more=_clusters,
        more_words={
            "cut_points": "weighted lengths between easy, medium and hard: k-means with three clusters",
            "levels": "number of items of each level",
            "difficulties": "the level of each item",
        },
    )
)  # fmt: skip
