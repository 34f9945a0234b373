import pytest

from resources import code
from stepforge.records import Step, Variant


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A small project whose modules may be edited."""
    texts = {
        "stepforge/__init__.py": "",
        "stepforge/a.py": "from stepforge import b\n",
        "stepforge/b.py": "def f():\n    from stepforge.pack import one\n",
        "stepforge/pack/__init__.py": "",
        "stepforge/pack/one.py": "",
        "stepforge/pack/two.py": "",
        "stepforge/other.py": "",
        "stepforge/asks.py": "import importlib.resources\n",
        "stepforge/prompts/solve/v1.md": "Solve it.",
        "resources/store.py": "",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(code, "ROOT", tmp_path)
    monkeypatch.setattr(code, "_PROMPTS", tmp_path / "stepforge" / "prompts")
    forget()
    yield tmp_path
    forget()


def forget():
    for remembered in (code._source, code._imports, code.modules_behind):
        remembered.cache_clear()


def version(*modules, records=(), parameters=""):
    forget()
    return code.code_version(modules, records, parameters)


@pytest.mark.parametrize(
    "edited", ["stepforge/a.py", "stepforge/b.py", "stepforge/pack/one.py", "stepforge/pack/two.py"]
)
def test_a_change_anywhere_behind_a_module_is_another_version(project, edited):
    before = version("stepforge.a")
    (project / edited).write_text((project / edited).read_text() + "X = 1\n")
    assert version("stepforge.a") != before


def test_a_change_elsewhere_is_no_other_version(project):
    before = version("stepforge.a")
    (project / "stepforge/other.py").write_text("X = 1\n")
    (project / "resources/store.py").write_text("X = 1\n")
    (project / "stepforge/prompts/solve/v1.md").write_text("Solve it now.")
    assert version("stepforge.a") == before


def test_a_changed_prompt_is_another_version_of_what_reads_prompts(project):
    before = version("stepforge.asks")
    (project / "stepforge/prompts/solve/v1.md").write_text("Solve it now.")
    assert version("stepforge.asks") != before


def test_record_and_parameters_are_part_of_the_version(project):
    versions = {
        version("stepforge.a", records=r, parameters=p) for r in ([Step], [Variant]) for p in ("seed=1", "seed=2")
    }
    assert len(versions) == 4


def test_the_stages_know_their_own_code():
    forget()
    behind = code.modules_behind("assets.judgements")
    assert {"stepforge.judging", "stepforge.metrics.milestones", "stepforge.answers.symbolic"} <= behind
    assert "stepforge.variants.wrong" not in behind
    assert "stepforge.variants.wrong" in code.modules_behind("assets.variants")
