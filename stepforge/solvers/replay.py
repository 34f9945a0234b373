"""Replies from a file, scored as they are."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from stepforge.records import Task
from stepforge.solvers import SOLVERS, OfflineSolver, Reply, SolveOptions
from stepforge.vocabulary import Failure, TaskKind


def _reply(task: Task, options: SolveOptions) -> Reply:
    text = options.replies.get(task.task_id)
    if text is None:
        return Reply(None, Failure.NOT_ATTEMPTED if options.partial else Failure.MISSING)
    return Reply(text, None if text.strip() else Failure.EMPTY)


SOLVERS.register(OfflineSolver("replay", _reply))


class MatchedReplies(NamedTuple):
    """Replies by task id, and one line for each row that matches no task (or several, or has no reply)."""

    replies: dict[str, str]
    unmatched: list[str]


def _question_key(text: str) -> str:
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", text)).casefold()


class _Index:
    """Tasks by the three ways in which a row may name one."""

    def __init__(self, tasks: Sequence[Task]) -> None:
        self.by_id = {task.task_id: [task.task_id] for task in tasks}
        self.by_problem: dict[str, list[str]] = defaultdict(list)
        self.by_question: dict[str, list[str]] = defaultdict(list)
        for task in sorted(tasks, key=lambda t: t.task_id):
            if task.kind is TaskKind.SOLVE:
                self.by_problem[task.problem_id].append(task.task_id)
                self.by_question[_question_key(task.question)].append(task.task_id)

    def find(self, row: Mapping[str, object]) -> tuple[str, list[str]]:
        """How the row names its task, and the tasks that it may mean."""
        for field, index in (("task_id", self.by_id), ("problem_id", self.by_problem)):
            value = row.get(field)
            if isinstance(value, str):
                return f"{field} {value!r}", index.get(value, [])
        question = row.get("question")
        if isinstance(question, str):
            return f"question {question[:60]!r}", self.by_question.get(_question_key(question), [])
        return "no task_id, problem_id or question", []


def match_replies(tasks: Sequence[Task], rows: Iterable[Mapping[str, object]]) -> MatchedReplies:
    """Replies by task.  A row has `reply` and one of `task_id`, `problem_id` or `question` (the problem's text,
    compared without spaces and case; tasks to solve only).  A question that several tasks share is answered
    for each of them.  The first reply of a task counts; a second is reported."""
    index = _Index(tasks)
    replies: dict[str, str] = {}
    unmatched: list[str] = []
    for number, row in enumerate(rows, start=1):
        name, task_ids = index.find(row)
        reply = row.get("reply")
        if not isinstance(reply, str):
            unmatched.append(f"row {number} ({name}): no text in 'reply'")
        elif not task_ids:
            unmatched.append(f"row {number} ({name}): no such task")
        elif all(task_id in replies for task_id in task_ids):
            unmatched.append(f"row {number} ({name}): its task has a reply already")
        else:
            for task_id in task_ids:
                replies.setdefault(task_id, reply)
    return MatchedReplies(replies, unmatched)
