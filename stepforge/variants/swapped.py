"""Swapped steps: a step and one that uses it have changed places (MAMath-Bench: broken dependency order)."""

from random import Random

from stepforge.variants._base import MOST_TRIES, Chain, Draft, defect
from stepforge.vocabulary import DefectKind


@defect(DefectKind.SWAPPED)
def swapped(chain: Chain, rng: Random) -> list[Draft]:
    """Exchanges of two steps of which the later cannot do without the earlier, in random order."""
    pairs = [(i, j) for j, edges in enumerate(chain.links) for i in edges]
    rng.shuffle(pairs)
    drafts = []
    for i, j in pairs[:MOST_TRIES]:
        steps = list(chain.steps)
        steps[i], steps[j] = steps[j], steps[i]
        subtype = "neighbours" if j == i + 1 else "apart"
        before, after = "\n".join((chain.steps[i], chain.steps[j])), "\n".join((chain.steps[j], chain.steps[i]))
        drafts.append(Draft(subtype, (i, j), tuple(steps), before, after))
    return drafts
