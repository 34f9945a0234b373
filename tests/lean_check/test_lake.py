import json

import pytest

from lean_check import toolchains
from lean_check.lake import project_state
from tests.lean_check.test_toolchains import put_lean

# Answers `lake env printenv LEAN_PATH`, the documented way to ask, from the folder of the project, and nothing else.
LAKE = """#!/bin/sh
[ "$*" = "env printenv LEAN_PATH" ] || { echo "error: unknown command '$*'" >&2; exit 1; }
[ -f lakefile.toml ] || { echo "error: no configuration file" >&2; exit 1; }
echo "$PWD/.lake/packages/mathlib/.lake/build/lib/lean:$PWD/.lake/build/lib/lean:./absent"
"""
MANIFEST = {
    "version": "1.1.0",
    "packagesDir": ".lake/packages",
    "packages": [
        {"type": "git", "name": "mathlib", "rev": "29dcec074de168ac2bf835a77ef68bbe069194c5", "inputRev": "v4.9.0"},
        {"type": "path", "name": "own", "dir": "own"},
    ],
    "name": "math",
}


@pytest.fixture
def project(tmp_path):
    """A project as Lake leaves it after a build, and the environment in which elan has its toolchain."""
    elan = tmp_path / "elan"
    lean = put_lean(elan / "toolchains/leanprover--lean4---v4.9.0/bin/lean", "4.9.0")
    lake = lean.with_name("lake")
    lake.write_text(LAKE)
    lake.chmod(0o755)
    folder = tmp_path / "math"
    built = folder / ".lake/packages/mathlib/.lake/build/lib/lean"
    built.mkdir(parents=True)
    (folder / ".lake/build/lib/lean").mkdir(parents=True)
    (folder / "own").mkdir()
    (built / "Mathlib.olean").touch()
    (folder / "lakefile.toml").write_text('name = "math"\n')
    (folder / "lean-toolchain").write_text("leanprover/lean4:v4.9.0\n")
    (folder / "lake-manifest.json").write_text(json.dumps(MANIFEST))
    return folder, {"ELAN_HOME": str(elan), "PATH": "", "HOME": str(tmp_path)}


def test_a_project_gives_its_lean_its_libraries_and_the_revision_of_each(project):
    folder, env = project
    state = project_state(folder, env)
    assert state.usable, state.detail
    toolchain = state.toolchain
    assert toolchain.version == "4.9.0"
    assert toolchain.revisions == (("mathlib", MANIFEST["packages"][0]["rev"]), ("own", "local"))
    assert toolchain.lean_path == (
        folder / ".lake/packages/mathlib/.lake/build/lib/lean",
        folder / ".lake/build/lib/lean",
    )
    assert toolchain.command[0].endswith("leanprover--lean4---v4.9.0/bin/lean")
    assert "mathlib 29dcec074de1" in state.detail
    assert toolchain.address_space_bytes > 8 << 30


def test_a_named_project_is_used_before_any_other_lean_and_never_replaced(project, tmp_path):
    folder, env = project
    other = put_lean(tmp_path / "other/bin/lean", "4.20.0")
    env = {**env, "LEAN_CHECK_LEAN": str(other)}
    assert toolchains.find({**env, "LEAN_CHECK_PROJECT": str(folder)}).version == "4.9.0"
    assert toolchains.find({**env, "LEAN_CHECK_PROJECT": str(tmp_path)}) is None
    assert toolchains.find(env).version == "4.20.0"


@pytest.mark.parametrize(
    ("path", "text", "said"),
    [
        ("lakefile.toml", None, "no lakefile"),
        ("lean-toolchain", None, "lean-toolchain cannot be read"),
        ("lean-toolchain", "leanprover/lean4:v4.10.0", "elan toolchain install leanprover/lean4:v4.10.0"),
        ("lake-manifest.json", None, "lake-manifest.json cannot be read"),
        ("lake-manifest.json", "{", "not JSON"),
        ("lake-manifest.json", "[]", "names no packages"),
        ("lake-manifest.json", '{"packages": [{"rev": "1"}]}', "without a name"),
        ("lake-manifest.json", '{"packages": [{"name": "aesop", "rev": "1"}]}', "not fetched: aesop"),
        (".lake/packages/mathlib/.lake/build/lib/lean/Mathlib.olean", None, "not built (lake exe cache get"),
    ],
)
def test_an_unfinished_project_says_what_is_missing(project, path, text, said):
    folder, env = project
    if text is None:
        (folder / path).unlink()
    else:
        (folder / path).write_text(text)
    state = project_state(folder, env)
    assert not state.usable
    assert said in state.detail
    assert "lake exe cache get" in state.install


def test_a_manifest_of_older_form_is_read(project):
    folder, env = project
    old = {"version": 4, "packagesDir": ".lake/packages", "packages": [{"git": {"name": "mathlib", "rev": "abc"}}]}
    (folder / "lake-manifest.json").write_text(json.dumps(old))
    assert project_state(folder, env).toolchain.revisions == (("mathlib", "abc"),)


def test_a_lake_that_fails_is_quoted(project):
    folder, env = project
    lake = folder.parent / "elan/toolchains/leanprover--lean4---v4.9.0/bin/lake"
    lake.write_text("#!/bin/sh\necho 'error: no such thing' >&2\nexit 7\n")
    assert "ended with 7: error: no such thing" in project_state(folder, env).detail
    named = project_state(folder, {**env, "LEAN_CHECK_LAKE": str(folder / "absent")})
    assert "not an executable file" in named.detail


def test_elans_own_lake_which_may_download_is_passed_over(project, tmp_path):
    folder, env = project
    (folder / "lean-toolchain").write_text("leanprover/lean4:v4.10.0\n")
    proxy = tmp_path / "elan/bin/lake"
    proxy.parent.mkdir()
    proxy.write_text("#!/bin/sh\ntouch called\n")
    proxy.chmod(0o755)
    assert not project_state(folder, {**env, "PATH": str(proxy.parent)}).usable
    assert not (folder / "called").exists()
    assert not (tmp_path / "called").exists()


def build(program):
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)


def test_public_checkers_that_were_built_are_found_and_one_that_is_named_goes_before(project, tmp_path):
    folder, env = project
    assert project_state(folder, env).toolchain.checkers == ()
    assert project_state(folder, env).toolchain.project == folder
    safe_verify = folder / ".lake/packages/SafeVerify/.lake/build/bin/safe_verify"
    checker = folder / ".lake/packages/lean4checker/.lake/build/bin/lean4checker"
    build(safe_verify)
    build(checker)
    found = (("safe_verify", safe_verify), ("lean4checker", checker))
    assert project_state(folder, env).toolchain.checkers == found
    other = tmp_path / "other/safe_verify"
    build(other)
    named = {**env, "LEAN_CHECK_SAFE_VERIFY": str(other)}
    assert project_state(folder, named).toolchain.checkers == (("safe_verify", other), found[1])
    absent = {**env, "LEAN_CHECK_LEAN4CHECKER": str(folder / "absent")}
    assert "LEAN_CHECK_LEAN4CHECKER" in project_state(folder, absent).detail
