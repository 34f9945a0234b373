import re
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markupsafe import escape

from stepforge.records import ReportRow
from stepforge.report import ReportInput, StageCount, render
from stepforge.report.lean_kinds import MEANINGS
from tests.report import samples
from tests.report.samples import HOSTILE

EMPTY = ReportInput("Nothing yet", "2024-11-30", "0", [], [], [], [], [], [], [])


class Structure(HTMLParser):
    """Elements with their attributes, and the text by the nearest element with a mark."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(scope="module")
def page() -> str:
    return render(samples.report())


def test_the_leaderboard_carries_each_row_with_its_interval_and_counts(page: str):
    row = next(r for r in samples.rows() if (r.system, r.metric) == ("atlas-7b", "faa"))
    start = page.index('data-row="atlas-7b"', page.index('data-table="leaderboard"'))
    cell = page[start : page.index("</td>", start)]
    assert f'data-value="{row.value}" data-low="{row.low}" data-high="{row.high}" data-n="1319"' in cell
    assert "<strong>52.0</strong><small>[50.6, 53.4]</small>" in cell
    assert "n 1,319 · 3 failed · 2 undecided" in cell


def test_a_score_over_an_empty_set_is_a_dash_and_never_zero(page: str):
    start = page.index('data-row="cygnus-vision-mini"', page.index('data-table="leaderboard"'))
    cell = page[page.index('data-column="detection"', start) :]
    assert cell.startswith('data-column="detection" data-value=""')
    assert "<strong>–</strong>" in cell[: cell.index("</td>")]


def test_controls_are_marked_and_systems_are_not(page: str):
    board = page[page.index('data-table="leaderboard"') : page.index('id="by-length"')]
    marked = re.findall(r'<tr class="control" data-row="([^"]+)">', board)
    assert sorted(marked) == ["null", "oracle"]


def cells(page: str, table: str, row: str) -> list[str]:
    """The numbers of one row of one table."""
    body = page[page.index(f'data-table="{table}"') :]
    line = body[body.index(f'data-row="{row}"') : body.index("</table>")]
    return re.findall(r'<td class="num">([^<]*)</td>', line[: line.index("</tr>")])


def test_the_lean_section_counts_verdicts_and_kinds_of_error_by_source_label_and_system(page: str):
    assert 'data-row="proofnet" data-accepted="0" data-rejected="371" data-infrastructure="0"' in page
    assert 'data-row="atlas-7b" data-accepted="310" data-rejected="170" data-infrastructure="8"' in page
    assert cells(page, "lean-source-kinds", "unknown_name") == ["7", "·"]
    assert cells(page, "lean-label-kinds", "unknown_name") == ["5", "·"]
    assert cells(page, "lean-system-kinds", "unknown_name") == ["60", "·"]
    assert cells(page, "lean-system-unjudged", "missing_library") == ["8", "·"]
    assert 'data-table="lean-source-unjudged"' not in page
    assert cells(page, "lean-system", "atlas-7b") == ["310", "170", "8", "201"]
    assert cells(page, "lean-source", "proofnet") == ["0", "371", "0"]  # nothing of a source is compared
    assert 'id="lean"' not in render(EMPTY)


def test_each_kind_of_error_is_said_in_words_too(page: str):
    kinds = {kind for count in samples.lean() for kind in (*count.by_kind, *count.unjudged_by)}
    assert kinds == {"unknown_name", "type_mismatch", "lean3_source", "syntax", "missing_library"}
    for kind in kinds:
        assert f'<code>{kind}</code><small class="meaning">{MEANINGS[kind]}</small>' in page
    odd = samples.lean()[0].model_copy(update={"by_kind": {HOSTILE: 1}})
    assert f"<code>{escape(HOSTILE)}</code></th>" in render(samples.report(lean=[odd]))


def test_the_agreement_of_lean_and_people_leaves_out_what_lean_could_not_judge(page: str):
    assert cells(page, "lean-agreement", "critic") == ["100", "80.0", "60", "20", "4", "16", "7"]
    assert cells(page, "lean-agreement", "other") == ["0", "–", "0", "0", "0", "0", "30"]


def test_correctness_judgment_stands_in_one_table_with_its_accuracy_by_label(page: str):
    table = page[page.index('data-table="correctness"') :]
    row = table[table.index('data-row="borealis-large-2"') :]
    row = row[: row.index("</tr>")]
    shown = re.findall(r'data-column="(\w+)"(?: data-value="([^"]*)")?', row)
    assert [name for name, _ in shown] == [
        *("correctness", "correctness_precision", "correctness_recall", "correctness_f1"),
        *("right", "misaligned", "does_not_compile"),
    ]
    assert [value for _, value in shown] == ["0.6248", "0.781", "", "0.781", "", "0.781", ""]
    others = page[page.index('id="others"') : page.index('id="breakdowns"')]
    assert "correctness" not in others
    assert 'data-table="correctness"' not in render(samples.report(rows=[]))


def test_a_control_that_judges_formalizations_wrongly_is_a_fault_of_the_scorer():
    faulty = [samples.row("oracle", "correctness", 0.5), samples.row("null", "correctness_f1", 0.1)]
    page = render(samples.report(rows=faulty))
    assert "oracle scores 50.0 % correctness; it must score 100 %" in page
    assert "null scores 10.0 % correctness_f1; it must score 0 %" in page


def test_the_funnel_has_the_counts_of_each_stage(page: str):
    assert 'data-row="selected_problems" data-in="248" data-out="196" data-rejected="52"' in page
    assert 'data-row="variants" data-in="196" data-out="720" data-rejected="12" data-not-applicable="36"' in page
    assert "selected_problems: missing_answer" in page


def test_the_tiles_count_problems_tasks_systems_and_stages(page: str):
    tiles = dict(re.findall(r'data-tile="(\w+)"><strong>([^<]*)</strong>', page))
    assert tiles == {"problems": "256", "kept": "212", "tasks": "400", "systems": "4", "stages": "6", "cost": "0.44"}


def test_every_plot_has_a_title_a_description_and_a_table_of_its_numbers(page: str):
    figures = re.findall(r"<figure .*?</figure>", page, re.DOTALL)
    assert len(figures) > 20
    for figure in figures:
        assert re.search(r"<figcaption>[^<]+</figcaption>", figure)
        assert re.search(r'<svg [^>]*role="img" aria-label="[^"]{20,}"', figure)
        assert "<details><summary>Numbers</summary>" in figure


def test_ids_are_unique_and_the_links_of_the_page_lead_to_them(page: str):
    elements = Structure(page).elements
    ids = [attrs["id"] for _, attrs in elements if "id" in attrs]
    assert len(ids) == len(set(ids))
    assert {attrs["href"] for tag, attrs in elements if tag == "a"} <= {f"#{name}" for name in ids}


def test_nothing_is_loaded_from_elsewhere(page: str):
    assert "default-src 'none'; style-src 'unsafe-inline'; img-src data:" in page
    assert "http:" not in page
    assert "https:" not in page
    assert "@import" not in page
    for tag, attrs in Structure(page).elements:
        assert tag not in {"script", "link", "iframe", "object", "embed", "base", "form", "img"}
        assert not {"src", "srcset", "xlink:href", "action"} & set(attrs)


def hostile_report(text: str) -> ReportInput:
    """A report in which `text` stands wherever a source or a system can put text."""
    row = samples.row(text, text, 0.5)
    scored = [samples.row(text, "faa", 0.5), samples.row(text, "faa", 0.5, "step_length", text), row]
    return EMPTY._replace(
        title=text,
        code_version=text,
        data_versions=[(text, text, text)],
        stages=[StageCount(stage=text, batch=text, n_in=1, n_out=0, rejected=1, by_reason={text: 1}, not_applicable=0)],
        tasks=[samples.task(1, source=text, subject=text, language=text, licence=text)],
        rows=[*scored, samples.row(text, "faa", 0.5, text, text)],
        rejections_sample=[samples.rejection(1, record_id=text, detail=text, evidence=text)],
        models=[
            samples.report().models[0].model_copy(update={"stage": text, "partition": text}),
        ],
    )


def test_hostile_text_makes_no_element_and_no_handler():
    page = render(hostile_report(HOSTILE))
    structure = Structure(page)
    assert not {"script", "img"} & {tag for tag, _ in structure.elements}
    assert not [name for _, attrs in structure.elements for name in attrs if name.startswith("on")]
    assert HOSTILE in structure.text


@settings(max_examples=40, deadline=None)
@given(st.text(st.characters(), min_size=1, max_size=40))
def test_no_text_changes_the_structure_of_the_page(text: str):
    """Without plots, whose ticks depend on nothing but numbers and are proven on their own."""

    def tags(value: str) -> list[str]:
        report = hostile_report(value)._replace(tasks=[], rows=[], stages=[])
        page = render(report)
        page.encode()
        return [tag for tag, _ in Structure(page).elements]

    assert tags(text) == tags("x")


def test_an_empty_report_says_what_is_not_there_yet():
    page = render(EMPTY)
    for sentence in ("No system has been scored yet.", "No task has been built yet.", "No stage has been built yet."):
        assert sentence in page
    assert "<figure" not in page


def test_a_value_that_is_no_number_is_a_dash():
    broken = ReportRow.model_validate({**samples.row("a", "faa", 0.5).model_dump(), "value": float("nan"), "low": None})
    page = render(EMPTY._replace(rows=[broken]))
    assert "<strong>–</strong><small>–</small>" in page


def test_a_count_is_not_shown_as_a_share():
    page = render(EMPTY._replace(rows=[samples.row("a", "groups_incomplete", 7.0, n=9), samples.row("a", "IK", 0.25)]))
    we_math = page[page.index('data-table="we-math"') : page.index('id="breakdowns"')]
    assert "<strong>7</strong>" in we_math
    assert "<strong>25.0</strong>" in we_math
    assert 'data-figure="we-math-groups_incomplete"' not in page


def test_problems_of_unknown_length_are_in_the_table_and_not_on_the_line():
    rows = [samples.row("a", "FAA", 0.5, "step_length", group) for group in ("1-4", "unknown")]
    figure = render(EMPTY._replace(rows=rows)).partition('data-figure="length-a"')[2].partition("</figure>")[0]
    drawing, _, table = figure.partition("</svg>")
    assert ">1-4<" in drawing
    assert ">unknown<" not in drawing
    assert ">unknown<" in table


def test_a_control_that_is_off_warns_above_the_leaderboard():
    page = render(EMPTY._replace(rows=[samples.row("oracle", "faa", 0.9)]))
    assert "oracle scores 90.0 % FAA; it must score 100 %" in page


def test_ten_thousand_tasks_are_drawn_on_a_small_page_and_twice_alike():
    report = samples.report(10_000)
    first = render(report)
    assert len(first) < 1_000_000
    assert render(report) == first
