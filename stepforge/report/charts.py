"""Plots as SVG text: an Altair specification, drawn in process by vl-convert with no browser and no network.

The layout does not depend on the fonts of the machine: margins are fixed or estimated from the number of characters,
and text stays text, so that the viewer's own fonts show Chinese labels. Each drawing is parsed again, reduced to the
elements and attributes that a plot needs, and given ids of its own, so that nothing in a label can become markup.
"""

import re
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, cast
from xml.etree import ElementTree as ET

import altair as alt
import vl_convert as vlc
from altair.utils.schemapi import debug_mode

from stepforge.report.labels import plain, short_labels, text_px

WIDTH_PX = 372  # one plot in a column of the page; a phone of 390 px shows it at nine tenths
ROW_PX = 24
MAX_BEHIND = 12  # grey lines that an eye can still tell apart
HEADROOM = 112  # top of the axis of a curve in per cent: the number above a point at 100 fits in
BLUE, PALE_BLUE, ORANGE, GREY, INK, RULE = "#1f6f9f", "#a9cfe6", "#cc5500", "#9aa3ad", "#24292f", "#e3e6ea"

_ELEMENTS = frozenset({"svg", "g", "path", "rect", "text", "tspan", "line", "circle", "defs", "clipPath"})
_ATTRIBUTES = frozenset(
    {
        "id",
        "viewBox",
        "transform",
        "d",
        "x",
        "y",
        "x1",
        "y1",
        "x2",
        "y2",
        "dx",
        "dy",
        "r",
        "cx",
        "cy",
        "width",
        "height",
    }
    | {"fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin"}
    | {"stroke-miterlimit", "stroke-opacity", "opacity", "clip-path"}
    | {"text-anchor", "font-size", "font-weight", "font-style"}
)


def inks(*, muted: bool) -> dict[str, str]:
    """Colours of a value and of its interval."""
    return {"ink": "#7b848e", "band": "#d5d9de"} if muted else {"ink": BLUE, "band": PALE_BLUE}


# Handed to the converter as a whole: a chart copies itself for each setting that it is given.
_CONFIG = {
    "font": "sans-serif",
    "background": "transparent",
    "padding": {"left": 2, "right": 6, "top": 4, "bottom": 4},
    "view": {"stroke": None},
    "axis": {
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "labelColor": INK,
        "titleColor": "#57606a",
        "gridColor": RULE,
        "domainColor": GREY,
        "tickColor": GREY,
    },
    "legend": {"labelFontSize": 12, "labelColor": INK},
    "text": {"fontSize": 12},
}


class Frame(NamedTuple):
    """What stands around a plot.  `prefix`: start of its ids, unique on the page; `alt`: what it shows, in words."""

    prefix: str
    alt: str
    x_title: str
    y_title: str


class Bar(NamedTuple):
    """A labelled count."""

    label: str
    value: int


class Split(NamedTuple):
    """A whole that falls into parts, each a count."""

    label: str
    parts: tuple[tuple[str, int], ...]


class Interval(NamedTuple):
    """A value in [0, 1] with its interval; `muted` draws it as a control."""

    label: str
    value: float
    low: float | None
    high: float | None
    muted: bool = False


class Line(NamedTuple):
    """Values over the categories of an axis, None where there is none; `muted` draws it as a control."""

    label: str
    points: tuple[Interval | None, ...]
    muted: bool = False


def margin_px(labels: Sequence[str]) -> int:
    """Width of the margin that holds the labels."""
    return max(56, round(max(map(text_px, labels)) + 12))


def category_axis(title: str, margin: int) -> Any:
    """An axis of names with its title level above the names."""
    return alt.Axis(
        title=title,
        titleAngle=0,
        titleAlign="left",
        titleAnchor="end",
        titleBaseline="bottom",
        titleX=-margin,
        titleY=-6,
        minExtent=margin,
        maxExtent=margin,
        labelLimit=0,
        labelPadding=6,
        domain=False,
        ticks=False,
        grid=False,
    )


def bars(rows: Sequence[Bar], frame: Frame) -> str:
    """Horizontal bars with their counts at the end, in the given order."""
    labels = short_labels([bar.label for bar in rows])
    data = [{"y": label, "x": bar.value} for label, bar in zip(labels, rows, strict=True)]
    margin = margin_px(labels)
    top = max(bar.value for bar in rows) or 1
    base = alt.Chart(alt.NamedData("data")).encode(
        x=alt.X("x:Q", title=frame.x_title, scale=_count_scale(top), axis=_count_axis(top)),
        y=alt.Y("y:N", sort=labels, axis=category_axis(frame.y_title, margin)),
    )
    chart = alt.layer(
        base.mark_bar(color=BLUE, height=15),
        base.mark_text(align="left", dx=5, color=INK).encode(text=alt.Text("x:Q", format=",d")),
    ).properties(width=WIDTH_PX - margin - 16, height=ROW_PX * len(rows))
    return drawing(chart, frame, data=data)


def grouped_bars(groups: Sequence[tuple[str, Sequence[Bar]]], frame: Frame) -> str:
    """Horizontal bars in groups under one scale, each group with its name above it."""
    labels = [short_labels([bar.label for bar in rows]) for _, rows in groups]
    margin = margin_px([label for names in labels for label in names])
    top = max(bar.value for _, rows in groups for bar in rows) or 1
    panels = []
    for place, ((group, rows), names) in enumerate(zip(groups, labels, strict=True)):
        last = place == len(groups) - 1
        axis = category_axis(frame.y_title if place == 0 else "", margin)
        base = alt.Chart(alt.Data(values=[{"y": n, "x": b.value} for n, b in zip(names, rows, strict=True)])).encode(
            x=alt.X(
                "x:Q",
                title=frame.x_title if last else "",
                scale=_count_scale(top),
                axis=_count_axis(top, labels=last),
            ),
            y=alt.Y("y:N", sort=names, axis=axis),
        )
        title = alt.TitleParams(short_labels([group])[0], anchor="start", fontSize=12, color=INK, offset=8, dx=2)
        panels.append(
            alt.layer(
                base.mark_bar(color=ORANGE, height=15),
                base.mark_text(align="left", dx=5, color=INK).encode(text=alt.Text("x:Q", format=",d")),
            ).properties(width=WIDTH_PX - margin - 16, height=ROW_PX * len(rows), title=title)
        )
    return drawing(alt.vconcat(*panels, spacing=8), frame)


def _count_scale(top: int) -> Any:
    """A scale of counts with room for the number behind the longest bar."""
    return alt.Scale(domain=[0, top * (1.08 + 0.035 * len(f"{top:,}"))], nice=False)


def _count_axis(top: int, *, labels: bool = True) -> Any:
    """An axis of counts: whole numbers only."""
    return alt.Axis(
        format="~s" if top >= 10_000 else ",d", tickCount=min(4, top), tickMinStep=1, labels=labels, ticks=labels
    )


def splits(rows: Sequence[Split], colours: dict[str, str], frame: Frame, *, columns: int = 0) -> str:
    """Each whole as a bar of 100 %, cut into its parts, with its count at the end.  `columns`: of the legend; 0: one
    row."""
    labels = short_labels([row.label for row in rows])
    margin = margin_px(labels)
    data, totals = [], []
    for label, row in zip(labels, rows, strict=True):
        total = sum(n for _, n in row.parts)
        totals.append({"y": label, "x": 100, "n": total})
        start = 0.0
        for part, n in row.parts:
            share = 100 * n / total if total else 0
            data.append({"y": label, "part": part, "x": start, "x2": start + share})
            start += share
    y = alt.Y("y:N", sort=labels, axis=category_axis(frame.y_title, margin))
    x_axis = alt.Axis(values=[0, 25, 50, 75, 100], labelFlush=False, domain=False)
    chart = alt.layer(
        alt.Chart(alt.NamedData("data"))
        .mark_bar(height=15)
        .encode(
            x=alt.X("x:Q", title=frame.x_title, scale=alt.Scale(domain=[0, 118], nice=False), axis=x_axis),
            x2="x2:Q",
            y=y,
            color=alt.Color(
                "part:N",
                title=None,
                scale=alt.Scale(domain=list(colours), range=list(colours.values())),
                legend=alt.Legend(
                    orient="top",
                    direction="horizontal",
                    symbolType="square",
                    offset=22,
                    padding=0,
                    columnPadding=20,
                    columns=columns or alt.Undefined,
                ),
            ),
        ),
        alt.Chart(alt.NamedData("totals"))
        .mark_text(align="left", dx=5, color=INK)
        .encode(x="x:Q", y=y, text=alt.Text("n:Q", format=",d")),
    ).properties(width=WIDTH_PX - margin - 16, height=ROW_PX * len(rows))
    return drawing(chart, frame, data=data, totals=totals)


def intervals(rows: Sequence[Interval], frame: Frame) -> str:
    """A tick on the band of its interval for each row, in per cent, the value at the right edge."""
    labels = short_labels([row.label for row in rows])
    margin = margin_px(labels)
    data = [
        {"y": label, "v": 100 * row.value, **ends(row), **inks(muted=row.muted), "edge": 100}
        for label, row in zip(labels, rows, strict=True)
    ]
    base = alt.Chart(alt.NamedData("data")).encode(
        y=alt.Y("y:N", sort=labels, axis=category_axis(frame.y_title, margin))
    )
    axis = alt.Axis(values=[0, 25, 50, 75, 100], labelFlush=False)
    chart = alt.layer(
        base.transform_filter("isValid(datum.low) && isValid(datum.high)")
        .mark_bar(height=7)
        .encode(
            x=alt.X("low:Q", scale=_share_scale(), title=frame.x_title, axis=axis),
            x2="high:Q",
            color=alt.Color("band:N", scale=None),
        ),
        base.mark_tick(thickness=2.5, size=15, opacity=1).encode(
            x=alt.X("v:Q", scale=_share_scale(), title=frame.x_title, axis=axis),
            color=alt.Color("ink:N", scale=None),
        ),
        base.mark_text(align="left", dx=12, color=INK).encode(x="edge:Q", text=alt.Text("v:Q", format=".1f")),
    ).properties(width=WIDTH_PX - margin - 56, height=ROW_PX * len(rows))
    return drawing(chart, frame, data=data)


def ends(row: Interval) -> dict[str, float | None]:
    """Both ends of the interval in per cent, or neither."""
    if row.low is None or row.high is None:
        return {"low": None, "high": None}
    return {"low": 100 * row.low, "high": 100 * row.high}


def _share_scale(top: int = 100) -> Any:
    return alt.Scale(domain=[0, top], nice=False, clamp=True)


def curve(line: Line, others: Sequence[Line], categories: Sequence[str], frame: Frame) -> str:
    """One line with intervals over ordered categories, in per cent, before at most `MAX_BEHIND` others in grey."""
    labels = short_labels(categories)
    behind = [
        {"x": label, "v": 100 * point.value, "line": place}
        for place, other in enumerate(others[:MAX_BEHIND])
        for label, point in zip(labels, other.points, strict=True)
        if point is not None
    ]
    own = [
        {"x": label, "v": 100 * point.value, **ends(point)}
        for label, point in zip(labels, line.points, strict=True)
        if point is not None
    ]
    colour = "#5c6670" if line.muted else BLUE
    x = alt.X(
        "x:O",
        sort=labels,
        title=frame.x_title,
        scale=alt.Scale(domain=labels),
        axis=alt.Axis(labelAngle=0, labelLimit=0, grid=False),
    )
    y = alt.Y(
        "v:Q",
        title=frame.y_title,
        scale=_share_scale(HEADROOM),
        axis=alt.Axis(values=[0, 25, 50, 75, 100], minExtent=28),
    )
    base = alt.Chart(alt.NamedData("own")).encode(x=x)
    chart = alt.layer(
        alt.Chart(alt.NamedData("behind"))
        .mark_line(color="#d5d9de", strokeWidth=1.5)
        .encode(x=x, y=y, detail="line:N"),
        base.mark_line(color=colour, strokeWidth=2).encode(y=y),
        base.transform_filter("isValid(datum.low) && isValid(datum.high)")
        .mark_rule(color=colour, strokeWidth=2)
        .encode(y=alt.Y("low:Q", scale=_share_scale(HEADROOM), title=frame.y_title), y2="high:Q"),
        base.mark_point(filled=True, size=60, color=colour, opacity=1).encode(y=y),
        base.mark_text(dx=7, dy=-9, align="left", color=INK).encode(y=y, text=alt.Text("v:Q", format=".0f")),
    ).properties(width=WIDTH_PX - 70, height=190)
    return drawing(chart, frame, own=own, behind=behind)


def unvalidated() -> AbstractContextManager[None]:
    """Within it, Altair does not check each part of a specification against the whole schema, which takes nine tenths
    of the time of a page; vl-convert still refuses a specification that it cannot read."""
    return cast(AbstractContextManager[None], debug_mode(False))


def drawing(chart: Any, frame: Frame, **data: list[dict[str, Any]]) -> str:
    """The SVG of a chart over `data`, which it knows by name: rows inside it would be copied with each of its parts."""
    spec = chart.to_dict(validate=False)
    spec["datasets"] = {**spec.get("datasets", {}), **data}
    svg = vlc.vegalite_to_svg(spec, config=_CONFIG, allowed_base_urls=[])
    return _reduce(svg, frame)


def _reduce(svg: str, frame: Frame) -> str:
    """The drawing with only the elements and attributes of a plot, ids of its own, ready to stand inside HTML."""
    root = ET.fromstring(svg)  # noqa: S314 - written by vl-convert, which escapes every text
    for element in root.iter():
        for child in list(element):
            if _local(child.tag) not in _ELEMENTS or child.get("display") == "none":
                element.remove(child)
    for element in root.iter():
        element.tag = _local(element.tag)
        kept = {name: value for name, value in element.attrib.items() if name in _ATTRIBUTES}
        if "id" in kept:
            kept["id"] = frame.prefix + kept["id"]
        if "clip-path" in kept:
            kept["clip-path"] = re.sub(r"url\(#", f"url(#{frame.prefix}", kept["clip-path"])
        element.attrib.clear()
        element.attrib.update(kept)
    root.attrib.pop("height", None)  # the style sheet sets the width, the view box gives the proportion
    root.attrib.pop("width", None)
    root.set("role", "img")
    root.set("aria-label", plain(frame.alt))
    return ET.tostring(root, encoding="unicode")


def _local(tag: str) -> str:
    return tag.rpartition("}")[2]
