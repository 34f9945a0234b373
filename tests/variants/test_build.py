import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepforge.arithmetic import equations
from stepforge.outcome import Outcome, unaccounted
from stepforge.records import Problem, Variant
from stepforge.steps.chains import by_problem
from stepforge.steps.facts import dependencies
from stepforge.steps.links import links
from stepforge.steps.text import clean
from stepforge.variants._base import DEFECTS
from stepforge.variants.build import variants
from stepforge.variants.numbering import unnumbered
from stepforge.variants.verify import verified_by
from stepforge.vocabulary import DefectKind, Reason
from tests.steps.samples import circle, eggs, geolaux, gsm8k, make_problem, solutions, steps_of


def made(*problems: Problem, seed: int = 1) -> Outcome[Variant]:
    return variants(list(problems), steps_of(*problems), seed=seed)


def undone(variant: Variant, chain: list[str]) -> bool:
    """Own, plain test that taking the defect back gives the chain again."""
    steps, where = list(variant.steps), variant.location
    if variant.kind is DefectKind.MISSING:
        steps.insert(where[0], variant.before)
    elif variant.kind is DefectKind.SWAPPED:
        steps[where[0]], steps[where[1]] = steps[where[1]], steps[where[0]]
    elif variant.kind is DefectKind.WRONG:
        steps[where[0]] = variant.before
    else:
        assert steps.pop(where[0]) == variant.after
    return steps == chain


def fits(edges: list[tuple[int, ...]], step: int) -> list[int]:
    """Places where a step that was taken out may stand: after all that it uses, before all that use it."""
    first = max(edges[step], default=-1) + 1
    return list(range(first, min(index for index, used in enumerate(edges) if step in used)))


def check(outcome: Outcome[Variant], problems: list[Problem]) -> None:
    rejected = [r.record_id for r in outcome.rejections]
    assert not unaccounted(outcome.input_ids, [v.problem_id for v in outcome.kept], rejected)
    assert len(rejected) == len(set(rejected))
    chains = {
        name: [unnumbered(clean(s.text)) for s in rows if s.path == 0]
        for name, rows in by_problem(steps_of(*problems)).items()
    }
    questions = {p.problem_id: p.question for p in problems}
    for variant in outcome.kept:
        chain = chains[variant.problem_id]
        assert variant.variant_id == f"{variant.problem_id}:{variant.kind.value}:{variant.seed}"
        assert undone(variant, chain)
        assert list(variant.steps) != chain
        assert not any("<<" in step for step in variant.steps)
        false = [e for step in variant.steps for e in equations(step) if e.holds is False]
        assert len(false) == (variant.kind is DefectKind.WRONG)
        edges = dependencies(chain, questions[variant.problem_id])
        where = variant.location
        if variant.kind is DefectKind.MISSING:
            assert fits(edges, where[0]) == [where[0]]
        if variant.kind is DefectKind.SWAPPED:
            assert where[0] in links(chain, questions[variant.problem_id])[where[1]]
        if variant.kind is DefectKind.REPEATED:
            assert variant.after in variant.steps[: variant.location[0]]
    names = [v.variant_id for v in outcome.kept]
    assert len(names) == len(set(names))


def test_the_five_kinds_are_registered() -> None:
    assert {defect.kind for defect in DEFECTS} == set(DefectKind)


def test_a_word_problem_gets_one_variant_of_each_kind() -> None:
    outcome = made(eggs())
    check(outcome, [eggs()])
    assert {v.kind for v in outcome.kept} == set(DefectKind)


def test_a_redundant_step_is_in_the_language_of_the_problem() -> None:
    problem = make_problem(
        "own/p", "小明有24个苹果和7个梨。", "24-6=18（个）\n18×2=36（个）\n36÷4=9（个）", language="zh"
    )
    (variant,) = [v for v in made(problem).kept if v.kind is DefectKind.REDUNDANT]
    assert "24" in variant.after
    assert variant.after[:2] in {"注意", "另外"}


@given(st.integers(0, 9))
def test_the_same_seed_gives_the_same_variants(seed: int) -> None:
    first, second = made(eggs(), circle(), seed=seed), made(eggs(), circle(), seed=seed)
    assert first == second
    check(first, [eggs(), circle()])


def test_other_seeds_give_other_variants() -> None:
    found = {v.steps for seed in range(12) for v in made(eggs(), seed=seed).kept if v.kind is DefectKind.WRONG}
    assert len(found) > 3


@pytest.mark.parametrize(
    ("solution", "reason"),
    [
        (None, Reason.NO_SOLUTION),
        ("3 + 4 = 7\n7 * 2 = 14", Reason.TOO_FEW_STEPS),
        ("3 + 4 = 8\n8 * 2 = 16\n16 - 1 = 15", Reason.CHAIN_HAS_WRONG_EQUATION),
        ("3 + 4 = 7\nAH = 2 + x - 5 = x - 2\n7 * 2 = 14", Reason.CHAIN_HAS_WRONG_EQUATION),
        ("3 + 4 = 7\n3 + 4 = 7\n7 * 2 = 14", Reason.NO_VALID_VARIANT),
    ],
)
def test_an_unfit_chain_gives_no_variant(solution: str | None, reason: Reason) -> None:
    outcome = made(make_problem("own/p", "q", solution))
    assert not outcome.kept
    assert [r.reason for r in outcome.rejections] == [reason]


@given(solutions, st.integers(0, 3))
def test_every_variant_of_any_solution_has_exactly_its_defect(solution: str, seed: int) -> None:
    problems = [
        make_problem("own/a", "有5个和40个，△ABC", solution, language="zh"),
        make_problem("own/b", "5, 40", solution),
    ]
    check(made(*problems, seed=seed), problems)


def test_every_variant_of_real_chains_has_exactly_its_defect() -> None:
    problems = [*geolaux()[::2], *gsm8k()[:40]]
    outcome = made(*problems, seed=7)
    check(outcome, problems)
    assert {v.kind for v in outcome.kept if v.problem_id.startswith("geolaux")} == set(DefectKind)


SOUND = ("24 - 6 = 18 eggs", "18 * 2 = 36 dollars", "36 * 5 = 180 dollars")


@pytest.mark.parametrize(
    ("kind", "changed", "location"),
    [
        (DefectKind.WRONG, SOUND, (0,)),
        (DefectKind.WRONG, ("24 - 6 = 19 eggs", "18 * 2 = 37 dollars", SOUND[2]), (0,)),
        (DefectKind.WRONG, ("24 - 6 = 19 birds", SOUND[1], SOUND[2]), (0,)),
        (DefectKind.WRONG, ("20 - 2 = 18 eggs", SOUND[1], SOUND[2]), (0,)),
        (DefectKind.REDUNDANT, (SOUND[0], "3 + 4 = 8", *SOUND[1:]), (1,)),
        (DefectKind.REDUNDANT, (SOUND[0], "30 + 6 = 36", *SOUND[1:]), (1,)),
        (DefectKind.REDUNDANT, (SOUND[0], "Hens are birds.", *SOUND[1:]), (1,)),
        (DefectKind.REPEATED, (*SOUND, "36 * 5 = 180 birds"), (3,)),
        (DefectKind.MISSING, SOUND[:2], (2,)),
        (DefectKind.SWAPPED, (SOUND[2], SOUND[1], SOUND[0]), (0, 2)),
        (DefectKind.SWAPPED, (SOUND[1], SOUND[0], SOUND[2]), (0, 2)),
    ],
)
def test_a_chain_without_just_this_defect_is_not_proved(
    kind: DefectKind, changed: tuple[str, ...], location: tuple[int, ...]
) -> None:
    assert verified_by(kind, SOUND, changed, location, "24 hens") is None


def test_an_angle_sum_is_only_true_of_a_triangle_that_the_question_names() -> None:
    chain = ["∵AB=AC，∴∠B=∠C。", "∵EA=EC，∴BD=CE。", "∴AD=AE。"]
    text = "在△ABC中，∠BAC+∠ABC+∠ACB=180°。"
    changed = [chain[0], text, *chain[1:]]
    assert verified_by(DefectKind.REDUNDANT, chain, changed, (1,), "如图，△ABC中，AB=AC") == "angle_sum_and_unused"
    assert verified_by(DefectKind.REDUNDANT, chain, changed, (1,), "如图，△ABD中，AB=AC") is None
    assert (
        verified_by(DefectKind.REDUNDANT, chain, [chain[0], text.replace("∠ACB", "∠ABC"), *chain[1:]], (1,), "△ABC")
        is None
    )


def test_the_missing_step_could_stand_in_one_place_only() -> None:
    steps = [
        "5 * 3 = 15 pens",
        "8 * 4 = 32 cups",
        "15 + 32 = 47 things",
        "47 * 3 = 141 dollars",
        "141 - 9 = 132 dollars",
    ]
    proofs = [
        verified_by(DefectKind.MISSING, steps, steps[:i] + steps[i + 1 :], (i,), "prices, 9 dollars") for i in range(5)
    ]
    assert proofs == [None, None, "dependent_step", "dependent_step", None]


def test_swapped_steps_can_be_put_right_by_one_exchange_only() -> None:
    steps = ["8 * 4 = 32 cups", "5 * 3 = 15 pens", "15 * 3 = 45 dollars", "45 + 32 = 77 dollars"]
    other = [steps[0], steps[2], steps[1], steps[3]]  # so can an exchange of the first and third
    assert verified_by(DefectKind.SWAPPED, steps, other, (1, 2), "prices") is None
    chain = ["24 - 6 = 18 eggs", "18 * 3 = 54 dollars", "54 * 5 = 270 dollars"]
    swapped = [chain[1], chain[0], chain[2]]
    assert verified_by(DefectKind.SWAPPED, chain, swapped, (0, 1), "24 hens") == "dependent_pair"


def test_a_step_without_content_is_not_repeated() -> None:
    steps = ["(1)", "24 - 6 = 18 eggs", "18 * 3 = 54 dollars"]
    assert verified_by(DefectKind.REPEATED, steps, ["(1)", "(1)", *steps[1:]], (1,), "24 hens") is None
    problem = make_problem("own/p", "24 hens", "Yes indeed.\n24 - 6 = 18 eggs\n18 * 3 = 54 dollars\n54 + 1 = 55")
    copies = [v.after for seed in range(9) for v in made(problem, seed=seed).kept if v.kind is DefectKind.REPEATED]
    assert copies
    assert "Yes indeed." not in copies
