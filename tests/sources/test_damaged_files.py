"""A broken record costs itself; a broken file says where."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepforge.sources import SOURCES, figure_names, recognise
from stepforge.vocabulary import Reason
from tests.make import document
from tests.sources.reading import native, read, row

BREAKAGES = {
    "a missing comma between fields": lambda t: t.replace(', "answer"', ' "answer"'),
    "a missing quote": lambda t: t.replace('", "answer"', ', "answer"'),
    "an unescaped quote": lambda t: t.replace("What is", 'What "is'),
    "a bare word": lambda t: t.replace('"answer": ', '"answer": forty '),
    "not a number": lambda t: t.replace('"answer": ', '"extra": NaN, "answer": '),
    "a repeated key": lambda t: t.replace('"answer": ', '"answer": "7", "answer": '),
    "a line end inside a text": lambda t: t.replace("What is", "What\nis"),
    "a cut record": lambda t: t[: len(t) // 2] + "}",
    "a missing field": lambda t: t.replace('"question"', '"Frage"'),
    "half a character": lambda t: t.replace("What", "\\ud800What"),
    "no object": lambda t: t and "17",
    "a number of 5,000 digits": lambda t: t.replace('"answer": ', '"extra": ' + "9" * 5000 + ', "answer": '),
}


@pytest.mark.parametrize(
    ("how", "layout"),
    [
        (h, x)
        for h in BREAKAGES
        for x in ("array", "lines", "pretty")
        if (h, x) != ("a line end inside a text", "lines")
    ],
)
def test_one_broken_record_among_a_thousand_loses_only_itself(how, layout):
    texts = [json.dumps(row(n)) for n in range(1000)]
    if layout == "pretty":
        texts = [text.replace('", "', '",\n    "').replace(',\n    "answer"', ', "answer"') for text in texts]
    texts[417] = BREAKAGES[how](texts[417])
    assert texts[417] != json.dumps(row(417))
    data = "\n".join(texts) if layout == "lines" else "[" + ",\n  ".join(texts) + "]"
    outcome = read("rows.json", data, "table")
    assert [p.source_id for p in outcome.kept] == [f"p{n}" for n in range(1000) if n != 417]
    assert {r.reason for r in outcome.rejections} == {Reason.MALFORMED_RECORD}
    assert len(outcome.rejections) == 1
    assert outcome.rejections[0].record_id.endswith("#row:418")
    assert "rows.json" in outcome.rejections[0].detail


@given(st.integers(0, 19), st.data())
def test_neighbours_survive_whatever_one_character_is_lost_from_a_record(victim, data):
    texts = [json.dumps(row(n)) for n in range(20)]
    at = data.draw(st.integers(0, len(texts[victim]) - 1))
    texts[victim] = texts[victim][:at] + texts[victim][at + 1 :]
    kept = {p.source_id for p in read("rows.json", "[" + ",\n".join(texts) + "]", "table").kept}
    assert {f"p{n}" for n in range(20) if n not in (victim, victim + 1)} <= kept  # a lost closing brace takes the next


def test_a_file_that_is_not_json_is_one_rejection_with_its_place():
    for text in ("hello", '{"question": ', "[\n  {'question': 1}]"):
        outcome = read("rows.json", text, "gsm8k")
        (rejection,) = outcome.rejections
        assert rejection.reason is Reason.UNREADABLE_DOCUMENT
        assert "line " in rejection.detail
        assert "column " in rejection.detail
        assert "#" not in rejection.record_id


def test_the_place_of_the_first_error_is_counted_from_one():
    (rejection,) = read("rows.json", '[\n  {"question": oops}\n]', "gsm8k").rejections
    assert "line 2, column 16" in rejection.detail


def test_a_file_that_is_cut_off_keeps_its_whole_records():
    text = json.dumps([row(n) for n in range(50)])
    outcome = read("rows.json", text[: text.index('"p40"')], "table")
    assert len(outcome.kept) == 40
    assert [r.reason for r in outcome.rejections] == [Reason.MALFORMED_RECORD]


def test_an_empty_file_has_no_problems():
    for text in ("", "  \n", "[]", "{}", native()):
        for source in ("native",) if "format" in text else ("table", "gsm8k", "geolaux"):
            (rejection,) = read("empty.json", text, source).rejections
            assert rejection.reason in (Reason.NO_PROBLEMS_FOUND, Reason.MALFORMED_RECORD)


def test_deep_nesting_is_a_rejection_not_a_crash():
    deep = "[" * 200_000
    assert read("rows.json", deep, "table").rejections[0].reason is Reason.UNREADABLE_DOCUMENT
    value = "[" * 60 + "]" * 60
    text = (
        "[" + json.dumps(row(1)) + f', {{"id": "x", "question": {value}, "answer": "1"}}, ' + json.dumps(row(2)) + "]"
    )
    outcome = read("rows.json", text, "table")
    assert [p.source_id for p in outcome.kept] == ["p1", "p2"]
    assert "nested deeper" in outcome.rejections[0].detail


def test_a_byte_order_mark_is_no_part_of_the_text():
    for text in (json.dumps([row(1)]), json.dumps(row(1)) + "\n", "id,question,answer\n1,What?,2\n"):
        name = "rows.csv" if text.startswith("id") else "rows.json"
        assert len(read(name, b"\xef\xbb\xbf" + text.encode()).kept) == 1


def test_a_wrong_encoding_says_the_byte():
    data = json.dumps([row(n) for n in range(100)]).encode()
    broken = data.replace(b"What is 50", b"What \xff 50")
    outcome = read("rows.json", broken, "table")
    assert len(outcome.kept) == 99
    assert "0xff" in outcome.rejections[0].detail
    latin = json.dumps([row(1, question="sécante égale à çà" * 20)], ensure_ascii=False).encode("latin-1")
    (rejection,) = read("rows.json", latin, "table").rejections
    assert rejection.reason is Reason.UNREADABLE_DOCUMENT
    assert f"byte {latin.index(0xE9)} (0xe9)" in rejection.detail


def test_a_repeated_id_is_rejected_and_names_the_first():
    outcome = read("rows.json", json.dumps([row(1), row(2), row(1, question="Another?")]), "table")
    assert len(outcome.kept) == 2
    (rejection,) = outcome.rejections
    assert rejection.reason is Reason.DUPLICATE_ID
    assert rejection.problem_id == "table/p1"
    assert "row:1" in rejection.detail


def test_a_repeated_key_of_an_object_of_records_is_seen():
    member = '"7_1_1": {"problem_text": "q", "type": "proving", "step_length": 1, "auxiliary_type": 0}'
    outcome = read("geo.json", f"{{{member}, {member}}}")
    assert len(outcome.kept) == 1
    assert outcome.rejections[0].reason is Reason.DUPLICATE_ID


def test_many_broken_records_take_time_in_proportion():
    text = (
        "["
        + ",\n".join('{"question": oops, "answer": "1"}' for _ in range(30_000))
        + ', {"question": "q", "answer": "1"}]'
    )
    outcome = read("rows.json", text, "table")
    assert len(outcome.kept) == 1
    assert len(outcome.rejections) == 30_000


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
FIELDS = st.sampled_from(
    [
        *("question", "answer", "problem_text", "type", "number_answer", "unit", "choices", "step_length", "group"),
        *("original_image_name", "auxiliary_image_name", "auxiliary_type", "problem_id", "input_image", "answer_type"),
        *("difficulty", "images", "image_relavance", "analysis", "ID", "key", "option", "image_path", "id", "language"),
    ]
)
LIKELY = st.sampled_from(
    ["choice", "multi-step", "proving", "Low", "1", "2steps_1", "A. x; B. y", "(1) a (2) b", "null", 1, 0]
)


@given(
    st.sampled_from([s.name for s in SOURCES]),
    st.lists(st.dictionaries(FIELDS, JSON | LIKELY, max_size=16), max_size=4),
)
def test_every_source_answers_any_record_with_a_problem_or_a_rejection(source, rows):
    text = native(*rows) if source == "native" else json.dumps(rows)
    read("any.json", text, source)


@given(st.sampled_from([s.name for s in SOURCES]), st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_every_source_answers_any_bytes(source, data):
    read("any.json", data, source)
    recognise("any.csv", data)
    figure_names(data)


def test_figure_names_are_found_in_whole_and_damaged_files():
    first, third = '{"images": ["a/one.png"]}', '{"original_image_name": "7_1", "p": "figures\\/two.png"}'
    lines = f'{first}\n{{"question": "brok\n{third}\n'
    assert {"a/one.png", "7_1", "figures/two.png"} <= figure_names(lines.encode())
    assert {"three.png", "four.png"} <= figure_names(b"question,image\nq,three.png;four.png\n")
    long = json.dumps({"text": "x" * 301, "image": "five.png"})
    assert figure_names(long.encode()) == {"five.png"}


def test_figure_names_take_linear_time_on_quotes_and_backslashes():
    figure_names(b'["' + b'\\"' * 500_000)
    figure_names(b'["' + b'"' * 500_000)


def test_what_no_source_reads_is_not_claimed():
    assert recognise("a.json", b'[{"title": "no problems here"}]') is None
    assert recognise("a.txt", b"question,answer\n1,2\n") is None
    assert recognise("a.json", b"") is None
    with pytest.raises(KeyError, match="has no entry"):
        read("a.json", "[]", "nonsense")
    assert document().source == "native"
