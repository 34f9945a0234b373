"""The reply store in a PostgreSQL database, which several machines share."""

import re
import threading
import time
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeVar
from urllib.parse import quote

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from resources.llm._store_rows import Row
from resources.llm._store_sql import Lane, SqlStore, Statements
from resources.llm._store_tables import TABLES, VERSION
from stepforge.errors import BadHome, BadRequest, PipelineError

DEFAULTS = {  # a URL may say otherwise; by libpq's own, a cable that is pulled is noticed after two hours
    "connect_timeout": "10",
    "keepalives_idle": "30",
    "keepalives_interval": "10",
    "keepalives_count": "3",
    "tcp_user_timeout": "60000",
    "application_name": "stepforge",
}
PATIENCE_S = 120.0  # a server that restarts is waited for: a crash here would lose replies that are paid
# bodies are compressed where that pays: kept as they are, and beside their row while it fits on a page
STORAGE = (
    "ALTER TABLE replies SET (toast_tuple_target = 8160)",
    "ALTER TABLE replies ALTER COLUMN body SET STORAGE EXTERNAL",
    "ALTER TABLE replies ALTER COLUMN canonical SET STORAGE EXTERNAL",
)
SETUP_LOCK = 0x5E9F0261  # any number that nobody else uses

_SETTING = {
    # a server that is told to lose commits is not believed; a stronger setting than `on` stays
    Lane.DURABLE: "SELECT set_config('synchronous_commit', 'on', true) "
    "WHERE current_setting('synchronous_commit') = 'off'",
    Lane.LIGHT: "SELECT set_config('synchronous_commit', 'off', true)",
}
_IN_THE_WAY = {"40001", "40P01"}  # serialization failure, deadlock: done again, it succeeds
_AWAY = {"57P01", "57P02", "57P03", "53300"}  # shutting down, crashed, starting up, too many connections
_HOST = re.compile(r"[\w.:,/%\[\]-]*")
_PORT = re.compile(r"[0-9,]*")

T = TypeVar("T")


@cache
def _native(sql: str) -> str:
    return sql.replace("AMONG ?", "= ANY(?)").replace("EACH ?", "SELECT unnest(?::text[]) AS k").replace("?", "%s")


def read_url(url: str) -> tuple[str, str]:
    """The connection string of a URL, and what of it may be shown.  Raises: BadRequest, which quotes none of it: where
    a password is not percent-encoded, its parts appear as host, port or database."""
    try:
        parts = {name: f"{value}" for name, value in conninfo_to_dict(url.strip()).items() if value is not None}
    except psycopg.ProgrammingError:
        parts = {"host": "@"}
    host, port, database = (parts.get(name, "") for name in ("host", "port", "dbname"))
    if not _HOST.fullmatch(host) or not _PORT.fullmatch(port) or "@" in database or "@" in parts.get("user", ""):
        raise BadRequest(
            "STEPFORGE_REPLIES is no URL of PostgreSQL: write postgresql://USER:PASSWORD@HOST:PORT/DATABASE, and "
            "percent-encode what is not a letter or digit in the password (@ is %40, / is %2F, : is %3A)"
        )
    local = host.startswith("/")
    where = f"{'' if local else host}{f':{port}' if port and not local else ''}"
    shown = f"postgresql://{where}/{quote(database)}{f'?host={host}' if local else ''}"
    return make_conninfo(**{**DEFAULTS, **parts, "client_encoding": "UTF8"}), shown


class _Connection:
    """One connection, made anew when it broke, and its transactions."""

    def __init__(self, conninfo: str, lane: Lane) -> None:
        self.lane, self.lock = lane, threading.Lock()
        self._conninfo = conninfo
        self._connection: psycopg.Connection[Row] | None = None

    def _connected(self) -> psycopg.Connection[Row]:
        if self._connection is None or self._connection.closed:
            # no prepared statements: a pooler between us and the server may hand each transaction another session
            self._connection = psycopg.connect(self._conninfo, autocommit=True, prepare_threshold=None)
            self._connection.isolation_level = psycopg.IsolationLevel.READ_COMMITTED
        return self._connection

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        with self._connected().cursor(binary=True) as cursor:
            return cursor.execute(_native(sql), values).fetchall()

    def run(self, sql: str, values: Sequence[Any] = ()) -> int:
        with self._connected().cursor() as cursor:
            return cursor.execute(_native(sql), values).rowcount

    def many(self, sql: str, rows: Sequence[Row]) -> int:
        if len(rows) == 1:
            return self.run(sql, rows[0])
        with self._connected().cursor() as cursor:
            cursor.executemany(_native(sql), rows)
            return cursor.rowcount

    def transact(self, work: Callable[[Statements], T]) -> T:
        if self.lane is Lane.READ:
            return work(self)
        with self._connected().transaction():
            self.rows(_SETTING[self.lane])
            return work(self)

    @property
    def broken(self) -> bool:
        return self._connection is None or self._connection.closed

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()


class PostgresStore(SqlStore):
    """`ReplyStore` in a database.  Any thread may call; a process that is forked opens its own."""

    def __init__(self, url: str) -> None:
        super().__init__()
        conninfo, self._shown = read_url(url)
        self._secret = str(conninfo_to_dict(conninfo).get("password") or "")
        self._lanes = {lane: _Connection(conninfo, lane) for lane in Lane}
        self._patience_s = 0.0  # who names a wrong host is told at once
        try:
            self._create()
        except BaseException:
            self.close()
            raise
        self._patience_s = PATIENCE_S

    def __repr__(self) -> str:
        return f"PostgresStore({self._shown!r})"

    def _create(self) -> None:
        there = "SELECT to_regclass('store_version') IS NOT NULL, current_setting('server_encoding')"
        found, encoding = self._read(there)[0]
        if encoding != "UTF8":
            raise BadHome(f"{self._shown} has the encoding {encoding}; make a database with ENCODING 'UTF8'")

        def make(do: Statements) -> None:
            do.rows("SELECT pg_advisory_xact_lock(?)", [SETUP_LOCK])
            if do.rows(there)[0][0]:
                return
            for statement in (*TABLES, *STORAGE):
                do.run(statement.format(text='TEXT COLLATE "C"', bytes="BYTEA"))
            do.run("INSERT INTO store_version VALUES (?)", [VERSION])

        if not found:
            self._do(Lane.DURABLE, make)
        self._checked_version(self._read("SELECT version FROM store_version"), self._shown)

    def _do(self, lane: Lane, work: Callable[[Statements], T]) -> T:
        connection = self._lanes[lane]
        with connection.lock:
            until, wait_s = time.monotonic() + self._patience_s, 0.02
            while True:
                try:
                    return connection.transact(work)
                except psycopg.Error as error:
                    again = error.sqlstate in _IN_THE_WAY | _AWAY or connection.broken
                    if not again or time.monotonic() > until:
                        raise self._explained(error) from None
                time.sleep(wait_s)
                wait_s = min(2 * wait_s, 2.0)

    def _explained(self, error: psycopg.Error) -> PipelineError:
        told = " ".join(str(error).split())
        for secret in {self._secret, quote(self._secret), quote(self._secret, safe="")} - {""}:
            told = told.replace(secret, "***")
        if isinstance(error, psycopg.errors.DuplicateTable):
            return BadHome(f"{self._shown} holds tables of something else; give the replies a database of their own")
        if isinstance(error, psycopg.errors.InsufficientPrivilege):
            return BadHome(f"{self._shown}: {told}; make the user the owner of the database")
        return PipelineError(f"{self._shown} cannot be used: {told}")

    def close(self) -> None:
        """Close connections."""
        for connection in self._lanes.values():
            with connection.lock:
                connection.close()
