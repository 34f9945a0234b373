"""`stepforge segment`: solutions in, steps out, in order; a row that cannot be read costs itself alone."""

import json

SOLUTION = "解：连接AC，\n∵AB=AC，\n∴∠B=∠C。\n∵∠B=∠C，∠A=40°，\n∴∠C=70°。"
TWO_WAYS = "Solution 1:\nWe have 2+3=5.\nSo 5*2=10.\n\nSolution 2:\nFirst 3*2=6.\nThen 6+4=10."
ROWS = [
    json.dumps({"id": "a", "question": "如图，△ABC中，∠A=40°，求∠C", "solution": SOLUTION}, ensure_ascii=False),
    "not json",
    json.dumps(
        {"id": 2, "solution": "2*3=<<2*3=6>>6 nuts.\n6+1=<<6+1=7>>7 nuts.", "difficulty": "other fields stay out"}
    ),
    "",
    json.dumps({"id": 3, "question": "q"}),
    json.dumps({"id": 4, "solution": 5}),
    json.dumps({"id": 5, "solution": "x" * 100_001}),
    json.dumps({"id": 6, "solution": "", "language": "en"}),
    json.dumps({"id": 7, "solution": TWO_WAYS}),
]


def test_each_solution_gets_its_steps_and_each_fault_its_line(cli, tmp_path):
    source, target = tmp_path / "solutions.jsonl", tmp_path / "steps.jsonl"
    source.write_text("\n".join(ROWS) + "\n", encoding="utf-8")
    said = cli("segment", "--input", source, "--output", target)
    assert said.code == 2
    rows = {row["id"]: row for row in map(json.loads, target.read_text(encoding="utf-8").splitlines())}
    assert list(rows) == ["a", 2, 6, 7]
    assert [step["conclusion"] for step in rows["a"]["steps"]] == ["∠B=∠C", "∠C=70°"]
    assert rows["a"]["steps"][1]["depends_on"] == [0]
    assert rows["a"]["auxiliary_lines"] == [{"text": "连接AC", "complexity": "simple"}]
    assert {row["method"] for row in rows.values()} == {"rules"}
    assert rows[6]["steps"] == []
    for name, text in (("a", SOLUTION), (7, TWO_WAYS)):
        for index, step in enumerate(rows[name]["steps"]):
            assert step["index"] == index
            assert text[step["start"] : step["end"]] == step["text"]
    for line, word in ((2, "no JSON"), (5, "solution: Field required"), (6, "solution: "), (7, "at most 100000")):
        assert f"{source}:{line}: " in said.err
        assert word in said.err
    assert "4 rows" in said.err


def test_a_step_of_a_second_way_depends_on_steps_of_that_way(cli, tmp_path):
    source, target = tmp_path / "solutions.jsonl", tmp_path / "steps.jsonl"
    source.write_text(ROWS[-1] + "\n", encoding="utf-8")
    assert cli("segment", "--input", source, "--output", target).code == 0
    steps = json.loads(target.read_text())["steps"]
    assert [step["path"] for step in steps] == [0, 0, 1, 1]
    assert [step["depends_on"] for step in steps] == [[], [0], [], [2]]
