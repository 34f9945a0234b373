"""Texts written to take long.  They run in a process whose processor time is limited, so that a hang is a failure."""

import resource
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from stepforge.cleaning import clean_pages, clean_text
from stepforge.records import Page, PageLine

LENGTH = 1_000_000
CPU_S = 120  # a text takes some seconds at most; a rule that takes the square of the length takes hours

UNITS = (
    "$", "\\(", "{", "}", "\\", "(", "（1)", "∵", ".∴", ". ", "∴.", "A.", "A. x B", "Z", "ZABC=", "O的直径", "x2+x",
    "BC2+", "(x", "(x-1)2+", "a1,a2,", "A1B1C1", "1l", "1x1x", "- ", "exam-\n", "two-\n", "a-a-", "\n", " ", "\n ",
    "a\n", "图1", "Figure ", "△ABCC△ABC", "AB/CD", "1一", "1V2", "A’", "Â°", "Ã", "(l)\n", "(2)\n(l)\n", "1 °",
    "∠A1", "$ 8", "\\frac{", "\\begin{a}", "e O", "的 ", "of1", "\u200b", "A.1\n8.2\nC.3\n", "continued ", "=1x",
    "3 x 4 = ", "e\u0301", "[asy]",
)  # fmt: skip


def _limited():
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S))


def _clean(unit):
    text = (unit * (LENGTH // len(unit) + 1))[:LENGTH]
    cleaned, trace = clean_text("question", text, from_page=True)
    return len(cleaned), len(trace)


def _pages(unit):
    text = (unit * 2000)[:2000]
    rows = tuple(
        PageLine(text=f"{text[i:]}{i}", x0=0.0, y0=20.0 * i, x1=9.0, y1=20.0 * i + 15 + 60 * (i % 2), confidence=None)
        for i in range(200)
    )
    pages = [Page(document_id="d", number=n, engine="e", lines=rows, error=None) for n in range(1, 60)]
    return len(clean_pages(pages).pages)


def _in_a_limited_process(work, unit):
    with ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=_limited) as pool:
        return pool.submit(work, unit).result()


@pytest.mark.slow
@pytest.mark.parametrize("units", [UNITS[i::6] for i in range(6)])
def test_a_million_hostile_characters_are_cleaned_in_linear_time(units):
    for unit in units:
        length, n_steps = _in_a_limited_process(_clean, unit)
        assert 0 <= length <= 2 * LENGTH
        assert n_steps <= 100  # one a rule and pass, however often the rule found something


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["资料", "A", "外传 ", "1", " "])
def test_pages_of_hostile_lines_are_cleaned(unit):
    assert _in_a_limited_process(_pages, unit) == 59
