"""Scans made upright: skew, quarter turns, double pages."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from resources._page_scans import Sheet, gutter, sheets_of, skew_deg
from tests.resources.scanned import noisy, page, pixels, sloping, text_lines

ONCE = 14  # examples: each turns a page of a million pixels


def corners_of(image, x0=0, x1=None):
    """Corners of the rows of ink between two columns of pixels, as a detector would find them on a level page."""
    grey = np.asarray(image.convert("L"))[:, x0:x1]
    rows = (grey < 128).any(axis=1)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], rows, [False]]).astype(int)))
    found = []
    for top, bottom in zip(edges[::2], edges[1::2], strict=True):
        columns = np.flatnonzero((grey[top:bottom] < 128).any(axis=0)) + x0
        a, b = columns.min(), columns.max() + 1
        found.append([[a, top], [b, top], [b, bottom], [a, bottom]])
    return np.asarray(found, np.float64).reshape(-1, 4, 2)


def known(corners):
    """A detector that finds these lines."""
    return lambda _pixels: corners


def always_sure(_pixels):
    return 1.0


def heavier_foot(piece):
    """Sure of a line whose ink is nearer to its foot: what the drawn mark below is made for."""
    ink = np.asarray(piece)[:, :, 0] < 128
    half = len(ink) // 2
    return 0.9 if ink[half:].sum() > ink[:half].sum() else 0.2


@settings(max_examples=ONCE, deadline=None)
@given(st.floats(-14.5, 14.5), st.integers(0, 10**6), st.booleans(), st.booleans())
def test_the_slope_of_a_page_is_found_within_three_tenths_of_a_degree(angle, seed, with_figure, with_noise):
    image = page(text_lines(seed), figure=(300, 400, 360) if with_figure else None)
    image = sloping(image, angle)
    image = noisy(image, seed) if with_noise else image
    assert skew_deg(pixels(image)) == pytest.approx(angle, abs=0.3)


@settings(max_examples=ONCE, deadline=None)
@given(st.floats(-14, 14), st.integers(0, 10**6))
def test_a_page_made_upright_has_no_slope_left(angle, seed):
    image = sloping(page(text_lines(seed)), angle)
    (sheet,) = sheets_of(pixels(image), known(np.array([[[0, 0], [100, 0], [100, 20], [0, 20]]], float)), always_sure)
    assert sheet.skew_deg == pytest.approx(angle, abs=0.3)
    assert abs(skew_deg(sheet.pixels)) <= 0.3
    assert sheet.half is None


def test_a_page_of_few_letters_keeps_its_slope_and_a_page_without_text_is_left_alone():
    few = pixels(sloping(page(["1. a"]), 5))
    assert skew_deg(few) == 0.0
    blank = pixels(page([]))
    (sheet,) = sheets_of(blank, known(np.zeros((0, 4, 2))), always_sure)
    assert sheet == Sheet(blank)


def test_a_figure_alone_tells_no_slope():
    assert skew_deg(pixels(sloping(page([], figure=(300, 400, 360)), 7))) == 0.0


@pytest.mark.parametrize(("clockwise", "undone"), [(90, 270), (270, 90)])
def test_text_that_runs_down_or_up_the_page_is_turned(clockwise, undone):
    level = page([" ".join("a_" for _ in range(20))] * 8)
    down = corners_of(level)[:, :, ::-1]  # x and y exchanged: boxes higher than wide
    once_more = level.rotate(180) if clockwise == 90 else level
    found = [down, corners_of(once_more)]
    image = level.rotate(-clockwise, expand=True)
    (sheet,) = sheets_of(pixels(image), lambda _pixels: found.pop(0), heavier_foot)
    assert sheet.turned_deg == undone
    assert np.array_equal(sheet.pixels, pixels(level))


def test_a_page_upside_down_is_turned_by_how_surely_its_lines_are_read():
    image = page([" ".join("a_" for _ in range(20))] * 8)
    (right,) = sheets_of(pixels(image), known(corners_of(image)), heavier_foot)
    assert right.turned_deg == 0
    turned = image.rotate(180)
    (sheet,) = sheets_of(pixels(turned), known(corners_of(turned)), heavier_foot)
    assert sheet.turned_deg == 180
    assert np.array_equal(sheet.pixels, pixels(image))


def double(left, right, gap=0):
    image = Image.new("L", (left.width + right.width + gap, left.height), 244)
    image.paste(left, (0, 0))
    image.paste(right, (left.width + gap, 0))
    return image


def both_corners(image, middle):
    return np.concatenate([corners_of(image, 0, middle), corners_of(image, middle)])


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10**6), st.integers(4, 20), st.integers(4, 20))
def test_a_double_page_is_cut_between_its_pages(seed, n_left, n_right):
    left, right = (page(text_lines(seed + k, n), wide=1000) for k, n in ((0, n_left), (1, n_right)))
    image = double(left, right)
    corners = both_corners(image, 1000)
    sheets = sheets_of(pixels(image), known(corners), always_sure)
    assert [sheet.half for sheet in sheets] == ["left", "right"]
    cut = sheets[0].pixels.shape[1]
    assert corners[: len(corners_of(left)), :, 0].max() <= cut <= corners[len(corners_of(left)) :, :, 0].min()
    assert sum(sheet.pixels.shape[1] for sheet in sheets) == image.width


def test_halves_of_a_double_page_that_slope_each_their_own_way_are_both_made_upright():
    left, right = (page(text_lines(k, 20)) for k in (5, 6))
    image = double(left.rotate(-1.2, fillcolor=244), right.rotate(1.0, fillcolor=244))
    sheets = sheets_of(pixels(image), known(both_corners(double(left, right), 1000)), always_sure)
    assert [sheet.half for sheet in sheets] == ["left", "right"]
    assert all(abs(skew_deg(sheet.pixels)) <= 0.3 for sheet in sheets)


def test_a_heading_across_or_a_figure_across_keeps_the_page_whole():
    image = double(page(text_lines(7, 12)), page(text_lines(8, 12)))
    corners = both_corners(image, 1000)
    assert gutter(pixels(image), corners) is not None
    heading = np.array([[[600, 10], [1400, 10], [1400, 40], [600, 40]]], float)
    assert gutter(pixels(image), np.concatenate([corners, heading])) is None
    drawn = image.copy()
    drawn.paste(page([], figure=(0, 0, 300), wide=310, high=310), (850, 900))
    assert gutter(pixels(drawn), corners) is None


def test_a_page_higher_than_wide_or_with_text_on_one_side_only_is_one_page():
    upright = page(text_lines(9))
    assert gutter(pixels(upright), corners_of(upright)) is None
    image = double(page(text_lines(9, 12)), page([]))
    assert gutter(pixels(image), corners_of(image)) is None
