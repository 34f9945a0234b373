"""Detection accuracy.  Source: MAMath-Bench, negative samples: kind and exact location must both be right."""

from collections.abc import Sequence

from stepforge.vocabulary import DefectKind


def right(
    kind: DefectKind, expected: Sequence[int], detected: Sequence[int] | None, *, missing_step_matches: bool = False
) -> bool:
    """Whether a reply names the exact location (0-based): wrong and repeated, one index; redundant, the set of indices;
    swapped, the unordered pair; missing, the position, and its step by the milestone matcher (`missing_step_matches`).
    The kind is what the task asks for, so it needs no comparison."""
    if detected is None or set(detected) != set(expected):
        return False
    return missing_step_matches if kind is DefectKind.MISSING else True
