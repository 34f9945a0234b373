import re
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from stepforge.metrics.comparison import Comparison
from stepforge.metrics.sensitivity import Sensitivity, SensitivityRow, Stability
from stepforge.report import charts_systems, gather, render, sections_systems, sections_tables, tables
from stepforge.report.charts import Interval
from stepforge.report.drawer import Drawer
from tests.report import samples
from tests.report.test_page import EMPTY


def table(page: str, key: str) -> dict[str, list[str]]:
    """The rows of a table by their first cell."""
    body = page[page.index(f'data-table="{key}"') :].partition("</tbody>")[0]
    rows = re.findall(r'<tr data-row="([^"]+)">(.*?)</tr>', body, re.DOTALL)
    return {name: [re.sub("<[^>]+>", "", cell) for cell in re.findall(r"<td.*?</td>", cells)] for name, cells in rows}


def significance() -> list[gather.Significance]:
    better = Comparison(100, 0.2, 0.1, 0.3, 0.001, "exact McNemar")
    same = Comparison(100, 0.01, -0.05, 0.07, 0.6, "exact McNemar")
    pairs = (("atlas", "borealis", better, 0.002), ("atlas", "cygnus", same, 0.6), ("borealis", "cygnus", better, None))
    return [gather.Significance("FAA", {"atlas": "a", "borealis": "b", "cygnus": "a"}, pairs)]


def rows() -> list:
    return [samples.row(name, "FAA", value) for name, value in (("atlas", 0.8), ("borealis", 0.6), ("cygnus", 0.79))]


def test_pairs_mirror_each_other_and_what_differs_is_marked():
    (matrix,) = sections_systems.pair_matrices(significance(), ["atlas", "cygnus", "borealis"])
    assert matrix.systems == ("atlas", "cygnus", "borealis")
    cells = {(row, column): cell for row, of in matrix.rows for column, cell in zip(matrix.systems, of, strict=True)}
    there, back = cells["atlas", "borealis"], cells["borealis", "atlas"]
    assert there is not None
    assert back is not None
    assert (there.difference, there.interval, there.significant) == ("+20.0", "[+10.0, +30.0]", 1)
    assert (back.difference, back.interval, back.significant) == ("−20.0", "[−30.0, −10.0]", -1)
    assert cells["atlas", "atlas"] is None
    near, unknown = cells["atlas", "cygnus"], cells["borealis", "cygnus"]
    assert near is not None
    assert near.significant == 0
    assert unknown is not None
    assert unknown.significant is None


def test_where_less_is_better_a_smaller_value_is_the_better_one():
    (told,) = significance()
    (matrix,) = sections_systems.pair_matrices([told._replace(metric="SRR")], ["atlas", "borealis"])
    cell = matrix.rows[0][1][1]
    assert cell is not None
    assert (cell.difference, cell.significant) == ("+20.0", -1)


def test_letters_stand_in_the_leaderboard_and_lead_to_the_pairs():
    page = render(EMPTY._replace(rows=rows(), significance=significance(), items="items/index.html"))
    board = page[page.index('data-table="leaderboard"') :].partition("</tbody>")[0]
    found = re.findall(r'data-row="(\w+)".*?<sup title="significance group">(\w+)</sup>', board, re.DOTALL)
    assert sorted(found) == [("atlas", "a"), ("borealis", "b"), ("cygnus", "a")]
    assert 'href="#significance"' in page
    assert 'data-pairs="FAA"' in page
    assert 'href="items/index.html"' in page


@given(
    st.lists(
        st.tuples(st.floats(0, 100), st.floats(0, 100), st.text(st.characters(codec="ascii"), max_size=12)), max_size=8
    )
)
def test_names_in_the_scatter_do_not_cover_each_other_while_there_is_room(names: list[tuple[float, float, str]]):
    heights = charts_systems._apart(names)
    line = charts_systems.LINE_PX * 112 / charts_systems.SCATTER_Y_PX
    same_place = [(k, m) for k in range(len(names)) for m in range(k) if names[k][0] == names[m][0]]
    assert all(abs(heights[k] - heights[m]) >= line - 1e-6 for k, m in same_place)
    assert all(-6 <= height <= 106 for height in heights)


def test_answers_are_set_against_steps_for_systems_that_have_both():
    given_rows = [*rows(), samples.row("atlas", "MA", 0.5), samples.row("borealis", "MA", 0.4)]
    figure = render(EMPTY._replace(rows=given_rows)).partition('data-figure="faa-ma"')[2].partition("</figure>")[0]
    drawing, _, numbers = figure.partition("</svg>")
    assert ">atlas<" in drawing
    assert ">cygnus<" not in drawing
    assert "50.0" in numbers


def test_groups_of_one_system_stand_in_one_plot_and_of_several_under_their_names():
    one = [samples.row("atlas", "FAA", v, "difficulty", g) for g, v in (("hard", 0.2), ("easy", 0.9))]
    page = render(EMPTY._replace(rows=[samples.row("atlas", "FAA", 0.5), *one]))
    figure = page.partition('data-figure="difficulty-faa"')[2].partition("</figure>")[0]
    assert figure.index(">easy<") < figure.index(">hard<")
    two = [*one, *(samples.row("borealis", "FAA", 0.1, "difficulty", g) for g in ("easy", "hard"))]
    figure = render(EMPTY._replace(rows=two)).partition('data-figure="difficulty-faa"')[2].partition("</svg>")[0]
    assert figure.count(">borealis<") == 2
    assert ">easy<" in figure


def test_capabilities_are_drawn_from_three_on_and_none_without_items_enough():
    groups = ("calculation", "modeling", "formalization", "self_reflection")
    made = [samples.row("atlas", "MA", 0.5, "capability", group, n=5) for group in groups]
    made[3] = made[3].model_copy(update={"n": 4})
    (figure,) = sections_systems.capability_figures(Drawer(), made, ["atlas"])
    assert [row[0] for row in figure.rows] == ["calculation", "formalization", "modeling"]
    assert 'aria-label="atlas. Capability and Value' in figure.svg
    assert sections_systems.capability_figures(Drawer(), made[:2], ["atlas"]) == []
    assert "too few for a picture" in render(EMPTY._replace(rows=made[:2]))


def test_the_states_of_composite_problems_add_up():
    made = [
        samples.row("atlas", name, value, n=20)
        for name, value in (("IK", 0.25), ("IG", 0.1), ("CM_strict", 0.5), ("CM_loose", 0.6), ("RM_strict", 0.2))
    ]
    strict, loose = sections_systems.state_figures(Drawer(), tables.Scores(made).we_math())
    assert strict.rows == [("atlas", "20", "10", "3", "2", "5")]
    assert loose.rows == [("atlas", "20", "12", "1", "2", "5")]


def test_processes_by_length_say_what_is_missing_without_a_judge_and_how_far_they_fall_with_one():
    assert "PCS and ΔPCS need a judge model" in render(EMPTY._replace(rows=rows()))
    made = [samples.row("atlas", "PCS", v, "step_length", g) for g, v in (("1-4", 0.8), ("13-24", 0.4))]
    page = render(EMPTY._replace(rows=[*made, samples.row("atlas", "delta_PCS", 0.5)]))
    assert table(page, "delta-pcs")["atlas"][:3] == ["80.0", "40.0", "50.0"]
    assert 'data-figure="length-pcs-atlas"' in page


def test_a_point_is_not_reckoned_where_a_price_is_unknown():
    known = gather.Cost("atlas", 100, 900, Decimal("5"), Decimal("4"), 0, 100, 80)
    unknown = gather.Cost("borealis", 100, 900, Decimal("5"), Decimal("4"), 2, 100, 80)
    nothing = gather.Cost("cygnus", 100, 900, Decimal("5"), Decimal("4"), 0, 100, 0)
    page = render(EMPTY._replace(rows=rows(), costs=[known, unknown, nothing]))
    found = table(page, "cost-per-point")
    assert found["atlas"] == ["100", "900", "0", "5.00", "0.05", "0.05"]
    assert found["borealis"][-2:] == ["–", "–"]
    assert found["cygnus"][-2:] == ["–", "–"]


def test_undecided_answers_are_a_share_of_all():
    made = [samples.row("atlas", "FAA", 0.5, n=50)]
    page = render(EMPTY._replace(rows=made, undecided=[gather.Undecided("atlas", 50, 5)]))
    assert table(page, "undecided") == {"atlas": ["50", "5", "10.0"]}


def test_judges_and_errors_have_their_tables():
    use = gather.JudgeUse("steps", "judge", "m-1", 40, 4)
    verdicts = [gather.ErrorCount("atlas", "rules", 90, {"calculation": 7})]
    page = render(EMPTY._replace(rows=rows(), judges=[use], errors=verdicts))
    assert table(page, "judges")["judge"] == ["steps", "m-1", "40", "4", "10.0"]
    assert table(page, "errors")["atlas"] == ["rules", "90", "7"]
    assert "No judge model was asked" in render(EMPTY._replace(rows=rows()))


def test_the_constants_of_the_matcher_are_varied():
    told = Sensitivity(
        [SensitivityRow("atlas", "baseline", 0.5, 0.0), SensitivityRow("atlas", "threshold 0.2", 0.6, 0.1)],
        [Stability("baseline", None, 1), Stability("threshold 0.2", 0.75, 1)],
    )
    made = sections_tables.sensitivity_table(told)
    assert made is not None
    assert made.rows == (("baseline", "50.0", "–"), ("threshold 0.2", "60.0 (+10.0)", "0.75"))
    (figure,) = sections_systems.sensitivity_figures(Drawer(), told)
    assert figure.rows == [("atlas", "50.0", "[50.0, 60.0]")]


def test_contamination_has_a_section_where_there_are_rows():
    page = render(EMPTY._replace(rows=[*rows(), samples.row("atlas", "ROUGE_L", 0.3)]))
    assert 'id="contamination"' in page
    assert 'data-table="others"' not in page


def test_a_radar_breaks_at_a_spoke_without_a_value():
    chart = charts_systems.radar([0.5, None, 0.2], [], ["a", "b", "c"]).to_dict(validate=False)
    assert chart["layer"]
    hostile = [Interval("<script>", 0.5, 0.4, 0.6)]
    drawn = sections_systems._group_figure(
        Drawer(), "subject", "FAA", [("</svg>", hostile), ("b", hostile)], [("r", "1")]
    )
    assert "<script" not in drawn.svg
