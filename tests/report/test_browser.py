"""The page as a browser shows it."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from stepforge.report import render
from stepforge.report.item_page import render_items
from tests.report import samples
from tests.report.items import SYSTEMS
from tests.report.test_item_page import ATTACKS, drawn, row_of
from tests.report.test_page import hostile_report

playwright = pytest.importorskip("playwright.sync_api", reason="the browser tests need the Python package playwright")

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync", "--no-first-run"]
METRICS = ("faa", "ma", "srr", "smr", "detection")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip(f"no browser found: install one of {', '.join(BROWSERS)}")
    with playwright.sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield running
        running.close()


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(render(samples.report()), encoding="utf-8")
    return path


class Opened:
    """A page with what it asked for and complained of."""

    def __init__(self, browser: Any, path: Path, width_px: int, scheme: str = "light") -> None:
        self.page = browser.new_page(viewport={"width": width_px, "height": 844}, color_scheme=scheme)
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.complaints.append(dialog.message), dialog.dismiss()))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(path.as_uri())


def shown(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}"


def test_the_numbers_on_the_page_are_those_of_the_rows(browser: Any, page_file: Path):
    opened = Opened(browser, page_file, 1280)
    for row in samples.rows():
        if row.breakdown == "all" and row.metric in METRICS:
            cell = opened.page.locator(
                f'[data-table="leaderboard"] [data-row="{row.system}"] [data-column="{row.metric}"]'
            )
            lines = cell.inner_text().split("\n")
            assert lines[0] == shown(row.value)
            assert lines[1] == ("–" if row.value is None else f"[{shown(row.low)}, {shown(row.high)}]")
            assert lines[2].split(" · ")[0] == f"n {row.n:,}"
            assert cell.get_attribute("data-value") == ("" if row.value is None else str(row.value))
    assert opened.page.locator('[data-tile="tasks"] strong').inner_text() == "400"
    assert opened.complaints == []
    assert opened.requests == [page_file.as_uri()]
    opened.page.close()


def test_accuracy_by_step_length_can_be_read_from_its_plot(browser: Any, page_file: Path):
    opened = Opened(browser, page_file, 1280)
    figure = opened.page.locator('[data-figure="length-atlas-7b"] svg')
    texts = figure.locator("text").all_text_contents()
    assert {"52", "43", "34", "25", "16", "1-4", "25+", "final-answer accuracy (%)"} <= set(texts)
    opened.page.close()


@pytest.mark.parametrize("width_px", [390, 1280])
@pytest.mark.parametrize("text", ["", *ATTACKS])
def test_the_page_of_an_item_fits_its_window_runs_nothing_and_asks_for_nothing(
    browser: Any, tmp_path: Path, width_px: int, text: str
):
    path = tmp_path / "item.html"
    html = drawn(text, problem_id=text or "own/t1")
    policy = html[html.index("<meta http-equiv") : html.index(">", html.index("<meta http-equiv")) + 1]
    path.write_text(html.replace(policy, ""), encoding="utf-8")  # the page is safe without it, too
    opened = Opened(browser, path, width_px)
    opened.page.evaluate("for (const d of document.querySelectorAll('details')) d.open = true")
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= width_px
    assert opened.complaints == []
    assert [url for url in opened.requests if not url.startswith("data:")] == [path.as_uri()]
    opened.page.close()


@pytest.mark.parametrize("width_px", [390, 1280])
def test_a_wide_formula_scrolls_in_its_own_box(browser: Any, tmp_path: Path, width_px: int):
    path = tmp_path / "item.html"
    wide = "$" + "+".join(f"x_{{{k}}}" for k in range(90)) + "$ and " + "y" * 3000
    path.write_text(drawn(wide), encoding="utf-8")
    opened = Opened(browser, path, width_px)
    opened.page.evaluate("for (const d of document.querySelectorAll('details')) d.open = true")
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= width_px
    box = opened.page.locator("math").first.bounding_box()
    assert box is not None
    assert box["height"] > 10
    opened.page.close()


def test_the_table_of_items_is_reduced_by_a_link_and_fits_a_phone(browser: Any, tmp_path: Path):
    rows = [row_of(1), row_of(2)._replace(standings=row_of(2).standings[:1] * 3)]
    path = tmp_path / "index.html"
    path.write_text(render_items(rows, SYSTEMS, {})["index.html"], encoding="utf-8")
    opened = Opened(browser, path, 390)
    shown_rows = opened.page.locator("tbody tr:visible")
    assert shown_rows.count() == 2
    opened.page.locator('[data-filter="w1"]').click()
    assert shown_rows.count() == 1
    opened.page.locator('nav a[href="#all"]').click()
    assert shown_rows.count() == 2
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= 390
    assert opened.complaints == []
    opened.page.close()


@pytest.mark.parametrize(("width_px", "scheme"), [(390, "light"), (390, "dark"), (1280, "light")])
def test_the_page_fits_its_window_and_every_plot_is_seen(browser: Any, page_file: Path, width_px: int, scheme: str):
    opened = Opened(browser, page_file, width_px, scheme)
    opened.page.evaluate("for (const d of document.querySelectorAll('details')) d.open = true")
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= width_px
    boxes = opened.page.evaluate(
        "[...document.querySelectorAll('figure svg')].map(s => s.getBoundingClientRect()).map(r => [r.width, r.height])"
    )
    assert len(boxes) == opened.page.locator("figure").count() > 20
    assert all(width > 200 and height > 40 for width, height in boxes)
    outside = opened.page.evaluate(
        """[...document.querySelectorAll('figure svg')].flatMap(svg => {
            const box = svg.getBoundingClientRect()
            return [...svg.querySelectorAll('text')].filter(t => {
                const r = t.getBoundingClientRect()
                return r.left < box.left - 2 || r.right > box.right + 2 || r.bottom > box.bottom + 2
            }).map(t => t.textContent)})"""
    )
    assert outside == []
    opened.page.close()


def test_hostile_text_runs_nothing_even_without_the_content_policy(browser: Any, tmp_path: Path):
    html = render(hostile_report(samples.HOSTILE))
    policy = html[html.index("<meta http-equiv") : html.index(">", html.index("<meta http-equiv")) + 1]
    path = tmp_path / "hostile.html"
    path.write_text(html.replace(policy, ""), encoding="utf-8")
    opened = Opened(browser, path, 390)
    opened.page.wait_for_timeout(200)
    assert opened.complaints == []
    assert opened.requests == [path.as_uri()]
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= 390
    opened.page.close()
