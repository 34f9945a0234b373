from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepforge.metrics.milestones import Matcher, Pairing, srr
from stepforge.reply_units import MAX_UNITS, reasoning_units
from stepforge.steps.milestones import milestones
from stepforge.steps.segment import solution_steps
from tests.shared_data import shared
from tests.sources.reading import not_delivered, read


@pytest.mark.parametrize(
    ("reply", "units"),
    [
        # numbered steps
        ("Step 1: a = 2\nso b = 3\nStep 2: c = 5\n\\boxed{5}", ("a = 2 so b = 3", "c = 5")),
        ("**Step 1:** a = 2\n**Step 2:** c = 5\nAnswer: 5", ("a = 2", "c = 5")),
        (
            "### Step 1: Add\na = 2\n### Step 2: Sum\nc = 5\n\n---\n### Final Answer\n\\[\\boxed{5}\\]",
            ("Add a = 2", "Sum c = 5"),
        ),
        ("- Step 1 — a = 2\n- Step 2) c = 5\n\\boxed{5}", ("a = 2", "c = 5")),
        ("Step 1: a = 2. Step 2: b = 3. Step 3: c = a + b = 5. \\boxed{5}", ("a = 2.", "b = 3.", "c = a + b = 5.")),
        ("Step 1: a = 2 by Step 3: of the book. Step 2: b = 3.", ("a = 2 by Step 3: of the book.", "b = 3.")),
        ("Step 1: 16-3=13\nStep 2: 13*2 = \\boxed{26}", ("16-3=13", "13*2 = \\boxed{26}")),
        ("Step 1: a=2\nStep 2: The answer is \\boxed{2}", ("a=2",)),
        ("Step 1: The final answer is near.\n\\boxed{5}", ("The final answer is near.",)),
        ("第1步：甲有2个\n第2步：乙有3个\n答案是5", ("甲有2个", "乙有3个")),
        ("第1步：a=2。第2步：b=3。\\boxed{3}", ("a=2。", "b=3。")),
        ("**第一步**：甲有2个。\n**第二步**：乙有3个。\n因此答案是 \\boxed{5}", ("甲有2个。", "乙有3个。")),
        ("步骤一：甲有2个。\n步骤二：乙有3个。\n\\boxed{5}", ("甲有2个。", "乙有3个。")),
        ("1. a = 2\n2. c = 5\n#### 5", ("a = 2", "c = 5")),
        (
            "1. **Eggs**:\n   - 16 - 3 = 13\n2. **Money**:\n   - 9*2 = 18\n\nTherefore, the answer is \\boxed{18}.",
            ("Eggs: - 16 - 3 = 13", "Money: - 9*2 = 18"),
        ),
        ("Let me solve this step by step.\n\nStep 1: a=2\nStep 2: b=3\n\nI hope this helps!", ("a=2", "b=3")),
        ("好的，我们一步一步来解决这个问题。\n第一步：a=2\n第二步：b=3", ("a=2", "b=3")),
        # as a reference is cut
        ("He has 3*5=<<3*5=15>>15 eggs\nHe sells 15-3=12\nA: 12", ("He has 3*5=15 eggs", "He sells 15-3=12")),
        (
            "He has 15 eggs. He sells 3.5 of them. So 11.5 stay.",
            ("He has 15 eggs.", "He sells 3.5 of them.", "So 11.5 stay."),
        ),
        ("2023 - 2000 = 23\n23 * 2 = 46\n\\boxed{46}", ("2023 - 2000 = 23", "23 * 2 = 46")),
        ("∵AB=AC，∴∠B=∠C，∴△ABC是等腰三角形", ("∵AB=AC，∴∠B=∠C，", "∴△ABC是等腰三角形")),
        ("解：∵AB=AC，\n∴∠B=∠C，\n∵∠A=40°，\n∴∠B=70°\n故答案为：70°", ("∵AB=AC， ∴∠B=∠C，", "∵∠A=40°， ∴∠B=70°")),
        (
            "We have\n\\[\na = 2\n\\]\nand\n\\[\nb = 3.\n\\]\nSo\n\\[\n\\boxed{5}\n\\]",
            ("We have \\[ a = 2 \\] and \\[ b = 3. \\]",),
        ),
        ("Solution:\n\n- 2 + 3 = 5\n- 5 + 1 = 6\n$$\\boxed{x^2}$$", ("2 + 3 = 5", "5 + 1 = 6")),
        (
            "### Solution\n\n**Eggs**\n\n16 - 3 = 13\n\n**Money**\n\n13*2 = 26\n\n### Final Answer\n\n26 dollars",
            ("Eggs: 16 - 3 = 13", "Money: 13*2 = 26"),
        ),
        ("Let x be the eggs.\nThen 2x = 6.", ("Let x be the eggs. Then 2x = 6.",)),
        ("The answer is 5 because 2 + 3 = 5.", ("The answer is 5 because 2 + 3 = 5.",)),
        ("<think>a\nb\nc</think>d = 1\ne = 2", ("d = 1", "e = 2")),
        ("\\boxed{" + "x+" * 300 + "1}", ()),
        ("", ()),
    ],
)
def test_a_reply_is_read_as_its_steps(reply, units):
    assert reasoning_units(reply) == units


@pytest.mark.parametrize("name", ["gsm8k/test.jsonl", "geolaux/GeoLaux_minidata.json", "mvmath/MV-MATH.json"])
def test_the_reference_solution_itself_has_its_milestones_and_nothing_redundant(name):
    found = read(name, shared(name).read_bytes(), figures=not_delivered, licence="unknown").kept
    problems = [problem for problem in found if problem.solution][::6]
    paths = defaultdict(list)
    for milestone in milestones(problems, solution_steps(problems).kept).kept:
        if milestone.path == 0:
            paths[milestone.problem_id].append(milestone.text)
    matcher = Matcher([text for path in paths.values() for text in path])
    total = matched = units = redundant = 0
    pairings = [Pairing(reasoning_units(problem.solution), paths[problem.problem_id]) for problem in problems]
    for (reply, path), alignment in zip(pairings, matcher.align(pairings), strict=True):
        total += len(path)
        matched += alignment.n_matched
        units += len(reply)
        redundant += srr(len(reply), alignment.units_matched, len(path)) * len(reply)
    assert total > 100
    assert matched / total > 0.95
    assert redundant / units < 0.05


@given(st.lists(st.text(alphabet="abc =+12. ", min_size=3, max_size=30).filter(str.strip), min_size=1, max_size=8))
def test_numbered_steps_come_back_whole(steps):
    reply = "\n".join(f"Step {k}: {step}" for k, step in enumerate(steps, start=1))
    assert reasoning_units(reply + "\n\\boxed{3}") == tuple(" ".join(step.split()) for step in steps)


@given(st.text(max_size=300))
def test_no_reply_raises(reply):
    reasoning_units(reply)


@pytest.mark.parametrize(
    "unit",
    [
        "∵∴",
        "1. ",
        "\nStep 1: ",
        ". A",
        "<<",
        "\n",
        "*",
        "# a\n",
        "**a**\n",
        "Let x be 1.\n",
        "\\boxed{1}\n",
        "答案是1\n",
        "$",
        "第一步",
    ],
)
def test_a_megabyte_is_read_and_gives_few_units(unit):
    assert len(reasoning_units(unit * (1_000_000 // len(unit)))) <= MAX_UNITS
