"""Whether the figures of two problems are the same: an added auxiliary line makes another figure.

The perceptual hashes of two drawings that differ by one line may be near, and those of a drawing in two sizes may be 8
bits apart: the hash says which pairs are worth a look, the pixels decide.
"""

from collections.abc import Callable, Sequence

from stepforge.duplicates._signatures import Figure

MAX_PHASH_BITS = 12  # of 64: two figures that have nothing in common are 32 apart

SameFigure = Callable[[str, str], bool]  # two sha256 whose hashes are near: whether the pixels are the same


def only_same_bytes(_one: str, _two: str) -> bool:
    """For those who have no pixels: figures of other bytes are other figures."""
    return False


def hash_distance(one: str, two: str) -> int:
    """Bits in which two hashes in hex differ."""
    return (int(one, 16) ^ int(two, 16)).bit_count()


def figures_differ(a: Sequence[Figure], b: Sequence[Figure], same: SameFigure) -> str:
    """What differs between the figures of two problems, in order; empty if they are the same."""
    if len(a) != len(b):
        return f"{len(a)} figures against {len(b)}"
    for number, (one, two) in enumerate(zip(a, b, strict=True), 1):
        if one.sha256 is None or two.sha256 is None:
            return f"figure {number} was not delivered"
        if one.sha256 == two.sha256:
            continue
        near = one.phash and two.phash and hash_distance(one.phash, two.phash) <= MAX_PHASH_BITS
        if not near or not same(*sorted((one.sha256, two.sha256))):
            return f"figure {number} is another"
    return ""
