"""CROHME: InkML as the packages of IAPR TC-11 have it, and picture sets with a caption file."""

import contextlib
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from stepforge.sources import SOURCES, recognise
from stepforge.sources._ink import MARGIN_PX, SIDE_PX, BadInk, drawn, read_ink
from stepforge.vocabulary import AnswerKind
from tests.sources.reading import not_delivered, read

INK = """<?xml version="1.0"?>
<ink xmlns="http://www.w3.org/2003/InkML">
<traceFormat><channel name="X" type="decimal"/><channel name="Y" type="decimal"/></traceFormat>
<annotation type="writer">w123</annotation>
<annotation type="truth">$\\frac{a}{b}$</annotation>
<annotation type="UI">2011_IVC_DEPT_F01_E01</annotation>
<trace id="1">985 3317, 1000 3400, 1019 3340</trace>
<trace id="2">1123 3308 17, 1127 3365 20</trace>
<trace id="3">1200 3310</trace>
<traceGroup xml:id="7"><annotation type="truth">From ITF</annotation>
<traceGroup xml:id="8"><annotation type="truth">a</annotation><traceView traceDataRef="1"/></traceGroup></traceGroup>
</ink>
"""


def picture(data):
    return Image.open(io.BytesIO(data))


def test_the_ink_is_drawn_and_the_truth_is_the_answer():
    seen = {}

    def embed(name, data):
        seen[name] = data
        return not_delivered(name)

    outcome = read("train/f01.inkml", INK, figures=not_delivered)
    (problem,) = outcome.kept
    assert (problem.problem_id, problem.provenance.method) == ("crohme/2011_IVC_DEPT_F01_E01", "inkml")
    assert (problem.answer.kind, problem.answer.text) == (AnswerKind.EXPRESSION, "\\frac{a}{b}")
    assert (problem.images[0].name, problem.images[0].sha256 is None) == ("f01.png", False)
    assert "<image_1>" in problem.question
    drawn_size = picture(drawn(read_ink(INK.encode()).traces)).size
    assert max(drawn_size) == SIDE_PX + 2 * MARGIN_PX


def test_a_picture_beside_the_ink_is_taken_instead():
    (problem,) = read("train/f01.inkml", INK).kept
    assert problem.images[0].name == "f01.png"
    assert list(SOURCES["crohme"].figures("train/f01.inkml", b"")) == ["f01.png"]


def test_a_test_file_without_truth_has_no_answer_and_one_without_ui_an_id_from_its_ink():
    text = INK.replace('<annotation type="truth">$\\frac{a}{b}$</annotation>', "").replace("2011_IVC_DEPT_F01_E01", "")
    (problem,) = read("t.inkml", text).kept
    assert problem.answer is None
    assert len(problem.source_id) == 16


def test_the_same_ink_gives_the_same_bytes_with_the_strokes_where_they_were():
    strokes = [[(0.0, 0.0), (10.0, 0.0)], [(5.0, 5.0)]]
    assert drawn(strokes) == drawn(strokes)
    image = picture(drawn(strokes))
    assert image.mode == "L"
    dark = image.point(lambda level: 255 * (level < 128)).getbbox()
    assert dark[0] <= MARGIN_PX + 2
    assert dark[2] >= SIDE_PX + MARGIN_PX - 2
    assert image.getpixel((MARGIN_PX + SIDE_PX // 2, MARGIN_PX)) == 0
    assert image.getpixel((MARGIN_PX, image.height - 1)) == 255


@given(
    st.lists(
        st.lists(st.tuples(st.floats(-1e11, 1e11), st.floats(-1e11, 1e11)), min_size=1, max_size=6),
        min_size=1,
        max_size=4,
    )
)
def test_any_ink_fits_into_the_picture(strokes):
    width, height = picture(drawn(strokes)).size
    assert max(width, height) <= SIDE_PX + 2 * MARGIN_PX
    assert min(width, height) >= 1 + 2 * MARGIN_PX


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("<ink>" + "<a>" * 10_000, "nested deeper than 64"),
        ('<!DOCTYPE x [<!ENTITY a "b">]><ink>&a;</ink>', "document type"),
        ("<ink><trace>1 2, 3</trace></ink>", "'3' is no point"),
        ("<ink><trace>1 nan</trace></ink>", "out of range"),
        ("<ink><trace>1 2", "not well-formed"),
        ("<html></html>", "not 'ink'"),
        ("<ink>" + "<trace>1 1</trace>" * 5_001 + "</ink>", "more than 5000 traces"),
        ("<ink><trace>" + "1 1," * 200_001 + "</trace></ink>", "200000 points"),
    ],
)
def test_a_file_that_is_no_ink_says_why(text, why):
    with pytest.raises(BadInk, match=why):
        read_ink(text.encode())


def test_a_caption_file_gives_each_picture_its_latex():
    text = "18_em_1 \\frac { a } { b }\n18_em_2\tx ^ { 2 }\n"
    assert recognise("2014/caption.txt", text.encode()) == "crohme"
    first, second = read("2014/caption.txt", text).kept
    assert (first.source_id, first.answer.text, first.images[0].name) == (
        "18_em_1",
        "\\frac { a } { b }",
        "18_em_1.bmp",
    )
    assert second.answer.text == "x ^ { 2 }"
    assert list(SOURCES["crohme"].figures("2014/caption.txt", text.encode())) == ["18_em_1.bmp", "18_em_2.bmp"]


@given(st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
def test_any_bytes_are_ink_or_refused(data):
    with contextlib.suppress(BadInk):
        read_ink(data)
