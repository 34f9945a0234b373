"""We-Math's metrics: states of composite problems, accuracy by steps, concept and domain, and what the descriptions of
the concepts change.  Source: We-Math, section 3.3 and 4, and its scorers (`wemath.py` has the states).

Differs from the official scorers: N is the number of composite problems with every part answered; the option of a
response is read by the answer engine.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from stepforge._bootstrap import Sums, ratio
from stepforge.metrics._base import Companion, Measure, Metric, Options, register
from stepforge.metrics._wemath_official import official
from stepforge.metrics._wemath_rows import Composite, Part, Settings, WeMathRow, settings
from stepforge.metrics._wemath_structure import with_domains
from stepforge.metrics.wemath import State, state

Of = Callable[[Composite], Sequence[float] | None]

PLAIN, AUGMENTED = "plain", "augmented"
GAIN = {State.IG: 0.5, State.CM: 1.0}  # 1 − (0.5·IG + RM + IK)/N, item by item


def _state_share(wanted: State, *, strict: bool) -> Of:
    """Of all complete groups; of the solved ones for rote memorisation."""

    def of(composite: Composite) -> tuple[float, float] | None:
        group = composite.group()
        if not group.complete:
            return None
        found = state(group, strict=strict)
        if wanted is State.RM and found not in {State.RM, State.CM}:
            return 0.0, 0.0
        return float(found is wanted), 1.0

    return of


def _score(*, strict: bool) -> Of:
    def of(composite: Composite) -> tuple[float, float] | None:
        group = composite.group()
        found = state(group, strict=strict)
        return (GAIN.get(found, 0.0), 1.0) if group.complete and found else None

    return of


def sub_accuracy(composite: Composite) -> tuple[float, float] | None:
    """Right sub-problems and sub-problems asked; one without an answer is wrong."""
    asked = [sub for sub in composite.subs if sub is not None]
    return (sum(sub.right is True for sub in asked), len(asked)) if asked else None


def step_accuracy(steps: int) -> Of:
    """Right composites and composites asked, of those with so many sub-problems."""

    def of(composite: Composite) -> tuple[float, float] | None:
        if composite.whole is None or len(composite.subs) != steps:
            return None
        return float(composite.whole.right is True), 1.0

    return of


_KINDS: Sequence[tuple[str, str, str, Of, str]] = (
    ("IK", "share of composite problems that are wrong, as is some sub-problem: insufficient knowledge", "N_IK / N",
     _state_share(State.IK, strict=True), "lower"),
    ("IG", "share that is wrong though all sub-problems are right: inadequate generalisation", "N_IG / N",
     _state_share(State.IG, strict=True), "lower"),
    ("CM_strict", "share that is right, as are all sub-problems: complete mastery", "N_CM / N",
     _state_share(State.CM, strict=True), "higher"),
    ("RM_strict", "of the right ones, the share with some sub-problem wrong: rote memorisation", "N_RM / (N_RM + N_CM)",
     _state_share(State.RM, strict=True), "lower"),
    ("score_strict", "average of the states, IG counting half", "1 − (0.5·N_IG + N_RM + N_IK) / N",
     _score(strict=True), "higher"),
    ("CM_loose", "share that is right, as is at least one sub-problem", "N_CM / N",
     _state_share(State.CM, strict=False), "higher"),
    ("RM_loose", "of the right ones, the share with all sub-problems wrong", "N_RM / (N_RM + N_CM)",
     _state_share(State.RM, strict=False), "lower"),
    ("score_loose", "average of the states, IG counting half", "1 − (0.5·N_IG + N_RM + N_IK) / N",
     _score(strict=False), "higher"),
    ("S1", "share of right sub-problems", "N_right / N_sub", sub_accuracy, "higher"),
    ("S2", "share of right composite problems of two steps", "N_right / N_2", step_accuracy(2), "higher"),
    ("S3", "share of right composite problems of three steps", "N_right / N_3", step_accuracy(3), "higher"),
)  # fmt: skip


def _in(setting: str, of: Of) -> Callable[[Settings], Sequence[float] | None]:
    def sums(item: Settings) -> Sequence[float] | None:
        composite: Composite | None = getattr(item, setting)
        return None if composite is None else of(composite)

    return sums


def _changed(of: Of) -> Callable[[Settings], tuple[float, ...] | None]:
    """Augmented and plain, of the problems counted in both settings."""

    def sums(item: Settings) -> tuple[float, ...] | None:
        one, other = _in(AUGMENTED, of)(item), _in(PLAIN, of)(item)
        return None if one is None or other is None else (*one, *other)

    return sums


def _difference(sums: Sums) -> Sums:
    return ratio(sums[..., :2]) - ratio(sums[..., 2:])


def _tables(items: Sequence[Settings], _: object) -> Mapping[str, Sequence[Measure]]:
    plain = [item.plain for item in items if item.plain is not None]
    found = {"concepts": concept_measures(plain), "domains": domain_measures(plain)}
    tables: dict[str, Sequence[Measure]] = {
        name: [m._replace(sums=_in(PLAIN, m.sums)) for m in measures] for name, measures in found.items()
    }
    if any(item.augmented is not None for item in items):
        tables["augmented"] = [
            Measure(name, words, formula, _in(AUGMENTED, of), better=better)
            for name, words, formula, of, better in _KINDS
        ]
        tables["augmentation_gain"] = [
            Measure(name, words, f"augmented − plain of {formula}", _changed(of), _difference, better)
            for name, words, formula, of, better in _KINDS
        ]
    return tables


def concept_measures(composites: Sequence[Composite]) -> list[Measure]:
    """Accuracy over the sub-problems of each concept that occurs."""
    seen = {name for composite in composites for sub in _asked(composite) for name, _ in sub.concepts}
    return [
        Measure(name, f"share of right sub-problems about {name}", "N_right / N_sub", concept_sums([name]))
        for name in sorted(seen)
    ]


def domain_measures(composites: Sequence[Composite]) -> list[Measure]:
    """Mean of the accuracies of the concepts of each domain that occurs (macro, as the official scorer has it)."""
    concepts: dict[str, set[str]] = {}
    for composite in composites:
        for sub in _asked(composite):
            for name, domain in sub.concepts:
                if domain is not None:
                    concepts.setdefault(domain, set()).add(name)
    return [
        Measure(domain, f"mean over its concepts of the accuracy in {domain}", "mean of N_right / N_sub",
                concept_sums(sorted(names)), _mean_of_ratios)
        for domain, names in sorted(concepts.items())
    ]  # fmt: skip


def _asked(composite: Composite) -> list[Part]:
    return [sub for sub in composite.subs if sub is not None]


def concept_sums(names: Sequence[str]) -> Callable[[Composite], tuple[float, ...] | None]:
    """Right sub-problems and sub-problems asked, of each of the concepts; None where there is none of any."""

    def sums(composite: Composite) -> tuple[float, ...] | None:
        found: list[float] = []
        for name in names:
            about = [sub for sub in _asked(composite) if any(name == concept for concept, _ in sub.concepts)]
            found += [sum(sub.right is True for sub in about), len(about)]
        return tuple(found) if any(found) else None

    return sums


def _mean_of_ratios(sums: Sums) -> Sums:
    """Mean of the ratios that have a denominator; NaN where none has."""
    ratios = ratio(sums.reshape(*sums.shape[:-1], -1, 2))
    given = np.isfinite(ratios)
    return ratio(np.stack([np.where(given, ratios, 0).sum(axis=-1), given.sum(axis=-1)], axis=-1))


def _counts(rows: Sequence[WeMathRow], _: Options) -> Mapping[str, Any]:
    groups = [item.content.plain for item in settings(rows, ()) if item.content.plain is not None]
    failures = Counter(row.why_failed.value for row in rows if row.why_failed is not None)
    return {
        "groups": len(groups),
        "groups_incomplete": sum(not group.group().complete for group in groups),
        "questions_failed": dict(sorted(failures.items())),
    }


register(
    Metric(
        name="we-math",
        title="Knowledge mastery of composite problems",
        source="We-Math, section 3.3, and its scorers",
        row=WeMathRow,
        items=settings,
        measures=lambda _: [
            Measure(name, words, formula, _in(PLAIN, of), better=better) for name, words, formula, of, better in _KINDS
        ],
        tables=_tables,
        table_words={
            "concepts": "accuracy on the sub-problems of each knowledge concept",
            "domains": "mean of those accuracies over the concepts of each domain",
            "augmented": "every measure where the descriptions of the concepts were given",
            "augmentation_gain": "augmented − plain, on the problems counted in both settings",
        },
        more=_counts,
        more_words={
            "groups": "composite problems",
            "groups_incomplete": "those with a part that was not answered: in no state, rate or score",
            "questions_failed": "questions without an answer that could be read, by cause",
        },
        official=official,
        companion=Companion("We-Math's knowledge_structure_nodes.json: the domain of each concept.", with_domains),
    )
)
