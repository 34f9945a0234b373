"""What the reviews of a chain have in common: a solution cut into steps or milestones, judged and perhaps cut anew."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from stepforge.records import Milestone, Problem, ReviewAnswer, ReviewItem, ReviewOutcome, Step
from stepforge.review._base import (
    COMMENT,
    Answers,
    Block,
    Candidate,
    Question,
    Reviewed,
    Ruling,
    problem_blocks,
    shown_images,
    told,
)

SOUND = "sound"
FAULTS = ("too_coarse", "too_fine", "step_missing", "wrong_order", "not_self_contained", "wrong_content")
QUESTIONS = (
    Question("verdict", "Is the decomposition as it should be?", (SOUND, "unsound")),
    Question("faults", "What is wrong with it", FAULTS, many=True, required=False, compared=False),
    Question("corrected", "How it should be, one a line, if you can say so", required=False, rows=8),
    COMMENT,
)


def chains(problems: Sequence[Problem], rows: Sequence[Step] | Sequence[Milestone], name: str) -> Iterator[Candidate]:
    """A candidate for each reference path: the problem, and the lines of the path, numbered from 1."""
    by_id = {problem.problem_id: problem for problem in problems}
    found: dict[tuple[str, int], dict[int, str]] = defaultdict(dict)
    for row in rows:
        if row.problem_id in by_id:
            found[row.problem_id, row.path][row.index] = row.text
    for (problem_id, path), lines in sorted(found.items()):
        problem = by_id[problem_id]
        chain = Block(name, lines=tuple(text for _, text in sorted(lines.items())))
        blocks = (*problem_blocks(problem), chain)
        yield Candidate(f"{problem_id}|{path}", problem_id, blocks, shown_images(problem))


def ruling(_item: ReviewItem, answers: Answers) -> Ruling:
    """An unsound chain is refused, or corrected where people agreed how."""
    if told(answers, "verdict") == SOUND:
        return Ruling()
    lines = tuple(line.strip() for value in answers.get("corrected", ()) for line in value.splitlines() if line.strip())
    if not lines:
        return Ruling(refused_by=f"verdict:{told(answers, 'verdict')}")
    return Ruling(corrections=(ReviewAnswer(field="reference_path", values=lines),))


def apply_path(reviewed: Reviewed, outcome: ReviewOutcome) -> Reviewed:
    """The corrected lines in place of those of the path."""
    path = int(outcome.item.record_id.rsplit("|", 1)[1])
    paths = dict(reviewed.paths)
    for correction in outcome.corrections:
        paths[path] = correction.values
    return reviewed._replace(paths=paths)
