"""Problems and figures that papers are split into, against what was typeset.

python bench/splitting.py DATA [--half unseen|rules] [--rounds 5] [--figures given|cut] [--scans N] [--pages DIR]

DATA is a folder with `geolaux` (and its images), `math`, `gsm8k`, `mvmath` and `olymmath`.  200 real problems, half of
them Chinese with a figure each, half English, are assembled into papers of 8 to 25, each round in other layouts, and
typeset as PDFs.  The pages are read as the pipeline reads them (text layer, columns), then split.  `--scans N` reads
the first N papers of each language once more as scans, by OCR (about 10 s of a core a page; DIR keeps what was read).

Split of the data: by the last bit of the SHA-256 of the problem's key, half `rules` was looked at while rules were
written, half `unseen` is reported.  Split of the layouts: other seeds, and no combination of numbering, columns, key,
options and figures that occurs in `rules` occurs in `unseen`.  MV-MATH's own figures are not in its text files: figures
of GeoLaux stand for them.

`--figures given`: the boxes of the typesetter; `cut`: as the pipeline cuts them from the page, matched by overlap.

Seeds of `unseen` from 1,000,000 on were looked at once (two faults, of footers and of joined rows, were mended
for it); those reported begin at 2,000,000.

boundaries: a problem that begins at a line where one was typeset to begin.  whole: its question and options are,
blanks and figure marks aside, what was typeset.  answers, solutions: of the problems that the paper answers.
figures: given to the problem that they were typeset with; a logo given to any problem counts against precision.
"""

import argparse
import hashlib
import json
import random
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from _paper_items import Item, bare, items_of
from _paper_layouts import Box, Typeset, as_scan, drawn, typeset
from rapidfuzz.distance import Levenshtein

from resources._page_lines import reading_order
from resources._page_pdf import layer_of, opened, page_of
from resources.pages import ENGINE_VERSION, PageJob, PageReading, count_pages, read_page
from stepforge.papers import split_paper
from stepforge.records import Document, Page, PageFigure, PageLine, Problem
from stepforge.vocabulary import Reason

SEEDS = {"rules": 0, "unseen": 2_000_000}  # those from 1,000,000 on were looked at once
NEAR = 0.9
SAME = 0.5  # of the smaller box
OCR_SCALE = 150 / 72
DECORATION = "decoration"


class Read(NamedTuple):
    """A paper as it was read: its pages, and how many of their units a point is."""

    pages: list[Page]
    scale: float


def papers(items: Sequence[Item], half: str, rounds: int, pictures: int, logos: Sequence[Path]) -> Iterator[Typeset]:
    """The papers of all rounds; the first `pictures` of each language have pictures."""
    drawn_with: Counter[str] = Counter()
    for turn in range(rounds):
        rng = random.Random(SEEDS[half] + turn)
        for language in ("zh", "en"):
            pool = [item for item in items if item.language == language]
            rng.shuffle(pool)
            while pool:
                n = min(len(pool), rng.randint(8, 25))
                own, pool = pool[:n], pool[n:]
                own.sort(key=lambda item: not item.options)
                layout = drawn(rng, language, half)
                drawn_with[language] += 1
                yield typeset(own, layout, rng, rng.choice(logos), pictures=drawn_with[language] <= pictures)


def read_pdf(paper: Typeset, figures: str) -> Read:
    """The pages of the PDF as the pipeline reads them."""
    name = hashlib.sha256(paper.pdf).hexdigest()
    pages = []
    for k in range(count_pages(PageJob("application/pdf", paper.pdf, 0))):
        if figures == "cut":
            (reading,) = read_page(PageJob("application/pdf", paper.pdf, k))
            pages.append(_page(name, k + 1, reading))
        else:
            page = Page(document_id=name, number=k + 1, engine="pdf-text", lines=_text_layer(paper.pdf, k), error=None)
            pages.append(page.model_copy(update={"figures": given(paper, k + 1, 1.0)}))
    return Read(pages, 1.0)


def _text_layer(pdf: bytes, position: int) -> tuple[PageLine, ...]:
    """The lines of a page without its figures, which take most of the time."""
    with opened(pdf) as document:
        return reading_order(layer_of(page_of(document, position)).boxes)


def _page(name: str, number: int, reading: PageReading) -> Page:
    figures = tuple(
        PageFigure(sha256=hashlib.sha256(cut.png).hexdigest(), x0=cut.x0, y0=cut.y0, x1=cut.x1, y1=cut.y1)
        for cut in reading.figures
    )
    return Page(
        document_id=name, number=number, engine=reading.engine, lines=reading.lines, figures=figures, error=None
    )


def read_scan(paper: Typeset, folder: Path | None, figures: str) -> Read:
    """The pages of the paper as OCR reads its pictures."""
    name = hashlib.sha256(paper.pdf).hexdigest()
    pages = []
    for k, picture in enumerate(paper.pages, 1):
        data = as_scan(picture, random.Random(k))
        key = hashlib.sha256(ENGINE_VERSION.encode() + data).hexdigest()[:24]
        kept = None if folder is None else folder / f"{key}.json"
        if kept is not None and kept.is_file():
            page = Page.model_validate_json(kept.read_text("utf-8"))
        else:
            page = _page(name, k, read_page(PageJob("image/jpeg", data, 0))[0])
            if kept is not None:
                kept.parent.mkdir(parents=True, exist_ok=True)
                kept.write_text(page.model_dump_json(), "utf-8")
        update: dict[str, object] = {"document_id": name, "number": k}
        if figures == "given":
            update["figures"] = given(paper, k, OCR_SCALE)
        pages.append(page.model_copy(update=update))
    return Read(pages, OCR_SCALE)


def given(paper: Typeset, page: int, scale: float) -> tuple[PageFigure, ...]:
    """The figures of a page where the typesetter put them."""
    boxes = [b for t in paper.truths for b in t.figures if b.page == page]
    boxes += [b for b in paper.decorations if b.page == page]
    found = [
        PageFigure(
            sha256=hashlib.sha256(repr(b[1:] if b in paper.decorations else b).encode()).hexdigest(),
            x0=b.x0 * scale,
            y0=b.y0 * scale,
            x1=b.x1 * scale,
            y1=b.y1 * scale,
        )
        for b in boxes
    ]
    return tuple(sorted(found, key=lambda f: (f.y0, f.x0)))


def short(paper: Typeset) -> str:
    """The layout in few words."""
    return (
        hashlib.sha256(paper.pdf).hexdigest()[:6]
        + " "
        + " ".join(
            f"{k}={v!r}"
            for k, v in paper.layout.items()
            if k in ("columns", "key", "options", "figures", "parts", "numbering", "caption", "hang", "head")
        )
    )


def same_text(a: str, b: str) -> bool:
    """Whether two texts are the same, blanks, figure marks and captions aside."""
    return _plain(a) == _plain(b)


def _plain(text: str) -> str:
    return re.sub(r"[-‐]", "-", bare(re.sub(r"<image_\d+>(?:\n(?:Figure |图)\d$)?", "", text, flags=re.M)))


def _folded(text: str) -> str:
    """What is compared where letters may be misread: full- and half-width forms are one."""
    return unicodedata.normalize("NFKC", _plain(text))


def _core(solution: str) -> str:
    """The beginning of a solution, its name aside."""
    return re.sub(r"^(?:解|证明|证|proof|solution)[:：.]", "", _plain(solution), flags=re.I)[:20]


def _is_at(problem: Problem, start: Box, scale: float) -> bool:
    region = problem.provenance.regions[0]
    x, y = start.x0 * scale, (start.y0 + start.y1) / 2 * scale
    line = 1.2 * (start.y1 - start.y0) * scale
    return (
        region.page == start.page
        and abs(region.y0 + line / 2 - y) <= line * 0.6
        and region.x0 - 12 * scale <= x <= region.x1
    )


def _figure_owner(paper: Typeset, page: int, figure: PageFigure, scale: float) -> str | int | None:
    """The problem that the figure at this place was typeset with."""
    places: list[tuple[str | int, Box]] = [(i, b) for i, t in enumerate(paper.truths) for b in t.figures]
    places += [(DECORATION, b) for b in paper.decorations]
    for owner, b in places:
        if b.page == page:
            wide = min(figure.x1, b.x1 * scale) - max(figure.x0, b.x0 * scale)
            high = min(figure.y1, b.y1 * scale) - max(figure.y0, b.y0 * scale)
            small = min((figure.x1 - figure.x0) * (figure.y1 - figure.y0), (b.x1 - b.x0) * (b.y1 - b.y0) * scale**2)
            if wide > 0 and high > 0 and wide * high >= SAME * small:
                return owner
    return None


def measured(paper: Typeset, read: Read, show: list[str]) -> Counter[str]:
    """Counts of one paper."""
    document = Document(
        document_id="0" * 64,
        batch="bench",
        path="paper.pdf",
        source="paper",
        media_type="application/pdf",
        size_bytes=len(paper.pdf),
        licence="",
        arrived_at=None,
        published_on=None,
        allow_missing_images=False,
    )
    outcome = split_paper(document, read.pages)
    found = outcome.kept
    counts: Counter[str] = Counter(true=len(paper.truths), found=len(found))
    at: dict[int, int] = {}
    for i, truth in enumerate(paper.truths):
        match = next(
            (k for k, p in enumerate(found) if k not in at.values() and _is_at(p, truth.start, read.scale)), None
        )
        if match is not None:
            at[i] = match
    counts["boundaries"] = len(at)
    for k, problem in enumerate(found):
        if k not in at.values():
            show.append(f"{short(paper)}\n  EXTRA {problem.provenance.locator}: {problem.question[:100]!r}")
    figures_of = {(page.number, k): (page, figure) for page in read.pages for k, figure in enumerate(page.figures, 1)}
    where = {f"page{page}-figure{k}": (page, k) for page, k in figures_of}
    by_problem = {v: k for k, v in at.items()}
    for k, problem in enumerate(found):
        for image in problem.images:
            page, n = where[image.name]
            owner = _figure_owner(paper, page, figures_of[page, n][1], read.scale)
            counts["figures given"] += owner is not None
            right = owner is not None and owner == by_problem.get(k, "none")
            counts["figures right"] += right
            if not right and owner is not None:
                show.append(
                    f"{short(paper)}\n  figure {image.name} of {owner} to {by_problem.get(k)}: {problem.question[:9]!r}"
                )
    counts["figures true"] = sum(len(t.figures) for t in paper.truths)
    n_right = counts["figures right"]
    if n_right < counts["figures true"]:
        left = [r.detail for r in outcome.rejections if r.reason is Reason.FIGURE_OUTSIDE_PROBLEMS]
        show.append(f"{short(paper)}\n  {counts['figures true'] - n_right} figures lost; left out: {left[:4]}")
    for i, truth in enumerate(paper.truths):
        problem = found[at[i]] if i in at else None
        said = "\n".join([truth.item.question, *truth.item.options])
        got = "" if problem is None else "\n".join([problem.question, *(c.text for c in problem.choices)])
        whole = problem is not None and same_text(said, got)
        counts["whole"] += whole
        counts["near"] += Levenshtein.normalized_similarity(_folded(said), _folded(got)) >= NEAR
        if not whole:
            show.append(f"{short(paper)}\n  {truth.label}: typeset {said[:1500]!r}\n  read {got[:1500]!r}")
        if i not in at:
            show.append(
                f"{short(paper)}\n  {truth.label}: no boundary on page {truth.start.page} at {truth.start.y0:.0f}"
            )
        for name, has, true in (
            ("answers", truth.has_answer, truth.item.answer),
            ("solutions", truth.has_solution, truth.item.solution),
        ):
            if has:
                counts[f"{name} true"] += 1
                text = (
                    ""
                    if problem is None
                    else (problem.answer.text if problem.answer and name == "answers" else problem.solution or "")
                )
                right = same_text(true, text) if name == "answers" else bool(text) and _core(text) == _core(true)
                counts[f"{name} right"] += right
                if not right:
                    show.append(f"{short(paper)}\n  {truth.label}: {name} typeset {true[:150]!r} read {text[:150]!r}")
            elif problem is not None:
                counts[f"{name} invented"] += (problem.answer if name == "answers" else problem.solution) is not None
    return counts


def _share(a: int, b: int) -> str:
    return f"{a}/{b} = {a / b:.4f}" if b else "none"


def report(name: str, counts: Counter[str], n_papers: int) -> None:
    """Prints the shares."""
    c = counts
    print(f"{name}: {n_papers} papers, {c['pages']} pages")
    print(f"  boundaries  precision {_share(c['boundaries'], c['found'])}, recall {_share(c['boundaries'], c['true'])}")
    print(
        f"  whole texts {_share(c['whole'], c['true'])}; nine tenths of the text right {_share(c['near'], c['true'])}"
    )
    for what in ("answers", "solutions"):
        print(
            f"  {what:<11} {_share(c[f'{what} right'], c[f'{what} true'])}; {c[f'{what} invented']} where there is none"
        )
    given_, right, true = c["figures given"], c["figures right"], c["figures true"]
    print(f"  figures     precision {_share(right, given_)}, recall {_share(right, true)}")


def main() -> int:
    """Prints what was measured."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--half", choices=("unseen", "rules"), default="unseen")
    parser.add_argument("--problems", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--figures", choices=("given", "cut"), default="given")
    parser.add_argument("--scans", type=int, default=0, help="papers of each language to read as scans too")
    parser.add_argument("--pages", type=Path, help="folder that keeps what OCR read")
    parser.add_argument("--save", type=Path, help="folder that keeps the PDFs")
    parser.add_argument("--show", type=int, default=0, help="failures to print")
    args = parser.parse_args()
    items = items_of(args.data, args.half, args.problems)
    logos = sorted((args.data / "geolaux/mini_auxiliary_images").glob("*.png"))[:5]
    totals: dict[str, Counter[str]] = {"text layer": Counter(), "scans": Counter()}
    n: Counter[str] = Counter()
    shown: dict[str, list[str]] = {"text layer": [], "scans": []}
    by_trait: dict[str, Counter[str]] = {}
    for paper in papers(items, args.half, args.rounds, args.scans, logos):
        if args.save:
            args.save.mkdir(parents=True, exist_ok=True)
            (args.save / f"{hashlib.sha256(paper.pdf).hexdigest()[:6]}.pdf").write_bytes(paper.pdf)
        read = read_pdf(paper, args.figures)
        counts = measured(paper, read, shown["text layer"]) + Counter(pages=len(read.pages))
        totals["text layer"] += counts
        n["text layer"] += 1
        for trait, value in paper.layout.items():
            by_trait.setdefault(f"{trait}={value!r}", Counter()).update(counts)
        if paper.pages:
            read = read_scan(paper, args.pages, args.figures)
            totals["scans"] += measured(paper, read, shown["scans"]) + Counter(pages=len(read.pages))
            n["scans"] += 1
    print(json.dumps({"problems": len(items), "sets": Counter(i.key.split("/")[0] for i in items)}))
    for name, counts in totals.items():
        if n[name]:
            report(name, counts, n[name])
            for text in shown[name][: args.show]:
                print(text)
    worst = sorted(by_trait.items(), key=lambda one: one[1]["whole"] / max(1, one[1]["true"]))[:8]
    print("lowest share of whole texts by trait: " + "; ".join(f"{t} {c['whole'] / c['true']:.3f}" for t, c in worst))
    return 0


if __name__ == "__main__":
    sys.exit(main())
