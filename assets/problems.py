"""Stage 2: problems out of the documents, by the sources' parsers, PDF text and OCR."""

from collections.abc import Callable, Iterator, Sequence

from assets._collect import Collected
from assets._stage import Work, stage
from resources.figures import EmbeddedFigures, figure_index
from resources.home import Home
from resources.ocr import engine_named
from resources.pages import ENGINE_VERSION, page_count, read_pages
from resources.store import Stored
from resources.workers import GIB, Workers
from stepforge import mathpix
from stepforge.answer_keys import ANSWER_KEY, read_key, with_keys
from stepforge.documents import PAPER, FileEntry, beside, is_page_media
from stepforge.figures import FigureIndex
from stepforge.outcome import Outcome, Tick, no_tick, reject
from stepforge.papers import split_paper
from stepforge.records import Document, Page, Problem, Rejection
from stepforge.sources import Beside, joined, problem_parts, record_id
from stepforge.vocabulary import Disposition, Reason

PAGE_MEMORY_BYTES = 3 * GIB  # address space; an OCR page holds about 0.8 GiB


def _pages(home: Home, batch: str, papers: Sequence[Document], begin: Callable[[int], Tick]) -> dict[str, list[Page]]:
    """Pages of the papers by the batch's OCR engine; those that were read before by the same one are remembered.

    begin: told how many pages there are, gives what is told of each."""
    if not papers:
        begin(0)
        return {}
    engine = engine_named(home.batches.get(batch).settings.ocr, home)
    version, remote = engine.version(home), engine.remote(home) if engine.remote else None
    found: dict[str, list[Page]] = {}
    with Workers(1, memory_bytes=PAGE_MEMORY_BYTES) as workers:
        files = [(d, home.blobs.path(d.document_id)) for d in papers]
        tick = begin(sum(page_count(d.document_id, d.media_type, path, workers, home.memo) for d, path in files))
        for d in papers:
            found[d.document_id] = read_pages(
                d.document_id,
                d.media_type,
                home.blobs.get(d.document_id),
                workers,
                engine,
                remote,
                version,
                memo=home.memo,
                blobs=home.blobs,
                tick=tick,
            )
    return found


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


def _read(
    home: Home, document: Document, index: FigureIndex, embedded: EmbeddedFigures, others: Beside
) -> Iterator[Outcome[Problem]]:
    """Problems of a structured document, part by part, their embedded figures stored and measured."""
    data = home.blobs.get(document.document_id)
    parts = problem_parts(
        document, data, lambda name: index.lookup(document.path, name), embed=embedded.put, beside=others
    )
    for part in parts:
        yield part._replace(kept=embedded.measured(part.kept))


def _measured(outcome: Outcome[Problem], embedded: EmbeddedFigures) -> Outcome[Problem]:
    """The problems of a paper, the figures cut out of its pages with facts."""
    return outcome._replace(kept=embedded.measured(outcome.kept))


def _papers(
    home: Home, batch: str, rows: Sequence[Document], begin: Callable[[int], Tick]
) -> tuple[dict[str, Outcome[Problem]], Outcome[Problem]]:
    """Problems of the papers, by path, with the answers of the batch's keys, and what became of the keys."""
    printed = [d for d in rows if d.source in (PAPER, ANSWER_KEY) and is_page_media(d.media_type)]
    pages = {
        d.document_id: mathpix.pages_of(d.document_id, d.media_type, home.blobs.get(d.document_id))
        for d in printed
        if d.media_type in mathpix.MEDIA
    }
    pages |= _pages(home, batch, [d for d in printed if d.media_type not in mathpix.MEDIA], begin)
    papers = {d.path: split_paper(d, pages[d.document_id]) for d in rows if d.source == PAPER}
    named = home.batches.get(batch).settings.answers
    keys = [
        read_key(d, home.blobs.get(d.document_id), pages.get(d.document_id, []), list(papers), named)
        for d in rows
        if d.source == ANSWER_KEY
    ]
    return with_keys(papers, keys)


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


@stage(
    record=Problem, group="sources", external=("batch_files", "ocr_engine"), parameters=ENGINE_VERSION, key=record_id
)
def problems(work: Work, documents: Stored) -> Collected:
    """Problems with question, figures, options, typed answer, reference solution and provenance.

    Figures are measured (size, sharpness, ink) in processes that can be killed; OCR pages and figure measures are
    remembered by content, so a changed batch costs what changed."""
    rows = documents.rows(Document)
    batch = work.partition or ""
    tick: Tick = no_tick

    def begin(n_pages: int) -> Tick:
        nonlocal tick
        tick = work.begin(len(rows) + n_pages)  # a page by OCR takes longer than a file of a thousand problems
        return tick

    papers, keys = _papers(work.home, batch, rows, begin)
    index = figure_index(work.home, batch)
    files = [
        FileEntry(f.path, f.sha256, f.size_bytes, f.arrived_at, f.refused) for f in work.home.batches.get(batch).files
    ]
    others = beside(files, work.home.blobs.get)
    gathered = _Gathered()
    gathered.add(keys)
    with EmbeddedFigures(work.home) as embedded:
        for document in rows:
            if document.source != ANSWER_KEY:
                parts = (
                    [_measured(papers.pop(document.path), embedded)]
                    if document.source == PAPER
                    else _read(work.home, document, index, embedded, others)
                )
                for part in parts:
                    gathered.add(part._replace(kept=[_withheld(document, problem) for problem in part.kept]))
            tick(1)
    gathered.total.sort("problem_id")
    return gathered.total
