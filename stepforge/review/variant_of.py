"""Whether a problem that was linked to another as a variant is another problem, or the same one again."""

import re
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

_MARK = re.compile(r"<image_(\d{1,3})>")
ANOTHER, SAME = "another_problem", "same_problem"


def _candidates(material: Material) -> Iterator[Candidate]:
    """Problems whose original is in the batch, too; beside one that is elsewhere nothing can be shown."""
    by_id = {problem.problem_id: problem for problem in material.problems}
    for problem in material.problems:
        first = by_id.get(problem.variant_of or "")
        if first is not None:
            images = (*shown_images(first), *shown_images(problem))
            blocks = (
                *_under("First problem", problem_blocks(first, solution=False), 0),
                *_under("Second problem", problem_blocks(problem, solution=False), len(shown_images(first))),
            )
            yield Candidate(problem.problem_id, problem.problem_id, blocks, images)


def _under(name: str, blocks: tuple[Block, ...], figures_before: int) -> tuple[Block, ...]:
    """The blocks of one problem; its figures are numbered after those of the one before it."""

    def renumbered(text: str) -> str:
        return _MARK.sub(lambda mark: f"<image_{int(mark[1]) + figures_before}>", text)

    return tuple(
        Block(f"{name}: {block.title.lower()}", renumbered(block.text), tuple(map(renumbered, block.lines)))
        for block in blocks
    )


def _ruling(_item: ReviewItem, answers: Answers) -> Ruling:
    said = told(answers, "relation")
    return Ruling(refused_by=f"relation:{said}") if said == SAME else Ruling()


register(
    ReviewKind(
        name="variant_of",
        title="Another problem, or the same again",
        stage="labelled_problems",
        instruction="Two problems, or one in two forms? Other numbers or another figure make another problem.",
        questions=(Question("relation", "The second problem is", (ANOTHER, SAME, "cannot_tell")), COMMENT),
        candidates=_candidates,
        ruling=_ruling,
    )
)
