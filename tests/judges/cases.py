"""Replies for the tests of judges: a task of each rubric, what was made of its reply, and a judge that is asked."""

from collections.abc import Callable

from stepforge.asking import ModelFailure, ModelReply
from stepforge.judges import Case
from stepforge.panel import Panel, Seat
from stepforge.records import Record, Target
from stepforge.vocabulary import EquivalenceVerdict, Finish, ModelFailureKind
from tests.scoring_records import formal_task, judgement, prediction, task

UNITS = ("3 bags of 4 are 3*4=12 marbles.", "With 5 more that is 12+5=17 marbles.")
REPLY = f"Step 1: {UNITS[0]}\nStep 2: {UNITS[1]}\nThe answer is \\boxed{{17}}."
LEAN = "```lean\ntheorem c (x y : Nat) (h : x = y) : y = x := sorry\n```"
UNDECIDED = EquivalenceVerdict.UNDECIDED


def solved(task_id="t1", reply=REPLY, units=UNITS, verdict=EquivalenceVerdict.EQUAL, answer="17", **given):
    """A solution; further fields are those of its judgement."""
    of = given.pop("of", None) or task(task_id)
    return Case(of, judgement(of, verdict, units=units, answer=answer, **given), reply)


def unclear(task_id="t1", answer="seventeen", **given):
    """A solution whose final answer the engine left undecided."""
    return solved(task_id, verdict=UNDECIDED, answer=answer, **given)


def formalized(task_id="f1", reply=LEAN, **given):
    of = formal_task(task_id)
    return Case(of, judgement(of, **given), reply)


def proof(task_id="p1", **given):
    """A proof: it has reference steps and no reference answer."""
    of = task(task_id, problem_type="proof", target=Target(reference_paths=(UNITS,)), metrics=("ACS", "PCS", "PQS"))
    return solved(task_id, of=of, verdict=None, answer=None, **given)


def inputs(*cases):
    """Tasks, judgements and predictions of the cases."""
    predictions = [prediction(c.task, c.reply, sample=c.judgement.sample) for c in cases]
    return list({c.task.task_id: c.task for c in cases}.values()), [c.judgement for c in cases], predictions


JUDGE = Seat("judge", "model-j")
SECOND = Seat("second_judge", "model-s")
ALIGNMENT = Seat("alignment_judge", "model-a")


def panel(*seats):
    return Panel({seat.role: seat for seat in seats})


def said(request, structured):
    return ModelReply(
        request_id=request.request_id, key=f"key of {request.request_id}", text=structured, structured=structured,
        finish=Finish.STOP, provider="p", model="m", tokens_in=10, tokens_cached=0, tokens_out=5, tokens_reasoning=0,
        cost_usd="0", repaired=False, from_store=False, latency_s=0.5,
    )  # fmt: skip


class Asked:
    """An `ask` that answers by a function from request and record, and keeps what it was asked."""

    def __init__(self, answer: Callable[..., str | ModelFailureKind]) -> None:
        self._answer, self.requests = answer, []

    def __call__(self, requests, reply_type: type[Record] | None):
        found = {}
        for request in requests:
            self.requests.append(request)
            answer = self._answer(request, reply_type)
            if isinstance(answer, ModelFailureKind):
                kind, key = answer, f"key of {request.request_id}"
                failed = ModelFailure(request_id=request.request_id, key=key, kind=kind, detail=f"{kind} happened")
                found[request.request_id] = failed
            else:
                found[request.request_id] = said(request, reply_type.model_validate_json(answer).model_dump_json())
        return found
