"""The last filter before tasks: items whose reference holds up (AgenticMathBench, trajectory filtering)."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from stepforge.outcome import Outcome, Tick, no_tick, reject
from stepforge.records import AuxiliaryLine, Item, LeanVerdict, Milestone, Problem, Rejection, Step, Trajectory
from stepforge.vocabulary import CheckVerdict, Difficulty, Disposition, LeanOutcome, Modality, Reason

STAGE = "filtered_items"
COMPOSITE = "composite"


class Parts(NamedTuple):
    """All that earlier stages made of one batch's problems."""

    problems: Sequence[Problem]
    steps: Sequence[Step]
    milestones: Sequence[Milestone]
    auxiliary_lines: Sequence[AuxiliaryLine]
    trajectories: Sequence[Trajectory]
    lean_verdicts: Sequence[LeanVerdict]


class _Finding(NamedTuple):
    reason: Reason
    detail: str
    disposition: Disposition


def milestone_level(count: int) -> Difficulty | None:
    """MAMath-Bench's levels: easy 1-3 milestones, medium 4-6, hard above (the paper's bands meet at 6); None for 0."""
    if count == 0:
        return None
    if count <= 3:
        return Difficulty.EASY
    return Difficulty.MEDIUM if count <= 6 else Difficulty.HARD


def modality_of(problem: Problem) -> Modality:
    """What must be read to solve the problem; figures that were not delivered cannot be."""
    delivered = 0 if problem.figures_missing else len(problem.images)
    if delivered == 0:
        return Modality.TEXT
    return Modality.IMAGE_TEXT if delivered == 1 else Modality.MULTI_IMAGE


def _check_lean(verdict: LeanVerdict | None) -> _Finding | None:
    if verdict is None or verdict.outcome is LeanOutcome.ACCEPTED:
        return None
    why = "; ".join(verdict.reasons) or "no reason given"
    if "lean3_source" in verdict.reasons:
        detail = "the statement is Lean 3, which no Lean 4 can judge; give a port to Lean 4, or the problem without it"
        return _Finding(Reason.LEAN3_SOURCE, detail, Disposition.DROPPED)
    if verdict.outcome is LeanOutcome.REJECTED:
        return _Finding(Reason.LEAN_REJECTED, f"Lean refuses the statement: {why}", Disposition.DROPPED)
    return _Finding(Reason.LEAN_UNAVAILABLE, f"the statement was not checked: {why}", Disposition.QUARANTINED)


def _check_answer(trajectory: Trajectory | None) -> _Finding | None:
    if trajectory is None or trajectory.verdict is not CheckVerdict.WRONG:
        return None
    final = (trajectory.final_answer or "")[:80]
    detail = f"the solution ends in {final!r}, which is not the answer; mend one of them"
    return _Finding(Reason.ANSWER_CONTRADICTS_SOLUTION, detail, Disposition.QUARANTINED)


def _group(problem: Problem) -> tuple[str, str] | None:
    """The composite group by source and the source's own id of it."""
    return None if problem.group_id is None else (problem.source, problem.group_id)


def _broken_groups(problems: Sequence[Problem]) -> dict[tuple[str, str] | None, str]:
    """Composite groups that lack a part, with what they have."""
    roles: dict[tuple[str, str] | None, set[str]] = defaultdict(set)
    for problem in problems:
        if problem.group_id is not None:
            roles[_group(problem)].add(problem.group_role or "")
    broken: dict[tuple[str, str] | None, str] = {}
    for group, have in roles.items():
        subs = {role for role in have if role != COMPOSITE}
        expected = {f"sub_{k}" for k in range(1, len(subs) + 1)}
        if COMPOSITE not in have or len(subs) < 2 or subs != expected:
            broken[group] = ", ".join(sorted(have))
    return broken


def _by_problem(rows: Sequence[Step] | Sequence[Milestone] | Sequence[AuxiliaryLine]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        found[row.problem_id].append(row.text)
    return found


def filtered_items(parts: Parts, tick: Tick = no_tick) -> Outcome[Item]:
    """One item a problem whose reference holds up, in the order: Lean, final answer, completeness of its group."""
    lean = {v.problem_id: v for v in parts.lean_verdicts}
    reference = {t.problem_id: t for t in parts.trajectories}
    findings: dict[str, _Finding] = {}
    for problem in parts.problems:
        found = _check_lean(lean.get(problem.problem_id)) or _check_answer(reference.get(problem.problem_id))
        if found is not None:
            findings[problem.problem_id] = found
    broken = _broken_groups([p for p in parts.problems if p.problem_id not in findings])
    steps, milestones = _by_problem(parts.steps), _paths(parts.milestones)
    auxiliary: dict[str, list[AuxiliaryLine]] = defaultdict(list)
    for line in parts.auxiliary_lines:
        auxiliary[line.problem_id].append(line)
    kept: list[Item] = []
    rejections: list[Rejection] = []
    for problem in parts.problems:
        pid = problem.problem_id
        found = findings.get(pid)
        if found is None and _group(problem) in broken:
            detail = (
                f"of group {problem.group_id} only {broken[_group(problem)]} remain; see the other parts' rejections"
            )
            found = _Finding(Reason.INCOMPLETE_GROUP, detail, Disposition.QUARANTINED)
        if found is not None:
            where = f"{problem.provenance.path} {problem.provenance.locator}"
            rejections.append(
                reject(
                    STAGE,
                    pid,
                    found.reason,
                    f"{where}: {found.detail}",
                    problem_id=pid,
                    evidence=problem.question,
                    disposition=found.disposition,
                )
            )
        else:
            verdict = reference[pid].verdict if pid in reference else CheckVerdict.UNDECIDED
            outcome = lean[pid].outcome if pid in lean else None
            kept.append(_item(problem, steps[pid], milestones[pid], tuple(auxiliary[pid]), verdict, outcome))
        tick(1)
    return Outcome(kept, rejections, [p.problem_id for p in parts.problems])


def _paths(milestones: Sequence[Milestone]) -> dict[str, tuple[tuple[str, ...], ...]]:
    grouped: dict[str, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    for milestone in sorted(milestones, key=lambda m: (m.problem_id, m.path, m.index)):
        grouped[milestone.problem_id][milestone.path].append(milestone.text)
    found: dict[str, tuple[tuple[str, ...], ...]] = defaultdict(tuple)
    found.update({pid: tuple(tuple(texts) for _, texts in sorted(paths.items())) for pid, paths in grouped.items()})
    return found


def _item(
    problem: Problem,
    steps: list[str],
    paths: tuple[tuple[str, ...], ...],
    auxiliary: tuple[AuxiliaryLine, ...],
    verdict: CheckVerdict,
    lean: LeanOutcome | None,
) -> Item:
    longest = max((len(path) for path in paths), default=0)
    return Item(
        problem_id=problem.problem_id,
        problem=problem,
        steps=tuple(steps),
        reference_paths=paths,
        auxiliary_lines=auxiliary,
        step_length=problem.reference_step_length or (len(steps) or None),
        difficulty=problem.difficulty or milestone_level(longest),
        modality=modality_of(problem),
        answer_check=verdict,
        lean=lean,
    )
