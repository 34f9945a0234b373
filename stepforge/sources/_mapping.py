"""`mapping.toml`: what the files of a folder are, written by whoever delivers them."""

import re
import tomllib
from datetime import date
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from stepforge.sources._base import Beside
from stepforge.vocabulary import AnswerKind, Difficulty, ImageRelevance

MAPPING_FILE = "mapping.toml"
DATA_ENDINGS = (".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".parquet", ".txt")
MAX_PARTS = 10
Path = Annotated[str, Field(min_length=1, max_length=300)]


class BadMapping(ValueError):
    """The mapping says nothing that can be followed; the message names file and key."""


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Fields(_Table):
    """Where each field of a problem stands in a row: a dotted path (`meta.level`, `options.0`); `\\.` is a dot of a
    name.  Several paths are tried in turn; those of `images` are all taken."""

    question: Path | tuple[Path, ...]
    answer: Path | tuple[Path, ...] = ()
    solution: Path | tuple[Path, ...] = ()
    images: Path | tuple[Path, ...] = ()
    choices: Path | tuple[Path, ...] = ()
    id: Path | tuple[Path, ...] = ()
    language: Path | tuple[Path, ...] = ()
    subject: Path | tuple[Path, ...] = ()
    grade: Path | tuple[Path, ...] = ()
    unit: Path | tuple[Path, ...] = ()
    licence: Path | tuple[Path, ...] = ()
    published_on: Path | tuple[Path, ...] = ()
    difficulty: Path | tuple[Path, ...] = ()
    image_relevance: Path | tuple[Path, ...] = ()
    knowledge_concepts: Path | tuple[Path, ...] = ()
    group_id: Path | tuple[Path, ...] = ()
    group_role: Path | tuple[Path, ...] = ()

    def paths(self, name: str) -> tuple[str, ...]:
        """The paths of a field, in order."""
        found = getattr(self, name)
        return (found,) if isinstance(found, str) else found


class Constants(_Table):
    """What holds for every row in which no field says it."""

    language: Annotated[str, Field(pattern=r"^[a-z]{2}$")] | None = None
    subject: str | None = None
    grade: str | None = None
    unit: str | None = None
    licence: str | None = None
    published_on: date | None = None
    difficulty: Difficulty | None = None
    image_relevance: ImageRelevance | None = None


class AnswerForm(_Table):
    """How an answer is written.  `is`: a text, the letter of an option, or its number from 0 or from 1.  `kind`: of
    every answer; else it is told by the form.  `after`: the answer is what follows the last such mark.  `boxed`: it is
    in the last `\\boxed{}`."""

    written_as: Literal["text", "letter", "index0", "index1"] = Field(default="text", alias="is")
    kind: AnswerKind | None = None
    after: str | None = Field(default=None, min_length=1, max_length=100)
    boxed: bool = False

    @model_validator(mode="after")
    def _one_place(self) -> "AnswerForm":
        if self.after is not None and self.boxed:
            raise ValueError("say either 'after' or 'boxed'")
        return self


class Mapping(_Table):
    """A `mapping.toml`."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$")] = Field(
        description="of the set; ids of its problems are `mapped/NAME:ID`"
    )
    files: tuple[Annotated[str, Field(min_length=1, max_length=300)], ...] = Field(
        default=(),
        description="patterns of paths from the mapping's folder (`*` also crosses `/`); all data files if empty",
    )
    records: str | None = Field(default=None, description="name of the list, where the rows stand inside an object")
    delimiter: Annotated[str, Field(min_length=1, max_length=1)] | None = Field(
        default=None, description="of CSV; else told by the header"
    )
    choices_split: bool = Field(default=True, description="cut a text of options at `A. … B. …`")
    fields: Fields
    constants: Constants = Constants()
    answer: AnswerForm = AnswerForm()
    values: dict[str, dict[str, str]] = Field(
        default_factory=dict,
        description="of a field: what its values are to be read as, `values.subject.alg = 'algebra'`",
    )

    @field_validator("values")
    @classmethod
    def _known(cls, value: dict[str, dict[str, str]]) -> dict[str, dict[str, str]]:
        for name in value:
            if name not in Fields.model_fields:
                raise ValueError(f"{name!r} is no field (fields: {', '.join(Fields.model_fields)})")
        return value

    def covers(self, path: str) -> bool:
        """Whether it speaks of the file at `path`, from its own folder."""
        if PurePosixPath(path).name == MAPPING_FILE or not path.lower().endswith(DATA_ENDINGS):
            return False
        return any(fnmatchcase(path, pattern) for pattern in self.files) if self.files else not path.endswith(".txt")


@lru_cache(maxsize=64)
def parse_mapping(data: bytes, name: str) -> Mapping:
    """The mapping in a file called `name`.  Raises: BadMapping."""
    try:
        return Mapping.model_validate(tomllib.loads(data.decode("utf-8-sig")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadMapping(f"{name}: not valid TOML: {error}") from None
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        key = ".".join(str(part) for part in first["loc"] if not str(part).startswith(("tuple[", "constrained-")))
        raise BadMapping(f"{name}: {key or 'the file'}: {first['msg']}{_keys(first)}") from None


def _keys(error: Any) -> str:
    """The keys that there are, where one is wrong or missing."""
    if error["type"] not in ("extra_forbidden", "missing"):
        return ""
    tables: dict[Any, type[_Table]] = {"fields": Fields, "constants": Constants, "answer": AnswerForm}
    table = tables.get(error["loc"][0], Mapping) if len(error["loc"]) > 1 else Mapping
    return f" (keys: {', '.join(info.alias or key for key, info in table.model_fields.items())})"


@lru_cache(maxsize=1024)
def _places(path: str) -> tuple[tuple[str, str], ...]:
    """Where a mapping of the file may stand, the nearest first, and the file's path from there."""
    pure = PurePosixPath(path)
    return tuple((str(folder / MAPPING_FILE), str(pure.relative_to(folder))) for folder in pure.parents)


def mapping_of(path: str, beside: Beside) -> tuple[str, bytes] | None:
    """The mapping file that speaks of the file at `path`, if one does: that of the nearest folder that has one.  A file
    that cannot be read speaks of every data file below it."""
    for name, inside in _places(path):
        data = beside(name)
        if data is None:
            continue
        try:
            covers = parse_mapping(data, name).covers(inside)
        except BadMapping:
            covers = path.lower().endswith(DATA_ENDINGS)
        return (name, data) if covers else None
    return None


_DOT = re.compile(r"(?<!\\)\.")


@lru_cache(maxsize=1024)
def _parts(path: str) -> tuple[str, ...]:
    return tuple(part.replace("\\.", ".") for part in _DOT.split(path))[:MAX_PARTS]


def value_at(row: Any, path: str) -> Any:
    """What stands at a dotted path; None if nothing does."""
    for part in _parts(path):
        if isinstance(row, dict):
            row = row.get(part)
        elif isinstance(row, list) and part.isdecimal() and len(part) < 6 and int(part) < len(row):
            row = row[int(part)]
        else:
            return None
    return row
