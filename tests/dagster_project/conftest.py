import pytest

from tests.pipeline import CommandLine, chain, write_set


@pytest.fixture
def cli(tmp_path, capsys):
    return CommandLine(tmp_path / "home", capsys)


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """A home with one small batch built to the report; tests only read it."""
    root = tmp_path_factory.mktemp("built")
    broken = {"id": "bad", "question": 17}
    unanswered = {**chain(90), "id": "unanswered", "answer": None}
    folder = write_set(root / "contest", [*(chain(i) for i in range(6)), broken, unanswered])
    line = CommandLine(root / "home")
    assert line("ingest", folder, "--batch", "small").code == 0
    assert line("build").code == 0
    return line


@pytest.fixture
def read(built, capsys):
    """The command line on the built home."""
    return CommandLine(built.root, capsys)
