"""The stages in the order of the chain, and the jobs that run them."""

import dagster as dg

from assets import (
    auxiliary_lines,
    benchmark_tasks,
    candidate_verdicts,
    clean_problems,
    documents,
    filtered_items,
    formal_models,
    judge_verdicts,
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
from assets.partitions import BATCHES, SYSTEMS

STAGE_MODULES = [  # in the order of the chain, in which they are listed everywhere
    documents, problems, clean_problems, selected_problems, labelled_problems, solution_steps, auxiliary_lines,
    milestones, proof_plans, formal_models, variants, trajectories, lean_verdicts, filtered_items, benchmark_tasks,
    predictions, judgements, candidate_verdicts, judge_verdicts, scores, report,
]  # fmt: skip
STAGE_ORDER = [module.__name__.rsplit(".", 1)[1] for module in STAGE_MODULES]
STAGE_ASSETS = [a for a in dg.load_assets_from_modules(STAGE_MODULES) if isinstance(a, dg.AssetsDefinition)]

_BY_BATCH = dg.AssetSelection.groups("problems", "process", "synthesis", "benchmark") | dg.AssetSelection.assets(
    "documents", "problems"
)
_BY_SYSTEM = dg.AssetSelection.assets("predictions", "judgements", "candidate_verdicts", "judge_verdicts", "scores")

build_batch = dg.define_asset_job(
    "build_batch", selection=_BY_BATCH, partitions_def=BATCHES, description="All stages of one batch."
)
score_system = dg.define_asset_job(
    "score_system",
    selection=_BY_SYSTEM,
    partitions_def=SYSTEMS,
    description="Replies, judgements and scores of one system.",
)
build_report = dg.define_asset_job(
    "build_report",
    selection=dg.AssetSelection.assets("report"),
    description="The report over all batches and systems.",
)
JOBS = {"batch": build_batch, "system": score_system, None: build_report}  # by the kind of partition
