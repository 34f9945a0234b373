"""The panel of judges: which reply is put to whom by which rubric, and what becomes of what they say.

Each question to a judge ends as a verdict, or as a rejection where the provider, the budget or a batch holds its reply
up: that says nothing of the reply that is judged, and the next build asks again. What the judge itself did (it refused,
lost count, contradicted itself, wrote something else than was asked for) is a verdict that is undecided, never a 0.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from stepforge.asking import Answered, Ask, ModelReply, ModelRequest, Part, rejection_of, user
from stepforge.judges import MAX_RATIONALE_CHARS, RUBRICS, Case, Reading, Rubric, item_of, rendered, too_long
from stepforge.judges._rules import JUDGE as RULES
from stepforge.judges._rules import recomputed
from stepforge.judging import judgement_id
from stepforge.outcome import Outcome, Tick, no_tick, reject
from stepforge.records import Judgement, JudgeVerdict, Prediction, Record, Rejection, Task
from stepforge.vocabulary import NOT_COUNTED, Disposition, ModelFailureKind, PartKind, Reason

STAGE = "judge_verdicts"
FIRST = "judge"
SECOND = "second_judge"
SEED = "second judge 1"
STEPS = "steps"  # the rubric whose items the rules look at, too

# what the model did stands, for better or worse; anything else is the provider's, the budget's or the configuration's
_OWN_DOING = {
    ModelFailureKind.TRUNCATED: "the judge's reply was cut at its token limit",
    ModelFailureKind.REFUSED: "the judge refused",
    ModelFailureKind.CONTENT_FILTERED: "the provider's content filter held the judge's reply back",
    ModelFailureKind.SCHEMA_VIOLATED: "the judge's reply is not the record it was asked for, mended once",
}


class Seat(NamedTuple):
    """A judge: its role, the model behind it, whether that reads figures, and the share of the items put to it."""

    role: str
    model: str
    figures: bool = False
    share: float = 1.0


class Panel(NamedTuple):
    """The judges by role; without any, only the rules speak."""

    seats: Mapping[str, Seat] = {}

    def first(self, rubric: Rubric) -> Seat | None:
        """Who judges by the rubric, and whose word the scores take."""
        own = self.seats.get(rubric.own_role) if rubric.own_role else None
        return own or self.seats.get(FIRST)

    def asked(self, rubric: Rubric, record_id: str) -> Iterator[Seat]:
        """The judges of one item: the first, and the second if the item is in its sample."""
        if (first := self.first(rubric)) is not None:
            yield first
        second = self.seats.get(SECOND)
        if second is not None and _drawn(f"{SEED}|{rubric.name}|{record_id}") < second.share:
            yield second


class _Question(NamedTuple):
    """One question to one judge."""

    question_id: str
    case: Case
    rubric: Rubric
    seat: Seat


def verdict_id(verdict: JudgeVerdict) -> str:
    """TASK|SAMPLE|RUBRIC|JUDGE: a verdict within one system, and the question that it answers."""
    return f"{judgement_id(verdict.task_id, verdict.sample)}|{verdict.rubric}|{verdict.judge}"


def judge_replies(
    tasks: Sequence[Task],
    judgements: Sequence[Judgement],
    predictions: Sequence[Prediction],
    panel: Panel,
    ask: Ask | None = None,
    tick: Tick = no_tick,
) -> Outcome[JudgeVerdict]:
    """The verdicts on the judged replies of one system, by id.  `ask`: needed if the panel has a judge.

    Input ids are the questions that there are to each reply, TASK|SAMPLE|RUBRIC|JUDGE, and TASK|SAMPLE for a reply to
    which there is none.  The rules judge without being asked: a verdict for each solution in which something could be
    recomputed.  A rubric that applies and has no judge is not applicable, with the reason."""
    outcome: Outcome[JudgeVerdict] = Outcome([], [], [])
    questions: list[_Question] = []
    known = cases(tasks, judgements, predictions)
    for judgement in judgements:
        case = known.get(judgement_id(judgement.task_id, judgement.sample))
        if case is None:
            outcome.input_ids.append(judgement_id(judgement.task_id, judgement.sample))
            outcome.rejections.append(_stray(judgement))
            tick(1)
            continue
        before = len(outcome.input_ids)
        _by_rules(case, outcome)
        questions += _questions(case, panel, outcome)
        if len(outcome.input_ids) == before:
            outcome.input_ids.append(_id(case))
            outcome.rejections.append(_nothing(case))
        tick(1)
    _put(questions, ask, outcome)
    return Outcome(sorted(outcome.kept, key=verdict_id), outcome.rejections, outcome.input_ids)


def cases(
    tasks: Sequence[Task], judgements: Sequence[Judgement], predictions: Sequence[Prediction]
) -> Mapping[str, Case]:
    """The replies that may be judged, by TASK|SAMPLE; those to tasks that are not among `tasks` are left out."""
    by_task = {task.task_id: task for task in tasks}
    replies: dict[str, str] = {}
    for prediction in predictions:  # a second reply of one number was refused by the stage `judgements`
        replies.setdefault(judgement_id(prediction.task_id, prediction.sample), prediction.reply or "")
    found = [Case(by_task[j.task_id], j, "") for j in judgements if j.task_id in by_task]
    return {_id(case): case._replace(reply=replies.get(_id(case), "")) for case in found}


def _id(case: Case) -> str:
    return judgement_id(case.judgement.task_id, case.judgement.sample)


def _by_rules(case: Case, outcome: Outcome[JudgeVerdict]) -> None:
    reading = recomputed(case)
    if reading is not None:
        row = _verdict(case, RUBRICS[STEPS], RULES, reading)
        outcome.kept.append(row)
        outcome.input_ids.append(verdict_id(row))


def _questions(case: Case, panel: Panel, outcome: Outcome[JudgeVerdict]) -> Iterator[_Question]:
    """What is to be asked about the case; what needs no asking goes to `outcome` at once."""
    for rubric in RUBRICS:
        if not rubric.applies(case):
            continue
        seats = list(panel.asked(rubric, _id(case)))
        if panel.first(rubric) is None:
            outcome.input_ids.append(f"{_id(case)}|{rubric.name}|{FIRST}")
            outcome.rejections.append(_no_judge(case, rubric))
        for seat in seats:
            question_id = f"{_id(case)}|{rubric.name}|{seat.role}"
            outcome.input_ids.append(question_id)
            settled = rubric.settled(case)
            if settled is None and too_long(rubric, case):
                settled = Reading(undecided="the texts are longer than a judge is asked to read")
            if settled is None:
                yield _Question(question_id, case, rubric, seat)
            else:
                outcome.kept.append(_verdict(case, rubric, seat.role, settled))


def _put(questions: Sequence[_Question], ask: Ask | None, outcome: Outcome[JudgeVerdict]) -> None:
    """Ask, all questions of one kind of reply together."""
    by_type: dict[type[Record], list[_Question]] = defaultdict(list)
    for question in questions:
        by_type[question.rubric.reply_type].append(question)
    for reply_type, together in by_type.items():
        if ask is None:
            raise ValueError("a panel with a judge needs `ask`")
        answers = ask((_request(question) for question in together), reply_type)
        for question in together:
            answered = answers[question.question_id]
            made = _made(question, answered)
            if isinstance(made, Rejection):
                outcome.rejections.append(made)
            else:
                outcome.kept.append(made)


def _request(question: _Question) -> ModelRequest:
    """What the judge is sent.  Nothing in it tells the system or its model."""
    case, rubric, seat = question.case, question.rubric, question.seat
    images = rubric.figures_of(case) if seat.figures else ()
    prompt = rendered(rubric, case, len(images))
    figures = (Part(kind=PartKind.IMAGE, sha256=image.sha256, media_type=image.media_type) for image in images)
    return ModelRequest(
        request_id=question.question_id,
        role=seat.role,
        messages=(user(prompt.text, *figures),),
        prompt_id=prompt.prompt_id,
        prompt_sha256=prompt.sha256,
    )


def _made(question: _Question, answered: Answered) -> JudgeVerdict | Rejection:
    case, rubric, seat = question.case, question.rubric, question.seat
    if isinstance(answered, ModelReply):
        reading = rubric.read(case, rubric.reply_type.model_validate_json(answered.structured or ""))
    elif answered.kind in _OWN_DOING:
        reading = Reading(undecided=_OWN_DOING[answered.kind])
    else:
        return rejection_of(answered, STAGE, question.question_id, case.task.problem_id)
    return _verdict(case, rubric, seat.role, reading, model=seat.model, reply_key=answered.key)


def _verdict(
    case: Case,
    rubric: Rubric,
    judge: str,
    reading: Reading,
    *,
    model: str | None = None,
    reply_key: str | None = None,
) -> JudgeVerdict:
    return JudgeVerdict(
        task_id=case.judgement.task_id,
        system=case.judgement.system,
        sample=case.judgement.sample,
        rubric=rubric.name,
        judge=judge,
        model=model,
        prompt_id=rubric.prompt_id(case) if model is not None else None,
        item=item_of(rubric, case),
        reply_key=reply_key,
        **reading._replace(rationale=reading.rationale[:MAX_RATIONALE_CHARS])._asdict(),
    )


def _no_judge(case: Case, rubric: Rubric) -> Rejection:
    roles = f"[roles.{rubric.own_role}] or [roles.{FIRST}]" if rubric.own_role else f"[roles.{FIRST}]"
    detail = f"no model judges by the rubric {rubric.name}; name one in models.toml, as {roles}"
    record_id = f"{_id(case)}|{rubric.name}|{FIRST}"
    return _aside(case, record_id, Reason.NO_JUDGE, detail)


def _nothing(case: Case) -> Rejection:
    if case.judgement.failure in NOT_COUNTED:
        return _aside(case, _id(case), Reason.SYSTEM_FAILED, f"{case.judgement.failure}: in no denominator")
    return _aside(case, _id(case), Reason.NOTHING_TO_JUDGE, "no rubric is for this reply")


def _stray(judgement: Judgement) -> Rejection:
    record_id = judgement_id(judgement.task_id, judgement.sample)
    detail = "its task is not in this benchmark; judge with this release's tasks"
    return reject(STAGE, record_id, Reason.NOTHING_TO_JUDGE, detail, disposition=Disposition.NOT_APPLICABLE)


def _aside(case: Case, record_id: str, reason: Reason, detail: str) -> Rejection:
    problem_id = case.task.problem_id
    return reject(STAGE, record_id, reason, detail, problem_id=problem_id, disposition=Disposition.NOT_APPLICABLE)


def _drawn(text: str) -> float:
    """A number in [0, 1) that depends on the text alone."""
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:7], "big") / 2**56
