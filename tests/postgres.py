"""A real PostgreSQL for tests: a cluster of its own, started when it is first asked for and stopped with the tests."""

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest

PASSWORD = "open sesame/@:%"  # noqa: S105 - of a throw-away cluster; awkward on purpose
ENCODED = "open%20sesame%2F%40%3A%25"
START_S = 60


def binaries() -> Path | None:
    """Folder of the server's programs, the newest first; None if there are none."""
    found = shutil.which("initdb")
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    return Path(found).resolve().parent if found else debian[-1].parent if debian else None


def _unprivileged() -> dict[str, Any]:
    """How to start a process that is not root, which PostgreSQL refuses to be."""
    if os.getuid() != 0:
        return {}
    names = {entry.pw_name: entry for entry in pwd.getpwall()}
    user = names.get("postgres") or names["nobody"]
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


class Cluster:
    """A running server that listens on a socket in its own folder."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder, self._programs, self._as = folder, programs, _unprivileged()
        self._environment = {k: v for k, v in os.environ.items() if not k.startswith("PG")} | {"LC_ALL": "C"}
        self._numbers = count()
        if self._as:
            os.chown(folder, self._as["user"], self._as["group"])
        secret = folder / "password"
        secret.write_text(PASSWORD + "\n")
        secret.chmod(0o644)
        words = ["-U", "tester", f"--pwfile={secret}", "--auth=scram-sha-256", "-E", "UTF8", "--locale=C", "--no-sync"]
        subprocess.run(
            [programs / "initdb", "-D", folder / "data", *words],
            check=True, capture_output=True, env=self._environment, **self._as,
        )  # fmt: skip
        self.start()

    def start(self) -> None:
        """Start the server and wait until it answers."""
        # the shell ends the server when its own input ends: also when the process of the tests is killed; at once
        # (QUIT), because writing down what nobody will read takes longer than a worker has for its end
        script = '"$@" >server.log 2>&1 & server=$!; cat >/dev/null; kill -QUIT $server; wait $server'
        # fsync only matters when the machine dies, which no test makes it do
        settings = [word for setting in ("listen_addresses=", "fsync=off") for word in ("-c", setting)]
        command = [self._programs / "postgres", "-D", "data", "-k", str(self.folder), *settings]
        self._shell = subprocess.Popen(
            ["sh", "-c", script, "sh", *command],
            stdin=subprocess.PIPE, cwd=self.folder, env=self._environment, **self._as,
        )  # fmt: skip
        until = time.monotonic() + START_S
        while True:
            try:
                connection = psycopg.connect(self.url("postgres"))
                break
            except psycopg.OperationalError:
                if time.monotonic() > until:
                    raise AssertionError((self.folder / "server.log").read_text()) from None
                time.sleep(0.05)
        connection.close()

    def stop(self) -> None:
        """Stop the server as a crash does: connections break, and the next start recovers."""
        self._shell.communicate()

    def url(self, database: str) -> str:
        """URL of a database, password included."""
        return f"postgresql://tester:{ENCODED}@/{database}?host={self.folder}"

    def new_place(self) -> str:
        """URL of an empty schema: what a test needs of a database, made in no time."""
        name = f"place{next(self._numbers)}"
        self._run(f"CREATE SCHEMA {name}")
        return f"{self.url('postgres')}&options=-csearch_path%3D{name}"

    def new_database(self, options: str = "") -> str:
        """URL of an empty database."""
        name = f"replies{next(self._numbers)}"
        self._run(f"CREATE DATABASE {name} {options}")
        return self.url(name)

    def _run(self, statement: str) -> None:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(statement)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """One cluster for the tests of a worker; skips where PostgreSQL is not installed."""
    programs = binaries()
    if programs is None:
        pytest.skip("no PostgreSQL server here: apt install postgresql")
    folder = Path(tempfile.mkdtemp(prefix="sfpg-"))  # short: the name of a socket has at most 107 bytes
    try:
        cluster = Cluster(folder, programs)
        yield cluster
        cluster.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
