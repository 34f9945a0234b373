"""The rules in the order in which they are tried: each is a reason of its own."""

import re
from collections.abc import Callable
from typing import NamedTuple

from stepforge.records import ImageRef, Problem
from stepforge.vocabulary import AnswerKind, Disposition, ProblemType, Reason

MIN_SIDE_PX = 32
MIN_INK_SHARE = 0.0005  # below this a figure is a blank sheet
MIN_SHARPNESS = 5.0  # variance of the Laplacian at 512 px: the least of 730 published figures measured has 8.4
MIN_OCR_CONFIDENCE = 0.6

MARK = re.compile(r"<image_(\d{1,3})>")


class Finding(NamedTuple):
    """Why a problem is not selected."""

    reason: Reason
    detail: str
    evidence: str = ""
    disposition: Disposition = Disposition.DROPPED


Check = Callable[[Problem], Finding | None]


def _has_answer(problem: Problem) -> Finding | None:
    if problem.problem_type in (ProblemType.PROOF, ProblemType.STATEMENT):
        return None
    if problem.answer is None or not (problem.answer.text or problem.answer.parts):
        return Finding(Reason.MISSING_ANSWER, "'answer' is empty; add it or drop the row", problem.question)
    return None


def _answer_is_a_choice(problem: Problem) -> Finding | None:
    answer = problem.answer
    asked = problem.problem_type is ProblemType.CHOICE or (answer is not None and answer.kind is AnswerKind.CHOICE)
    if answer is None or not asked or not problem.choices:
        return None
    labels = [choice.label for choice in problem.choices]
    if answer.text in (labels if answer.kind is AnswerKind.CHOICE else [choice.text for choice in problem.choices]):
        return None
    detail = (
        f"the answer {answer.text[:40]!r} is none of the options {', '.join(labels)}; mend the answer or the options"
    )
    return Finding(Reason.ANSWER_NOT_AMONG_CHOICES, detail, problem.question)


def _image_marks(problem: Problem) -> Finding | None:
    texts = [problem.question, *(choice.text for choice in problem.choices)]
    named = sorted({int(k) for text in texts for k in MARK.findall(text)})
    given = list(range(1, len(problem.images) + 1))
    if named == given:
        return None
    detail = (
        f"the text names images {named or 'none'}, the record gives {len(problem.images)}; mend the marks or 'images'"
    )
    return Finding(Reason.IMAGE_COUNT_MISMATCH, detail, problem.question)


def _ocr_confidence(problem: Problem) -> Finding | None:
    confidence = problem.provenance.confidence
    if confidence is None or confidence >= MIN_OCR_CONFIDENCE:
        return None
    detail = f"mean OCR confidence {confidence:.2f} is below {MIN_OCR_CONFIDENCE}; scan the page again or type it in"
    return Finding(Reason.LOW_OCR_CONFIDENCE, detail, problem.question, Disposition.QUARANTINED)


def _missing(image: ImageRef) -> Finding | None:
    if image.sha256 is not None:
        return None
    detail = f"the file {image.name[:120]!r} was not delivered; add it, or ingest with --allow-missing-images"
    return Finding(Reason.MISSING_IMAGE, detail)


def _corrupt(image: ImageRef) -> Finding | None:
    if image.error is None:
        return None
    return Finding(
        Reason.CORRUPT_IMAGE, f"{image.name[:120]!r} cannot be read as an image ({image.error}); deliver it again"
    )


def _tiny(image: ImageRef) -> Finding | None:
    if min(image.width_px or 0, image.height_px or 0) >= MIN_SIDE_PX:
        return None
    return Finding(
        Reason.TINY_IMAGE, f"{image.name[:120]!r} is {image.width_px}x{image.height_px} px; {MIN_SIDE_PX} at least"
    )


def _blank(image: ImageRef) -> Finding | None:
    if image.ink_share is None or image.ink_share >= MIN_INK_SHARE:
        return None
    return Finding(Reason.BLANK_IMAGE, f"{image.name[:120]!r} shows nothing (ink share {image.ink_share:.5f})")


def _blurred(image: ImageRef) -> Finding | None:
    if image.sharpness is None or image.sharpness >= MIN_SHARPNESS:
        return None
    detail = (
        f"{image.name[:120]!r} is blurred (sharpness {image.sharpness:.1f}, {MIN_SHARPNESS:g} at least); scan it again"
    )
    return Finding(Reason.BLURRED_IMAGE, detail)


RULES: tuple[Check, ...] = (_has_answer, _answer_is_a_choice, _image_marks, _ocr_confidence)
IMAGE_RULES: tuple[Callable[[ImageRef], Finding | None], ...] = (_missing, _corrupt, _tiny, _blank, _blurred)


def finding_of(problem: Problem) -> Finding | None:
    """The first rule that the problem breaks, or None."""
    for rule in RULES:
        if (found := rule(problem)) is not None:
            return found
    if problem.figures_missing:
        return None  # its text alone is used, on the user's word
    for image in problem.images:
        for image_rule in IMAGE_RULES:
            if (found := image_rule(image)) is not None:
                return found
    return None
