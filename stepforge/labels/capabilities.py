"""The atomic capabilities that a complete solution needs (AgenticMathBench, appendix B and C.3): several of ten.

By rules, each from signs in question, solution and figures; symbol recognition only where the answer is what an image
of writing says, and self-reflection only where the solution checks or rejects.  The paper's annotators mark what is
genuinely required; the rules mark what can be seen to be used.
"""

import re

from stepforge.labels._base import LABELS, Label, member_of
from stepforge.records import Problem
from stepforge.vocabulary import AnswerKind, Capability, ProblemType

MAX_CHARS = 8000

_TRANSCRIBE = re.compile(
    r"\b(?:transcribe|handwritten|recogni[sz]e the (?:formula|expression)|write (?:it |this )?in latex)\b|手写", re.I
)
_CONCEPT = re.compile(
    r"\b(?:by definition|definition of|is called|is defined|concept of|propert(?:y|ies) of"
    r"|which of the following (?:statements|is (?:a|an|not))"
    r"|true or false|classif)|定义|概念|性质|下列说法|下列命题",
    re.I,
)
_CALCULATES = re.compile(
    r"\d\s*(?:[-+*/×÷^]|\\(?:times|cdot|div|frac|sqrt))[^=\n]{0,60}=|=\s*-?\$?\\?d?\d|\\frac\{\d|\d\s*%"
)
_FIGURE = re.compile(
    r"\[asy\]|\\triangle|\\angle|△|∠|⊙|\b(?:triangle|quadrilateral|rectangle|circle|square|polygon"
    r"|cube|prism|pyramid|cylinder|cone|sphere"
    r"|parallelogram|trapezoid|rhombus|hexagon|diagonal|perpendicular|parallel|coordinate plane|views?|net)\b"
    r"|三角形|四边形|矩形|正方形|圆|棱|视图|折叠|旋转|平行|垂直",
    re.I,
)
_FORMAL = re.compile(r"\b(?:lean ?4?|isabelle|coq|formali[sz]e)\b|形式化", re.I)
_DEDUCES = re.compile(
    r"\\(?:therefore|because|implies|Rightarrow)|[∴∵⇒]|\b(?:therefore|hence|thus|because|since"
    r"|it follows|contradiction|induction|suppose"
    r"|without loss of generality|in (?:either|each|both) cases?|pattern)\b|所以|因此|因为|假设|归纳|矛盾|规律",
    re.I,
)
_STORY = re.compile(
    r"\b(?:he|she|they|his|her|each (?:day|week|person|box|bag)|buys?|bought|sells?|sold|costs?|pays?"
    r"|paid|earns?|travels?|drives?|works?"
    r"|workers?|students?|people|farmer|shop|store|company|factory|tickets?|dollars?|miles per hour"
    r"|kilometers?|speed|profit|price)\b"
    r"|\\\$|元|千米|每[天小件个]|小[明华红刚]|商店|工厂|学生|售价|利润",
    re.I,
)
_SETS_UP = re.compile(
    r"\blet\b[^.\n]{1,40}\b(?:be|denote|represent)\b|\bset up\b|设[^，。\n]{1,30}[为=]|列(?:方程|不等式)", re.I
)
_THEOREM = re.compile(
    r"\b(?:theorem|lemma|formula|inequality|law of (?:sines|cosines)|identity|criterion|rule"
    r"|postulate|vieta|pythagorean|cauchy|am-gm"
    r"|fermat|euler|chinese remainder|pigeonhole|bayes|power of a point|\(?(?:sas|asa|aas|sss|hl)\)?)\b"
    r"|定理|公式|勾股|判定|\((?:SAS|ASA|AAS|SSS|HL)\)|推论|公理|[≌∽]|\\cong|\\sim",
    re.I,
)
_CHECKS = re.compile(
    r"\b(?:check(?:ing)?|verif(?:y|ies|ying)|extraneous|discard(?:ed)?|reject(?:ed)?|does not satisfy"
    r"|we made an error|plug(?:ging)? back)\b"
    r"|检验|验证|舍去|不合题意|不符合",
    re.I,
)
_NEW = re.compile(
    r"\b(?:new (?:operation|definition|type of|concept)|we define|is defined (?:as|by)|define (?:the"
    r"|a|an)|we call|we say that|let us call"
    r"|for example[^.]{0,80}(?:then|so)|read(?:ing)? (?:the )?(?:following )?material)\b|新运算|新定义|定义一种"
    r"|规定|阅读材料|我们[称把定]|叫做",
    re.I,
)


def capabilities_of(problem: Problem) -> tuple[Capability, ...]:
    """The capabilities that can be seen to be needed, in the order of the paper; none where there is nothing to see."""
    question, solution = problem.question[:MAX_CHARS], (problem.solution or "")[:MAX_CHARS]
    both = f"{question}\n{solution}"
    number = problem.answer is not None and problem.answer.kind is AnswerKind.NUMBER
    proof = problem.problem_type in (ProblemType.PROOF, ProblemType.STATEMENT)
    story = _STORY.search(question) is not None and _FIGURE.search(question) is None
    signs = {
        Capability.SYMBOL_RECOGNITION: bool(problem.images) and _TRANSCRIBE.search(question) is not None,
        Capability.CONCEPT_UNDERSTANDING: _CONCEPT.search(both) is not None,
        Capability.CALCULATION: not proof and (number or _CALCULATES.search(solution) is not None),
        Capability.SPATIAL_PERCEPTION: bool(problem.images) or len(_FIGURE.findall(question)) >= 2,
        Capability.FORMALIZATION: problem.lean_statement is not None or _FORMAL.search(question) is not None,
        Capability.DEDUCTIVE_INDUCTIVE_REASONING: proof or len(_DEDUCES.findall(solution)) >= 2,
        Capability.MODELING: story or _SETS_UP.search(solution) is not None,
        Capability.THEOREM_APPLICATION: _THEOREM.search(solution) is not None,
        Capability.SELF_REFLECTION: _CHECKS.search(solution) is not None,
        Capability.NEW_KNOWLEDGE_LEARNING: _NEW.search(question) is not None,
    }
    return tuple(capability for capability in Capability if signs[capability])


LABELS.register(
    Label(
        name="capability",
        attribute="capabilities",
        stated=lambda problem: problem.capabilities,
        by_rules=lambda problem, _levels: capabilities_of(problem),
        known=member_of(tuple(Capability)),
        value=lambda said: tuple(Capability(one) for one in said),
        many=True,
    )
)
