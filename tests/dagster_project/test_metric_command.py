"""`stepforge metric`: rows of a file to JSON."""

import io
import json
import sys

import pytest

from stepforge.metrics._base import METRICS
from tests.shared_data import shared


@pytest.fixture
def write(tmp_path):
    def to_file(*rows, name="rows.jsonl"):
        path = tmp_path / name
        path.write_text("".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows), "utf-8")
        return path

    return to_file


def computed(said):
    assert said.code == 0, said.err
    return json.loads(said.out)


def refused(said, *words):
    assert said.code == 2, said
    assert said.err.startswith("error: "), said.err
    assert "Traceback" not in said.out + said.err
    for word in words:
        assert word in said.err, said.err


ROWS = [
    {"id": "a", "verdict": "equal", "difficulty": "easy", "school": "north"},
    {"id": "b", "verdict": "different", "difficulty": "hard", "school": "south"},
    {"id": "c", "failure": "refused", "difficulty": "hard", "school": "south"},
]


def test_rows_become_json_with_intervals_and_breakdowns(cli, write):
    path = write(*ROWS)
    found = computed(cli("metric", "faa", "--input", path, "--by", "school", "--seed", "3", "--resamples", "100"))
    assert found["values"]["FAA"]["value"] == pytest.approx(1 / 3)
    assert found["by"]["school"]["south"]["FAA"] == {"value": 0.0, "low": 0.0, "high": 0.0, "n": 2}
    assert found["by"]["difficulty"]["easy"]["FAA"]["value"] == 1
    assert (found["seed"], found["resamples"], found["failures"]) == (3, 100, {"refused": 1})


def test_the_same_command_prints_the_same_bytes(cli, write):
    path = write(*ROWS)
    assert cli("metric", "faa", "--input", path).out == cli("metric", "faa", "--input", path).out


def test_rows_may_come_from_standard_input(cli, monkeypatch):
    text = io.TextIOWrapper(io.BytesIO(json.dumps(ROWS[0]).encode()))
    monkeypatch.setattr(sys, "stdin", text)
    assert computed(cli("metric", "faa", "--input", "-"))["rows"] == 1


@pytest.mark.parametrize("name", [metric.name for metric in METRICS])
def test_every_metric_says_which_row_it_wants_and_takes_its_own_example(name, cli, write):
    said = cli("metric", name, "--help")
    assert said.code == 0
    for field in METRICS[name].row.model_fields:
        assert field in said.out
    shape = computed(cli("metric", name, "--row"))
    assert json.dumps(shape["example"], ensure_ascii=False) in said.out
    assert {field["name"].split(" | ")[0] for field in shape["fields"]} == set(METRICS[name].row.model_fields)
    assert computed(cli("metric", name, "--input", write(shape["example"]), "--resamples", "5"))["rows"] == 1


def test_the_list_names_every_metric(cli):
    said = cli("metric", "--list")
    assert said.code == 0
    assert [line.split()[0] for line in said.out.splitlines()[1:]] == [metric.name for metric in METRICS]
    assert cli("metric").out == said.out


def test_a_mistake_is_one_line_that_says_what_to_do(cli, write, tmp_path):
    path = write(ROWS[0], {"id": "b", "verdict": "equals"})
    refused(
        cli("metric", "faa", "--input", path), "rows.jsonl:2", "field verdict", '"equals"', "stepforge metric faa --row"
    )
    refused(cli("metric", "faa", "--input", write({"id": 1, "verdit": "equal"})), "verdict is missing", "'verdit'")
    refused(cli("metric", "faa", "--input", write("not json")), "rows.jsonl:1", "no JSON object")
    refused(cli("metric", "fa", "--input", path), "no metric 'fa'", "did you mean faa?")
    refused(cli("metric", "faa", "--input", tmp_path / "nowhere"), "nowhere", "No such file")
    refused(cli("metric", "faa"), "--input is missing", "--row")
    good = write(*ROWS)
    refused(cli("metric", "faa", "--input", good, "--by", "colour"), "no row has this field", "school")
    refused(cli("metric", "faa", "--input", good, "--set", "alpha=3"), "--set alpha", "parameters of faa: none")
    refused(cli("metric", "faa", "--input", good, "--official"), "no official scorer", "geolaux, mv-math, we-math")


def test_hostile_rows_cost_their_command_and_nothing_else(cli, write):
    refused(cli("metric", "faa", "--input", write("[" * 200_000)), "rows.jsonl:1")
    refused(cli("metric", "faa", "--input", write('{"verdict": "\\u001b]0;owned\\u0007"}')), "rows.jsonl:1")
    refused(cli("metric", "faa", "--input", write('{"verdict": ' + "9" * 10_000 + "}")), "rows.jsonl:1")
    said = cli("metric", "faa", "--input", write({"verdict": "equal", "source": "\x1b[31mred\u202e"}))
    assert said.code == 0
    assert "\x1b" not in said.out
    assert "\u202e" not in said.out


def test_parameters_change_the_formula(cli, write):
    path = write({"steps": [1, 0, 1], "right": True})
    found = [computed(cli("metric", "geolaux", "--input", path, *more)) for more in ((), ("--set", "alpha=2.5"))]
    assert [round(f["values"]["PQS"]["value"], 6) for f in found] == [0.190828, 0.334120]
    assert found[1]["parameters"] == {"alpha": 2.5}


@pytest.mark.parametrize(
    ("metric", "path"), [("we-math", "wemath/full_noisy"), ("geolaux", "geolaux/edge"), ("mv-math", "mvmath/weak")]
)
def test_the_golden_files_are_taken_as_they_are(metric, path, cli):
    file = shared(f"golden/{path}.jsonl")
    printed = json.loads(shared(f"golden/{path.split('/')[0]}/expected.json").read_text("utf-8"))[file.stem]
    more = ["--companion", shared("wemath/knowledge_structure_nodes.json")] if metric == "we-math" else []
    official = computed(cli("metric", metric, "--input", file, "--official", *more))["official"]
    assert official == printed.get("official", {k: v for k, v in printed.items() if k != "seed"})
    assert computed(cli("metric", metric, "--input", file, "--resamples", "10"))["rows"] > 300


def test_a_second_file_says_the_domains_of_concepts_and_is_refused_where_none_is_read(cli, write, tmp_path):
    rows = [{"group": "g", "role": role, "concept": "Rotation", "right": True} for role in ("sub_1", "sub_2")]
    structure = tmp_path / "nodes.json"
    structure.write_text(json.dumps([{"root0": "a", "root1": "b", "root2": "Moves", "root3": "Rotation"}]))
    found = computed(cli("metric", "we-math", "--input", write(*rows), "--companion", structure))
    assert found["domains"]["Moves"]["value"] == 1
    structure.write_text("[3]")
    refused(cli("metric", "we-math", "--input", write(*rows), "--companion", structure), "node 1")
    refused(cli("metric", "faa", "--input", write(*ROWS), "--companion", structure), "--companion")
