"""Image sequences merged into one."""

import hashlib
import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from resources.llm.media import LABEL_PX, MARGIN_PX, MAX_IMAGES, ROOM_PX, Unmergeable, merged, stacked
from resources.workers import Workers
from tests.resources.test_imaging import drawing, encoded, header_only

RED, BLUE = (200, 0, 0), (0, 0, 200)


def flat(colour, size=(60, 40), form="PNG", mode="RGB"):
    return encoded(Image.new(mode, size, colour), form)


def pixels(png):
    return np.asarray(Image.open(io.BytesIO(png)))


def test_images_stand_below_each_other_on_white_each_under_its_number():
    page = pixels(stacked([flat(RED), flat(BLUE, (100, 20))]))
    assert page.shape == (40 + 20 + 2 * ROOM_PX, 100 + 2 * MARGIN_PX, 3)
    first, second = LABEL_PX + MARGIN_PX, 40 + ROOM_PX + LABEL_PX + MARGIN_PX
    assert (page[first : first + 40, MARGIN_PX : MARGIN_PX + 60] == RED).all()
    assert (page[second : second + 20, MARGIN_PX : MARGIN_PX + 100] == BLUE).all()
    rest = page.copy()
    rest[first : first + 40, MARGIN_PX : MARGIN_PX + 60] = 255
    rest[second : second + 20, MARGIN_PX : MARGIN_PX + 100] = 255
    inked = np.argwhere(rest.min(axis=2) < 128)
    labels = [inked[(inked[:, 0] < first)], inked[(inked[:, 0] > first) & (inked[:, 0] < second)]]
    assert all(len(label) > 10 for label in labels)
    assert sum(map(len, labels)) == len(inked)  # ink only where the numbers stand
    shapes = [{(y - label[:, 0].min(), x) for y, x in label} for label in labels]
    assert shapes[0] != shapes[1]


def test_the_same_images_give_the_same_bytes_and_another_order_gives_others():
    images = [encoded(drawing()), encoded(drawing((200, 100)), "JPEG")]
    with Workers(1) as workers:
        once, again, other = (merged(list(order), workers) for order in (images, images, images[::-1]))
    assert once == again == stacked(images)
    assert hashlib.sha256(once).digest() != hashlib.sha256(other).digest()
    assert merged(images) == once  # with a worker of its own


def test_transparency_is_white_and_deep_and_turned_images_are_shown():
    clear = pixels(stacked([flat((0, 0, 0, 0), mode="RGBA")]))
    assert (clear[LABEL_PX + MARGIN_PX :] == 255).all()
    deep = Image.fromarray((np.arange(100 * 100, dtype=np.uint16) * 6).reshape(100, 100))
    shown = pixels(stacked([encoded(deep)]))[LABEL_PX + MARGIN_PX :, MARGIN_PX : MARGIN_PX + 100]
    assert (int(shown.min()), int(shown.max())) == (0, 255)
    turned = io.BytesIO()
    exif = Image.Exif()
    exif[0x0112] = 6  # a photograph taken with the camera upright
    Image.new("RGB", (60, 40), RED).save(turned, "JPEG", exif=exif)
    assert pixels(stacked([turned.getvalue()])).shape == (60 + ROOM_PX, 40 + 2 * MARGIN_PX, 3)


def test_what_would_be_too_large_is_scaled_down_as_a_whole(monkeypatch):
    monkeypatch.setattr("resources.llm.media.MAX_PIXELS", 500_000)
    page = pixels(stacked([flat(RED, (800, 600)), flat(BLUE, (800, 600)), flat(RED, (80, 60))]))
    assert 200_000 < page.shape[0] * page.shape[1] <= 500_000
    widths = [int((page == colour).all(axis=2).any(axis=0).sum()) for colour in (RED, BLUE)]
    assert 300 < widths[0] == widths[1] < 800


@pytest.mark.parametrize(
    ("images", "words"),
    [
        ([], "0 images"),
        ([flat(RED)] * (MAX_IMAGES + 1), "65 images"),
        ([flat(RED), b"no image"], "image 2 is no image"),
        ([header_only(60_000, 60_000)], "image 1"),
        ([header_only(10_000, 6_000)], "over 50 million"),
        ([flat(RED), header_only(100, 100)], "image 2 is damaged"),
        ([encoded(drawing(), "JPEG")[:2000]], "image 1 is damaged"),
        ([b"<svg xmlns='http://www.w3.org/2000/svg'/>"], "image 1 is no image"),
    ],
)
def test_what_cannot_be_merged_says_which_image_and_why(images, words):
    with Workers(1) as workers, pytest.raises(Unmergeable, match=words):
        merged(images, workers)


def test_a_worker_that_runs_out_of_its_limits_costs_the_images_only(monkeypatch):
    monkeypatch.setattr("resources.llm.media.TIMEOUT_S", 0.01)
    large = flat(RED, (7000, 7000))
    with Workers(1) as workers:
        with pytest.raises(Unmergeable, match="given up"):
            merged([large], workers)
        monkeypatch.undo()
        assert merged([flat(RED)], workers) == stacked([flat(RED)])


@settings(max_examples=40)
@given(
    st.lists(st.binary(max_size=40), max_size=3), st.sampled_from(["PNG", "JPEG", "GIF", "WEBP"]), st.integers(0, 99)
)
def test_any_bytes_are_merged_or_refused(junk, form, at):
    data = flat((1, 2, 3), (8, 8), form)
    images = [data[:at] + piece + data[at + len(piece) :] for piece in junk]
    try:
        page = stacked(images)
    except Unmergeable as error:
        page = b"" if str(error) else None
    assert page is not None
    assert page == b"" or Image.open(io.BytesIO(page)).format == "PNG"
