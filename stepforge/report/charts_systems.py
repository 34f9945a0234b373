"""Plots that set systems beside each other: accuracy of answers against milestones, capabilities, groups of items."""

import json
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import altair as alt

from stepforge.report import charts
from stepforge.report.charts import BLUE, GREY, INK, RULE, WIDTH_PX, Frame, Interval, drawing
from stepforge.report.labels import short_labels, text_px

GREYED = "#7b848e"
KEY_DIGITS = 4
RADAR_PX = 240
RADAR_X, RADAR_Y = 1.9, 1.27  # half the width and height in radii: as many pixels a radius in both
RINGS = (0.25, 0.5, 0.75, 1.0)
LABEL_RADIUS = 1.14


class Spot(NamedTuple):
    """A system by two values with their intervals; `muted` draws it as a control."""

    x: Interval
    y: Interval
    muted: bool


SCATTER_X_PX, SCATTER_Y_PX, LINE_PX = WIDTH_PX - 66, 250, 12
X_DOMAIN, Y_DOMAIN = (-4, 128), (-6, 106)  # room for a name beside the last point, and for half a sign above and below


def _share_axis(title: str, *, of_x: bool) -> Any:
    axis = alt.Axis(values=[0, 25, 50, 75, 100], labelFlush=False) if of_x else alt.Axis(values=[0, 25, 50, 75, 100])
    domain = X_DOMAIN if of_x else Y_DOMAIN
    return {"title": title, "axis": axis, "scale": alt.Scale(domain=list(domain), nice=False, zero=False)}


def scatter(spots: Sequence[Spot], frame: Frame) -> str:
    """Each system as a point between the ends of its two intervals, with its name beside it, in per cent."""
    labels = short_labels([spot.x.label for spot in spots])
    data: list[dict[str, Any]] = []
    for label, spot in zip(labels, spots, strict=True):
        ends = {
            f"{axis}_{end}": 100 * (value if value is not None else of.value)
            for axis, of in (("x", spot.x), ("y", spot.y))
            for end, value in (("low", of.low), ("high", of.high))
        }
        ink = GREYED if spot.muted else BLUE
        data.append({"label": label, "x": 100 * spot.x.value, "y": 100 * spot.y.value, **ends, "ink": ink})
    for row, place in zip(data, _apart([(row["x"], row["y"], row["label"]) for row in data]), strict=True):
        row["label_y"] = place
    x, y = _share_axis(frame.x_title, of_x=True), _share_axis(frame.y_title, of_x=False)
    colour = alt.Color("ink:N", scale=None)
    base = alt.Chart(alt.NamedData("data"))
    diagonal = alt.Chart(alt.Data(values=[{"v": 0}, {"v": 100}]))
    chart = alt.layer(
        diagonal.mark_line(color=GREY, strokeWidth=1, strokeDash=[3, 3]).encode(
            x=alt.X("v:Q", **x), y=alt.Y("v:Q", **y)
        ),
        base.mark_rule(strokeWidth=1.5, opacity=0.55).encode(
            x=alt.X("x_low:Q", **x), x2="x_high:Q", y=alt.Y("y:Q", **y), color=colour
        ),
        base.mark_rule(strokeWidth=1.5, opacity=0.55).encode(
            x=alt.X("x:Q", **x), y=alt.Y("y_low:Q", **y), y2="y_high:Q", color=colour
        ),
        base.mark_point(filled=True, size=60, opacity=1).encode(x=alt.X("x:Q", **x), y=alt.Y("y:Q", **y), color=colour),
        base.mark_text(align="left", dx=7, color=INK, fontSize=11).encode(
            x=alt.X("x:Q", **x), y=alt.Y("label_y:Q", **y), text="label:N"
        ),
    ).properties(width=SCATTER_X_PX, height=SCATTER_Y_PX)
    return drawing(chart, frame, data=data)


def _apart(names: Sequence[tuple[float, float, str]]) -> list[float]:
    """Heights at which the names of points (x, y, name) do not cover each other while there is room: from the highest
    point down, each a little above its point, or else as few lines away as is free."""
    line = LINE_PX * (Y_DOMAIN[1] - Y_DOMAIN[0]) / SCATTER_Y_PX
    per_px = (X_DOMAIN[1] - X_DOMAIN[0]) / SCATTER_X_PX
    placed: list[tuple[float, float, float]] = []
    heights = [0.0] * len(names)
    for index in sorted(range(len(names)), key=lambda i: (-names[i][1], names[i][0], i)):
        x, y, name = names[index]
        right, wanted = x + per_px * (text_px(name) + 8), min(y + line * 0.7, Y_DOMAIN[1])
        in_the_way = [taken for start, end, taken in placed if start < right and x < end]
        tried = [wanted, *(wanted + sign * k * line for k in range(1, 24) for sign in (-1, 1))]
        inside = [height for height in tried if Y_DOMAIN[0] <= height <= Y_DOMAIN[1]]
        free = (height for height in inside if all(abs(taken - height) >= line - 1e-9 for taken in in_the_way))
        heights[index] = next(free, wanted)
        placed.append((x, right, heights[index]))
    return heights


def grouped_intervals(groups: Sequence[tuple[str, Sequence[Interval]]], frame: Frame) -> str:
    """Values with intervals in groups under one scale, each group under its name, in per cent."""
    titles = short_labels([name for name, _ in groups])
    data: list[dict[str, Any]] = []
    for title, (_, rows) in zip(titles, groups, strict=True):
        data.append({"y": _key(len(data), title), "v": None, "low": None, "high": None, **charts.inks(muted=True)})
        for label, value in zip(short_labels([row.label for row in rows]), rows, strict=True):
            look = {**charts.ends(value), **charts.inks(muted=value.muted)}
            data.append({"y": _key(len(data), label), "v": 100 * value.value, **look})
    for row in data:
        row |= {"edge": 100, "start": 0, "head": row["y"][KEY_DIGITS:]}
    keys = [row["y"] for row in data]
    margin = charts.margin_px([row["head"] for row in data if row["v"] is not None])
    places = json.dumps([row["y"][:KEY_DIGITS] for row in data if row["v"] is None])
    names = charts.category_axis(frame.y_title, margin).to_dict()
    names["labelExpr"] = (
        f"indexof({places}, slice(datum.value, 0, {KEY_DIGITS})) < 0 ? slice(datum.value, {KEY_DIGITS}) : ''"
    )
    y = alt.Y("y:N", sort=keys, scale=alt.Scale(domain=keys), axis=names)
    base = alt.Chart(alt.NamedData("data")).encode(y=y)
    known = base.transform_filter("isValid(datum.v)")
    x = {
        "scale": alt.Scale(domain=[0, 100], nice=False, clamp=True),
        "title": frame.x_title,
        "axis": alt.Axis(values=[0, 25, 50, 75, 100], labelFlush=False),
    }
    chart = alt.layer(
        base.transform_filter("isValid(datum.low) && isValid(datum.high)")
        .mark_bar(height=7)
        .encode(x=alt.X("low:Q", **x), x2="high:Q", color=alt.Color("band:N", scale=None)),
        known.mark_tick(thickness=2.5, size=13, opacity=1).encode(
            x=alt.X("v:Q", **x), color=alt.Color("ink:N", scale=None)
        ),
        known.mark_text(align="left", dx=12, color=INK).encode(x="edge:Q", text=alt.Text("v:Q", format=".1f")),
        base.transform_filter("!isValid(datum.v)")
        .mark_text(align="left", dx=3, color=INK, fontWeight="bold")
        .encode(x="start:Q", text="head:N"),
    ).properties(width=WIDTH_PX - margin - 56, height=20 * len(data))
    return drawing(chart, frame, data=data)


def _key(place: int, label: str) -> str:
    """A name of its own for each row of an axis; the axis shows what follows the digits."""
    return f"{place:0{KEY_DIGITS}d}{label}"


def radar(values: Sequence[float | None], others: Sequence[Sequence[float | None]], spokes: Sequence[str]) -> Any:
    """A chart of one system over at least three spokes from 0 in the middle to 1 at the rim, before others in grey.  A
    spoke without a value breaks the line."""
    n = len(spokes)

    def at(spoke: int, radius: float) -> tuple[float, float]:
        angle = math.pi / 2 - 2 * math.pi * spoke / n
        return round(radius * math.cos(angle), 6), round(radius * math.sin(angle), 6)

    def lines(name: str, shares: Sequence[float | None]) -> list[dict[str, Any]]:
        rows, part = [], 0
        for order in range(n + 1):
            share = shares[order % n]
            if share is None:
                part += 1
                continue
            x, y = at(order % n, share)
            rows.append({"x": x, "y": y, "order": order, "part": f"{name}/{part}", "v": round(100 * share)})
        return rows

    rings = [
        {"x": at(k % n, ring)[0], "y": at(k % n, ring)[1], "order": k, "part": str(ring)}
        for ring in RINGS
        for k in range(n + 1)
    ]
    axes = [{"x": 0.0, "y": 0.0, "x2": at(k, 1)[0], "y2": at(k, 1)[1]} for k in range(n)]
    names = [
        {"x": at(k, LABEL_RADIUS)[0], "y": at(k, LABEL_RADIUS)[1], "label": label, "side": _side(at(k, 1)[0])}
        for k, label in enumerate(spokes)
    ]
    behind = [row for place, shares in enumerate(others) for row in lines(str(place), shares)]
    return _radar_layers(rings, axes, names, behind, lines("own", values))


def _side(x: float) -> str:
    if abs(x) < 0.2:
        return "center"
    return "left" if x > 0 else "right"


def _radar_layers(rings: Any, axes: Any, names: Any, behind: Any, own: Any) -> Any:
    def x(field: str = "x:Q") -> Any:
        return alt.X(field, axis=None, scale=alt.Scale(domain=[-RADAR_X, RADAR_X], nice=False))

    def y(field: str = "y:Q") -> Any:
        return alt.Y(field, axis=None, scale=alt.Scale(domain=[-RADAR_Y, RADAR_Y], nice=False))

    def path(rows: Any, **look: Any) -> Any:
        chart = alt.Chart(alt.Data(values=rows)).mark_line(**look)
        return chart.encode(x=x(), y=y(), order="order:Q", detail="part:N")

    layers = [
        path(rings, color=RULE, strokeWidth=1),
        alt.Chart(alt.Data(values=axes))
        .mark_rule(color=RULE, strokeWidth=1)
        .encode(x=x(), y=y(), x2=alt.X2("x2"), y2=alt.Y2("y2")),
        path(behind, color="#c3cad1", strokeWidth=1.2),
        path(own, color=BLUE, strokeWidth=2),
        alt.Chart(alt.Data(values=own)).mark_point(filled=True, color=BLUE, size=40, opacity=1).encode(x=x(), y=y()),
        alt.Chart(alt.Data(values=own))
        .mark_text(color=INK, fontSize=10, dx=9, dy=-7)
        .encode(x=x(), y=y(), text=alt.Text("v:Q", format=".0f")),
    ]
    layers += [
        alt.Chart(alt.Data(values=[row for row in names if row["side"] == side]))
        .mark_text(color=INK, fontSize=11, align=side, lineBreak="\n")
        .encode(x=x(), y=y(), text="label:N")
        for side in ("left", "center", "right")
        if any(row["side"] == side for row in names)
    ]
    return alt.layer(*layers).properties(width=WIDTH_PX - 12, height=RADAR_PX)
