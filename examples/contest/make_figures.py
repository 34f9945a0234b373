"""Draws every figure of the sample.  Usage: python make_figures.py [FOLDER], default: figures/ beside this file."""

import math
import sys
from collections.abc import Callable
from pathlib import Path

from drawing import Board, Point, save
from PIL import Image

GREY = 205
FIGURES: dict[str, Callable[[], Image.Image]] = {}


def figure(name: str) -> Callable[[Callable[[], Image.Image]], Callable[[], Image.Image]]:
    """Registers a drawing under its file name."""

    def register(draw: Callable[[], Image.Image]) -> Callable[[], Image.Image]:
        if name in FIGURES:
            raise ValueError(f"two drawings are called {name}")
        FIGURES[name] = draw
        return draw

    return register


def polar(radius: float, angle_deg: float, centre: Point = (0, 0)) -> Point:
    """The point at a distance and direction from a centre."""
    return (
        centre[0] + radius * math.cos(math.radians(angle_deg)),
        centre[1] + radius * math.sin(math.radians(angle_deg)),
    )


# --- multi-image problems ---------------------------------------------------------------------------------------------


@figure("areas-rectangle.png")
def areas_rectangle() -> Image.Image:
    board = Board((0, 0), (8, 5))
    board.polygon((0, 0), (8, 0), (8, 5), (0, 5))
    board.label((4, 0), "8", (0, -1))
    board.label((8, 2.5), "5", (1, 0))
    return board.finish()


@figure("areas-triangle.png")
def areas_triangle() -> Image.Image:
    board = Board((0, 0), (10, 8))
    board.polygon((0, 0), (10, 0), (6, 8))
    board.path((6, 0), (6, 8), dashed=True)
    board.right_angle((6, 0), (10, 0), (6, 8))
    board.label((5, 0), "10", (0, -1))
    board.label((6, 3.2), "h", (1, 0))
    return board.finish()


def _right_triangle(horizontal: float, vertical: float) -> Image.Image:
    board = Board((0, 0), (12, 12), 420, 420)
    board.polygon((0, 0), (horizontal, 0), (0, vertical))
    board.right_angle((0, 0), (horizontal, 0), (0, vertical))
    board.label((horizontal / 2, 0), f"{horizontal:g}", (0, -1))
    board.label((0, vertical / 2), f"{vertical:g}", (-1, 0))
    return board.finish()


for _name, _horizontal, _vertical in (
    ("given", 8, 6),
    ("a", 5, 3),
    ("b", 12, 9),
    ("c", 8, 5),
    ("d", 12, 8),
):
    FIGURES[f"similar-{_name}.png"] = lambda h=_horizontal, v=_vertical: _right_triangle(h, v)


def _balance(left: str, mass: str) -> Image.Image:
    board = Board((0, -0.9), (10, 2.2), 560, 300)
    board.polygon((5, 0), (4.2, -0.9), (5.8, -0.9), fill=GREY)
    board.path((0.6, 0), (9.4, 0), width_px=5)
    for pan in (0.6, 5.9):
        board.path((pan, 0.5), (pan + 3.5, 0.5), width_px=4)
        board.path((pan + 1.75, 0), (pan + 1.75, 0.5), width_px=4)
    at = 2.35 - 1.2 * (len(left) - 1) / 2
    for k, shape in enumerate(left):
        x = at + 1.2 * k
        if shape == "c":
            board.circle((x, 1.0), 0.48, fill=GREY)
        else:
            board.polygon((x - 0.45, 0.55), (x + 0.45, 0.55), (x + 0.45, 1.45), (x - 0.45, 1.45))
    board.polygon((6.9, 0.55), (8.4, 0.55), (8.4, 1.85), (6.9, 1.85))
    board.label((7.65, 1.2), mass)
    return board.finish()


@figure("balance-1.png")
def balance_1() -> Image.Image:
    return _balance("ccs", "11")


@figure("balance-2.png")
def balance_2() -> Image.Image:
    return _balance("cs", "7")


def _matches(squares: int) -> Image.Image:
    board = Board((0, 0.5), (squares, 1.5), 280 + 120 * squares, 260)
    lines = [((k, y), (k + 1, y)) for k in range(squares) for y in (0.5, 1.5)]
    lines += [((k, 0.5), (k, 1.5)) for k in range(squares + 1)]
    for (ax, ay), (bx, by) in lines:
        inset = (0.08 * (bx - ax), 0.08 * (by - ay))
        board.path((ax + inset[0], ay + inset[1]), (bx - inset[0], by - inset[1]), width_px=4)
        board.dot((bx - inset[0], by - inset[1]), 5)
    return board.finish()


for _count in (1, 2, 3):
    FIGURES[f"matches-{_count}.png"] = lambda n=_count: _matches(n)


@figure("angles-triangle.png")
def angles_triangle() -> Image.Image:
    top = 10 * math.sin(math.radians(45)) / math.sin(math.radians(70))
    apex = polar(top, 65)
    board = Board((0, 0), (10, apex[1]))
    board.polygon((0, 0), (10, 0), apex)
    board.label(polar(1.4, 32), "65°")
    board.label(polar(1.7, 158, (10, 0)), "45°")
    board.label((apex[0] + 0.1, apex[1] - 1.3), "x")
    return board.finish()


@figure("angles-line.png")
def angles_line() -> Image.Image:
    board = Board((-5, 0), (5, 5))
    board.path((-5, 0), (5, 0))
    board.path((0, 0), polar(6, 52))
    board.dot((0, 0))
    board.label(polar(1.5, 112), "128°")
    board.label(polar(1.5, 24), "y")
    return board.finish()


@figure("symmetry-a.png")
def symmetry_a() -> Image.Image:
    board = Board((0, 0), (9, 5), 420, 320)
    board.polygon((0, 0), (6.5, 0), (9, 5), (2.5, 5))
    return board.finish()


@figure("symmetry-b.png")
def symmetry_b() -> Image.Image:
    board = Board((0, 0), (9, 5), 420, 320)
    board.polygon((0, 0), (9, 0), (6.5, 5), (2.5, 5))
    return board.finish()


@figure("symmetry-c.png")
def symmetry_c() -> Image.Image:
    board = Board((0, 0), (9, 5), 420, 320)
    board.polygon((0, 0), (9, 0), (2, 5))
    return board.finish()


@figure("symmetry-d.png")
def symmetry_d() -> Image.Image:
    board = Board((0, 0), (9, 6), 420, 320)
    board.polygon((0, 0), (6, 0), (6, 4), (9, 4), (9, 6), (3, 6), (3, 2), (0, 2))
    return board.finish()


@figure("survey-bars.png")
def survey_bars() -> Image.Image:
    board = Board((0, 0), (10, 7))
    board.path((0, 7), (0, 0), (10, 0))
    for x, name, count in ((1, "A", 12), (3.3, "B", None), (5.6, "C", 8), (7.9, "D", 6)):
        if count is None:
            board.label((x + 0.7, 1.2), "?", size_px=36)
        else:
            board.polygon((x, 0), (x + 1.4, 0), (x + 1.4, count / 2), (x, count / 2), fill=GREY)
            board.label((x + 0.7, count / 2), str(count), (0, 1))
        board.label((x + 0.7, 0), name, (0, -1))
    return board.finish()


@figure("survey-pie.png")
def survey_pie() -> Image.Image:
    board = Board((-1, -1), (1, 1), 420, 420)
    start = 90.0
    for text, share in (("A 30%", 0.30), ("B", 0.35), ("C", 0.20), ("D", 0.15)):
        board.sector((0, 0), 1, start - 360 * share, start)
        board.label(polar(0.62, start - 180 * share), text)
        start -= 360 * share
    return board.finish()


# --- composite problems -----------------------------------------------------------------------------------------------


def _square_and_circle(*, square: bool, circle: bool, shaded: bool) -> Image.Image:
    board = Board((0, 0), (10, 10), 440, 440)
    if square:
        board.polygon((0, 0), (10, 0), (10, 10), (0, 10), fill=GREY if shaded else None)
        board.label((5, 0), "10", (0, -1))
    if circle:
        board.circle((5, 5), 5, fill=255)
    return board.finish()


@figure("inscribed-circle.png")
def inscribed_circle() -> Image.Image:
    return _square_and_circle(square=True, circle=True, shaded=True)


@figure("inscribed-circle-square.png")
def inscribed_circle_square() -> Image.Image:
    return _square_and_circle(square=True, circle=False, shaded=False)


@figure("inscribed-circle-circle.png")
def inscribed_circle_circle() -> Image.Image:
    return _square_and_circle(square=True, circle=True, shaded=False)


@figure("tank.png")
def tank() -> Image.Image:
    board = Board((0, 0), (7, 5))
    board.polygon((0, 0), (5, 0), (5, 3), (0, 3))
    board.path((0, 3), (2, 4.5), (7, 4.5), (5, 3))
    board.path((7, 4.5), (7, 1.5), (5, 0))
    board.path((0, 0), (2, 1.5), (7, 1.5), dashed=True, width_px=2)
    board.path((2, 1.5), (2, 4.5), dashed=True, width_px=2)
    board.label((2.5, 0), "50 cm", (0, -1))
    board.label((6.3, 0.55), "40 cm", (1, -0.5))
    return board.finish()


@figure("tank-bucket.png")
def tank_bucket() -> Image.Image:
    board = Board((0, 0), (6, 6), 420, 420)
    board.polygon((1.2, 0), (4.8, 0), (5.6, 4.6), (0.4, 4.6), fill=GREY)
    board.path((0.4, 4.6), (1.6, 6), (4.4, 6), (5.6, 4.6))
    board.label((3, 2.4), "24 L", size_px=40)
    return board.finish()


@figure("tank-base.png")
def tank_base() -> Image.Image:
    board = Board((0, 0), (50, 40))
    board.polygon((0, 0), (50, 0), (50, 40), (0, 40))
    board.label((25, 0), "50 cm", (0, -1))
    board.label((8, 20), "40 cm")
    return board.finish()


# --- single figures ---------------------------------------------------------------------------------------------------


@figure("paths.png")
def paths() -> Image.Image:
    board = Board((0, 0), (4, 3))
    for x in range(5):
        board.path((x, 0), (x, 3))
    for y in range(4):
        board.path((0, y), (4, y))
    board.dot((2, 1), 13, fill=255)
    board.path((1.93, 0.93), (2.07, 1.07))
    board.path((1.93, 1.07), (2.07, 0.93))
    board.label((0, 0), "A", (-1, -1))
    board.label((4, 3), "B", (1, 1))
    return board.finish()


@figure("exterior.png")
def exterior() -> Image.Image:
    apex = polar(10 * math.sin(math.radians(72)) / math.sin(math.radians(60)), 48)
    board = Board((0, 0), (14, apex[1]))
    board.polygon((0, 0), (10, 0), apex)
    board.path((10, 0), (14, 0))
    board.label((0, 0), "A", (-1, -0.5))
    board.label((10, 0), "B", (0, -1))
    board.label(apex, "C", (0.3, 1))
    board.label((14, 0), "D", (1, 0))
    board.label(polar(2.0, 23), "48°")
    board.label((apex[0] - 0.1, apex[1] - 2.4), "60°")
    return board.finish()


@figure("sector.png")
def sector() -> Image.Image:
    board = Board((0, 0), (6, 5.4))
    board.sector((0, 0), 6, 0, 60)
    board.label((0, 0), "O", (-1, -0.4))
    board.label((3, 0), "6", (0, -1))
    board.label(polar(1.3, 30), "60°")
    return board.finish()


@figure("blurred.png")
def blurred() -> Image.Image:
    board = Board((0, 0), (7, 4))
    board.polygon((0, 0), (7, 0), (7, 4), (0, 4), fill=110)  # dark: out of focus, but not a blank sheet
    board.label((3.5, 0), "7", (0, -1))
    board.label((7, 2), "4", (1, 0))
    return board.finish(blur_px=10)


def main() -> None:
    import geometry_figures  # noqa: PLC0415 - registers its drawings here

    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent / "figures"
    for name, draw in sorted({**FIGURES, **geometry_figures.FIGURES}.items()):
        save(draw(), folder / name)
    # the one file that is called an image and is none
    (folder / "not-an-image.png").write_text("This file is text. It is here to be rejected.\n", encoding="utf-8")
    print(f"{folder}: {len(FIGURES) + len(geometry_figures.FIGURES)} figures and one file that is no image")


if __name__ == "__main__":
    main()
