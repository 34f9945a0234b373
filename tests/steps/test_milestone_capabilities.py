"""The capability of a milestone is that of the step whose result it is."""

from stepforge.steps.milestones import milestone_capabilities, milestones
from tests.steps.samples import eggs, geolaux, gsm8k, steps_of


def test_each_milestone_has_the_capability_of_the_step_that_establishes_it() -> None:
    steps = steps_of(eggs())
    (problem_id,) = {step.problem_id for step in steps}
    made = milestones([eggs()], steps).kept
    (path,) = milestone_capabilities(steps)[problem_id]
    by_text = {step.text: step.capability for step in steps}
    assert len(path) == len(made)
    assert set(path) <= set(by_text.values())


def test_real_references_have_one_capability_a_milestone() -> None:
    for problems in (gsm8k()[:60], geolaux()[:60]):
        steps = steps_of(*problems)
        found = milestone_capabilities(steps)
        counted: dict[tuple[str, int], int] = {}
        for row in milestones(problems, steps).kept:
            counted[row.problem_id, row.path] = counted.get((row.problem_id, row.path), 0) + 1
        assert counted
        assert {(p, k): len(path) for p, paths in found.items() for k, path in enumerate(paths)} == counted
