"""MV-MATH: problems with several interleaved images; a JSON array.  Questions are English, or keep their Chinese."""

import re

from stepforge.records import Answer, Choice, Problem
from stepforge.sources import _json
from stepforge.sources._base import SOURCES, Context, RawRecord, Source, build
from stepforge.sources._values import (
    guess_answer,
    list_field,
    one_of,
    optional_text,
    parts_of,
    split_options,
    text_field,
)
from stepforge.vocabulary import AnswerKind, Difficulty, ImageRelevance, ProblemType

LICENCE = "MIT"
_TYPES = {
    "choice": ProblemType.CHOICE,
    "single-step": ProblemType.FREE_FORM,
    "multi-step": ProblemType.MULTI_STEP,
}
_DIFFICULTIES = {"Low": Difficulty.EASY, "Medium": Difficulty.MEDIUM, "High": Difficulty.HARD}
_RELEVANCE = {"1": ImageRelevance.MUTUALLY_DEPENDENT, "0": ImageRelevance.INDEPENDENT}
_SAME = re.compile(r"\\# ?\\#")  # between two ways to write one value
_SLASH = re.compile(r"(?<!/)(?<!/ )/ (?! ?/)")  # so is a lone slash between dollars; `A M / / C B` are parallels


def _recognises(_path: str, head: bytes) -> bool:
    return {"question", "input_image", "answer_type", "image_relavance"} <= _json.keys_in(head)


def _answer(row: dict[str, object], problem_type: ProblemType, choices: tuple[Choice, ...]) -> Answer | None:
    """The typed answer.  A multi-step answer is cut at `(1) … (2) …`; `a \\#\\# b` and `a / b` say one value in two
    ways."""
    text = optional_text(row, "answer")
    if text is None:
        return None
    text = text.strip()
    if problem_type is ProblemType.MULTI_STEP:
        return Answer(kind=AnswerKind.MULTI_PART, text=text, parts=parts_of(text) or (text,))
    if problem_type is ProblemType.CHOICE:
        return Answer(kind=AnswerKind.CHOICE, text=text)
    ways = _SAME.split(text)
    slashed = _SLASH.split(text.replace("$", ""))
    if len(ways) == 1 and "$" in text and len(slashed) == 2 and all(way.strip() for way in slashed):
        ways = slashed
    if len(ways) == 1:
        return guess_answer(text, choices)
    dollars = "$" if ways is not slashed and text.startswith("$") and text.endswith("$") else ""
    first, *others = (f"{dollars}{way.strip().strip('$').strip()}{dollars}" for way in ways)
    guessed = guess_answer(first)
    return guessed and guessed.model_copy(update={"alternatives": tuple(others)})


def _problem(raw: RawRecord, context: Context) -> Problem:
    """The row's problem.  The question keeps its options, which may be images; they are listed as choices too."""
    row = raw.value or {}
    question = text_field(row, "question")
    problem_type = one_of(row, "answer_type", _TYPES)
    choices = split_options(question)[1] if problem_type is ProblemType.CHOICE else ()
    return build(
        "mvmath",
        raw,
        context,
        licence=LICENCE,
        source_id=text_field(row, "problem_id"),
        language="en",
        question=question,
        images=tuple(context.figures(name) for name in list_field(row, "input_image")),
        choices=choices,
        problem_type=problem_type,
        answer=_answer(row, problem_type, choices),
        solution=optional_text(row, "analysis"),
        subject=optional_text(row, "subject"),
        grade=optional_text(row, "grade"),
        difficulty=one_of(row, "difficulty", _DIFFICULTIES),
        image_relevance=one_of(row, "image_relavance", _RELEVANCE),
    )


SOURCES.register(
    Source(
        name="mvmath",
        title="MV-MATH",
        licence=LICENCE,
        url="https://github.com/eternal8080/MV-MATH",
        recognises=_recognises,
        records=_json.records,
        problem=_problem,
        files="`MV-MATH.json`, `MV-MATH-choice.json`, `-freeform`, `-multistep`, with `images/`",
        fields=(
            ("problem_id", "id"),
            ("question", "question; its options are listed too"),
            ("input_image", "figures"),
            ("answer, answer_type", "answer and kind of problem"),
            ("analysis", "solution"),
            ("subject, grade", "subject, grade"),
            ("difficulty", "difficulty: Low, Medium, High are easy, medium, hard"),
            ("image_relavance", "image relevance: 1 mutually dependent, 0 independent"),
            ("is_multi_img", "not read"),
        ),
    )
)
