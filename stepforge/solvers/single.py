"""One model, asked each task once (or `samples` times) with the task's own instruction."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from stepforge.asking import Answered, ModelReply, ModelRequest, Part, rejection_of, user
from stepforge.outcome import Outcome
from stepforge.prompting import PROMPTS
from stepforge.records import ImageRef, Prediction, Rejection, Task
from stepforge.solvers import SOLVERS, SolveOptions, not_accessible
from stepforge.vocabulary import Failure, Finish, ModelFailureKind, PartKind

STAGE = "predictions"

# what the model did is its answer, for better or worse; what the provider or the budget did is nobody's
_OWN_DOING = {
    ModelFailureKind.TRUNCATED: (Finish.LENGTH, None),
    ModelFailureKind.REFUSED: (Finish.REFUSAL, Failure.REFUSED),
    ModelFailureKind.CONTENT_FILTERED: (Finish.CONTENT_FILTER, Failure.REFUSED),
}


@dataclass(frozen=True)
class Single:
    """A single model."""

    name: str = "single"

    def predict(self, tasks: Sequence[Task], options: SolveOptions) -> Outcome[Prediction]:
        """A prediction a task and sample, sorted by task id.  A request that failed for the provider's or the budget's
        sake is a quarantined rejection of its task: such a task is in no denominator until it is asked again."""
        if options.ask is None:
            raise ValueError("the solver 'single' needs `ask`")
        ordered = sorted(tasks, key=lambda t: t.task_id)
        readable = first_of([task for task in ordered if options.can_read(task)], options.limit)
        asked = {task.task_id for task in readable}
        samples = range(options.samples)
        requests = (request_of(task, options.role, k) for task in readable for k in samples)
        answered = options.ask(requests, None)
        kept: list[Prediction] = []
        rejections: list[Rejection] = []
        for task in ordered:
            if not options.can_read(task):
                kept.append(not_accessible(task, options))
                continue
            if task.task_id not in asked:
                kept.append(not_accessible(task, options).model_copy(update={"failure": Failure.NOT_ATTEMPTED}))
                continue
            of_task = [_prediction(task, k, answered[_id(task, k)], options) for k in samples]
            refused = [r for r in of_task if isinstance(r, Rejection)]
            rejections += refused[:1]
            kept += [] if refused else [p for p in of_task if isinstance(p, Prediction)]
        return Outcome(kept, rejections, [task.task_id for task in tasks])


def first_of(tasks: Sequence[Task], limit: int | None) -> list[Task]:
    """At most `limit` of the tasks, drawn by a hash of their ids: a greater limit adds tasks and takes none away.
    Sorted by id."""
    if limit is None or limit >= len(tasks):
        return list(tasks)
    drawn = sorted(tasks, key=lambda t: hashlib.sha256(t.task_id.encode("utf-8", "surrogatepass")).digest())[:limit]
    return sorted(drawn, key=lambda t: t.task_id)


def _id(task: Task, sample: int) -> str:
    return f"{task.task_id}|{sample}"


def request_of(task: Task, role: str, sample: int = 0) -> ModelRequest:
    """What the model is asked: the task's instruction, question, options, numbered steps and figures; never its
    target."""
    language = "zh" if task.language.startswith("zh") else "en"
    prompt = PROMPTS[f"ask_task_{language}/v1"].render(
        instruction=task.instruction,
        question=task.question,
        has_choices=len(task.choices),
        choices="\n".join(f"{choice.label}. {choice.text}" for choice in task.choices),
        has_steps=len(task.chain),
        steps="\n".join(f"Step {k}: {step}" for k, step in enumerate(task.chain, start=1)),
    )
    return ModelRequest(
        request_id=_id(task, sample),
        role=role,
        messages=(user(prompt.text, *(_image(image) for image in task.images if image.sha256)),),
        sample=sample,
        prompt_id=prompt.prompt_id,
        prompt_sha256=prompt.sha256,
    )


def _image(image: ImageRef) -> Part:
    return Part(kind=PartKind.IMAGE, sha256=image.sha256, media_type=image.media_type)


def _prediction(task: Task, sample: int, answered: Answered, options: SolveOptions) -> Prediction | Rejection:
    if isinstance(answered, ModelReply):
        reply, finish = answered.text, answered.finish
        failure = None if reply.strip() else Failure.EMPTY
    elif answered.kind in _OWN_DOING:
        finish, failure = _OWN_DOING[answered.kind]
        reply = answered.reply or ""
        failure = failure or (None if reply.strip() else Failure.EMPTY)
    else:
        return rejection_of(answered, STAGE, task.task_id, task.problem_id)
    return Prediction(
        task_id=task.task_id,
        system=options.system,
        sample=sample,
        reply=reply,
        failure=failure,
        finish=finish,
        tokens_in=answered.tokens_in,
        tokens_out=answered.tokens_out,
        cost_usd=answered.cost_usd,
        latency_s=answered.latency_s if isinstance(answered, ModelReply) else None,
        reply_key=answered.key,
    )


SOLVERS.register(Single())
