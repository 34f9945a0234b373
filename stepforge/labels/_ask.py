"""What the labelling models are asked, and what becomes of their replies."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from stepforge.asking import Answered, Ask, ModelReply, ModelRequest, Part, rejection_of, user
from stepforge.labels._base import LABELS, Label
from stepforge.labels._vote import Ballot
from stepforge.labels.knowledge_concepts import CONCEPTS
from stepforge.prompting import PROMPTS
from stepforge.records import LabelsReply, Problem, Rejection
from stepforge.vocabulary import ModelFailureKind, PartKind

STAGE = "labelled_problems"
ROLES = ("labeller_1", "labeller_2", "labeller_3")
PROMPT = "label_problem/v1"
MAX_SHOWN_CHARS = 40_000  # of question, options and solution; nothing longer is put to a model

# what the model itself did is its vote not cast; anything else is the provider's, the budget's or the configuration's
_ABSTAINS = frozenset(
    {
        ModelFailureKind.TRUNCATED,
        ModelFailureKind.REFUSED,
        ModelFailureKind.CONTENT_FILTERED,
        ModelFailureKind.SCHEMA_VIOLATED,
    }
)

Ballots = Mapping[str, Sequence[Ballot]]  # by label, in the order of the voters


class Labeller(NamedTuple):
    """A voter: its role, and whether its model reads figures."""

    role: str
    figures: bool = False


def open_labels(problem: Problem) -> list[Label]:
    """The labels that models are asked about: those that the problem can have and the source does not give."""
    return [label for label in LABELS if label.asked and label.applies(problem) and not label.stated(problem)]


def ballots_of(problems: Sequence[Problem], labellers: Sequence[Labeller], ask: Ask) -> dict[str, Ballots | Rejection]:
    """What the voters say of each problem that lacks a label, by id; a rejection where a provider, a budget or a batch
    holds one of them up: the next build asks again."""
    todo = [problem for problem in problems if open_labels(problem)]
    requests = (request for problem in todo if _fits(problem) for request in _requests(problem, labellers))
    answers = ask(requests, LabelsReply)
    return {problem.problem_id: _read(problem, labellers, answers) for problem in todo}


def _fits(problem: Problem) -> bool:
    texts = (problem.question, problem.solution or "", *(choice.text for choice in problem.choices))
    return sum(map(len, texts)) <= MAX_SHOWN_CHARS


def _requests(problem: Problem, labellers: Sequence[Labeller]) -> Iterator[ModelRequest]:
    shown = () if problem.figures_missing else tuple(image for image in problem.images if image.sha256)
    for labeller in labellers:
        images = shown if labeller.figures else ()
        prompt = PROMPTS[PROMPT].render(
            question=problem.question,
            choices="\n".join(f"{choice.label}. {choice.text}" for choice in problem.choices),
            solution=problem.solution or "",
            images=len(problem.images),
            shown_figures=len(images),
            has_choices=len(problem.choices),
            has_solution=int(bool(problem.solution)),
            concepts="\n".join(f"- {concept.name}" for concept in CONCEPTS),
        )
        figures = (Part(kind=PartKind.IMAGE, sha256=image.sha256, media_type=image.media_type) for image in images)
        yield ModelRequest(
            request_id=_request_id(problem, labeller),
            role=labeller.role,
            messages=(user(prompt.text, *figures),),
            prompt_id=prompt.prompt_id,
            prompt_sha256=prompt.sha256,
        )


def _request_id(problem: Problem, labeller: Labeller) -> str:
    return f"{problem.problem_id}|{labeller.role}"


def _read(problem: Problem, labellers: Sequence[Labeller], answers: Mapping[str, Answered]) -> Ballots | Rejection:
    replies: list[LabelsReply | None] = []
    for labeller in labellers:
        answered = answers.get(_request_id(problem, labeller))
        if isinstance(answered, ModelReply):
            replies.append(LabelsReply.model_validate_json(answered.structured or ""))
        elif answered is None or answered.kind in _ABSTAINS:
            replies.append(None)
        else:
            return rejection_of(answered, STAGE, problem.problem_id, problem.problem_id)
    return {label.name: [_said(label, reply) for reply in replies] for label in open_labels(problem)}


def _said(label: Label, reply: LabelsReply | None) -> Ballot:
    if reply is None:
        return None
    said: str | tuple[str, ...] | None = getattr(reply, label.attribute)
    if said is None:
        return ()
    return (said,) if isinstance(said, str) else tuple(said)
