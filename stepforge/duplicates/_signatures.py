"""What the search for duplicates keeps of a problem: its tokens as numbers, and what its figures are.

Some 300 bytes a problem; the texts themselves are needed no more.
"""

import hashlib
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stepforge.duplicates._text import folded, surface_tokens

MAX_TOKENS = 20_000  # a longer text is compared as a whole only
MAX_TOKEN_CHARS = 64

U32 = npt.NDArray[np.uint32]
U64 = npt.NDArray[np.uint64]
I64 = npt.NDArray[np.int64]


class Figure(NamedTuple):
    """A figure by content.  phash: 64 bits in hex, None if it was not measured."""

    sha256: str | None
    phash: str | None


class Entry(NamedTuple):
    """A problem as it is compared.

    scope: problems of one composite problem, or beside one formalization that people judged, are compared with each
    other alone, and as a whole only; None: like any other.  public: of a public benchmark."""

    problem_id: str
    text: str
    figures: tuple[Figure, ...] = ()
    scope: str | None = None


def stable_hash(text: str) -> int:
    """64 bits that are the same in every process."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


class Vocabulary:
    """Tokens as written, numbered in the order in which they came."""

    def __init__(self, tokens: Iterable[str] = ()) -> None:
        self.tokens: list[str] = []
        self._number: dict[str, int] = _Numbers(self.tokens)
        for token in tokens:
            self._number[token]

    def numbers(self, tokens: Sequence[str]) -> Iterable[int]:
        """The number of each token; a new one is added."""
        return map(self._number.__getitem__, tokens)

    def __len__(self) -> int:
        return len(self.tokens)


class _Numbers(dict[str, int]):
    def __init__(self, tokens: list[str]) -> None:
        super().__init__()
        self._tokens = tokens

    def __missing__(self, token: str) -> int:
        number = self[token] = len(self._tokens)
        self._tokens.append(token)
        return number


@dataclass(frozen=True)
class Signatures:
    """Problems in the order of their arrival.

    tokens: numbers into `vocabulary`, those of problem i from `starts[i]` to `starts[i + 1]`.  wholes: hash of all
    tokens.  scopes: hash of the scope, 0 for none.  long: the text had more tokens than are kept."""

    ids: list[str]
    tokens: U32
    starts: I64
    wholes: U64
    scopes: U64
    long: npt.NDArray[np.bool_]
    figures: dict[int, tuple[Figure, ...]]
    vocabulary: list[str]

    def __len__(self) -> int:
        return len(self.ids)

    def of(self, i: int) -> U32:
        """Tokens of one problem."""
        return self.tokens[self.starts[i] : self.starts[i + 1]]

    def take(self, rows: Sequence[int] | I64) -> "Signatures":
        """Some of the problems, with the whole vocabulary."""
        rows = np.asarray(rows, np.int64)
        lengths = self.starts[rows + 1] - self.starts[rows]
        starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
        where = np.repeat(self.starts[rows] - starts[:-1], lengths) + np.arange(starts[-1])
        figures = {new: self.figures[old] for new, old in enumerate(rows.tolist()) if old in self.figures}
        return Signatures(
            [self.ids[i] for i in rows.tolist()],
            self.tokens[where],
            starts,
            self.wholes[rows],
            self.scopes[rows],
            self.long[rows],
            figures,
            self.vocabulary,
        )


class Builder:
    """Signatures of problems that are handed in one after the other."""

    def __init__(self) -> None:
        self._vocabulary = Vocabulary()
        self._ids: list[str] = []
        self._tokens, self._lengths = array("I"), array("q")
        self._wholes, self._scopes, self._long = array("Q"), array("Q"), bytearray()
        self._figures: dict[int, tuple[Figure, ...]] = {}

    def add(self, entry: Entry) -> None:
        """One problem more."""
        words = surface_tokens(entry.text)
        if words and max(map(len, words)) > MAX_TOKEN_CHARS:
            words = [word[:MAX_TOKEN_CHARS] if len(word) > MAX_TOKEN_CHARS else word for word in words]
        long = len(words) > MAX_TOKENS
        # without tokens, or with more than are kept, the text itself must tell
        whole = stable_hash(" ".join(entry.text.split())) if long or not words else 0
        kept = words[:MAX_TOKENS]
        before = len(self._tokens)
        self._tokens.extend(self._vocabulary.numbers(kept))
        if entry.figures:
            self._figures[len(self._ids)] = entry.figures
        self._ids.append(entry.problem_id)
        self._lengths.append(len(self._tokens) - before)
        self._wholes.append(whole)
        self._scopes.append(0 if entry.scope is None else stable_hash(entry.scope) | 1)
        self._long.append(long)

    def done(self) -> Signatures:
        """The signatures in the order in which the problems were handed in."""
        starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.frombuffer(self._lengths, np.int64))])
        tokens = np.frombuffer(self._tokens, np.uint32) if self._tokens else np.zeros(0, np.uint32)
        found = Signatures(
            self._ids,
            tokens,
            starts,
            np.array(self._wholes, np.uint64),
            np.array(self._scopes, np.uint64),
            np.frombuffer(bytes(self._long), np.bool_),
            self._figures,
            self._vocabulary.tokens,
        )
        given = found.wholes
        return replace(found, wholes=np.where(given == 0, _wholes(found), given))


class Folds(NamedTuple):
    """Of each token of a vocabulary: the first that folds to the same, its hash, and what it is."""

    first: U32
    hashes: U64
    kinds: npt.NDArray[np.uint8]
    texts: list[str]


def folds_of(vocabulary: Sequence[str]) -> Folds:
    """Folds of a vocabulary."""
    first, seen = np.zeros(len(vocabulary), np.uint32), dict[str, int]()
    hashes, kinds = np.zeros(len(vocabulary), np.uint64), np.zeros(len(vocabulary), np.uint8)
    texts: list[str] = []
    for number, token in enumerate(vocabulary):
        fold = folded(token)
        one = seen.setdefault(fold.text, number)
        texts.append(fold.text if one == number else texts[one])
        first[number], kinds[number] = one, fold.kind
        hashes[number] = stable_hash(fold.text) if one == number else hashes[one]
    return Folds(first, hashes, kinds, texts)


CHUNK = 2_000_000  # tokens at one time


def chunks_of(starts: I64, size: int = CHUNK) -> Iterable[tuple[int, int]]:
    """Ranges of problems with about `size` tokens each."""
    first = 0
    while first < len(starts) - 1:
        end = int(np.searchsorted(starts, starts[first] + size, "right")) - 1
        end = min(max(end, first + 1), len(starts) - 1)
        yield first, end
        first = end


def mixed(values: U64) -> U64:
    """Each value with all of its bits spread over all bits."""
    values = values ^ (values >> np.uint64(31))
    values = values * np.uint64(0x9E3779B97F4A7C15)
    return values ^ (values >> np.uint64(29))


def _wholes(signatures: Signatures) -> U64:
    folds = folds_of(signatures.vocabulary)
    out = np.zeros(len(signatures), np.uint64)
    for first, end in chunks_of(signatures.starts):
        low, high = signatures.starts[first], signatures.starts[end]
        place = np.arange(low, high) - np.repeat(
            signatures.starts[first:end], np.diff(signatures.starts[first : end + 1])
        )
        terms = mixed(folds.hashes[signatures.tokens[low:high]] + mixed(place.astype(np.uint64)))
        sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(terms, dtype=np.uint64)])
        edges = signatures.starts[first : end + 1] - low
        out[first:end] = mixed(sums[edges[1:]] - sums[edges[:-1]])
    return out | np.uint64(1)


def joined(parts: Sequence[Signatures]) -> Signatures:
    """Problems of several batches, one batch after the other, over one vocabulary."""
    if len(parts) == 1:
        return parts[0]
    vocabulary = Vocabulary()
    tokens, figures, offset = [], dict[int, tuple[Figure, ...]](), 0
    for part in parts:
        numbers = np.fromiter(vocabulary.numbers(part.vocabulary), np.uint32, len(part.vocabulary))
        tokens.append(numbers[part.tokens] if len(part.tokens) else part.tokens)
        figures |= {offset + i: f for i, f in part.figures.items()}
        offset += len(part)
    lengths = np.concatenate([np.diff(part.starts) for part in parts]) if parts else np.zeros(0, np.int64)
    return Signatures(
        [i for part in parts for i in part.ids],
        np.concatenate(tokens) if tokens else np.zeros(0, np.uint32),
        np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)]),
        np.concatenate([p.wholes for p in parts]) if parts else np.zeros(0, np.uint64),
        np.concatenate([p.scopes for p in parts]) if parts else np.zeros(0, np.uint64),
        np.concatenate([p.long for p in parts]) if parts else np.zeros(0, np.bool_),
        figures,
        vocabulary.tokens,
    )
