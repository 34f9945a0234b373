"""The knowledge structure of We-Math, as its file `knowledge_structure_nodes.json` has it: the domain of each concept.

Source: We-Math, section 3.1: twelve domains, 67 terminal concepts.  The file belongs to the data set and is not part of
this project; without it and without a `domain` in the rows there is no accuracy by domain.
"""

import json
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from stepforge.errors import BadInput
from stepforge.metrics._base import Row
from stepforge.metrics._wemath_rows import WeMathRow

NAME = "knowledge_structure_nodes.json"
_DOMAIN = 2  # the level of the twelve
_LEVELS = tuple(f"root{level}" for level in range(5))


def domains(data: bytes) -> dict[str, str]:
    """The domain of each terminal concept.  Raises: BadInput for what is not such a file."""
    try:
        nodes = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{NAME}: no JSON: {error}; give the file as We-Math publishes it") from None
    if not isinstance(nodes, list) or not nodes:
        raise BadInput(f"{NAME}: not an array of nodes; give the file as We-Math publishes it")
    return dict(_place(number, node) for number, node in enumerate(nodes, 1))


def _place(number: int, node: Any) -> tuple[str, str]:
    levels = [node.get(level) for level in _LEVELS] if isinstance(node, Mapping) else []
    known = [level for level in levels if isinstance(level, str) and level]
    gap = any(before is None and after is not None for before, after in pairwise(levels))
    if len(known) <= _DOMAIN + 1 or gap or len(known) + levels.count(None) != len(levels):
        raise BadInput(f"{NAME}: node {number}: its levels root0, root1, … reach no concept below a domain (root2)")
    return known[-1], known[_DOMAIN]


def with_domains(rows: Sequence[Row], data: bytes) -> list[Row]:
    """The rows, each with the domain of its concept where it names none itself."""
    of = domains(data)
    return [_with_domain(row, of) if isinstance(row, WeMathRow) else row for row in rows]


def _with_domain(row: WeMathRow, of: Mapping[str, str]) -> WeMathRow:
    if row.domain is not None or len(row.concept) != 1 or row.concept[0] not in of:
        return row
    return row.model_copy(update={"domain": of[row.concept[0]]})
