"""MathArena: rows in the forms of its contests, in JSON Lines and in Parquet."""

import io

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from stepforge.sources import recognise
from stepforge.sources._stream import head_of
from stepforge.vocabulary import AnswerKind, ProblemType
from tests.sources.published import accepts, one, refusal
from tests.sources.reading import read

MATHARENA = {
    "problem_idx": 2,
    "problem": "Find the number of ways, that is $N$.",
    "answer": 588,
    "problem_type": ["Combinatorics", "Number Theory"],
}
PROOFS = {
    "problem_idx": "1",
    "problem": "Prove that $d$ divides.",
    "points": 7,
    "grading_scheme": [{"title": "Idea", "points": 2, "desc": "…"}],
    "sample_solution": "By induction.",
}
TRAIN = "data/train-00000-of-00001.parquet"


def parquet(*rows):
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(list(rows)), sink)
    return sink.getvalue()


def test_a_row_has_the_contests_name_in_its_id():
    problem = one(MATHARENA, "MathArena/hmmt_feb_2025/data/train.jsonl")
    assert problem.problem_id == "matharena/hmmt_feb_2025-2"
    assert (problem.subject, problem.knowledge_concepts) == ("Combinatorics", ("Number Theory",))
    assert (problem.answer.kind, problem.answer.text) == (AnswerKind.NUMBER, "588")
    assert problem.licence == "CC BY-NC-SA 4.0"


@pytest.mark.parametrize(
    ("path", "source_id"),
    [
        ("aime_2025/data/train-00000-of-00001.jsonl", "aime_2025-2"),
        ("aime_2025.jsonl", "aime_2025-2"),
        ("MathArena/aime_2025/default/train/0000.jsonl", "aime_2025-2"),
    ],
)
def test_the_layout_of_a_data_set_is_no_name_of_a_contest(path, source_id):
    assert one(MATHARENA, path).source_id == source_id


def test_rows_of_parquet_are_those_of_json():
    data = parquet(MATHARENA, {**MATHARENA, "problem_idx": 3, "answer": 70, "problem_type": None})
    path = f"MathArena/aime_2025/{TRAIN}"
    problems = read(path, data, recognise(path, head_of(data))).kept
    assert [(p.source_id, p.answer.text, p.subject) for p in problems] == [
        ("aime_2025-2", "588", "Combinatorics"),
        ("aime_2025-3", "70", None),
    ]


def test_an_answer_in_latex_is_compared_as_mathematics():
    problem = one({**MATHARENA, "answer": "\\frac{9 \\sqrt{23}}{23}"})
    assert accepts(problem, "9/\\sqrt{23}")


def test_a_row_without_an_answer_is_a_proof():
    problem = one(PROOFS)
    assert (problem.problem_type, problem.answer, problem.solution) == (ProblemType.PROOF, None, "By induction.")


def test_a_problem_that_is_an_image_is_its_figure():
    row = {"problem_idx": 4, "image": {"bytes": b"\x89PNG\r\n\x1a\n1", "path": "4.png"}, "answer": "C"}
    data = parquet(row)
    path = f"kangaroo_2025_1-2/{TRAIN}"
    (problem,) = read(path, data, recognise(path, head_of(data))).kept
    assert (problem.source, problem.question, len(problem.images)) == ("matharena", "<image_1>", 1)


def test_what_is_not_as_the_format_says_is_named():
    assert "problem: it is empty, and there is no image" in refusal({**MATHARENA, "problem": ""}, "matharena")
    assert "problem_idx: expected a text" in refusal({**MATHARENA, "problem_idx": None}, "matharena")


def test_the_outputs_of_models_are_no_problems():
    output = {**MATHARENA, "model_name": "a-model", "answer": "So it is \\boxed{71}.", "gold_answer": "70"}
    assert "answer: it is a model's reply" in refusal(output, "matharena")


def test_a_set_of_several_contests_tells_their_problems_apart():
    problem = one({**MATHARENA, "problem_idx": 1, "competition": "AIME 2025"}, f"final_answer_comps/{TRAIN}")
    assert problem.source_id == "AIME-2025-1"
