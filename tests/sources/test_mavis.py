"""MAVIS-Instruct: rows as the cards of CaraJ/MAVIS-Geometry and CaraJ/MAVIS-Function describe them."""

import json

from stepforge.sources import head_of, recognise
from stepforge.vocabulary import AnswerKind, ProblemType
from tests.sources.reading import read
from tests.sources.test_streams import parquet

WORDS = {
    "diagram_generation": "…",
    "caption": "…",
    "text_dominant_question": "AB = 4, BC = 3. Find AC.",
    "text_lite_question": "Find AC.",
    "vision_dominant_question": "Find it.",
    "CoT_reasoning": "By Pythagoras AC = 5. So the answer is B.",
}
GEOMETRY = {
    "image_text_dominant": {"bytes": b"dominant", "path": None},
    "image_text_lite": {"bytes": b"lite", "path": None},
    "image_vision_dominant": {"bytes": b"vision", "path": None},
    "answer_index": 1,
    "choices": ["4", "5", "6", "7"],
    "text_en": WORDS,
    "text_zh": WORDS,
}
FUNCTION = {
    "question": "What is the zero of the function?",
    "CoT_reasoning": "It is 2.",
    "image": {"bytes": b"plot", "path": "p.png"},
    "function_type": "polynomial",
    "extra_info": {"premise": "…", "conditions": ["…"], "question": "zero?", "analytic": "f(x) = x - 2", "answer": "2"},
}


def test_geometry_takes_the_text_lite_version_and_the_letter_of_the_index():
    data = parquet([GEOMETRY, GEOMETRY | {"answer_index": 9}])
    assert recognise("visualization.parquet", head_of(data)) == "mavis"
    outcome = read("visualization.parquet", data, "mavis")
    (problem,) = outcome.kept
    assert (problem.question, problem.problem_type) == ("Find AC.\n<image_1>", ProblemType.CHOICE)
    assert (problem.answer.text, problem.solution) == ("B", WORDS["CoT_reasoning"])
    assert problem.images[0].name == "image_text_lite_1"
    assert "answer_index: '9' is none of the 4 options" in outcome.rejections[0].detail


def test_geometry_without_a_text_lite_question_takes_the_text_dominant_one_with_its_own_diagram():
    data = parquet([GEOMETRY | {"text_en": WORDS | {"text_lite_question": ""}}])
    (problem,) = read("v.parquet", data, "mavis").kept
    assert problem.question.startswith("AB = 4")
    assert problem.images[0].name == "image_text_dominant_1"


def test_a_function_has_its_answer_and_its_type():
    data = parquet([FUNCTION])
    assert recognise("visualization_small.parquet", head_of(data)) == "mavis"
    (problem,) = read("v.parquet", data, "mavis").kept
    assert (problem.answer.kind, problem.answer.text) == (AnswerKind.NUMBER, "2")
    assert (problem.solution, problem.knowledge_concepts) == ("It is 2.", ("polynomial",))
    assert problem.question == "What is the zero of the function?\n<image_1>"


def test_one_question_with_two_diagrams_is_two_problems():
    other = FUNCTION | {"image": {"bytes": b"another plot", "path": "q.png"}}
    assert len({p.problem_id for p in read("v.parquet", parquet([FUNCTION, other]), "mavis").kept}) == 2


def test_rows_as_json_name_their_diagrams():
    row = FUNCTION | {"image": "plots/1.png"}
    (problem,) = read("mavis_function.json", json.dumps([row])).kept
    assert (problem.source, problem.images[0].name) == ("mavis", "plots/1.png")
