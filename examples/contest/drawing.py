"""A small drawing board for the sample's figures: plane coordinates in, a black-on-white PNG out.

Labels use the font inside Pillow, so the figures need no installed font.  Same input, same pixels.
"""

import math
from itertools import pairwise
from pathlib import Path

from PIL import Image, ImageDraw, ImageFilter, ImageFont

Point = tuple[float, float]

INK = 20
PAPER = 255
SCALE = 2  # drawn larger and reduced, so that slanted lines are smooth
MARGIN_PX = 56  # room for the labels outside the outermost points
LABEL_GAP_PX = 20


class Board:
    """A figure of `width_px` by `height_px` that shows the plane from `low` to `high`, one scale for both axes."""

    def __init__(self, low: Point, high: Point, width_px: int = 560, height_px: int = 420) -> None:
        self.size = (width_px, height_px)
        self.image = Image.new("L", (width_px * SCALE, height_px * SCALE), PAPER)
        self.draw = ImageDraw.Draw(self.image)
        spans = (high[0] - low[0], high[1] - low[1])
        self.unit = min((width_px - 2 * MARGIN_PX) / spans[0], (height_px - 2 * MARGIN_PX) / spans[1])
        self.origin = (
            (width_px - self.unit * (low[0] + high[0])) / 2,
            (height_px + self.unit * (low[1] + high[1])) / 2,
        )

    def px(self, point: Point) -> Point:
        """Position of a plane point on the enlarged canvas."""
        return (
            (self.origin[0] + self.unit * point[0]) * SCALE,
            (self.origin[1] - self.unit * point[1]) * SCALE,
        )

    def path(self, *points: Point, dashed: bool = False, width_px: float = 3) -> None:
        """Segments from point to point; dashed for a construction line."""
        for start, end in pairwise(points):
            if dashed:
                self._dashes(self.px(start), self.px(end), width_px)
            else:
                self.draw.line([self.px(start), self.px(end)], fill=INK, width=round(width_px * SCALE))

    def _dashes(self, start: Point, end: Point, width_px: float) -> None:
        length = math.dist(start, end)
        count = max(1, round(length / (11 * SCALE)))
        for k in range(0, count, 2):
            ends = [
                (start[0] + (end[0] - start[0]) * t / count, start[1] + (end[1] - start[1]) * t / count)
                for t in (k, k + 1)
            ]
            self.draw.line(ends, fill=INK, width=round(width_px * SCALE))

    def polygon(self, *points: Point, fill: int | None = None) -> None:
        """A closed outline, filled with a grey if one is given."""
        if fill is not None:
            self.draw.polygon([self.px(p) for p in points], fill=fill)
        self.path(*points, points[0])

    def circle(self, centre: Point, radius: float, fill: int | None = None) -> None:
        """A circle with its outline."""
        (x, y), r = self.px(centre), radius * self.unit * SCALE
        self.draw.ellipse([x - r, y - r, x + r, y + r], outline=INK, width=3 * SCALE, fill=fill)

    def sector(self, centre: Point, radius: float, start_deg: float, end_deg: float) -> None:
        """A pie slice; angles anticlockwise from the positive x axis."""
        (x, y), r = self.px(centre), radius * self.unit * SCALE
        self.draw.pieslice([x - r, y - r, x + r, y + r], -end_deg, -start_deg, outline=INK, width=3 * SCALE)

    def dot(self, point: Point, radius_px: float = 5, fill: int = INK) -> None:
        """A point."""
        (x, y), r = self.px(point), radius_px * SCALE
        self.draw.ellipse([x - r, y - r, x + r, y + r], fill=fill, outline=INK, width=2 * SCALE)

    def right_angle(self, corner: Point, first: Point, second: Point, side_px: float = 16) -> None:
        """The square mark of a right angle at `corner` between the directions to the other two points."""
        legs = []
        for end in (first, second):
            length = math.dist(corner, end) * self.unit
            legs.append(tuple((e - c) * side_px / length for e, c in zip(end, corner, strict=True)))
        (ax, ay), (bx, by) = legs
        x, y = corner
        self.path((x + ax, y + ay), (x + ax + bx, y + ay + by), (x + bx, y + by), width_px=2)

    def label(self, point: Point, text: str, towards: Point = (0, 0), size_px: int = 28) -> None:
        """Text beside a point, shifted in the direction `towards` (y up)."""
        length = math.hypot(*towards) or 1.0
        x, y = self.px(point)
        gap = LABEL_GAP_PX * SCALE
        at = (x + towards[0] / length * gap, y - towards[1] / length * gap)
        self.draw.text(at, text, fill=INK, font=ImageFont.load_default(size_px * SCALE), anchor="mm")

    def finish(self, blur_px: float = 0) -> Image.Image:
        """The figure in its final size; `blur_px` is the radius of a Gaussian blur."""
        image = self.image.reduce(SCALE)
        return image.filter(ImageFilter.GaussianBlur(blur_px)) if blur_px else image


def save(image: Image.Image, path: Path) -> None:
    """Writes a PNG without any metadata."""
    path.parent.mkdir(parents=True, exist_ok=True)
    image.save(path, format="PNG", optimize=True)
