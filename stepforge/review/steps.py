"""Whether a solution is cut into its reasoning steps (GeoLaux, section 3: a manual review of the segmentation)."""

from stepforge.records import ReviewItem
from stepforge.review import _chains
from stepforge.review._base import Answers, ReviewKind, Ruling, register, told


def _ruling(_item: ReviewItem, answers: Answers) -> Ruling:
    """What is made of the steps is made before people speak: an unsound segmentation cannot be mended here."""
    verdict = told(answers, "verdict")
    return Ruling() if verdict == _chains.SOUND else Ruling(refused_by=f"verdict:{verdict}")


register(
    ReviewKind(
        name="steps",
        title="Segmentation of a solution",
        stage="solution_steps",
        reads=("steps",),
        instruction="A step is one inference: its premises and its conclusion. Is the solution cut where it should be?",
        questions=tuple(question for question in _chains.QUESTIONS if question.name != "corrected"),
        candidates=lambda material: _chains.chains(material.problems, material.steps, "Steps"),
        ruling=_ruling,
    )
)
