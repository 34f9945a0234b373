"""Everything that Dagster serves: assets with their checks, jobs, resources."""

import dagster as dg

from assets import documents, items, lean_verdicts, problems, report, scoring, selection, steps, trajectories, variants
from assets.partitions import BATCHES, SYSTEMS, batch_files, system_settings
from resources.io_manager import HomeResource, store_io_manager

STAGE_MODULES = [documents, problems, selection, steps, variants, trajectories, lean_verdicts, items, scoring, report]
STAGE_ASSETS = [a for a in dg.load_assets_from_modules(STAGE_MODULES) if isinstance(a, dg.AssetsDefinition)]

BY_BATCH = dg.AssetSelection.groups("problems", "process", "synthesis", "benchmark") | dg.AssetSelection.assets(
    "documents", "problems"
)
BY_SYSTEM = dg.AssetSelection.assets("predictions", "judgements", "scores")

defs = dg.Definitions(
    assets=[batch_files, system_settings, *STAGE_ASSETS],
    resources={"home": HomeResource(), "store": store_io_manager},
    jobs=[
        dg.define_asset_job(
            "build_batch", selection=BY_BATCH, partitions_def=BATCHES, description="All stages of one batch."
        ),
        dg.define_asset_job(
            "score_system",
            selection=BY_SYSTEM,
            partitions_def=SYSTEMS,
            description="Replies, judgements and scores of one system.",
        ),
        dg.define_asset_job(
            "build_report",
            selection=dg.AssetSelection.assets("report"),
            description="The report over all batches and systems.",
        ),
    ],
)
