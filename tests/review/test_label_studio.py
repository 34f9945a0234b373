"""Projects as Label Studio reads and writes them; texts of sources are hostile."""

import json
from contextlib import suppress
from datetime import UTC, datetime
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepforge.errors import BadInput
from stepforge.review import KINDS, Material
from stepforge.review._label_studio import (
    NO_FIGURE,
    checked,
    configuration,
    page_of,
    plain,
    read_export,
    task,
    verdicts_of,
)
from tests.make import image, problem
from tests.review.label_studio import SOUND, annotated, export, minimal
from tests.review.samples import decision, items

KIND = KINDS["problem"]
HOSTILE = "</div><script>alert(1)</script><img src=x onerror=alert(2)>]]>\"'&\x00\u202egnp.exe {{k}} $shown"


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.attributes = set(), set()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)


def candidate(question, **fields):
    (found,) = KIND.candidates(Material(problems=[problem(question=question, **fields)]))
    return found


def tags(page):
    parser = Tags()
    parser.feed(page)
    return parser


OURS = {"div", "h4", "ul", "ol", "li", "strong", "details", "summary", "pre", "hr", "table", "tr", "th", "td"}


@given(st.text() | st.just(HOSTILE))
def test_no_text_becomes_markup(text):
    choices = ({"label": "A", "text": text}, {"label": text, "text": "4"})
    item = items(1)[0]
    seen = verdicts_of(KIND, [decision(item, "R1", {**SOUND, "comment": text or "-"})])
    page = page_of(candidate(text, solution=text, choices=choices), plain, seen)
    found = tags(page)
    assert found.tags <= OURS
    assert found.attributes <= {"style", "align"}
    assert "\u202e" not in page
    json.dumps(page).encode()


def test_a_figure_is_named_at_its_mark_and_a_mark_that_means_none_stays_text():
    page = page_of(candidate("See <image_1> and <image_7>.", images=(image(),)), plain)
    assert "See <strong>[Figure 1]</strong> and &lt;image_7&gt;." in page


def test_a_task_without_figures_in_a_project_with_some_has_a_blank_one():
    assert task("i", "p", "x", [])["data"]["figures"] == [NO_FIGURE]
    assert task("i", "p", "x", ["u"])["data"]["figures"] == ["u"]
    assert set(task("i", "p", "x", None)["data"]) == {"review_item", "review_project", "shown"}


def test_arbiters_see_letters_and_no_reviewer():
    item = items(1)[0]
    seen = verdicts_of(KIND, [decision(item, who, SOUND) for who in ("R1", "R2")])
    text = "".join(seen)
    assert "Verdict A" in text
    assert "Verdict B" in text
    assert "R1" not in text


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
@pytest.mark.parametrize("figures", [True, False])
def test_a_configuration_has_a_control_for_each_question(kind, figures):
    root = ET.fromstring(configuration(kind, figures=figures))  # noqa: S314 - our own
    assert root.tag == "View"
    objects = [e for e in root.iter() if e.tag in ("HyperText", "Image")]
    assert [e.get("value") or e.get("valueList") for e in objects] == ["$shown", *(["$figures"] if figures else [])]
    controls = {e.get("name"): e for e in root.iter() if e.tag in ("Choices", "TextArea")}
    assert list(controls) == [question.name for question in kind.questions]
    for question in kind.questions:
        control = controls[question.name]
        assert control.get("toName") == "shown"
        assert tuple(choice.get("value") for choice in control) == question.options
        assert (control.get("required") == "true") is question.required


@pytest.fixture
def project(tmp_path):
    folder = tmp_path / "p"
    folder.mkdir()
    (folder / "config.xml").write_text(configuration(KIND, figures=False))
    tasks = [task(f"item{k}", "token", f"<div>{k}</div>", None) for k in range(3)]
    (folder / "tasks.json").write_text(json.dumps(tasks))
    return folder


def read(path):
    return list(read_export(json.loads(path.read_text("utf-8")), str(path)))


def test_json_and_json_min_say_the_same(project, tmp_path):
    said = {**SOUND, "corrected_answer": "5", "comment": "既 ok\nthen"}
    rows = annotated(project, lambda data: None if data["review_item"] == "item1" else said)
    full, least = (read(export(tmp_path / name, r)) for name, r in (("a.json", rows), ("b.json", minimal(rows))))
    assert [one._replace(place="") for one in full] == [one._replace(place="") for one in least]
    assert [one.item for one in full] == ["item0", "item2"]
    assert full[0].at == datetime(2026, 11, 20, 10, 1, tzinfo=UTC)
    assert full[0].by == "7"
    assert {a.field: a.values for a in checked(KIND, full[0])} == {name: (v,) for name, v in said.items()}


def test_several_choices_are_read_from_both_forms(tmp_path):
    kind = KINDS["label-capability"]
    folder = tmp_path / "p"
    folder.mkdir()
    (folder / "config.xml").write_text(configuration(kind, figures=False))
    (folder / "tasks.json").write_text(json.dumps([task("i", "t", "x", None)]))
    rows = annotated(folder, lambda _data: {"label": ["modeling", "calculation"]})
    for name, form in (("a.json", rows), ("b.json", minimal(rows))):
        (said,) = read(export(tmp_path / name, form))
        assert checked(kind, said)[0].values == ("modeling", "calculation")


def test_who_did_it_is_read_from_an_account_number_or_an_address(project, tmp_path):
    rows = annotated(project, lambda _data: SOUND, by={"id": 3, "email": "a@b.org"})
    assert {one.by for one in read(export(tmp_path / "a.json", rows))} == {"a@b.org"}
    for row in rows:
        del row["annotations"][0]["completed_by"]
    assert {one.by for one in read(export(tmp_path / "b.json", rows))} == {None}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda rows: {"tasks": rows}, "no export of Label Studio"),
        (lambda rows: [*rows, 7], "task 4: no object"),
        (lambda rows: [{**rows[0], "data": {}}], "task 1: has no review_item"),
        (lambda rows: [{**rows[0], "annotations": {}}], "task 1: data or annotations"),
        (lambda rows: [{**rows[0], "annotations": [{"result": [{"from_name": "answer"}]}]}], "task 1, result"),
        (
            lambda rows: [
                {**rows[0], "annotations": [{"result": [{"from_name": "answer", "value": {"choices": [7]}}]}]}
            ],
            "task 1, field 'answer': neither choices nor a text",
        ),
        (
            lambda rows: [
                {**rows[0], "annotations": [{"result": [{"from_name": "x", "value": {"text": ["a"] * 101}}]}]}
            ],
            "task 1, field 'x'",
        ),
    ],
)
def test_what_is_no_export_is_named_by_file_task_and_field(project, tmp_path, change, told):
    rows = annotated(project, lambda _data: SOUND)
    path = export(tmp_path / "e.json", change(rows))
    with pytest.raises(BadInput) as error:
        read(path)
    assert told in str(error.value)
    assert str(path) in str(error.value)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({**SOUND, "answer": "maybe"}, "task 1, field answer: 'maybe' is none of right, wrong"),
        ({**SOUND, "answer": ["right", "wrong"]}, "field answer: 2 choices where one is asked for"),
        ({name: SOUND[name] for name in SOUND if name != "figure"}, "field figure: nothing is said"),
        ({**SOUND, "comment": "x" * 4001}, "field comment: longer than 4,000"),
    ],
)
def test_an_answer_that_the_form_does_not_allow_is_named(project, tmp_path, said, told):
    (one, *_) = read(export(tmp_path / "e.json", annotated(project, lambda _data: said)))
    with pytest.raises(BadInput) as error:
        checked(KIND, one)
    assert told in str(error.value)


def test_a_field_that_the_form_does_not_have_is_named(project, tmp_path):
    (one, *_) = read(export(tmp_path / "e.json", annotated(project, lambda _data: SOUND)))
    with pytest.raises(BadInput, match=r"field 'smile': the form has none of that name"):
        checked(KIND, one._replace(answers={**one.answers, "smile": ("yes",)}))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(
        st.sampled_from(["id", "data", "annotations", "result", "value", "choices", "text", "from_name", "answer",
                         "review_item", "review_project", "completed_by", "updated_at"]), inner, max_size=6),
    max_leaves=25,
)  # fmt: skip


@given(st.lists(JSON, max_size=4) | JSON)
def test_any_json_is_read_or_refused(value):
    with suppress(BadInput):
        for said in read_export(value, "f"):
            assert isinstance(said.item, str)
            checked(KIND, said)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_label_studio_takes_the_configuration_the_tasks_and_the_annotations(kind, tmp_path):
    interface = pytest.importorskip("label_studio_sdk.label_interface")
    folder = tmp_path / "p"
    folder.mkdir()
    for figures in (None, ["data:image/png;base64,AAAA"]):
        (folder / "config.xml").write_text(configuration(kind, figures=figures is not None))
        tasks = [task("item", "token", "<div>x</div>", figures)]
        (folder / "tasks.json").write_text(json.dumps(tasks))
        label_studio = interface.LabelInterface((folder / "config.xml").read_text())
        assert label_studio.validate_task(tasks[0])
        said = {q.name: q.options[0] if q.options else "text" for q in kind.questions}
        (row,) = annotated(folder, lambda _data, said=said: said)
        assert label_studio.validate_annotation(row["annotations"][0])
