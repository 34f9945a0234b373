"""Code versions: a hash of the sources, prompts and record schemas that a stage's rows depend on."""

import ast
import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from stepforge.arrow import schema_fingerprint
from stepforge.records import RECORD_VERSION, Record

ROOMS = ("stepforge", "lean_check", "resources", "assets")
PLUMBING = {  # they move rows or name things and do not make them: a change of these does not change a stage's output
    "stepforge.records",
    "stepforge.vocabulary",
    "stepforge.errors",
    "resources.home",
    "resources.store",
    "resources.atomic",
    "resources.progress",
    "resources.memo",
    "resources.code",
    "resources.batches",
    "resources.systems",
    "resources.blobs",
    "resources.workers",
    *(  # how a reply is had, kept and paid: the reply itself is known by its request
        f"resources.llm.{name}"
        for name in (
            "batch",
            "budget",
            "config",
            "engine",
            "faults",
            "flow",
            "outbox",
            "prices",
            "store",
            "stores",
            "tokens",
        )
    ),
    "assets._stage",
    "assets.partitions",
}


ROOT = Path(__file__).resolve().parents[1]
_PROMPTS = ROOT / "stepforge" / "prompts"


@cache
def _source(module: str) -> Path | None:
    """The module's file, found without importing it (find_spec would import all packages above it)."""
    base = ROOT.joinpath(*module.split("."))
    return next((p for p in (base.with_suffix(".py"), base / "__init__.py") if p.is_file()), None)


@cache
def _imports(module: str) -> tuple[str, ...]:
    path = _source(module)
    if path is None:
        return ()
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return tuple(sorted(m for m in found if m.split(".")[0] in ROOMS and _source(m) is not None))


@cache
def modules_behind(module: str) -> frozenset[str]:
    """All modules of the project that `module` imports, directly or not, itself included; for a package with all in it,
    because a registry imports those by name."""
    seen: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name in seen or name in PLUMBING:
            continue
        seen.add(name)
        path = _source(name)
        if path is not None and path.name == "__init__.py" and name not in ROOMS:
            waiting += [f"{name}.{p.stem}" for p in sorted(path.parent.glob("*.py")) if p.stem != "__init__"]
        waiting += [m for m in _imports(name) if m not in ROOMS]
    return frozenset(seen)


def code_version(modules: Iterable[str], records: Iterable[type[Record]], parameters: str = "") -> str:
    """First 12 hex digits of a hash over the text of those modules and all behind them (with the prompts that lie
    beside them), the schemas of the records, and the parameters."""
    digest = hashlib.sha256(f"{RECORD_VERSION} {parameters} {schema_fingerprint(list(records))}".encode())
    for name in sorted(set().union(*(modules_behind(m) for m in modules))):
        path = _source(name)
        if path is None:
            continue
        files = [path]
        if b"importlib.resources" in path.read_bytes():
            files += sorted(p for p in _PROMPTS.rglob("*.md"))
        if path.name == "__init__.py":
            files += sorted(p for p in path.parent.rglob("*") if p.suffix in {".j2", ".css"})
        for file in files:
            digest.update(f"{name}/{file.name}".encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()[:12]
