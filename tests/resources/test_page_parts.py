import io
import time

import pytest
from PIL import Image
from upath import UPath

from resources import page_parts
from resources.blobs import Blobs
from resources.memo import Memo
from resources.page_parts import PageParts
from stepforge.report.mathematics import Formula

HALF, BROKEN = Formula("\\frac{1}{2}", False), Formula("\\def\\a{x}\\a", False)


@pytest.fixture
def parts(tmp_path):
    with PageParts(Memo(tmp_path / "memo.sqlite"), Blobs(UPath(tmp_path / "blobs"))) as opened:
        yield opened


def never(*_):
    raise AssertionError("this was made before")


def hang_on_x(formula):
    if formula.latex == "x":
        time.sleep(600)
    return f"<math>{formula.latex}</math>"


def hang_in_part(part):
    return [hang_on_x(formula) for formula in part]


def picture():
    sink = io.BytesIO()
    Image.new("RGB", (30, 20), "red").save(sink, "PNG")
    return sink.getvalue()


def test_formulas_are_typeset_once_and_remembered_also_those_that_cannot_be(parts, monkeypatch):
    made = parts.formulas([HALF, BROKEN, HALF])
    assert list(made) == [HALF]
    assert made[HALF].startswith("<math")
    monkeypatch.setattr(PageParts, "_pool", never)
    assert parts.formulas([BROKEN, HALF]) == made


def test_a_formula_that_hangs_costs_itself_alone(parts, monkeypatch):
    monkeypatch.setattr(page_parts, "mathml", hang_on_x)
    monkeypatch.setattr(page_parts, "mathml_of_all", hang_in_part)
    monkeypatch.setattr(page_parts, "FORMULA_S", 0.5)
    wanted = [Formula(name, False) for name in ("a", "x", "b")]
    assert sorted(f.latex for f in parts.formulas(wanted)) == ["a", "b"]


def test_after_many_kills_the_rest_of_a_part_is_left_as_it_is_written(parts, monkeypatch):
    monkeypatch.setattr(page_parts, "mathml", hang_on_x)
    monkeypatch.setattr(page_parts, "mathml_of_all", hang_in_part)
    monkeypatch.setattr(page_parts, "FORMULA_S", 0.5)
    monkeypatch.setattr(page_parts, "MAX_KILLED", 1)
    assert parts.formulas([Formula("x", False), Formula("a", False)]) == {}


def test_a_figure_is_drawn_anew_once(parts, monkeypatch, tmp_path):
    blobs = Blobs(UPath(tmp_path / "blobs"))
    there, no_picture, lost = blobs.put(picture()), blobs.put(b"<svg/>"), "0" * 64
    found = parts.figures([there, no_picture, lost])
    assert list(found) == [there]
    assert (found[there].width, found[there].height) == (30, 20)
    monkeypatch.setattr(PageParts, "_pool", never)
    assert parts.figures([there, no_picture]) == found


def test_a_figure_whose_drawing_is_gone_is_drawn_again(parts, tmp_path):
    blobs = Blobs(UPath(tmp_path / "blobs"))
    name = blobs.put(picture())
    first = parts.figures([name])
    for path in (tmp_path / "blobs").rglob("*"):
        if path.is_file() and path.name != name:
            path.unlink()
    assert parts.figures([name]) == first
