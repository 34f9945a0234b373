"""Pages of `docs/` that are derived from the code: `python -m dagster_project.documentation` writes them."""

import json
import sys
from pathlib import Path

from assets._stage import STAGES
from dagster_project._metrics_page import metrics_page
from dagster_project.definitions import defs
from dagster_project.plan import order
from lean_check.schema import verdict_schema
from stepforge import records
from stepforge.arrow import arrow_schema
from stepforge.records import Record
from stepforge.sources import SOURCES, Source, native
from stepforge.vocabulary import Reason

DOCS = Path(__file__).resolve().parents[1] / "docs"
NOTE = "<!-- Derived from the code by `make docs`; edit the code. -->"


def _plain(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def sources_page() -> str:
    """What each source is and under which licence."""
    lines = [
        NOTE,
        "",
        "# Sources",
        "",
        "Recognised by the content of a file, in this order of names, a general source last; what a `mapping.toml`",
        "speaks of is read as that says. PDFs and page images are papers; a file called `answers` beside them is their",
        "key.",
        "",
    ]
    lines += ["| name | title | licence | origin | files |", "|---|---|---|---|---|"]
    lines += [
        f"| `{s.name}` | {_plain(s.title)} | {_plain(s.licence)} | {s.url or '–'} | {_plain(s.files)} |"
        for s in SOURCES
    ]
    lines += ["", "A batch's own `licence` (in `contest.toml` or by `--licence`) stands before the source's.", ""]
    for source in SOURCES:
        module = sys.modules[source.problem.__module__]
        lines += [f"## `{source.name}`", "", (module.__doc__ or "").strip(), "", *_read(source), *_fields(source.name)]
    return "\n".join(lines)


def _read(source: Source) -> list[str]:
    """The files that a source reads, and what becomes of each field."""
    rows = [f"| `{_plain(name)}` | {_plain(use)} |" for name, use in source.fields]
    return [f"Files: {source.files}.", "", "| field | what becomes of it |", "|---|---|", *rows, ""]


def _fields(source: str) -> list[str]:
    """The fields of the project's own format, as JSON Schema."""
    if source == "native":
        schema = native.Row.model_json_schema()
        required, rows = set(schema["required"]), schema["properties"].items()
        lines = ["| field | | JSON Schema |", "|---|---|---|"]
        for name, field in rows:
            text = json.dumps({k: v for k, v in field.items() if k not in ("title", "default")})
            lines.append(f"| `{name}` | {'required' if name in required else ''} | `{_plain(text)}` |")
        shapes = {name: list(part.get("properties", {})) or part["enum"] for name, part in schema["$defs"].items()}
        lines += ["", *(f"- `{name.lstrip('_')}`: {', '.join(map(str, parts))}" for name, parts in shapes.items()), ""]
        return lines
    return []


def records_page() -> str:
    """Every record with its fields."""
    lines = [
        NOTE,
        "",
        "# Records",
        "",
        f"Record version {records.RECORD_VERSION}. Types are those of the Parquet files.",
        "",
    ]
    kinds = {
        n: r for n, r in vars(records).items() if isinstance(r, type) and issubclass(r, Record) and r is not Record
    }
    for name, record in kinds.items():
        lines += [f"## {name}", "", _plain(record.__doc__ or ""), "", "| field | type | meaning |", "|---|---|---|"]
        for field in arrow_schema(record):
            info = record.model_fields[field.name]
            null = " or null" if field.nullable else ""
            lines.append(f"| `{field.name}` | `{_short(str(field.type))}`{null} | {_plain(info.description or '')} |")
        lines.append("")
    return "\n".join(lines)


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "…"


def stages_page() -> str:
    """Every stage with what it reads and what it may refuse."""
    graph = defs.resolve_asset_graph()
    descriptions = {key.to_user_string(): graph.get(key).description for key in graph.get_all_asset_keys()}
    lines = [NOTE, "", "# Stages", "", "| stage | partition | reads | rows | what |", "|---|---|---|---|---|"]
    for name in order():
        stage = STAGES[name]
        reads = (
            ", ".join((f"all {n}" if n in stage.all_of else n) for n in stage.inputs)
            or ", ".join(stage.externals)
            or "–"
        )
        reads = "every stage" if len(stage.inputs) > 12 else reads
        first = (descriptions[name] or "").split("\n\n")[0]
        lines.append(
            f"| `{name}` | {stage.partitions or '–'} | {reads} | `{stage.record.__name__}` | {_plain(first)} |"
        )
    lines += [
        "",
        "## Rejections",
        "",
        "- `dropped`: the record is no use as it is.",
        "- `quarantined`: a person or another machine may still save it; what follows goes without it.",
        "- `not_applicable`: the stage has no work for it; it stays in the benchmark.",
        "",
        "Reasons: " + ", ".join(f"`{reason}`" for reason in Reason) + ".",
        "",
    ]
    return "\n".join(lines)


def verdict_page() -> str:
    """JSON Schema of one line of `lean-check --json`."""
    return json.dumps(verdict_schema(), indent=2, ensure_ascii=False)


PAGES = {
    "sources.md": sources_page,
    "records.md": records_page,
    "stages.md": stages_page,
    "metrics.md": lambda: metrics_page(NOTE),
    "lean-verdict.schema.json": verdict_page,
}


def write(folder: Path = DOCS) -> None:
    """Write every derived page."""
    folder.mkdir(exist_ok=True)
    for name, page in PAGES.items():
        (folder / name).write_text(page().rstrip("\n") + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
