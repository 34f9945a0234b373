"""Everything that Dagster serves: assets with their checks, jobs, resources."""

import dagster as dg

from assets import (
    auxiliary_lines,
    benchmark_tasks,
    clean_problems,
    documents,
    filtered_items,
    formal_models,
    judgements,
    labelled_problems,
    lean_verdicts,
    milestones,
    predictions,
    problems,
    proof_plans,
    report,
    scores,
    selected_problems,
    solution_steps,
    trajectories,
    variants,
)
from assets.partitions import BATCHES, SYSTEMS, batch_files, system_settings
from resources.io_manager import HomeResource, store_io_manager

STAGE_MODULES = [  # in the order of the chain, in which they are listed everywhere
    documents, problems, clean_problems, selected_problems, labelled_problems, solution_steps, auxiliary_lines,
    milestones, proof_plans, formal_models, variants, trajectories, lean_verdicts, filtered_items, benchmark_tasks,
    predictions, judgements, scores, report,
]  # fmt: skip
STAGE_ORDER = [module.__name__.rsplit(".", 1)[1] for module in STAGE_MODULES]
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
