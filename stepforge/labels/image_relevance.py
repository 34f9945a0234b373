"""Image relevance (MV-MATH, section 3.1 and appendix E): images that depend on each other, or that are read one by one.

By rules: images that are options, all of them, or all but the one that the question is about, are read one by one,
unless the options continue or complete what that one shows (folding, cutting, a pattern, views); images of one text
belong together.
"""

import re

from stepforge.labels._base import LABELS, Label, member_of
from stepforge.labels._texts import image_options
from stepforge.records import Problem
from stepforge.vocabulary import ImageRelevance

_CONTINUES = re.compile(
    r"\b(?:fold|unfold|cut|rotat|translat|flip|revers|pattern|rule|sequence|next|assembl|piec)"
    r"|折|剪|旋转|翻|规律|拼",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"\b(?:following|these|four|three|five|six)\b[^.?\n]{0,60}\b(?:figures|solids|shapes|graphs"
    r"|bodies|objects|projections|diagrams|patterns)\b"
    r"|下列[^。？\n]{0,20}(?:图形|图案|几何体|图象)",
    re.IGNORECASE,
)
_WHICH = re.compile(r"\b(?:which|how many|(?:the )?number of)\b|哪|个数|有几", re.IGNORECASE)


def relevance_of(question: str, images: int) -> ImageRelevance | None:
    """How the images of a question hang together; None with fewer than two."""
    if images < 2:
        return None
    options = image_options(question)
    if options == images >= 3:
        return ImageRelevance.INDEPENDENT
    about = images - options
    if options == 0 and images >= 3 and _COUNTED.search(question) and _WHICH.search(question):
        return ImageRelevance.MUTUALLY_DEPENDENT if _CONTINUES.search(question) else ImageRelevance.INDEPENDENT
    if options >= 3 and about == 1 and not _CONTINUES.search(question):
        return ImageRelevance.INDEPENDENT
    return ImageRelevance.MUTUALLY_DEPENDENT


def _by_rules(problem: Problem, _levels: object) -> tuple[str, ...]:
    marks = sum(f"<image_{k}>" in choice.text for k in range(1, len(problem.images) + 1) for choice in problem.choices)
    question = problem.question
    if marks and image_options(question) == 0:  # options that stand in fields of their own
        question += "".join(f"\n{choice.label}. {choice.text}" for choice in problem.choices)
    found = relevance_of(question, len(problem.images))
    return (found,) if found else ()


LABELS.register(
    Label(
        name="image_relevance",
        attribute="image_relevance",
        stated=lambda problem: (problem.image_relevance,) if problem.image_relevance else (),
        by_rules=_by_rules,
        known=member_of(tuple(ImageRelevance)),
        value=lambda said: ImageRelevance(said[0]),
        applies=lambda problem: len(problem.images) >= 2,
    )
)
