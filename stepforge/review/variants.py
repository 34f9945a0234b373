"""Whether a perturbed chain has the defect that it should have and no other (MAMath-Bench, negative samples)."""

from collections.abc import Iterator

from stepforge.records import ReviewAnswer, ReviewItem
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
    step_numbers,
    told,
)
from stepforge.vocabulary import DefectKind

NONE, SEVERAL = "none", "several"


def _candidates(material: Material) -> Iterator[Candidate]:
    by_id = {problem.problem_id: problem for problem in material.problems}
    for variant in material.variants:
        problem = by_id.get(variant.problem_id)
        if problem is None:
            continue
        blocks = (*problem_blocks(problem, solution=False), Block("Chain", lines=variant.steps))
        places = ", ".join(str(place + 1) for place in variant.location)
        expected = (
            ReviewAnswer(field="defect", values=(variant.kind,)),
            ReviewAnswer(field="location", values=(places,)),
        )
        yield Candidate(
            variant.variant_id, problem.problem_id, blocks, shown_images(problem), expected, content=variant.steps
        )


def _ruling(item: ReviewItem, answers: Answers) -> Ruling:
    """A chain is refused if people found another defect, or the defect at another place.  A missing step has a place
    between two steps, which may be told by either."""
    expected = {answer.field: answer.values for answer in item.expected}
    defect = told(answers, "defect")
    if (defect,) != expected["defect"]:
        return Ruling(refused_by=f"defect:{defect}")
    named, due = (set(step_numbers(told(of, "location"))) for of in (answers, expected))
    near = {place - 1 for place in due} | due if defect == DefectKind.MISSING else due
    right = bool(named) and named <= near if defect == DefectKind.MISSING else named == due
    return Ruling() if right else Ruling(refused_by="location:elsewhere")


register(
    ReviewKind(
        name="variants",
        title="Defect of a perturbed chain",
        stage="variants",
        reads=("variants",),
        instruction="The chain may have a defect. Say which, and the numbers of the steps that it concerns.",
        questions=(
            Question("defect", "The defect of the chain", (*DefectKind, NONE, SEVERAL)),
            Question(
                "location",
                "Numbers of the steps, as 3 or 2, 5 (missing: of the step before which it is missing)",
                required=False,
                numbers=True,
            ),
            COMMENT,
        ),
        candidates=_candidates,
        ruling=_ruling,
        whole=False,
    )
)
