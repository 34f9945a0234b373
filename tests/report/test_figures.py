import io
import random

import pytest
from PIL import Image

from stepforge.report.figures import MAX_BYTES, SIDES_PX, figure_view


def encoded(image: Image.Image, kind: str, **options: object) -> bytes:
    sink = io.BytesIO()
    image.save(sink, kind, **options)
    return sink.getvalue()


def noise(width: int, height: int) -> Image.Image:
    return Image.frombytes("RGB", (width, height), random.Random(3).randbytes(3 * width * height))


def test_a_page_carries_the_pixels_of_a_figure_and_nothing_else_of_its_file():
    image = Image.new("RGB", (60, 40), "white")
    image.putpixel((5, 5), (255, 0, 0))
    exif = Image.Exif()
    exif[0x010E] = "secret <script>"
    view = figure_view(encoded(image, "JPEG", exif=exif, quality=95))
    assert view is not None
    assert (view.width, view.height) == (60, 40)
    assert b"secret" not in view.data
    assert Image.open(io.BytesIO(view.data)).size == (60, 40)


def test_a_large_figure_is_scaled_until_it_fits():
    view = figure_view(encoded(noise(1600, 1200), "PNG"))
    assert view is not None
    assert len(view.data) <= MAX_BYTES
    assert max(view.width, view.height) in SIDES_PX


def test_transparency_is_white():
    view = figure_view(encoded(Image.new("RGBA", (8, 8), (0, 0, 0, 0)), "PNG"))
    assert view is not None
    assert Image.open(io.BytesIO(view.data)).convert("RGB").getpixel((4, 4)) == (255, 255, 255)


@pytest.mark.parametrize("data", [b"", b"<svg onload='alert(1)'/>", b"\x89PNG\r\n\x1a\n" + b"x" * 40, b"GIF89a"])
def test_what_is_no_picture_is_no_figure(data: bytes):
    assert figure_view(data) is None


def test_the_same_bytes_give_the_same_figure():
    data = encoded(noise(300, 200), "PNG")
    assert figure_view(data) == figure_view(data)
