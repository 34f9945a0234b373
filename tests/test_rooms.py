"""Imports point down the table of rooms only."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
BELOW = {
    "stepforge": set(),
    "lean_check": set(),
    "resources": {"stepforge", "lean_check"},
    "assets": {"stepforge", "lean_check", "resources"},
    "dagster_project": {"stepforge", "lean_check", "resources", "assets"},
}
PURE_LIBRARIES = {
    "stepforge": {
        "pydantic",
        "numpy",
        "scipy",
        "sklearn",
        "sympy",
        "pyarrow",
        "PIL",
        "latex2sympy2_extended",
        "jinja2",
        "markupsafe",
    }
    | {"altair", "vl_convert", "cv2", "rapidfuzz", "latex2mathml", "math_verify", "mpmath", "imagehash"}
    | {"defusedxml", "yaml", "ftfy", "pylatexenc"},
    "lean_check": set(),
}
# what a pure room must not reach even through the standard library
OUTSIDE = {"socket", "subprocess", "urllib", "http", "requests", "asyncio", "multiprocessing", "tempfile", "shutil"}
DYNAMIC = {"eval", "exec", "compile", "__import__"}


def _modules(room):
    files = sorted((ROOT / room).rglob("*.py"))
    assert files, f"{room} is empty"
    return files


def _imports(path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative import"
            yield node.module, node.lineno


@pytest.mark.parametrize("room", BELOW)
def test_a_room_imports_only_rooms_below_it(room):
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in _modules(room)
        for name, line in _imports(path)
        if name.split(".")[0] in BELOW and name.split(".")[0] not in BELOW[room] | {room}
    ]
    assert wrong == []


@pytest.mark.parametrize("room", PURE_LIBRARIES)
def test_a_pure_room_imports_only_the_standard_library_and_its_own_kind_of_libraries(room):
    allowed = PURE_LIBRARIES[room] | {room} | set(sys.stdlib_module_names)
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in _modules(room)
        for name, line in _imports(path)
        if name.split(".")[0] not in allowed
    ]
    assert wrong == []


def test_the_domain_reaches_no_network_process_or_file():
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in _modules("stepforge")
        for name, line in _imports(path)
        if name.split(".")[0] in OUTSIDE
    ]
    assert wrong == []


def test_no_room_evaluates_text_as_code():
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno} calls {node.func.id}"
        for room in BELOW
        for path in _modules(room)
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in DYNAMIC
    ]
    assert wrong == []


def test_every_file_of_code_stays_readable_in_one_sitting():
    folders = [*BELOW, "tests", "examples"]
    long = {
        str(p.relative_to(ROOT)): n
        for folder in folders
        for p in (ROOT / folder).rglob("*.py")
        if (n := len(p.read_text("utf-8").splitlines())) > 600
    }
    assert long == {}
