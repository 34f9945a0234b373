"""The card of a Hugging Face data set: the YAML between two lines `---` at the head of its `README.md`.

Keys as documented at huggingface.co/docs/hub/datasets-manual-configuration and /datasets-cards: `license`, `language`,
`pretty_name`, and `configs` with `config_name` and `data_files`, which is a pattern, a list of patterns, or a list of
`{split, path}`.
"""

from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any, NamedTuple

import yaml

from stepforge.sources._base import Beside

CARD_FILE = "README.md"
MAX_CARD_BYTES = 256 * 1024
MAX_PATTERNS = 2_000
DATA_ENDINGS = (".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".parquet")
_KEYS = ("configs", "dataset_info", "license", "language", "task_categories", "size_categories", "pretty_name")


class _Loader(yaml.SafeLoader):
    """YAML without merge keys: nested ones grow without a limit."""

    def flatten_mapping(self, node: Any) -> None:
        """Leave the mapping as it is written."""


class Card(NamedTuple):
    """What a card says; `patterns`: of data files, from the card's folder, () if it names none."""

    licence: str | None
    language: str | None
    patterns: tuple[str, ...]

    def covers(self, path: str) -> bool:
        """Whether the data file at `path`, from the card's folder, belongs to the set."""
        if not path.lower().endswith(DATA_ENDINGS):
            return False
        return not self.patterns or any(fnmatchcase(path, pattern) for pattern in self.patterns)


@lru_cache(maxsize=64)
def parse_card(data: bytes) -> Card | None:
    """The card at the head of a README; None if there is none, or none that can be read."""
    text = data[:MAX_CARD_BYTES].decode("utf-8-sig", errors="replace").replace("\r\n", "\n")
    if not text.startswith("---\n") or "\n---" not in text[3:]:
        return None
    try:
        found = yaml.load(text[4 : text.index("\n---", 3)], Loader=_Loader)  # noqa: S506 - a SafeLoader
    except (yaml.YAMLError, RecursionError, ValueError):
        return None
    if not isinstance(found, dict) or not any(key in found for key in _KEYS):
        return None
    return Card(_first(found.get("license")), _first(found.get("language")), tuple(_patterns(found.get("configs"))))


def _first(value: Any) -> str | None:
    """A text, or the one text of a list."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    return value.strip()[:100] if isinstance(value, str) and value.strip() else None


def _patterns(configs: Any) -> Iterator[str]:
    count = 0
    for config in configs if isinstance(configs, list) else []:
        files = config.get("data_files") if isinstance(config, dict) else None
        for entry in files if isinstance(files, list) else [files]:
            paths = entry.get("path") if isinstance(entry, dict) else entry
            for path in paths if isinstance(paths, list) else [paths]:
                count += 1
                if isinstance(path, str) and count <= MAX_PATTERNS:
                    yield path.removeprefix("./").replace("**/", "*")


def card_of(path: str, beside: Beside) -> tuple[Card, str] | None:
    """The card of the set that the file at `path` belongs to, and the folder of the set: the nearest card above."""
    for folder in PurePosixPath(path).parents:
        data = beside(str(folder / CARD_FILE))
        card = None if data is None else parse_card(data)
        if card is not None:
            inside = str(PurePosixPath(path).relative_to(folder))
            return (card, folder.name) if card.covers(inside) else None
    return None
