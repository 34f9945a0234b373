"""A vision model reads the page: the role `ocr` of models.toml, asked through the gateway.

What it says is in the reply store before it is used, and the same page is paid for once.  Its boxes are its own guess;
it gives no confidence.
"""

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from resources._page_lines import Box, upright_box
from resources.ocr._base import ENGINES, Engine, PageFault, RemoteReader
from stepforge.asking import ModelFailure, ModelRequest, Part, user
from stepforge.errors import PipelineError
from stepforge.prompting import PROMPTS
from stepforge.records import TranscribedPage
from stepforge.vocabulary import PartKind

if TYPE_CHECKING:
    from resources.home import Home

ROLE = "ocr"
PROMPT = "transcribe_page/v1"
RUN = "ocr"  # a budget counts all pages of a home together
MAX_LINES = 2000
MAX_CHARS = 20_000  # of one line


def _reader(home: "Home") -> RemoteReader:
    from resources.llm.gateway import Gateway  # noqa: PLC0415 - providers cost every command 0.5 s

    prompt = PROMPTS[PROMPT].render()

    def read(png: bytes) -> Sequence[Box]:
        image = Part(kind=PartKind.IMAGE, sha256=home.blobs.put(png), media_type="image/png")
        name = hashlib.sha256(png).hexdigest()
        request = ModelRequest(
            request_id=name,
            role=ROLE,
            messages=(user(prompt.text, image),),
            prompt_id=prompt.prompt_id,
            prompt_sha256=prompt.sha256,
        )
        with Gateway(home.models, home.replies, home.blobs.get, run=RUN, stage="problems") as gateway:
            answered = gateway.ask_all([request], TranscribedPage)[name]
        if isinstance(answered, ModelFailure):
            raise PageFault(f"the model of role {ROLE} gave no reading ({answered.kind}): {answered.detail}")
        return boxes_of(TranscribedPage.model_validate_json(answered.structured or ""), png)

    return read


def size_of(png: bytes) -> tuple[int, int]:
    """Width and height of a PNG that was made here."""
    return int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")


def boxes_of(page: TranscribedPage, png: bytes) -> list[Box]:
    """The lines in pixels; edges that the model gave in the wrong order are exchanged."""
    width, height = size_of(png)
    found = []
    for line in page.lines[:MAX_LINES]:
        left, right = sorted((line.left, line.right))
        top, bottom = sorted((line.top, line.bottom))
        x0, x1, y0, y1 = left * width / 1000, right * width / 1000, top * height / 1000, bottom * height / 1000
        found.append(upright_box(line.text.strip()[:MAX_CHARS], x0, y0, x1, y1))
    return found


def _version(home: "Home") -> str:
    return f"vision-llm {home.models.role(ROLE).model} {PROMPT}"


def _missing(home: "Home") -> str | None:
    try:
        home.models.role(ROLE)
    except (PipelineError, OSError) as error:
        return f"{error}; the engine vision-llm asks the role {ROLE!r}, a model that reads images"
    return None


ENGINES.register(
    Engine(
        name="vision-llm",
        title="A vision model, through the gateway",
        version=_version,
        missing=_missing,
        remote=_reader,
    )
)
