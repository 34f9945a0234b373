"""Each form of a source is recognised by that source alone, and read record by record."""

import csv
import hashlib
import io
import json
import tracemalloc
from datetime import UTC, datetime

import pytest

from stepforge.documents import BatchInfo, FileEntry, documents
from stepforge.sources import SOURCES, recognise
from stepforge.vocabulary import Reason
from tests.sources.fuzzing import samples
from tests.sources.test_amps import TEXT
from tests.sources.test_deepmind_mathematics import LINES
from tests.sources.test_imobench import ANSWERBENCH, GRADING
from tests.sources.test_lila import INSTANCE, data_set
from tests.sources.test_olympiadbench import OLYMPIADBENCH


def table(row, count=1):
    text = io.StringIO()
    writer = csv.DictWriter(text, list(row), lineterminator="\n")
    writer.writeheader()
    writer.writerows([row] * count)
    return text.getvalue().encode()


FILES = {
    "mathematica/algebra/1.txt": ("amps", TEXT.encode()),
    "train-hard/calculus__differentiate.txt": ("deepmind_mathematics", LINES.encode()),
    "answerbench.csv": ("imobench", table(ANSWERBENCH)),
    "gradingbench.csv": ("imobench", table(GRADING)),
    "lila/all/addsub.json": ("lila", json.dumps(data_set(INSTANCE), indent=1).encode()),
}
SETS = {
    "alg514",
    "amobench",
    "amps",
    "carp",
    "dolphin1878",
    "draw1k",
    "imobench",
    "integralbench",
    "lila",
    "mario_eval",
    "math",
    "matharena",
    "olymmath",
    "olympiadbench",
    "omnimath",
    "svamp",
}


def who(path, head):
    return [source.name for source in SOURCES if not source.general and source.recognises(path, head)]


@pytest.mark.parametrize("path", sorted(FILES))
def test_a_file_is_recognised_by_one_specific_source(path):
    source, data = FILES[path]
    assert who(path, data) == [source]
    assert recognise(path, data) == source


def test_every_sample_of_every_source_is_recognised_by_one_specific_source_at_most():
    found = set()
    for sample in samples():
        for layout in (json.dumps(sample) + "\n", json.dumps([sample], indent=2), json.dumps(sample, indent=1)):
            names = who("set.json", layout.encode())
            assert len(names) <= 1, f"{names} all recognise {layout[:200]}"
            found.update(names)
    assert found >= SETS


ROWS = 4000
LARGE = {
    "set.jsonl": ("carp", lambda row: b"".join(json.dumps(row).encode() + b"\n" for _ in range(ROWS))),
    "set.json": ("carp", lambda row: json.dumps([row] * ROWS).encode()),
    "all/x.json": ("lila", lambda _row: json.dumps(data_set(*[INSTANCE] * ROWS)).encode()),
    "1.txt": ("amps", lambda _row: TEXT.encode() * ROWS),
    "algebra__x.txt": ("deepmind_mathematics", lambda _row: LINES.encode() * ROWS),
    "a.csv": ("imobench", lambda _row: table(ANSWERBENCH, ROWS)),
}


@pytest.mark.parametrize("path", sorted(LARGE))
def test_records_come_one_by_one_and_are_not_held(path):
    name, made = LARGE[path]
    data = made({"content": "x", "answer": "1", "steps": "", "exprs": [[]] * 40, "edges": {"nodes": [{}] * 40}})
    source, count, values = SOURCES[name], 0, 0
    tracemalloc.start()
    for raw in source.records(data):
        count += 1
        values += raw.value is not None
    _size, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == values >= ROWS
    assert peak < 2.5 * len(data) + 2**20


def test_a_batch_of_text_files_and_figures_is_told_apart_from_papers_about_it():
    at = datetime(2026, 1, 2, tzinfo=UTC)
    files = {
        "amps/mathematica/algebra/1.txt": TEXT.encode(),
        "deepmind/train-easy/algebra__linear_1d.txt": LINES.encode(),
        "olympiad/data/OE_MM_maths_en_COMP.json": json.dumps([OLYMPIADBENCH]).encode(),
        "olympiad/images/img_3362.jpg": b"\xff\xd8\xff one",
        "olympiad/images/img_1.jpg": b"\xff\xd8\xff two",
        "README.txt": b"Problem: none.\nAnswer: none.\n",
    }
    store = {hashlib.sha256(data).hexdigest(): data for data in files.values()}
    entries = [FileEntry(path, hashlib.sha256(data).hexdigest(), len(data), at) for path, data in files.items()]
    outcome = documents(BatchInfo("b", "unknown", None, False), entries, store.__getitem__)
    assert {d.path.split("/")[0]: d.source for d in outcome.kept} == {
        "amps": "amps",
        "deepmind": "deepmind_mathematics",
        "olympiad": "olympiadbench",
    }
    assert {r.record_id: r.reason for r in outcome.rejections} == {
        "olympiad/images/img_3362.jpg": Reason.FIGURE_OF_A_PROBLEM,
        "olympiad/images/img_1.jpg": Reason.UNREFERENCED_FIGURE,
        "README.txt": Reason.UNSUPPORTED_FORMAT,
    }


def test_sets_passed_on_in_the_form_of_another_are_not_taken_for_it():
    putnam = {"name": "putnam_1962_a1", "informal_prefix": "/-- w -/", "formal_statement": "theorem x", "header": ""}
    other = {"question_id": "1", "prompt": "2 + 2?", "answer": "4", "answer_type": "exactMatch"}
    for record in (putnam, other):
        assert recognise("set.jsonl", json.dumps(record).encode()) is None
    assert recognise("set.jsonl", json.dumps(putnam | {"name": "amc12a_2019_p21"}).encode()) == "minif2f"
