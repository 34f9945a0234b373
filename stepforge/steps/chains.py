"""Steps grouped by problem, for the stages that work on whole chains."""

from collections.abc import Iterable, Mapping

from stepforge.records import Step


def by_problem(steps: Iterable[Step]) -> dict[str, list[Step]]:
    """All steps of each problem, by path and index."""
    grouped: dict[str, list[Step]] = {}
    for step in steps:
        grouped.setdefault(step.problem_id, []).append(step)
    return {name: sorted(rows, key=lambda s: (s.path, s.index)) for name, rows in grouped.items()}


def first_path(grouped: Mapping[str, list[Step]], problem_id: str) -> list[Step]:
    """The steps of a problem's first reference path; empty if it has none."""
    return [step for step in grouped.get(problem_id, []) if step.path == 0]
