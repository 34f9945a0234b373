"""OlympiadBench: rows in its form, with figures, several answers, proofs and physics."""

import io
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from stepforge.sources import recognise
from stepforge.sources._stream import head_of
from stepforge.vocabulary import AnswerKind, ProblemType
from tests.sources.published import accepts, one, refusal
from tests.sources.reading import not_delivered, read

OLYMPIADBENCH = {
    "id": 2231,
    "subfield": "Geometry",
    "context": None,
    "question": "Turbo may start crawling as follows:\n<img_3362>\nDetermine the largest $C$.\n<img_3362> and <img_70>",
    "solution": ["The largest is $C=\\frac{1}{2}$, see <img_5>.", "Another way."],
    "final_answer": ["$\\frac{1}{2}$"],
    "is_multiple_answer": False,
    "unit": None,
    "answer_type": "Numerical",
    "error": None,
}


def test_a_row_has_marks_for_its_figures_and_their_names():
    problem = one(OLYMPIADBENCH, "OlympiadBench/data/OE_MM_maths_en_COMP.json")
    assert problem.problem_id == "olympiadbench/OE_MM_maths_en_COMP-2231"
    assert problem.question.count("<image_1>") == 2
    assert problem.question.endswith("<image_1> and <image_2>")
    assert [image.name for image in problem.images] == ["img_3362.jpg", "img_70.jpg"]
    assert problem.solution == "The largest is $C=\\frac{1}{2}$, see <img_5>.\n\nAnother way."
    assert (problem.subject, problem.licence, problem.language) == ("Geometry", "Apache-2.0", "en")
    assert accepts(problem, "0.5")


@pytest.mark.parametrize(
    ("texts", "parts", "right"),
    [
        (["$(2,1),(3,1)$"], ("(2,1)", "(3,1)"), "(3,1), (2,1)"),
        (["$-1, 5$"], ("-1", "5"), "5 and -1"),
        (["$2$", "$\\frac{\\sqrt{5}}{3}$"], ("$2$", "$\\frac{\\sqrt{5}}{3}$"), "\\sqrt{5}/3, 2"),
    ],
)
def test_several_answers_are_a_set(texts, parts, right):
    problem = one({**OLYMPIADBENCH, "final_answer": texts, "is_multiple_answer": True})
    assert (problem.answer.kind, problem.answer.parts) == (AnswerKind.SET, parts)
    assert accepts(problem, right)


def test_several_texts_of_one_answer_are_other_forms_of_it():
    problem = one({**OLYMPIADBENCH, "final_answer": ["$x^2$", "$y$"]})
    assert (problem.answer.text, problem.answer.alternatives) == ("$x^2$", ("$y$",))


def test_the_type_and_the_unit_of_an_answer_are_kept():
    interval = one({**OLYMPIADBENCH, "final_answer": ["$(-\\infty,1]\\cup[10,+\\infty)$"], "answer_type": "Interval"})
    assert interval.answer.kind is AnswerKind.INTERVAL
    length = one({**OLYMPIADBENCH, "final_answer": ["$12$"], "unit": "cm"})
    assert (length.answer.unit, length.answer.text) == ("cm", "$12$")
    pair = one({**OLYMPIADBENCH, "final_answer": ["$(1, 2)$"], "answer_type": "Tuple"})
    assert pair.answer.kind is AnswerKind.TUPLE


def test_a_part_to_be_proved_has_no_answer_and_a_context_stands_before_the_question():
    row = {**OLYMPIADBENCH, "context": "设 $n$ 为整数。", "question": "证明 $n=n$。", "final_answer": None}
    problem = one({**row, "is_multiple_answer": None, "answer_type": None}, "data/TP_TO_maths_zh_CEE.json")
    assert (problem.problem_type, problem.answer, problem.language) == (ProblemType.PROOF, None, "zh")
    assert problem.question == "设 $n$ 为整数。\n证明 $n=n$。"


def test_physics_is_refused_by_the_name_of_its_part_or_by_its_subject():
    why = refusal(OLYMPIADBENCH, "olympiadbench", "data/OE_TO_physics_en_COMP.json")
    assert "subject: 'physics' is no mathematics" in why
    assert "'Physics' is no mathematics" in refusal({**OLYMPIADBENCH, "subject": "Physics"}, "olympiadbench")


def test_rows_of_the_hub_have_their_figures_in_columns():
    row = {
        **{key: OLYMPIADBENCH[key] for key in ("id", "subfield", "solution", "final_answer", "answer_type")},
        "question": "See <image_1>.",
        "is_multiple_answer": False,
        "image_1": {"bytes": b"\x89PNG\r\n\x1a\n1", "path": None},
        "image_2": None,
        "question_type": "Theorem proof",
        "subject": "Math",
        "language": "Chinese",
    }
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pylist([row]), sink)
    path = "OlympiadBench/TP_MM_maths_zh_COMP/train-00000-of-00001.parquet"
    source = recognise(path, head_of(sink.getvalue()))
    (problem,) = read(path, sink.getvalue(), source).kept
    assert (problem.source, problem.problem_type, problem.language) == ("olympiadbench", ProblemType.PROOF, "zh")
    assert (problem.source_id, len(problem.images), problem.question) == (
        "TP_MM_maths_zh_COMP-2231",
        1,
        "See <image_1>.",
    )
    assert problem.images[0].sha256 is not None


def test_figures_that_were_not_delivered_are_named_all_the_same():
    (problem,) = read("OE_MM_maths_en_COMP.json", json.dumps([OLYMPIADBENCH]), figures=not_delivered).kept
    assert [image.sha256 for image in problem.images] == [None, None]


def test_what_is_not_as_the_format_says_is_named():
    assert "final_answer: expected a text or a number" in refusal(
        {**OLYMPIADBENCH, "final_answer": [{}]}, "olympiadbench"
    )
    assert "question: expected a text, got a list" in refusal({**OLYMPIADBENCH, "question": []}, "olympiadbench")
