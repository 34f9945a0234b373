from datetime import UTC, datetime

import pytest
from upath import UPath

from resources.atomic import write_atomic
from resources.blobs import Blobs, LostBlob
from resources.store import StageResult, Store
from stepforge.arrow import content_hash, to_table
from stepforge.errors import NotBuilt, PipelineError
from stepforge.records import Problem, Rejection
from tests import make

NOW = datetime(2026, 1, 2, tzinfo=UTC)


def result(problems, **given):
    rows, none = to_table(Problem, problems), to_table(Rejection, [])
    fields = {
        "record": Problem,
        "rows": rows,
        "rejections": none,
        "data_version": content_hash(Problem, rows),
        "rejections_version": content_hash(Rejection, none),
        "code_version": "c1",
        "inputs": {"documents": {"b": "v1"}},
        "seconds": 0.1,
        "rows_in": len(problems),
        "rows_kept": len(problems),
        "dropped": {},
        "not_applicable": {},
    }
    return StageResult(**{**fields, **given})


@pytest.fixture(params=["local", "memory"])
def store(request, tmp_path):
    return Store(UPath(tmp_path / "tables") if request.param == "local" else UPath(f"memory://{tmp_path.name}"))


def test_what_is_written_is_read_back(store):
    problems = [make.problem("s/1"), make.problem("s/2", solution=None)]
    store.write("problems", "b", result(problems), "run-1", NOW)
    assert store.stored("problems", "b").rows(Problem) == problems
    assert store.partitions("problems") == ["b"]


def test_an_older_version_stays_readable(store):
    old = store.write("problems", "b", result([make.problem("s/1")]), "run-1", NOW)
    new = store.write("problems", "b", result([make.problem("s/2")]), "run-2", NOW)
    assert store.pointer("problems", "b") == new
    assert store.read(old).num_rows == 1
    assert old.data_version != new.data_version


def test_the_same_rows_are_the_same_version(store):
    one = store.write("problems", "b", result([make.problem("s/1")]), "run-1", NOW)
    two = store.write("problems", "b", result([make.problem("s/1")]), "run-2", NOW)
    assert one.data_version == two.data_version


def test_a_partition_that_was_never_built_says_what_to_run(store):
    with pytest.raises(NotBuilt, match="stepforge build --stage problems"):
        store.stored("problems", "b")


def test_a_crash_between_rows_and_pointer_leaves_the_old_version(tmp_path, monkeypatch):
    store = Store(UPath(tmp_path))
    old = store.write("problems", "b", result([make.problem("s/1")]), "run-1", NOW)

    def crash_at_the_pointer(path, data):
        if path.name == "current.json":
            raise KeyboardInterrupt
        write_atomic(path, data)

    monkeypatch.setattr("resources.store.write_atomic", crash_at_the_pointer)
    with pytest.raises(KeyboardInterrupt):
        store.write("problems", "b", result([make.problem("s/2")]), "run-2", NOW)
    assert len(list((tmp_path / "problems" / "b").glob("*.parquet"))) == 3  # both rows, and rejections alike
    assert store.pointer("problems", "b") == old
    assert store.stored("problems", "b").rows(Problem) == [make.problem("s/1")]


def test_a_damaged_pointer_is_a_clear_error(tmp_path):
    store = Store(UPath(tmp_path))
    store.write("problems", "b", result([]), "run-1", NOW)
    (tmp_path / "problems" / "b" / "current.json").write_text("{")
    with pytest.raises(PipelineError, match="damaged"):
        store.pointer("problems", "b")


def test_a_blob_is_found_by_its_content_and_an_altered_one_is_refused(tmp_path):
    blobs = Blobs(UPath(tmp_path))
    sha = blobs.put(b"figure")
    assert blobs.get(sha) == b"figure"
    (tmp_path / sha[:2] / sha).write_bytes(b"other")
    with pytest.raises(LostBlob, match="altered"):
        blobs.get(sha)
    (tmp_path / sha[:2] / sha).unlink()
    with pytest.raises(LostBlob, match="gone"):
        blobs.get(sha)


@pytest.mark.parametrize("name", ["../../etc/passwd", "", "A" * 64, "a" * 63])
def test_a_blob_name_that_is_no_hash_never_becomes_a_path(tmp_path, name):
    with pytest.raises(ValueError, match="not a sha256"):
        Blobs(UPath(tmp_path)).path(name)
