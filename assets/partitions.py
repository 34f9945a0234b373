"""How the pipeline is partitioned: by batch up to the tasks, by system from the predictions on."""

import dagster as dg

OWNER = "team:benchmark-builders"

BATCHES = dg.DynamicPartitionsDefinition(name="batches")
SYSTEMS = dg.DynamicPartitionsDefinition(name="systems")

PARTITIONS: dict[str, dg.DynamicPartitionsDefinition] = {"batch": BATCHES, "system": SYSTEMS}

batch_files = dg.AssetSpec(
    "batch_files",
    description="The files of a batch as they were ingested; reported by `stepforge ingest`.",
    partitions_def=BATCHES,
    group_name="sources",
    kinds={"file"},
    owners=[OWNER],
)
system_settings = dg.AssetSpec(
    "system_settings",
    description="A system to score and the file of its replies; reported by `stepforge system`.",
    partitions_def=SYSTEMS,
    group_name="systems",
    kinds={"file"},
    owners=[OWNER],
)
