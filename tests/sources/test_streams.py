"""Files cut into records one by one: JSON, JSON Lines, CSV and Parquet, in any encoding that can be told."""

import csv
import io
import json
import tracemalloc
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepforge.sources import _json, _stream, recognise
from stepforge.sources._encoding import decode, is_gb18030
from tests.shared_data import shared
from tests.sources.reading import read, row

CHINESE = "如图，在三角形ABC中，∠A等于40°，求角C的度数。"


def parquet(rows, **given):
    out = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), out, **given)
    return out.getvalue()


def values(data):
    return [raw.value for raw in _stream.rows(data)]


def in_windows(data, monkeypatch, size):
    monkeypatch.setattr(_json, "WINDOW_BYTES", size)
    return list(_json.records(data))


@pytest.mark.parametrize("size", [1, 7, 64, 1000])
@pytest.mark.parametrize("keyed", [False, True])
def test_a_large_file_read_in_windows_gives_what_it_gives_whole(monkeypatch, size, keyed):
    rows = [row(n, question=f"∠{n} 求 😀 {'x' * (n % 40)}", deep={"a": [n, {"b": "}],{"}]}) for n in range(50)]
    value = {r["id"]: r for r in rows} if keyed else rows
    for indent in (None, 1):
        text = json.dumps(value, ensure_ascii=False, indent=indent)
        for damaged in (
            text,
            text.replace('"answer": "21"', '"answer": oops'),
            text[: len(text) * 2 // 3],
            text + " x",
        ):
            data = damaged.encode()
            monkeypatch.setattr(_json, "WINDOW_BYTES", 1 << 30)
            whole = list(_json.records(data))
            assert len(whole) > 20
            assert in_windows(data, monkeypatch, size) == whole


@given(st.data())
def test_a_file_with_one_byte_changed_is_read_in_windows_as_it_is_whole(data):
    text = json.dumps([row(n) for n in range(12)], indent=data.draw(st.sampled_from([None, 2]))).encode()
    at = data.draw(st.integers(1, len(text) - 1))
    changed = text[:at] + bytes([data.draw(st.sampled_from(list(b'"{}[],:\\ \n\xff0')))]) + text[at + 1 :]
    whole = list(_json.records(changed))
    with pytest.MonkeyPatch.context() as patch:
        assert in_windows(changed, patch, data.draw(st.sampled_from([1, 30, 200]))) == whole


@pytest.mark.parametrize("unit", ["[", '{"a":', '[{"a":'])
def test_ten_thousand_levels_are_a_rejection_that_says_so(unit):
    closing = "".join({"[": "]", "{": "}"}[c] for c in reversed(unit) if c in "[{")
    deep = unit * 10_000 + "1" + closing * 10_000
    for text in (f'[{{"question": "q", "answer": {deep}}}, {json.dumps(row(2))}]', json.dumps(row(2)) + f"\n{deep}\n"):
        outcome = read("deep.json", text, "table")
        assert [p.source_id for p in outcome.kept] == ["p2"]
        assert any("nested deeper than 40 levels" in r.detail for r in outcome.rejections)
    (rejection,) = read("deep.json", deep, "table").rejections
    assert "nested deeper" in rejection.detail


def test_records_of_a_large_file_take_little_memory_beside_it():
    line = json.dumps(row(1, solution="x" * 2000)).encode()
    for data in (b"\n".join([line] * 20_000), b"[" + b",\n".join([line] * 20_000) + b"]"):
        tracemalloc.start()
        count = sum(raw.value is not None for raw in _stream.rows(data))
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert count == 20_000
        assert peak < len(data)  # 40 MB as bytes; its windows and the record at hand


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
@pytest.mark.parametrize("kind", ["json", "jsonl", "csv"])
def test_a_file_is_read_in_the_encoding_that_it_is_in(encoding, kind):
    rows = [row(n, question=CHINESE) for n in range(5)]
    text = {
        "json": json.dumps(rows, ensure_ascii=False),
        "jsonl": "\n".join(json.dumps(r, ensure_ascii=False) for r in rows),
        "csv": "id,question,answer\n" + "\n".join(f"p{n},{CHINESE},{n}" for n in range(5)),
    }[kind]
    data = text.encode(encoding)
    assert recognise(f"rows.{kind}", _stream.head_of(data)) == "table"
    assert [p.question for p in read(f"rows.{kind}", data, "table").kept] == [CHINESE] * 5


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("삼각형의 넓이를 구하고 각의 크기를 비교하여라" * 9, "euc-kr"),
        ("三角形の面積を求めよ。辺の長さは次のとおりである" * 9, "euc-jp"),
        ("三角形の面積を求めよ。辺の長さは次のとおりである" * 9, "shift-jis"),
        ("如圖，在三角形中，求角的度數與邊長之比" * 9, "big5"),
        ("Найти площадь треугольника и длину стороны" * 9, "cp1251"),
        ("Für die Größe des Winkels gilt äöü" * 9, "latin-1"),
    ],
)
def test_an_encoding_that_is_not_clearly_chinese_is_refused_with_the_first_byte(text, encoding):
    data = text.encode(encoding)
    assert not is_gb18030(data)
    found = decode(data)
    first = next(i for i, byte in enumerate(data) if byte >= 0x80)
    assert found.text == ""
    assert f"byte {first} (0x{data[first]:02x})" in found.error


def test_the_published_chinese_problems_are_told_in_gb18030():
    text = shared("geolaux/GeoLaux_minidata.json").read_text(encoding="utf-8")
    assert is_gb18030(text.encode("gb18030"))
    assert decode(text.encode("gb18030")).text == text


def test_a_cut_utf_16_file_and_one_without_its_mark_are_refused():
    assert "byte" in decode("abc".encode("utf-16") + b"\x00").error
    assert "UTF-16 without" in decode("abc".encode("utf-16-le")).error


def test_a_csv_row_whose_quote_does_not_end_costs_itself():
    lines = ["id,question,answer", *(f'p{n},"What is {n}?",{n}' for n in range(100))]
    lines[51] = 'p50,"What is 50?,50'
    outcome = read("t.csv", "\n".join(lines))
    assert [p.source_id for p in outcome.kept] == [f"p{n}" for n in range(100) if n != 50]
    assert "line 52" in outcome.rejections[0].detail
    assert len(outcome.rejections) == 1


def test_many_open_quotes_take_time_in_proportion():
    text = "id,question,answer\n" + 'p,"open,1\n' * 20_000
    outcome = read("t.csv", text)
    assert not outcome.kept
    assert len(outcome.rejections) > 1


def test_a_csv_with_a_column_twice_is_refused_whole():
    (rejection,) = read("t.csv", "question,answer,answer\na,b,c\n").rejections
    assert "'answer' stands twice" in rejection.detail


CELL = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"), max_size=30)


@given(st.lists(st.tuples(CELL.filter(str.strip), CELL), min_size=1, max_size=9))
def test_what_the_csv_module_writes_is_read_back(rows):
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerows([("a", "b"), *rows])
    assert values(out.getvalue().encode()) == [{"a": a, "b": b} for a, b in rows]


def test_parquet_gives_the_rows_that_json_gives():
    rows = [
        row(n, options=[str(n + 1), "none"], score=n / 8, figure={"bytes": b"\x89PNG", "path": "a.png"})
        for n in range(2500)
    ]
    found = values(parquet(rows, row_group_size=300))
    assert found == [r | {"score": Decimal(repr(r["score"]))} for r in rows]
    outcome = read("train-00000-of-00001.parquet", parquet(rows), "table")
    assert [p.source_id for p in outcome.kept] == [f"p{n}" for n in range(2500)]
    assert outcome.kept[0].choices[0].text == "1"


def test_a_parquet_file_is_recognised_by_its_columns():
    head = _stream.head_of(parquet([{"question": "q", "answer": "1 #### 1", "x": {"inner": 1}}]))
    assert recognise("data/train.parquet", head) == recognise("t.jsonl", b'{"question": "q", "answer": "1 #### 1"}')
    assert {"question", "answer", "x", "inner"} <= _json.keys_in(head)


def test_missing_numbers_are_null_and_an_infinite_one_costs_its_row():
    first, second, third = _stream.rows(parquet([{"a": 1.5}, {"a": float("nan")}, {"a": float("inf")}]))
    assert (first.value, second.value, third.value) == ({"a": Decimal("1.5")}, {"a": None}, None)
    assert "infinite" in third.error


@given(st.data())
def test_a_damaged_parquet_file_is_rejections_not_a_crash(data):
    whole = parquet([row(n) for n in range(40)], row_group_size=10)
    at = data.draw(st.integers(4, len(whole) - 1))
    damaged = data.draw(st.sampled_from([whole[:at], whole[:at] + b"\xff" + whole[at + 1 :]]))
    _stream.head_of(damaged)
    outcome = read("t.parquet", damaged, "table")
    assert outcome.kept or outcome.rejections


def test_the_list_inside_an_object_is_named():
    text = json.dumps({"version": 1, "data": [row(1), row(2)]}).encode()
    assert [raw.value["id"] for raw in _stream.members_of(text, "data")] == ["p1", "p2"]
    (refused,) = _stream.members_of(text, "items")
    assert "items" in refused.error
    assert "'version', 'data'" in refused.error
