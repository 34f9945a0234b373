"""How far two judges agree.  Source: AgenticMathBench, appendix F.1.2 and F.1.3, tables 13 and 14 (accuracy, precision,
recall and F1 of a judge against human labels; agreement between judges); κ: Cohen 1960; several raters: Fleiss 1971,
Krippendorff 2004 (nominal).

Silent in the paper, fixed here: a ratio over nothing is None.  So is κ where both raters gave one and the same label to
everything: nothing could be agreed beyond chance, however many the items (scikit-learn: NaN).
"""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
from pydantic import Field

from stepforge._bootstrap import NOTHING, Statistic, Sums, percentile_interval, ratio, resampled_sums
from stepforge.metrics._base import Measure, Metric, Options, Row, register


class Confusion(NamedTuple):
    """Counts of a yes-no judge against the truth."""

    tp: int
    fp: int
    fn: int
    tn: int


def confusion(judged: Sequence[bool], truth: Sequence[bool]) -> Confusion:
    """Counts of two sequences of the same length.  Raises: ValueError if the lengths differ."""
    count = Counter(zip(judged, truth, strict=True))
    return Confusion(count[True, True], count[True, False], count[False, True], count[False, False])


# Statistics of sums over items: columns tp, fp, fn, tn.


def _accuracy(sums: Sums) -> Sums:
    return ratio(np.stack([sums[..., 0] + sums[..., 3], sums.sum(axis=-1)], axis=-1))


def _precision(sums: Sums) -> Sums:
    return ratio(np.stack([sums[..., 0], sums[..., 0] + sums[..., 1]], axis=-1))


def _recall(sums: Sums) -> Sums:
    return ratio(np.stack([sums[..., 0], sums[..., 0] + sums[..., 2]], axis=-1))


def _f1(sums: Sums) -> Sums:
    return ratio(np.stack([2 * sums[..., 0], 2 * sums[..., 0] + sums[..., 1] + sums[..., 2]], axis=-1))


def _binary_kappa(sums: Sums) -> Sums:
    return kappa_statistic(2)(np.stack([sums[..., 3], sums[..., 2], sums[..., 1], sums[..., 0]], axis=-1))


STATISTICS: Mapping[str, Statistic] = {
    "accuracy": _accuracy,
    "precision": _precision,
    "recall": _recall,
    "F1": _f1,
    "kappa": _binary_kappa,
}


def _value(statistic: Statistic, counts: Sequence[float]) -> float | None:
    found = float(statistic(np.array([counts], dtype=np.float64))[0])
    return None if np.isnan(found) else found


def accuracy(counts: Confusion) -> float | None:
    """(tp + tn) / all, in [0, 1]; None if there is none.  Between two judges this is their agreement."""
    return _value(_accuracy, counts)


def precision(counts: Confusion) -> float | None:
    """tp / (tp + fp), in [0, 1]; None if the judge never says yes."""
    return _value(_precision, counts)


def recall(counts: Confusion) -> float | None:
    """tp / (tp + fn), in [0, 1]; None if the truth is never yes."""
    return _value(_recall, counts)


def f1(counts: Confusion) -> float | None:
    """2·tp / (2·tp + fp + fn), in [0, 1]; None if neither ever says yes."""
    return _value(_f1, counts)


class Estimate(NamedTuple):
    """A value over `n` items with its 95 % bootstrap interval; None where it is undefined."""

    value: float | None
    low: float | None
    high: float | None
    n: int


def judge_agreement(
    judged: Sequence[bool], truth: Sequence[bool], *, key: str, resamples: int = 1000
) -> dict[str, Estimate]:
    """accuracy, precision, recall, F1 and kappa of a yes-no judge against the truth, each with its interval over items.
    Raises: ValueError if the lengths differ."""
    rows = [(j and t, j and not t, t and not j, not (j or t)) for j, t in zip(judged, truth, strict=True)]
    counts = np.array(rows, dtype=np.float64).reshape(-1, 4)
    drawn = resampled_sums(counts, key=key, resamples=resamples) if rows else counts
    total = counts.sum(axis=0)
    found = {}
    for name, statistic in STATISTICS.items():
        value = _value(statistic, total.tolist())
        interval = NOTHING if value is None else percentile_interval(statistic(drawn))
        found[name] = Estimate(value, interval.low, interval.high, len(rows))
    return found


def kappa_statistic(n_labels: int) -> Statistic:
    """Cohen's κ of sums whose columns are the cells of an n × n table, row by row."""

    def kappa(sums: Sums) -> Sums:
        table = sums.reshape(*sums.shape[:-1], n_labels, n_labels)
        n = sums.sum(axis=-1)
        agreed = np.trace(table, axis1=-2, axis2=-1)
        by_chance = (table.sum(axis=-1) * table.sum(axis=-2)).sum(axis=-1)  # · n
        return ratio(np.stack([agreed * n - by_chance, n * n - by_chance], axis=-1))

    return kappa


def cohen_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> float | None:
    """Cohen's κ of two raters' labels, in [−1, 1]: (agreed − by chance) / (1 − by chance); None if there is no item or
    only one label.  Raises: ValueError if the lengths differ."""
    count = Counter(zip(first, second, strict=True))
    labels = sorted({label for pair in count for label in pair}, key=repr)
    if not labels:
        return None
    return _value(kappa_statistic(len(labels)), [count[a, b] for a in labels for b in labels])


def fleiss_kappa(items: Sequence[Sequence[Hashable]]) -> float | None:
    """Fleiss' κ of several raters, in [−1, 1].  `items`: the labels of each item, the same number m ≥ 2 for each.
    None if there is no item or only one label.  Raises: ValueError if the numbers differ."""
    if not items:
        return None
    m = len(items[0])
    if m < 2 or any(len(item) != m for item in items):
        raise ValueError("Fleiss' κ needs the same number of labels, at least 2, for each item")
    counts = [Counter(item) for item in items]
    agreed = sum(c * (c - 1) for count in counts for c in count.values()) / (len(items) * m * (m - 1))
    shares = [n / (len(items) * m) for n in sum(counts, Counter()).values()]
    by_chance = sum(share * share for share in shares)
    return (agreed - by_chance) / (1 - by_chance) if len(shares) > 1 else None


def krippendorff_alpha(items: Sequence[Sequence[Hashable | None]]) -> float | None:
    """Krippendorff's α for labels without order, in (−1, 1]: 1 − observed / expected disagreement.  `items`: the labels
    of each item, None where a rater gave none; an item with fewer than two is left out.  None if nothing is left, or
    only one label."""
    counts = [Counter(label for label in item if label is not None) for item in items]
    counts = [count for count in counts if count.total() > 1]
    total = sum(counts, Counter())
    n = total.total()
    expected = sum(c * (n - c) for c in total.values())
    if expected == 0:
        return None
    observed = sum(sum(c * (count.total() - c) for c in count.values()) / (count.total() - 1) for count in counts)
    return 1 - (n - 1) * observed / expected


class RaterAgreement(NamedTuple):
    """Several raters on the same items: the share of pairs of raters that say the same, and that beyond chance."""

    agreement: Estimate
    fleiss: Estimate
    alpha: Estimate


def _fleiss_statistic(sums: Sums) -> Sums:
    """Columns: share of agreeing pairs, items, raters an item summed, then the count of each label."""
    n, labels = sums[..., 1], sums[..., 3:]
    observed = ratio(np.stack([sums[..., 0], n], axis=-1))
    by_chance = ((labels / np.maximum(sums[..., 2:3], 1)) ** 2).sum(axis=-1)
    single = (labels > 0).sum(axis=-1) < 2
    return ratio(np.stack([observed - by_chance, np.where(single, 0.0, 1 - by_chance)], axis=-1))


def _alpha_statistic(sums: Sums) -> Sums:
    """Columns: Σ c (m − c) / (m − 1) over the labels of an item with m of them, then the count of each label."""
    labels = sums[..., 1:]
    n = labels.sum(axis=-1)
    expected = (labels * (n[..., None] - labels)).sum(axis=-1)
    disagreement = ratio(np.stack([(n - 1) * sums[..., 0], expected], axis=-1))
    return 1 - disagreement


def _estimate(statistic: Statistic, items: Sums, *, key: str, resamples: int) -> Estimate:
    value = _value(statistic, items.sum(axis=0).tolist()) if len(items) else None
    if value is None:
        return Estimate(None, None, None, len(items))
    interval = percentile_interval(statistic(resampled_sums(items, key=key, resamples=resamples)))
    return Estimate(value, interval.low, interval.high, len(items))


def rater_agreement(items: Sequence[Sequence[Hashable | None]], *, key: str, resamples: int = 1000) -> RaterAgreement:
    """Agreement, Fleiss' κ and Krippendorff's α (nominal), each with its interval over items.  `items`: the labels of
    each item, None where a rater gave none; an item with fewer than two is left out.  Fleiss' κ is over the items with
    the most usual number of labels (of two alike, the greater), and need not be of the same raters."""
    given = [[label for label in item if label is not None] for item in items]
    counted = [Counter(labels) for labels in given if len(labels) > 1]
    names = sorted({label for count in counted for label in count}, key=repr)
    width = len(names)
    sizes = Counter(count.total() for count in counted)
    usual = max(sizes, key=lambda size: (sizes[size], size), default=0)
    pairs, fleiss, alpha = [], [], []
    for count in counted:
        m, labels = count.total(), [count[name] for name in names]
        same = sum(c * (c - 1) for c in labels)
        pairs.append([same / 2, m * (m - 1) / 2])
        alpha.append([sum(c * (m - c) for c in labels) / (m - 1), *labels])
        if m == usual:
            fleiss.append([same / (m * (m - 1)), 1, m, *labels])
    tables = (
        (ratio, pairs, 2, "agreement"),
        (_fleiss_statistic, fleiss, 3 + width, "fleiss"),
        (_alpha_statistic, alpha, 1 + width, "alpha"),
    )
    found = [
        _estimate(of, np.array(rows, dtype=np.float64).reshape(-1, columns), key=f"{key}|{name}", resamples=resamples)
        for of, rows, columns, name in tables
    ]
    return RaterAgreement(*found)


def cohen_agreement(
    first: Sequence[Hashable], second: Sequence[Hashable], *, key: str, resamples: int = 1000
) -> Estimate:
    """Cohen's κ of two raters with its interval over items.  Raises: ValueError if the lengths differ."""
    labels = sorted({*first, *second}, key=repr)
    place = {label: k for k, label in enumerate(labels)}
    cells = np.zeros((len(first), max(1, len(labels) ** 2)))
    for k, (a, b) in enumerate(zip(first, second, strict=True)):
        cells[k, place[a] * len(labels) + place[b]] = 1
    return _estimate(kappa_statistic(max(1, len(labels))), cells, key=key, resamples=resamples)


class LabelsRow(Row):
    """What several raters say of one item."""

    JUDGED: ClassVar = ("labels",)
    EXAMPLE: ClassVar = {"id": "p1", "labels": ["calculation", "calculation", None]}

    labels: tuple[str | bool | int | None, ...] | None = Field(
        default=None, description="the label of each rater, always in the same order; null inside: that rater gave none"
    )

    def pairs(self) -> tuple[float, float] | None:
        """Pairs of raters that gave the same label, and pairs that gave one."""
        given = Counter(label for label in self.labels or () if label is not None)
        n = given.total()
        return (sum(c * (c - 1) / 2 for c in given.values()), n * (n - 1) / 2) if n > 1 else None


def _chance_corrected(rows: Sequence[LabelsRow], _: Options) -> Mapping[str, Any]:
    items = [row.labels for row in rows if row.labels]
    complete = [item for item in items if None not in item and len(item) > 1]
    same_number = len({len(item) for item in items}) == 1
    two = [item for item in complete if len(item) == 2]
    return {
        "cohen_kappa": cohen_kappa(*zip(*two, strict=True)) if two and len(two) == len(complete) else None,
        "fleiss_kappa": fleiss_kappa(complete) if same_number and complete else None,
        "krippendorff_alpha": krippendorff_alpha(items),
    }


register(
    Metric(
        name="agreement",
        title="Agreement of raters",
        source="Cohen 1960; Fleiss 1971; Krippendorff 2004 (nominal)",
        row=LabelsRow,
        measures=lambda _: [
            Measure("agreement", "share of pairs of raters that give an item the same label",
                    "Σ agreeing pairs / Σ pairs", lambda row: row.pairs()),
        ],
        more=_chance_corrected,
        more_words={
            "cohen_kappa": "agreement of two raters beyond chance; null for more raters, or a single label",
            "fleiss_kappa": "the same for any number of raters, on items that all of them labelled",
            "krippendorff_alpha": "1 − observed / expected disagreement, on items with at least two labels",
        },
    )
)  # fmt: skip
