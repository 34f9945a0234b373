"""Files that are made to hang, to exhaust or to deceive the reader of pages."""

import io

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reportlab.pdfgen.canvas import Canvas

from resources.pages import MAX_KILLED, MAX_PAGES, read_pages
from resources.workers import GIB, Workers
from stepforge.errors import LimitExceeded
from tests.resources.hostile_files import IMAGES, PDFS, gif_of

SENTENCE = "1. How many sides has a square?"
SAYS = {  # what a person is told
    "a page tree that is its own child": "cannot be read",
    "pages without number": "cannot be opened",
    "a stream of four gigabytes": "out of memory",
    "a page as thin as a hair": "pixels",
    "only a head": "cannot be opened",
    "a PNG of 2,500 million pixels": "pixels",
    "a PNG of 49 million pixels and no data": "damaged",
    "a PNG of no size": "cannot be opened",
    "a PNG as long as a street": "pixels",
    "a JPEG that ends at once": "cannot be opened",
}
STILL_READ = {
    "a form that draws itself",
    "an xref table before itself",
    "a million drawn objects",
    "a page of a million inches",
    "a page of no size",
    "a page whose size is no number",
    "a hundred thousand saved states",
    "a user unit of a million",
}


@pytest.fixture(scope="module")
def workers():
    with Workers(1, memory_bytes=3 * GIB) as pool:
        yield pool


@pytest.mark.parametrize("name", PDFS)
def test_a_hostile_pdf_costs_itself_alone_and_says_why(name, workers):
    pages = read_pages("d", "application/pdf", PDFS[name](), workers)
    assert 1 <= len(pages) <= MAX_PAGES + 1
    assert [page.number for page in pages] == list(range(1, len(pages) + 1))
    if name in SAYS:
        assert all(SAYS[name] in page.error for page in pages)
    else:
        assert all(page.error is None for page in pages)
    assert any(SENTENCE in line.text for page in pages for line in page.lines) is (name in STILL_READ)


@pytest.mark.parametrize("name", IMAGES)
def test_a_hostile_image_costs_itself_alone_and_says_why(name, workers):
    media, make = IMAGES[name]
    pages = read_pages("d", media, make(), workers)
    assert 1 <= len(pages) <= MAX_PAGES + 1
    if name in SAYS:
        (page,) = pages
        assert SAYS[name] in page.error
        assert "/tmp" not in page.error
    assert all(page.lines == () for page in pages)


def test_frames_beyond_the_limit_are_one_page_with_an_error(workers):
    pages = read_pages("d", "image/gif", gif_of(MAX_PAGES + 10), workers)
    assert len(pages) == MAX_PAGES + 1
    assert f"pages {MAX_PAGES + 1} to {MAX_PAGES + 10}" in pages[-1].error


class AlwaysKilled:
    """Workers in which every page takes too long."""

    def __init__(self, count):
        self.count, self.tried = count, 0

    def map(self, function, items, timeout_s):
        for _item in items:
            if function.__name__ == "count_pages":
                yield self.count
            else:
                self.tried += 1
                yield LimitExceeded(f"took longer than {timeout_s:g} s")


def test_a_file_whose_pages_all_hang_is_given_up_after_some():
    workers = AlwaysKilled(150)
    pages = read_pages("d", "application/pdf", b"", workers)
    assert len(pages) == 150
    assert all(page.error for page in pages)
    assert MAX_KILLED <= workers.tried < 2 * MAX_KILLED
    assert "not tried" in pages[-1].error


def paper(n_pages=3):
    held = io.BytesIO()
    canvas = Canvas(held, invariant=1)
    for n in range(n_pages):
        canvas.drawString(72, 700, f"{n + 1}. How many sides has a square of side {n}?")
        canvas.showPage()
    canvas.save()
    return held.getvalue()


PAPER = paper()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_damaged_pdf_gives_pages_or_a_reason_and_never_ends_the_stage(data, workers):
    damaged = bytearray(PAPER)
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(damaged) - 1))
        damaged[at : at + data.draw(st.integers(1, 12))] = data.draw(st.binary(max_size=12))
        damaged = damaged or bytearray(b"%")
    del damaged[data.draw(st.integers(1, len(damaged) + 1)) :]
    pages = read_pages("d", "application/pdf", bytes(damaged), workers)
    assert pages
    assert all(page.error is None or (page.error and page.lines == ()) for page in pages)
    assert len({page.number for page in pages}) == len(pages)
