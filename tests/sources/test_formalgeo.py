"""FormalGeo: one JSON file a problem, as FormalGeo/Datasets writes them."""

import json

from stepforge.sources import head_of, recognise
from stepforge.vocabulary import AnswerKind, ProblemType
from tests.sources.reading import read
from tests.sources.test_streams import parquet

PROBLEM = {
    "problem_id": 1,
    "annotation": "a_2023",
    "source": "Geometry3k-2401",
    "problem_level": 1,
    "problem_text_cn": "如图所示，AB=5。求AC。",
    "problem_text_en": "As shown in the diagram, AB=5. Find the length of AC.",
    "problem_img": "1.png",
    "construction_cdl": ["Shape(AB,BC,CA)"],
    "text_cdl": ["Equal(LengthOfLine(AB),5)"],
    "image_cdl": ["Equal(MeasureOfAngle(ABC),90)"],
    "goal_cdl": "Value(LengthOfLine(AC))",
    "problem_answer": "2*sqrt(21)",
    "theorem_seqs": ["right_triangle_judgment_angle(1,ABC)", "sine_theorem(1,ABC)", "sine_theorem(1,BCA)"],
}


def one(**change):
    (problem,) = read("formalgeo7k_v2/problems/1.json", json.dumps(PROBLEM | change)).kept
    return problem


def test_a_value_to_be_found_is_a_free_form_problem_with_the_theorems_as_its_solution():
    problem = one()
    assert (problem.problem_id, problem.language, problem.problem_type) == ("formalgeo/1", "en", ProblemType.FREE_FORM)
    assert problem.question == PROBLEM["problem_text_en"] + "\n<image_1>"
    assert (problem.answer.kind, problem.answer.text) == (AnswerKind.EXPRESSION, "2*sqrt(21)")
    assert problem.solution == "\n".join(PROBLEM["theorem_seqs"])
    assert problem.reference_step_length == 3
    assert problem.knowledge_concepts == ("right_triangle_judgment_angle", "sine_theorem")
    assert problem.images[0].name == "1.png"


def test_a_relation_is_to_be_proved():
    problem = one(goal_cdl="Relation(ParallelBetweenLine(AB,CD))", problem_answer="ParallelBetweenLine(AB,CD)")
    assert (problem.problem_type, problem.answer) == (ProblemType.PROOF, None)


def test_chinese_words_stand_in_and_a_problem_without_words_states_itself_formally():
    assert (one(problem_text_en="").question, one(problem_text_en="").language) == (
        "如图所示，AB=5。求AC。\n<image_1>",
        "zh",
    )
    assert one(problem_text_en="", problem_text_cn="").question == (
        "construction_cdl: Shape(AB,BC,CA)\ntext_cdl: Equal(LengthOfLine(AB),5)\n"
        "image_cdl: Equal(MeasureOfAngle(ABC),90)\ngoal_cdl: Value(LengthOfLine(AC))\n<image_1>"
    )


def test_a_row_of_the_parquet_copy_brings_its_diagram():
    row = {k: v for k, v in PROBLEM.items() if k != "problem_id"} | {
        "id": 5,
        "image": {"bytes": b"png", "path": "5.png"},
    }
    data = parquet([row])
    assert recognise("data/train.parquet", head_of(data)) == "formalgeo"
    (problem,) = read("data/train.parquet", data, "formalgeo").kept
    assert (problem.source_id, problem.images[0].name, len(problem.images)) == ("5", "5.png", 1)
    assert problem.images[0].sha256 is not None


def test_a_missing_goal_is_named():
    (refused,) = read("1.json", json.dumps(PROBLEM | {"goal_cdl": " "})).rejections
    assert "goal_cdl" in refused.detail
