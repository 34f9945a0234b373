"""Replies in files: what is exported and imported again is the same, byte for byte, and nothing else is taken in."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from resources.llm._store_rows import MAX_COST_PICO, MAX_TOKENS
from resources.llm.exchange import dump, load
from resources.llm.providers import Usage
from resources.llm.store import ReplyFilter, StoredReply
from stepforge.errors import BadInput
from tests.resources.llm.stored import key_of, reply

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
contents = (
    st.binary(max_size=300)
    | st.text(max_size=100).map(lambda t: t.encode("utf-8", "surrogatepass"))
    | st.binary(max_size=4).map(lambda b: b * 3000)
)
tokens = st.integers(0, MAX_TOKENS)


@st.composite
def stored_replies(draw):
    canonical = draw(contents)
    return StoredReply(
        key=key_of(canonical),
        canonical=canonical,
        provider=draw(texts),
        model=draw(texts),
        body=draw(contents),
        usage=Usage(draw(tokens), draw(tokens), draw(tokens), draw(tokens)),
        cost_pico_usd=draw(st.none() | st.integers(0, MAX_COST_PICO)),
        created_at=draw(st.datetimes(datetime(1, 1, 3), datetime(9999, 12, 29), timezones=st.just(UTC))),
        latency_s=draw(st.none() | st.floats(min_value=0.0, allow_infinity=False)),
        prompt_id=draw(st.none() | texts),
        prompt_sha256=draw(st.none() | texts),
        batch_id=draw(st.none() | texts),
    )


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(replies=st.lists(stored_replies(), max_size=6, unique_by=lambda r: r.key))
def test_what_is_exported_and_imported_is_the_same_and_so_is_its_next_export(store, tmp_path, replies):
    file = tmp_path / "replies.jsonl"
    file.write_bytes(b"".join(map(dump, sorted(replies))))
    store.prune(ReplyFilter())
    assert store.add(load(file)) == (len(replies), 0)
    again = list(store.replies(ReplyFilter()))
    assert again == sorted(replies)
    assert b"".join(map(dump, again)) == file.read_bytes()


def test_a_reply_goes_through_both_databases_unchanged(store, tmp_path):
    put = [reply(1, body=b"\xff\x00"), reply(2, body='{"é": "中\u2028"}'.encode(), latency_s=1 / 3)]
    file = tmp_path / "replies.jsonl"
    file.write_bytes(b"".join(map(dump, put)))
    store.add(load(file))
    assert list(store.replies(ReplyFilter())) == sorted(put)


def test_text_stays_readable_and_only_what_is_no_text_is_base64():
    row = json.dumps(json.loads(dump(reply(1, body="中 \u001b[31m".encode()))), ensure_ascii=False)
    assert '"reply": "中 \\u001b[31m"' in row
    assert "base64" not in row
    assert json.loads(dump(reply(1, body=b"\xff")))["reply_base64"] == "/w=="


def line(**changes):
    row = {**json.loads(dump(reply(1))), **changes}
    return json.dumps({k: v for k, v in row.items() if v != "absent"}).encode()


BROKEN = {
    "the request was changed": (line(request="something else"), "sha256 of the request"),
    "the key was changed": (line(key="0" * 64), "sha256 of the request"),
    "the key is no key": (line(key="../../etc"), "key: "),
    "no request": (line(request="absent"), "it needs one of request and request_base64"),
    "two replies": (line(reply_base64="AAAA"), "it needs one of reply and reply_base64"),
    "no base64": (line(reply="absent", reply_base64="%%"), "base64"),
    "an unknown field": (line(colour="red"), "colour: "),
    "a missing field": (line(model="absent"), "model: "),
    "a negative cost": (line(cost_pico_usd=-1), "cost_pico_usd: "),
    "a price no reply has": (line(cost_pico_usd=10**30), "cost_pico_usd: "),
    "a fraction of a picodollar": (line(cost_pico_usd=1.5), "cost_pico_usd: "),
    "a time without a zone": (line(created_at="2026-01-01T00:00:00"), "created_at: "),
    "no latency": (line().replace(b"0.25", b"NaN"), "latency_s: "),
    "half a line": (line()[:50], "JSON"),
    "a list": (b"[]", "object"),
    "no UTF-8": (b'{"key": "\xff"}', ""),
    "too deep": (b"[" * 100_000, ""),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_line_that_holds_no_reply_is_told_with_file_and_line(tmp_path, name):
    broken, told = BROKEN[name]
    file = tmp_path / "replies.jsonl"
    file.write_bytes(dump(reply(7)) + b"\n" + broken + b"\n")
    found = load(file)
    assert next(found) == reply(7)
    with pytest.raises(BadInput) as error:
        next(found)
    assert str(error.value).startswith(f"{file}:3: ")
    assert told in str(error.value)


def test_other_zones_are_read_as_the_same_moment(tmp_path):
    file = tmp_path / "replies.jsonl"
    file.write_bytes(line(created_at="2026-05-04T12:00:00+02:00"))
    (found,) = load(file)
    assert found.created_at - datetime(2026, 5, 4, 10, tzinfo=UTC) == timedelta(0)
