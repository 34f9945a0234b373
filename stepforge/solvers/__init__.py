"""Systems that answer tasks without a network: two controls that calibrate the scorer, and replies from a file."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from stepforge.outcome import Outcome
from stepforge.records import Prediction, Task
from stepforge.registry import Registry
from stepforge.vocabulary import Failure, Modality


@dataclass(frozen=True)
class SolveOptions:
    """What a solver is told.  `modalities`: those that the system reads, None for all; tasks of another modality are
    not accessible to it.  `replies` by task id and `partial` are for `replay`."""

    system: str
    sample: int = 0
    modalities: frozenset[Modality] | None = None
    replies: Mapping[str, str] = field(default_factory=dict)
    partial: bool = False


class Reply(NamedTuple):
    """A reply, or the reason that there is none."""

    text: str | None
    failure: Failure | None


@dataclass(frozen=True)
class Solver:
    """A registered system: `answer` makes one reply."""

    name: str
    answer: Callable[[Task, SolveOptions], Reply]

    def predict(self, tasks: Sequence[Task], options: SolveOptions) -> Outcome[Prediction]:
        """One prediction a task, sorted by task id; a task that the system cannot read is a prediction that says so."""
        kept = [self._prediction(task, options) for task in sorted(tasks, key=lambda t: t.task_id)]
        return Outcome(kept, [], [task.task_id for task in tasks])

    def _prediction(self, task: Task, options: SolveOptions) -> Prediction:
        if options.modalities is not None and task.modality not in options.modalities:
            reply = Reply(None, Failure.NOT_ACCESSIBLE)
        else:
            reply = self.answer(task, options)
        return Prediction(
            task_id=task.task_id,
            system=options.system,
            sample=options.sample,
            reply=reply.text,
            failure=reply.failure,
        )


SOLVERS: Registry[Solver] = Registry("stepforge.solvers")
