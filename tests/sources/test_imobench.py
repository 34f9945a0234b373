"""IMO-Bench: its published files of proofs, with Lean 4, and its other files in their form."""

import csv
import io
from collections import Counter

import pytest

from lean_check import screen
from stepforge.vocabulary import Difficulty, ProblemType, Reason
from tests.sources.published import accepts, kept
from tests.sources.reading import read

ANSWERBENCH = {
    "Problem ID": "imo-bench-algebra-006",
    "Problem": "Let $P$ be a function from the set of integers to itself.\nFind all possible functions $P$.\n",
    "Short Answer": "$P(x)=-1, P(x)=x+1$",
    "Category": "Algebra",
    "Level": "IMO-Medium",
    "Subcategory": "Functional Equation",
    "Source": "IMO Shortlist 2020",
}
GRADING = {
    "Grading ID": "GB-0001",
    "Problem ID": "PB-Basic-001",
    "Problem": "Determine all functions, “nice” ones.",
    "Solution": "By taking $x = 0$ …",
    "Grading guidelines": "(Partial)\n1. Guessed",
    "Response": 'It is "clear".',
    "Points": "7",
    "Reward": "Correct",
    "Problem Source": "IMO 2019",
}


def table(*rows):
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


@pytest.mark.parametrize("name", ["proofbench.csv", "proofbench_v2.csv", "lean_proof_bench.csv"])
def test_every_published_row_is_a_proof_and_27_have_a_short_answer(name):
    problems = kept(f"imobench/{name}")
    assert (len(problems), {(p.source, p.licence) for p in problems}) == (60, {("imobench", "CC BY 4.0")})
    assert {p.problem_type for p in problems} == {ProblemType.PROOF}
    assert sum(p.answer is not None for p in problems) == 27
    assert Counter(p.grade for p in problems) == {"IMO-easy": 24, "IMO-medium": 18, "IMO-hard": 10, "pre-IMO": 8}
    levels = Counter(p.difficulty for p in problems)
    assert levels == {Difficulty.EASY: 32, Difficulty.MEDIUM: 18, Difficulty.HARD: 10}
    assert all(p.solution and "\n" not in p.subject for p in problems)
    assert sum("\n" in p.question for p in problems) > 10


def test_every_published_lean_statement_is_one_lean_4_theorem_with_its_proof_left_open():
    problems = kept("imobench/lean_proof_bench.csv")
    statements = [p.lean_statement for p in problems]
    assert all(s.startswith("import Mathlib") and s.count("sorry") >= 1 for s in statements)
    assert all(s.count("theorem ") >= 1 for s in statements)
    rules = Counter(rule for s in statements for rule in screen(s, statement_only=True).rules())
    assert "lean3_source" not in rules
    assert not any(p.lean_statement for p in kept("imobench/proofbench_v2.csv"))


def test_the_two_versions_of_the_published_proofs_differ_in_one_problem():
    first, second = ({p.source_id: p.question for p in kept(f"imobench/proofbench{v}.csv")} for v in ("", "_v2"))
    assert first.keys() == second.keys()
    assert sum(first[i] != second[i] for i in first) <= 1


def test_a_row_of_answerbench_has_its_functions_for_an_answer_in_any_order():
    (problem,) = read("answerbench.csv", table(ANSWERBENCH), licence="unknown").kept
    assert (problem.problem_type, problem.difficulty) == (ProblemType.FREE_FORM, Difficulty.MEDIUM)
    assert problem.knowledge_concepts == ("Functional Equation",)
    assert accepts(problem, "$P(x)=x+1$, $P(x) = -1$")
    assert not accepts(problem, "P(x)=x+1")


def test_gradings_of_one_problem_are_one_problem_and_repeats():
    rows = [GRADING, {**GRADING, "Grading ID": "GB-0002"}, {**GRADING, "Problem ID": "PB-Basic-002"}]
    outcome = read("gradingbench.csv", table(*rows), licence="unknown")
    assert [p.source_id for p in outcome.kept] == ["PB-Basic-001", "PB-Basic-002"]
    assert [r.reason for r in outcome.rejections] == [Reason.DUPLICATE_ID]


def test_a_level_or_an_answer_that_is_missing_is_named():
    broken = [{**ANSWERBENCH, "Level": "IMO"}, {**ANSWERBENCH, "Problem ID": " "}]
    details = [r.detail for r in read("answerbench.csv", table(*broken)).rejections]
    assert "Level: 'IMO' is none of pre-IMO" in details[0]
    assert "id: the problem's id is empty" in details[1]
    without = {k: v for k, v in ANSWERBENCH.items() if k != "Short Answer"}
    (missing,) = read("answerbench.csv", table(without)).rejections
    assert "Short Answer: the field is missing" in missing.detail
