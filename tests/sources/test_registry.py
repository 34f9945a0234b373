"""What holds for every source."""

import json

import pytest

from stepforge.sources import SOURCES, head_of
from tests.sources import test_crohme as crohme
from tests.sources import test_formalgeo as formalgeo
from tests.sources import test_geometry3k as geometry3k
from tests.sources import test_mavis as mavis
from tests.sources import test_naturalproofs as naturalproofs
from tests.sources.test_formats import CRITIC, FIMO, FORML4, GEOLAUX, GSM8K, MINIF2F, MVMATH, PROOFNET, WEMATH
from tests.sources.test_streams import parquet

SAMPLES = {
    "geometry3k": [("3/data.json", json.dumps(geometry3k.FOLDER).encode()), ("t.parquet", parquet([geometry3k.ROW]))],
    "formalgeo": [("problems/1.json", json.dumps(formalgeo.PROBLEM).encode())],
    "mavis": [("v.parquet", parquet([mavis.GEOMETRY])), ("v.parquet", parquet([mavis.FUNCTION]))],
    "naturalproofs": [("naturalproofs_x.json", naturalproofs.whole(naturalproofs.theorem(1)).encode())],
    "crohme": [("a.inkml", crohme.INK.encode()), ("2014/caption.txt", b"a x ^ 2\n")],
    "criticleanbench": [("c.jsonl", json.dumps(CRITIC).encode())],
    "fimo": [("f.json", json.dumps(FIMO).encode())],
    "forml4": [("f.json", json.dumps([FORML4]).encode())],
    "geolaux": [("g.json", json.dumps({"7_1_1": GEOLAUX}).encode())],
    "gsm8k": [("g.jsonl", json.dumps(GSM8K).encode())],
    "minif2f": [("m.jsonl", json.dumps(MINIF2F).encode())],
    "mvmath": [("m.json", json.dumps([MVMATH]).encode())],
    "proofnet": [("p.jsonl", json.dumps(PROOFNET).encode())],
    "wemath": [("w.json", json.dumps([WEMATH]).encode())],
}
GENERAL = {"native", "table", "mapped", "huggingface"}


@pytest.mark.parametrize("source", SOURCES, ids=lambda s: s.name)
def test_every_source_says_what_it_reads_and_what_becomes_of_it(source):
    assert source.title
    assert source.licence
    assert source.files
    assert source.url or source.name in GENERAL
    assert len({name for name, _ in source.fields}) == len(source.fields) > 0
    assert all(name.strip() and use.strip() for name, use in source.fields)
    assert __import__(source.problem.__module__, fromlist=["x"]).__doc__


def test_only_a_mapping_stands_before_the_sources_of_data_sets():
    assert [s.name for s in SOURCES if s.first] == ["mapped"]


@pytest.mark.parametrize(("name", "path", "data"), [(n, p, d) for n, files in SAMPLES.items() for p, d in files])
def test_no_source_of_a_data_set_claims_the_file_of_another(name, path, data):
    head = head_of(data)
    assert [s.name for s in SOURCES if not s.general and s.recognises(path, head)] == [name]
