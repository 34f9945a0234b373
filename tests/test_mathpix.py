import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepforge.documents import BatchInfo, FileEntry, documents
from stepforge.mathpix import LINES, MARKDOWN, media_of, pages_of
from stepforge.papers import split_paper
from tests.make import document

KEY = "d" * 64


def line(text, top, **given):
    return {
        "text": text,
        "type": "text",
        "region": {"top_left_x": 100, "top_left_y": top, "width": 600, "height": 30},
        "confidence": 0.9,
        "confidence_rate": 0.98,
        "conversion_output": True,
        **given,
    }


def lines_file(*pages):
    found = [{"image_id": f"x-{n}", "page": n, "lines": list(lines)} for n, lines in enumerate(pages, 1)]
    return json.dumps({"pages": found}).encode()


PAPER = lines_file(
    [
        line("\\section*{Autumn contest}", 40),
        line("1. Find $x$ if $x+1=3$.", 100),
        line("A", 150, type="diagram", conversion_output=False),
        line("2. What is \\( \\frac{1}{2} \\) of 8?", 200),
        line("7", 250, type="page_info"),
    ],
    [line("Answers", 40), line("1. 2\n2. 4", 80, cnt=[[90, 80], [700, 80], [700, 140], [90, 140]])],
)
TEXT_REPLY = {
    "request_id": "r1",
    "version": "RSK-M134p7",
    "image_width": 640,
    "image_height": 220,
    "text": "1. Find $x$.",
    "confidence_rate": 0.99,
    "line_data": [
        {"type": "text", "cnt": [[10, 12], [630, 10], [630, 60], [10, 61]], "included": True, "text": "1. Find $x$."}
    ],
}


def test_the_lines_of_a_page_keep_their_place_confidence_and_order():
    first, second = pages_of(KEY, LINES, PAPER)
    assert [row.text for row in first.lines] == [
        "Autumn contest",
        "1. Find $x$ if $x+1=3$.",
        "2. What is \\( \\frac{1}{2} \\) of 8?",
    ]
    row = first.lines[1]
    assert (row.x0, row.y0, row.x1, row.y1, row.confidence) == (100, 100, 700, 130, 0.98)
    assert [(row.text, row.y0, row.y1) for row in second.lines] == [
        ("Answers", 40, 70),
        ("1. 2", 80, 110),
        ("2. 4", 110, 140),
    ]
    assert {page.engine for page in (first, second)} == {"mathpix"}


def test_a_reply_of_the_text_interface_is_one_page():
    (page,) = pages_of(KEY, LINES, json.dumps(TEXT_REPLY).encode())
    assert page.engine == "mathpix RSK-M134p7"
    assert [(row.text, row.x0, row.y0, row.x1, row.y1) for row in page.lines] == [("1. Find $x$.", 10, 10, 630, 61)]
    (bare,) = pages_of(KEY, LINES, json.dumps({**TEXT_REPLY, "line_data": None}).encode())
    assert [row.text for row in bare.lines] == ["1. Find $x$."]


def test_markdown_is_read_without_its_layout_and_page_by_page():
    text = (
        "# Contest\n\n1. See the figure.\n\n![](https://cdn.mathpix.com/cropped/a.jpg)\n\n"
        "\\begin{figure}\n\\includegraphics[width=3cm]{a}\n\\end{figure}\n\\section*{Part B}\n2. Find $y$.\n"
        "\\newpage\n3. Stop."
    )
    pages = pages_of(KEY, MARKDOWN, text.encode())
    assert [[row.text for row in page.lines] for page in pages] == [
        ["Contest", "1. See the figure.", "Part B", "2. Find $y$."],
        ["3. Stop."],
    ]


def test_a_paper_from_mathpix_gives_its_problems_with_their_answers():
    paper = document(path="contest.lines.json", source="paper", media_type=LINES)
    outcome = split_paper(paper, pages_of(paper.document_id, LINES, PAPER))
    assert [(p.question, p.answer.text, p.provenance.method) for p in outcome.kept] == [
        ("Find $x$ if $x+1=3$.", "2", "mathpix"),
        ("What is \\( \\frac{1}{2} \\) of 8?", "4", "mathpix"),
    ]


@pytest.mark.parametrize(
    ("path", "data", "media"),
    [
        ("a.mmd", b"1. x", MARKDOWN),
        ("a.lines.json", PAPER, LINES),
        ("a.json", json.dumps(TEXT_REPLY).encode(), LINES),
        ("a.json", b'{"pages": 3, "text": "q", "answer": "4"}', None),
        ("a.jsonl", json.dumps(TEXT_REPLY).encode(), None),
        ("a.lines.json", b'{"question": "q"}', None),
    ],
)
def test_files_of_mathpix_are_known_by_name_and_content(path, data, media):
    assert media_of(path, data) == media


def test_such_a_file_is_a_document_of_the_batch():
    files = {"paper.lines.json": PAPER, "notes.mmd": b"1. x"}
    entries = [FileEntry(path, path, len(data), datetime(2026, 1, 2, tzinfo=UTC)) for path, data in files.items()]
    outcome = documents(BatchInfo("b", "unknown", None, False), entries, files.__getitem__)
    assert [(d.path, d.source, d.media_type) for d in outcome.kept] == [
        ("notes.mmd", "paper", MARKDOWN),
        ("paper.lines.json", "paper", LINES),
    ]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\xff\xfe", "no UTF-8"),
        (b"[1]", "no object"),
        (b"{", "Mathpix again"),
        (b"[" * 100_000, "Mathpix again"),
        (b'{"pages": {}}', "no list"),
        (b'{"pages": [5]}', "page 1 is no object"),
        (b'{"pages": [{"lines": 5}]}', "no list"),
        (b'{"pages": [{"lines": [{"text": "a"}]}]}', "neither cnt nor region"),
        (b'{"pages": [{"lines": [{"text": "a", "cnt": [[1]]}]}]}', "cannot be read"),
        (b'{"pages": [{"lines": [{"text": "a", "cnt": [[NaN, 2]]}]}]}', "on no page"),
        (b'{"pages": [{"lines": [{"text": "a", "region": {"top_left_x": 1e400}}]}]}', "cannot be read"),
    ],
)
def test_a_damaged_file_is_a_page_with_an_error_that_says_where(data, said):
    (page,) = pages_of(KEY, LINES, data)
    assert page.lines == ()
    assert said in page.error


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["pages", "lines", "text", "cnt", "region", "line_data", "width"]), inner, max_size=4
        )
    ),
)


@given(JSON)
def test_no_json_whatever_stops_the_reading(value):
    pages = pages_of(KEY, LINES, json.dumps(value).encode())
    assert pages == [] or [page.number for page in pages] == list(range(1, len(pages) + 1))
