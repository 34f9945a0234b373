from xml.etree import ElementTree as ET

from hypothesis import given, settings
from hypothesis import strategies as st

from stepforge.report import charts
from stepforge.report.labels import short_labels
from stepforge.vocabulary import Reason
from tests.report.samples import HOSTILE

FRAME = charts.Frame("f1-", "Problems by source", "problems (count)", "source")
TEXTS = st.text(st.characters(), max_size=60)  # with control characters and lone surrogates


def parse(svg: str) -> ET.Element:
    return ET.fromstring(svg)  # noqa: S314 - our own drawing


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in parse(svg).iter("text")]


def test_bars_show_their_labels_counts_and_axis_titles_as_text():
    shown = texts(charts.bars([charts.Bar("几何", 1200), charts.Bar("null", 7)], FRAME))
    assert {"几何", "null", "1,200", "7", "problems (count)", "source"} <= set(shown)


def test_a_hostile_label_is_text_and_the_drawing_holds_shapes_only():
    svg = charts.bars([charts.Bar(HOSTILE[:17], 3)], FRAME)
    assert HOSTILE[:17] in texts(svg)
    root = parse(svg)
    assert {element.tag for element in root.iter()} <= {"svg", "g", "path", "rect", "text", "line", "defs", "clipPath"}
    assert not [name for element in root.iter() for name in element.attrib if name.startswith(("on", "href", "style"))]


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(TEXTS, st.integers(0, 10**9)), min_size=1, max_size=6))
def test_any_label_gives_a_drawing_with_one_bar_a_row(pairs: list[tuple[str, int]]):
    svg = charts.bars([charts.Bar(label, n) for label, n in pairs], FRAME)
    svg.encode()
    shown = texts(svg)
    assert all(f"{n:,}" in shown for _, n in pairs)
    assert parse(svg).get("role") == "img"


@given(st.lists(TEXTS, max_size=12))
def test_labels_are_short_and_no_two_are_alike(names: list[str]):
    labels = short_labels(names)
    assert len(set(labels)) == len(names)
    assert all(labels)
    assert all(short_labels([label]) == [label] for label in labels)  # none is wider than a label may be


def test_every_reason_fits_beside_its_bar_uncut():
    assert short_labels(list(Reason)) == [str(reason) for reason in Reason]


def test_a_long_label_outside_the_basic_plane_is_cut_between_characters():
    label = short_labels(["\U0002000b" * 40])[0]
    assert label == "\U0002000b" * 13 + "…"
    assert label in texts(charts.bars([charts.Bar("\U0002000b" * 40, 1)], FRAME))


def test_an_interval_is_drawn_between_its_ends_and_left_out_where_there_is_none():
    with_ends = charts.intervals([charts.Interval("a", 0.5, 0.4, 0.6)], FRAME)
    without = charts.intervals([charts.Interval("a", 0.5, None, None)], FRAME)
    assert charts.PALE_BLUE in with_ends
    assert charts.PALE_BLUE not in without
    assert "50.0" in texts(with_ends)
    assert "50.0" in texts(without)


def test_the_same_rows_give_the_same_bytes():
    line = charts.Line("a", (charts.Interval("1-4", 1.0, 0.9, 1.0), None, charts.Interval("9-12", 0.0, None, None)))
    drawings = {charts.curve(line, [line], ["1-4", "5-8", "9-12"], FRAME) for _ in range(2)}
    assert len(drawings) == 1
    assert {"100", "0", "5-8"} <= set(texts(drawings.pop()))
