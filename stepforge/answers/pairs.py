"""Many pairs of answers at once: rows read, judged by the engine, and the symbolic questions asked together.

Own tests decide nearly all pairs. What they leave open is collected over many rows, answered in bulk (by worker
processes, side by side), and the rows are judged again with the answers known.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from stepforge.answers.equivalence import equivalent
from stepforge.answers.verdict import UNDECIDED, Verdict
from stepforge.json_rows import RowError, row_of
from stepforge.records import Answer
from stepforge.sources._values import guess_answer
from stepforge.vocabulary import AnswerKind, EquivalenceVerdict

ROUNDS = 5  # a set of tuples asks about its parts' parts

Question = tuple[str, str]
Ask = Callable[[Sequence[Question]], Mapping[Question, Verdict]]


class Pair(NamedTuple):
    """One row: a reference and a prediction."""

    pair_id: str | int
    gold: Answer
    prediction: str


def read_pair(line: str) -> Pair:
    """The pair of one JSON line: `id`, `gold` (a text, a number, or a list of alternatives), `prediction`, `kind`?
    Without a kind the engine goes by what the reference looks like; with `multi_part` a list holds the parts.
    A prediction of null is an empty one.  Raises: RowError."""
    row = row_of(line)
    missing = [name for name in ("id", "gold", "prediction") if name not in row]
    if missing:
        raise RowError(f"{', '.join(missing)} missing")
    pair_id = row["id"]
    if not isinstance(pair_id, str | int) or isinstance(pair_id, bool):
        raise RowError("id must be a text or a whole number")
    prediction = "" if row["prediction"] is None else _text(row["prediction"], "prediction")
    return Pair(pair_id, _gold(row["gold"], row.get("kind")), prediction)


def _text(value: Any, name: str) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise RowError(f"{name} must be a text or a number")
    return value if isinstance(value, str) else json.dumps(value)


def _gold(value: Any, kind: Any) -> Answer:
    texts = [_text(item, "gold") for item in (value if isinstance(value, list) else [value])]
    if not texts or not texts[0].strip():
        raise RowError("gold is empty")
    if kind is None:
        guessed = guess_answer(texts[0])
        return (guessed or Answer(kind=AnswerKind.TEXT, text=texts[0])).model_copy(
            update={"alternatives": tuple(texts[1:])}
        )
    try:
        known = AnswerKind(kind)
    except ValueError:
        raise RowError(f"kind {kind!r} is none of {', '.join(AnswerKind)}") from None
    if known is AnswerKind.MULTI_PART and len(texts) > 1:
        return Answer(kind=known, text="", parts=tuple(texts))
    return Answer(kind=known, text=texts[0], alternatives=tuple(texts[1:]))


class _Collector:
    """Answers what is known, and keeps what is not."""

    def __init__(self) -> None:
        self.known: dict[Question, Verdict] = {}
        self.open: dict[Question, None] = {}
        self.asked = False

    def __call__(self, gold: str, predicted: str) -> EquivalenceVerdict:
        return self.judge(gold, predicted).verdict

    def judge(self, gold: str, predicted: str) -> Verdict:
        """The known verdict, else UNDECIDED for now."""
        found = self.known.get((gold, predicted))
        if found is not None:
            return found
        self.open[gold, predicted] = None
        self.asked = True
        return Verdict(UNDECIDED, "none", "to be asked")


def judge_pairs(pairs: Iterable[Pair], ask: Ask) -> list[Verdict]:
    """A verdict for each pair, in order.  `ask` answers questions of the symbolic library, all at once."""
    collector = _Collector()
    rows = list(pairs)
    verdicts: list[Verdict | None] = [None] * len(rows)
    waiting = list(range(len(rows)))
    for _ in range(ROUNDS):
        still = []
        for at in waiting:
            collector.asked = False
            verdicts[at] = equivalent(rows[at].gold, rows[at].prediction, (), collector)
            if collector.asked:
                still.append(at)
        if not still:
            break
        questions = list(collector.open)
        collector.open.clear()
        collector.known.update(ask(questions))
        waiting = still
    return [verdict or Verdict(UNDECIDED, "none", "not asked") for verdict in verdicts]
