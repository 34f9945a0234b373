"""The domain of Stepforge: records in, records out; no Dagster, no network, no clock."""
