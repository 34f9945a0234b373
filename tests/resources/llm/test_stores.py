"""Opening a store: by path or URL, whole or damaged, old or new, and never with a password in what is said."""

import hashlib
import logging
import sqlite3
import subprocess
import sys
import threading
import traceback

import psycopg
import pytest

from resources.home import Home
from resources.llm._store_sql import Lane
from resources.llm._store_tables import TABLES, VERSION
from resources.llm.store import ReplyFilter
from resources.llm.stores import ENVIRONMENT, open_store
from stepforge.errors import BadHome, BadRequest, PipelineError
from tests.postgres import ENCODED, PASSWORD
from tests.resources.llm.stored import paid, reply

ALL = ReplyFilter()
SECRET = "Kolibri7"  # noqa: S105 - planted


def change(place, sql):
    """Do something to the database behind the store's back."""
    if place.startswith("postgresql:"):
        with psycopg.connect(place) as connection:
            connection.execute(sql)
    else:
        with sqlite3.connect(place) as connection:
            connection.execute(sql)
        connection.close()


def name_in(url):
    return url.partition("?")[0].rpartition("/")[2]


# -- places


def test_a_path_is_a_file_that_is_made_with_its_folders(tmp_path):
    for place in (tmp_path / "a" / "b" / "replies", str(tmp_path / "c.sqlite")):
        open_store(place).close()
    assert (tmp_path / "a" / "b" / "replies").read_bytes().startswith(b"SQLite format 3")
    assert (tmp_path / "c.sqlite").is_file()


def test_the_home_keeps_its_replies_in_a_file_unless_the_environment_names_another_place(tmp_path, monkeypatch):
    monkeypatch.delenv(ENVIRONMENT, raising=False)
    home = Home(tmp_path / "home")
    home.replies.add([reply(1)])
    assert home.replies is home.replies
    assert (tmp_path / "home" / "replies.sqlite").is_file()
    monkeypatch.setenv(ENVIRONMENT, str(tmp_path / "shared.sqlite"))
    assert Home(tmp_path / "home").replies.count(ALL).calls == 0
    assert (tmp_path / "shared.sqlite").is_file()


def test_a_home_without_replies_loads_no_database_client():
    code = "import sys, resources.home; sys.exit('psycopg' in sys.modules or 'resources.llm.stores' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_folder_or_a_file_in_the_way_is_told(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(BadHome, match="cannot be made"):
        open_store(tmp_path / "file" / "replies.sqlite")
    with pytest.raises(PipelineError, match="cannot be opened"):
        open_store(tmp_path)


@pytest.mark.parametrize("place", ["mysql://u@h/d", "postgresql+psycopg://u@h/d", "https://h/d", "sqlite:///x", ""])
def test_any_other_place_is_refused_and_nothing_is_written(tmp_path, monkeypatch, place):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadRequest, match="names neither"):
        open_store(place)
    assert list(tmp_path.iterdir()) == []


# -- versions, damage, other people's databases


def test_a_store_of_a_newer_version_is_refused(place):
    open_store(place).close()
    change(place, "UPDATE store_version SET version = 2")
    with pytest.raises(BadHome, match="newer Stepforge"):
        open_store(place)


def test_a_database_of_something_else_is_left_alone(place, tmp_path):
    (tmp_path / "home").mkdir(exist_ok=True)
    change(place, "CREATE TABLE replies (theirs INTEGER)")
    with pytest.raises(BadHome, match="something else"):
        open_store(place)
    with pytest.raises(BadHome, match="something else"):  # and no table of ours was left there
        open_store(place)


@pytest.mark.parametrize("damage", [b"no database" * 100, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_file_is_told_and_never_advised_to_be_deleted(tmp_path, damage):
    path = tmp_path / "replies.sqlite"
    path.write_bytes(damage)
    with pytest.raises(PipelineError, match="damaged") as told:
        open_store(path)
    assert "backup" in str(told.value)
    assert "delete" not in str(told.value)
    assert path.read_bytes() == damage


def test_damage_inside_is_told_when_it_is_met(tmp_path):
    path = tmp_path / "replies.sqlite"
    store = open_store(path)
    store.add(reply(i, body=b"x" * 5000) for i in range(200))
    store.close()
    data = bytearray(path.read_bytes())
    data[2 * 8192 :] = b"\x99" * (len(data) - 2 * 8192)
    path.write_bytes(data)
    with pytest.raises(PipelineError, match="damaged"):  # noqa: PT012 - either may be the one to meet it
        store = open_store(path)
        list(store.replies(ALL))


def test_a_file_that_is_removed_while_it_is_in_use_is_told_before_paid_replies_go_into_nothing(tmp_path):
    path = tmp_path / "replies.sqlite"
    store = open_store(path)
    store.add([reply(1)])
    path.rename(tmp_path / "elsewhere")
    with pytest.raises(PipelineError, match="removed or replaced"):
        store.put_many(paid(reply(2)), "owner")
    (tmp_path / "elsewhere").rename(path)
    store.put_many(paid(reply(2)), "owner")
    assert store.count(ALL).calls == 2
    store.close()


def test_a_database_in_another_encoding_is_refused(postgres):
    url = postgres.new_database("ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
    with pytest.raises(BadHome, match="LATIN1"):
        open_store(url)


# -- durability on a server


def test_a_server_that_is_set_to_lose_commits_is_not_believed_with_replies(postgres):
    url = postgres.new_database()
    change(url, f"ALTER DATABASE {name_in(url)} SET synchronous_commit = off")
    store = open_store(url)
    shown = {lane: store._do(lane, lambda do: do.rows("SHOW synchronous_commit")) for lane in Lane}
    assert shown == {Lane.DURABLE: [("on",)], Lane.LIGHT: [("off",)], Lane.READ: [("off",)]}
    store.close()


def test_a_server_that_restarts_is_waited_for(postgres):
    store = open_store(postgres.new_place())
    store.put_many(paid(reply(1)), "owner")
    postgres.stop()
    putting = threading.Thread(target=store.put_many, args=(paid(reply(2)), "owner"))
    putting.start()
    postgres.start()
    putting.join()
    assert set(store.get_many([reply(1).key, reply(2).key])) == {reply(1).key, reply(2).key}
    assert store.spent().calls == 2
    store.close()


def test_a_commit_whose_answer_was_lost_is_done_again_and_books_no_payment_twice(postgres):
    store = open_store(postgres.new_place())
    lane = store._lanes[Lane.DURABLE]
    carry_out, lost = lane.transact, []

    def transact(work):
        result = carry_out(work)
        if not lost:
            lost.append(True)
            lane.close()
            raise psycopg.OperationalError("server closed the connection unexpectedly")
        return result

    lane.transact = transact
    store.put_many(paid(reply(1), reply(2)), "owner")
    assert lost
    assert store.spent().calls == store.count(ALL).calls == 2
    store.close()


# -- passwords

PLANTED = [
    f"postgresql://user:{SECRET}@127.0.0.1:1/db",
    f"postgres://user:{SECRET}@127.0.0.1:1/db?connect_timeout=2",
    f"postgresql://127.0.0.1:1/db?user=u&password={SECRET}",
    f"postgresql://user:a@{SECRET}@127.0.0.1:1/db",
    f"postgresql://user:{SECRET}@b@127.0.0.1:1/db",
    f"postgresql://user:{SECRET}/b@127.0.0.1:1/db",
    f"postgresql://user:1/{SECRET}@127.0.0.1:1/db",
    f"postgresql://user:1?{SECRET}@127.0.0.1:1/db",
    f"postgresql://user:1?{SECRET}=x",
    f"postgresql://user:%zz{SECRET}@127.0.0.1:1/db",
    f"postgresql://user: {SECRET}@127.0.0.1:1/db",
    f"postgresql://user:{SECRET}@127.0.0.1:port/db",
    f"postgresql:/user:{SECRET}@127.0.0.1/db",
    f"postgresql:user:{SECRET}@127.0.0.1/db",
    f"mysql://user:{SECRET}@127.0.0.1/db",
    f"host=127.0.0.1 user=u password={SECRET}",
    f" postgresql://user:{SECRET}@127.0.0.1:1/db",
    f"user:{SECRET}@127.0.0.1:1/db",
    f"./x;Password = {SECRET}",
    f"//user:{SECRET}@127.0.0.1:1/db",
]


@pytest.mark.parametrize("url", PLANTED)
def test_a_password_in_a_place_that_cannot_be_opened_appears_nowhere(url, tmp_path, monkeypatch, caplog, capfd):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(ENVIRONMENT, url)
    caplog.set_level(logging.DEBUG)
    home = Home(tmp_path / "home")
    with pytest.raises(PipelineError) as told:
        _ = home.replies
    said = [str(told.value), repr(told.value), repr(home), caplog.text, *capfd.readouterr()]
    said += traceback.format_exception(told.value)
    assert [text for text in said if SECRET in text] == []
    assert [path for path in tmp_path.rglob("*") if SECRET in str(path)] == []


def test_a_password_that_works_and_one_that_does_not_appear_nowhere(postgres, caplog):
    caplog.set_level(logging.DEBUG)
    url = postgres.new_database()
    store = open_store(url)
    assert repr(store) == f"PostgresStore('postgresql:///{name_in(url)}?host={postgres.folder}')"
    with pytest.raises(PipelineError, match="password authentication failed") as told:
        open_store(url.replace(ENCODED, SECRET))
    said = [str(told.value), *traceback.format_exception(told.value), repr(store), caplog.text]
    assert [text for text in said for secret in (SECRET, PASSWORD, ENCODED) if secret in text] == []
    store.close()


def test_a_server_that_is_not_there_is_told_at_once_with_its_host():
    with pytest.raises(PipelineError, match=r"postgresql://127\.0\.0\.1:1/db cannot be used"):
        open_store("postgresql://user@127.0.0.1:1/db")


def test_tables_do_not_change_under_the_same_version():
    """Stores that people have are of these tables: a change needs a new VERSION, and a way from the old one to it."""
    assert VERSION == 1
    assert hashlib.sha256("\n".join(TABLES).encode()).hexdigest()[:16] == "7b88267f0f679e35"
