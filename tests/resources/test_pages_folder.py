import json

import pytest

from resources.pages_folder import MANIFEST, PagesFolder


@pytest.fixture
def made(tmp_path):
    folder = PagesFolder(tmp_path / "pages")
    for name in ("a.html", "b.html"):
        folder.put(name, f"print of {name}", name.encode())
    assert folder.finish() == []
    return tmp_path / "pages"


def test_a_folder_without_a_manifest_is_not_whole(tmp_path):
    assert not PagesFolder(tmp_path / "pages").is_whole()


def test_what_was_made_from_the_same_stands_and_what_is_left_over_goes(made):
    folder = PagesFolder(made)
    assert folder.is_whole()
    assert folder.stands("a.html", "print of a.html")
    assert not folder.stands("a.html", "another")
    assert not folder.stands("c.html", "print of c.html")
    assert folder.finish() == ["b.html"]
    assert sorted(p.name for p in made.iterdir()) == ["a.html", MANIFEST]


@pytest.mark.parametrize(
    "harm", [lambda p: p.unlink(), lambda p: p.write_bytes(b""), lambda p: p.write_bytes(b"longer than it was")]
)
def test_a_page_that_is_gone_or_cut_does_not_stand(made, harm):
    harm(made / "a.html")
    folder = PagesFolder(made)
    assert not folder.is_whole()
    assert not folder.stands("a.html", "print of a.html")
    assert folder.stands("b.html", "print of b.html")


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"pages": {"a.html": 3}}', '{"pages": []}', "null", '{"pages": {"a": ["x"]}}']
)
def test_a_damaged_manifest_is_none(made, text):
    (made / MANIFEST).write_text(text)
    folder = PagesFolder(made)
    assert not folder.is_whole()
    assert not folder.stands("a.html", "print of a.html")


def test_a_run_that_was_killed_leaves_pages_that_the_next_run_takes_up_or_removes(made):
    killed = PagesFolder(made)
    killed.put("c.html", "print of c.html", b"c")  # and no manifest
    (made / ".d.html.1.tmp").write_bytes(b"half")
    folder = PagesFolder(made)
    assert folder.is_whole()
    assert folder.stands("a.html", "print of a.html")
    assert folder.stands("b.html", "print of b.html")
    assert folder.finish() == [".d.html.1.tmp", "c.html"]


def test_a_page_that_another_build_took_away_while_it_was_written_is_written_again(made, monkeypatch):
    folder, taken = PagesFolder(made), []
    replace = type(made).replace

    def robbed(path, target):
        if not taken:
            taken.append(path)
            path.unlink()
        return replace(path, target)

    monkeypatch.setattr(type(made), "replace", robbed)
    folder.put("a.html", "new", b"new")
    assert (made / "a.html").read_bytes() == b"new"


def test_the_manifest_is_the_same_for_the_same_pages(made):
    first = (made / MANIFEST).read_bytes()
    folder = PagesFolder(made)
    for name in ("b.html", "a.html"):
        folder.put(name, f"print of {name}", name.encode())
    folder.finish()
    assert (made / MANIFEST).read_bytes() == first
    assert json.loads(first)["pages"]["a.html"] == ["print of a.html", 6]
