"""The one IO manager: a stage's result into the store, an upstream partition out of it."""

from datetime import UTC, datetime

import dagster as dg

from resources.home import Home
from resources.store import Pointer, StageResult, Stored

ALL_PARTITIONS = "all_partitions"  # input metadata: the asset reads every partition that exists


class StoreIOManager(dg.IOManager):
    """Hands `Stored` partitions to assets and stores their `StageResult`s."""

    def __init__(self, home: Home) -> None:
        self._home, self._store = home, home.store

    def handle_output(self, context: dg.OutputContext, obj: StageResult | Pointer) -> None:
        """Store a result whole; a Pointer means that the stored partition still stands."""
        stage = context.asset_key.to_user_string()
        partition = context.partition_key if context.has_asset_partitions else None
        if isinstance(obj, StageResult):
            self._store.write(stage, partition, obj, context.run_id, datetime.now(UTC))

    def load_input(self, context: dg.InputContext) -> Stored | dict[str, Stored]:
        """The upstream partition of the same name, or all that exist as a dict."""
        stage = context.asset_key.to_user_string()
        if (context.definition_metadata or {}).get(ALL_PARTITIONS):
            return {name: self._store.stored(stage, name) for name in self._home.built(stage)}
        return self._store.stored(stage, context.partition_key if context.has_partition_key else None)


@dg.io_manager(description="Parquet by content over fsspec, in the home folder")
def store_io_manager(_context: dg.InitResourceContext) -> StoreIOManager:
    """The IO manager of the home that STEPFORGE_HOME names."""
    return StoreIOManager(Home.from_environment())


class HomeResource(dg.ConfigurableResource[Home]):
    """The home folder as a Dagster resource."""

    def create_resource(self, _context: dg.InitResourceContext) -> Home:
        """The home that STEPFORGE_HOME names."""
        return Home.from_environment()
