"""Broken records of every form through reading, cleanup, selection and labels: nothing hangs, escapes or vanishes."""

import json
from itertools import islice

import pytest

from stepforge.arrow import from_table, to_table
from stepforge.cleaning import clean_problems
from stepforge.labels import labelled_problems
from stepforge.outcome import unaccounted
from stepforge.records import Problem, Rejection
from stepforge.selection import selected_problems
from stepforge.sources import recognise
from tests.sources.fuzzing import broken_records, samples
from tests.sources.reading import read


def through(lines):
    """The problems that are left and the rejections of all stages, with conservation checked at each."""
    data = b"\n".join(lines)
    source = recognise("set.jsonl", data[: 64 * 1024])
    if source is None:
        return [], []
    outcome = read("set.jsonl", data, source)
    kept, rejections = outcome.kept, list(outcome.rejections)
    for stage in (clean_problems, selected_problems, labelled_problems):
        assert from_table(Problem, to_table(Problem, kept)) == kept
        outcome = stage(kept)
        ids = [problem.problem_id for problem in kept]
        assert outcome.input_ids == ids
        assert not unaccounted(ids, [p.problem_id for p in outcome.kept], [r.record_id for r in outcome.rejections])
        kept, rejections = outcome.kept, rejections + outcome.rejections
    assert from_table(Rejection, to_table(Rejection, rejections)) == rejections
    assert all(rejection.detail.strip() for rejection in rejections)
    return kept, rejections


def run(count, seed, size=50):
    """`count` broken records in files of `size`, the forms in turn; each file begins with a sound record."""
    sound = samples()
    kept = refused = 0
    for number in range(count // size):
        sample = sound[number % len(sound)]
        broken = islice(broken_records(sample, f"{seed}/{number}"), size - 1)
        left, rejections = through([json.dumps(sample).encode(), *broken])
        kept, refused = kept + len(left), refused + len(rejections)
    return kept, refused


def test_every_form_has_a_sample_and_a_sound_one_is_read():
    forms = {recognise("set.jsonl", json.dumps(sample).encode() + b"\n") for sample in samples()}
    assert {"gsm8k", "mvmath", "proofnet", "minif2f", "criticleanbench", "forml4"} <= forms


def test_broken_records_are_kept_or_refused_with_a_reason():
    kept, refused = run(2000, seed=1)
    assert kept > 100
    assert refused > 500


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_twenty_thousand_broken_records_are_kept_or_refused_with_a_reason():
    kept, refused = run(20_000, seed=2)
    assert kept > 1000
    assert refused > 5000
