"""Stage auxiliary_lines: the constructions that a geometry solution adds to its figure (GeoLaux, section 3)."""

import re
from collections.abc import Sequence

from stepforge.outcome import Outcome, Tick, no_tick, not_applicable
from stepforge.records import AuxiliaryLine, Problem, Rejection, Step
from stepforge.steps.chains import by_problem, first_path
from stepforge.steps.facts import is_geometric
from stepforge.steps.text import one_line
from stepforge.vocabulary import Complexity, Method, Reason

STAGE = "auxiliary_lines"

_UP_TO = r"[^，。；;\n∵∴]"
_CHINESE = re.compile(
    r"(?:辅助线[:：]+)?(?:分别)?(?:连[接结]?[ ]?(?=[A-Z])"
    rf"|过(?:点)?[ ]?[A-Z]{_UP_TO}{{0,24}}作"
    rf"|作{_UP_TO}{{0,16}}(?:⊥|∥|//|直径|垂线|平行线|高|平分线|垂足)"
    rf"|(?:反向)?延长[ ]?[A-Z]|取{_UP_TO}{{0,14}}中点|(?:在{_UP_TO}{{0,10}}上)?截取)[^。；;\n∵∴]{{0,80}}"
)
_ENGLISH = re.compile(
    r"\b(?:[Cc]onnect(?:ing)?|[Jj]oin(?:ing)?|[Dd]raw(?:ing)?|[Ee]xtend(?:ing)?|[Cc]onstruct(?:ing)?)\b[^.;\n]{0,200}"
)
_POINTS = re.compile(r"[A-Z][ ]?[A-Z]")
_COMPLEX = re.compile(
    r"⊥|∥|//|\\perp|\\parallel|延长|取|截取|垂|平行|中点|直径|平分|作"
    r"|\b(?:[Ee]xtend|[Cc]onstruct|perpendicular|parallel|midpoint|circle|bisector|intersect|tangent)"
)
_GEOMETRY_WORDS = re.compile(
    r"\b(?:triangle|angle|circle|quadrilateral|parallelogram|rectangle|square|tangent)\b|三角形|四边形|圆|∠"
)


def auxiliary_lines(problems: Sequence[Problem], steps: Sequence[Step], tick: Tick = no_tick) -> Outcome[AuxiliaryLine]:
    """Auxiliary constructions, by problem and index: the source's own annotation where it has one, else those found by
    their verbs (连接, 延长, 过…作, 取…中点, connect, draw, extend) in the first reference path.  simple: joins points
    only; complex: makes new points, perpendiculars, parallels, circles.  Input ids: problem ids.
    Limit: a construction already given in the question and only retold is counted where the wording differs."""
    chains = by_problem(steps)
    kept: list[AuxiliaryLine] = []
    rejections: list[Rejection] = []
    for problem in problems:
        rows = _annotated(problem) or _detected(problem, first_path(chains, problem.problem_id))
        kept += rows
        if not rows:
            why = f"{problem.problem_id}: neither the source nor the solution's wording has an auxiliary construction"
            rejections.append(not_applicable(STAGE, problem.problem_id, Reason.NO_AUXILIARY_LINE, why))
        tick(1)
    return Outcome(kept, rejections, [problem.problem_id for problem in problems])


def complexity(text: str) -> Complexity:
    """simple if the construction only joins points, else complex."""
    return Complexity.COMPLEX if _COMPLEX.search(text) else Complexity.SIMPLE


def _annotated(problem: Problem) -> list[AuxiliaryLine]:
    if not problem.auxiliary_text or not problem.auxiliary_text.strip():
        return []
    text = problem.auxiliary_text.strip()
    kind = problem.auxiliary_complexity or complexity(text)
    return [_row(problem, 0, text, kind, Method.SOURCE)]


def _row(problem: Problem, index: int, text: str, kind: Complexity, method: Method) -> AuxiliaryLine:
    image = problem.auxiliary_image if index == 0 else None
    return AuxiliaryLine(
        problem_id=problem.problem_id, index=index, text=text, complexity=kind, image=image, method=method
    )


def _detected(problem: Problem, chain: Sequence[Step]) -> list[AuxiliaryLine]:
    if not (is_geometric(problem.question) or _GEOMETRY_WORDS.search(problem.question)):
        return []
    given = re.sub(r"\s", "", problem.question)
    pattern = _CHINESE if problem.language == "zh" else _ENGLISH
    found: list[str] = []
    for step in chain:
        for match in pattern.finditer(one_line(step.text)):
            text = re.sub(r"^辅助线[:：]+", "", match.group()).strip(" ，,、:：。")
            if _POINTS.search(text) and re.sub(r"\s", "", text) not in given and text not in found:
                found.append(text)
    return [_row(problem, i, text, complexity(text), Method.RULES) for i, text in enumerate(found)]
