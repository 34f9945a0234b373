"""What the search for copies is told of a problem."""

from stepforge.duplicates import Entry, Figure
from stepforge.records import Problem


def entry_of(problem: Problem) -> Entry:
    """What is compared of a problem: texts and figures by content.

    Parts of different composite problems may be the same on purpose, so a part is compared inside of its group alone;
    and so is a formalization that people labelled: other Lean for the same words is another thing to judge."""
    texts = [problem.question, *(f"{choice.label} {choice.text}" for choice in problem.choices)]
    figures = tuple(Figure(image.sha256 or f"name:{image.name}", image.phash) for image in problem.images)
    group = f"group {problem.source} {problem.group_id}" if problem.group_id else ""
    judged = f"judged {problem.lean_statement}" if problem.formal_label and problem.lean_statement else ""
    return Entry(problem.problem_id, "\n".join(texts), figures, f"{group} {judged}".strip() or None)
