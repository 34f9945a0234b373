"""Pictures of text told from figures with letters, by an OCR detector in a killable worker."""

import io
import random

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from resources.imaging import detected_text_share, facts_of
from resources.workers import Workers
from stepforge.images import MIN_GLYPHS, image_facts, text_share
from stepforge.selection._limits import MAX_TEXT_SHARE
from tests.shared_data import shared


def encoded(image):
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


def written(lines, chars=46):
    """A picture of a paragraph."""
    image = Image.new("RGB", (620, 16 + 26 * lines), "white")
    pen, rng = ImageDraw.Draw(image), random.Random(lines)
    for number in range(lines):
        words = "".join(rng.choice("abcdefghiklmnoprstu    ") for _ in range(chars))
        pen.text((10, 8 + 26 * number), words, fill="black", font=ImageFont.load_default(20))
    return encoded(image)


def figure():
    """A triangle with its letters and a few lengths."""
    image = Image.new("RGB", (500, 400), "white")
    pen = ImageDraw.Draw(image)
    pen.polygon([(60, 350), (440, 350), (250, 60)], outline="black", width=3)
    for at, text in (
        ((40, 355), "A"),
        ((450, 355), "B"),
        ((250, 35), "C"),
        ((230, 360), "12 cm"),
        ((120, 190), "9 cm"),
    ):
        pen.text(at, text, fill="black", font=ImageFont.load_default(22))
    return encoded(image)


def test_the_share_of_an_area_counts_overlaps_once():
    square = np.array([[0, 0], [49, 0], [49, 49], [0, 49]], dtype=np.float64)
    assert text_share((100, 100), []) == 0.0
    assert text_share((100, 100), [square]) == pytest.approx(0.25, abs=0.01)
    assert text_share((100, 100), [square, square]) == pytest.approx(0.25, abs=0.01)
    assert text_share((100, 100), [square * 10 - 50]) == 1.0


def test_only_what_has_marks_like_letters_enough_is_looked_at():
    assert image_facts(figure()).glyphs < MIN_GLYPHS <= image_facts(written(8)).glyphs
    assert not image_facts(b"junk").may_be_text


def test_a_picture_of_text_is_over_the_limit_and_a_figure_is_not_measured():
    items = [figure(), written(8), written(20), b"junk"]
    with Workers(1) as workers:
        facts = list(facts_of(iter(items), workers))
    assert facts[0].text_share is facts[3].text_share is None
    assert facts[1].text_share > MAX_TEXT_SHARE
    assert facts[2].text_share > MAX_TEXT_SHARE


@pytest.mark.slow
def test_no_published_figure_is_a_picture_of_text():
    folders = [shared(f"geolaux/{name}") for name in ("mini_original_images", "mini_auxiliary_images")]
    folders += [shared(f"wemath/{name}/image") for name in ("2steps", "3steps")]
    contents = {path.read_bytes() for folder in folders for path in folder.iterdir()}
    looked = [data for data in contents if image_facts(data).may_be_text]
    assert len(contents) > 500
    assert 0 < len(looked) < 0.1 * len(contents)  # the detector is dear: it looks at few
    assert max(map(detected_text_share, looked)) < MAX_TEXT_SHARE / 2
