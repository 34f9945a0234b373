"""The problems that pass every rule, and the duplicates among them."""

import hashlib
import json
import re
from collections.abc import Sequence

from stepforge.outcome import Outcome, Tick, no_tick, reject
from stepforge.records import Problem, Rejection
from stepforge.selection._rules import Finding, finding_of
from stepforge.vocabulary import Reason

STAGE = "selected_problems"

_SPACE = re.compile(r"\s+")


def identity(problem: Problem) -> str:
    """Hash of what makes the problem itself: texts without case and white space, and figures by content.

    Numbers count: the same words with other numbers are another problem. So does an added auxiliary line in a figure.
    Parts of different composite problems may be the same on purpose, so the group counts, too; and so does a
    formalization that people labelled: other Lean for the same words is another thing to judge."""
    texts = [problem.question, *(f"{choice.label} {choice.text}" for choice in problem.choices)]
    folded = [_SPACE.sub("", text).casefold() for text in texts]
    images = [image.sha256 or image.name for image in problem.images]
    group = problem.group_id and [problem.source, problem.group_id]
    judged = problem.formal_label and problem.lean_statement
    return hashlib.sha256(json.dumps([folded, images, group, judged]).encode()).hexdigest()


def selected_problems(problems: Sequence[Problem], tick: Tick = no_tick) -> Outcome[Problem]:
    """The problems that pass every rule, the first by id of each set of duplicates among them."""
    kept: list[Problem] = []
    rejections: list[Rejection] = []
    first: dict[str, str] = {}
    for problem in sorted(problems, key=lambda p: p.problem_id):
        found = finding_of(problem)
        if found is None:
            same = first.setdefault(identity(problem), problem.problem_id)
            if same == problem.problem_id:
                kept.append(problem)
            else:
                detail = f"the same question, options and figures as {same}"
                found = Finding(Reason.DUPLICATE_PROBLEM, detail, problem.question)
        if found is not None:
            where = f"{problem.provenance.path} {problem.provenance.locator}"
            rejections.append(
                reject(
                    STAGE,
                    problem.problem_id,
                    found.reason,
                    f"{where}: {found.detail}",
                    problem_id=problem.problem_id,
                    evidence=found.evidence,
                    disposition=found.disposition,
                )
            )
        tick(1)
    return Outcome(kept, rejections, [p.problem_id for p in problems])
