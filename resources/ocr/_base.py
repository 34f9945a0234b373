"""What an OCR engine is: a name, a version, and how it reads the picture of one page."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from resources._page_lines import Box
from stepforge.errors import BadRequest
from stepforge.registry import Registry

if TYPE_CHECKING:
    from resources.home import Home

Pixels = npt.NDArray[np.uint8]  # rows x columns x 3, blue, green, red
RemoteReader = Callable[[bytes], Sequence[Box]]  # PNG of an upright page to its pieces of text; raises PageFault


class PageFault(Exception):
    """A page or a document cannot be read; the message is for a person."""


class Engine(NamedTuple):
    """One engine.  Exactly one of `local` and `remote` is given.

    version: name and version of the software, the model or the interface, with the settings that change what it reads.
    missing: why it cannot be used here and what to do; None if it can.
    local: reads pixels in a worker process; raises PageFault.
    remote: a reader that runs in the stage's own process, for an engine that is asked over a network: what it says is
    durable before it is used, and what it has said before is not asked, or paid for, again.
    """

    name: str
    title: str
    version: "Callable[[Home], str]"
    missing: "Callable[[Home], str | None]"
    local: Callable[[Pixels], list[Box]] | None = None
    remote: "Callable[[Home], RemoteReader] | None" = None


ENGINES: Registry[Engine] = Registry("resources.ocr")


def engine_named(name: str, home: "Home") -> Engine:
    """The engine, usable here.  Raises: BadRequest."""
    if name not in ENGINES:
        raise BadRequest(f"there is no OCR engine {name!r}; there are: {', '.join(e.name for e in ENGINES)}")
    engine = ENGINES[name]
    missing = engine.missing(home)
    if missing is not None:
        raise BadRequest(f"the OCR engine {name!r} cannot be used here: {missing}")
    return engine
