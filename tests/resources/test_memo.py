import os
import signal
import subprocess
import sys
import textwrap

import pytest

from resources.memo import Memo, key_of, remembered
from stepforge.errors import PipelineError


def shout(memo, items, calls):
    def compute(part):
        calls.extend(part)
        return [p.upper() for p in part]

    return remembered(
        memo,
        "shout",
        items,
        key=lambda i: key_of(i, "v1"),
        compute=compute,
        dump=str.encode,
        load=bytes.decode,
        chunk=2,
    )


def test_only_what_is_new_is_computed_and_order_is_kept(tmp_path):
    memo, calls = Memo(tmp_path / "m.sqlite"), []
    assert shout(memo, ["a", "b", "a"], calls) == ["A", "B", "A"]
    assert shout(memo, ["c", "b", "a"], calls) == ["C", "B", "A"]
    assert calls == ["a", "b", "c"]


def test_keys_do_not_run_into_each_other():
    assert key_of("ab", "c") != key_of("a", "bc")


def test_what_was_stored_before_a_kill_is_there_after_it(tmp_path):
    script = textwrap.dedent("""
        import sys
        from pathlib import Path
        from resources.memo import Memo
        memo = Memo(Path(sys.argv[1]))
        i = 0
        while True:
            memo.put("k", str(i), b"x")
            print(i, flush=True)
            i += 1
    """)
    path = tmp_path / "m.sqlite"
    process = subprocess.Popen([sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE, text=True)
    told = [int(process.stdout.readline()) for _ in range(50)]
    os.kill(process.pid, signal.SIGKILL)
    told += [int(line) for line in process.stdout.read().split()]
    process.wait()
    memo = Memo(path)
    assert all(memo.get("k", str(i)) == b"x" for i in told)


def test_a_failure_is_not_remembered(tmp_path):
    memo, calls = Memo(tmp_path / "m.sqlite"), []

    def compute(part):
        calls.extend(part)
        return ["failed" if len(calls) == 1 else "fine" for _ in part]

    def ask():
        return remembered(
            memo, "k", ["a"], key=str, compute=compute, dump=str.encode, load=bytes.decode, keep=lambda r: r == "fine"
        )

    assert [ask(), ask(), ask()] == [["failed"], ["fine"], ["fine"]]
    assert len(calls) == 2


def test_a_damaged_file_is_told(tmp_path):
    (tmp_path / "m.sqlite").write_bytes(b"no database" * 100)
    with pytest.raises(PipelineError, match="delete it"):
        Memo(tmp_path / "m.sqlite")
