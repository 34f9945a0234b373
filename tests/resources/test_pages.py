"""Pages of PDFs and scans."""

import io
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from resources import pages as subject
from resources._page_lines import Box, Point, reading_order, skew_deg, upright_box
from resources.pages import ENGINE_VERSION, MAX_PAGES, PageFault, PageJob, count_pages, is_sound, read_page, read_pages
from resources.workers import GIB, Workers

TEXT = ["1. How many sides has a square?", "2. How many corners has a cube?"]


def pdf(*texts, encrypt=None, size=A4):
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=size, encrypt=encrypt)
    for lines in texts:
        for i, line in enumerate(lines):
            if isinstance(line, str):
                canvas.drawString(72, 700 - 20 * i, line)
            else:
                canvas.drawImage(ImageReader(line), 72, 500, 400, 100)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def scan(lines=TEXT, angle=0.0, form="PNG"):
    image = Image.new("L", (760, 70 * len(lines) + 60), 245)
    pen = ImageDraw.Draw(image)
    for i, line in enumerate(lines):
        pen.text((40, 40 + 70 * i), line, fill=10, font=ImageFont.load_default(34))
    image = image.rotate(angle, expand=True, fillcolor=245, resample=Image.Resampling.BICUBIC)
    buffer = io.BytesIO()
    image.save(buffer, form)
    return buffer.getvalue()


def texts(page):
    return [line.text for line in page.lines]


@pytest.fixture(scope="module")
def workers():
    with Workers(1, memory_bytes=3 * GIB) as pool:
        yield pool


def test_a_sound_text_layer_is_read_as_it_is(workers):
    first, second = read_pages(
        "d", "application/pdf", pdf(TEXT, ["Answers", "1. four sides", "2. eight corners"]), workers
    )
    assert texts(first) == TEXT
    assert (first.number, second.number, first.error) == (1, 2, None)
    assert first.engine.startswith("pdf-text pypdfium2")
    assert first.lines[0].confidence is None
    assert first.lines[0].y0 < first.lines[1].y0


@pytest.mark.parametrize("rotate", [90, 180, 270])
def test_a_page_that_is_shown_turned_is_read_as_shown(rotate):
    width, height = A4  # reportlab exchanges them for a page that it turns by 90 or 270 degrees
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4)
    canvas.setPageRotation(rotate)
    canvas.translate(*{90: (72, 72), 180: (width - 72, 72), 270: (height - 72, width - 72)}[rotate])
    canvas.rotate(rotate)
    for i, line in enumerate(TEXT):
        canvas.drawString(0, -20 * i, line)
    canvas.save()
    reading = read_page(PageJob("application/pdf", buffer.getvalue(), 0))
    assert [line.text for line in reading.lines] == TEXT
    assert all(line.x1 - line.x0 > 5 * (line.y1 - line.y0) > 0 for line in reading.lines)
    assert all(0 < line.x0 < line.x1 < 842 and 0 < line.y0 < 842 for line in reading.lines)


def test_a_blank_page_has_no_lines_and_no_error(workers):
    (page,) = read_pages("d", "image/png", scan([]), workers)
    assert (page.lines, page.error) == ((), None)


def test_scans_are_read_upright_and_crooked_and_inside_a_pdf(workers):
    picture = Image.open(io.BytesIO(scan()))
    for media, data in (
        ("image/png", scan()),
        ("image/png", scan(angle=2.5)),
        ("application/pdf", pdf([picture])),
    ):
        (page,) = read_pages("d", media, data, workers)
        assert page.error is None
        assert [t.replace(" ", "") for t in texts(page)] == [t.replace(" ", "") for t in TEXT]
        assert page.engine.startswith("rapidocr")
        assert all(line.confidence > 0.8 for line in page.lines)


def test_what_cannot_be_read_is_a_page_with_an_error(workers):
    cases = [
        ("application/pdf", b"%PDF-1.7 nothing", "cannot be opened"),
        ("application/pdf", b"", "cannot be opened"),
        ("application/pdf", pdf(TEXT, encrypt="secret"), "password"),
        ("image/png", b"no image", "cannot be opened"),
        ("image/png", scan()[:600], "damaged"),
        ("application/pdf", pdf([], size=(14_000, 14_000)), "million"),
    ]
    for media, data, word in cases:
        (page,) = read_pages("d", media, data, workers)
        assert word in page.error, (word, page.error)
        assert page.lines == ()


def test_pages_beyond_the_limit_are_one_page_with_an_error(workers):
    data = pdf(*[[f"{n}. This page holds one short problem."] for n in range(MAX_PAGES + 5)])
    pages = read_pages("d", "application/pdf", data, workers)
    assert len(pages) == MAX_PAGES + 1
    assert pages[-2].error is None
    assert f"pages {MAX_PAGES + 1} to {MAX_PAGES + 5}" in pages[-1].error


def test_too_little_memory_is_an_error_of_the_page():
    with Workers(1, memory_bytes=GIB * 3 // 4) as small:
        (page,) = read_pages("d", "image/png", scan(), small)
    assert page.error


def test_frames_of_an_image_are_pages():
    first, second = (Image.open(io.BytesIO(scan([text]))) for text in TEXT)
    buffer = io.BytesIO()
    first.save(buffer, "TIFF", save_all=True, append_images=[second])
    assert count_pages(PageJob("image/tiff", buffer.getvalue(), 0)) == 2
    with pytest.raises(PageFault, match="damaged"):
        subject._frame(PageJob("image/tiff", buffer.getvalue(), 2))


def test_a_text_layer_of_unknown_glyphs_is_not_sound():
    assert is_sound("How many sides has a square?")
    assert not is_sound("Page 1")
    assert not is_sound("\ue001\ue002\ue003\ue004 how many sides has a square?")
    assert not is_sound("\ufffd\ufffd\ufffd how many sides?")
    assert is_sound("如图，在三角形中，求角的度数，以及边的长度。√3 ≥ ∠A")


def turned(box, angle_deg):
    cos, sin = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    corners = tuple(Point(p.x * cos - p.y * sin, p.x * sin + p.y * cos) for p in box.corners)
    return Box(box.text, corners, box.confidence)


@given(st.floats(-8, 8), st.permutations(range(12)))
def test_rows_come_in_order_whatever_the_slope_and_the_order_of_the_boxes(angle, order):
    boxes = []
    for row in range(6):
        boxes.append(upright_box(f"L{row}", 50, 100 + 40 * row, 450, 124 + 40 * row))
        boxes.append(upright_box(f"R{row}", 600, 101 + 40 * row, 900, 125 + 40 * row))
    shuffled = [turned(boxes[i], angle) for i in order]
    assert skew_deg(shuffled) == pytest.approx(angle, abs=0.01)
    assert [line.text for line in reading_order(shuffled)] == [f"L{row} R{row}" for row in range(6)]


def test_the_version_names_the_engines_that_read():
    assert "pypdfium2" in ENGINE_VERSION
    assert "rapidocr" in ENGINE_VERSION
