"""Stage milestones: self-contained units of conditions, rule and conclusion (MAMath-Bench, dataset organization)."""

import re
from collections.abc import Sequence
from itertools import groupby

from stepforge.outcome import Outcome, Tick, no_tick, not_applicable
from stepforge.records import Milestone, Problem, Rejection, Step
from stepforge.steps.chains import by_problem
from stepforge.steps.facts import plain
from stepforge.steps.text import clean, one_line
from stepforge.vocabulary import Capability, Method, Reason

STAGE = "milestones"

_ESTABLISHES = re.compile(
    r"[0-9=＝<>≤≥≠≈⊥∥∽≌∈≡]|\\(?:in|equiv|mid|subset|approx|Rightarrow|implies|boxed)\b|∴|所以|因此|[是为有]"
    r"|\b(?:so|thus|hence|therefore|must|is|are|has|have|follows)\b"
)
_OPENS = re.compile(
    r"^[\s(（0-9)）.]*(?:设|令|记|辅助线|连[接结]|[Ll]et\b|Suppose\b|Assume\b|Denote\b|Consider\b|[Ss]ubstitut"
    r"|Now,? (?:consider|let)\b|(?:Step|Case) [0-9]+[.:]?$|We (?:can |will |now )?(?:write|want|need|show|prove)\b)"
)


def milestones(problems: Sequence[Problem], steps: Sequence[Step], tick: Tick = no_tick) -> Outcome[Milestone]:
    """One milestone a step, by problem, path and index; a step that establishes nothing of its own (`Let x be …`, a
    construction, a heading) is merged into the next one, or into the one before at the end of a chain.  Conditions: the
    step's premises and the conclusions of the milestones that it uses.  Input ids: problem ids."""
    chains = by_problem(steps)
    kept: list[Milestone] = []
    rejections: list[Rejection] = []
    for problem in problems:
        rows: list[Milestone] = []
        for _, path in groupby(chains.get(problem.problem_id, []), key=lambda step: step.path):
            rows += _of_path(list(path))
        kept += rows
        if not rows:
            why = f"{problem.problem_id}: there are no steps to make milestones from; see stage solution_steps"
            rejections.append(not_applicable(STAGE, problem.problem_id, Reason.NO_SOLUTION, why))
        tick(1)
    return Outcome(kept, rejections, [problem.problem_id for problem in problems])


def establishes(step: Step) -> bool:
    """Whether the step states a result, rather than naming objects or announcing what comes."""
    text = plain(step.text)
    if "∴" in text or step.depends_on:
        return True
    return _OPENS.match(text) is None and _ESTABLISHES.search(text) is not None


def _groups(path: Sequence[Step]) -> list[list[Step]]:
    groups: list[list[Step]] = []
    waiting: list[Step] = []
    for step in path:
        waiting.append(step)
        if establishes(step):
            groups.append(waiting)
            waiting = []
    if waiting and groups:
        groups[-1] += waiting
    elif waiting:
        groups.append(waiting)
    return groups


def milestone_capabilities(steps: Sequence[Step]) -> dict[str, list[list[Capability]]]:
    """By problem and reference path, the capability of each milestone that `milestones` makes of the steps: that of the
    step whose result it is."""
    found: dict[str, list[list[Capability]]] = {}
    for problem_id, chain in by_problem(steps).items():
        paths = [list(path) for _, path in groupby(chain, key=lambda step: step.path)]
        found[problem_id] = [[_head(group).capability for group in _groups(path)] for path in paths]
    return found


def _head(group: Sequence[Step]) -> Step:
    """The step whose result the milestone is: the last that establishes one."""
    return next((step for step in reversed(group) if establishes(step)), group[-1])


def _of_path(path: Sequence[Step]) -> list[Milestone]:
    groups = _groups(path)
    home = {step.index: at for at, group in enumerate(groups) for step in group}
    heads = [_head(group) for group in groups]
    found = []
    for at, (group, head) in enumerate(zip(groups, heads, strict=True)):
        uses = sorted({home[i] for step in group for i in step.depends_on} - {at})
        opening = [one_line(step.text) for step in group if step.index < head.index]
        own = [*opening, *head.premises]
        conditions = tuple(dict.fromkeys([*own, *(heads[i].conclusion for i in uses)]))
        found.append(
            Milestone(
                problem_id=head.problem_id,
                path=head.path,
                index=at,
                conditions=conditions,
                rule=next((step.rule for step in (head, *group) if step.rule), None),
                conclusion=head.conclusion,
                text="\n".join(clean(step.text) for step in group),
                method=Method.RULES,
            )
        )
    return found
