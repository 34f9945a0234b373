"""Premises, conclusion, capability and sub-goal of one step, from its words."""

import re

from stepforge.arithmetic import equations
from stepforge.steps.facts import is_geometric, plain, split_reason
from stepforge.steps.text import one_line
from stepforge.steps.theorems import named_rule
from stepforge.vocabulary import Capability

_PREMISE = re.compile(r"(?:又)?[ ]?(?:∵|因为|由于)|\b(?:Since|Because|Given that|As)\b")
_REASON_COMMANDS = re.compile(r"\\(therefore|because)\b")
_LEAD = re.compile(
    r"^[\s,，、:：]*(?:[(（]?[0-9]{1,2}[.)）、][ ]?)?"
    r"(?:So|Thus|Hence|Therefore|Then|And|Now|Finally|This means(?: that)?|That means)?"
    r"[\s,，:：]*"
)
_REASON_AFTER = re.compile(r"\b(?:because|since)\b")
_SO = re.compile(r"[,;]? \b(?:so|thus|hence|therefore|which means(?: that)?|it follows that)\b,? ")
_EDGE = " \t,，;；。:：、"
CONSTRUCTION = re.compile(
    r"辅助线|连[接结](?=[A-Z ])|作[^，。；\n]{0,12}[⊥∥]|过(?:点)?[A-Z][^，。；\n]{0,20}作|延长[ ]?[A-Z]"
    r"|取[^，。；\n]{0,12}中点|截取|作[^，。；\n]{0,6}(?:直径|垂线|平行线|高|平分线)"
    r"|\b(?:[Cc]onnect|[Jj]oin|[Dd]raw|[Ee]xtend|[Cc]onstruct)(?:ing)?\b(?=[^.\n]{0,60}[A-Z])"
)
_SPATIAL = re.compile(r"如图|由图|图形|三视图|主视图|俯视图|折叠|旋转|\b(?:figure|diagram|graph|view|picture)\b")
_CHECK = re.compile(
    r"检验|验证|舍去|不合题意|\b(?:check(?:ing)?|verif(?:y|ies)|reject(?:ed)?|extraneous|plug(?:ging)? .{0,20}back)\b",
    re.I,
)
_MODEL = re.compile(
    r"设[^，。\n]{1,30}(?:为|=)|\b[Ll]et\b[^.\n]{1,40}\b(?:be|denote|represent)\b|\bset up\b|\bstand(?:s)? for\b"
)
_FORMAL = re.compile(r"\b(?:formali[sz]e|Lean|theorem statement)\b|形式化")
_SYMBOLS = re.compile(r"\bdenot(?:e|es|ed|ing)\b|\bnotation\b|记作|记为|符号")
_CONCEPT = re.compile(
    r"定义|概念|性质|\bby definition\b|\bdefinition of\b|\bis called\b|\bpropert(?:y|ies)\b|\b(?:is|are) (?:a|an) "
)


def _parts(text: str) -> tuple[str, ...]:
    return tuple(part for piece in _PREMISE.split(text) if (part := piece.strip(_EDGE + ".")))


def premises_and_conclusion(text: str) -> tuple[tuple[str, ...], str]:
    """What the step rests on and what it establishes, as it says so; a step that names no reason has no premises."""
    line = _REASON_COMMANDS.sub(lambda match: "∴" if match.group(1) == "therefore" else "∵", one_line(text))
    before, after = split_reason(line)
    if before.strip(_EDGE) and after.strip(_EDGE):
        return _parts(before), _LEAD.sub("", after).strip(_EDGE)
    line = after if after.strip(_EDGE) else line
    if so := _SO.search(line):
        before, after = line[: so.start()], line[so.end() :]
    elif because := _REASON_AFTER.search(line):
        before, after = line[because.end() :], line[: because.start()]
    elif (opening := _PREMISE.match(line)) and "," in line:
        before, _, after = line[opening.end() :].partition(",")
    else:
        before, after = "", line
    premises, conclusion = _parts(before), _LEAD.sub("", after).strip(_EDGE)
    return (premises, conclusion) if conclusion else ((), line.strip())


def capability(text: str, language: str) -> Capability:
    """The atomic capability that the step exercises most (AgenticMathBench, appendix B), by the first rule that
    applies: checking, modelling, construction or figure, named theorem, arithmetic, notation, concept; else deduction.
    Limit: one step often needs several; new-knowledge learning is never seen in a reference solution."""
    rules = (
        (Capability.SELF_REFLECTION, _CHECK.search(text) is not None),
        (Capability.MODELING, _MODEL.search(text) is not None and not is_geometric(plain(text))),
        (Capability.SPATIAL_PERCEPTION, (CONSTRUCTION.search(text) or _SPATIAL.search(text)) is not None),
        (Capability.FORMALIZATION, _FORMAL.search(text) is not None),
        (Capability.THEOREM_APPLICATION, named_rule(text, language) is not None),
        (Capability.CALCULATION, any(equation.holds is not None for equation in equations(text))),
        (Capability.SYMBOL_RECOGNITION, _SYMBOLS.search(text) is not None),
        (Capability.CONCEPT_UNDERSTANDING, _CONCEPT.search(text) is not None),
    )
    return next((name for name, applies in rules if applies), Capability.DEDUCTIVE_INDUCTIVE_REASONING)


def blanked(text: str) -> str:
    """The statement with the numbers it works out left blank: what is sought, not how much it is."""
    line = one_line(text)
    stated = [equation for equation in equations(line) if equation.holds is not None]
    pieces, at = [], 0
    for equation in stated:
        if equation.end <= at:
            continue
        pieces += [line[at : max(at, equation.start)], "" if equation.start < at else "□"]
        at = equation.end
    return "".join([*pieces, line[at:]]).strip()


_RELATIONS = (
    ("∽", "show that two triangles are similar", "证明两个三角形相似"),
    ("≌", "show that two triangles are congruent", "证明两个三角形全等"),
    ("∥", "show that two lines are parallel", "证明两直线平行"),
    ("⊥", "show that two lines are perpendicular", "证明两直线垂直"),
)
_ACTIONS = (
    (re.compile(r"归纳|\binducti"), "carry out a step of the induction", "进行归纳的一步"),
    (
        re.compile(r"反证|\bcontra(?:dict|ry)"),
        "derive a contradiction from the opposite assumption",
        "由相反的假设导出矛盾",
    ),
    (re.compile(r"情况|\b[Cc]ase\b"), "treat one of the cases", "讨论其中一种情况"),
    (re.compile(r"代入|\b[Ss]ubstitut|\b[Pp]lug"), "substitute into an earlier relation", "代入前面的关系式"),
    (re.compile(r"[≤≥<>]"), "establish a bound", "建立不等关系"),
    (
        re.compile(r"设|\b[Ll]et\b|\b[Dd]efine\b|\b[Cc]onsider\b"),
        "introduce the objects to work with",
        "引入要用的对象",
    ),
    (re.compile(r"[=＝]"), "derive an equality", "导出等量关系"),
)


def sub_goal(text: str, language: str) -> str:
    """What the step is to reach, in one sentence without calculation and without saying that anything is done."""
    sign = plain(text)
    conclusion = split_reason(sign)[1]
    chinese = language == "zh"
    rule = named_rule(text, language)
    angles, equal = re.findall("∠", conclusion), "=" in conclusion
    if CONSTRUCTION.search(text) and "∴" not in sign:
        goal = "作辅助线" if chinese else "draw an auxiliary line"
    elif found := next((r for r in _RELATIONS if r[0] in conclusion), None):
        goal = found[2] if chinese else found[1]
    elif equal and angles:
        goal = "导出角之间的关系" if chinese else "find a relation between angles"
    elif equal and is_geometric(sign) and re.search("[A-Z]{2}", conclusion):
        goal = "导出线段之间的关系" if chinese else "find a relation between lengths"
    else:
        action = next((a for a in _ACTIONS if a[0].search(sign)), None)
        goal = (
            (action[2] if chinese else action[1])
            if action
            else ("推出下一个结论" if chinese else "derive the next claim")
        )
    if chinese:
        return f"利用{rule}{goal}。" if rule else f"{goal}。"
    return f"Use {rule} to {goal}." if rule else f"{goal[0].upper()}{goal[1:]}."
