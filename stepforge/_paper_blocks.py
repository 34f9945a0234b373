"""What the lines of a paper are: problems, part by part, headings, and keys at the end."""

import itertools
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from stepforge._paper_keys import begins_table, first_number, key_kind
from stepforge._paper_lines import Line, Place
from stepforge._paper_marks import (
    LATER_LINES,
    STYLES,
    Mark,
    is_instructions,
    marks_of,
    part_heading,
    sequence_of,
)
from stepforge._paper_repair import Gaps

MAX_SAME_HEADINGS = 3  # a heading that stands more often names the parts of each problem
MAX_RULES = 40  # lines of a paper's instructions
FIRST_NUMBERS = 3  # a key may lack the first answers


class Block(NamedTuple):
    """The lines under one number, the mark cut off.  `part`: from 1, counted where numbers begin again; `before`: what
    stood where the number was expected, if it was found again."""

    part: int
    label: str
    lines: tuple[Line, ...]
    places: tuple[Place, ...]
    before: str | None = None


class KeySection(NamedTuple):
    """The lines of a key below its heading."""

    kind: str
    lines: list[Line]


class Structure(NamedTuple):
    """Every line is in one of the three; `part_labels`: as the headings write them, by part."""

    blocks: list[Block]
    keys: list[KeySection]
    headings: list[Line]
    part_labels: dict[int, str]


def structure_of(lines: Sequence[Line], *, is_key: bool = False) -> Structure:
    """Problems, keys and headings of a paper.  is_key: the whole document is a key."""
    parts = {i: label for i, line in enumerate(lines) if (label := part_heading(line.text)) is not None}
    if is_key:
        head = next((i for i, line in enumerate(lines) if key_kind(line.text)), -1)
        kind = key_kind(lines[head].text) if head >= 0 else None
        return Structure([], [KeySection(kind or "both", list(lines[head + 1 :]))], list(lines[: head + 1]), {})
    rules = _instructions(lines, parts)
    shown = [line._replace(text="") if i in rules else line for i, line in enumerate(lines)]
    heads = _key_heads(shown, parts)
    edges = _key_edges(shown, heads, parts)
    body = [True] * len(lines)
    keys = []
    for start, end in edges:
        body[start:end] = [False] * (end - start)
        keys.append(KeySection(heads[start], list(lines[start + 1 : end])))
    kept = [i for i in range(len(lines)) if body[i]]
    inside = [shown[i] for i in kept]
    headings = [k for k, i in enumerate(kept) if i in parts and i not in rules]
    blocks, titles, labels = _blocks(inside, headings, {k: parts[kept[k]] for k in headings})
    titled = [lines[kept[k]] for k in titles]
    return Structure(blocks, keys, [*titled, *(lines[start] for start, _ in edges)], labels)


def _instructions(lines: Sequence[Line], parts: Iterable[int]) -> set[int]:
    """Lines of numbered rules: from their heading to the heading of a part, or to where numbers begin again at 1."""
    found: set[int] = set()
    heads = sorted(parts)
    for i, line in enumerate(lines):
        if i in found or not is_instructions(line.text):
            continue
        near = lines[i + 1 : i + 1 + MAX_RULES]
        ones = sorted({i + 1 + m.line for style in STYLES for m in marks_of(near, style) if m.number == 1})
        ends = [*heads[bisect_left(heads, i + 1) :][:1], *ones[1:2]]
        if ones and ends and ones[0] < min(ends) <= i + MAX_RULES:
            found.update(range(i, min(ends)))
    return found


def _key_heads(lines: Sequence[Line], parts: Iterable[int]) -> dict[int, str]:
    """Lines that head a key: below them a table of answers stands, or the numbers begin again."""
    kinds = {i: kind for i, line in enumerate(lines) if i > 0 and (kind := key_kind(line.text)) is not None}
    often = Counter(lines[i].text for i in kinds)
    kinds = {i: kind for i, kind in kinds.items() if often[lines[i].text] <= MAX_SAME_HEADINGS}
    if not kinds:
        return {}
    chains = sequence_of(lines, sorted({*parts, *kinds}), keys=frozenset(kinds))
    begins = {part[0].line for part in chains[1:]}
    marks = sorted(m.line for part in chains for m in part)
    found = {}
    for i, kind in kinds.items():
        near = range(i + 1, min(i + 1 + LATER_LINES, len(lines)))
        if not marks or marks[0] > i:
            continue
        first = next((m for m in marks if m > i), None)
        if any(begins_table(lines[k].text) for k in near if first is None or k <= first or k in begins) or (
            first in near and first in begins
        ):
            found[i] = kind
        elif (
            not any(i < m for m in marks)
            and (number := first_number(lines[i + 1 : i + 4])) is not None
            and number <= FIRST_NUMBERS
            and bisect_left(marks, i) > number
        ):
            found[i] = kind  # numbered in another way than the problems
    return found


def _key_edges(lines: Sequence[Line], heads: dict[int, str], parts: dict[int, str]) -> list[tuple[int, int]]:
    """Where each key begins and ends: at the next one, or at the heading of a part that had no problems yet."""
    if not heads:
        return []
    first = min(heads)
    seen = {label for i, label in parts.items() if i < first}
    edges = []
    starts = sorted(heads)
    for start, after in zip(starts, [*starts[1:], len(lines)], strict=True):
        end = after
        for i in sorted(parts):
            if start < i < after and seen and parts[i] and parts[i] not in seen and i > start + 1:
                end = i
                seen.update(label for k, label in parts.items() if i <= k < after)
                break
        edges.append((start, end))
    return edges


def _blocks(
    lines: Sequence[Line], headings: Sequence[int], labels: dict[int, str]
) -> tuple[list[Block], list[int], dict[int, str]]:
    """The problems, the lines that are headings, and the labels of the parts."""
    chains = sequence_of(lines, headings)
    if not chains:
        return [], list(range(len(lines))), {}
    marks, before = _repaired(lines, chains, headings)
    starts = [mark.line for _, mark in marks]
    titles = set(range(starts[0]))
    part_labels: dict[int, str] = {}
    for head in headings:
        at = bisect_right(starts, head)
        if at < len(starts) and starts[at] - head <= LATER_LINES:
            titles.update(range(head, starts[at]))
            if labels[head]:
                part_labels.setdefault(marks[at][0], labels[head])
    blocks = []
    for (part, mark), end in zip(marks, [*starts[1:], len(lines)], strict=True):
        if mark.letter:
            part_labels.setdefault(part, mark.letter)
        own = [lines[i] for i in range(mark.line, end) if i not in titles]
        first = own[0]._replace(text=own[0].text[mark.end :].strip())
        places = tuple(line.place for line in own)
        label = f"{mark.letter}{mark.number}"
        blocks.append(Block(part, label, (first, *own[1:]), places, before.get(mark.line)))
    return blocks, sorted(titles), part_labels


def _repaired(
    lines: Sequence[Line], chains: Sequence[Sequence[Mark]], headings: Sequence[int]
) -> tuple[list[tuple[int, Mark]], dict[int, str]]:
    """All marks with their part, those found again among them, and what stood there by line."""
    gaps = Gaps(lines, [m for part in chains for m in part])
    marks: list[tuple[int, Mark]] = []
    before: dict[int, str] = {}
    ends = [*(part[0].line for part in chains[1:]), len(lines)]
    last = -1
    for part, (chain, end) in enumerate(zip(chains, ends, strict=True), 1):
        above = bisect_left(headings, chain[0].line)
        head = headings[above - 1] if above else -1
        found = []
        if 1 < chain[0].number <= 3:
            missing = range(1, chain[0].number)
            found += [
                r for r in gaps.between(max(head, last) + 1, chain[0].line, missing, chain[0].letter) if r.mark.end
            ]
        for a, b in itertools.pairwise(chain):
            found += gaps.between(a.line + 1, b.line, range(a.number + 1, b.number), a.letter)
        tail = chain[-1]
        more = gaps.between(tail.line + 1, min(end, tail.line + 60), [tail.number + 1], tail.letter)
        found += [r for r in more if r.mark.end and not r.mark.text[:1].isdigit()]
        before |= {r.mark.line: r.before for r in found}
        marks += [(part, mark) for mark in sorted([*chain, *(r.mark for r in found)], key=lambda m: m.line)]
        last = marks[-1][1].line
    return marks, before
