"""Facts of many images, each decoded in a worker process that can be killed."""

from collections.abc import Iterable, Iterator
from itertools import islice

from resources.workers import Workers
from stepforge.images import ImageFacts, failed, image_facts

TIMEOUT_S = 10.0
AT_ONCE = 64  # images in memory at a time


def facts_of(items: Iterable[bytes], workers: Workers) -> Iterator[ImageFacts]:
    """Facts of each image, in order; one that takes longer than 10 s or kills its worker has the reason as error."""
    waiting = iter(items)
    while batch := list(islice(waiting, AT_ONCE)):
        for result in workers.map(image_facts, batch, TIMEOUT_S):
            if isinstance(result, Exception):
                yield failed(f"the image was given up: {str(result) or type(result).__name__}")
            else:
                yield result
