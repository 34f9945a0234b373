import io

import pytest
from PIL import Image, ImageDraw

from stepforge.duplicates import Builder, Entry, Figure, LinkKind, find
from stepforge.duplicates._figures import MAX_PHASH_BITS, hash_distance
from stepforge.images import image_facts
from stepforge.pictures import same_picture

TEXT = "In the figure, ABC is a triangle with AB = 5 and BC = 7, and D lies on AC. Find the length of AD."


def drawing(*lines, size=(400, 300), kind="PNG", **how):
    image = Image.new("RGB", size, "white")
    draw = ImageDraw.Draw(image)
    scale = size[0] / 400
    for line in [((40, 260), (360, 260)), ((360, 260), (150, 40)), ((150, 40), (40, 260)), *lines]:
        draw.line([(x * scale, y * scale) for x, y in line], fill="black", width=max(1, round(2 * scale)))
    sink = io.BytesIO()
    image.save(sink, kind, **how)
    return sink.getvalue()


PLAIN = drawing()
ALTITUDE = ((150, 40), (150, 260))
SHORT = ((200, 260), (200, 235))


@pytest.mark.parametrize(
    "other",
    [PLAIN, drawing(kind="JPEG", quality=60), drawing(size=(800, 600)), drawing(size=(300, 225)), drawing(kind="GIF")],
)
def test_another_size_or_format_shows_the_same(other):
    assert same_picture((PLAIN, other))
    assert same_picture((other, PLAIN))
    distance = hash_distance(image_facts(PLAIN).phash, image_facts(other).phash)
    assert distance <= MAX_PHASH_BITS


@pytest.mark.parametrize("line", [ALTITUDE, SHORT, ((40, 260), (255, 150))])
@pytest.mark.parametrize("size", [(400, 300), (800, 600), (1600, 1200)])
def test_an_auxiliary_line_makes_another_figure(line, size):
    assert not same_picture((PLAIN, drawing(line, size=size)))
    assert not same_picture((drawing(line, size=size), PLAIN))


def test_bytes_that_are_no_image_are_the_same_as_nothing():
    assert not same_picture((PLAIN, b"nothing"))
    assert not same_picture((b"", b""))
    assert not same_picture((PLAIN, PLAIN[:60]))


def linked(*rows):
    """Kinds of the links among problems given by text and bytes of figures."""
    stored = {}
    builder = Builder()
    for i, (text, *images) in enumerate(rows):
        figures = []
        for data in images:
            name = f"{hash(data) & 0xFFFFFFFFFFFF:064x}"
            stored[name] = data
            figures.append(Figure(name, image_facts(data).phash))
        builder.add(Entry(str(i), text, tuple(figures)))
    found = find(builder.done(), same_figure=lambda a, b: same_picture((stored[a], stored[b])))
    return {link.row: link.kind for link in found.links}


def test_the_same_text_and_figure_is_a_copy_whatever_the_format_of_the_figure():
    assert linked((TEXT, PLAIN), (TEXT, PLAIN)) == {1: LinkKind.EXACT}
    assert linked((TEXT, PLAIN), (TEXT, drawing(kind="JPEG"))) == {1: LinkKind.NEAR}
    assert linked((TEXT, PLAIN), (TEXT.replace("Find", "Determine"), drawing(size=(800, 600)))) == {1: LinkKind.NEAR}


def test_the_same_text_with_another_figure_or_an_added_line_is_another_problem():
    assert linked((TEXT, PLAIN), (TEXT, drawing(ALTITUDE))) == {1: LinkKind.VARIANT}
    assert linked((TEXT, PLAIN), (TEXT, PLAIN, PLAIN)) == {1: LinkKind.VARIANT}


def test_the_same_figure_alone_is_no_copy():
    assert linked((TEXT, PLAIN), ("Prove that the sum of all angles is two right ones.", PLAIN)) == {}


def test_a_few_words_need_their_figure_and_many_do_not():
    assert linked(("Find x.", PLAIN), ("Find x.",)).get(1) in (None, LinkKind.VARIANT)
    assert linked((TEXT, PLAIN), (TEXT,)) == {1: LinkKind.NEAR}
