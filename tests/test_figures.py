import pytest

from stepforge.figures import FigureIndex
from tests import make


def index(*paths, same=()):
    return FigureIndex(
        {p: make.image(name=p, sha256=("5" * 64 if p in same else f"{i:064d}")) for i, p in enumerate(paths)}
    )


@pytest.mark.parametrize(
    ("paths", "document", "name", "meant"),
    [
        (["figures/a.png"], "set.json", "figures/a.png", "figures/a.png"),
        (["x/figures/a.png"], "x/set.json", "figures/a.png", "x/figures/a.png"),
        (["x/figures/a.png"], "set.json", "figures/a.png", "x/figures/a.png"),
        (["images/a.jpg"], "set.json", "a.jpg", "images/a.jpg"),
        (["images/1_1.png"], "set.json", "1_1", "images/1_1.png"),
        (["figures/a.png"], "set.json", "./figures\\a.png", "figures/a.png"),
        # short file names recur in other folders: another folder's file is another figure
        (["2steps/image/1-1.png"], "set.json", "3steps/image/1-1.png", None),
        (["x/a.png", "y/a.png"], "y/set.json", "a.png", "y/a.png"),
        (["x/a.png", "y/a.png"], "set.json", "a.png", None),
        (["a.png"], "set.json", "", None),
        (["a.png"], "set.json", "../a.png", None),
        ([], "set.json", "a.png", None),
    ],
)
def test_a_name_means_one_delivered_file_or_none(paths, document, name, meant):
    figures = index(*paths)
    found = figures.lookup(document, name)
    assert found.name == name
    assert found.sha256 == (None if meant is None else f"{paths.index(meant):064d}")


def test_copies_of_one_figure_are_one_figure():
    figures = index("x/a.png", "y/a.png", same=("x/a.png", "y/a.png"))
    assert figures.lookup("set.json", "a.png").sha256 == "5" * 64
