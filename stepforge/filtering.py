"""The last filter before tasks: items whose reference holds up (AgenticMathBench, trajectory filtering)."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from stepforge.outcome import Outcome, Tick, no_tick, reject
from stepforge.records import AuxiliaryLine, Item, LeanVerdict, Milestone, Problem, Rejection, Step, Trajectory
from stepforge.vocabulary import CheckVerdict, Difficulty, Disposition, LeanOutcome, Modality, ProblemType, Reason

STAGE = "filtered_items"
COMPOSITE = "composite"
MESSAGE_CHARS = 160  # of a message of Lean in a rejection


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


def _is_lean3(verdict: LeanVerdict | None) -> bool:
    return verdict is not None and Reason.LEAN3_SOURCE in verdict.reasons


def _check_lean(problem: Problem, verdict: LeanVerdict | None) -> _Finding | None:
    """What is wrong with the problem's reference in Lean.  A formalization that people labelled is not a reference but
    to be judged, whatever Lean says of it; of a problem whose Lean is Lean 3, the words stay if they ask something."""
    if problem.lean_statement is None or problem.formal_label is not None:
        return None
    if verdict is None:
        detail = "lean_verdicts has no verdict on the statement; see the rejections of that stage"
        return _Finding(Reason.LEAN_UNAVAILABLE, detail, Disposition.QUARANTINED)
    if verdict.outcome is LeanOutcome.ACCEPTED or (
        _is_lean3(verdict) and problem.problem_type is not ProblemType.STATEMENT
    ):
        return None
    if _is_lean3(verdict):
        detail = "the statement is Lean 3, which no Lean 4 can judge, and nothing else is asked; port it to Lean 4"
        return _Finding(Reason.LEAN3_SOURCE, detail, Disposition.DROPPED)
    why = "; ".join(verdict.reasons) or "no reason given"
    why += _first_message(verdict)
    if verdict.outcome is LeanOutcome.REJECTED:
        return _Finding(Reason.LEAN_REJECTED, f"Lean refuses the statement: {why}", Disposition.DROPPED)
    detail = f"the statement was not checked: {why}; see `lean-check doctor`"
    return _Finding(Reason.LEAN_UNAVAILABLE, detail, Disposition.QUARANTINED)


def _first_message(verdict: LeanVerdict) -> str:
    """The first line of the first message that is to blame, with its place; empty where there is none."""
    for message in verdict.messages:
        if message.severity in ("error", "refused"):
            text = next(iter(message.text.strip().splitlines()), "")[:MESSAGE_CHARS]
            return f" ({text})" if message.line is None else f" (line {message.line} of the statement: {text})"
    return ""


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
        verdict = lean.get(problem.problem_id)
        found = _check_lean(problem, verdict) or _check_answer(reference.get(problem.problem_id))
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
            check = reference[pid].verdict if pid in reference else CheckVerdict.UNDECIDED
            kept.append(_item(problem, steps[pid], milestones[pid], tuple(auxiliary[pid]), check, lean.get(pid)))
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
    lean: LeanVerdict | None,
) -> Item:
    if _is_lean3(lean) and problem.formal_label is None:  # Lean's verdict keeps the text and says why
        problem = problem.model_copy(update={"lean_statement": None})
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
        lean=None if lean is None else lean.outcome,
    )
