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
from upath import UPath

from resources import _page_read as subject
from resources._page_lines import Box, Point, reading_order, skew_deg, upright_box
from resources.blobs import Blobs
from resources.memo import Memo
from resources.ocr import ENGINES, Engine
from resources.pages import ENGINE_VERSION, MAX_PAGES, PageFault, PageJob, count_pages, read_page, read_pages
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
    (reading,) = read_page(PageJob("application/pdf", buffer.getvalue(), 0))
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


class Remote:
    """A reader elsewhere that reads its own words on every page, one of them in the drawing."""

    def __init__(self, fail_on=()):
        self.seen, self.fail_on = [], fail_on

    def __call__(self, png):
        self.seen.append(png)
        if len(self.seen) in self.fail_on:
            raise PageFault("the service is closed")
        return [upright_box("1. How many sides?", 40, 40, 600, 80), upright_box("A", 205, 215, 225, 245)]


REMOTE = Engine(
    "elsewhere", "Elsewhere", lambda _home: "elsewhere 1", lambda _home: None, remote=lambda _home: Remote()
)


def drawn(angle=0.0):
    """A scan of a line of text and a drawing."""
    image = Image.new("L", (760, 500), 245)
    pen = ImageDraw.Draw(image)
    pen.text((40, 40), "1. How many sides has a square?", fill=10, font=ImageFont.load_default(34))
    pen.rectangle([150, 200, 400, 420], outline=10, width=3)
    buffer = io.BytesIO()
    image.rotate(angle, expand=True, fillcolor=245).save(buffer, "PNG")
    return buffer.getvalue()


@pytest.fixture
def elsewhere(monkeypatch):
    known = dict(ENGINES._entries) if ENGINES["rapidocr"] else {}
    monkeypatch.setattr(ENGINES, "_entries", known | {"elsewhere": REMOTE})


class Here:
    """Workers without processes."""

    def __init__(self):
        self.n_read = 0

    def map(self, function, items, _timeout_s):
        for item in items:
            self.n_read += function is read_page
            try:
                yield function(item)
            except PageFault as error:
                yield error


def test_an_engine_elsewhere_is_given_the_upright_page_and_its_figures_are_cut(elsewhere, tmp_path):
    remote, blobs = Remote(), Blobs(UPath(tmp_path))
    (page,) = read_pages("d", "image/png", drawn(), Here(), REMOTE, remote, "elsewhere 1", blobs=blobs)
    assert page.engine == "elsewhere 1"
    assert texts(page) == ["1. How many sides?", "A"]
    with Image.open(io.BytesIO(remote.seen[0])) as shown:
        assert shown.size == (page.width, page.height) == (760, 500)
    (figure,) = page.figures
    assert 130 <= figure.x0 <= 150
    assert 400 <= figure.x1 <= 420
    with Image.open(io.BytesIO(blobs.get(figure.sha256))) as cut:
        assert cut.size == (figure.x1 - figure.x0, figure.y1 - figure.y0)


def test_a_page_that_an_engine_elsewhere_cannot_read_costs_itself_and_is_asked_again(elsewhere, tmp_path):
    memo, remote = Memo(tmp_path / "memo"), Remote(fail_on=[2])
    scans = io.BytesIO()
    first, second = (Image.open(io.BytesIO(drawn(angle))) for angle in (0, 180))
    first.save(scans, "TIFF", save_all=True, append_images=[second, first])

    def read():
        return read_pages("d", "image/tiff", scans.getvalue(), Here(), REMOTE, remote, "elsewhere 1", memo=memo)

    pages = read()
    assert [page.error for page in pages] == [None, "the service is closed", None]
    assert [page.number for page in pages] == [page.sheet for page in pages] == [1, 2, 3]
    again = read()
    assert len(remote.seen) == 4
    assert [page.error for page in again] == [None] * 3
    assert again[0] == pages[0]


def test_a_page_that_was_read_is_read_again_only_by_another_engine_or_if_its_figures_are_lost(elsewhere, tmp_path):
    memo, blobs, workers = Memo(tmp_path / "memo"), Blobs(UPath(tmp_path / "blobs")), Here()
    done = []

    def read(version="elsewhere 1"):
        found = read_pages(
            "d", "image/png", drawn(), workers, REMOTE, Remote(), version, memo=memo, blobs=blobs, tick=done.append
        )
        return found, workers.n_read

    first, _ = read()
    assert read() == (first, 1)
    assert read("elsewhere 2")[1] == 2
    blobs.path(first[0].figures[0].sha256).unlink()
    assert read() == (first, 3)
    assert done == [1] * 4


def test_the_halves_of_a_double_page_are_pages_with_their_own_numbers():
    one = Image.open(io.BytesIO(scan(TEXT * 4)))
    spread = Image.new("L", (2 * one.width, one.height + 100), 245)
    spread.paste(one, (0, 50))
    spread.paste(Image.open(io.BytesIO(scan(["3. What is a cube?", "4. What is a cone?"] * 4))), (one.width, 50))
    buffer = io.BytesIO()
    spread.rotate(90, expand=True).save(buffer, "PNG")
    left, right = read_pages("d", "image/png", buffer.getvalue(), Here())
    assert [(page.number, page.sheet, page.half) for page in (left, right)] == [(1, 1, "left"), (2, 1, "right")]
    assert (left.turned_deg, right.turned_deg) == (90, 90)
    assert {text.replace(" ", "") for text in texts(left)} == {text.replace(" ", "") for text in TEXT}
    assert {text[:2] for text in texts(right)} == {"3.", "4."}


@pytest.mark.parametrize("tag", [3, 6, 8])
def test_a_camera_s_word_on_its_own_direction_is_obeyed(tag):
    turns = {3: 180, 6: 90, 8: 270}[tag]
    image = Image.open(io.BytesIO(scan())).rotate(turns, expand=True)
    exif = Image.Exif()
    exif[0x0112] = tag
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", exif=exif, quality=95)
    shown = subject._frame(PageJob("image/jpeg", buffer.getvalue(), 0))
    wanted = subject._frame(PageJob("image/png", scan(), 0))
    assert shown.shape == wanted.shape
    assert abs(shown.astype(int) - wanted).mean() < 3


def test_a_page_upside_down_is_read_upright():
    image = Image.open(io.BytesIO(scan(TEXT * 2))).rotate(180)
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    (page,) = read_pages("d", "image/png", buffer.getvalue(), Here())
    assert page.turned_deg == 180
    assert [text.replace(" ", "") for text in texts(page)] == [text.replace(" ", "") for text in TEXT * 2]


def test_a_blank_page_is_shown_to_no_engine(elsewhere):
    remote = Remote()
    (page,) = read_pages("d", "image/png", scan([]), Here(), REMOTE, remote, "elsewhere 1")
    assert (page.lines, page.error, remote.seen) == ((), None, [])


def test_labels_of_a_figure_are_no_part_of_the_rows_beside_it():
    row, label = upright_box("and the angle", 50, 100, 450, 124), upright_box("C", 500, 101, 515, 123)
    assert [line.text for line in reading_order([row, label])] == ["and the angle C"]
    lines = reading_order([row, label], [(480, 60, 700, 300)])
    assert [line.text for line in lines] == ["and the angle", "C"]
