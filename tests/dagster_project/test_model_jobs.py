"""Batches of model requests, polled and taken in by Dagster itself."""

from datetime import UTC, datetime, timedelta

import dagster as dg
import pytest

from assets._stage import BUILD_TAG
from dagster_project.definitions import defs
from dagster_project.instance import instance_of
from dagster_project.model_jobs import collect_model_jobs, ended_model_jobs, open_model_jobs, rebuild, waited
from dagster_project.runner import make_ready
from resources.home import Home
from tests.dagster_project.test_model_systems import MODELS
from tests.pipeline import CommandLine, chain, write_set
from tests.resources.llm.stored import job
from tests.wire import BatchScript, Script, WireServer

NOW = datetime(2026, 5, 5, tzinfo=UTC)


def ended(name, **given):
    return job(name, **{"state": "collected", "updated_at": NOW - timedelta(hours=1), **given})


def test_a_stage_is_built_when_all_of_its_batches_have_ended():
    one, two = ended("a"), ended("b", updated_at=NOW)
    assert list(waited([one, two], NOW)) == [("solution_steps", "spring", two)]
    assert not list(waited([one, ended("b", state="running")], NOW))


def test_a_batch_that_failed_is_not_posted_again_and_again_by_builds_that_nobody_asked_for():
    failed = ended("b", state="failed", updated_at=NOW)
    assert not list(waited([failed], NOW))
    one = ended("a")
    assert list(waited([one, failed], NOW)) == [("solution_steps", "spring", one)]


def test_the_build_after_a_batch_has_the_budget_of_the_build_that_posted_it():
    job = ended("a", stage="predictions", partition="mini", run="build-7")
    request = rebuild("predictions", "mini", job)
    assert request.tags[BUILD_TAG] == "build-7"
    assert request.run_key != rebuild("predictions", "mini", ended("b", run="build-7")).run_key


def test_batches_of_other_partitions_do_not_hold_a_partition_up():
    one = ended("a")
    jobs = [
        one,
        ended("b", partition="autumn", state="running"),
        ended("c", stage=None),
        ended("d", stage="gone"),
    ]
    assert list(waited(jobs, NOW)) == [("solution_steps", "spring", one)]


def test_a_batch_that_ended_long_ago_builds_nothing():
    assert not list(waited([ended("a", updated_at=NOW - timedelta(days=30))], NOW))


@pytest.fixture
def waiting(tmp_path, monkeypatch):
    """A home in which the predictions of a system wait for a batch."""
    with WireServer(Script(batches=(BatchScript(polls=1),))) as wire:
        path = tmp_path / "models.toml"
        path.write_text(MODELS.format(url=wire.openai_url, mode="batch", extra="", attempts=3))
        monkeypatch.setenv("WIRE_KEY", "k")
        monkeypatch.setenv("STEPFORGE_MODELS", str(path))
        line = CommandLine(tmp_path / "home")
        monkeypatch.setenv("STEPFORGE_HOME", str(line.root))
        assert line("ingest", write_set(tmp_path / "contest", [chain(0)]), "--batch", "small").code == 0
        assert line("system", "add", "mini", "--role", "solver").code == 0
        assert line("build").code == 0
        yield line


def test_the_sensors_have_a_batch_polled_and_then_build_what_waited_for_it(waiting):
    home = Home(waiting.root)
    waits = home.store.pointer("predictions", "mini").dropped["model_awaiting_batch"]
    assert waits > 0
    with instance_of(home) as instance:
        make_ready(home, instance)
        for _ in range(3):  # its status, its end, its replies
            context = dg.build_sensor_context(instance, repository_def=defs.get_repository_def())
            asked = open_model_jobs(context, home=home)
            if isinstance(asked, dg.SkipReason):
                break
            done = defs.resolve_job_def(collect_model_jobs.name).execute_in_process(
                instance=instance, resources={"home": home}
            )
            assert done.success
        assert isinstance(asked, dg.SkipReason)
        assert [j.state for j in home.replies.jobs(open_only=False)] == ["collected"]
        (request,) = list(ended_model_jobs(dg.build_sensor_context(instance), home=home))
        assert request.partition_key == "mini"
        selected = {key.to_user_string() for key in request.asset_selection}
        assert selected == {"predictions", "judgements", "candidate_verdicts", "judge_verdicts", "scores"}
        result = defs.resolve_job_def(request.job_name).execute_in_process(
            instance=instance,
            partition_key=request.partition_key,
            asset_selection=list(request.asset_selection),
            run_config=request.run_config,
            tags=request.tags,
        )
        assert result.success
    pointer = Home(waiting.root).store.pointer("predictions", "mini")
    assert not pointer.dropped
    assert pointer.rows_kept == waits
    assert Home(waiting.root).store.pointer("scores", "mini").rows_out > 0


def test_no_sensor_asks_for_anything_where_no_batch_is_open(tmp_path, monkeypatch):
    home = Home(tmp_path / "home").prepare()
    monkeypatch.setenv("STEPFORGE_HOME", str(home.root))
    with instance_of(home) as instance:
        assert isinstance(open_model_jobs(dg.build_sensor_context(instance), home=home), dg.SkipReason)
        (skipped,) = list(ended_model_jobs(dg.build_sensor_context(instance), home=home))
        assert isinstance(skipped, dg.SkipReason)
