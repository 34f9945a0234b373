"""Pages of papers for tests: lines of fixed-width letters, where they stand."""

from stepforge.outcome import unaccounted
from stepforge.papers import split_paper
from stepforge.records import Page, PageFigure, PageLine
from tests.make import document

CHAR, LINE = 10.0, 20.0


def lines(text, x=0.0, y=0.0, confidence=None):
    """One line a line; leading spaces indent, empty lines are gaps."""
    return [
        PageLine(
            text=line.strip(),
            x0=x + CHAR * (len(line) - len(line.lstrip())),
            y0=y + LINE * i,
            x1=x + CHAR * len(line.rstrip()),
            y1=y + LINE * i + 10,
            confidence=confidence,
        )
        for i, line in enumerate(text.strip("\n").split("\n"))
        if line.strip()
    ]


def page(text="", number=1, engine="pdf-text", error=None, confidence=None, more=(), figures=()):
    """A page of one column; `more`: lines that stand elsewhere."""
    own = [*lines(text, confidence=confidence), *more] if text.strip() else list(more)
    return Page(
        document_id="d" * 64, number=number, engine=engine, lines=tuple(own), figures=tuple(figures), error=error
    )


def figure(x0, y0, x1, y1, name="f"):
    """A figure in the unit of characters and lines, its content named by a letter."""
    return PageFigure(sha256=name * 64, x0=CHAR * x0, y0=LINE * y0, x1=CHAR * x1, y1=LINE * y1)


def split(*texts, **given):
    """The paper of pages or their texts, its rows in and out counted."""
    pages = [text if isinstance(text, Page) else page(text, n) for n, text in enumerate(texts, 1)]
    outcome = split_paper(document(path="paper.pdf", source="paper", media_type="application/pdf", **given), pages)
    kept = [f"{p.provenance.document_id}#{p.provenance.locator}" for p in outcome.kept]
    refused = [r.record_id for r in outcome.rejections]
    assert not unaccounted(outcome.input_ids, kept, refused)
    assert len(set(outcome.input_ids)) == len(kept) + len(refused)
    return outcome


def said(outcome):
    """Question, answer and solution of each problem."""
    return [(p.question, p.answer and p.answer.text, p.solution) for p in outcome.kept]


def answers(outcome):
    """The answers' texts, by number."""
    return {p.provenance.locator.rpartition(":")[2]: p.answer and p.answer.text for p in outcome.kept}


def reasons(outcome):
    """How often each reason was given."""
    found = {}
    for rejection in outcome.rejections:
        found[rejection.reason.value] = found.get(rejection.reason.value, 0) + 1
    return found
