"""The control that says nothing: every metric must be 0."""

from stepforge.records import Task
from stepforge.solvers import SOLVERS, Reply, SolveOptions, Solver
from stepforge.vocabulary import Failure


def _empty(_task: Task, _options: SolveOptions) -> Reply:
    return Reply("", Failure.EMPTY)


SOLVERS.register(Solver("null", _empty))
