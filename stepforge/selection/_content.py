"""Rules about what a problem asks.  Source: AgenticMathBench, appendix C.3: items that are "purely descriptive,
non-mathematical, or excessively dependent on external context" are discarded."""

import re

from stepforge.records import Problem
from stepforge.selection._figures import DRAWN
from stepforge.selection._finding import Check, Finding, Wanted, quoted, scanned
from stepforge.vocabulary import AnswerKind, ProblemType, Reason

_BEFORE = r"(?:previous|preceding|prior|last|earlier|above)"
_ITEM = r"(?:problem|question|exercise|example|part|item|task)"
_ELSEWHERE = re.compile(
    rf"\b(?:in|from|of|to|using|by|see|per|with|after) (?:the |your )?{_BEFORE} {_ITEM}s?\b"
    rf"|\b(?:see|refer to|recall|referring to|(?:solution|answer) (?:to|of)|results? (?:of|from)) {_ITEM} \(?#?\d+"
    rf"|\b{_ITEM} \d+(?:\.\d+)+\b"
    r"|\bin (?:section|chapter|theorem|lemma|proposition|corollary|equation) \(?\d+(?:\.\d+)*\b"
    r"|\b(?:passage|article|story|text|paragraph|reading)(?: given| printed)? above\b"
    r"|\baccording to the (?:passage|article|reading)\b|\b(?:see|refer to) page \d+"
    r"|\bon the (?:opposite|facing|next|previous) page\b"
    r"|[见同由如据][上前]一?[题问]|根据[上前]一?题|(?<!以)[上前]一?题(?:的|中|结论|结果)"
    r"|参?见课本|根据上文|由上文|阅读上文",
    re.IGNORECASE,
)
_TABLE = re.compile(
    r"\b(?:table|chart) (?:below|above|at (?:the )?right|to the right)\b|\b(?:following|accompanying) (?:table|chart)\b"
    r"|\bshown in the (?:table|chart)\b|如[下上右左]?表|[下上右左]表(?:中|所|为|是|可|：|:)",
    re.IGNORECASE,
)
_ROWS = re.compile(  # rows of a table that is written out: columns, lists of numbers, "name: value" lines
    r"(?:\|[^|\n]{0,200}){2}\||\t[^\t\n]{0,200}\t|&[^&\n]{0,200}\\\\|\\hline|(?:[:：][^\n]{0,200}\n){2}"
    r"|(?<!\d)\d{1,9}\s{0,3}[,，;；]\s{0,3}\d{1,9}\s{0,3}[,，;；]\s{0,3}\d|(?<!\d)(?:\d{1,9} {1,5}){3}"
)

_OPINION = re.compile(
    r"\bin your own words\b|\bwhat do you think\b|\byour (?:opinion|view|feelings|experience"
    r"|impression)s?\b|\bdo you (?:like|enjoy)\b"
    r"|\bwrite (?:an essay|a (?:short )?(?:paragraph|story|poem|report|letter))\b"
    r"|\bresearch (?:the (?:history|life)|and report)\b"
    r"|谈谈你|说说你|你的(?:看法|感想|体会|收获|想法)|写一[篇段]|请你谈|有何感想|有什么感想",
    re.IGNORECASE,
)
_TELL = re.compile(
    r"(?:^|[.!?。！？\n]\s*)(?:briefly |please )?(?:describe|discuss|summari[sz]e|introduce|tell (?:us|me) about)\b|"
    r"(?:^|[.!?。！？，,\n]\s*)(?:请?(?:简述|描述|介绍|概括|论述))",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"\?|？|\b(?:find|determine|compute|calculate|evaluate|solve|prove|show that|how many|how much"
    r"|what is|simplify|express|factor"
    r"|write|give|list|construct|draw|graph|state|which)\b|求|证明|计算|解[方不]|化简|多少|几|作图|画",
    re.IGNORECASE,
)

_SIGNS = re.compile(r"[0-9$\\=+<>≤≥≠±×÷√∠△⊥∥⊙°π∞^%²³½⅓¼０-９①-⑳一二三四五六七八九十百千]|<image_")
_VOCABULARY = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand"
    r"|million|half|third|quarter|twice|double"
    r"|triple|number|integer|digit|sum|product|differ|quotient|ratio|percent|fraction|decimal|average"
    r"|mean|median|total|altogether"
    r"|how many|how much|how long|how far|how old|times|equal|equation|function|graph|variable"
    r"|polynomial|matri|vector|group|ring|field"
    r"|set|subset|sequence|series|limit|converg|integral|deriv|continu|theorem|proof|prove|lemma"
    r"|conjecture|axiom|angle|triang|circl|square"
    r"|rectang|polygon|line|point|plane|area|perimet|volume|length|width|height|radius|diamet"
    r"|parallel|perpendic|prime|divis|factor"
    r"|multipl|even|odd|root|power|exponent|logarithm|probab|chance|dice|coin|random|permut|combin"
    r"|arrang|count|order|maxim|minim|least"
    r"|greatest|largest|smallest|more|less|than|fewer|cost|price|speed|distance|hour|minute|day|week"
    r"|month|year|cube|sphere|cone|prism"
    r"|pyramid|symmetr|rotat|reflect|transl|topolog|space|map|kernel|homomorph|isomorph|bound|open"
    r"|closed|compact|metric|norm|basis"
    r"|dimension|linear|rational|real|complex|mathemat|arithmet|algebra|geometr|calcul|puzzle|logic"
    r"|true|false|truth|liar|strategy|game"
    r"|win|board|chess|card|colou?r|tile|grid|pattern|shape|figure|diagram)"
    r"|[数角形边线点面积率比倍和差商方程函图集列质因根圆长宽高径多少几大小等证真假概]",
    re.IGNORECASE,
)
_JUDGED_LANGUAGES = ("en", "zh")  # the words above are of these


def _context(problem: Problem, _wanted: Wanted) -> Finding | None:
    """It cannot be understood without another problem, a text or a table that is not there.  Parts of a composite
    problem come with their group and may point at each other."""
    if problem.lean_statement is not None or problem.problem_type is ProblemType.STATEMENT or problem.group_id:
        return None
    text = scanned(problem)
    found = _ELSEWHERE.search(text)
    if found is not None and not _is_told(text, found):
        detail = f"it points at something outside of it ({quoted(found)}); put that into the question or drop it"
        return Finding(Reason.NEEDS_CONTEXT, detail, problem.question)
    if problem.images or problem.figures_missing:
        return None
    found = _TABLE.search(text)
    if found is not None and not (DRAWN.search(text) or _ROWS.search(text)):
        detail = f"it points at a table that is not there ({quoted(found)}); put it into the question or drop it"
        return Finding(Reason.NEEDS_CONTEXT, detail, problem.question)
    return None


def _is_told(text: str, found: re.Match[str]) -> bool:
    """Whether what is pointed at is a part of this very text: an earlier part of a problem in parts, a passage that
    stands before the words "above"."""
    pointed = found[0].lower()
    if re.search(r"part|问", pointed):
        return re.search(r"[(（][a-d1-4ivx]+[)）]|\bpart [a-d1-4]", text[: found.start()], re.IGNORECASE) is not None
    return "above" in pointed and found.start() > 300


def _descriptive(problem: Problem, _wanted: Wanted) -> Finding | None:
    """It asks for an opinion or an account, and nothing that could be right or wrong."""
    if problem.problem_type in (ProblemType.CHOICE, ProblemType.PROOF, ProblemType.STATEMENT) or problem.choices:
        return None
    answer = problem.answer
    if answer is not None and answer.kind not in (AnswerKind.TEXT, AnswerKind.PROOF_CONDITION):
        return None
    text = scanned(problem)
    found = _OPINION.search(text)
    if found is None and (found := _TELL.search(text)) is not None and _ASKS.search(text):
        found = None
    if found is None:
        return None
    detail = f"it asks for an account or an opinion ({quoted(found)}), which is neither right nor wrong; drop it"
    return Finding(Reason.DESCRIPTIVE, detail, problem.question)


def _not_mathematical(problem: Problem, _wanted: Wanted) -> Finding | None:
    """Neither a number, a sign, a figure nor a word of mathematics in question, options and answer."""
    if problem.lean_statement is not None or problem.images or problem.language not in _JUDGED_LANGUAGES:
        return None
    answer = problem.answer.text if problem.answer is not None else ""
    for text in (scanned(problem), answer, *(choice.text for choice in problem.choices)):
        if _SIGNS.search(text) or _VOCABULARY.search(text):
            return None
    detail = "no number, sign, figure or word of mathematics is in it; drop it"
    return Finding(Reason.NOT_MATHEMATICAL, detail, problem.question)


CONTENT_RULES: tuple[Check, ...] = (_descriptive, _not_mathematical, _context)
