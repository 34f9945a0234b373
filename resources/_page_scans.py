"""Scans made upright: quarter turns and skew undone, a double page cut into two.

Source: skew by projection profiles (Baird 1987, The skew angle of printed documents), here of the letter-sized strokes
alone, so that a figure's lines do not decide; quarter turns by the direction of the detected lines of text, halves of
a turn by which of both ways an OCR engine reads with more confidence.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from resources.ocr import Pixels

MAX_SKEW_DEG = 15.0
MIN_SKEW_DEG = 0.15  # less is not undone: turning blurs
SKEW_SIDE_PX = 1400  # the longer side while the angle is measured: 0.05 degrees are a pixel
COARSE_DEG, FINE_DEG = 0.5, 0.05
MAX_POINTS = 150_000
STRIPS = 3  # of the page, side by side, whose rows are looked at apart
MIN_LETTERS = 12  # fewer tell no direction
VERTICAL = 1.5  # times more text must run downwards than across
PROBES = 6  # lines read both ways
SURER = 0.05  # confidence by which the other way must be better
SPREAD = 1.15  # width to height of a double page, at least
GUTTER = 0.012  # of its width, at least, free of text
GUTTER_FROM, GUTTER_TO = 0.38, 0.62
MIN_LINES = 3  # of text on each half
MIN_SHARE = 0.12  # of the text on each half

Corners = npt.NDArray[np.float64]  # lines of text x 4 corners x 2, from the top left clockwise as read
Detect = Callable[[Pixels], Corners]
Sureness = Callable[[Pixels], float]  # of a line's picture, 0-1, how surely it is read


class Sheet(NamedTuple):
    """One upright page: its pixels and what was done to get them.

    turned_deg: quarter turns, clockwise.  skew_deg: by which its lines went down to the right.  half: left or right."""

    pixels: Pixels
    turned_deg: int = 0
    skew_deg: float = 0.0
    half: str | None = None


def sheets_of(pixels: Pixels, detect: Detect, sureness: Sureness) -> list[Sheet]:
    """The page upright; two sheets of a double page, the left one first.  A page without text is left as it is."""
    corners = detect(pixels)
    if not len(corners):
        return [Sheet(pixels)]
    turned = 0
    if _runs_down(corners):
        pixels, turned = _quarter(pixels, 1), 90
        corners = detect(pixels)
    angle = skew_deg(pixels)
    if len(corners) and _upside_down(pixels, corners, sureness):
        pixels, turned = _quarter(pixels, 2), (turned + 180) % 360
        size = np.array([pixels.shape[1], pixels.shape[0]], np.float64)
        corners = size - corners
    straight, corners = _straightened(pixels, corners, angle)
    cut = gutter(straight, corners)
    if cut is None:
        return [Sheet(straight, turned, angle if abs(angle) >= MIN_SKEW_DEG else 0.0)]
    sheets = []
    for half, cut_out in (("left", straight[:, :cut]), ("right", straight[:, cut:])):
        part = np.ascontiguousarray(cut_out)
        own = skew_deg(part, 2.0)
        upright, _ = _straightened(part, corners[:0], own)
        total = (angle if abs(angle) >= MIN_SKEW_DEG else 0.0) + (own if abs(own) >= MIN_SKEW_DEG else 0.0)
        sheets.append(Sheet(upright, turned, round(total, 2), half))
    return sheets


def _quarter(pixels: Pixels, turns: int) -> Pixels:
    """Turned clockwise."""
    return np.ascontiguousarray(np.rot90(pixels, -turns))


def _runs_down(corners: Corners) -> bool:
    """Whether most of the text, by its length, runs down or up the page."""
    along = corners[:, 1] - corners[:, 0]
    down = corners[:, 3] - corners[:, 0]
    length, height = np.hypot(*along.T), np.hypot(*down.T)
    long_side = np.where((length >= height)[:, None], along, down)
    weight = np.maximum(length, height) * (np.maximum(length, height) >= 2 * np.minimum(length, height))
    vertical = np.abs(long_side[:, 1]) > np.abs(long_side[:, 0])
    return bool(weight[vertical].sum() > VERTICAL * weight[~vertical].sum())


def _upside_down(pixels: Pixels, corners: Corners, sureness: Sureness) -> bool:
    widths = np.hypot(*(corners[:, 1] - corners[:, 0]).T)
    chosen = corners[np.argsort(-widths, kind="stable")[:PROBES]]
    pieces = [_piece(pixels, one) for one in chosen]
    as_is = sum(sureness(piece) for piece in pieces) / len(pieces)
    if as_is >= 1 - SURER:
        return False
    other = sum(sureness(_quarter(piece, 2)) for piece in pieces) / len(pieces)
    return other > as_is + SURER


def _piece(pixels: Pixels, corners: Corners) -> Pixels:
    """The picture of one line, straight."""
    wide = max(8, round(math.dist(corners[0], corners[1])))
    high = max(8, round(math.dist(corners[0], corners[3])))
    onto = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), onto)
    return np.asarray(cv2.warpPerspective(pixels, matrix, (wide, high), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def skew_deg(pixels: Pixels, limit_deg: float = MAX_SKEW_DEG) -> float:
    """The angle by which lines of text go down to the right, within the limit; 0 where too few letters tell it."""
    points = _letter_points(pixels)
    if points is None:
        return 0.0
    coarse = np.arange(-limit_deg, limit_deg + COARSE_DEG / 2, COARSE_DEG)
    best = _sharpest(points, coarse)
    fine = np.arange(best - COARSE_DEG, best + COARSE_DEG + FINE_DEG / 2, FINE_DEG)
    found = _sharpest(points, fine)
    return round(float(np.clip(found, -limit_deg, limit_deg)), 2) + 0.0


def _sharpest(points: npt.NDArray[np.float64], angles: npt.NDArray[np.float64]) -> float:
    """The angle at which the letters fall into the sharpest rows, by the squares of the profiles' steps.

    A profile is of a strip of the page: rows of columns side by side would be sharpest where they meet."""
    scores = []
    for angle in angles:
        turn = math.radians(float(angle))
        rows = points[:, 1] * math.cos(turn) - points[:, 0] * math.sin(turn)
        along = points[:, 0] * math.cos(turn) + points[:, 1] * math.sin(turn)
        rows -= rows.min()
        along -= along.min()
        strip = np.minimum(along * (STRIPS / max(1.0, float(along.max()))), STRIPS - 1).astype(np.int64)
        high = int(rows.max()) + 4  # the strips' profiles stand one after another, blank rows between
        profile = np.bincount(strip * high + rows.astype(np.int64), weights=points[:, 2])
        smooth = np.convolve(profile, (0.25, 0.5, 0.25))
        scores.append(float(np.square(np.diff(smooth)).sum()))
    tops = np.flatnonzero(np.array(scores) >= max(scores) * (1 - 1e-9))
    return float(angles[tops].mean())


def _letter_points(pixels: Pixels) -> npt.NDArray[np.float64] | None:
    """Ink of letter-sized strokes as x, y and weight; None if they are few."""
    scale = min(1.0, SKEW_SIDE_PX / max(pixels.shape[:2]))
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    if scale < 1:
        grey = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    ink = cv2.adaptiveThreshold(
        np.asarray(grey, np.uint8), 1, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, 41, 18
    )
    _, labels, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    w, h, area = stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT], stats[:, cv2.CC_STAT_AREA]
    solid = (area >= 6) & (h >= 4)
    solid[0] = False
    if int(solid.sum()) < MIN_LETTERS:
        return None
    usual = float(np.median(h[solid & (h < grey.shape[0] / 10)])) if (solid & (h < grey.shape[0] / 10)).any() else 0.0
    letters = solid & (h <= 3 * usual) & (w <= 6 * max(usual, 1.0)) & (h >= 0.4 * usual)
    if int(letters.sum()) < MIN_LETTERS:
        return None
    ys, xs = np.nonzero(letters[labels])
    step = max(1, len(ys) // MAX_POINTS)
    return np.stack([xs[::step], ys[::step], np.ones(len(ys[::step]))], axis=1).astype(np.float64)


def _straightened(pixels: Pixels, corners: Corners, angle_deg: float) -> tuple[Pixels, Corners]:
    """The page with its skew undone, on paper of its own colour, and the corners on it."""
    if abs(angle_deg) < MIN_SKEW_DEG:
        return pixels, corners
    high, wide = pixels.shape[:2]
    matrix = cv2.getRotationMatrix2D((wide / 2, high / 2), angle_deg, 1.0)
    cos, sin = abs(matrix[0, 0]), abs(matrix[0, 1])
    size = (round(wide * cos + high * sin), round(wide * sin + high * cos))
    matrix[:, 2] += (size[0] / 2 - wide / 2, size[1] / 2 - high / 2)
    paper = [float(np.percentile(pixels[::8, ::8, channel], 80)) for channel in range(3)]
    turned = cv2.warpAffine(
        pixels, matrix, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_CONSTANT, borderValue=paper
    )
    flat = corners.reshape(-1, 2) @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(turned, np.uint8), flat.reshape(corners.shape)


def gutter(pixels: Pixels, corners: Corners) -> int | None:
    """Where a double page is cut, in pixels from the left; None for a single one.

    It is wider than high, and near its middle is a strip that no line of text crosses, with text on both sides."""
    high, wide = pixels.shape[:2]
    if wide < SPREAD * high or len(corners) < 2 * MIN_LINES:
        return None
    left, right = corners[:, :, 0].min(axis=1), corners[:, :, 0].max(axis=1)
    strip = _widest_free(left, right, GUTTER_FROM * wide, GUTTER_TO * wide)
    if strip is None or strip[1] - strip[0] < GUTTER * wide:
        return None
    middle = (strip[0] + strip[1]) / 2
    widths = right - left
    before = right <= middle
    share = float(widths[before].sum() / max(1e-6, widths.sum()))
    enough = min(int(before.sum()), int((~before).sum())) >= MIN_LINES and MIN_SHARE <= share <= 1 - MIN_SHARE
    return round(middle) if enough and not _drawn_across(pixels, middle) else None


def _widest_free(
    left: npt.NDArray[np.float64], right: npt.NDArray[np.float64], low: float, high: float
) -> tuple[float, float] | None:
    """The widest stretch between `low` and `high` that no interval covers."""
    best, at = None, low
    for i in np.argsort(left, kind="stable"):
        if left[i] > at and (best is None or min(left[i], high) - at > best[1] - best[0]) and at < high:
            best = (at, float(min(left[i], high)))
        at = max(at, float(right[i]))
    if at < high and (best is None or high - at > best[1] - best[0]):
        best = (at, high)
    return best


def _drawn_across(pixels: Pixels, middle: float) -> bool:
    """Whether a figure goes across; the fold's shadow and a printed line down the middle do not count."""
    scale = min(1.0, SKEW_SIDE_PX / max(pixels.shape[:2]))
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    grey = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else grey
    ink = cv2.adaptiveThreshold(
        np.asarray(grey, np.uint8), 1, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, 41, 18
    )
    _, _, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    x, w, h = stats[1:, cv2.CC_STAT_LEFT], stats[1:, cv2.CC_STAT_WIDTH], stats[1:, cv2.CC_STAT_HEIGHT]
    reach = 0.03 * grey.shape[1]
    crossing = (x < middle * scale - reach) & (x + w > middle * scale + reach)
    return bool((crossing & (h < 0.6 * grey.shape[0]) & (h > 0.01 * grey.shape[0])).any())
