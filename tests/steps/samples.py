"""Problems for the tests of steps and of what is made of them: own texts, and rows of the real data sets."""

import json
from functools import cache

from hypothesis import strategies as st

from stepforge.records import Answer, Problem, Provenance, Step
from stepforge.steps.segment import solution_steps
from stepforge.vocabulary import AnswerKind, Complexity, ProblemType
from tests.shared_data import shared

EGGS = (
    "Mia's hens lay 24 eggs a day. She keeps 6 and sells the rest for $2 each. How much does she earn in 5 days?",
    "She sells 24 - 6 = <<24-6=18>>18 eggs a day.\nThat brings 18 * 2 = $<<18*2=36>>36 a day.\n"
    "In 5 days she earns 36 * 5 = $<<36*5=180>>180.",
)
CIRCLE = (
    "如图，AB是⊙O的直径，△ABC内接于⊙O，∠B=35°，求∠A的度数。",
    "解：∵AB是⊙O的直径，\n∴∠ACB=90°，\n∴∠A+∠B=90°，\n∵∠B=35°，\n∴∠A=90°-35°=55°。\n故答案为：55°。",
)


def make_problem(
    name: str,
    question: str,
    solution: str | None,
    *,
    language: str = "en",
    answer: str | None = None,
    kind: AnswerKind = AnswerKind.NUMBER,
    problem_type: ProblemType = ProblemType.FREE_FORM,
    **more: object,
) -> Problem:
    return Problem.model_validate(
        {
            "problem_id": name,
            "source": "own",
            "source_id": name,
            "language": language,
            "question": question,
            "problem_type": problem_type,
            "answer": None if answer is None else Answer(kind=kind, text=answer),
            "solution": solution,
            "licence": "own",
            "provenance": Provenance(document_id="d", path="p", locator="row:1", method="json"),
            **more,
        }
    )


def eggs(**more: object) -> Problem:
    return make_problem("own/eggs", *EGGS, answer="180", **more)  # type: ignore[arg-type]


def circle(**more: object) -> Problem:
    return make_problem("own/circle", *CIRCLE, language="zh", answer="55", **more)  # type: ignore[arg-type]


def steps_of(*problems: Problem) -> list[Step]:
    return solution_steps(list(problems)).kept


@cache
def gsm8k() -> tuple[Problem, ...]:
    rows = [json.loads(line) for line in shared("gsm8k/test.jsonl").read_text("utf-8").splitlines()]
    found = []
    for i, row in enumerate(rows):
        solution, _, answer = row["answer"].partition("\n####")
        found.append(make_problem(f"gsm8k/{i:04}", row["question"], solution, answer=answer.strip()))
    return tuple(found)


@cache
def geolaux() -> tuple[Problem, ...]:
    rows = json.loads(shared("geolaux/GeoLaux_minidata.json").read_text("utf-8"))
    levels = {0: None, 1: Complexity.SIMPLE, 2: Complexity.COMPLEX}
    found = []
    for name, row in sorted(rows.items()):
        proof = row["type"] == "proving"
        problem = make_problem(
            f"geolaux/{name}",
            row["problem_text"],
            row["solution"],
            language="zh",
            answer=None if proof else row["number_answer"],
            problem_type=ProblemType.PROOF if proof else ProblemType.FREE_FORM,
            reference_step_length=row["step_length"],
            auxiliary_text=None if row["auxiliary_text"] == "null" else row["auxiliary_text"],
            auxiliary_complexity=levels[row["auxiliary_type"]],
        )
        found.append(problem)
    return tuple(found)


_PIECES = [
    "∵AB=CD，", "∴∠A=∠B，", "\n", "So 3 + 4 = 7 apples.", "Let x be the price.", " $x^2 = 4$. ", "解：", "故选：C。",
    "<<3+4=7>>", "\\[a=b.\\]", "Therefore, ", "连接AC，", "所以", "12 / 5 = 2.4", "e.g. ", "【点评】好", "∵", "(1) ",
    "= 9", "答：7个。", "Hence", "\\therefore x = 2", "解法一：", "解法二：", "The answer is: B.", "  ", "√", "((",
    "中，", "1. ", "\\[", "\\]", "$$", "\n\n", "**Key Insight**: ", "Analysis: ", "Solution: ", "---\n", "| 1 |\n",
    "Step 2: ", "① ", "<image_1>\n", "Answer: 5", "So 7 x $2 = $14.",
]  # fmt: skip
solutions: st.SearchStrategy[str] = st.lists(st.one_of(st.sampled_from(_PIECES), st.text(max_size=8)), max_size=25).map(
    "".join
)
