"""What can be shown wrong without a judge: calculations in a solution's units that do not hold when recomputed.

It shows errors and never that a step is right: a unit's score of 1 means that nothing was shown, and no process metric
is made of it. Limits: the exact arithmetic of `stepforge.arithmetic`; units that calculate in a modulus or another
base, or that assume something in order to refute it, are left out.
"""

import re

from stepforge.arithmetic import Equation, equations
from stepforge.judges import Case, Reading
from stepforge.records import NamedValue
from stepforge.vocabulary import Method, StepError, TaskKind

JUDGE = Method.RULES.value
CHECKED = "equations_checked"
SHOWN = 3  # equations quoted of a unit
MAX_CHARS = 60_000  # of a reply, and of its units together; what follows is not recomputed

_OTHERWISE = re.compile(
    r"\bmod(?:ulo)?\b|\\[bp]?mod|≡|\\equiv|\bbase\b|\bbinary\b|\b(?:suppos|assum|contradict|impossib|absurd|wrong|incorrect)"
    r"|模|进制|假设|假如|反证|矛盾|不可能|错误",
    re.IGNORECASE,
)


def recomputed(case: Case) -> Reading | None:
    """The verdict of the rules: 0 and `calculation` for each unit with an equation that does not hold.  None where no
    equation could be recomputed.  An equation counts only if the reply states it as received, too, since units are
    joined lines.  Linear in the text, of which `MAX_CHARS` are read."""
    if case.task.kind is not TaskKind.SOLVE or not case.judgement.units:
        return None
    stated = {_key(e) for e in equations(case.reply[:MAX_CHARS]) if e.holds is not None}
    checked, read, told, scores = 0, 0, [], []
    for number, unit in enumerate(case.judgement.units, start=1):
        read += len(unit)
        known = [] if read > MAX_CHARS or _OTHERWISE.search(unit) else [e for e in equations(unit) if _key(e) in stated]
        wrong = [f"{e.lhs} = {e.rhs}" for e in known if e.holds is False]
        checked += sum(e.holds is not None for e in known)
        scores.append(int(not wrong))
        if wrong:
            told.append(f"{number}. does not hold: {'; '.join(wrong[:SHOWN])}")
    if not checked:
        return None
    return Reading(
        right=None if all(scores) else False,
        step_scores=tuple(scores),
        error_types=tuple(None if score else StepError.CALCULATION for score in scores),
        values=(NamedValue(name=CHECKED, value=float(checked)),),
        rationale="\n".join(told),
        undecided="what was recomputed holds, which does not show that the steps are right" if all(scores) else None,
    )


def _key(equation: Equation) -> tuple[str, str]:
    return "".join(equation.lhs.split()), "".join(equation.rhs.split())
