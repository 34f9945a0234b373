import io

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from resources.tables import ParquetCheck
from resources.workers import GIB
from stepforge.sources import walk_parquet
from tests.sources.test_streams import parquet


def bomb():
    """A page of 1 GiB of zeros in some kilobytes."""
    zeros = pa.py_buffer(np.zeros(2**30, np.uint8))
    offsets = pa.py_buffer(np.array([0, 2**30], np.int64))
    column = pa.Array.from_buffers(pa.large_binary(), 1, [None, offsets, zeros])
    out = io.BytesIO()
    pq.write_table(
        pa.table({"question": column}), out, compression="zstd", use_dictionary=False, write_statistics=False
    )
    return out.getvalue()


def test_a_file_that_grows_beyond_the_limit_is_given_up_and_the_next_one_is_walked():
    data = bomb()
    assert len(data) < 2**20
    with ParquetCheck(memory_bytes=2 * GIB) as check:
        assert "given up" in check(data)
        assert check(parquet([{"a": 1}])) is None


def test_a_damaged_file_is_walked_as_far_as_it_goes():
    whole = parquet([{"a": n} for n in range(10)])
    assert walk_parquet(whole) == 10
    with ParquetCheck() as check:
        assert check(whole[:-20]) is None
        assert check(b"PAR1") is None
