"""Facts of figures."""

import io
import struct
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFilter

from resources.imaging import facts_of
from resources.workers import Workers
from stepforge.images import image_facts


def encoded(image, form="PNG"):
    buffer = io.BytesIO()
    image.save(buffer, form)
    return buffer.getvalue()


def drawing(size=(400, 300), ink="black", paper="white"):
    image = Image.new("RGB", size, paper)
    pen = ImageDraw.Draw(image)
    pen.polygon([(40, 260), (360, 260), (200, 40)], outline=ink, width=3)
    pen.line([(200, 40), (200, 260)], fill=ink, width=3)
    return image


def header_only(width, height):
    """A PNG that claims a size and holds no pixels."""
    body = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    header = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + body + struct.pack(">I", zlib.crc32(body))
    return header + struct.pack(">I", 100) + b"IDAT"


def test_a_drawing_is_sharp_and_inked_and_its_blurred_copy_is_not_sharp():
    sharp = image_facts(encoded(drawing()))
    blurred = image_facts(encoded(drawing().filter(ImageFilter.GaussianBlur(6))))
    assert (sharp.media_type, sharp.width, sharp.height, sharp.error) == ("image/png", 400, 300, None)
    assert sharp.sharpness > 50 * blurred.sharpness
    assert 0.01 < sharp.ink_share < 0.1


def test_a_blank_page_has_no_ink_and_a_dark_page_counts_its_light_lines():
    blank = image_facts(encoded(Image.new("L", (300, 200), 230)))
    assert (blank.sharpness, blank.ink_share) == (0.0, 0.0)
    dark, light = drawing(ink="white", paper="black"), drawing()
    assert image_facts(encoded(dark)).ink_share == pytest.approx(image_facts(encoded(light)).ink_share)


def test_sharpness_is_the_variance_of_the_laplacian_at_512_px():
    rng = np.random.default_rng(1)
    grey = rng.integers(0, 256, (512, 512), dtype=np.uint8)
    wide = np.pad(grey.astype(float), 1, mode="edge")
    moved = [wide[1 + dy : 513 + dy, 1 + dx : 513 + dx] for dy, dx in ((0, 1), (0, -1), (1, 0), (-1, 0))]
    assert image_facts(encoded(Image.fromarray(grey))).sharpness == pytest.approx(
        np.var(sum(moved) - 4.0 * grey), rel=1e-6
    )


def test_transparency_is_white_and_other_formats_are_read():
    clear = Image.new("RGBA", (100, 80), (0, 0, 0, 0))
    assert image_facts(encoded(clear)).ink_share == 0.0
    for form, media in (("JPEG", "image/jpeg"), ("GIF", "image/gif"), ("WEBP", "image/webp"), ("BMP", "image/bmp")):
        assert image_facts(encoded(drawing(), form)).media_type == media
    deep = Image.fromarray((np.arange(100 * 100, dtype=np.uint16) * 6).reshape(100, 100))
    assert image_facts(encoded(deep)).error is None


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"", "no image"),
        (b"question,answer", "no image"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "no image"),
        (header_only(60_000, 60_000), "exceeds limit"),
        (header_only(10_000, 6_000), "million"),
        (header_only(100, 100), "damaged"),
    ],
)
def test_what_is_no_readable_image_says_why(data, word):
    facts = image_facts(data)
    assert facts.sharpness is facts.ink_share is None
    assert word in facts.error


def test_a_cut_image_is_damaged_but_has_its_size():
    data = encoded(drawing(), "JPEG")
    facts = image_facts(data[: len(data) // 2])
    assert (facts.width, facts.height) == (400, 300)
    assert "damaged" in facts.error


@given(st.binary(max_size=60), st.sampled_from(["PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF"]), st.integers(0, 200))
def test_any_bytes_give_facts(junk, form, at):
    data = encoded(Image.new("L", (8, 8), 90), form)
    facts = image_facts(data[:at] + junk + data[at + len(junk) :])
    assert (facts.error is None) == (facts.sharpness is not None)


def test_facts_come_in_order_from_the_workers():
    items = [encoded(drawing((200 + 10 * i, 300))) for i in range(5)] + [b"junk"]
    with Workers(2) as workers:
        facts = list(facts_of(iter(items), workers))
    assert [f.width for f in facts] == [200, 210, 220, 230, 240, None]
    assert facts[-1].error
