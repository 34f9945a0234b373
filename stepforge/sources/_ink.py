"""Ink of an InkML file: its annotations and traces, and the traces drawn as a picture."""

import io
import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import iterparse
from PIL import Image, ImageDraw

MAX_BYTES = 16 * 2**20  # of an InkML file; the largest of CROHME has 200 KB
MAX_DEPTH = 64
MAX_TRACES = 5_000
MAX_POINTS = 200_000  # of all traces
SIDE_PX = 1000  # the longer side of a picture, as in the off-line task of CROHME 2019
MARGIN_PX = 10
PEN_PX = 4

Point = tuple[float, float]


class BadInk(ValueError):
    """The file is no ink; the message says what is wrong."""


class Ink(NamedTuple):
    """Annotations of the whole expression by type, and the traces in the order of writing; y grows downwards."""

    annotations: dict[str, str]
    traces: tuple[tuple[Point, ...], ...]


def read_ink(data: bytes) -> Ink:
    """The ink of an InkML file.  Raises: BadInk."""
    if len(data) > MAX_BYTES:
        raise BadInk(f"{len(data)} bytes, the limit for InkML is {MAX_BYTES}; split the file")
    annotations: dict[str, str] = {}
    traces: list[tuple[Point, ...]] = []
    try:
        for element, depth in _ended(data):
            name = element.tag.rpartition("}")[2]
            if name == "annotation" and depth == 1:
                annotations.setdefault(element.get("type", ""), (element.text or "").strip())
            elif name == "trace":
                traces.append(_points(element.text or "", len(traces) + 1))
                if len(traces) > MAX_TRACES or sum(map(len, traces[-1:])) > MAX_POINTS:
                    raise BadInk(f"more than {MAX_TRACES} traces or {MAX_POINTS} points")
    except DefusedXmlException as error:
        raise BadInk(f"the file defines entities or a document type ({type(error).__name__}); remove them") from None
    except (ParseError, ValueError) as error:
        if isinstance(error, BadInk):
            raise
        raise BadInk(f"not well-formed XML: {error}") from None
    if sum(map(len, traces)) > MAX_POINTS:
        raise BadInk(f"more than {MAX_POINTS} points")
    return Ink(annotations, tuple(trace for trace in traces if trace))


def _ended(data: bytes) -> Iterator[tuple[Element, int]]:
    """Elements as they end, with the number of elements around each.  Raises: BadInk."""
    depth = -1
    for event, element in iterparse(io.BytesIO(data), events=("start", "end"), forbid_dtd=True):
        if event == "start":
            depth += 1
            if depth > MAX_DEPTH:
                raise BadInk(f"nested deeper than {MAX_DEPTH} levels")
            if depth == 0 and element.tag.rpartition("}")[2] != "ink":
                raise BadInk(f"the outermost element is {element.tag[:60]!r}, not 'ink'")
        else:
            yield element, depth
            depth -= 1
            element.clear()


def _points(text: str, number: int) -> tuple[Point, ...]:
    """The points of `x y, x y t, …`; further channels (time, force) are left out."""
    found = []
    for part in text.split(","):
        values = part.split()
        if not values:
            continue
        try:
            x, y = float(values[0]), float(values[1])
        except (ValueError, IndexError):
            raise BadInk(f"trace {number}: {part.strip()[:60]!r} is no point; write x and y with a space") from None
        if not (math.isfinite(x) and math.isfinite(y) and abs(x) < 1e12 and abs(y) < 1e12):
            raise BadInk(f"trace {number}: {part.strip()[:60]!r} is out of range")
        found.append((x, y))
    return tuple(found)


def drawn(traces: Sequence[Sequence[Point]]) -> bytes:
    """The traces as a PNG: black on white, the ratio of the sides kept, the longer one `SIDE_PX` and margins.

    traces: at least one point in all.   The same traces give the same bytes.   Raises: ValueError."""
    points = [point for trace in traces for point in trace]
    if not points:
        raise ValueError("no ink")
    left, top = min(x for x, _ in points), min(y for _, y in points)
    width, height = max(x for x, _ in points) - left, max(y for _, y in points) - top
    scale = (SIDE_PX - 1) / (max(width, height) or 1.0)
    size = (round(width * scale) + 1 + 2 * MARGIN_PX, round(height * scale) + 1 + 2 * MARGIN_PX)
    picture = Image.new("L", size, 255)
    pen = ImageDraw.Draw(picture)
    for trace in traces:
        line = [((x - left) * scale + MARGIN_PX, (y - top) * scale + MARGIN_PX) for x, y in trace]
        if len(set(line)) > 1:
            pen.line(line, fill=0, width=PEN_PX, joint="curve")
        for x, y in {line[0], line[-1]} if line else ():
            pen.ellipse((x - PEN_PX / 2, y - PEN_PX / 2, x + PEN_PX / 2, y + PEN_PX / 2), fill=0)
    out = io.BytesIO()
    picture.save(out, "PNG", optimize=False)
    return out.getvalue()
