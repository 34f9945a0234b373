"""Tasks, predictions and judgements for the tests of scoring."""

from typing import Any

from stepforge.records import Answer, Judgement, LeanVerdict, Prediction, Target, Task
from stepforge.vocabulary import AnswerKind, DefectKind, EquivalenceVerdict, TaskKind

STEPS = (
    "There are 3 bags with 4 red marbles each, so 3*4=12 red marbles.",
    "With 5 blue ones that is 12+5=17 marbles.",
)


def task(task_id: str = "t1", **given: Any) -> Task:
    fields: dict[str, Any] = {
        "task_id": task_id,
        "problem_id": f"own/{task_id}",
        "batch": "b",
        "kind": TaskKind.SOLVE,
        "source": "own",
        "language": "en",
        "modality": "text",
        "subject": "arithmetic",
        "difficulty": "easy",
        "step_length": 2,
        "problem_type": "free_form",
        "group_id": None,
        "group_role": None,
        "licence": "CC0-1.0",
        "question": f"How many marbles are there in {task_id}?",
        "choices": (),
        "images": (),
        "chain": (),
        "instruction": "",
        "target": Target(answer=Answer(kind=AnswerKind.NUMBER, text="17"), reference_paths=(STEPS,)),
        "metrics": ("FAA", "MA", "SMR", "SRR"),
    }
    return Task.model_validate({**fields, **given})


def detection_task(kind: DefectKind, location: tuple[int, ...], missing_step: str | None = None) -> Task:
    target = Target(defect=kind, location=location, missing_step=missing_step)
    return task(f"d-{kind}", kind=TaskKind(f"detect_{kind}"), target=target, chain=STEPS, metrics=("detection",))


LEAN = "theorem reference (a b : Nat) (h : a = b) : b = a := by sorry"


def formal_task(task_id: str = "f1", lean: str = LEAN) -> Task:
    target = Target(lean_statement=lean)
    metrics = ("lean_compile", "lean_align")
    return task(task_id, kind=TaskKind.FORMALIZE, target=target, metrics=metrics, problem_type="statement")


def lean_verdict(of: Task, outcome: str = "accepted", sample: int = 0, **given: Any) -> LeanVerdict:
    fields: dict[str, Any] = dict.fromkeys(LeanVerdict.model_fields)
    fields |= {"item_id": f"{of.task_id}|{sample}", "problem_id": of.problem_id, "statement": "s", "reasons": ()}
    return LeanVerdict.model_validate({**fields, "messages": (), "equivalence": (), "outcome": outcome, **given})


def multi_part_task(task_id: str = "m1") -> Task:
    answer = Answer(kind=AnswerKind.MULTI_PART, text="(1) 3; (2) $x=\\frac{1}{2}$", parts=("3", "$x=\\frac{1}{2}$"))
    metrics = ("FAA", "SAR", "QCR")
    return task(task_id, target=Target(answer=answer), problem_type="multi_step", metrics=metrics, step_length=None)


def prediction(of: Task, reply: str | None, **given: Any) -> Prediction:
    fields: dict[str, Any] = {"task_id": of.task_id, "system": "s", "sample": 0, "reply": reply, "failure": None}
    return Prediction.model_validate({**fields, **given})


def judgement(of: Task, verdict: EquivalenceVerdict | None = None, **given: Any) -> Judgement:
    fields: dict[str, Any] = dict.fromkeys(Judgement.model_fields)
    empty = dict.fromkeys(("units", "milestone_matches", "milestones_by_setting"), ())
    fields |= {**empty, "task_id": of.task_id, "system": "s", "sample": 0, "verdict": verdict}
    return Judgement.model_validate({**fields, **given})
