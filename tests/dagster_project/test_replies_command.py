"""`stepforge replies` on both kinds of store."""

import json
from datetime import timedelta

import pytest

from resources.llm.store import ReplyFilter
from resources.llm.stores import ENVIRONMENT, new_owner, open_store
from tests.postgres import ENCODED, PASSWORD, postgres  # noqa: F401 - a fixture
from tests.resources.llm.stored import NOW, job, key_of, paid, reply

ALL = ReplyFilter()
HOSTILE = b'{"said": "\x1b]0;owned\x07 \xe2\x80\xae \\u001b[2J \\ud800", "tokens": ' + b"9" * 5000 + b"}"


@pytest.fixture(params=["sqlite", "postgresql"])
def filled(request, tmp_path, monkeypatch):
    """An open store with some replies, which the command line uses."""
    if request.param == "sqlite":
        place = str(tmp_path / "home" / "replies.sqlite")
        monkeypatch.delenv(ENVIRONMENT, raising=False)
    else:
        place = request.getfixturevalue("postgres").new_place()
        monkeypatch.setenv(ENVIRONMENT, place)
    store = open_store(place)
    owner = new_owner()
    store.register(owner, NOW)
    some = [
        reply(1),
        reply(2, model="big", created_at=NOW + timedelta(days=30), cost_pico_usd=None),
        reply(3, model="big", prompt_id="judge/v2", body='{"answer": "四"}'.encode()),
        reply(4, prompt_id=None, body=b"\xff\x00 not text", canonical=b"\xfe", key=key_of(b"\xfe")),
    ]
    store.put_many(paid(*some), owner)
    yield store
    store.close()


def jsonl(said):
    assert said.code == 0, said.err
    return [json.loads(row) for row in said.out.splitlines()]


def test_list_shows_what_fits_as_a_table_and_as_rows(cli, filled):
    said = cli("replies", "list", "--model", "big")
    assert said.code == 0
    assert reply(2).key[:16] in said.out
    assert reply(1).key[:16] not in said.out
    assert "(2 replies; all that fit: $0.001234567893 (1 have no known price))" in said.out
    rows = jsonl(cli("replies", "list", "--format", "jsonl"))
    assert [r["key"] for r in rows] == [r.key for r in filled.replies(ALL)]
    assert {r["key"]: r["cost_usd"] for r in rows}[reply(1).key] == "0.001234567891"
    assert len(jsonl(cli("replies", "list", "--format", "jsonl", "--limit", "3"))) == 3
    assert "(1 of 4 replies" in cli("replies", "list", "--limit", "1").out


@pytest.mark.parametrize(
    ("options", "numbers"),
    [
        (["--prompt", "judge/v2"], {3}),
        (["--since", "2026-06-01"], {2}),
        (["--before", "2026-06-01T00:00"], {1, 3}),
        (["--before", "2026-05-04T14:30:17.123456+02:00"], {1}),
        (["--provider", "google"], set()),
    ],
)
def test_filters_choose(cli, filled, options, numbers):
    rows = jsonl(cli("replies", "list", "--format", "jsonl", *options))
    keys = {reply(i).key: i for i in range(4)}
    assert {keys[r["key"]] for r in rows if r["key"] in keys} == numbers


def test_show_finds_a_reply_by_the_beginning_of_its_key(cli, filled):
    said = cli("replies", "show", reply(3).key[:10].upper())
    assert said.code == 0
    shown = json.loads(said.out)
    assert shown["key"] == reply(3).key
    assert shown["request"]["messages"][0][1] == [["text", "question 3"]]
    assert shown["reply"] == {"answer": "四"}
    raw = json.loads(cli("replies", "show", key_of(b"\xfe")).out)
    assert (raw["request"], raw["reply"]) == ({"base64": "/g=="}, {"base64": "/wAgbm90IHRleHQ="})


def test_show_prints_nothing_that_steers_a_terminal(cli, filled):
    deep = b"[" * 50_000
    for i, body in enumerate([HOSTILE, HOSTILE.replace(b"9" * 5000, b"1"), deep, b"\x9b31m plain"], start=50):
        one = reply(i, body=body)
        filled.add([one])
        said = cli("replies", "show", one.key)
        assert said.code == 0
        assert json.loads(said.out)["key"] == one.key
        assert not [c for c in said.out if (ord(c) < 32 and c != "\n") or 0x7F <= ord(c) < 0xA0 or c == "\u202e"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["show", "xyz"], "is no key"),
        (["show", ""], "is no key"),
        (["show", "0" * 64], "no reply has a key"),
        (["list", "--before", "yesterday"], "--before 'yesterday' is no date"),
        (["prune"], "say which replies to delete"),
        (["import", "missing.jsonl"], "no such file"),
        (["export", "."], "is a folder"),
    ],
)
def test_mistakes_are_one_line_and_code_2(cli, filled, words, told):
    said = cli("replies", *words)
    assert said.code == 2
    assert told in said.err
    assert said.err.count("\n") == 1


def test_a_prefix_that_several_keys_have_is_refused_with_their_keys(cli, filled):
    filled.add(reply(i) for i in range(100, 140))
    keys = [r.key for r in filled.replies(ReplyFilter(key_prefix="a"))]
    assert len(keys) > 1
    said = cli("replies", "show", "a")
    assert said.code == 2
    assert keys[0][:16] in said.err


def test_what_is_exported_is_imported_elsewhere_and_exported_the_same(cli, filled, tmp_path, monkeypatch):
    filled.add(reply(i) for i in range(100, 350))
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    assert "254 replies written" in cli("replies", "export", first).out
    monkeypatch.setenv(ENVIRONMENT, str(tmp_path / "elsewhere" / "other.sqlite"))
    assert "254 replies taken in" in cli("replies", "import", first).out
    assert "0 replies taken in" in (said := cli("replies", "import", first).out)
    assert "254 were there already" in said
    assert cli("replies", "export", second).code == 0
    assert first.read_bytes() == second.read_bytes()
    assert [p.name for p in tmp_path.iterdir() if p.name.endswith(".tmp")] == []
    assert "1 replies written" in cli("replies", "export", second, "--prompt", "judge/v2").out


def test_a_file_with_a_changed_line_is_refused_whole(cli, filled, tmp_path):
    file = tmp_path / "replies.jsonl"
    assert cli("replies", "export", file).code == 0
    rows = file.read_bytes().splitlines(keepends=True)
    assert filled.prune(ALL) == 4
    file.write_bytes(b"".join(rows[:2]) + rows[2].replace(b'"key": "', b'"key": "0', 1) + rows[3])
    said = cli("replies", "import", file)
    assert said.code == 2
    assert f"{file}:3: " in said.err
    assert filled.count(ALL).calls == 0
    file.write_bytes(b"".join(rows))
    assert cli("replies", "import", file).code == 0
    assert filled.count(ALL).calls == 4
    assert filled.spent().calls == 4  # an import books nothing


def test_prune_deletes_only_when_told_to(cli, filled):
    for words in ([], ["--dry-run"], ["--dry-run", "--yes"]):
        said = cli("replies", "prune", "--model", "big", "--before", "2026-06-01", *words)
        assert said.code == 0
        assert "1 replies that cost $0.001234567893 would be deleted" in said.out
        assert filled.count(ALL).calls == 4
    said = cli("replies", "prune", "--model", "big", "--before", "2026-06-01", "--yes")
    assert "1 replies that cost $0.001234567893 deleted" in said.out
    assert filled.get_many([reply(3).key]) == {}
    assert filled.count(ALL).calls == 3


def test_stats_count_by_model_and_say_what_is_under_way(cli, filled):
    far = "far-0123456789ab|1|1.00|0"
    filled.register(far, NOW - timedelta(days=3650))
    filled.claim(["a", "b"], far)
    filled.save_job(job("job-open", state="running", total=12))
    filled.save_job(job("job-done", state="collected"))
    said = cli("replies", "stats")
    assert said.code == 0
    (big,) = [row.split() for row in said.out.splitlines() if row.startswith("big")]
    assert big == ["big", "2", "205", "100", "0.001234567893", "1"]
    assert "claims: 0 of live processes, 2 left behind" in said.out
    assert "job-open" in said.out
    assert "job-done" not in said.out


def test_without_replies_nothing_is_made_and_the_mistake_is_told(cli, monkeypatch):
    monkeypatch.delenv(ENVIRONMENT, raising=False)
    for words in (["list"], ["stats"], ["show", "ab"], ["prune", "--model", "m"], ["export", "x.jsonl"]):
        said = cli("replies", *words)
        assert said.code == 2
        assert "no replies yet" in said.err
    assert not cli.root.exists()


def test_a_password_in_the_environment_appears_in_nothing_that_is_printed(cli, postgres, monkeypatch):  # noqa: F811
    url = postgres.new_place()
    for place in (url, url.replace(ENCODED, "wrong-Kolibri"), url.replace(ENCODED, "a@Kolibri"), "ftp://u:Kolibri@h/d"):
        monkeypatch.setenv(ENVIRONMENT, place)
        for words in (["list"], ["stats"]):
            said = cli("replies", *words)
            assert said.code == (0 if place == url else 2)
            assert not [s for s in (PASSWORD, ENCODED, "Kolibri") if s in said.out + said.err]
