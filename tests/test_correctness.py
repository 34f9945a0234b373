import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepforge._correctness import correctness_rows
from stepforge.aggregate import aggregate
from stepforge.correctness import compiled, expected, parse, question, reply_json
from stepforge.formal import lean_code
from stepforge.judging import judge
from stepforge.outcome import unaccounted
from stepforge.records import LeanMessage, Target
from stepforge.scoring import score
from stepforge.solvers import SOLVERS, SolveOptions
from stepforge.vocabulary import EquivalenceVerdict, Failure, FormalLabel, TaskKind
from tests.scoring_records import formal_task, lean_verdict, prediction, task

RIGHT, WRONG = '{"formalization": "right"}', '{"formalization": "wrong"}'


def judge_task(task_id, label):
    target = Target(formal_label=label)
    return task(task_id, kind=TaskKind.JUDGE_FORMALIZATION, target=target, metrics=("correctness",))


TASKS = [
    judge_task("r1", FormalLabel.RIGHT),
    judge_task("r2", FormalLabel.RIGHT),
    judge_task("m", FormalLabel.MISALIGNED),
    judge_task("d", FormalLabel.DOES_NOT_COMPILE),
]


def scored(replies, tasks=TASKS):
    """Judgements and scores of replies by task id."""
    judged = judge(tasks, [prediction(t, replies[t.task_id]) for t in tasks if t.task_id in replies])
    outcome = score(tasks, judged.kept)
    kept = [f"{s.task_id}|{s.sample}" for s in outcome.kept]
    assert not unaccounted(outcome.input_ids, kept, [r.record_id for r in outcome.rejections])
    return judged.kept, outcome.kept


@pytest.mark.parametrize(
    ("reply", "word"),
    [
        (RIGHT, "right"),
        (f"Reasons.\n{WRONG}", "wrong"),
        (f"{RIGHT} no, {WRONG}", "wrong"),
        ('```json\n{"formalization": " Wrong "}\n```', "wrong"),
        ('{"reason": "h", "formalization": "right"}', "right"),
        ("It is right.", None),
        ('{"formalization": VERDICT}', None),
        ('{"formalization": "right or wrong"}', None),
        ('{"formalization": true}', None),
        ('{"formalization": ["right"]}', None),
        ('{"verdict": "right"}', None),
        (f'{RIGHT} {{"formalization": "unsure"}}', None),
        ("", None),
    ],
)
def test_only_the_word_of_the_last_object_is_read(reply, word):
    said = parse(reply)
    assert said.word == word
    assert (said.error is None) is (word is not None)


@given(st.text(max_size=300))
def test_no_reply_breaks_the_parser_and_prose_after_the_object_changes_nothing(text):
    assert parse(text).word in (None, "right", "wrong")
    if "{" not in text:
        assert parse(f"{WRONG}\n{text}").word == "wrong"


@pytest.mark.parametrize("label", FormalLabel)
def test_the_asked_object_says_what_people_said(label):
    assert parse(reply_json(label)).word == expected(label)
    assert (expected(label) == "right") is (label is FormalLabel.RIGHT)


@given(st.text(max_size=200), st.text(max_size=200).filter(str.strip))
def test_the_lean_in_a_question_is_the_whole_text_whatever_it_holds(words, lean):
    asked = question(words.replace("`", "").replace("~", ""), lean)
    found = lean_code(asked)
    assert found is not None
    assert found.rstrip() == lean.rstrip()


def test_the_oracle_is_always_right_and_the_null_system_never():
    for name, value in (("oracle", 1.0), ("null", 0.0)):
        predictions = SOLVERS[name].predict(TASKS, SolveOptions(system=name)).kept
        judged = judge(TASKS, predictions).kept
        scores = score(TASKS, judged).kept
        assert [s.value for s in scores] == [value] * 4
        rows = {(r.metric, r.group): r.value for r in aggregate(TASKS, judged, scores, seed=1) if r.breakdown != "kind"}
        assert rows["correctness", "all"] == rows["correctness_f1", "all"] == rows["correctness_recall", "all"] == value
        assert rows["correctness_precision", "all"] == (1.0 if name == "oracle" else None)
        assert {rows["correctness", str(label)] for label in FormalLabel} == {value}


def test_a_reply_is_right_if_it_says_what_people_said_and_else_says_why_not():
    judged, scores = scored({"r1": WRONG, "r2": RIGHT, "m": "I cannot do this.", "d": "No idea."})
    found = {j.task_id: (j.answer, j.verdict, j.failure) for j in judged}
    assert found == {
        "r1": ("wrong", EquivalenceVerdict.DIFFERENT, None),
        "r2": ("right", EquivalenceVerdict.EQUAL, None),
        "m": (None, None, Failure.REFUSED),
        "d": (None, None, Failure.UNPARSABLE),
    }
    assert {s.task_id: (s.value, s.method) for s in scores} == {
        "r1": (0.0, "label"),
        "r2": (1.0, "label"),
        "m": (0.0, "refused"),
        "d": (0.0, "unparsable"),
    }


def test_precision_recall_and_f1_are_those_of_saying_wrong():
    judged, _ = scored({"r1": WRONG, "r2": RIGHT, "m": WRONG, "d": "Nothing."})
    rows = correctness_rows({t.task_id: t for t in TASKS}, judged, seed=1, resamples=50)
    whole = {r.metric: (r.value, r.n, r.failures) for r in rows if r.breakdown == "all"}
    assert whole == {
        "correctness_precision": (0.5, 2, 0),  # two were called wrong, one is
        "correctness_recall": (0.5, 2, 1),  # two are wrong, one was called so, of the other nothing was said
        "correctness_f1": (0.5, 3, 1),
    }
    labels = {r.group: (r.value, r.n) for r in rows if r.breakdown == "label"}
    assert labels == {"right": (0.5, 2), "misaligned": (1.0, 1), "does_not_compile": (0.0, 1)}
    assert {(r.group, r.metric) for r in rows if r.breakdown == "source"} == {
        ("own", f"correctness_{rate}") for rate in ("precision", "recall", "f1")
    }


@given(st.lists(st.tuples(st.sampled_from(FormalLabel), st.sampled_from([RIGHT, WRONG, "?"])), min_size=1, max_size=9))
def test_f1_is_the_harmonic_mean_of_precision_and_recall(cases):
    tasks = [judge_task(f"t{n}", label) for n, (label, _) in enumerate(cases)]
    judged, _ = scored({f"t{n}": reply for n, (_, reply) in enumerate(cases)}, tasks)
    rows = correctness_rows({t.task_id: t for t in tasks}, judged, seed=1, resamples=5)
    p, r, f = (
        next(row.value for row in rows if row.metric == f"correctness_{rate}" and row.breakdown == "all")
        for rate in ("precision", "recall", "f1")
    )
    wrong = sum(label is not FormalLabel.RIGHT for label, _ in cases)
    called = sum(reply == WRONG for _, reply in cases)
    hits = sum(label is not FormalLabel.RIGHT and reply == WRONG for label, reply in cases)
    assert (p, r) == (hits / called if called else None, hits / wrong if wrong else None)
    if p and r:
        assert f == pytest.approx(2 * p * r / (p + r))
    else:
        assert f in (None, 0.0)


def test_what_was_not_asked_is_in_no_denominator():
    asked = prediction(TASKS[0], RIGHT)
    unasked = [prediction(t, None, failure=Failure.NOT_ATTEMPTED) for t in TASKS[1:]]
    judged = judge(TASKS, [asked, *unasked]).kept
    assert [s.task_id for s in score(TASKS, judged).kept] == ["r1"]
    rows = correctness_rows({t.task_id: t for t in TASKS}, judged, seed=1, resamples=5)
    assert {r.metric: (r.value, r.n) for r in rows if r.breakdown == "all"} == dict.fromkeys(
        ("correctness_precision", "correctness_recall", "correctness_f1"), (None, 0)
    )


def message(severity):
    return LeanMessage(severity=severity, line=1, column=0, text="t")


@pytest.mark.parametrize(
    ("outcome", "toolchain", "severities", "said"),
    [
        ("accepted", "Lean", ["warning"], True),
        ("rejected", "Lean", ["warning", "error"], False),
        ("rejected", "Lean", ["refused"], True),  # by the audit, of what Lean took
        ("rejected", "Lean", [], None),  # a limit ended it
        ("rejected", None, ["refused"], None),  # refused unread
        ("infrastructure", "Lean", ["error"], None),  # a missing library
        ("infrastructure", None, ["error"], None),
    ],
)
def test_lean_says_whether_a_text_compiles_only_where_it_could_judge(outcome, toolchain, severities, said):
    messages = tuple(map(message, severities))
    verdict = lean_verdict(formal_task(), outcome, toolchain=toolchain, messages=messages)
    assert compiled(verdict) is said


def test_the_samples_of_a_task_are_one_item():
    answers = itertools.chain([WRONG] * 3, [RIGHT])
    judged = judge(TASKS, [prediction(TASKS[2], reply, sample=n) for n, reply in enumerate(answers)]).kept
    (recall,) = (
        r
        for r in correctness_rows({t.task_id: t for t in TASKS}, judged, seed=1, resamples=5)
        if (r.metric, r.breakdown) == ("correctness_recall", "all")
    )
    assert (recall.value, recall.n) == (0.75, 1)
