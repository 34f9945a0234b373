"""The subject: MV-MATH's eleven (section 3.1 and appendix A.5).

By rules: weighted words of question and solution, English and Chinese, with the number of images and whether they are
the options; the subject with the most weight.  No word, no subject.
"""

import re

from stepforge.labels._base import LABELS, Label, member_of
from stepforge.labels._subject_weights import ALWAYS, IMAGE_OPTIONS, ONE_IMAGE, SEVERAL_IMAGES, SUBJECTS, WORDS
from stepforge.labels._texts import image_options, spaced
from stepforge.records import Problem
from stepforge.vocabulary import Subject

_SUM = re.compile(r"(?:what is|calculate|compute|work out|evaluate)?[\s\d.,$()\-+*/×÷=?^]+", re.IGNORECASE)

MAX_CHARS = 3000  # read of question and solution each: the first words tell the subject

_WORDS = tuple((tuple(words.split(",")), weights) for words, weights in WORDS)


def subject_of(question: str, solution: str = "", images: int = 0) -> Subject | None:
    """The subject of most weight; None if no word speaks for any.  A word of the question counts twice one of the
    solution alone."""
    asked = spaced(question[:MAX_CHARS])
    text, end = asked + spaced(solution[:MAX_CHARS]), len(asked)
    totals = [2 * weight for weight in ALWAYS]
    heard = False
    for words, weights in _WORDS:
        times = 0
        for word in words:
            at = text.find(word)
            if 0 <= at < end:
                times = 2
                break
            times = 1 if at >= 0 else times
        if times:
            heard = True
            totals = [total + times * weight for total, weight in zip(totals, weights, strict=True)]
    if not heard:
        return Subject.ARITHMETIC if _SUM.fullmatch(question) and any(c.isdigit() for c in question) else None
    structure = [ONE_IMAGE] if images == 1 else [SEVERAL_IMAGES] if images > 1 else []
    structure += [IMAGE_OPTIONS] if image_options(question) >= 2 else []
    for weights in structure:
        totals = [total + 2 * weight for total, weight in zip(totals, weights, strict=True)]
    return SUBJECTS[totals.index(max(totals))]


def _by_rules(problem: Problem, _levels: object) -> tuple[str, ...]:
    found = subject_of(problem.question, problem.solution or "", len(problem.images))
    return (found,) if found else ()


LABELS.register(
    Label(
        name="subject",
        attribute="subject",
        stated=lambda problem: (problem.subject,) if problem.subject else (),
        by_rules=_by_rules,
        known=member_of(SUBJECTS),
        value=lambda said: said[0],
    )
)
