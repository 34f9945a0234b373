"""The records of what comes in: documents, pages, and problems with their provenance."""

from datetime import date, datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from stepforge.vocabulary import (
    AnswerKind,
    Capability,
    Complexity,
    Difficulty,
    FormalLabel,
    ImageRelevance,
    LabelMethod,
    ProblemType,
)


class VolatileMark:
    """Marks a field that may differ between two runs on the same input."""


Volatile = VolatileMark()


class Record(BaseModel):
    """Base of every row: frozen, unknown fields refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Document(Record):
    """One source file as it arrived. Key: `document_id`."""

    document_id: str = Field(description="sha256 of the bytes")
    batch: str
    path: str = Field(description="path inside the batch, POSIX; a name, never opened")
    source: str = Field(description="registered source that reads it")
    media_type: str
    size_bytes: int = Field(ge=0)
    licence: str
    arrived_at: Annotated[datetime | None, Volatile] = Field(description="when it was ingested, UTC")
    published_on: date | None = Field(description="publication date where the source states one")
    allow_missing_images: bool = Field(description="keep problems whose figures were not delivered, as text")


class ImageRef(Record):
    """An image by content, with what selection needs to judge it."""

    name: str = Field(description="name as the source writes it; never opened")
    sha256: str | None = Field(description="key in the content store; None if the file was not delivered")
    media_type: str | None
    width_px: int | None
    height_px: int | None
    sharpness: float | None = Field(description="variance of the Laplacian on the grey image scaled to 512 px")
    ink_share: float | None = Field(description="share of pixels darker than the background, 0-1")
    text_share: float | None = Field(
        default=None, description="share of the area under lines of text, 0-1; None if it was not measured"
    )
    phash: str | None = Field(
        default=None, description="perceptual hash, 64 bits in hex; near for figures that look alike"
    )
    error: str | None = Field(description="why the bytes are no readable image")


class Choice(Record):
    """One lettered option."""

    label: str
    text: str


class Answer(Record):
    """The reference answer with its kind."""

    kind: AnswerKind
    text: str = Field(description="as the source gives it, cleaned; the option's letter for a choice")
    parts: tuple[str, ...] = Field(default=(), description="sub-answers of a multi-part problem, in order")
    alternatives: tuple[str, ...] = Field(default=(), description="other texts that are equally right")
    unit: str | None = None


class PageLine(Record):
    """One line of text on a page; the box in points for PDF text, in pixels for OCR, origin top left."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    confidence: float | None = Field(description="0-1; None for a PDF text layer")


class PageFigure(Record):
    """One figure cut out of a page; the box in the unit of the page's lines, origin top left."""

    sha256: str = Field(description="key of the cut image in the content store")
    x0: float
    y0: float
    x1: float
    y1: float


class Page(Record):
    """One page as read, in reading order."""

    document_id: str
    number: int = Field(ge=1)
    engine: str = Field(description="pdf-text or the OCR engine, with its version")
    lines: tuple[PageLine, ...]
    figures: tuple[PageFigure, ...] = Field(default=(), description="from top to bottom")
    sheet: int | None = Field(default=None, ge=1, description="page or frame of the file, from 1")
    turned_deg: int = Field(default=0, description="quarter turns that were undone, clockwise: 0, 90, 180, 270")
    skew_deg: float = Field(default=0.0, description="slope of the lines that was undone, down to the right")
    half: str | None = Field(default=None, description="left or right half of a double page")
    width: float | None = Field(default=None, description="of the upright page, in the unit of its lines")
    height: float | None = Field(default=None, description="of the upright page, in the unit of its lines")
    error: str | None = Field(description="why the page could not be read")


class TranscribedLine(Record):
    """One line that a model reads on the picture of a page."""

    text: str = Field(description="the line as printed, formulas in LaTeX between $ signs")
    left: int = Field(ge=0, le=1000, description="left edge, in thousandths of the page's width")
    top: int = Field(ge=0, le=1000, description="upper edge, in thousandths of the page's height")
    right: int = Field(ge=0, le=1000, description="right edge, in thousandths of the page's width")
    bottom: int = Field(ge=0, le=1000, description="lower edge, in thousandths of the page's height")


class TranscribedPage(Record):
    """What a model reads on the picture of a page."""

    lines: tuple[TranscribedLine, ...] = Field(description="all lines, in reading order")


class CleaningStep(Record):
    """One change that a cleaning rule made, with the text around it."""

    rule: str
    field: str
    before: str
    after: str


class PageRegion(Record):
    """A stretch of lines in one column of a page; the box around them in the unit of the page's lines."""

    page: int = Field(ge=1)
    first_line: int = Field(ge=1, description="position among the page's lines, from 1")
    last_line: int = Field(ge=1)
    x0: float
    y0: float
    x1: float
    y1: float


class Provenance(Record):
    """Where a problem came from and what was done to it."""

    document_id: str
    path: str
    locator: str = Field(
        description="row:N, key:K or page:N/problem:M in the document; page:N/part:K/problem:M if numbers begin again"
    )
    page: int | None = Field(default=None, description="from 1")
    regions: tuple[PageRegion, ...] = Field(default=(), description="where on its pages; () for what has no pages")
    method: str = Field(description="json, pdf-text or the OCR engine with its version")
    confidence: float | None = Field(default=None, description="mean OCR confidence, 0-1")
    cleaning: tuple[CleaningStep, ...] = ()


class LabelVote(Record):
    """One label of a problem as a method gives it."""

    field: str = Field(description="subject, difficulty, image_relevance, problem_type, knowledge_concept, capability")
    value: str | None = Field(description="what was decided; None: a tie, for people to decide")
    method: LabelMethod
    votes: tuple[str, ...] = Field(default=(), description="what each voter said, in the order of the voters")


class Problem(Record):
    """One problem with its reference. Key: `problem_id`."""

    problem_id: str = Field(description="source/source_id")
    source: str
    source_id: str = Field(description="the source's own id, or a content hash where it has none")
    language: str = Field(description="ISO 639-1")
    question: str = Field(description="text with <image_k> marks, k from 1 into `images`")
    images: tuple[ImageRef, ...] = ()
    choices: tuple[Choice, ...] = ()
    problem_type: ProblemType
    answer: Answer | None
    solution: str | None = Field(description="reference solution")
    figures_missing: bool = Field(default=False, description="figures were not delivered; the text alone is used")
    group_id: str | None = Field(default=None, description="composite problem that this belongs to")
    group_role: str | None = Field(default=None, description="composite, or sub_1, sub_2, … inside its group")
    subject: str | None = None
    grade: str | None = None
    difficulty: Difficulty | None = None
    knowledge_concepts: tuple[str, ...] = ()
    capabilities: tuple[Capability, ...] = ()
    image_relevance: ImageRelevance | None = None
    reference_step_length: int | None = Field(default=None, description="steps as counted by the source")
    auxiliary_text: str | None = Field(default=None, description="auxiliary construction as the source states it")
    auxiliary_complexity: Complexity | None = None
    auxiliary_image: ImageRef | None = None
    lean_statement: str | None = None
    formal_label: FormalLabel | None = Field(
        default=None, description="what people said of `lean_statement`; None: it is the source's own reference"
    )
    labels: tuple[LabelVote, ...] = Field(default=(), description="how the labels that the source lacks were found")
    variant_of: str | None = Field(
        default=None, description="id of the first problem with the same words and other numbers, names or figures"
    )
    licence: str
    published_on: date | None = None
    provenance: Provenance
