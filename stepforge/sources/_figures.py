"""Figures of a record, whichever way a source gives them: names, bytes, or `{"bytes": …, "path": …}` of an image
column; and the marks by which the text of a question speaks of them."""

import re
from collections.abc import Mapping

from stepforge.records import ImageRef
from stepforge.sources._base import BadRecord, Context

MAX_FIGURES = 100  # of one problem; the known sources have up to 14
MAX_FIGURE_BYTES = 64 * 2**20
_PLACE = re.compile(r"<image>|<\|image\|>")
_MARK = re.compile(r"<image_\d{1,3}>")


def figures_of(field: str, value: object, context: Context) -> tuple[ImageRef, ...]:
    """The figures that a field gives: null or an empty text is none, a text is names with `;` between them, an object
    is an image column's value, a list holds any of these.   Raises: BadRecord."""
    values = value if isinstance(value, list) else [value]
    found = [one for part in values for one in _split(part)]
    if len(found) > MAX_FIGURES:
        raise BadRecord(f"{field}: {len(found)} figures, the limit is {MAX_FIGURES}")
    return tuple(_figure(field, one, number, context) for number, one in enumerate(found, 1))


def _split(value: object) -> list[object]:
    if value is None:
        return []
    if isinstance(value, str):
        return [name.strip() for name in value.split(";") if name.strip()]
    return [value]


def _figure(field: str, value: object, number: int, context: Context) -> ImageRef:
    if isinstance(value, str):
        return context.figures(value)
    data: object = value
    name: object = None
    if isinstance(value, Mapping) and ("bytes" in value or "path" in value):
        data, name = value.get("bytes"), value.get("path")
        if data is None and isinstance(name, str) and name.strip():
            return context.figures(name.strip())
    if not isinstance(data, bytes) or not data:
        raise BadRecord(f"{field}: figure {number} is neither a name nor an image; give a name, or bytes with a path")
    if len(data) > MAX_FIGURE_BYTES:
        raise BadRecord(f"{field}: figure {number} has {len(data)} bytes, the limit is {MAX_FIGURE_BYTES}")
    return context.embed(name.strip() if isinstance(name, str) and name.strip() else f"{field}_{number}", data)


def with_marks(question: str, count: int) -> str:
    """The question with `<image_1>`, … in the place of each `<image>`; marks of figures that it does not speak of stand
    at its end, one a line."""
    numbers = iter(range(1, count + 1))
    marked = _PLACE.sub(lambda found: f"<image_{number}>" if (number := next(numbers, 0)) else found[0], question)
    if _MARK.search(question):
        return marked
    missing = [f"<image_{k}>" for k in range(1, count + 1) if f"<image_{k}>" not in marked]
    return "\n".join([marked.rstrip(), *missing]) if missing else marked
