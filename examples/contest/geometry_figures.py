"""The figures of the plane geometry problems, each with and, where the solution needs one, without auxiliary lines."""

import math
from collections.abc import Callable

from drawing import Board, Point
from PIL import Image

FIGURES: dict[str, Callable[[], Image.Image]] = {}


def _pair(name: str, draw: Callable[[bool], Image.Image]) -> None:
    """Registers NAME.png and NAME-aux.png."""
    FIGURES[f"{name}.png"] = lambda: draw(False)
    FIGURES[f"{name}-aux.png"] = lambda: draw(True)


def _on_circle(radius: float, angle_deg: float) -> Point:
    return (radius * math.cos(math.radians(angle_deg)), radius * math.sin(math.radians(angle_deg)))


def _median_of_hypotenuse() -> Image.Image:
    board = Board((0, 0), (12, 5))
    a, b, c, d = (0, 5), (12, 0), (0, 0), (6, 2.5)
    board.polygon(a, b, c)
    board.path(c, d)
    board.right_angle(c, a, b)
    for point, text, side in ((a, "A", (-1, 1)), (b, "B", (1, -0.5)), (c, "C", (-1, -1)), (d, "D", (0.5, 1))):
        board.label(point, text, side)
    return board.finish()


def _tangent(aux: bool) -> Image.Image:
    board = Board((-3, -3), (6, 3))
    a, b, o, p, c = (-3, 0), (3, 0), (0, 0), (6, 0), _on_circle(3, 60)
    board.circle(o, 3)
    board.path(a, p)
    board.path(p, c)
    board.dot(o)
    if aux:
        board.path(o, c, dashed=True)
        board.right_angle(c, o, p)
    for point, text, side in (
        (a, "A", (-1, 0)),
        (b, "B", (1, -1)),
        (o, "O", (0, -1)),
        (p, "P", (1, 0)),
        (c, "C", (0.5, 1)),
    ):
        board.label(point, text, side)
    return board.finish()


def _trapezoid(aux: bool) -> Image.Image:
    board = Board((0, 0), (10, 8))
    a, b, c, d, e = (0, 8), (0, 0), (10, 0), (4, 8), (4, 0)
    board.polygon(a, b, c, d)
    board.right_angle(b, a, c)
    if aux:
        board.path(d, e, dashed=True)
        board.right_angle(e, d, c)
        board.label(e, "E", (0, -1))
    for point, text, side in ((a, "A", (-1, 1)), (b, "B", (-1, -1)), (c, "C", (1, -1)), (d, "D", (1, 1))):
        board.label(point, text, side)
    return board.finish()


def _quadrilateral(aux: bool) -> Image.Image:
    board = Board((0, 0), (25.2, 14.4))
    a, b, c, d = (0, 8), (0, 0), (6, 0), (25.2, 14.4)
    board.polygon(a, b, c, d)
    board.right_angle(b, a, c)
    if aux:
        board.path(a, c, dashed=True)
    for point, text, side in ((a, "A", (-1, 1)), (b, "B", (-1, -1)), (c, "C", (0.6, -1)), (d, "D", (1, 0.4))):
        board.label(point, text, side)
    return board.finish()


def _median(aux: bool) -> Image.Image:
    # A above BC with AB = 6, AC = 10, AD = 4, D the midpoint of BC = 4√13
    half = 2 * math.sqrt(13)
    x = (10**2 - 6**2) / (8 * half)  # |AC|² - |AB|² = 4 · half · x, taken from D towards B
    a, b, c, d = (-x * 2, math.sqrt(16 - (2 * x) ** 2)), (-half, 0), (half, 0), (0, 0)
    e = (-a[0], -a[1])
    board = Board((-half, e[1]), (half, a[1]))
    board.polygon(a, b, c)
    board.path(a, d)
    if aux:
        board.path(d, e, dashed=True)
        board.path(c, e, dashed=True)
        board.label(e, "E", (0, -1))
    for point, text, side in ((a, "A", (0, 1)), (b, "B", (-1, 0)), (c, "C", (1, 0)), (d, "D", (-1, -1))):
        board.label(point, text, side)
    return board.finish()


def _parallelogram() -> Image.Image:
    a, b, c, d = (2, 5), (0, 0), (9, 0), (11, 5)
    e, f = (2 + 7 * 0.25, 5 - 5 * 0.25), (2 + 7 * 0.75, 5 - 5 * 0.75)
    board = Board((0, 0), (11, 5))
    board.polygon(a, b, c, d)
    board.path(a, c)
    board.path(b, e)
    board.path(d, f)
    for point, text, side in (
        (a, "A", (-1, 1)),
        (b, "B", (-1, -1)),
        (c, "C", (1, -1)),
        (d, "D", (1, 1)),
        (e, "E", (0.6, 1)),
        (f, "F", (-0.6, -1)),
    ):
        board.label(point, text, side)
    return board.finish()


def _equal_pieces(aux: bool) -> Image.Image:
    # AB = AC; BD = CE with D on AB and E beyond C on AC
    a, b, c = (0, 6), (-4, 0), (4, 0)
    d, e = (-4 + 4 * 0.4, 6 * 0.4), (4 + 4 * 0.4, -6 * 0.4)
    f = ((d[0] + e[0]) / 2, 0)
    g = (d[0] + 4 * 0.4, 0)
    board = Board((-4, e[1]), (e[0], 6))
    board.polygon(a, b, c)
    board.path(c, e)
    board.path(d, e)
    if aux:
        board.path(d, g, dashed=True)
        board.label(g, "G", (-0.4, -1))
    for point, text, side in (
        (a, "A", (0, 1)),
        (b, "B", (-1, -0.5)),
        (c, "C", (1, 0.5)),
        (d, "D", (-1, 0.5)),
        (e, "E", (1, -0.5)),
        (f, "F", (0.5, 1.2)),
    ):
        board.label(point, text, side)
    return board.finish()


def _central_angle() -> Image.Image:
    o, a, b, c = (0, 0), _on_circle(3, 220), _on_circle(3, 320), _on_circle(3, 75)
    board = Board((-3, -3), (3, 3), 440, 440)
    board.circle(o, 3)
    board.path(a, o, b)
    board.path(a, c, b)
    board.dot(o)
    for point, text, side in ((a, "A", (-1, -1)), (b, "B", (1, -1)), (c, "C", (0.3, 1)), (o, "O", (-1, 1))):
        board.label(point, text, side)
    return board.finish()


def _two_angles(aux: bool) -> Image.Image:
    height, foot = 2.0, 2 * math.sqrt(3)
    a, b, c, d = (0, height), (-2, 0), (foot, 0), (0, 0)
    board = Board((-2, 0), (foot, height))
    board.polygon(a, b, c)
    if aux:
        board.path(a, d, dashed=True)
        board.right_angle(d, a, c)
        board.label(d, "D", (0, -1))
    for point, text, side in ((a, "A", (0, 1)), (b, "B", (-1, -0.6)), (c, "C", (1, -0.6))):
        board.label(point, text, side)
    return board.finish()


def _inscribed(aux: bool) -> Image.Image:
    o, a, b, c, d = (0, 0), (-3, 0), (3, 0), _on_circle(3, 50), _on_circle(3, 245)
    board = Board((-3, -3), (3, 3), 440, 440)
    board.circle(o, 3)
    board.path(a, b, c, d, b)
    board.dot(o)
    if aux:
        board.path(a, c, dashed=True)
    for point, text, side in (
        (a, "A", (-1, 0)),
        (b, "B", (1, 0)),
        (c, "C", (0.7, 1)),
        (d, "D", (-0.5, -1)),
        (o, "O", (-0.4, 1)),
    ):
        board.label(point, text, side)
    return board.finish()


FIGURES["geo-01.png"] = _median_of_hypotenuse
_pair("geo-02", _tangent)
_pair("geo-03", _trapezoid)
_pair("geo-04", _quadrilateral)
_pair("geo-05", _median)
FIGURES["geo-06.png"] = _parallelogram
_pair("geo-07", _equal_pieces)
FIGURES["geo-08.png"] = _central_angle
_pair("geo-09", _two_angles)
_pair("geo-10", _inscribed)
