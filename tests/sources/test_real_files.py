"""Counts on the published files."""

from collections import Counter

import pytest

from lean_check import screen
from stepforge.sources import joined
from stepforge.vocabulary import AnswerKind, ProblemType
from tests.shared_data import shared
from tests.sources.reading import not_delivered, read


def kept(name):
    outcome = read(name, shared(name).read_bytes(), figures=not_delivered, licence="unknown")
    assert outcome.rejections == []
    assert len({p.problem_id for p in outcome.kept}) == len(outcome.kept)
    return outcome.kept


@pytest.mark.parametrize(
    ("name", "source", "count"),
    [
        ("gsm8k/test.jsonl", "gsm8k", 1319),
        ("geolaux/GeoLaux_minidata.json", "geolaux", 234),
        ("mvmath/MV-MATH.json", "mvmath", 1402),
        ("wemath/testmini.json", "wemath", 1217),
        ("proofnet/test.jsonl", "proofnet", 186),
        ("proofnet/valid.jsonl", "proofnet", 185),
        ("minif2f/lean/test.lean", "minif2f", 244),
        ("minif2f/lean/valid.lean", "minif2f", 244),
        ("fimo/lean/fimo.lean", "fimo", 149),
    ],
)
def test_every_record_of_a_published_file_becomes_a_problem(name, source, count):
    problems = kept(name)
    assert (len(problems), {p.source for p in problems}) == (count, {source})


def test_every_published_proofnet_statement_is_recognised_as_lean_3():
    problems = kept("proofnet/test.jsonl") + kept("proofnet/valid.jsonl")
    rules = Counter(screen(p.lean_statement, statement_only=True).rules() for p in problems)
    assert rules == {("lean3_source",): 371}


def test_every_published_lean_3_theorem_of_minif2f_and_fimo_is_recognised_as_lean_3():
    names = ("minif2f/lean/test.lean", "minif2f/lean/valid.lean", "fimo/lean/fimo.lean")
    problems = [problem for name in names for problem in kept(name)]
    rules = Counter(screen(p.lean_statement, statement_only=True).rules() for p in problems)
    assert rules == {("lean3_source",): 637}
    assert all(p.lean_statement.count("theorem ") == 1 for p in problems)
    whole = [p.source_id for p in problems if not p.lean_statement.endswith(":= sorry\n")]
    assert whole == ["fimo_2012_number_theory_p4_1"]  # it has a `let` before its proof, and is kept with it
    assert len({p.question for p in problems}) == 637


def test_every_informal_file_of_fimo_is_a_problem_and_147_have_a_theorem():
    words = [one for path in sorted(shared("fimo/informal").iterdir()) for one in kept(f"fimo/informal/{path.name}")]
    theorems = {p.problem_id: p for p in kept("fimo/lean/fimo.lean")}
    assert (len(words), all(p.solution for p in words), {p.source for p in words}) == (245, True, {"fimo"})
    pairs = [joined(p, theorems[p.problem_id]) for p in words if p.problem_id in theorems]
    assert len(pairs) == 147
    assert None not in pairs


def test_every_gsm8k_answer_is_a_number():
    problems = kept("gsm8k/test.jsonl")
    assert {p.answer.kind for p in problems} == {AnswerKind.NUMBER}
    assert sum("<<" in p.solution for p in problems) == 1301
    assert not any("####" in p.solution for p in problems)


def test_every_geolaux_choice_has_its_letter():
    problems = kept("geolaux/GeoLaux_minidata.json")
    types = Counter(p.problem_type for p in problems)
    assert types == {ProblemType.PROOF: 76, ProblemType.CHOICE: 63, ProblemType.FREE_FORM: 95}
    assert sum(p.answer is not None and p.answer.kind is AnswerKind.SET for p in problems) == 4
    assert sum(p.auxiliary_complexity is not None for p in problems) == 102


def test_every_mvmath_choice_has_four_options_and_every_multi_step_answer_its_parts():
    problems = kept("mvmath/MV-MATH.json")
    choices = [p for p in problems if p.problem_type is ProblemType.CHOICE]
    assert (len(choices), {"".join(c.label for c in p.choices) for p in choices}) == (768, {"ABCD"})
    multi = [p for p in problems if p.problem_type is ProblemType.MULTI_STEP]
    assert (len(multi), min(len(p.answer.parts) for p in multi)) == (73, 2)


def test_every_wemath_answer_is_among_its_options_and_every_group_is_whole():
    problems = kept("wemath/testmini.json")
    assert all(p.answer.text in [c.label for c in p.choices] for p in problems)
    assert all(c.text for p in problems for c in p.choices)
    assert sum(p.choices[-1].text == "No correct answer" for p in problems) == 1215
    roles = Counter(p.group_role for p in problems)
    assert roles == {"composite": 366, "sub_1": 366, "sub_2": 366, "sub_3": 119}
