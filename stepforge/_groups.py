"""Composite problems in the report: the states of We-Math, and accuracy by steps, knowledge concept and domain."""

from collections import defaultdict
from collections.abc import Container, Mapping, Sequence

import numpy as np

from stepforge._bootstrap import percentile_interval, ratio_interval, resampled_sums
from stepforge.metrics._base import Measure
from stepforge.metrics._wemath_rows import Composite, Part
from stepforge.metrics.knowledge_mastery import concept_measures, domain_measures, step_accuracy, sub_accuracy
from stepforge.metrics.wemath import Group, State, rates, state
from stepforge.records import Judgement, ReportRow, Score, Task
from stepforge.vocabulary import NOT_COUNTED, Failure, TaskKind

COMPOSITE = "composite"
FAA = "FAA"


def group_rows(
    by_id: Mapping[str, Task], judgements: Sequence[Judgement], scores: Sequence[Score], *, seed: int, resamples: int
) -> list[ReportRow]:
    """We-Math's rates of each system over composite problems with every part answered, whole and by source: IK, IG,
    CM, RM and score, strict and loose; `groups_incomplete` counts the others, n the groups there are.
    A reply that is empty, refused or unparsable is an answer, a wrong one; a reply that is missing is none.
    Then S1, S2 and S3, the accuracy on sub-problems and on composites of two and three steps, a missing reply being
    wrong; S1 also by knowledge concept, and by domain (a subject) as the mean over its concepts.  An answer is
    right where its FAA is 1: a judge's word counts where the engine is undecided.  Only sample 0 is read."""
    rows: list[ReportRow] = []
    for system in sorted({j.system for j in judgements}):
        judged = {j.task_id: j for j in judgements if j.system == system and j.sample == 0}
        right = {s.task_id for s in scores if s.system == system and s.sample == 0 and s.metric == FAA and s.value == 1}
        found = _groups(by_id, judged, right)
        for source in sorted({source for source, _ in found}):
            groups = [group for (of, _), group in sorted(found.items()) if of == source]
            rows += _rows(system, "source", source, [group.group() for group in groups], seed, resamples)
            rows += _accuracies(system, "source", source, groups, _STEPS, seed, resamples)
        if found:
            groups = [group for _, group in sorted(found.items())]
            rows += _rows(system, "all", "all", [group.group() for group in groups], seed, resamples)
            rows += _accuracies(system, "all", "all", groups, _STEPS, seed, resamples)
            for breakdown, of in (("knowledge_concept", concept_measures), ("domain", domain_measures)):
                for measure in of(groups):
                    one = [measure._replace(name="S1")]
                    rows += _accuracies(system, breakdown, measure.name, groups, one, seed, resamples)
    return rows


_STEPS: Sequence[Measure] = (
    Measure("S1", "accuracy on sub-problems", "N_right / N", sub_accuracy),
    Measure("S2", "accuracy on composite problems of two steps", "N_right / N", step_accuracy(2)),
    Measure("S3", "accuracy on composite problems of three steps", "N_right / N", step_accuracy(3)),
)


def _groups(
    by_id: Mapping[str, Task], judged: Mapping[str, Judgement], right: Container[str]
) -> dict[tuple[str, str], Composite]:
    """Groups by source and id; a part without a task of its own is a part that was not answered."""
    parts: dict[tuple[str, str], dict[str, Part | None]] = defaultdict(dict)
    for task_id, task in by_id.items():
        if task.group_id is not None and task.group_role is not None and task.kind is TaskKind.SOLVE:
            parts[task.source, task.group_id][task.group_role] = _part(
                task, judged.get(task_id), right=task_id in right
            )
    found = {}
    for key, by_role in parts.items():
        roles = [role for role in by_role if role.startswith("sub_") and role[4:].isdigit()]
        last = max((int(role[4:]) for role in roles), default=0)
        subs = tuple(by_role.get(f"sub_{k}") for k in range(1, min(last, 99) + 1))
        found[key] = Composite(subs, by_role.get(COMPOSITE))
    return found


def _part(task: Task, judgement: Judgement | None, *, right: bool) -> Part | None:
    """The question as answered; None where it could not be read or was not asked."""
    if judgement is None or judgement.failure in NOT_COUNTED:
        return None
    answered = None if judgement.failure is Failure.MISSING else right
    return Part(answered, tuple((name, task.subject) for name in task.knowledge_concepts))


def _accuracies(
    system: str,
    breakdown: str,
    name: str,
    groups: Sequence[Composite],
    measures: Sequence[Measure],
    seed: int,
    resamples: int,
) -> list[ReportRow]:
    """A row for each measure that counts something; n are the questions counted, intervals resample the groups."""
    rows = []
    for measure in measures:
        sums = np.array([found for group in groups if (found := measure.sums(group)) is not None], dtype=np.float64)
        if not len(sums):
            continue
        drawn = resampled_sums(sums, key=f"{seed}|{system}|{measure.name}|{breakdown}|{name}", resamples=resamples)
        interval = percentile_interval(measure.statistic(drawn))
        rows.append(
            ReportRow(
                system=system,
                metric=measure.name,
                breakdown=breakdown,
                group=name,
                n=int(sums[:, 1::2].sum()),
                value=float(measure.statistic(sums.sum(axis=0)[None, :])[0]),
                low=interval.low,
                high=interval.high,
            )
        )
    return rows


def _rows(
    system: str, breakdown: str, name: str, groups: Sequence[Group], seed: int, resamples: int
) -> list[ReportRow]:
    complete = [group for group in groups if group.complete]
    incomplete = len(groups) - len(complete)

    def row(metric: str, n: int, value: float | None, top: Sequence[float], bottom: Sequence[float]) -> ReportRow:
        key = f"{seed}|{system}|{metric}|{breakdown}|{name}"
        interval = ratio_interval(np.array(top), np.array(bottom), key=key, resamples=resamples)
        return ReportRow(
            system=system,
            metric=metric,
            breakdown=breakdown,
            group=name,
            n=n,
            value=value,
            low=interval.low,
            high=interval.high,
        )

    rows = [row("groups_incomplete", len(groups), float(incomplete), (), ())]
    ones = [1.0] * len(complete)
    for strict, suffix in ((True, "strict"), (False, "loose")):
        states = [state(group, strict=strict) for group in complete]
        rate = rates(complete, strict=strict)
        cost = {State.IG: 0.5, State.CM: 1.0}
        solved = [float(s in {State.RM, State.CM}) for s in states]
        values = {"IK": rate.ik, "IG": rate.ig, "CM": rate.cm, "RM": rate.rm}
        for metric, value in values.items():
            if metric in {"IK", "IG"} and not strict:
                continue  # the same in both settings
            top = [float(s is State(metric)) for s in states]
            label = metric if metric in {"IK", "IG"} else f"{metric}_{suffix}"
            rows.append(row(label, len(complete), value, top, solved if metric == "RM" else ones))
        gained = [cost.get(s, 0.0) if s else 0.0 for s in states]
        rows.append(row(f"wemath_score_{suffix}", len(complete), rate.score, gained, ones))
    return rows
