"""Composite problems in the report: the states of We-Math."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from stepforge._bootstrap import ratio_interval
from stepforge.metrics import faa
from stepforge.metrics.wemath import Group, State, rates, state
from stepforge.records import Judgement, ReportRow, Task
from stepforge.vocabulary import Failure, TaskKind

COMPOSITE = "composite"
UNANSWERED = frozenset({Failure.MISSING, Failure.NOT_ACCESSIBLE, Failure.NOT_ATTEMPTED})


def group_rows(
    by_id: Mapping[str, Task], judgements: Sequence[Judgement], *, seed: int, resamples: int
) -> list[ReportRow]:
    """We-Math's rates of each system over composite problems with every part answered, whole and by source: IK, IG,
    CM, RM and score, strict and loose; `groups_incomplete` counts the others, n the groups there are.
    A reply that is empty, refused or unparsable is an answer, a wrong one; a reply that is missing is none.
    Only sample 0 is read."""
    rows: list[ReportRow] = []
    for system in sorted({j.system for j in judgements}):
        judged = {j.task_id: j for j in judgements if j.system == system and j.sample == 0}
        found = _groups(by_id, judged)
        for source in sorted({source for source, _ in found}):
            groups = [group for (of, _), group in sorted(found.items()) if of == source]
            rows += _rows(system, "source", source, groups, seed, resamples)
        if found:
            rows += _rows(system, "all", "all", [group for _, group in sorted(found.items())], seed, resamples)
    return rows


def _groups(by_id: Mapping[str, Task], judged: Mapping[str, Judgement]) -> dict[tuple[str, str], Group]:
    """Groups by source and id; a part without a task of its own is a part that was not answered."""
    parts: dict[tuple[str, str], dict[str, bool | None]] = defaultdict(dict)
    for task_id, task in by_id.items():
        if task.group_id is not None and task.group_role is not None and task.kind is TaskKind.SOLVE:
            judgement = judged.get(task_id)
            unanswered = judgement is None or judgement.failure in UNANSWERED
            right = None if unanswered or judgement is None else faa.right(judgement.verdict)
            parts[task.source, task.group_id][task.group_role] = right
    found = {}
    for key, by_role in parts.items():
        roles = [role for role in by_role if role.startswith("sub_") and role[4:].isdigit()]
        last = max((int(role[4:]) for role in roles), default=0)
        subs = tuple(by_role.get(f"sub_{k}") for k in range(1, min(last, 99) + 1))
        found[key] = Group(subs, by_role.get(COMPOSITE))
    return found


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
            failures=0,
            not_accessible=0,
            undecided=0,
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
