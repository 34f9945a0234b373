"""Geometry3K: folders as lupantech/InterGPS has them, and rows of the Hugging Face copy."""

import json

import pytest

from stepforge.sources import SOURCES, head_of, recognise
from stepforge.vocabulary import AnswerKind, ProblemType
from tests.sources.reading import read
from tests.sources.test_streams import parquet

FOLDER = {
    "problem_text": "In \\odot X, A B = 30. Find m \\widehat A B.",
    "choices": ["30", "40", "60", "80"],
    "answer": "D",
    "detailed_solution": " ",
    "problem_type_graph": ["Circle"],
    "problem_type_goal": ["Angle"],
    "id": 11,
    "precise_value": [30.0, 40.0, 60.0, 80.0],
    "compact_text": "In \\odot X, AB = 30. Find m \\widehat AB.",
    "annotat_text": "In $\\odot X, A B=30$. Find $m\\widehat{A B}$",
    "data_type": "train",
}
ROW = {
    "images": [{"bytes": b"\x89PNG one", "path": None}],
    "problem": "<image>Find $x$.",
    "answer": "40",
    "id": 7,
    "choices": ["30", "40", "60", "80"],
    "ground_truth": "B",
}


def test_a_folder_is_a_problem_with_the_diagram_beside_it():
    (problem,) = read("geometry3k/train/11/data.json", json.dumps(FOLDER)).kept
    assert (problem.problem_id, problem.problem_type) == ("geometry3k/11", ProblemType.CHOICE)
    assert problem.question == "In $\\odot X, A B=30$. Find $m\\widehat{A B}$\n<image_1>"
    assert (problem.answer.kind, problem.answer.text) == (AnswerKind.CHOICE, "D")
    assert [c.text for c in problem.choices] == ["30", "40", "60", "80"]
    assert problem.images[0].name == "img_diagram.png"
    assert problem.knowledge_concepts == ("Circle", "Angle")
    assert problem.solution is None
    assert SOURCES["geometry3k"].figures("geometry3k/train/11/data.json", b"") == ("img_diagram.png",)


def test_the_first_text_that_is_not_empty_is_the_question():
    (problem,) = read("a/data.json", json.dumps(FOLDER | {"annotat_text": ""})).kept
    assert problem.question.startswith(FOLDER["compact_text"])


def test_a_row_of_the_parquet_copy_brings_its_diagram():
    data = parquet([ROW, ROW | {"id": 8, "ground_truth": "E"}])
    assert recognise("data/train-00000-of-00001.parquet", head_of(data)) == "geometry3k"
    outcome = read("data/train.parquet", data, "geometry3k")
    (problem,) = outcome.kept
    assert problem.question == "<image_1>Find $x$."
    assert (problem.source_id, problem.answer.text) == ("7", "B")
    assert problem.images[0].sha256 is not None
    assert "no letter from A to D" in outcome.rejections[0].detail


@pytest.mark.parametrize("change", [{"choices": ["1"]}, {"answer": "30"}, {"choices": None}])
def test_a_broken_folder_names_its_field(change):
    (refused,) = read("a/data.json", json.dumps(FOLDER | change)).rejections
    assert next(iter(change)) in refused.detail
