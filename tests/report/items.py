"""Evidence on one item for the tests of its page."""

from datetime import date

from stepforge.records import (
    Answer,
    Choice,
    CleaningStep,
    ImageRef,
    Item,
    JudgeVerdict,
    MilestoneMatch,
    Problem,
    Provenance,
    Score,
    Target,
    Variant,
)
from stepforge.report.evidence import Evidence, Reply
from stepforge.vocabulary import (
    AnswerKind,
    CheckVerdict,
    DefectKind,
    EquivalenceVerdict,
    Failure,
    MatchedBy,
    Method,
    Modality,
    ProblemType,
    StepError,
    TaskKind,
)
from tests.scoring_records import judgement, prediction, task

FIGURE = "ab" * 32
SYSTEMS = ("atlas", "borealis", "null")


def match(unit: int | None, *, by: MatchedBy = MatchedBy.THRESHOLD) -> MilestoneMatch:
    matched = by is not MatchedBy.NONE
    parts = dict.fromkeys(("similarity", "semantic", "equation", "numeric", "keyword"), 0.75)
    return MilestoneMatch(unit=unit, matched=matched, by=by, **parts)


def judge_verdict(of_task: str, text: str = "", **given: object) -> JudgeVerdict:
    fields: dict[str, object] = {
        "task_id": of_task,
        "system": "atlas",
        "sample": 0,
        "rubric": "steps",
        "judge": "judge",
        "model": "m-1",
        "prompt_id": "judge_steps_en/v1",
        "item": "i" * 16,
        "right": False,
        "step_scores": (1, 0, 1),
        "error_types": (None, StepError.CALCULATION, None),
        "rationale": text or "step 2 adds wrongly",
        "undecided": None,
        "reply_key": None,
    }
    return JudgeVerdict.model_validate({**fields, **given})


def evidence(text: str = "", problem_id: str = "own/t1") -> Evidence:
    """A problem with a figure, choices and two tasks; `text` stands wherever a source or a system can put text."""
    said = text or "There are $3 \\cdot 4 = 12$ marbles."
    milestones = (said, "So $12 + 5 = 17$.", "The answer is 17.")
    answer = Answer(kind=AnswerKind.NUMBER, text=text or "17", alternatives=(text or "17.0",))
    image = ImageRef(
        name=text or "a.png", sha256=FIGURE, media_type="image/png", width_px=60, height_px=40,
        sharpness=1.0, ink_share=0.1, error=None,
    )  # fmt: skip
    lost = image.model_copy(update={"sha256": None})
    shared = {"problem_id": problem_id, "question": f"In <image_1> {said} How many?", "images": (image, lost)}
    own = {"source": text or "own", "subject": text or "arithmetic", "licence": text or "CC0-1.0"}
    choices = (Choice(label="A", text=text or "$\\frac{34}{2}$"), Choice(label="B", text="18"))
    solve = task("t1", **shared, **own, choices=choices, target=Target(answer=answer, reference_paths=(milestones,)))
    missing = Target(defect=DefectKind.MISSING, location=(1,), missing_step=said)
    wrong = Target(defect=DefectKind.WRONG, location=(1,))
    detections = [
        task("d-missing", **shared, **own, kind=TaskKind.DETECT_MISSING, target=missing, chain=(said, "then 17")),
        task("d-wrong", **shared, **own, kind=TaskKind.DETECT_WRONG, target=wrong, chain=(said, "so 18", "then 17")),
    ]
    variant = Variant(
        variant_id="d-wrong", problem_id=problem_id, kind=DefectKind.WRONG, subtype="sign", seed=1, location=(1,),
        steps=(said, "so 18", "then 17"), before="so 17", after=said + " so 18", verified_by="x", method=Method.RULES,
    )  # fmt: skip
    tasks = (detections[0], detections[1], solve)
    return Evidence(
        problem_id, item(problem_id, said, answer, own, image), tasks, {"d-wrong": variant}, _replies(tasks, said)
    )


def item(problem_id: str, said: str, answer: Answer, own: dict[str, str], image: ImageRef) -> Item:
    cleaned = CleaningStep(rule="spaces", field="question", before=said, after=said)
    came = Provenance(document_id="cd" * 32, path=own["source"], locator="row:3", method="json", cleaning=(cleaned,))
    problem = Problem(
        problem_id=problem_id, source=own["source"], source_id="t1", language="en", question=said, images=(image,),
        problem_type=ProblemType.FREE_FORM, answer=answer, solution=said, licence=own["licence"], provenance=came,
        published_on=date(2026, 4, 18), lean_statement=f"theorem t : {said}",
    )  # fmt: skip
    return Item(
        problem_id=problem_id, problem=problem, steps=(said, "then 17"), reference_paths=((said, "So $12 + 5 = 17$."),),
        auxiliary_lines=(), step_length=2, difficulty=None, modality=Modality.IMAGE_TEXT,
        answer_check=CheckVerdict.RIGHT, lean=None,
    )  # fmt: skip


def _replies(tasks: tuple, said: str) -> dict[str, tuple[Reply, ...]]:
    missing, wrong, solve = tasks
    counted = {"reference_path": 0, "milestones_total": 3, "milestones_matched": 2, "units_matched": 2}
    right = judgement(
        solve, EquivalenceVerdict.EQUAL, system="atlas", answer=said, method="number", units=(said, "12+5=18", "17"),
        milestone_matches=(match(0), match(1, by=MatchedBy.EQUATION), match(2, by=MatchedBy.NONE)), **counted,
    )  # fmt: skip
    score = Score(task_id="t1", system="atlas", sample=0, metric="MA", value=2 / 3, weight=3.0, method="tf-idf matcher")
    other = judgement(solve, EquivalenceVerdict.DIFFERENT, system="borealis", answer="18", method="number")
    asked = judgement(solve, system="null", failure=Failure.NOT_ATTEMPTED)
    located = judgement(missing, system="atlas", detected_location=(1,), detection_right=True, method="location")
    astray = judgement(wrong, system="atlas", detected_location=(0,), detection_right=False, method="location")
    verdicts = (judge_verdict("t1", said), judge_verdict("t1", judge="rules", right=None, undecided="holds"))
    return {
        "t1": (
            Reply(prediction(solve, f"{said} \\boxed{{17}}", system="atlas"), right, (score,), verdicts),
            Reply(prediction(solve, said, system="borealis"), other),
            Reply(prediction(solve, None, system="null"), asked),
        ),
        "d-missing": (Reply(prediction(missing, said, system="atlas"), located),),
        "d-wrong": (Reply(prediction(wrong, said, system="atlas"), astray),),
    }
