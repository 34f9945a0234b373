"""Whether one of two problems is a copy of the other, token by token.

Words may differ by typing errors, a few edits, a frame around the text or a missing part; numbers and operators may
not. Names and terms that are exchanged for others of their kind make another problem, too.
"""

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from rapidfuzz import process
from rapidfuzz.distance import OSA, LCSseq

from stepforge.duplicates._align import Hunk, hunks_of
from stepforge.duplicates._signatures import I64, Folds, Signatures, chunks_of
from stepforge.duplicates._terms import COMMON, CONTRASTS, INSTRUCTION, LOOSE
from stepforge.duplicates._text import Kind

EDIT_SHARE = 0.2  # words of the shorter text that may be edited …
SHORT_SHARE = 0.34  # … of a short one, three of them at most
FEW_EDITS = 3.0
TYPO_COST = 0.3
PUT_IN_COST = 0.75  # a word that stands against nothing
PART_SHARE = 0.15  # words that may be edited where one text is a part of the other
MAX_LABEL = 6  # letters of a label in a figure
MAX_COMMON = 4000
GAP_TOKENS = 5  # a part that is missing, not some words
COVERED = 0.5  # of the longer text, by the one that is contained in it
FRAMED = 0.12  # the same where what is around it is a frame of words
KNOWN_FRAME = 0.6  # of the words around a text: those of requests
MIN_FRAMED_TOKENS = 8
MIN_PART = 6
NEAR_CUT = 10  # tokens from where a text is cut
MIN_EDITED_PART = 12  # tokens of a part in which words may be edited
MIN_WHOLE_PART = 15  # tokens of a part that is one whatever is around it


class Relation(StrEnum):
    """What one problem is to another."""

    SAME = "same"  # token by token
    COPY = "copy"
    PART = "part"  # one is contained in the other
    VARIANT = "variant"
    OTHER = "other"


class Verdict(NamedTuple):
    """similarity: 0-1, tokens in common of the part that both have.  reason: what differs."""

    relation: Relation
    similarity: float
    reason: str


OTHER = Verdict(Relation.OTHER, 0.0, "")


MAX_CODES = 0x110000  # characters there are


class Comparer:
    """Compares problems of one set of signatures."""

    def __init__(self, signatures: Signatures, folds: Folds) -> None:
        self._signatures, self._first = signatures, folds.first
        self._tokens = _Tokens(signatures.vocabulary, folds.texts, folds.kinds.tobytes())
        self._exact_codes = len(signatures.vocabulary) <= MAX_CODES
        self._codes: list[str] = []  # each problem as a text of one character a token
        for low, high in chunks_of(signatures.starts):
            edges = signatures.starts[low : high + 1] - signatures.starts[low]
            folded = folds.first[signatures.tokens[signatures.starts[low] : signatures.starts[high]]]
            text = (folded % np.uint32(MAX_CODES)).tobytes().decode("utf-32-le", "surrogatepass")
            self._codes += [text[i:j] for i, j in pairwise(edges.tolist())]

    def common(self, later: I64, earlier: I64) -> npt.NDArray[np.int64]:
        """Of each pair: the length of the longest common subsequence of tokens; of few in texts over 4,000 tokens,
        where it would cost too much."""
        one, two = self._codes, self._codes
        return process.cpdist(
            [one[i][:MAX_COMMON] for i in later.tolist()],
            [two[i][:MAX_COMMON] for i in earlier.tolist()],
            scorer=LCSseq.similarity,
            dtype=np.int64,
            workers=-1,
        )

    def compare(self, later: int, earlier: int) -> Verdict:
        """The verdict on two problems; the same whichever is named first."""
        a, b = self._signatures.of(later), self._signatures.of(earlier)
        code_a, code_b = self._codes[later], self._codes[earlier]
        if not self._exact_codes:
            number: dict[int, int] = {}
            code_a, code_b = (
                "".join(chr(number.setdefault(t, len(number))) for t in self._first[side].tolist()) for side in (a, b)
            )
        if code_a == code_b:
            return Verdict(Relation.SAME, 1.0, "the same but for notation")
        if len(a) > len(b) or (
            len(a) == len(b) and self._tokens.written(a.tolist()) > self._tokens.written(b.tolist())
        ):
            a, b, code_a, code_b = b, a, code_b, code_a
        return _Comparison(self._tokens, a.tolist(), b.tolist()).verdict(code_a, code_b)


class _Tokens(NamedTuple):
    """Of each number: the token as written, in the form in which it is compared, and its kind."""

    words: Sequence[str]
    folds: Sequence[str]
    kinds: bytes

    def written(self, numbers: Sequence[int]) -> list[str]:
        return [self.words[t] for t in numbers]

    def digits(self, number: int) -> bool:
        """Whether it is a number in digits."""
        first = self.words[number][0]
        return first.isdecimal() or first == "."


class _Comparison:
    """A shorter text against a longer one."""

    def __init__(self, tokens: _Tokens, a: list[int], b: list[int]) -> None:
        self.tokens, self.a, self.b = tokens, a, b
        self.edits = 0.0
        self.gap = 0  # tokens of parts that only the longer text has
        self.lost = 0  # tokens of parts that only the shorter text has
        self.numbers: tuple[list[int], list[int]] = ([], [])  # that stand against nothing or another one
        self.operators = False
        self.contrast: tuple[str, str] | None = None
        self.swaps: Counter[tuple[str, str]] = Counter()
        self.named: set[tuple[str, str]] = set()
        self.shown: tuple[list[int], list[int]] | None = None
        self.frame: list[int] = []
        self.cut_before, self.cut_after = 0, len(a)  # between these the shorter text is whole

    def verdict(self, a: str, b: str) -> Verdict:
        hunks = hunks_of(a, b)
        if hunks is None:
            return OTHER
        equal = len(a) - sum(h.i2 - h.i1 for h in hunks)
        first, last = hunks[0], hunks[-1]
        if first.i1 == 0 and first.j2 > first.i2 + FEW_EDITS:
            self.cut_before = NEAR_CUT
        if last.i2 == len(a) and last.j2 - last.j1 > last.i2 - last.i1 + FEW_EDITS:
            self.cut_after = len(a) - NEAR_CUT
        for hunk in hunks:
            self._read(hunk)
        return self._decide(equal)

    def _read(self, hunk: Hunk) -> None:
        a, b = self.a[hunk.i1 : hunk.i2], self.b[hunk.j1 : hunk.j2]
        head, tail = hunk.i1 == 0 and hunk.j1 == 0, hunk.i2 == len(self.a) and hunk.j2 == len(self.b)
        over = len(b) - len(a)
        if head and not tail and over > 0:
            a, b = self._framed(a, b[:over], b[over:], cut=0)
        elif tail and not head and over > 0:
            a, b = self._framed(a, b[len(a) :], b[: len(a)], cut=-1)
        elif (head or tail) and not b and len(a) > FEW_EDITS:
            self.lost += len(a)
            return
        elif not a and not self.cut_before <= hunk.i1 <= self.cut_after and self._sign(b):
            return  # the text is cut inside of a formula: its brackets and fractions are not known as such
        elif over >= GAP_TOKENS and len(a) <= over / 4:
            self.gap += over
            b = max(b[: len(a)], b[over:], key=lambda beside: self._likeness(a, beside))
        elif -over >= GAP_TOKENS and len(b) <= -over / 4:
            self.lost -= over
            a = max(a[: len(b)], a[-over:], key=lambda beside: self._likeness(b, beside))
        self._inner(a, b)

    def _sign(self, tokens: list[int]) -> bool:
        return len(tokens) == 1 and self.tokens.kinds[tokens[0]] == Kind.OPERATOR

    def _likeness(self, a: list[int], b: list[int]) -> float:
        folds = self.tokens.folds
        return sum(folds[x] == folds[y] or 0.5 * _misspelt(folds[x], folds[y]) for x, y in zip(a, b, strict=False))

    def _framed(self, a: list[int], around: list[int], beside: list[int], cut: int) -> tuple[list[int], list[int]]:
        """Put aside what is around the text; what stands against each other.  cut: where the shorter text may end
        inside of a word or number."""
        self.gap += len(around)
        self.frame += around
        if a:
            short, long = self.tokens.folds[a[cut]], self.tokens.folds[beside[cut]]
            if len(short) < len(long) and (long.startswith(short) if cut else long.endswith(short)):
                a = [*a[:-1], beside[-1]] if cut else [beside[0], *a[1:]]
        return a, beside

    def _inner(self, a: list[int], b: list[int]) -> None:
        folds = self.tokens.folds
        while a and b and folds[a[-1]] == folds[b[-1]]:
            a, b = a[:-1], b[:-1]
        while a and b and folds[a[0]] == folds[b[0]]:
            a, b = a[1:], b[1:]
        if not a and not b:
            return
        if self.shown is None:
            self.shown = a, b
        if len(a) == len(b) == 1 and self.tokens.kinds[a[0]] == self.tokens.kinds[b[0]] == Kind.NUMBER:
            self._numbers(a, b)  # as most are between variants
            return
        words_a, numbers_a, signs_a = self._by_kind(a)
        words_b, numbers_b, signs_b = self._by_kind(b)
        if numbers_a or numbers_b:
            self._numbers(numbers_a, numbers_b)
        if signs_a or signs_b:
            self._operators(signs_a, signs_b)
        if words_a or words_b:
            self._edited(words_a, words_b)

    def _by_kind(self, tokens: list[int]) -> tuple[list[str], list[int], list[str]]:
        """Words as written, numbers, and operators as they are compared."""
        words, numbers, signs = list[str](), list[int](), list[str]()
        for token in tokens:
            kind = self.tokens.kinds[token]
            if kind == Kind.WORD:
                words.append(self.tokens.words[token])
            elif kind == Kind.NUMBER:
                numbers.append(token)
            else:
                signs.append(self.tokens.folds[token])
        return words, numbers, signs

    def _numbers(self, a: list[int], b: list[int]) -> None:
        folds = self.tokens.folds
        for mine, its, left in ((a, b, self.numbers[0]), (b, a, self.numbers[1])):
            others = [folds[t] for t in its]
            for token in mine:
                if folds[token] in others:
                    others.remove(folds[token])
                else:
                    left.append(token)
                    self.edits += 1

    def _operators(self, a: list[str], b: list[str]) -> None:
        signs = Counter(a), Counter(b)
        left = [signs[0] - signs[1], signs[1] - signs[0]]
        strict = sum(n for one in left for sign, n in one.items() if sign not in LOOSE)
        if strict or (left[0] and left[1]):
            self.operators = True
        self.edits += left[0].total() + left[1].total()

    def _edited(self, a: list[str], b: list[str]) -> None:
        if not a or not b:
            self.edits += PUT_IN_COST * (len(a) + len(b))
            return
        low_a, low_b = [w.casefold() for w in a], [w.casefold() for w in b]
        if len(a) == len(b):
            for one, two, low_one, low_two in zip(a, b, low_a, low_b, strict=True):
                if low_one != low_two:
                    close = _misspelt(low_one, low_two)
                    self.edits += TYPO_COST if close else 1
                    self._swap(one, two, low_one, low_two, misspelt=close)
            return
        size = max(len(a), len(b))
        if _misspelt("".join(low_a), "".join(low_b)):
            self.edits += TYPO_COST * size
            return
        self.edits += size
        self._contrasts(set(low_a), set(low_b))

    def _swap(self, one: str, two: str, low_one: str, low_two: str, *, misspelt: bool) -> None:
        if not misspelt or (one[0].isupper() and two[0].isupper()):
            self.swaps[low_one, low_two] += 1
        self._contrasts({low_one}, {low_two})
        if len(low_one) == len(low_two) == 1 and low_one.isascii() and low_two.isascii():
            self.contrast = low_one, low_two  # letters of formulas
        if one[0].isupper() and two[0].isupper() and low_one not in COMMON and low_two not in COMMON:
            labels = one.isupper() and two.isupper() and len(one) == len(two) and len(one) <= MAX_LABEL
            if labels or not misspelt:
                self.named.add((low_one, low_two))

    def _contrasts(self, a: set[str], b: set[str]) -> None:
        for one in sorted(a - b):
            mine = CONTRASTS.get(one)
            if mine is None:
                continue
            for two in sorted(b - a):
                its = CONTRASTS.get(two)
                if its is not None and its[0] == mine[0] and its[1] != mine[1]:
                    self.contrast = one, two

    def _renamed(self) -> tuple[str, str] | None:
        """A name for which another stands, or a thing, wherever it occurs (two times at least)."""
        if self.named:
            return min(self.named)
        for (one, two), times in sorted(self.swaps.items()):
            if times >= 2 and one not in COMMON and two not in COMMON and not self._has(one):
                return one, two
        return None

    def _has(self, word: str) -> bool:
        return any(self.tokens.folds[t] == word for t in self.b)

    def _decide(self, equal: int) -> Verdict:
        core = max(1, len(self.a) - self.lost)
        renamed = self._renamed() if self.swaps else None
        left = self.numbers
        exchanged = bool(left[0] and left[1])
        missing = sum(map(self.tokens.digits, left[0] + left[1])) > 1
        similarity = round(max(0.0, 1 - self.edits / core) * min(1.0, (core + equal) / (2 * core)), 4)
        if exchanged or missing or self.operators or renamed is not None or self.contrast is not None:
            return self._variant(core, similarity, renamed)
        if not _few(self.edits, core) or (self.lost and self.gap):  # or each has a part of its own
            return OTHER
        contained = self.lost or self.gap
        if contained and not self._contains(core):
            return OTHER
        told = [f"one is contained in the other, which has {contained} tokens more"] if contained else []
        told += [self._told()] if self.shown else []
        return Verdict(Relation.PART if contained else Relation.COPY, similarity, "; ".join(told))

    def _told(self) -> str:
        a, b = self.shown or ([], [])
        return " against ".join(repr(" ".join(self.tokens.written(side))[:60]) for side in (a, b))

    def _variant(self, core: int, similarity: float, renamed: tuple[str, str] | None) -> Verdict:
        left = self.numbers
        words = self.edits - len(left[0]) - len(left[1])
        words -= sum(n for pair, n in self.swaps.items() if pair == renamed or pair in self.named)
        if not _few(words, core) or self.gap + self.lost > 0.3 * len(self.b):
            return OTHER
        if left[0] and left[1]:
            told = ["other numbers", *(", ".join(self.tokens.written(side[:5]))[:60] for side in left)]
        elif self.contrast is not None:
            told = ["other terms", *self.contrast]
        elif renamed is not None:
            told = ["other names", *renamed]
        else:
            return Verdict(Relation.VARIANT, similarity, f"other numbers or operators: {self._told()}")
        return Verdict(Relation.VARIANT, similarity, f"{told[0]}: {told[1]!r} against {told[2]!r}")

    def _contains(self, core: int) -> bool:
        if self.edits > (PART_SHARE * core if core >= MIN_EDITED_PART else 0):
            return False
        covered = core / max(1, len(self.b), len(self.a))
        digits = sum(map(self.tokens.digits, self.frame))
        framed = len(self.frame) == self.gap and not self.lost and digits <= 1
        if framed:
            words = [self.tokens.folds[t] for t in self.frame if self.tokens.kinds[t] == Kind.WORD]
            if sum(word in INSTRUCTION for word in words) >= KNOWN_FRAME * max(1, len(words)):
                return True
        if covered >= COVERED:
            return core >= MIN_PART
        if core >= MIN_WHOLE_PART and not self.edits and covered >= FRAMED:
            return True
        return framed and core >= MIN_FRAMED_TOKENS and covered >= FRAMED


def _few(edits: float, core: int) -> bool:
    return edits <= max(min(SHORT_SHARE * core, FEW_EDITS), EDIT_SHARE * core)


def _misspelt(one: str, two: str) -> bool:
    """Whether the difference is a slip: one change in four letters at most, neighbours exchanged being one."""
    longest = max(len(one), len(two))
    limit = max(1, longest // 4)
    if longest < 3:
        return False
    return bool(OSA.distance(one, two, score_cutoff=limit) <= limit)
