"""`stepforge equivalent`: rows in, verdicts out, in order; a row that cannot be read costs itself alone."""

import json

import pytest

ROWS = [
    '{"id": "a", "gold": "1/2", "prediction": "0.5", "kind": "number"}',
    '{"id": 2, "gold": ["3", "4"], "prediction": 4}',
    "not json",
    '{"id": "c", "gold": "\\\\sum_{k=1}^{n} k", "prediction": "\\\\frac{n(n+1)}{2}"}',
    "",
    '{"id": "d", "gold": "5"}',
    '{"id": "e", "gold": ["3", "5"], "prediction": "(1) 3; (2) 6", "kind": "multi_part"}',
    '{"id": "f", "gold": "5", "prediction": "\\ud800 \\u202e", "kind": "text"}',
]


@pytest.fixture
def pairs(tmp_path):
    path = tmp_path / "pairs.jsonl"
    path.write_text("\n".join(ROWS) + "\n", encoding="utf-8")
    return path


def verdicts(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_each_row_gets_a_verdict_in_order_and_each_fault_its_line(cli, pairs, tmp_path):
    target = tmp_path / "out" / "verdicts.jsonl"
    said = cli("equivalent", "--input", pairs, "--output", target)
    assert said.code == 2
    assert [(row["id"], row["verdict"]) for row in verdicts(target)] == [
        ("a", "equal"), (2, "equal"), ("c", "equal"), ("e", "different"), ("f", "undecided"),
    ]  # fmt: skip
    assert all(set(row) == {"id", "verdict", "method", "reason"} for row in verdicts(target))
    assert f"{pairs}:3: no JSON" in said.err
    assert f"{pairs}:6: prediction missing" in said.err
    assert "2 rows" in said.err
    assert [path.name for path in target.parent.iterdir()] == ["verdicts.jsonl"]


def test_the_same_rows_give_the_same_bytes_whatever_the_number_of_processes(cli, pairs, tmp_path):
    outputs = []
    for n in (1, 2):
        target = tmp_path / f"{n}.jsonl"
        cli("equivalent", "--input", pairs, "--output", target, "--workers", n)
        outputs.append(target.read_bytes())
    assert outputs[0] == outputs[1]


def test_good_rows_alone_end_with_exit_code_0_and_can_go_to_standard_output(cli, tmp_path):
    path = tmp_path / "pairs.jsonl"
    path.write_text(ROWS[0] + "\n", encoding="utf-8")
    said = cli("equivalent", "--input", path, "--output", "-")
    assert said.code == 0
    assert '{"id": "a", "verdict": "equal", "method": "number", "reason": "equal values"}' in said.out


def test_a_file_that_is_not_there_is_said(cli, tmp_path):
    said = cli("equivalent", "--input", tmp_path / "none.jsonl", "--output", tmp_path / "v.jsonl")
    assert said.code == 2
    assert "does not exist" in said.err
    assert not (tmp_path / "v.jsonl").exists()


def test_the_help_shows_the_row(cli):
    said = cli("equivalent", "--help")
    assert said.code == 0
    assert all(name in said.out for name in ('"id"', '"gold"', '"prediction"', '"kind"', "verdict", "--limit-s"))
