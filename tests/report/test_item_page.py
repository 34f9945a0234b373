import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepforge.report.evidence import page_name, settled, standings
from stepforge.report.figures import FigureView
from stepforge.report.item_page import ROWS_PER_PAGE, ItemRow, item_row, render_item, render_items
from stepforge.report.item_view import item_view
from stepforge.report.mathematics import formulas
from stepforge.report.mathml import mathml
from stepforge.vocabulary import EquivalenceVerdict, TaskKind
from tests.report.items import FIGURE, SYSTEMS, evidence, judge_verdict
from tests.report.samples import HOSTILE
from tests.report.test_page import Structure

ATTACKS = (
    HOSTILE,
    "</style><script>alert(1)</script>",
    "' onmouseover='alert(1)' \" onfocus=\"alert(2)",
    "\u202egnp.exe\u2066\u2067\u200f",
    "$</math><script>alert(1)</script>$",
    "\\text{</mtext><img src=x onerror=alert(1)>}",
    "\x00\x1b[31m\ud800",
    "{{ 7 * 7 }}{% raw %}",
)


def drawn(text: str = "", problem_id: str = "own/t1") -> str:
    view = item_view(evidence(text, problem_id), SYSTEMS)
    typeset = {f: made for f in formulas(view.texts) if (made := mathml(f)) is not None}
    return render_item(view, typeset, {FIGURE: FigureView("image/png", 60, 40, b"png bytes")})


@pytest.fixture(scope="module")
def page() -> str:
    return drawn()


def section(page: str, start: str) -> str:
    return page[page.index(start) :].partition("</section>")[0]


def test_the_page_leads_from_the_problem_to_its_evidence(page: str):
    text = Structure(page).text
    for words in ("own/t1", "CC0-1.0", "Milestones", "row:3", "cd" * 32, "2026-04-18", "spaces"):
        assert words in text
    assert "stepforge lineage benchmark_tasks --batch b --record t1" in text
    assert "stepforge lineage filtered_items --batch b --record own/t1" in text


def test_formulas_are_mathml_and_figures_stand_where_they_are_named(page: str):
    problem = section(page, 'id="problem"')
    assert "<math" in problem.partition("How many?")[0]
    assert problem.index('<img src="data:image/png;base64,') < problem.index("How many?")
    assert "not delivered" in problem
    assert "<mfrac>" in problem


def test_each_step_of_a_reply_carries_what_it_matched_and_what_is_wrong_in_it(page: str):
    reply = page[page.index('data-system="atlas" data-right="True"') :]
    units = re.findall(r"<li([^>]*)>(.*?)</li>", reply.partition("</ol>")[0], re.DOTALL)
    assert [attributes.split("data-unit=")[1].strip('"') for attributes, _ in units] == ["1", "2", "3"]
    assert "milestone 1" in units[0][1]
    assert "milestone 2" in units[1][1]
    assert "calculation error (judge)" in units[1][1]
    assert "milestone 3" not in units[2][1]
    rows = re.findall(r'<tr data-milestone="(\d)">(.*?)</tr>', reply, re.DOTALL)
    assert [number for number, _ in rows][:3] == ["1", "2", "3"]
    assert "equation" in rows[1][1]
    assert "none" in rows[2][1]


def test_verdicts_scores_and_the_reply_as_received_stand_with_the_reply(page: str):
    reply = section(page, 'data-kind="solve"')
    assert "step 2 adds wrongly" in reply
    assert 'data-judge="judge"' in reply
    assert "nothing shown" in reply  # of the rules, which show errors only
    assert "MA 0.667 (tf-idf matcher)" in reply
    assert "\\boxed{17}</pre>" in reply
    assert "Without a reply: null (not attempted)." in reply


def test_a_missing_step_stands_where_it_would_be_and_a_wrong_one_is_marked(page: str):
    missing = section(page, 'data-kind="detect_missing"')
    chain = re.findall(r"<li([^>]*)><b>([^<]*)</b>", missing)
    assert chain == [("", "1"), (' class="fault"', "–"), ("", "2")]
    assert "names before step 2" in missing
    wrong = section(page, 'data-kind="detect_wrong"')
    assert re.findall(r"<li([^>]*)><b>([^<]*)</b>", wrong) == [("", "1"), (' class="fault"', "2"), ("", "3")]
    assert "names step 1" in wrong
    assert "Before:" in wrong


def test_solving_comes_before_detection(page: str):
    assert re.findall(r'data-kind="(\w+)"', page) == ["solve", "detect_wrong", "detect_missing"]


def test_a_long_reply_is_shortened_with_a_note():
    made = drawn("word " * 400_000)
    assert len(made) < 400_000
    assert "more characters]" in made
    assert "characters of its middle)" in made


@pytest.mark.parametrize("text", ATTACKS)
def test_hostile_text_makes_no_element_and_no_handler(text: str):
    made = drawn(text, problem_id=text)
    structure = Structure(made)
    assert "script" not in {tag for tag, _ in structure.elements}
    assert not [name for _, attrs in structure.elements for name in attrs if name.startswith("on")]
    sources = {attrs["src"] for tag, attrs in structure.elements if tag == "img"}
    assert all(source is not None and source.startswith("data:image/") for source in sources)
    assert {attrs["href"] for tag, attrs in structure.elements if tag == "a"} == {"../index.html", "index.html"}
    made.encode()


@settings(max_examples=25)
@given(st.text(st.characters(exclude_characters="$\\<"), min_size=1, max_size=40))
def test_no_text_changes_the_structure_of_the_page(text: str):
    def tags(value: str) -> list[str]:
        return [tag for tag, _ in Structure(drawn(value, value)).elements if tag not in {"wbr"}]

    assert tags(text) == tags("x")


def test_the_same_evidence_gives_the_same_bytes(page: str):
    assert drawn() == page


def test_the_page_loads_nothing_from_elsewhere(page: str):
    assert "default-src 'none'; style-src 'unsafe-inline'; img-src data:" in page
    assert "http:" not in page
    assert "https:" not in page


def test_names_of_pages_are_hex_digits_whatever_the_id():
    names = {page_name(text) for text in (*ATTACKS, "../../etc/passwd", "", "a" * 100_000)}
    assert len(names) == len(ATTACKS) + 3
    assert all(re.fullmatch(r"[0-9a-f]{24}\.html", name) for name in names)


def row_of(k: int) -> ItemRow:
    given = evidence("", f"own/{k:05d}")
    judged = [reply.judgement for replies in given.replies.values() for reply in replies]
    return item_row(given.tasks[-1], standings(given.tasks, judged, SYSTEMS))


def test_the_table_of_items_shows_what_each_system_got():
    pages = render_items([row_of(1)], SYSTEMS, {})
    assert list(pages) == ["index.html"]
    row = re.search(r'<tr class="([^"]*)" data-item="own/00001">(.*?)</tr>', pages["index.html"], re.DOTALL)
    assert row is not None
    assert set(row[1].split()) == {"w1", "d"}
    assert re.findall(r'<b class="\w+" title="[\w ]+">(.)</b>', row[2]) == ["✓", "✗", "–"]
    assert f'href="{page_name("own/00001")}"' in row[2]
    assert "[figure 1]" in row[2]


def test_many_items_are_split_over_pages_that_lead_to_each_other():
    rows = [row_of(1)._replace(problem_id=f"own/{k}", source=f"s{k % 2}") for k in range(2 * ROWS_PER_PAGE + 1)]
    pages = render_items(rows, SYSTEMS, {})
    assert list(pages) == ["index.html", "index-2.html", "index-3.html"]
    assert [page.count("<tr class=") for page in pages.values()] == [ROWS_PER_PAGE, ROWS_PER_PAGE, 1]
    assert 'href="index-3.html"' in pages["index.html"]
    assert '<a href="index-2.html">s1</a>' in pages["index-3.html"]
    assert render_items(rows[::-1], SYSTEMS, {}) == pages


def test_no_item_is_a_page_that_says_so():
    assert "No item has been built yet." in render_items([], (), {})["index.html"]


@pytest.mark.parametrize(("word", "sign", "told"), [(True, "✓", True), (False, "✗", False), (None, "?", False)])
def test_an_answer_that_a_judge_decided_is_shown_as_it_is_scored(word, sign, told):
    found = evidence()
    reply = found.replies["t1"][0]
    undecided = {"verdict": EquivalenceVerdict.UNDECIDED, "parts_total": 2, "parts_right": 0}
    judged = reply.judgement.model_copy(update=undecided)
    said = judge_verdict("t1", rubric="answer", right=word, step_scores=(), error_types=())
    other = said.model_copy(update={"judge": "second_judge", "right": not word})
    replies = {**found.replies, "t1": (reply._replace(judgement=judged, verdicts=(other, said)),)}
    view = item_view(found._replace(replies=replies), SYSTEMS)
    shown = next(task for task in view.tasks if task.kind is TaskKind.SOLVE).replies[0]
    assert (view.standings[0].answer.sign, view.standings[0].answer.right) == (sign, told)
    assert (shown.outcome.sign, shown.outcome.right) == (sign, told)
    assert dict(shown.facts)["Sub-answers right"] == ("2 of 2" if word else "0 of 2")
    assert settled(reply.judgement, (said,)) == reply.judgement  # what the engine decided stays
