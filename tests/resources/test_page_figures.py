"""Figures cut out of pages by their ink."""

import hashlib
import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFont

from resources._page_figures import Rect, TextBox, figures_of
from tests.resources.scanned import PAPER, noisy, pixels, text_lines

HIGH = 26  # of a letter, pixels
WIDE = 1000


class Sheet:
    """A page with what is drawn on it and the boxes of its text."""

    def __init__(self, high=1200):
        self.image = Image.new("L", (WIDE, high), PAPER)
        self.pen = ImageDraw.Draw(self.image)
        self.texts = []

    def text(self, x, y, words, size=HIGH):
        font = ImageFont.load_default(size)
        self.pen.text((x, y), words, fill=20, font=font)
        self.texts.append(TextBox(words, Rect(*(float(side) for side in self.pen.textbbox((x, y), words, font=font)))))

    def lines(self, y, n, seed=1):
        for k, words in enumerate(text_lines(seed, n)):
            self.text(70, y + 50 * k, words)

    def triangle(self, x, y, side):
        at = [(x, y + side), (x + side, y + side), (x + side // 2, y), (x, y + side)]
        self.pen.line(at, fill=20, width=3)
        return Rect(x, y, x + side, y + side)

    def figures(self, pictures=()):
        return figures_of(pixels(self.image), self.texts, pictures)


def around(cut, box, slack):
    """Whether the cut holds the box and little more."""
    holds = cut.x0 <= box.x0 and cut.y0 <= box.y0 and cut.x1 >= box.x1 and cut.y1 >= box.y1
    return holds and cut.x0 >= box.x0 - slack and cut.y0 >= box.y0 - slack and cut.x1 <= box.x1 + slack


def test_a_page_of_text_has_no_figure():
    sheet = Sheet()
    sheet.lines(70, 20)
    assert sheet.figures() == []


@settings(max_examples=15, deadline=None)
@given(
    st.integers(80, 600),
    st.integers(340, 700),
    st.integers(90, 280),
    st.integers(0, 1000),
    st.booleans(),
)
def test_a_drawing_among_text_is_cut_out_whole(x, y, side, seed, noise):
    sheet = Sheet()
    sheet.lines(70, 4, seed)
    sheet.lines(y + side + 60, 3, seed + 1)
    box = sheet.triangle(x, y, side)
    if noise:
        sheet.image = noisy(sheet.image, seed, 6.0)
    (cut,) = sheet.figures()
    assert around(cut, box, 14)
    with Image.open(io.BytesIO(cut.png)) as image:
        assert image.size == (cut.x1 - cut.x0, cut.y1 - cut.y0)
        assert image.mode == "L"


def test_the_letters_at_the_corners_come_with_the_drawing_and_the_marks_of_options_do_not():
    sheet = Sheet()
    sheet.lines(70, 4)
    sheet.triangle(300, 400, 260)
    sheet.text(422, 368, "A")
    sheet.text(276, 655, "B")
    sheet.text(563, 655, "C")
    sheet.text(262, 520, "A.")
    (cut,) = sheet.figures()
    assert cut.y0 < 376
    assert 262 + 8 < cut.x0 < 282
    assert cut.y1 > 675


def test_two_drawings_side_by_side_are_two_figures_from_left_to_right():
    sheet = Sheet()
    sheet.lines(70, 3)
    boxes = [sheet.triangle(x, 400, 200) for x in (560, 120)]
    first, second = sheet.figures()
    assert around(first, boxes[1], 14)
    assert around(second, boxes[0], 14)


def test_what_is_no_figure_is_left_out():
    sheet = Sheet()
    sheet.lines(70, 4)
    sheet.pen.line([(70, 300), (930, 300)], fill=20, width=2)  # a rule across
    sheet.pen.line([(400, 350), (560, 350)], fill=20, width=2)  # a blank to fill in
    sheet.pen.rectangle([20, 20, WIDE - 20, 1180], outline=20, width=3)  # the page's frame
    sheet.pen.rectangle([60, 395, 940, 560], outline=20, width=2)  # a note
    for k in range(3):
        sheet.text(80, 410 + 48 * k, "a long line of a note that stands in a frame of its own")
    sheet.pen.rectangle([0, 0, 25, 1200], fill=10)  # the edge of the scanner's glass
    assert sheet.figures() == []


def test_a_drawing_that_an_engine_read_as_a_letter_is_a_drawing():
    sheet = Sheet()
    sheet.lines(70, 4)
    sheet.pen.ellipse([300, 400, 520, 620], outline=20, width=3)
    sheet.texts.append(TextBox("O", Rect(298, 398, 522, 622)))
    (cut,) = sheet.figures()
    assert around(cut, Rect(300, 400, 520, 620), 14)


def test_a_number_line_is_a_figure_though_it_is_thin():
    sheet = Sheet()
    sheet.lines(70, 4)
    sheet.pen.line([(200, 400), (700, 400)], fill=20, width=2)
    for k in range(6):
        sheet.pen.line([(220 + 90 * k, 388), (220 + 90 * k, 412)], fill=20, width=2)
        sheet.text(212 + 90 * k, 418, str(k))
    (cut,) = sheet.figures()
    assert cut.x0 <= 200
    assert cut.x1 >= 700
    assert cut.y0 <= 388
    assert cut.y1 >= 435  # its numbers are part of it


def test_a_picture_of_scattered_marks_is_one_figure():
    sheet = Sheet()
    sheet.lines(70, 4)
    for k in range(30):
        sheet.pen.ellipse([200 + 60 * (k % 6), 400 + 60 * (k // 6), 206 + 60 * (k % 6), 406 + 60 * (k // 6)], fill=20)
    assert sheet.figures() == []
    (cut,) = sheet.figures([Rect(180, 380, 560, 700)])
    assert around(cut, Rect(180, 380, 560, 700), 14)


def test_a_picture_behind_the_whole_page_is_no_figure():
    sheet = Sheet()
    sheet.lines(70, 10)
    assert sheet.figures([Rect(0, 0, WIDE, 1200)]) == []


def test_a_coloured_figure_keeps_its_colours():
    sheet = Sheet()
    sheet.lines(70, 3)
    shown = pixels(sheet.image)
    shown[400:600, 300:500] = (200, 30, 30)
    (cut,) = figures_of(shown, sheet.texts)
    with Image.open(io.BytesIO(cut.png)) as image:
        assert image.getpixel((100, 100)) == (30, 30, 200)


def test_the_same_page_gives_the_same_bytes():
    def made():
        sheet = Sheet()
        sheet.lines(70, 4)
        sheet.triangle(200, 400, 300)
        return [hashlib.sha256(cut.png).hexdigest() for cut in sheet.figures()]

    assert made() == made()
    assert len(made()) == 1


@pytest.mark.parametrize("kind", ["noise", "stripes", "black"])
def test_a_raster_over_the_whole_page_ends_and_gives_few_figures(kind):
    rng = np.random.default_rng(1)
    shown = {
        "noise": rng.integers(0, 256, (1500, 1200, 3)),
        "stripes": np.broadcast_to((np.arange(1200) % 7 < 3)[None, :, None] * 255, (1500, 1200, 3)),
        "black": np.zeros((1500, 1200, 3)),
    }[kind]
    assert len(figures_of(np.ascontiguousarray(shown, np.uint8), [])) <= 200
