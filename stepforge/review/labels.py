"""Labels on which the voters tied, one kind of review a label (MV-MATH, appendix F.2; AgenticMathBench, appendix C)."""

from collections.abc import Callable, Iterator
from typing import Any

from stepforge.records import LabelVote, Problem, ReviewAnswer, ReviewItem, ReviewOutcome
from stepforge.review._base import (
    COMMENT,
    Answers,
    Candidate,
    Material,
    Question,
    Reviewed,
    ReviewKind,
    Ruling,
    problem_blocks,
    register,
    shown_images,
)
from stepforge.vocabulary import Capability, Difficulty, ImageRelevance, LabelMethod, ProblemType

NONE_FITS = "none_fits"
SUBJECTS = (  # MV-MATH, figure 2
    "Analytic Geometry",
    "Algebra",
    "Metric Geometry",
    "Combinatorics",
    "Transformation Geometry",
    "Logic",
    "Solid Geometry",
    "Arithmetic",
    "Combinatorial Geometry",
    "Descriptive Geometry",
    "Statistics",
)
LABELS: dict[str, tuple[str, tuple[str, ...], Callable[[tuple[str, ...]], Any]]] = {
    "subject": ("subject", SUBJECTS, lambda said: said[0]),
    "difficulty": ("difficulty", tuple(Difficulty), lambda said: Difficulty(said[0])),
    "image_relevance": ("image_relevance", tuple(ImageRelevance), lambda said: ImageRelevance(said[0])),
    "problem_type": ("problem_type", tuple(ProblemType), lambda said: ProblemType(said[0])),
    "capability": ("capabilities", tuple(Capability), lambda said: tuple(map(Capability, said))),
    "knowledge_concept": ("knowledge_concepts", (), lambda said: tuple(t for value in said for t in value.split("\n"))),
}  # field of a vote -> field of the problem, what it may be, its value from what was said


def _question(label: str) -> Question:
    _, options, _ = LABELS[label]
    words = label.replace("_", " ")
    if not options:
        return Question("label", f"The {words}s that the solution needs, one a line", rows=3)
    several = label == "capability"
    title = f"All {words[:-1]}ies that a complete solution needs" if several else f"The {words} of the problem"
    return Question("label", title, (*options, NONE_FITS), many=several)


def _candidates(label: str) -> Callable[[Material], Iterator[Candidate]]:
    field = LABELS[label][0]

    def candidates(material: Material) -> Iterator[Candidate]:
        for problem in material.problems:
            tied = any(vote.field == label and vote.value is None for vote in problem.labels)
            if tied or getattr(problem, field):
                blocks = problem_blocks(problem)
                yield Candidate(problem.problem_id, problem.problem_id, blocks, shown_images(problem), doubtful=tied)

    return candidates


def _ruling(_item: ReviewItem, answers: Answers) -> Ruling:
    said = answers.get("label", ())
    return Ruling() if NONE_FITS in said else Ruling(corrections=(ReviewAnswer(field="label", values=said),))


def _apply(label: str) -> Callable[[Reviewed, ReviewOutcome], Reviewed]:
    field, _, value = LABELS[label]

    def apply(reviewed: Reviewed, outcome: ReviewOutcome) -> Reviewed:
        problem = reviewed.problem
        for correction in outcome.corrections:
            votes = tuple(vote for vote in problem.labels if vote.field != label)
            voters = tuple(said for vote in problem.labels if vote.field == label for said in vote.votes)
            decided = LabelVote(
                field=label,
                value=", ".join(correction.values).replace("\n", ", "),
                method=LabelMethod.REVIEW,
                votes=voters,
            )
            problem = _labelled(problem, field, value(correction.values), (*votes, decided))
        return reviewed._replace(problem=problem)

    return apply


def _labelled(problem: Problem, field: str, value: Any, votes: tuple[LabelVote, ...]) -> Problem:
    return problem.model_copy(update={field: value, "labels": votes})


for _label in LABELS:
    register(
        ReviewKind(
            name=f"label-{_label}",
            title=f"Label: {_label.replace('_', ' ')}",
            stage="labelled_problems",
            instruction="Read the problem and choose the label that fits it; you are not told what others chose.",
            questions=(_question(_label), COMMENT),
            candidates=_candidates(_label),
            ruling=_ruling,
            apply=_apply(_label),
            demanded=True,
        )
    )
