r"""The control that knows the reference: FAA, MA, detection, correctness and the Lean metrics must be 1, SMR and SRR 0.

Its replies are written as the instructions ask (numbered steps, `\boxed{}`, JSON), so it tests the parsing as well.
"""

from stepforge.answers.parts import format_parts
from stepforge.correctness import reply_json
from stepforge.formal import fenced_lean
from stepforge.records import Answer, Task
from stepforge.replies import detection_json
from stepforge.solvers import SOLVERS, OfflineSolver, Reply, SolveOptions
from stepforge.vocabulary import AnswerKind


def _answer_text(answer: Answer) -> str:
    text = format_parts(answer.parts) if answer.kind is AnswerKind.MULTI_PART and answer.parts else answer.text
    return " ".join(text.split())


def _balanced(text: str) -> bool:
    depth, i = 0, 0
    while i < len(text):
        if text[i] == "\\":
            i += 1
        else:
            depth += (text[i] == "{") - (text[i] == "}")
            if depth < 0:
                return False
        i += 1
    return depth == 0 and not text.endswith("\\")


def _reply(task: Task, _options: SolveOptions) -> Reply:
    target = task.target
    if target.defect is not None:
        return Reply(detection_json(target.defect, target.location, target.missing_step), None)
    if target.formal_label is not None:
        return Reply(reply_json(target.formal_label), None)
    if target.lean_statement is not None:
        return Reply(fenced_lean(target.lean_statement), None)
    lines = []
    if target.reference_paths:
        steps = target.reference_paths[0]
        lines = [f"Step {k}: {' '.join(step.split())}" for k, step in enumerate(steps, start=1)]
    if target.answer is not None:
        text = _answer_text(target.answer)
        lines.append(f"\\boxed{{{text}}}" if _balanced(text) else f"Answer: {text}")
    return Reply("\n".join(lines), None)


SOLVERS.register(OfflineSolver("oracle", _reply))
