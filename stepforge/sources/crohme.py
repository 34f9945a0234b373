"""CROHME: handwritten formulas, to be read as LaTeX.

Read are InkML files, as the packages of IAPR TC-11 have them (tc11.cvc.uab.es, CROHME-2014_2 and
ICDAR2019-CROHME-TDF_1): the ink of one formula with its LaTeX in the annotation `truth` and its id in the annotation
`UI`.  A picture beside the file with its name (`x.inkml`, `x.png`) is the figure; without one the ink is drawn, as the
competition does for its off-line task.  Read is also the form of the picture sets (Green-Wood/BTTR, `datamodule.py`):
`caption.txt`, a line `NAME TOKEN TOKEN …` a formula, with `NAME.bmp` beside it or in `img/`.  A formula without `truth`
(the test sets) has no answer.
"""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from stepforge.records import Answer, ImageRef, Problem
from stepforge.sources._base import SOURCES, BadRecord, Context, RawRecord, Source, build
from stepforge.sources._checked import EVIDENCE, checked
from stepforge.sources._encoding import utf8
from stepforge.sources._ink import BadInk, drawn, read_ink
from stepforge.sources._values import content_id, optional_text, text_field
from stepforge.vocabulary import AnswerKind, ProblemType

LICENCE = "unknown"  # what the packages state was not seen
QUESTION = "Write the handwritten formula in the image as LaTeX.\n<image_1>"
CAPTIONS = "caption.txt"
_CAPTION = re.compile(rb"[^\s]{1,200}[ \t]{1,9}[^\s]")
_NAME = re.compile(r"[^\\/\s]{1,200}")


def _recognises(path: str, head: bytes) -> bool:
    pure = PurePosixPath(path)
    if pure.name == CAPTIONS:
        return all(_CAPTION.match(line) for line in head.splitlines()[:20]) and bool(head.strip())
    return pure.suffix.lower() == ".inkml" and b"<ink" in head


def _records(data: bytes) -> Iterator[RawRecord]:
    """The one formula of an InkML file, or the lines of a caption file."""
    if data[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()[:1] != b"<":
        yield from _captions(data)
        return
    shown = data[:EVIDENCE].decode("utf-8", errors="replace")
    try:
        ink = read_ink(data)
    except BadInk as error:
        yield RawRecord("", None, f"{error}; correct the file", shown, method="inkml")
        return
    value = {"annotations": ink.annotations, "traces": [list(trace) for trace in ink.traces]}
    yield checked("row:1", value, shown, method="inkml")


def _captions(data: bytes) -> Iterator[RawRecord]:
    found = utf8(data)
    if found.error is not None:
        yield RawRecord("", None, found.error)
        return
    for number, line in enumerate(found.data.decode("utf-8", errors="surrogateescape").splitlines(), 1):
        name, *tokens = line.split() or [""]
        if name:
            yield checked(
                f"row:{number}", {"name": name, "tokens": " ".join(tokens)}, line[:EVIDENCE], method="caption"
            )


def _latex(text: str | None) -> Answer | None:
    bare = (text or "").strip()
    if len(bare) > 1 and bare[0] == bare[-1] == "$":
        bare = bare.strip("$").strip()
    return Answer(kind=AnswerKind.EXPRESSION, text=bare) if bare else None


def _picture(value: dict[str, Any], context: Context) -> ImageRef:
    """The picture beside the ink, else the ink drawn."""
    name = f"{PurePosixPath(context.document.path).stem}.png"
    delivered = context.figures(name)
    if delivered.sha256 is not None:
        return delivered
    if not value["traces"]:
        raise BadRecord("trace: there is no ink in the file")
    return context.embed(name, drawn(value["traces"]))


def _problem(raw: RawRecord, context: Context) -> Problem:
    """The formula, to be written as LaTeX."""
    value = raw.value or {}
    if "traces" in value:
        annotations = value["annotations"]
        image, truth = _picture(value, context), optional_text(annotations, "truth")
        identity = (optional_text(annotations, "UI") or "").strip(' "')
        source_id = identity or content_id(str(value["traces"]))
    else:
        source_id, truth = text_field(value, "name"), optional_text(value, "tokens")
        if not _NAME.fullmatch(source_id):
            raise BadRecord(f"name: {source_id[:60]!r} is no name of a picture")
        image = context.figures(f"{source_id}.bmp")
    return build(
        "crohme",
        raw,
        context,
        licence=LICENCE,
        source_id=source_id,
        language="en",
        question=QUESTION,
        images=(image,),
        problem_type=ProblemType.FREE_FORM,
        answer=_latex(truth),
        solution=None,
        subject="handwriting",
    )


def _figures(path: str, data: bytes) -> Iterator[str]:
    """Pictures that belong to the file."""
    if PurePosixPath(path).name == CAPTIONS:
        for line in data.splitlines():
            yield f"{line.split()[0].decode(errors='replace')}.bmp" if line.strip() else ""
    else:
        yield f"{PurePosixPath(path).stem}.png"


SOURCES.register(
    Source(
        name="crohme",
        title="CROHME",
        licence=LICENCE,
        url="https://tc11.cvc.uab.es/datasets/ICDAR2019-CROHME-TDF_1",
        recognises=_recognises,
        records=_records,
        problem=_problem,
        figures=_figures,
        files="`*.inkml`, with `*.png` of the same name or without; `caption.txt` with its `*.bmp`",
        fields=(
            ('annotation type="UI"', "id"),
            ('annotation type="truth"', "answer, LaTeX without the dollar signs"),
            ("trace", "figure, drawn: black on white, the longer side 1,000 px; none where a picture lies beside it"),
            ("traceGroup, annotationXML, traceFormat", "not read: symbols and MathML of the same formula"),
            ("caption.txt: first word", "id, and name of the picture"),
            ("caption.txt: other words", "answer, LaTeX tokens with a space between them"),
        ),
    )
)
