"""Batches of model requests: a sensor that has them polled, and builds what waited for their replies.

The sensor itself only looks into the reply store; what talks to a provider is a run, which has no deadline of a minute
and whose log says what became of each batch.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import dagster as dg

from assets._stage import BUILD_TAG, STAGES
from dagster_project.plan import downstream, order
from dagster_project.stages import JOBS
from resources.home import Home
from resources.llm.batch import Jobs
from resources.llm.prices import Prices
from resources.llm.store import JobState

EVERY_S = 60
LOOK_BACK = timedelta(days=14)  # a batch lives a day; whoever was away for longer builds by hand
UNFINISHED = [dg.DagsterRunStatus.QUEUED, dg.DagsterRunStatus.NOT_STARTED, dg.DagsterRunStatus.STARTING]
UNFINISHED += [dg.DagsterRunStatus.STARTED, dg.DagsterRunStatus.CANCELING]


def poll(home: Home) -> list[JobState]:
    """Take every open batch as far as it goes now; what became of each."""
    jobs = Jobs(home.models, home.replies, Prices.load(), lambda: datetime.now(UTC))
    return jobs.poll(home.blobs.get)


def told(job: JobState) -> str:
    """One line about a batch."""
    where = f" for {job.stage}{f' of {job.partition}' if job.partition else ''}" if job.stage else ""
    return f"{job.job_id}: {job.state}, {job.total} requests of {job.role}{where}; {job.detail or 'nothing to say'}"


@dg.op(description="Ask the providers about every open batch, and store the replies of those that ended.")
def poll_model_jobs(context: dg.OpExecutionContext, home: dg.ResourceParam[Home]) -> None:
    """Poll, and log what became of each batch."""
    for job in poll(home):
        context.log.info(told(job))


@dg.job(description="Store the replies of model batches that have ended.", executor_def=dg.in_process_executor)
def collect_model_jobs() -> None:
    """One poll of all open batches."""
    poll_model_jobs()


def waited(jobs: list[JobState], now: datetime) -> Iterator[tuple[str, str | None, JobState]]:
    """Stages and partitions all of whose batches have ended, each with the newest that was collected."""
    places: dict[tuple[str, str | None], list[JobState]] = {}
    for job in jobs:
        if job.stage in STAGES and job.updated_at > now - LOOK_BACK:
            places.setdefault((job.stage or "", job.partition), []).append(job)
    for (stage, partition), of_place in sorted(places.items(), key=str):
        # of those that brought something: what comes after a batch that failed would fail again, for ever
        collected = [job for job in of_place if job.state == "collected"]
        if collected and all(job.state in ("collected", "failed") for job in of_place):
            yield stage, partition, max(collected, key=lambda job: (job.updated_at, job.job_id))


def rebuild(stage: str, partition: str | None, job: JobState) -> dg.RunRequest:
    """The run that takes a batch's replies into its stage, and what they change below it in the same partition.  Its
    budget is that of the build that had posted the batch."""
    kind = STAGES[stage].partitions
    below = downstream([stage])
    selected = [n for n in order() if n in below and STAGES[n].partitions == kind]
    return dg.RunRequest(
        job_name=JOBS[kind].name,
        run_key=f"batch:{job.job_id}",
        partition_key=partition,
        asset_selection=[dg.AssetKey(n) for n in selected],
        run_config={"ops": {n: {"config": {"reuse": True}} for n in selected}},
        tags={BUILD_TAG: job.run},
    )


@dg.sensor(
    job=collect_model_jobs,
    minimum_interval_seconds=EVERY_S,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="Has open model batches polled.",
)
def open_model_jobs(context: dg.SensorEvaluationContext, home: dg.ResourceParam[Home]) -> dg.RunRequest | dg.SkipReason:
    """A poll if a batch is open and none is being polled."""
    if not home.replies.jobs(open_only=True):
        return dg.SkipReason("no batch is open")
    if context.instance.get_run_records(dg.RunsFilter(job_name=collect_model_jobs.name, statuses=UNFINISHED), limit=1):
        return dg.SkipReason("a poll is under way")
    return dg.RunRequest()


@dg.sensor(
    jobs=list(JOBS.values()),
    minimum_interval_seconds=EVERY_S,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="Builds what waited for a model batch when all of its batches have ended.",
)
def ended_model_jobs(home: dg.ResourceParam[Home]) -> Iterator[dg.RunRequest | dg.SkipReason]:
    """One run for each stage and partition whose batches have all ended."""
    ended = list(waited(home.replies.jobs(open_only=False), datetime.now(UTC)))
    if not ended:
        yield dg.SkipReason("no batch has ended")
    for stage, partition, job in ended:
        yield rebuild(stage, partition, job)
