"""Stage 4: problems that can be trusted."""

from contextlib import ExitStack
from functools import cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from assets._collect import Collected
from assets._incremental import ID
from assets._stage import Work, stage
from resources.arrivals import before, keep_signatures, picture_comparer
from resources.store import Stored
from resources.workers import Workers
from stepforge.arrow import arrow_schema, batches_of, content_hash
from stepforge.records import Problem
from stepforge.selection import Selected, Selection, of_public_benchmark

VARIANT = "variant_of"


@stage(record=Problem, group="problems", external=("batch_wants", "earlier_batches"))
def selected_problems(work: Work, clean_problems: Stored) -> Collected:
    """Problems that can be trusted: complete, with sound figures, no copies of each other, of those of batches that
    came before or of public benchmarks; every rule is a rejection reason.  The same words with other numbers are
    another problem, which says whose variant it is."""
    batch, table = work.partition or "", clean_problems.table()
    ids = table[ID].to_pylist()
    tick = work.begin(len(ids))
    settings = work.home.batches.get(batch).settings
    made = Collected(Problem, lambda row: str(row.problem_id))
    made.input_ids = ids
    if settings.public_benchmark:
        made.rejections = of_public_benchmark(ids, batch)
        tick(len(ids))
        return made
    selection = Selection(settings.wanted)
    for rows in batches_of(Problem, table):
        selection.add(rows, tick)
    with ExitStack() as stack:
        workers = cache(lambda: stack.enter_context(Workers(1)))
        found = selection.decide(before(work.home, batch), picture_comparer(work.home, workers))
    kept = _rows(table, found)
    made.take_over(kept, found.rejections, found.kept)
    version = content_hash(Problem, kept)
    work.publish_later(lambda: keep_signatures(work.home, work.stage, batch, version, found.signatures))
    return made


def _rows(table: pa.Table, found: Selected) -> pa.Table:
    """The rows that are kept, in the order of their ids, with the problems that they are variants of."""
    places = pc.index_in(pa.array(found.kept, pa.string()), value_set=table[ID].combine_chunks())
    taken = places.to_numpy(zero_copy_only=False)
    if len(taken) != table.num_rows or (np.diff(taken) != 1).any():
        ordered = (np.diff(taken) > 0).all()
        table = table.filter(_mask(taken, table.num_rows)) if ordered else table.take(places)
    schema = arrow_schema(Problem)
    column = schema.get_field_index(VARIANT)
    variants = pa.array([found.variant_of.get(one) for one in found.kept], pa.string())
    return table.set_column(column, schema.field(column), variants)


def _mask(taken: "np.ndarray[tuple[int], np.dtype[np.int64]]", size: int) -> pa.Array:
    mask = np.zeros(size, np.bool_)
    mask[taken] = True
    return pa.array(mask)
