"""The report of a built home, as a browser shows it."""

import shutil

import pytest

from stepforge.records import ReportRow
from tests.report.test_browser import ARGUMENTS, BROWSERS, shown

playwright = pytest.importorskip("playwright.sync_api", reason="the browser tests need the Python package playwright")

COLUMNS = {"FAA": "faa", "MA": "ma", "SRR": "srr", "SMR": "smr", "detection": "detection"}


@pytest.fixture(scope="module")
def page(built):
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip(f"no browser found: install one of {', '.join(BROWSERS)}")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=ARGUMENTS)
        opened = browser.new_page(viewport={"width": 1280, "height": 900})
        opened.goto((built.root / "report" / "index.html").as_uri())
        yield opened
        browser.close()


def test_the_leaderboard_shows_the_stored_aggregates(built, page):
    rows = [r for r in built.home.store.stored("report", None).rows(ReportRow) if r.breakdown == "all"]
    read = 0
    for row in rows:
        if row.metric in COLUMNS:
            cell = page.locator(
                f'[data-table="leaderboard"] [data-row="{row.system}"] [data-column="{COLUMNS[row.metric]}"]'
            )
            assert cell.inner_text().split("\n")[0] == shown(row.value), row
            read += 1
    assert read == 2 * len(COLUMNS)


def test_the_funnel_shows_the_counts_of_every_stage(built, page):
    shown_rows = page.locator('table:has(th:text-is("Records in"))').first.inner_text().split("\n")
    counted = {line.split("\t")[0].strip(): line.split("\t")[1:] for line in shown_rows if "\t" in line}
    for stage in ("problems", "selected_problems", "benchmark_tasks"):
        pointer = built.home.store.pointer(stage, "small")
        numbers = [int(cell.replace(",", "")) for cell in counted[stage]]
        refused = sum(pointer.dropped.values())
        assert numbers == [1, pointer.rows_in, pointer.rows_out, refused, sum(pointer.not_applicable.values())]


def test_every_plot_has_a_size_and_a_description(page):
    plots = page.locator("svg[role=img], [role=img] svg, [role=img]")
    assert plots.count() >= 10
    for index in range(plots.count()):
        box = plots.nth(index).bounding_box()
        assert box is not None
        assert box["width"] > 50
        assert box["height"] > 20
