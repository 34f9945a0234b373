"""Quality of reasoning of a trajectory: it stays only if all three criteria hold (AgenticMathBench, appendix C.5)."""

from collections.abc import Iterator

from stepforge.records import ReviewItem
from stepforge.review._base import (
    COMMENT,
    Answers,
    Block,
    Candidate,
    Material,
    Question,
    ReviewKind,
    Ruling,
    problem_blocks,
    register,
    shown_images,
    told,
)

CRITERIA = {
    "step_completeness": "Step completeness: no step that is needed is left out",
    "logical_consistency": "Logical consistency: no step contradicts another",
    "reasoning_validity": "Reasoning validity: each step follows",
}
YES = "yes"


def _candidates(material: Material) -> Iterator[Candidate]:
    by_id = {problem.problem_id: problem for problem in material.problems}
    for trajectory in material.trajectories:
        problem = by_id.get(trajectory.problem_id)
        if problem is None:
            continue
        plan = Block("Plan", lines=tuple(one.sub_goal for one in trajectory.plan))
        actions = Block("Trajectory", lines=tuple(action.text for action in trajectory.actions))
        final = Block("Final answer of the trajectory", trajectory.final_answer or "none")
        blocks = (*problem_blocks(problem), plan, actions, final)
        yield Candidate(trajectory.trajectory_id, problem.problem_id, blocks, shown_images(problem))


def _ruling(_item: ReviewItem, answers: Answers) -> Ruling:
    failed = [name for name in CRITERIA if told(answers, name) != YES]
    return Ruling(refused_by=f"{failed[0]}:{told(answers, failed[0])}") if failed else Ruling()


register(
    ReviewKind(
        name="trajectories",
        title="Reasoning quality of a trajectory",
        stage="trajectories",
        reads=("trajectories",),
        instruction="Judge the trajectory beside the reference solution, each criterion by itself.",
        questions=(*(Question(name, title, (YES, "no")) for name, title in CRITERIA.items()), COMMENT),
        candidates=_candidates,
        ruling=_ruling,
    )
)
