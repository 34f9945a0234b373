"""Rules about figures.  Source: MV-MATH, section 3.2 and appendix F.1, first and third stage."""

import re

from stepforge.records import ImageRef, Problem
from stepforge.selection._finding import MARK, Check, Finding, ImageCheck, Wanted, quoted, scanned, texts
from stepforge.selection._limits import MAX_TEXT_SHARE, MIN_INK_SHARE, MIN_SHARPNESS, MIN_SIDE_PX
from stepforge.vocabulary import Reason

# what stands in the text and is a figure or a table itself
DRAWN = re.compile(
    r"\[asy\]|\\begin\{(?:asy|tikzpicture|picture|tabular|array)\}|\\includegraphics|<svg|</?table"
    r"|^[ \t]*\|.*\|[ \t]*$",
    re.M,
)
_POINTS_AT_ONE = re.compile(
    r"\b(?:as|is|are) (?:shown|given|drawn|depicted|pictured|illustrated) (?:in the|in this|on the) "
    r"(?:figure|diagram|picture|drawing|image|sketch)\b"
    r"|\b(?:figure|diagram|picture|drawing|image|sketch) (?:below|above|shown|at (?:the )?right"
    r"|on the right|to the right)\b"
    r"|\b(?:following|accompanying|adjacent) (?:figure|diagram|picture|drawing|sketch)\b"
    r"|如[下右左上]?图|[下右左上]图[中所为是]|见图|图[中示]所?示",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"\b(?:figures?|fig\.|diagrams?|pictures?)\s?[(（]?([1-9]\d?)\b(?!\s?[.:]\d)|图\s?[(（]?([1-9]\d?)(?!\d)", re.I
)


def _marks(problem: Problem, _wanted: Wanted) -> Finding | None:
    """Marks in question and options against images of the record."""
    named = sorted({int(k) for text in texts(problem) for k in MARK.findall(text)})
    given = list(range(1, len(problem.images) + 1))
    if named == given:
        return None
    detail = (
        f"the text names images {named or 'none'}, the record gives {len(problem.images)}; mend the marks or 'images'"
    )
    return Finding(Reason.IMAGE_COUNT_MISMATCH, detail, problem.question)


def _words(problem: Problem, _wanted: Wanted) -> Finding | None:
    """A figure that the words point at against none that is given, neither as an image nor drawn in the text."""
    if problem.images or problem.figures_missing or problem.lean_statement is not None:
        return None
    text = scanned(problem)
    found = _POINTS_AT_ONE.search(text)
    if found is None or DRAWN.search(text):
        return None
    detail = f"the text points at a figure ({quoted(found)}), the record gives none; add it to 'images'"
    return Finding(Reason.IMAGE_COUNT_MISMATCH, detail, problem.question)


def _numbers(problem: Problem, _wanted: Wanted) -> Finding | None:
    """The figures that the words tell apart by number against the images given: "as shown in figure 4" of three.

    One image may show several figures, so a single one is not counted against; a number out of the row ("figure 10 of
    this pattern", "Figure 11" of a textbook) names no figure of the problem."""
    if len(problem.images) < 2 or problem.figures_missing:
        return None
    numbers = {int(a or b) for a, b in _NUMBERED.findall(scanned(problem))}
    if len(numbers) <= len(problem.images) or max(numbers) != len(numbers):
        return None
    detail = f"the words tell {len(numbers)} figures apart ({sorted(numbers)}), the record gives {len(problem.images)}"
    return Finding(Reason.IMAGE_COUNT_MISMATCH, f"{detail}; add the others to 'images'", problem.question)


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


def _text_filled(image: ImageRef) -> Finding | None:
    if image.text_share is None or image.text_share <= MAX_TEXT_SHARE:
        return None
    detail = (
        f"{image.name[:120]!r} is a picture of text ({image.text_share:.0%} of it under lines of text, "
        f"{MAX_TEXT_SHARE:.0%} at most); put its words into the question, or cut the figure out of it"
    )
    return Finding(Reason.TEXT_FILLED_IMAGE, detail)


COUNT_RULES: tuple[Check, ...] = (_marks, _words, _numbers)
IMAGE_RULES: tuple[ImageCheck, ...] = (_missing, _corrupt, _tiny, _blank, _blurred, _text_filled)
