"""Names made ready for a plot: printable, short, no two alike, with a width that does not depend on installed fonts."""

import unicodedata
from collections.abc import Sequence

LABEL_PX = 186  # the longest reason fits; longer labels are cut, the table of each plot has the whole text


def plain(text: str) -> str:
    """The text on one line, without characters that XML or UTF-8 cannot hold."""
    kept = ("\ufffd" if unicodedata.category(c) in {"Cc", "Cs", "Co", "Cn"} and not c.isspace() else c for c in text)
    return " ".join("".join(kept).split())


def short_labels(names: Sequence[str]) -> list[str]:
    """Labels of at most `LABEL_PX`, one for each name and no two alike."""
    labels: list[str] = []
    taken: set[str] = set()
    for name in names:
        text = plain(name[:200]) or "(empty)"
        label = _cut(text, LABEL_PX)
        again = 1
        while label in taken:
            again += 1
            suffix = f" ({again})"
            label = _cut(text, LABEL_PX - text_px(suffix)) + suffix
        taken.add(label)
        labels.append(label)
    return labels


def _cut(text: str, limit_px: float) -> str:
    """The text, or its beginning and an ellipsis.  Done here and not by the converter, which cuts characters outside
    the basic plane in two and then fails on the half."""
    if text_px(text) <= limit_px:
        return text
    used = _advance_px("…")
    for place, character in enumerate(text):
        used += _advance_px(character)
        if used > limit_px:
            return text[:place] + "…"
    return text


def text_px(label: str) -> float:
    """Estimated width in pixels in a wide sans-serif font (DejaVu Sans) of 12 px."""
    return sum(map(_advance_px, label))


def _advance_px(character: str) -> float:
    if unicodedata.east_asian_width(character) in "WF" or ord(character) > 0xFFFF:
        return 13
    if character in "ijlIJft'|.,:;/\\!()[]- \"":
        return 4.3
    if character in "crsz_*?":
        return 6.3
    if character in "mwMW%@#+<>=^~":
        return 11
    return 7.4 if character.isascii() and not character.isupper() else 9
