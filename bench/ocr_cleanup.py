"""Character error rate and surviving formulas of real problems read by OCR, before and after cleanup.

python bench/ocr_cleanup.py DATA [--pages DIR] [--scan mild|worn] [--half unseen|rules] [--rules]

DATA is a folder with `geolaux/GeoLaux_minidata.json` (Chinese), `math/test.jsonl`, `mvmath/MV-MATH.json` and
`gsm8k/test.jsonl` (English).  100 problems of each language are typeset on pages (head, foot, pale mark across; two
papers a half and language), scanned (skew, blur, noise, JPEG) and read by the OCR engine of the pipeline.  DIR keeps
what was read, so that a second run needs no engine.  Fonts: apt-get install fonts-liberation fonts-noto-cjk
fonts-dejavu-core.

Split: by the last bit of the SHA-256 of the problem's id (GeoLaux: of its figure).  Rules were written on the half
`rules`; `unseen` is what is reported.  Truth: the source's text; LaTeX as Unicode text on one line (problems whose
formulas need a typesetter, and GeoLaux texts with visible misreadings of their own, are left out).  A formula survives
if all its characters are matched in one piece.  Scans: `mild`, 150 dots an inch; `worn`, 82, noisier.

What is compared, in truth and reading alike: `comparable` - full- and half-width forms of ASCII, kinds of dash, of
quote, of raised dot, of the signs for parallel, similar and congruent are one; blanks count between letters, digits
and punctuation of English, but not beside operators and brackets nor after an option's letter, and not at all in
Chinese.  A lost superscript, subscript or symbol counts as an error.

Lines of a page belong to the problem that they stand in; a head or foot belongs to the problem that it interrupts.
"""

import argparse
import hashlib
import json
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from _plain_math import MONEY, NotPlain, plain
from _scans import SCANS, FontsMissing, Printed, Scan, Sheet, is_printable, scanned, typeset
from rapidfuzz.distance import Levenshtein

from resources.ocr import PageFault
from resources.pages import ENGINE_VERSION, read_pages
from resources.workers import Workers
from stepforge.cleaning import RULES, clean_pages, clean_text
from stepforge.records import Page, PageLine

PER_LANGUAGE = 100
PAPERS = 2  # a half and language
MAX_CHARS = 700
FORMULA_IN_CHINESE = re.compile(r"[∠△⊙☉√A-Za-z0-9(][∠△⊙☉√⊥∥∽≌A-Za-z0-9()°'^_{}+\-−*/=<>≤≥×÷·.: ]*[A-Za-z0-9)°'}]")
OWN_MISREADINGS = re.compile(  # symbols of a formula font that the source's own conversion read as letters or signs
    r"(?:^|[,，。 ])Q ?[A-Z∠△四点在]|[ceVPD?] [A-Z]|<0x|V[A-Z]{2}|[A-Za-z]P[a-z]|[A-Z]P[A-Z]{2}[,，。]|Þ|\ufffd"
    r"|[\ue000-\uf8ff$\\]|O o|[A-Z]{4}\b.=|EEG|\d[oO](?![A-Za-z])",
    re.MULTILINE,
)


class Case(NamedTuple):
    """One problem; its text has formulas in `$…$` where the source marks them."""

    key: str
    group: str
    language: str
    text: str


class Read(NamedTuple):
    """A problem's truth and its readings."""

    case: Case
    truth: str
    raw: str  # every line of the page that stands in the problem
    body: str  # the same without heads and feet, as the layout knows them
    left: str  # what `clean_pages` leaves
    after: str


# The problems


def chinese(data: Path) -> Iterator[Case]:
    """GeoLaux: question, options, solution."""
    rows = json.loads((data / "geolaux/GeoLaux_minidata.json").read_text(encoding="utf-8"))
    for key, row in rows.items():
        parts = [row["problem_text"], "    ".join(row["choices"]), row["solution"]]
        text = "\n".join(re.sub(r"[ \t]+", " ", line).strip() for part in parts for line in part.split("\n"))
        text = re.sub(r"\n{2,}", "\n", text).strip()
        if not OWN_MISREADINGS.search(text):
            yield Case(f"geolaux/{key}", f"geolaux/{row['original_image_name']}", "zh", text)


def english(data: Path) -> Iterator[Case]:
    """MATH, MV-MATH and GSM8K: the question."""
    texts = [(f"math/{row['idx']}", row["problem"]) for row in _lines(data / "math/test.jsonl")]
    texts += [(f"gsm8k/{i}", row["question"]) for i, row in enumerate(_lines(data / "gsm8k/test.jsonl"))][:600]
    rows = json.loads((data / "mvmath/MV-MATH.json").read_text(encoding="utf-8"))
    texts += [(f"mvmath/{row['problem_id']}", row["question"]) for row in rows]
    for key, source in texts:
        text = re.sub(r"<image_\d+>|\n##\s*$", "", source)
        if key.startswith("gsm8k"):
            text = text.replace("$", MONEY)
        if "[asy]" in text or "$$" in text or "__" in text:
            continue
        try:
            text = plain(text)
        except NotPlain:
            continue
        text = re.sub(r"[ \t]*\n\s*", "\n", text).strip()
        if len(text) >= 60:
            yield Case(key, key, "en", text)


def _lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def half_of(case: Case) -> str:
    """`rules` or `unseen`; problems that share a figure stay together."""
    return ("rules", "unseen")[hashlib.sha256(case.group.encode()).digest()[-1] & 1]


def chosen(data: Path, half: str) -> list[Case]:
    """The problems of a half: those with the least hashes, the same number of each language."""
    found = []
    for cases in (chinese(data), english(data)):
        fit = (c for c in cases if half_of(c) == half and len(c.text) <= MAX_CHARS and is_printable(c.text))
        ranked = sorted(fit, key=lambda c: hashlib.sha256(c.key.encode()).hexdigest())
        found += ranked[: PER_LANGUAGE // 2]
    return found


# The pages


class Paper(NamedTuple):
    """A typeset paper with its problems."""

    cases: list[Case]
    sheets: list[Sheet]


def papers(cases: Sequence[Case]) -> list[Paper]:
    """The papers of a half."""
    made = []
    for language, title, folio, mark in (
        ("zh", "2023年中考数学模拟试卷（{}）", "第{{page}}页 共{{pages}}页", "内部资料 请勿外传"),
        ("en", "Mathematics Contest, Paper {}", "Page {{page}} of {{pages}}", "SAMPLE COPY"),
    ):
        own = [case for case in cases if case.language == language]
        size = -(-len(own) // PAPERS)
        for n in range(PAPERS):
            part = own[n * size : (n + 1) * size]
            printed = [Printed(i, case.text) for i, case in enumerate(part, 1)]
            made.append(Paper(part, typeset(printed, title.format(n + 1), folio.format(), mark)))
    return made


class Reader(AbstractContextManager["Reader"]):
    """Reads scanned pages as the pipeline does, or takes them from a folder of what was read."""

    def __init__(self, scan: Scan, cache: Path | None) -> None:
        self._scan, self._cache = scan, cache
        self._workers: Workers | None = None

    def __call__(self, sheet: Sheet, number: int, seed: int) -> Page:
        """The page with its number.  Raises: PageFault."""
        image = scanned(sheet, seed, self._scan)
        name = hashlib.sha256(image + ENGINE_VERSION.encode()).hexdigest()
        kept = self._cache / f"{name[:32]}.json" if self._cache else None
        if kept and kept.is_file():
            return Page.model_validate_json(kept.read_text(encoding="utf-8"))
        print(f"reading page {number}", file=sys.stderr)
        self._workers = self._workers or Workers(1)
        page = read_pages(name, "image/jpeg", image, self._workers)[0].model_copy(update={"number": number})
        if page.error is not None:
            raise PageFault(f"page {number} cannot be read: {page.error}")
        if kept:
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text(page.model_dump_json(), encoding="utf-8")
        return page

    def __exit__(self, *_: object) -> None:
        if self._workers is not None:
            self._workers.__exit__(None, None, None)


def by_problem(paper: Paper, pages: Sequence[Page], *, heads: bool) -> list[str]:
    """The text of each problem: the lines that stand in it and, if asked, the heads and feet that interrupt it."""
    texts: list[list[str]] = [[] for _ in paper.cases]
    current = 0
    for page in pages:
        rows = paper.sheets[page.number - 1].rows
        for line in page.lines:
            row = min(rows, key=lambda r: abs(r.y - _middle(line)))
            current = current if row.problem is None else row.problem
            if heads or row.problem is not None:
                texts[current].append(line.text)
    return ["\n".join(lines) for lines in texts]


def _middle(line: PageLine) -> float:
    return (line.y0 + line.y1) / 2


# The measure

_FOLD = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
_FOLD |= {ord(c): "-" for c in "−–—‐‑"} | {ord(c): '"' for c in "“”„"} | {ord(c): "'" for c in "‘’′"}
_FOLD |= {ord(c): "·" for c in "∙⋅•・"} | {0x2609: "⊙", 0x3000: " ", 0xA0: " ", 0x200B: ""}
_FOLD |= {ord(c): "∽" for c in "~∼"} | {ord("≌"): "≅"}
_RAISED = {ord(c): f"^{d}" for c, d in zip("⁰¹²³⁴⁵⁶⁷⁸⁹ⁿ", "0123456789n", strict=True)}
_RAISED |= {ord(c): f"_{d}" for c, d in zip("₀₁₂₃₄₅₆₇₈₉", "0123456789", strict=True)}
_HAN = re.compile(r"[\u3400-\u9fff]")
_FREE = r"[\u2e80-\u9fff=<>≤≥≈≠≡∈⊥∥→+×÷*/·^_°∠△⊙√∵∴∽≅:\-()…]"
_FREE_BLANK = re.compile(rf"\s+(?={_FREE})|(?<={_FREE})\s+|(?<=\b[A-H]\.)\s+")


def comparable(text: str) -> str:
    """What is compared; see the top."""
    text = text.translate(_RAISED).translate(_FOLD).replace("...", "…").replace("//", "∥")
    text = re.sub(r"([\^_])\{([^{}]*)\}", r"\1\2", text)
    text = re.sub(r"_\d(?:_\d)+", lambda m: "_" + m[0].replace("_", ""), text)
    if _HAN.search(text):
        return re.sub(r"\s+", "", text)
    return _FREE_BLANK.sub("", re.sub(r"\s+", " ", text)).strip()


def formulas(case: Case, truth: str) -> list[tuple[int, int]]:
    """Where the formulas stand in the truth."""
    if case.language == "en":
        wanted = [comparable(m) for m in re.findall(r"\$([^$]+)\$", case.text)]
    else:
        wanted = FORMULA_IN_CHINESE.findall(truth)
    spans, at = [], 0
    for formula in wanted:
        start = truth.find(formula, at)
        if start >= 0 and len(formula) > 1:
            spans.append((start, start + len(formula)))
            at = start + len(formula)
    return spans


def survive(spans: Sequence[tuple[int, int]], truth: str, text: str) -> int:
    """How many of the spans are matched in one piece."""
    matched = [b for b in Levenshtein.opcodes(truth, text) if b.tag == "equal"]
    return sum(any(b.src_start <= start and end <= b.src_end for b in matched) for start, end in spans)


def readings(found: Sequence[Paper], reader: Reader) -> list[Read]:
    """Every problem with its readings."""
    done, seed = [], 0
    for paper in found:
        pages = []
        for number, sheet in enumerate(paper.sheets, 1):
            seed += 1
            pages.append(reader(sheet, number, seed))
        raw, body = by_problem(paper, pages, heads=True), by_problem(paper, pages, heads=False)
        left = by_problem(paper, clean_pages(pages).pages, heads=True)
        for i, case in enumerate(paper.cases):
            truth = f"{i + 1}. {case.text.replace('$', '')}"
            after, _ = clean_text("question", left[i], from_page=True)
            done.append(Read(case, truth, raw[i], body[i], left[i], after))
    return done


def errors(read_: Read, text: str) -> int:
    """Characters to insert, delete or replace."""
    return Levenshtein.distance(comparable(read_.truth), comparable(text))


def table(done: Sequence[Read]) -> None:
    """Print error rates and surviving formulas."""
    print("character error rate: all lines of the page, without heads and feet, after cleanup; formulas that survive")
    print(
        f"{'':5}{'problems':>9}{'characters':>11}{'all':>8}{'body':>8}{'after':>8}{'formulas':>10}{'before':>8}{'after':>8}"
    )
    for name in ("zh", "en", "all"):
        part = [r for r in done if name in ("all", r.case.language)]
        chars = sum(len(comparable(r.truth)) for r in part)
        rates = [
            sum(errors(r, t) for r, t in zip(part, texts, strict=True)) / chars
            for texts in ([r.raw for r in part], [r.body for r in part], [r.after for r in part])
        ]
        spans = [formulas(r.case, comparable(r.truth)) for r in part]
        total = sum(map(len, spans))
        shares = [
            sum(survive(s, comparable(r.truth), comparable(t)) for s, r, t in zip(spans, part, texts, strict=True))
            / max(1, total)
            for texts in ([r.body for r in part], [r.after for r in part])
        ]
        print(
            f"{name:5}{len(part):>9}{chars:>11}{rates[0]:8.2%}{rates[1]:8.2%}{rates[2]:8.2%}{total:>10}"
            f"{shares[0]:8.1%}{shares[1]:8.1%}"
        )
    worse = sum(errors(r, r.after) > errors(r, r.body) for r in done)
    print(f"problems with more errors after cleanup than before (heads and feet not counted): {worse} of {len(done)}")


def by_rule(done: Sequence[Read]) -> None:
    """Print what each rule does to the number of errors, in the order in which they are applied."""
    print("\nerrors that a rule takes away (+) or adds (-), and texts that it changes")
    texts = [r.left for r in done]
    whole = sum(errors(r, r.raw) - errors(r, r.left) for r in done)
    print(f"  {'clean_pages':24}{whole:+6}")
    for rule in RULES:
        new = [rule.apply(text) for text in texts]
        changed = [i for i, (a, b) in enumerate(zip(texts, new, strict=True)) if a != b]
        if changed:
            gain = sum(errors(done[i], texts[i]) - errors(done[i], new[i]) for i in changed)
            print(f"  {rule.name:24}{gain:+6}{len(changed):6}")
        texts = new


def clean_input(data: Path) -> int:
    """Print what cleanup does to the sources' own texts, as if they were from pages; the number made worse."""
    cases = [*chinese(data), *english(data)]
    changed = worse = 0
    for case in cases:
        text = case.text.replace("$", "")
        after, _ = clean_text("question", text, from_page=True)
        distance = Levenshtein.distance(comparable(text), comparable(after))
        changed += after != text
        worse += distance > 0
    print(f"\nclean text in: {len(cases)} problems, {changed} changed in white space or form, {worse} with a new error")
    return worse


def main() -> int:
    """Print the comparison; 1 if clean text is made worse."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--pages", type=Path, help="folder for what the engine reads")
    parser.add_argument("--scan", choices=sorted(SCANS), default="mild")
    parser.add_argument("--half", choices=("unseen", "rules"), default="unseen")
    parser.add_argument("--rules", action="store_true", help="what each rule does")
    args = parser.parse_args()
    try:
        cases = chosen(args.data, args.half)
        made = papers(cases)
    except (FileNotFoundError, NotADirectoryError) as error:
        print(f"{error.filename}: not there; DATA must hold the four sets named in --help", file=sys.stderr)
        return 2
    except FontsMissing as error:
        print(error, file=sys.stderr)
        return 2
    try:
        with Reader(SCANS[args.scan], args.pages) as reader:
            done = readings(made, reader)
    except PageFault as error:
        print(error, file=sys.stderr)
        return 2
    table(done)
    if args.rules:
        by_rule(done)
    return 1 if clean_input(args.data) else 0


if __name__ == "__main__":
    raise SystemExit(main())
