"""Lean's verdicts on formalizations that people labelled, for the report."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from resources.store import Stored
from stepforge.correctness import compiled, said_to_compile
from stepforge.records import LeanVerdict
from stepforge.report import LabelAgreement
from stepforge.vocabulary import FormalLabel


class Labelled(NamedTuple):
    """Lean's verdict on a formalization, and what people said of it."""

    verdict: LeanVerdict
    label: FormalLabel


def source_of(verdict: LeanVerdict) -> str:
    """The source of the problem that a verdict is on."""
    return verdict.problem_id.split("/", 1)[0]


def labelled_verdicts(problems: dict[str, Stored], verdicts: dict[str, Stored]) -> list[Labelled]:
    """The verdicts on labelled formalizations of all batches with the label, each problem once."""
    found: dict[str, Labelled] = {}
    for batch, stored in sorted(problems.items()):
        columns = stored.table().select(["problem_id", "formal_label"]).to_pylist()
        labels = {row["problem_id"]: FormalLabel(row["formal_label"]) for row in columns if row["formal_label"]}
        if labels and batch in verdicts:
            for verdict in verdicts[batch].rows(LeanVerdict):
                if verdict.problem_id in labels:
                    found.setdefault(verdict.problem_id, Labelled(verdict, labels[verdict.problem_id]))
    return list(found.values())


def by_label(labelled: Sequence[Labelled]) -> dict[str, list[LeanVerdict]]:
    """Verdicts by source and label, in the order in which the labels are declared."""
    order = list(FormalLabel)
    found: dict[str, list[LeanVerdict]] = defaultdict(list)
    for verdict, label in sorted(labelled, key=lambda one: (source_of(one.verdict), order.index(one.label))):
        found[f"{source_of(verdict)}: {label.replace('_', ' ')}"].append(verdict)
    return dict(found)


def agreement(labelled: Sequence[Labelled]) -> list[LabelAgreement]:
    """How often Lean and people agree that a formalization compiles, by source."""
    counts: dict[str, Counter[tuple[bool | None, bool]]] = defaultdict(Counter)
    for verdict, label in labelled:
        counts[source_of(verdict)][compiled(verdict), said_to_compile(label)] += 1
    return [
        LabelAgreement(
            source=source,
            both_compile=of[True, True],
            neither=of[False, False],
            only_lean=of[True, False],
            only_people=of[False, True],
            not_judged=of[None, True] + of[None, False],
        )
        for source, of in sorted(counts.items())
    ]
