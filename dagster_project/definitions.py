"""Everything that Dagster serves: assets with their checks, jobs, resources."""

import dagster as dg

from assets.partitions import batch_files, system_settings
from dagster_project.model_jobs import collect_model_jobs, ended_model_jobs, open_model_jobs
from dagster_project.stages import STAGE_ASSETS, build_batch, build_report, score_system
from resources.io_manager import HomeResource, store_io_manager

defs = dg.Definitions(
    assets=[batch_files, system_settings, *STAGE_ASSETS],
    resources={"home": HomeResource(), "store": store_io_manager},
    jobs=[
        build_batch,
        score_system,
        build_report,
        collect_model_jobs,
    ],
    sensors=[open_model_jobs, ended_model_jobs],
)
