"""The control that says nothing: every metric must be 0."""

from stepforge.records import Task
from stepforge.solvers import SOLVERS, OfflineSolver, Reply, SolveOptions
from stepforge.vocabulary import Failure


def _empty(_task: Task, _options: SolveOptions) -> Reply:
    return Reply("", Failure.EMPTY)


SOLVERS.register(OfflineSolver("null", _empty))
