import hashlib
import json
from datetime import UTC, datetime

import pytest

from stepforge.documents import BatchInfo, FileEntry, documents, media_type
from stepforge.vocabulary import Disposition, Reason

INFO = BatchInfo("b", "unknown", None, allow_missing_images=False)
PNG = b"\x89PNG\r\n\x1a\n"
NATIVE = {"format": "stepforge-problems/1", "licence": "CC0-1.0"}


def run(files):
    store = {hashlib.sha256(data).hexdigest(): data for data in files.values()}
    entries = [
        FileEntry(path, hashlib.sha256(data).hexdigest(), len(data), datetime(2026, 1, 2, tzinfo=UTC))
        for path, data in files.items()
    ]
    outcome = documents(INFO, entries, store.__getitem__)
    assert len(outcome.kept) + len(outcome.rejections) == len(files)
    return {d.path: d.source for d in outcome.kept}, {
        r.record_id: (r.reason, r.disposition) for r in outcome.rejections
    }


def native(*problems):
    return json.dumps({**NATIVE, "problems": list(problems)}).encode()


def test_scans_beside_a_set_whose_ids_look_like_their_names_are_pages():
    files = {f"scans/{i}.png": PNG + bytes([i]) for i in (1, 2, 3)}
    kept, refused = run({"set.json": native({"id": "1", "answer": "2", "question": "q"}), **files})
    assert kept == {"set.json": "native", "scans/1.png": "paper", "scans/2.png": "paper", "scans/3.png": "paper"}
    assert refused == {}


def test_a_lean_file_is_a_document_where_a_source_knows_it():
    known = b"import minif2f_import\n\ntheorem t : 1 = 1 :=\nbegin\n  refl\nend\n"
    kept, refused = run({"lean/test.lean": known, "Other.lean": b"theorem t : True := trivial\n"})
    assert kept == {"lean/test.lean": "minif2f"}
    assert refused == {"Other.lean": (Reason.UNSUPPORTED_FORMAT, Disposition.DROPPED)}
    assert media_type("lean/test.lean", known) == "text/x-lean"


def test_a_figure_that_a_problem_names_is_no_page_and_one_beside_it_that_none_names_is_dropped():
    kept, refused = run(
        {
            "set.json": native({"id": "a", "images": ["figures/x.png"]}),
            "figures/x.png": PNG,
            "figures/y.png": PNG + b"y",
        }
    )
    assert set(kept) == {"set.json"}
    assert refused["figures/x.png"] == (Reason.FIGURE_OF_A_PROBLEM, Disposition.NOT_APPLICABLE)
    assert refused["figures/y.png"] == (Reason.UNREFERENCED_FIGURE, Disposition.DROPPED)


def test_names_without_an_ending_count_in_fields_called_after_images():
    rows = {"1": {"problem_text": "q", "auxiliary_type": 0, "step_length": 1, "original_image_name": "45_4"}}
    kept, refused = run({"set.json": json.dumps(rows).encode(), "img/45_4.png": PNG, "45_5.png": PNG + b"5"})
    assert refused == {"img/45_4.png": (Reason.FIGURE_OF_A_PROBLEM, Disposition.NOT_APPLICABLE)}
    assert kept["45_5.png"] == "paper"


@pytest.mark.parametrize(
    ("path", "data", "reason", "disposition"),
    [
        ("a.pdf", b"", Reason.EMPTY_FILE, Disposition.DROPPED),
        ("contest.toml", b"name = 'x'", Reason.BATCH_SETTINGS, Disposition.NOT_APPLICABLE),
        ("README.md", b"# read me", Reason.UNSUPPORTED_FORMAT, Disposition.NOT_APPLICABLE),
        ("a.docx", b"PK\x03\x04", Reason.UNSUPPORTED_FORMAT, Disposition.DROPPED),
        ("a.json", b'{"rows": 1}', Reason.UNSUPPORTED_FORMAT, Disposition.DROPPED),
    ],
)
def test_a_file_that_is_no_document_says_why(path, data, reason, disposition):
    assert run({path: data}) == ({}, {path: (reason, disposition)})


def test_the_same_bytes_are_one_document():
    kept, refused = run({"a.json": native({"id": "1"}), "b.json": native({"id": "1"})})
    assert list(kept) == ["a.json"]
    assert refused == {"b.json": (Reason.DUPLICATE_DOCUMENT, Disposition.DROPPED)}


@pytest.mark.parametrize(
    ("path", "head", "media"),
    [
        ("x.dat", b"%PDF-1.7", "application/pdf"),
        ("x.json", PNG, "image/png"),
        ("x.png", b"not an image", "image/png"),
        ("x.webp", b"RIFF\x00\x00\x00\x00WEBP", "image/webp"),
        ("x.tsv", b"a\tb", "text/tab-separated-values"),
        ("x", b"", "application/octet-stream"),
    ],
)
def test_the_bytes_tell_the_media_type_before_the_name_does(path, head, media):
    assert media_type(path, head) == media
