"""Makes the sample's scanned page.  Usage: python make_scan.py [FILE], default: scan.png beside this file.

A clean page is turned a little, lit unevenly, blurred and given noise, as a cheap scanner would.  The font is the one
inside Pillow, the noise has a fixed seed: same input, same pixels.
"""

import sys
from pathlib import Path

import numpy as np
from drawing import save
from PIL import Image, ImageDraw, ImageFilter, ImageFont

SIZE_PX = (1240, 1754)  # A4 at 150 dots per inch
SEED = 20261101
TILT_DEG = 0.7
NOISE = 7.0  # standard deviation, in grey levels
BLUR_PX = 0.7
LEVELS = 16  # a four-bit scanner; also keeps the file small

# Each problem: question lines, answer, solution lines.
PROBLEMS = [
    (
        ["Each box holds 12 pencils. How many pencils do 7 boxes hold?"],
        "84",
        ["One box holds 12 pencils, and all boxes are alike.", "So 7 boxes hold 7 * 12 = 84 pencils."],
    ),
    (
        ["A rectangle is 15 cm long and 8 cm wide.", "What is its perimeter in centimetres?"],
        "46",
        ["Length and width together are 15 + 8 = 23.", "The perimeter is twice that, 2 * 23 = 46."],
    ),
    (
        ["Anna is 9 years old. Her father is four times as old.", "How old will her father be in 5 years?"],
        "41",
        ["The father is now 4 * 9 = 36 years old.", "In 5 years he will be 36 + 5 = 41 years old."],
    ),
    (
        [
            "A train leaves at 9 o'clock and travels 80 km each hour.",
            "How many kilometres has it travelled at 12 o'clock?",
        ],
        "240",
        ["The train travels for 12 - 9 = 3 hours.", "It travels 3 * 80 = 240 kilometres."],
    ),
]


def clean_page() -> Image.Image:
    """The page as it was printed."""
    page = Image.new("L", SIZE_PX, 250)
    draw = ImageDraw.Draw(page)
    draw.text((110, 110), "Practice sheet", font=ImageFont.load_default(44), fill=25)
    font, y = ImageFont.load_default(31), 230
    for number, (question, answer, solution) in enumerate(PROBLEMS, 1):
        lines = [
            f"{number}. {question[0]}",
            *question[1:],
            f"Answer: {answer}",
            f"Solution: {solution[0]}",
            *solution[1:],
        ]
        for text in lines:
            draw.text((110, y), text, font=font, fill=25)
            y += 52
        y += 62
    return page


def scanned(page: Image.Image) -> Image.Image:
    """The page as the scanner returns it."""
    rng = np.random.default_rng(SEED)
    page = page.rotate(TILT_DEG, resample=Image.Resampling.BICUBIC, fillcolor=250)
    pixels = np.asarray(page.filter(ImageFilter.GaussianBlur(BLUR_PX)), dtype=np.float64)
    across = np.linspace(0.0, 1.0, SIZE_PX[0])[None, :]
    down = np.linspace(0.0, 1.0, SIZE_PX[1])[:, None]
    light = 1.0 - 0.16 * across**2 - 0.08 * down  # darker towards the lower right corner
    noisy = pixels * light + rng.normal(0.0, NOISE, pixels.shape)
    step = 255 / (LEVELS - 1)
    return Image.fromarray((np.clip(np.rint(noisy / step), 0, LEVELS - 1) * step).astype(np.uint8))


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent / "scan.png"
    save(scanned(clean_page()), target)
    print(f"{target}: {len(PROBLEMS)} problems")
