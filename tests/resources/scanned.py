"""Pages as a scanner sees them, drawn for tests: text, a figure, a slope, noise.  Same input, same pixels."""

import random

import numpy as np
from PIL import Image, ImageDraw, ImageFont

WORDS = (
    *("the", "sum", "of", "two", "angles", "is", "equal", "point", "line", "circle", "find", "value"),
    *("square", "root", "given", "that", "triangle", "prove", "show"),
)
PAPER, INK = 244, 20


def text_lines(seed, n=24):
    """Lines of a paper with numbered problems."""
    rng = random.Random(seed)
    return [
        (f"{k // 3 + 1}. " if k % 3 == 0 else "") + " ".join(rng.choices(WORDS, k=rng.randint(5, 11))) for k in range(n)
    ]


def page(lines, *, wide=1000, high=1300, size=26, figure=None, leading=2.0):
    """A grey page of lines; figure: (x, y, side) of a triangle with its height, cut out of the text."""
    image = Image.new("L", (wide, high), PAPER)
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(size)
    y = 70.0
    for line in lines:
        if figure is not None and figure[1] - 40 < y < figure[1] + figure[2] + 10:
            y = figure[1] + figure[2] + 50.0
        pen.text((70, y), line, fill=INK, font=font)
        y += leading * size
    if figure is not None:
        x, top, side = figure
        pen.line([(x, top + side), (x + side, top + side), (x + side // 3, top), (x, top + side)], fill=INK, width=3)
        pen.line([(x + side // 3, top), (x + side // 3, top + side)], fill=INK, width=2)
    return image


def sloping(image, angle_deg):
    """The page with lines that go down to the right by the angle."""
    return image.rotate(-angle_deg, expand=True, fillcolor=PAPER, resample=Image.Resampling.BICUBIC)


def noisy(image, seed, sigma=8.0):
    """The page with a scanner's noise and uneven light."""
    rng = np.random.default_rng(seed)
    grey = np.asarray(image, np.float64) + rng.normal(0, sigma, (image.height, image.width))
    grey -= np.linspace(0, 25, image.width)[None, :]
    return Image.fromarray(np.clip(grey, 0, 255).astype(np.uint8))


def pixels(image):
    """Rows, columns, and blue, green, red."""
    return np.ascontiguousarray(np.asarray(image.convert("RGB"))[:, :, ::-1])
