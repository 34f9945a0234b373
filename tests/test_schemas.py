"""The derived schema of every record, as reviewed: a column cannot change without this file changing."""

import json
from pathlib import Path

import pytest

from stepforge import records
from stepforge.arrow import arrow_schema
from stepforge.records import Record

GOLDEN = Path(__file__).parent / "golden" / "schemas.json"


def derived():
    kinds = {
        n: r for n, r in vars(records).items() if isinstance(r, type) and issubclass(r, Record) and r is not Record
    }
    return {
        name: [f"{f.name}: {f.type}{'' if f.nullable else ' not null'}" for f in arrow_schema(record)]
        for name, record in sorted(kinds.items())
    }


def test_every_schema_is_the_reviewed_one():
    if not GOLDEN.exists():
        pytest.fail(f"write {GOLDEN} with: python -m tests.test_schemas")
    assert derived() == json.loads(GOLDEN.read_text("utf-8"))


if __name__ == "__main__":
    GOLDEN.write_text(json.dumps(derived(), indent=1) + "\n", encoding="utf-8")
