"""Systems that answer tasks: two controls that calibrate the scorer, replies from a file, and models that are asked."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from stepforge.asking import Ask
from stepforge.outcome import Outcome
from stepforge.records import Prediction, Task
from stepforge.registry import Registry
from stepforge.vocabulary import Failure, Modality


@dataclass(frozen=True)
class SolveOptions:
    """What a solver is told.  `modalities`: those that the system reads, None for all; tasks of another modality are
    not accessible to it.  `replies` by task id and `partial` are for `replay`; `ask`, the `role` that is asked and the
    number of `samples` a task for systems that ask a model; `limit`: how many of the readable tasks are asked."""

    system: str
    sample: int = 0
    modalities: frozenset[Modality] | None = None
    replies: Mapping[str, str] = field(default_factory=dict)
    partial: bool = False
    ask: Ask | None = None
    role: str = ""
    samples: int = 1
    limit: int | None = None

    def can_read(self, task: Task) -> bool:
        """Whether the task is accessible to the system."""
        return self.modalities is None or task.modality in self.modalities


class Reply(NamedTuple):
    """A reply, or the reason that there is none."""

    text: str | None
    failure: Failure | None


class Solver(Protocol):
    """A registered way to answer tasks."""

    @property
    def name(self) -> str:
        """Its name in the registry."""
        ...

    def predict(self, tasks: Sequence[Task], options: SolveOptions) -> Outcome[Prediction]:
        """One prediction a task and sample, sorted by task id, or the reason why there is none; a task that the system
        cannot read is a prediction that says so."""
        ...


@dataclass(frozen=True)
class OfflineSolver:
    """A system that asks nobody: `answer` makes one reply."""

    name: str
    answer: Callable[[Task, SolveOptions], Reply]

    def predict(self, tasks: Sequence[Task], options: SolveOptions) -> Outcome[Prediction]:
        """One prediction a task, sorted by task id; a task that the system cannot read is a prediction that says so."""
        kept = [self._prediction(task, options) for task in sorted(tasks, key=lambda t: t.task_id)]
        return Outcome(kept, [], [task.task_id for task in tasks])

    def _prediction(self, task: Task, options: SolveOptions) -> Prediction:
        if not options.can_read(task):
            return not_accessible(task, options)
        reply = self.answer(task, options)
        return Prediction(
            task_id=task.task_id,
            system=options.system,
            sample=options.sample,
            reply=reply.text,
            failure=reply.failure,
        )


def not_accessible(task: Task, options: SolveOptions) -> Prediction:
    """The prediction that says that the system cannot read the task; it is in no denominator."""
    return Prediction(task_id=task.task_id, system=options.system, sample=0, reply=None, failure=Failure.NOT_ACCESSIBLE)


SOLVERS: Registry[Solver] = Registry("stepforge.solvers")
