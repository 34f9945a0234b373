"""Stage 2: problems out of the documents, by the sources' parsers, PDF text and OCR."""

from collections.abc import Iterator, Sequence

from assets._collect import Collected
from assets._stage import Work, stage
from resources.figures import figure_index
from resources.home import Home
from resources.memo import key_of, remembered
from resources.pages import ENGINE_VERSION, read_pages
from resources.store import Stored
from resources.workers import GIB, Workers
from stepforge.arrow import schema_fingerprint
from stepforge.documents import PAPER
from stepforge.figures import FigureIndex
from stepforge.outcome import Outcome, reject
from stepforge.papers import split_paper
from stepforge.records import Document, Page, Problem, Rejection
from stepforge.sources import joined, problem_parts, record_id
from stepforge.vocabulary import Disposition, Reason

PAGE_MEMORY_BYTES = 3 * GIB  # address space; an OCR page holds about 0.8 GiB


def _pages(home: Home, papers: Sequence[Document]) -> dict[str, list[Page]]:
    """Pages of the papers; those that were read before by the same engine are remembered."""
    if not papers:
        return {}
    with Workers(1, memory_bytes=PAGE_MEMORY_BYTES) as workers:
        pages = remembered(
            home.memo,
            "pages",
            papers,
            key=lambda d: key_of(d.document_id, d.media_type, ENGINE_VERSION, schema_fingerprint([Page])),
            compute=lambda part: [
                read_pages(d.document_id, d.media_type, home.blobs.get(d.document_id), workers) for d in part
            ],
            dump=lambda found: b"\n".join(page.model_dump_json().encode() for page in found),
            load=lambda data: [Page.model_validate_json(line) for line in data.split(b"\n") if line],
            keep=lambda found: all(page.error is None for page in found),
            chunk=1,
        )
    return {d.document_id: found for d, found in zip(papers, pages, strict=True)}


def _same_id(problem: Problem, first: str) -> Rejection:
    where = f"{problem.provenance.path} {problem.provenance.locator}"
    detail = f"{where}: the id {problem.problem_id} was taken by {first} in this batch; give it another or drop it"
    return reject(
        "problems",
        record_id(problem),
        Reason.DUPLICATE_ID,
        detail,
        problem_id=problem.problem_id,
        evidence=problem.question,
    )


def _taken_over(theorem: Problem, words: Problem) -> Rejection:
    where = f"{theorem.provenance.path} {theorem.provenance.locator}"
    detail = f"{where}: its Lean statement stands with the words of {words.provenance.path}"
    return reject(
        "problems",
        record_id(theorem),
        Reason.JOINED_TO_WORDS,
        detail,
        problem_id=theorem.problem_id,
        evidence=theorem.question,
        disposition=Disposition.NOT_APPLICABLE,
    )


def _withheld(document: Document, problem: Problem) -> Problem:
    missing = any(image.sha256 is None for image in problem.images)
    return (
        problem.model_copy(update={"figures_missing": True}) if document.allow_missing_images and missing else problem
    )


def _read(home: Home, document: Document, pages: Sequence[Page], index: FigureIndex) -> Iterator[Outcome[Problem]]:
    if document.source == PAPER:
        yield split_paper(document, pages)
        return
    data = home.blobs.get(document.document_id)
    yield from problem_parts(document, data, lambda name: index.lookup(document.path, name))


class _Gathered:
    """Problems of a batch by id: an id that comes again is a rejection, or the other half of a problem."""

    def __init__(self) -> None:
        self.total = Collected(Problem, record_id)
        self._first: dict[str, str] = {}  # record id by problem id
        self._formal: set[str] = set()  # those of them with a Lean statement

    def add(self, outcome: Outcome[Problem]) -> None:
        """A part of a document."""
        self.total.input_ids += outcome.input_ids
        self.total.rejections += outcome.rejections
        new = [problem for problem in outcome.kept if problem.problem_id not in self._first]
        self.total.add_rows(new)
        self._first |= {problem.problem_id: record_id(problem) for problem in new}
        self._formal |= {problem.problem_id for problem in new if problem.lean_statement is not None}
        for problem in outcome.kept:
            if self._first[problem.problem_id] != record_id(problem):
                self._again(problem)

    def _again(self, problem: Problem) -> None:
        if (problem.problem_id in self._formal) is (problem.lean_statement is not None):
            self.total.rejections.append(_same_id(problem, self._first[problem.problem_id]))
            return
        first = self.total.drop_row("problem_id", problem.problem_id)
        both = joined(first, problem)
        if both is None:
            self.total.rejections.append(_same_id(problem, record_id(first)))
        else:
            other = problem if record_id(both) == record_id(first) else first
            self.total.rejections.append(_taken_over(other, both))
        self.total.add_rows([both or first])
        self._first[problem.problem_id] = record_id(both or first)
        self._formal.add(problem.problem_id)


@stage(record=Problem, group="sources", external="batch_files", parameters=ENGINE_VERSION, key=record_id)
def problems(work: Work, documents: Stored) -> Collected:
    """Problems with question, figures, options, typed answer, reference solution and provenance.

    Figures are measured (size, sharpness, ink) in processes that can be killed; OCR pages and figure measures are
    remembered by content, so a changed batch costs what changed."""
    rows = documents.rows(Document)
    tick = work.begin(len(rows))
    pages = _pages(work.home, [d for d in rows if d.source == PAPER])
    index = figure_index(work.home, work.partition or "")
    gathered = _Gathered()
    for document in rows:
        for part in _read(work.home, document, pages.get(document.document_id, []), index):
            gathered.add(part._replace(kept=[_withheld(document, problem) for problem in part.kept]))
        tick(1)
    gathered.total.sort("problem_id")
    return gathered.total
