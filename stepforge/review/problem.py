"""Whether a problem can be trusted: question, answer, figure, language (GeoLaux, section 3; MV-MATH, section 3.2)."""

from collections.abc import Iterator

from stepforge.records import CleaningStep, Problem, ReviewAnswer, ReviewItem, ReviewOutcome
from stepforge.review._base import (
    COMMENT,
    Answers,
    Block,
    Candidate,
    Material,
    Question,
    Reviewed,
    ReviewKind,
    Ruling,
    problem_blocks,
    register,
    shown_images,
    told,
)
from stepforge.sources._values import guess_answer

NAME = "problem"
SOUND = {
    "question": ("complete",),
    "answer": ("right", "none_is_asked"),
    "figure": ("none_is_needed", "readable"),
    "language": ("as_stated",),
}
MENDED_BY = {"question": "corrected_question", "answer": "corrected_answer", "language": "corrected_language"}


def _candidates(material: Material) -> Iterator[Candidate]:
    for problem in material.problems:
        blocks = (*problem_blocks(problem), Block("Language as stated", problem.language))
        yield Candidate(problem.problem_id, problem.problem_id, blocks, shown_images(problem))


def _ruling(_item: ReviewItem, answers: Answers) -> Ruling:
    corrections = []
    for field, sound in SOUND.items():
        said = told(answers, field)
        if said in sound:
            continue
        mended = told(answers, MENDED_BY.get(field, ""))
        if not mended:
            return Ruling(refused_by=f"{field}:{said}")
        corrections.append(ReviewAnswer(field=field, values=(mended,)))
    return Ruling(corrections=tuple(corrections))


def _apply(reviewed: Reviewed, outcome: ReviewOutcome) -> Reviewed:
    problem = reviewed.problem
    for correction in outcome.corrections:
        problem = _corrected(problem, correction.field, correction.values[0], outcome.item.item)
    return reviewed._replace(problem=problem)


def _corrected(problem: Problem, field: str, text: str, item: str) -> Problem:
    before = str(getattr(problem, field) or "") if field != "answer" else problem.answer.text if problem.answer else ""
    value: object = text if field != "answer" else guess_answer(text, problem.choices)
    trace = CleaningStep(rule=f"review:{item}", field=field, before=before, after=text)
    provenance = problem.provenance.model_copy(update={"cleaning": (*problem.provenance.cleaning, trace)})
    return problem.model_copy(update={field: value, "provenance": provenance})


register(
    ReviewKind(
        name=NAME,
        title="Soundness of a problem",
        stage="labelled_problems",
        instruction="Read the problem with its answer and solution. Say what holds; give a correction where you can.",
        questions=(
            Question("question", "Is the question complete and clear?", ("complete", "incomplete", "unclear")),
            Question("answer", "Is the reference answer right?", ("right", "wrong", "cannot_tell", "none_is_asked")),
            Question(
                "figure", "Are the figures there and readable?", ("none_is_needed", "readable", "unreadable", "missing")
            ),
            Question("language", "Is the language as stated?", ("as_stated", "other")),
            Question("corrected_answer", "The right answer, if the reference is wrong", required=False),
            Question("corrected_question", "The whole question, if it must be corrected", required=False, rows=4),
            Question("corrected_language", "The language, ISO 639-1, if it is another", required=False),
            COMMENT,
        ),
        candidates=_candidates,
        ruling=_ruling,
        apply=_apply,
        demanded=True,
    )
)
