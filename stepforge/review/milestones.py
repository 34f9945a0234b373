"""Whether the milestones of a solution are as they should be (MAMath-Bench, first-round blind review)."""

from stepforge.review import _chains
from stepforge.review._base import ReviewKind, register

register(
    ReviewKind(
        name="milestones",
        title="Milestones of a solution",
        stage="milestones",
        reads=("milestones",),
        instruction="A milestone is a self-contained unit of conditions, rule and conclusion. Are these right?",
        questions=_chains.QUESTIONS,
        candidates=lambda material: _chains.chains(material.problems, material.milestones, "Milestones"),
        ruling=_chains.ruling,
        apply=_chains.apply_path,
    )
)
