"""Stage variants: for each sound chain up to one perturbed chain a defect kind, each proved before it leaves."""

from collections.abc import Sequence
from random import Random

from stepforge.arithmetic import contradictions, equations
from stepforge.outcome import Outcome, Tick, no_tick, not_applicable
from stepforge.records import Problem, Rejection, Step, Variant
from stepforge.steps.chains import by_problem, first_path
from stepforge.steps.links import links
from stepforge.steps.text import clean
from stepforge.variants._base import DEFECTS, MOST_TRIES, Chain, Defect
from stepforge.variants.numbering import unnumbered
from stepforge.variants.verify import verified_by
from stepforge.vocabulary import Method, Reason

STAGE = "variants"
FEWEST_STEPS = 3  # with two, what is missing or exchanged can only be guessed
MOST_STEPS = 400  # the longest reference solution seen has 120; a longer chain is no question to ask


def variants(
    problems: Sequence[Problem], steps: Sequence[Step], *, seed: int, tick: Tick = no_tick
) -> Outcome[Variant]:
    """Chains with exactly one injected defect, by problem and kind (MAMath-Bench, negative samples: wrong, redundant,
    repeated, missing, swapped), made from the first reference path; the same seed gives the same variants.  A chain
    that already states a false equation or repeats a step is not used.  Steps stand without their numbers, which would
    show where the defect is.  Input ids: problem ids.
    Limits: a wrong step is a wrong calculation, so proofs without arithmetic get none; a step is repeated whole."""
    chains = by_problem(steps)
    kept: list[Variant] = []
    rejections: list[Rejection] = []
    for problem in problems:
        chain = first_path(chains, problem.problem_id)
        rejection = _unfit(problem, chain)
        rows = [] if rejection else _of_chain(problem, chain, seed)
        kept += rows
        if rejection is None and not rows:
            why = f"{problem.problem_id}: no defect of any kind could be proved in its chain"
            rejection = not_applicable(STAGE, problem.problem_id, Reason.NO_VALID_VARIANT, why)
        if rejection is not None:
            rejections.append(rejection)
        tick(1)
    return Outcome(kept, rejections, [problem.problem_id for problem in problems])


def _unfit(problem: Problem, chain: Sequence[Step]) -> Rejection | None:
    name = problem.problem_id
    if not chain:
        return not_applicable(STAGE, name, Reason.NO_SOLUTION, f"{name}: it has no steps; see stage solution_steps")
    if len(chain) < FEWEST_STEPS:
        why = f"{name}: its chain has {len(chain)} steps; a variant needs at least {FEWEST_STEPS}"
        return not_applicable(STAGE, name, Reason.TOO_FEW_STEPS, why)
    if len(chain) > MOST_STEPS:
        why = f"{name}: its chain has {len(chain)} steps, more than {MOST_STEPS}; split the solution"
        return not_applicable(STAGE, name, Reason.NO_VALID_VARIANT, why)
    for step in chain:
        wrong = [*(e for e in equations(step.text) if e.holds is False), *contradictions(step.text)]
        false = next(iter(wrong), None)
        if false is not None:
            why = f"{name}: step {step.index} states {false.lhs} = {false.rhs}, which is false; correct the solution"
            return not_applicable(STAGE, name, Reason.CHAIN_HAS_WRONG_EQUATION, why)
    texts = _printed(chain)
    if len(set(texts)) != len(texts):
        why = f"{name}: its chain already repeats a step, so a variant would have two defects; correct the solution"
        return not_applicable(STAGE, name, Reason.NO_VALID_VARIANT, why)
    return None


def _printed(chain: Sequence[Step]) -> tuple[str, ...]:
    return tuple(unnumbered(clean(step.text)) for step in chain)


def _of_chain(problem: Problem, chain: Sequence[Step], seed: int) -> list[Variant]:
    texts = _printed(chain)
    options = tuple(choice.text for choice in problem.choices)
    sound = Chain(problem.question, problem.language, texts, tuple(links(texts, problem.question)), options)
    made = (_one(problem.problem_id, defect, sound, seed) for defect in DEFECTS)
    return [variant for variant in made if variant is not None]


def _one(problem_id: str, defect: Defect, chain: Chain, seed: int) -> Variant | None:
    rng = Random(f"{seed}:{problem_id}:{defect.name}")  # noqa: S311 - repeatable choice, no secret
    for draft in defect.propose(chain, rng)[:MOST_TRIES]:
        proof = verified_by(defect.kind, chain.steps, draft.steps, draft.location, chain.question, chain.options)
        if proof is not None:
            return Variant(
                variant_id=f"{problem_id}:{defect.name}:{seed}",
                problem_id=problem_id,
                kind=defect.kind,
                subtype=draft.subtype,
                seed=seed,
                location=draft.location,
                steps=draft.steps,
                before=draft.before,
                after=draft.after,
                verified_by=proof,
                method=Method.RULES,
            )
    return None
