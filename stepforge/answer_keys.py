"""Answer keys in files of their own: which file is one, of which papers, and its answers joined to their problems.

A key is a file called `answers`, `answer_key`, `key`, `答案` or `参考答案`, alone or after a paper's name (`2023.pdf`,
`2023-answers.csv`), or one that `contest.toml` names under `[answers]`.  A table has the columns `number` and `answer`,
and may have `paper`, `part` and `solution`; a text, PDF or scan has lines `12. B`, several in a line, or runs
`1-5 ABCDA`.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import PurePosixPath
from typing import NamedTuple

from stepforge.outcome import Outcome, reject
from stepforge.papers import read_key_pages
from stepforge.records import Document, Page, Problem, Rejection
from stepforge.sources import answer_of, csv_rows
from stepforge.vocabulary import AnswerKind, Disposition, ProblemType, Reason

ANSWER_KEY = "answer-key"  # source name of such a file
STAGE = "problems"
MAX_NUMBER = 999
MAX_ANSWER_CHARS = 2_000
TABLES = (".csv", ".tsv")
TEXTS = (".txt", ".md")
_WORD = r"(?:answers?(?:[ _-]?keys?)?|keys?|solutions?[ _-]?key|(?:参考)?答案)"
_ALONE = re.compile(_WORD, re.IGNORECASE)
_NAMED = re.compile(rf"(.{{1,200}}?)(?:[ ._-]{_WORD}|(?:参考)?答案)", re.IGNORECASE)
_NUMBER = re.compile(r"0{0,2}([1-9]\d{0,2})")
_ENTRY = re.compile(
    r"(?:^|(?<=\s))(?:(\d{1,3})\s?(?:[.．:：](?!\d)|[、)）])|[(（](\d{1,3})[)）]|第\s?(\d{1,3})\s?题)\s{0,9}", re.M
)
_LINE = re.compile(r"(\d{1,3})(?:\s?[.．、:：)）]\s{0,9}|\s{1,20})(\S.{0,1999})")
_RUN = re.compile(
    r"(?<!\d)(\d{1,3})\s?[-–—~～]\s?(\d{1,3})\s?[.:：、]?\s{0,3}([A-H](?:[ ,，、]?[A-H]){1,60})(?![A-Za-z])"
)
_PLACE = re.compile(r"(?:/part:(?P<part>\d{1,4}))?/(?:problem|block):0*(?P<number>\d{1,3})")


class KeyEntry(NamedTuple):
    """One answer of a key.  `paper`: as the key names it; `part`: of the paper, from 1; None: the key does not say."""

    number: int
    answer: str
    solution: str | None = None
    paper: str | None = None
    part: int | None = None


def paper_of_key(path: str) -> str | None:
    """The name before `answers` in a key's name; "" if there is none, None if the file is no key by its name."""
    stem = PurePosixPath(path).stem
    if _ALONE.fullmatch(stem):
        return ""
    match = _NAMED.fullmatch(stem)
    return None if match is None else match[1].rstrip(" ._-")


def is_key_table(head: bytes) -> bool:
    """Whether a table has a key's columns and no questions."""
    first = head.decode("utf-8-sig", errors="replace").split("\n", 1)[0].lower()
    names = {name.strip().strip('"') for name in re.split(r"[,\t;]", first)}
    return {"number", "answer"} <= names and names.isdisjoint({"question", "problem", "prompt"})


def papers_of(key: str, papers: Sequence[str], named: Mapping[str, str]) -> tuple[str, ...]:
    """Paths of the papers that a key may answer: the one that `named` (key: paper) gives it, the one of its own name,
    those in its folder, or all.  () if the paper that it names is not there."""
    others = [paper for paper in papers if paper != key]
    if named.get(key):
        return tuple(paper for paper in others if paper == named[key])
    folder, own = PurePosixPath(key).parent, paper_of_key(key)
    if own:
        return tuple(paper for paper in others if _is_named(paper, own, folder))
    beside = tuple(paper for paper in others if PurePosixPath(paper).parent == folder)
    return beside or tuple(others)


def _is_named(paper: str, name: str, folder: PurePosixPath | None = None) -> bool:
    pure, wanted = PurePosixPath(paper), PurePosixPath(name)
    if folder is not None and pure.parent != folder:
        return False
    return name in (paper, pure.name) or pure.stem.casefold() == wanted.name.casefold()


def table_entries(data: bytes) -> Iterator[KeyEntry | str]:
    """Answers of a table, or what is wrong with a row."""
    for raw in csv_rows(data):
        if raw.value is None:
            yield f"{raw.locator}: {raw.error}"
            continue
        row = {name.strip().lower(): value.strip() for name, value in raw.value.items()}
        match, part = _NUMBER.fullmatch(row.get("number", "")), _NUMBER.fullmatch(row.get("part", ""))
        if row.get("part") and part is None:
            yield f"{raw.locator}: part: {row['part'][:60]!r} is no number; count the parts of the paper from 1"
        elif match is None:
            yield f"{raw.locator}: number: {row.get('number', '')[:60]!r} is no number from 1 to {MAX_NUMBER}"
        elif not row.get("answer"):
            yield f"{raw.locator}: answer: it is empty; write the answer of problem {match[1]}"
        elif len(row["answer"]) > MAX_ANSWER_CHARS:
            yield f"{raw.locator}: answer: {len(row['answer'])} characters, the limit is {MAX_ANSWER_CHARS}"
        else:
            solution, paper = row.get("solution") or None, row.get("paper") or None
            yield KeyEntry(int(match[1]), row["answer"], solution, paper, int(part[1]) if part else None)


def text_entries(text: str) -> Iterator[KeyEntry]:
    """Answers of a text, in rising order: `12. B`, `(3) 5/7`, `第3题 5`, `1-5 ABCDA`; `12 B` where every line is so."""
    runs = [(int(m[1]), int(m[2]), re.sub(r"[ ,，、]", "", m[3])) for m in _RUN.finditer(text)]
    found = {
        first + place: letter
        for first, last, letters in runs
        if last - first + 1 == len(letters)
        for place, letter in enumerate(letters)
    }
    rest = _RUN.sub("\n", text)
    marks = [(int(next(filter(None, m.groups()))), m.start(), m.end()) for m in _ENTRY.finditer(rest)]
    rising: list[tuple[int, int, int]] = []
    for mark in marks:
        if not rising or mark[0] == rising[-1][0] + 1 or (mark[0] > rising[-1][0] and _begins_line(rest, mark[1])):
            rising.append(mark)
    if not found and (lines := _numbered_lines(rest, len(rising))):
        yield from lines
        return
    ends = [start for _, start, _ in (*rising[1:], (0, len(rest), 0))][: len(rising)]
    for (number, _, begin), end in zip(rising, ends, strict=True):
        answer = " ".join(rest[begin:end].split())[:MAX_ANSWER_CHARS]
        if answer:
            found.setdefault(number, answer)
    yield from (KeyEntry(number, found[number]) for number in sorted(found))


def _numbered_lines(text: str, more_than: int) -> list[KeyEntry]:
    """Entries of a text whose lines begin with one number after the other, `12 B`, or `12.5` where a scan lost the
    space; [] unless they are most of the lines and more than so many."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    found = [KeyEntry(int(m[1]), m[2].strip()) for line in lines if (m := _LINE.fullmatch(line))]
    steps = [b.number - a.number for a, b in pairwise(found)]
    is_list = len(found) > max(more_than, len(lines) // 2) and all(step >= 1 for step in steps)
    return found if is_list and (len(found) < 2 or sum(step == 1 for step in steps) * 2 >= len(steps)) else []


def _begins_line(text: str, at: int) -> bool:
    return at == 0 or text[at - 1] == "\n"


def page_entries(pages: Sequence[Page]) -> Iterator[KeyEntry]:
    """Answers and solutions on pages: tables, grids and columns too, as `stepforge.papers` reads them, or as a text,
    whichever says more."""
    found: dict[tuple[int, int], KeyEntry] = {}
    for one in read_key_pages(pages):
        if one.number.isdecimal():
            place = (one.part or 0, int(one.number))
            known = found.get(place, KeyEntry(place[1], "", part=one.part))
            answer, solution = known.answer or (one.answer or "")[:MAX_ANSWER_CHARS], known.solution or one.solution
            found[place] = known._replace(answer=answer, solution=solution)
    plain = list(text_entries("\n".join(line.text for page in pages for line in page.lines)))
    yield from plain if len(plain) > len(found) else (found[place] for place in sorted(found))


class Key(NamedTuple):
    """A key as it was read: its document, the papers that it may answer, its entries and what is wrong in it."""

    document: Document
    papers: tuple[str, ...]
    entries: tuple[KeyEntry, ...]
    faults: tuple[str, ...] = ()


def read_key(
    document: Document, data: bytes, pages: Sequence[Page], papers: Sequence[str], named: Mapping[str, str]
) -> Key:
    """The key in a document.  data: of a table or text.  pages: of a PDF or scan.  papers: paths of those there are."""
    ending = PurePosixPath(document.path).suffix.lower()
    if ending in TABLES:
        found = list(table_entries(data))
    elif ending in TEXTS:
        found = list(text_entries(data.decode("utf-8-sig", errors="replace")))
    else:
        found = list(page_entries(pages))
    faults = [one for one in found if isinstance(one, str)]
    faults += [f"page {page.number}: {page.error}" for page in pages if page.error is not None]
    return Key(
        document,
        papers_of(document.path, papers, named),
        tuple(one for one in found if isinstance(one, KeyEntry)),
        tuple(faults),
    )


def with_keys(
    papers: Mapping[str, Outcome[Problem]], keys: Sequence[Key]
) -> tuple[dict[str, Outcome[Problem]], Outcome[Problem]]:
    """The problems of the papers (by path) with the answers of the keys, and what became of the keys.

    An answer that the paper itself gives stays.  A number that stands in several parts of a paper is joined to the part
    that the key names; where it names none, it is refused.

    A key has its document's id as record id, an entry that no problem takes `<document_id>#key:N`.
    """
    at: _Places = defaultdict(list)
    said: dict[str, KeyEntry] = {}
    for path, outcome in papers.items():
        for problem in outcome.kept:
            match = _PLACE.search(problem.provenance.locator)
            if match:
                for part in {None, int(match["part"]) if match["part"] else None}:
                    at[path, part, int(match["number"])].append(problem)
    told = [_join(key, at, said) for key in keys]
    filled = {
        path: outcome._replace(kept=[_answered(problem, said.get(problem.problem_id)) for problem in outcome.kept])
        for path, outcome in papers.items()
    }
    rejections = [rejection for part in told for rejection in part]
    return filled, Outcome([], rejections, [rejection.record_id for rejection in rejections])


_Places = dict[tuple[str, int | None, int], list[Problem]]  # by paper, part (None: whichever) and number


def _contradicted(problem: Problem, entry: KeyEntry, earlier: KeyEntry | None) -> str | None:
    """What else was said of the answer of an entry; the paper's own answer stays, and so does the first key's."""
    if not entry.answer:
        return None  # a solution alone
    answer = answer_of(entry.answer, problem.choices)
    if earlier is not None and earlier.answer and answer_of(earlier.answer, problem.choices) != answer:
        return f"problem {entry.number} has the answer {earlier.answer[:60]!r} of a key already"
    if problem.answer is not None and problem.answer != answer:
        return f"problem {entry.number} has the answer {problem.answer.text[:60]!r} in the paper itself"
    return None


def _join(key: Key, at: _Places, said: dict[str, KeyEntry]) -> list[Rejection]:
    """Fill `said` with the entries of a key by problem; what became of it."""
    document = key.document
    rejections: dict[str, Rejection] = {}
    joined: dict[str, int] = defaultdict(int)

    def refuse(name: str, why: str, entry: KeyEntry | None = None) -> None:
        record = f"{document.document_id}#key:{name}"
        while record in rejections:
            record += "~"
        evidence = f"{entry.number}: {entry.answer}"[:300] if entry else ""
        rejections[record] = reject(
            STAGE, record, Reason.UNMATCHED_ANSWER, f"{document.path}: {why}", evidence=evidence
        )

    for number, fault in enumerate(key.faults, 1):
        refuse(f"fault-{number}", fault)
    for entry in key.entries:
        papers = [p for p in key.papers if entry.paper is None or _is_named(p, entry.paper)]
        places = {
            path: at.get((path, entry.part, entry.number)) or at.get((path, None, entry.number)) for path in papers
        }
        found = [(path, problems) for path, problems in places.items() if problems]
        if len(found) == 1 and len(found[0][1]) > 1:
            path, problems = found[0]
            why = f"{len(problems)} parts of {path} have a problem {entry.number}; name the part (a column 'part')"
            refuse(str(entry.number), why, entry)
        elif len(found) == 1:
            path, (problem,) = found[0]
            wrong = _contradicted(problem, entry, said.get(problem.problem_id))
            if wrong is not None:
                refuse(str(entry.number), f"{wrong}; one of the two is wrong: mend it", entry)
                continue
            said.setdefault(problem.problem_id, entry)
            joined[path] += 1
        elif found:
            refuse(str(entry.number), f"{len(found)} papers have a problem {entry.number}; name the paper", entry)
        else:
            where = ", ".join(papers[:3]) or f"a paper {entry.paper!r}" if entry.paper or papers else "its paper"
            refuse(str(entry.number), f"there is no problem {entry.number} in {where}", entry)
    total = ", ".join(f"{count} answers to {path}" for path, count in sorted(joined.items()))
    detail = f"{document.path}: an answer key, {total or 'no answer of which was used'}"
    whole = reject(
        STAGE,
        document.document_id,
        Reason.ANSWER_KEY if total else Reason.UNMATCHED_ANSWER,
        detail,
        disposition=Disposition.NOT_APPLICABLE if total else Disposition.DROPPED,
    )
    return [whole, *rejections.values()]


def _answered(problem: Problem, entry: KeyEntry | None) -> Problem:
    """The problem with what the key says of it and it does not say itself."""
    if entry is None:
        return problem
    update: dict[str, object] = {}
    if problem.answer is None and entry.answer:
        answer = answer_of(entry.answer, problem.choices)
        update["answer"] = answer
        if (
            answer is not None
            and answer.kind is AnswerKind.MULTI_PART
            and problem.problem_type is ProblemType.FREE_FORM
        ):
            update["problem_type"] = ProblemType.MULTI_STEP
    if problem.solution is None and entry.solution:
        update["solution"] = entry.solution
    return problem.model_copy(update=update) if update else problem
