"""Stage trajectories: plan, actions and feedback of the reference solver (AgenticMathBench, section 2.1.2)."""

import re
from collections.abc import Callable, Sequence

from stepforge.arithmetic import Equation, equations, value
from stepforge.outcome import Outcome, Tick, no_tick, not_applicable
from stepforge.records import Action, Answer, Choice, PlanItem, Problem, Rejection, Step, Trajectory
from stepforge.steps.chains import by_problem, first_path
from stepforge.steps.describe import blanked, sub_goal
from stepforge.steps.facts import numbers
from stepforge.steps.text import clean, one_line
from stepforge.vocabulary import AnswerKind, Capability, CheckVerdict, EquivalenceVerdict, Method, Reason

STAGE = "trajectories"
SOLVER = "reference"
TOOL = "exact_arithmetic"
MAX_ANSWER_CHARS = 60  # a longer phrase explains something

Equal = Callable[[Answer, str, tuple[Choice, ...]], EquivalenceVerdict]  # reference, final answer, options

_PHRASE = re.compile(
    r"(?:故答案[为是]|故填|答案[为是]|####|[Tt]he (?:final |correct )?answer is)"
    r"[ \t]*[:：]?[ \t]*([^\s:：][^\n]{0,199})"
)
_LETTER = re.compile(
    r"(?:故?选择?|故?答案[为是]?|(?:answer|choice|option)(?: is)?|choose|select)[ \t]{0,4}[:：]?\s{0,4}[$(（]{0,2}"
    r"(?:\\mathrm\{)?([A-H])(?![A-Za-z=0-9])"
)
_WHOLE = re.compile(r"-?(?:\d{1,3}(?:,\d{3}){1,5}|\d{1,18})")
_VALUE = re.compile(r"-?[0-9√π.][0-9√π.,/°]*")
_FORMULA = re.compile(r"(?:\\[A-Za-z]+|[^\\A-Za-z\u4e00-\u9fff]|(?<![A-Za-z])[A-Za-z](?![A-Za-z])){1,80}")
_OF = {
    EquivalenceVerdict.EQUAL: CheckVerdict.RIGHT,
    EquivalenceVerdict.DIFFERENT: CheckVerdict.WRONG,
    EquivalenceVerdict.UNDECIDED: CheckVerdict.UNDECIDED,
}


def trajectories(
    problems: Sequence[Problem], steps: Sequence[Step], *, seed: int, equal: Equal, tick: Tick = no_tick
) -> Outcome[Trajectory]:
    """The first reference path as a trajectory: a plan of (capability, sub-goal), one action a step whose arithmetic
    the exact tool checks again, feedback, and the final answer compared with the reference by `equal`.  By problem;
    input ids: problem ids.  Limit: a step without arithmetic stays undecided; no step is judged for its logic."""
    chains = by_problem(steps)
    kept: list[Trajectory] = []
    rejections: list[Rejection] = []
    for problem in problems:
        chain = first_path(chains, problem.problem_id)
        if chain:
            kept.append(_trajectory(problem, chain, seed, equal))
        else:
            why = f"{problem.problem_id}: it has no steps to act out; see stage solution_steps"
            rejections.append(not_applicable(STAGE, problem.problem_id, Reason.NO_SOLUTION, why))
        tick(1)
    return Outcome(kept, rejections, [problem.problem_id for problem in problems])


def _trajectory(problem: Problem, chain: Sequence[Step], seed: int, equal: Equal) -> Trajectory:
    actions = tuple(_action(step) for step in chain)
    final, stated = final_answer(problem, chain)
    verdict = _verdict(problem, final, equal, stated=stated)
    return Trajectory(
        trajectory_id=f"{problem.problem_id}:{SOLVER}:{seed}",
        problem_id=problem.problem_id,
        solver=SOLVER,
        seed=seed,
        plan=tuple(PlanItem(capability=step.capability, sub_goal=_sub_goal(step, problem.language)) for step in chain),
        actions=actions,
        feedback=(*_feedback(actions), f"final answer {final}: {verdict.value}"),
        final_answer=final,
        verdict=verdict,
        method=Method.RULES,
    )


def _verdict(problem: Problem, final: str | None, equal: Equal, *, stated: bool) -> CheckVerdict:
    """The final answer against the reference.  An answer that was only guessed from the last step is wrong if both are
    whole numbers and the reference's stands nowhere in the solution; otherwise the guess may be at fault, and it is
    undecided."""
    if problem.answer is None or final is None:
        return CheckVerdict.UNDECIDED
    verdict = _OF[equal(problem.answer, final, problem.choices)]
    if verdict is CheckVerdict.WRONG and not stated:
        reference = _bare(problem.answer.text.replace("$", ""))
        guessed = _bare(final.replace("$", ""))
        if not (_WHOLE.fullmatch(reference) and _WHOLE.fullmatch(guessed)):
            return CheckVerdict.UNDECIDED
        solution = "".join((problem.solution or "").split()).replace("$", "")
        if reference in solution or value(reference) in numbers(solution):
            return CheckVerdict.UNDECIDED
    return verdict


def _sub_goal(step: Step, language: str) -> str:
    blank = blanked(step.text)
    if step.capability is not Capability.CALCULATION or "□" not in blank:
        return sub_goal(step.text, language)
    return f"求□：{blank}" if language == "zh" else f"Find □: {blank}"


def _checked(text: str) -> list[Equation]:
    """Arithmetic equations of a step, a marked one and the sentence around it counted once."""
    every = [equation for equation in equations(text) if value(equation.lhs) is not None and equation.rhs.strip()]
    marked = [equation for equation in every if equation.marked]
    apart = [e for e in every if not e.marked and not any(e.start <= m.start and m.end <= e.end for m in marked)]
    known = {(e.lhs, e.rhs) for e in marked}
    return sorted([*marked, *(e for e in apart if (e.lhs, e.rhs) not in known)], key=lambda e: (e.start, e.end))


def _action(step: Step) -> Action:
    found = [equation for equation in _checked(step.text) if value(equation.rhs) is not None]
    verdict = CheckVerdict.UNDECIDED
    if any(equation.holds is False for equation in found):
        verdict = CheckVerdict.WRONG
    elif found and all(equation.holds for equation in found):
        verdict = CheckVerdict.RIGHT
    return Action(
        index=step.index,
        capability=step.capability,
        text=clean(step.text),
        tool=TOOL if found else None,
        tool_input="; ".join(f"{one_line(e.lhs)} = {one_line(e.rhs)}" for e in found) or None,
        observation="; ".join(str(value(e.lhs)) for e in found) or None,
        verdict=verdict,
    )


def _feedback(actions: Sequence[Action]) -> list[str]:
    """One line for each step that the tool judged."""
    return [
        f"step {action.index}: {action.tool_input} is {action.verdict.value}; the left side is {action.observation}"
        for action in actions
        if action.tool is not None
    ]


def final_answer(problem: Problem, chain: Sequence[Step]) -> tuple[str | None, bool]:
    """What the solution ends on, and whether it says so itself: its last box; else, for a choice, the letter it names;
    else its answer phrase.  Not said so: the last value that its last step states; else the last conclusion."""
    solution = problem.solution or ""
    if boxed := last_box(solution):
        return boxed, True
    if problem.answer is not None and problem.answer.kind is AnswerKind.CHOICE:
        letters = _LETTER.findall(solution)
        if letters:
            return str(letters[-1]), True
    phrases = [phrase for match in _PHRASE.finditer(solution) if _states(phrase := _bare(match.group(1)))]
    if phrases:
        # of several parts, a phrase answers one
        whole = problem.answer is None or problem.answer.kind is not AnswerKind.MULTI_PART
        return phrases[-1], whole
    return _last_value(chain) or (chain[-1].conclusion or None if chain else None), False


def _states(phrase: str) -> bool:
    """Whether what follows "the answer is" is an answer: no lone option letter, no punctuation, no prose."""
    return len(phrase) <= MAX_ANSWER_CHARS and not re.fullmatch("[A-H]", phrase) and any(map(str.isalnum, phrase))


def _bare(text: str) -> str:
    return text.strip(" \t。.；;，,$")


def last_box(text: str) -> str | None:
    """Content of the last `\\boxed{…}`, braces matched."""
    start = text.rfind("\\boxed{")
    if start < 0:
        return None
    depth = 0
    for at in range(start + 6, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return text[start + 7 : at].strip() or None
    return None


def _last_value(chain: Sequence[Step]) -> str | None:
    """The right side of the last equation of the last step, else the last number or root that it writes."""
    last = clean(chain[-1].text) if chain else ""
    tail = _bare(re.split("[=＝]", last)[-1]) if re.search("[=＝]", last) else ""
    if _FORMULA.fullmatch(tail):
        return tail
    stated = equations(last)
    if stated and value(stated[-1].rhs) is not None:
        return _bare(stated[-1].rhs)
    found = [text for match in _VALUE.finditer(tail or last) if (text := match.group().strip(".,/"))]
    return found[0 if tail else -1] if found else None
