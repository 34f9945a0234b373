"""`stepforge doctor`: what is installed, reachable and configured, and how to add what is missing."""

import importlib.metadata
import os
import shutil
import sys
from collections.abc import Iterator
from typing import NamedTuple

import dagster as dg
import typer

from dagster_project.cli._console import say, table
from dagster_project.instance import instance_of
from lean_check import describe, probe
from resources.home import Home
from resources.llm.store import ReplyFilter
from resources.ocr import ENGINES
from stepforge.errors import PipelineError

NEEDED = (
    "dagster", "dagster-webserver", "pyarrow", "pydantic", "numpy", "sympy", "latex2sympy2-extended", "scikit-learn",
    "pillow", "pypdfium2", "rapidocr", "onnxruntime", "pebble", "altair", "vl-convert-python",
)  # fmt: skip
FOR_LATER = {
    "pandas": "only needed to read tables in notebooks",
    "openai": "only needed to ask models; see: stepforge models",
    "google-genai": "only needed to ask models; see: stepforge models",
    "lean-dojo": "only needed to trace Lean repositories",
}
KEYS = ("OPENAI_API_KEY", "GEMINI_API_KEY")
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


class Finding(NamedTuple):
    """One line of the examination.  needed: without it the pipeline does not run."""

    what: str
    state: str
    advice: str
    needed: bool = False
    good: bool = True


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _packages() -> Iterator[Finding]:
    missing = [name for name in NEEDED if _version(name) is None]
    have = ", ".join(f"{name} {version}" for name in NEEDED if (version := _version(name)))
    advice = f"missing: {', '.join(missing)}; remove .venv and run make demo" if missing else ""
    yield Finding("packages", have, advice, needed=True, good=not missing)
    for name, use in FOR_LATER.items():
        version = _version(name)
        yield Finding(name, version or "missing", "" if version else use, good=version is not None)


def _home() -> Iterator[Finding]:
    try:
        home = Home.from_environment().prepare()
        found = f"{home.root}: {len(home.batches.names())} batches, {len(home.systems.names())} systems"
        yield Finding("home", found, "", needed=True)
        yield Finding("tables", str(home.store.root), "", needed=True)
        with instance_of(home) as instance:
            runs = instance.get_runs_count()
        yield Finding("Dagster storage", f"{home.dagster}: {runs} runs", "", needed=True)
    except (PipelineError, OSError, dg.DagsterError) as error:
        yield Finding("home", "unusable", str(error), needed=True, good=False)


def _models() -> Iterator[Finding]:
    home = Home.from_environment()
    try:
        roles = ", ".join(sorted(home.models.roles)) or "no role"
        told = "" if home.models.roles else "only needed to ask models: stepforge models init"
        yield Finding("models.toml", f"{home.models_file}: {roles}", told, good=not told)
    except (PipelineError, OSError) as error:
        yield Finding("models.toml", "unusable", str(error), needed=True, good=False)
    try:
        stored = home.replies.count(ReplyFilter()).calls
        yield Finding("reply store", f"{home.replies!r}: {stored} replies", "", needed=True)
    except (PipelineError, OSError) as error:
        yield Finding("reply store", "unusable", str(error), needed=True, good=False)


def _ocr() -> Iterator[Finding]:
    home = Home.from_environment()
    for engine in ENGINES:
        missing = engine.missing(home)
        state = "not usable" if missing else engine.version(home)
        yield Finding(f"OCR: {engine.name}", state, f"optional: {missing}" if missing else "", good=missing is None)


def _lean() -> Iterator[Finding]:
    for tool in describe():
        state = f"{tool.version}" if tool.usable else f"not usable: {tool.detail}"
        yield Finding(f"lean: {tool.name}", state, "" if tool.usable else tool.install, good=tool.usable)
    box = probe()
    yield Finding("lean sandbox", box.detail, "" if box.works else box.install, good=box.works)


def _outside() -> Iterator[Finding]:
    for key in KEYS:
        present = bool(os.environ.get(key))
        yield Finding(
            key,
            "set" if present else "not set",
            "" if present else "only needed to ask its models; see: stepforge models",
            good=present,
        )
    browser = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    yield Finding(
        "browser",
        browser or "none",
        "" if browser else "only tests need it: apt install chromium",
        good=browser is not None,
    )


def examine() -> list[Finding]:
    """Everything that the pipeline can use on this machine."""
    version = sys.version_info
    fits = (3, 11) <= version[:2] < (3, 13)
    python = Finding(
        "python",
        f"{version.major}.{version.minor}.{version.micro}",
        "" if fits else "use 3.11 or 3.12",
        needed=True,
        good=fits,
    )
    return [python, *_packages(), *_home(), *_models(), *_ocr(), *_lean(), *_outside()]


def doctor() -> None:
    """What is installed, reachable and configured, and how to add what is missing."""
    findings = examine()
    marks = {True: "ok", False: "–"}
    table(["", "what", "state", "what to do"], ([marks[f.good], f.what, f.state, f.advice] for f in findings))
    broken = [f.what for f in findings if f.needed and not f.good]
    say(
        f"the pipeline cannot run: {', '.join(broken)}"
        if broken
        else "the pipeline can run; lines without ok are optional"
    )
    raise typer.Exit(2 if broken else 0)


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command()(doctor)
