"""The last filter before tasks: items whose reference holds up (AgenticMathBench, trajectory filtering)."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from stepforge.labels.difficulty import difficulty_of
from stepforge.outcome import Outcome, Tick, no_tick, reject
from stepforge.records import AuxiliaryLine, Item, LeanVerdict, Milestone, Problem, Rejection, Step, Trajectory
from stepforge.review import NO_REVIEWS, Material, Obeyed, Reviews, obey
from stepforge.sources._values import bare
from stepforge.vocabulary import CheckVerdict, Disposition, LeanOutcome, Modality, ProblemType, Reason

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


def _check_answer(verdict: CheckVerdict, trajectory: Trajectory | None) -> _Finding | None:
    if trajectory is None or verdict is not CheckVerdict.WRONG:
        return None
    final = (trajectory.final_answer or "")[:80]
    detail = f"the solution ends in {final!r}, which is not the answer; mend one of them"
    return _Finding(Reason.ANSWER_CONTRADICTS_SOLUTION, detail, Disposition.QUARANTINED)


def _answer_verdict(problem: Problem, trajectory: Trajectory | None, *, corrected: bool) -> CheckVerdict:
    """The end of the reference trajectory against the answer.  Where people corrected the answer: wrong if the end is
    what they found wrong, right if it is what they say, else undecided; nothing is compared anew."""
    if trajectory is None:
        return CheckVerdict.UNDECIDED
    if not corrected or problem.answer is None:
        return trajectory.verdict
    if bare(trajectory.final_answer or "") == bare(problem.answer.text):
        return CheckVerdict.RIGHT
    return CheckVerdict.WRONG if trajectory.verdict is CheckVerdict.RIGHT else CheckVerdict.UNDECIDED


def _check_review(obeyed: Obeyed, problem_id: str, *, waiting: bool) -> _Finding | None:
    refusal = obeyed.refusals.get(problem_id)
    if refusal is None or refusal.waiting is not waiting:
        return None
    if waiting:
        return _Finding(Reason.AWAITING_REVIEW, refusal.detail, Disposition.QUARANTINED)
    return _Finding(Reason.REFUSED_BY_REVIEW, refusal.detail, Disposition.DROPPED)


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


def filtered_items(parts: Parts, tick: Tick = no_tick, reviews: Reviews = NO_REVIEWS) -> Outcome[Item]:
    """One item a problem whose reference holds up, in the order: what reviewers refused, Lean, final answer, what waits
    for reviewers, completeness of its group.  What reviewers corrected is corrected, with a trace."""
    obeyed = obey(Material(parts.problems, parts.steps, parts.milestones, (), parts.trajectories), reviews)
    parts = parts._replace(problems=[_corrected(obeyed, problem) for problem in parts.problems])
    lean = {v.problem_id: v for v in parts.lean_verdicts}
    reference = {t.problem_id: t for t in parts.trajectories}
    findings: dict[str, _Finding] = {}
    checks: dict[str, CheckVerdict] = {}
    for problem in parts.problems:
        pid = problem.problem_id
        checks[pid] = _answer_verdict(problem, reference.get(pid), corrected=pid in obeyed.answers)
        found = (
            _check_review(obeyed, pid, waiting=False)
            or _check_lean(problem, lean.get(pid))
            or _check_answer(checks[pid], reference.get(pid))
            or _check_review(obeyed, pid, waiting=True)
        )
        if found is not None:
            findings[pid] = found
    broken = _broken_groups([p for p in parts.problems if p.problem_id not in findings])
    steps, milestones = _by_problem(parts.steps), _paths(parts.milestones, obeyed)
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
            kept.append(_item(problem, steps[pid], milestones[pid], tuple(auxiliary[pid]), checks[pid], lean.get(pid)))
        tick(1)
    return Outcome(kept, rejections, [p.problem_id for p in parts.problems])


def _corrected(obeyed: Obeyed, problem: Problem) -> Problem:
    reviewed = obeyed.reviewed.get(problem.problem_id)
    return problem if reviewed is None else reviewed.problem


def _paths(milestones: Sequence[Milestone], obeyed: Obeyed) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Texts of each path by problem, those that people corrected as corrected."""
    grouped: dict[str, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    for milestone in sorted(milestones, key=lambda m: (m.problem_id, m.path, m.index)):
        grouped[milestone.problem_id][milestone.path].append(milestone.text)
    for problem_id, reviewed in obeyed.reviewed.items():
        grouped[problem_id].update((path, list(texts)) for path, texts in reviewed.paths.items())
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
        difficulty=difficulty_of(problem, longest),
        modality=modality_of(problem),
        answer_check=verdict,
        lean=None if lean is None else lean.outcome,
    )
