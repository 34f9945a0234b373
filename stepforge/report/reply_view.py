"""One reply as the page of its item shows it: its outcome, its steps with what they matched and what is wrong in them,
what judges said, and the text as received."""

from collections.abc import Sequence
from typing import NamedTuple

from stepforge.records import Judgement, JudgeVerdict, Task
from stepforge.report.evidence import Outcome, Reply, answer_outcome, detection_outcome, settled
from stepforge.report.mathematics import as_formula
from stepforge.vocabulary import DefectKind, Method, TaskKind

MAX_STEP_CHARS = 2_000
MAX_ANSWER_CHARS = 600
MAX_UNITS = 80  # the longest reference solution of the five benchmarks' data has 24 steps
MAX_MATCHES = 60
MAX_RAW_HEAD, MAX_RAW_TAIL = 3_000, 1_000
MAX_RATIONALE_CHARS = 1_500
MAX_FACT_CHARS = 300


class Texts:
    """Shortens texts and keeps what it gave out."""

    def __init__(self) -> None:
        self.given: list[str] = []

    def __call__(self, text: str, limit: int = MAX_STEP_CHARS) -> str:
        """The text; if it is too long, its beginning with a note of how much is missing."""
        self.given.append(cut(text, limit))
        return self.given[-1]


def cut(text: str, limit: int = MAX_STEP_CHARS * 2) -> str:
    """The text; if it is too long, its beginning with a note of how much is missing."""
    return text if len(text) <= limit else f"{text[:limit]} … [{len(text) - limit:,} more characters]"


class Unit(NamedTuple):
    """One reasoning unit of a reply.  `matched`: numbers of the milestones that it matches; `errors`: what was found,
    and by whom."""

    number: int
    text: str
    matched: tuple[int, ...]
    errors: tuple[str, ...]


class Match(NamedTuple):
    """How one reference milestone fared.  `unit`: number of the most similar unit; components in [0, 1]."""

    number: int
    milestone: str
    unit: int | None
    matched: bool
    by: str
    components: tuple[tuple[str, float], ...]


class JudgeView(NamedTuple):
    """What a judge said.  `facts`: name and value."""

    rubric: str
    judge: str
    word: str
    facts: tuple[tuple[str, str], ...]
    rationale: str


class ReplyView(NamedTuple):
    """One reply.  `facts`: name and text, in order; `raw`: the reply as received, shortened; None if there is none."""

    system: str
    sample: int | None
    outcome: Outcome
    line: str
    facts: tuple[tuple[str, str], ...]
    answer: str | None
    units: tuple[Unit, ...]
    more_units: int
    matches: tuple[Match, ...]
    judges: tuple[JudgeView, ...]
    scores: tuple[tuple[str, str, str], ...]
    raw: str | None
    raw_cut: int


def place_text(kind: DefectKind | None, location: Sequence[int] | None) -> str:
    """Where a defect is, in words: `step 3`, `before step 2`, `steps 1 and 4`."""
    if location is None:
        return "nowhere"
    numbers = [str(index + 1) for index in location[:20]]
    if not numbers:
        return "no step"
    if kind is DefectKind.MISSING:
        return f"before step {', '.join(numbers)}"
    return f"step{'s' if len(numbers) > 1 else ''} {' and '.join(numbers)}"


def reply_view(task: Task, reply: Reply, texts: Texts, *, several: bool) -> ReplyView:
    """The reply as it is shown.  `several`: whether the replies of a system are numbered."""
    judgement, prediction = reply.judgement, reply.prediction
    solve = task.kind is TaskKind.SOLVE
    outcome = _outcome(task, reply)
    raw = prediction.reply
    missing = max(0, len(raw) - MAX_RAW_HEAD - MAX_RAW_TAIL) if raw else 0
    path, milestones = judgement.reference_path, task.target.reference_paths
    reference = milestones[path] if path is not None and path < len(milestones) else ()
    return ReplyView(
        system=prediction.system,
        sample=prediction.sample + 1 if several else None,
        outcome=outcome,
        line=_line(task, judgement),
        facts=_facts(task, reply),
        answer=texts(as_formula(judgement.answer), MAX_ANSWER_CHARS) if judgement.answer is not None else None,
        units=_units(reply, texts) if solve else (),
        more_units=max(0, len(judgement.units) - MAX_UNITS),
        matches=_matches(judgement, reference, texts) if judgement.units else (),
        judges=tuple(_judge(verdict) for verdict in reply.verdicts),
        scores=tuple((s.metric, f"{s.value:.3f}".rstrip("0").rstrip("."), cut(s.method, 80)) for s in reply.scores),
        raw=None if raw is None else raw if not missing else f"{raw[:MAX_RAW_HEAD]}\n…\n{raw[-MAX_RAW_TAIL:]}",
        raw_cut=missing,
    )


def _outcome(task: Task, reply: Reply) -> Outcome:
    if task.kind is TaskKind.SOLVE:
        return answer_outcome(settled(reply.judgement, reply.verdicts))
    if task.kind is not TaskKind.FORMALIZE:
        return detection_outcome(reply.judgement)
    if reply.lean is None:
        return Outcome("–", "no Lean verdict", None)
    if reply.lean.outcome != "accepted":
        return Outcome("✗", str(reply.lean.outcome), False if reply.lean.outcome == "rejected" else None)
    aligned = bool(reply.lean.equivalent)
    return Outcome(
        "✓" if aligned else "?", "shown equivalent" if aligned else "compiles, not shown equivalent", aligned
    )


def _line(task: Task, judgement: Judgement) -> str:
    """What stands beside the outcome before a reply is opened."""
    if task.kind is TaskKind.SOLVE and judgement.milestones_total:
        return f"{judgement.milestones_matched or 0} of {judgement.milestones_total} milestones"
    if task.kind in {TaskKind.SOLVE, TaskKind.FORMALIZE} or judgement.detected_location is None:
        return ""
    return f"names {place_text(task.target.defect, judgement.detected_location)}"


def _facts(task: Task, reply: Reply) -> tuple[tuple[str, str], ...]:
    judgement, prediction = reply.judgement, reply.prediction
    facts: list[tuple[str, object]] = []
    if judgement.verdict is not None:
        why = f": {judgement.reason}" if judgement.reason else ""
        facts.append(("Final answer", f"{judgement.verdict}, by the test “{judgement.method}”{why}"))
    elif judgement.method and task.kind is not TaskKind.SOLVE:
        facts.append(("Read as", judgement.method))
    if judgement.parts_total:
        parts_right = settled(judgement, reply.verdicts).parts_right or 0
        facts.append(("Sub-answers right", f"{parts_right} of {judgement.parts_total}"))
    if judgement.failure is not None:
        facts.append(("Failure", str(judgement.failure).replace("_", " ")))
    if judgement.detected_location is not None:
        facts.append(("Names", place_text(task.target.defect, judgement.detected_location)))
    if judgement.detected_kind is not None:
        facts.append(("Names the kind", judgement.detected_kind))
    if reply.lean is not None:
        facts.append(("Lean", "; ".join([str(reply.lean.outcome), *reply.lean.reasons[:6]])))
        facts += [("Equivalence", "; ".join(reply.lean.equivalence[:6]))] if reply.lean.equivalence else []
    facts += [("Stopped", prediction.finish)] if prediction.finish else []
    if prediction.tokens_out is not None:
        cost = f", {prediction.cost_usd} USD" if prediction.cost_usd is not None else ""
        facts.append(("Tokens", f"{prediction.tokens_in or 0:,} in, {prediction.tokens_out:,} out{cost}"))
    facts += [("Stored reply", prediction.reply_key)] if prediction.reply_key else []
    return tuple((name, cut(str(value), MAX_ANSWER_CHARS)) for name, value in facts)


def _units(reply: Reply, texts: Texts) -> tuple[Unit, ...]:
    judgement = reply.judgement
    matched: dict[int, list[int]] = {}
    for number, match in enumerate(judgement.milestone_matches, start=1):
        if match.matched and match.unit is not None:
            matched.setdefault(match.unit, []).append(number)
    errors: dict[int, list[str]] = {}
    for verdict in reply.verdicts:
        for index, (score, kind) in enumerate(zip(verdict.step_scores, verdict.error_types, strict=False)):
            if not score or kind is not None:
                name = str(kind).replace("_", " ") + " error" if kind is not None else "wrong"
                errors.setdefault(index, []).append(f"{name} ({verdict.judge.replace('_', ' ')})")
    return tuple(
        Unit(k + 1, texts(text), tuple(matched.get(k, ())), tuple(errors.get(k, ())))
        for k, text in enumerate(judgement.units[:MAX_UNITS])
    )


def _matches(judgement: Judgement, reference: Sequence[str], texts: Texts) -> tuple[Match, ...]:
    rows = []
    for number, match in enumerate(judgement.milestone_matches[:MAX_MATCHES], start=1):
        components = (
            ("S", match.similarity),
            ("semantic", match.semantic),
            ("equation", match.equation),
            ("numeric", match.numeric),
            ("keyword", match.keyword),
        )
        text = texts(reference[number - 1], 200) if number <= len(reference) else ""
        unit = None if match.unit is None else match.unit + 1
        rows.append(Match(number, text, unit, match.matched, str(match.by), components))
    return tuple(rows)


def _judge(verdict: JudgeVerdict) -> JudgeView:
    word = {True: "right", False: "wrong", None: "nothing shown" if verdict.judge == Method.RULES else "undecided"}[
        verdict.right
    ]
    facts = [("Model", verdict.model), ("Prompt", verdict.prompt_id), ("Undecided", verdict.undecided)]
    facts += [(v.name, f"{v.value:.3f}".rstrip("0").rstrip(".")) for v in verdict.values[:12]]
    kept = tuple((name, cut(str(value), MAX_FACT_CHARS)) for name, value in facts if value is not None)
    rationale = cut(verdict.rationale, MAX_RATIONALE_CHARS)
    return JudgeView(cut(verdict.rubric, 40), verdict.judge.replace("_", " "), word, kept, rationale)
