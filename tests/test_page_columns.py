"""Columns of a page."""

from hypothesis import given
from hypothesis import strategies as st

from stepforge.page_columns import MAX_PIECES, Piece, columns_of


def column(texts, x, y=0.0, width=None):
    return [Piece(t, x, y + 20.0 * i, x + (width or 10.0 * len(t)), y + 20.0 * i + 10) for i, t in enumerate(texts)]


def read(pieces):
    return [[pieces[i].text for i in group] for group in columns_of(pieces)]


LEFT = [f"left line number {n:02} of the text" for n in range(12)]
RIGHT = [f"right line number {n:02} of a text" for n in range(12)]


def test_two_columns_are_read_one_after_the_other_whatever_the_order_of_the_pieces():
    pieces = [p for pair in zip(column(LEFT, 0), column(RIGHT, 340), strict=True) for p in pair]
    assert read(pieces) == [LEFT, RIGHT]


def test_a_title_and_a_heading_across_both_columns_part_them():
    title = [Piece("THE SPRING CONTEST", 200, -40, 480, -25)]
    heading = [Piece("Part B: everything else", 200, 260, 480, 270)]
    pieces = [*title, *column(LEFT, 0), *column(RIGHT, 340), *heading, *column(LEFT, 0, 300), *column(RIGHT, 340, 300)]
    assert read(pieces) == [["THE SPRING CONTEST"], LEFT, RIGHT, ["Part B: everything else"], LEFT, RIGHT]


def test_three_columns():
    third = [f"third line number {n:02} of a text" for n in range(12)]
    pieces = [*column(LEFT, 0), *column(RIGHT, 340), *column(third, 680)]
    assert read(pieces) == [LEFT, RIGHT, third]


def test_options_in_two_columns_are_read_by_rows():
    pieces = []
    for n in range(8):
        y = 60.0 * n
        pieces += [Piece(f"{n + 1}. Which of these is right?", 0, y, 240, y + 10)]
        for k, label in enumerate("ABCD"):
            x, row = 340.0 * (k % 2), y + 20 + 20 * (k // 2)
            pieces.append(Piece(f"{label}. the value number {k}", x, row, x + 220, row + 10))
    (group,) = read(pieces)
    assert len(group) == len(pieces)


def test_a_table_is_read_by_rows():
    rows = [
        p
        for n in range(9)
        for p in (Piece(f"{n}", 0, 20 * n, 10, 20 * n + 10), Piece("ab", 300, 20 * n, 320, 20 * n + 10))
    ]
    assert len(columns_of(rows)) == 1


def test_short_problems_side_by_side_are_columns_if_their_numbers_go_on():
    left = column([f"{n}. 2 + {n} =" for n in range(1, 7)], 0)
    right = column([f"{n}. 3 + {n} =" for n in range(7, 13)], 340)
    assert [len(group) for group in columns_of([*left, *right])] == [6, 6]


def test_a_page_with_too_many_pieces_is_read_across():
    pieces = [Piece("x", float(n % 97), float(n), n % 97 + 1.0, n + 1.0) for n in range(MAX_PIECES + 1)]
    assert columns_of(pieces) == [list(range(MAX_PIECES + 1))]


SIDES = st.floats(0, 600)


@given(st.lists(st.tuples(st.text("A1. x", max_size=30), SIDES, SIDES, SIDES, SIDES), max_size=60))
def test_every_piece_is_in_exactly_one_group(rows):
    pieces = [Piece(t, min(a, b), min(c, d), max(a, b), max(c, d)) for t, a, b, c, d in rows]
    assert sorted(i for group in columns_of(pieces) for i in group) == list(range(len(pieces)))
