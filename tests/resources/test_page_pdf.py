"""The text layer of a PDF: when it is believed, where its pieces stand, and the figures beside it."""

import io

import pytest
from PIL import Image, ImageDraw
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from resources._page_pdf import is_sound, layer_of, opened, page_of
from resources._page_read import PDF_ENGINE, PageJob, read_page

TEXT = ["1. How many sides has a square?", "2. How many corners has a cube?"]
WIDTH, HEIGHT = 595, 842
SENTENCES = [f"{n}. In the triangle the angle at the vertex is equal to {n} degrees." for n in range(1, 9)]


class Paper:
    """A PDF of one page, drawn by `with`-less calls on `canvas`."""

    def __init__(self):
        self.held = io.BytesIO()
        self.canvas = Canvas(self.held, pagesize=(WIDTH, HEIGHT), invariant=1)

    def lines(self, lines, y=760, x=72, mode=0):
        for k, line in enumerate(lines):
            text = self.canvas.beginText(x, y - 20 * k)
            text.setTextRenderMode(mode)
            text.textLine(line)
            self.canvas.drawText(text)
        return self

    def picture(self, x, y, w, h, image=None):
        self.canvas.drawImage(ImageReader(image or shape()), x, y, w, h)
        return self

    def data(self):
        self.canvas.save()
        return self.held.getvalue()

    def layer(self):
        with opened(self.data()) as pdf:
            return layer_of(page_of(pdf, 0))

    def read(self):
        (reading,) = read_page(PageJob("application/pdf", self.data(), 0))
        return reading


def shape():
    image = Image.new("RGB", (300, 200), "white")
    ImageDraw.Draw(image).polygon([(20, 180), (280, 180), (120, 20)], outline="black", width=4)
    return image


@pytest.mark.parametrize(
    ("text", "sound"),
    [
        ("How many sides has a square?", True),
        ("Page 1", False),
        ("\ue001\ue002\ue003\ue004 how many sides has a square?", False),
        ("\ufffd\ufffd\ufffd how many sides?", False),
        ("如图，在三角形中，求角的度数，以及边的长度。√3 ≥ ∠A", True),
        ("Howmanysideshasasquareofthesameareaasthecircle andwhatisthelengthofeachofitssides", False),
        ("How many sides has a square of the same area as the circle and what is the length", True),
        ("Donaudampfschifffahrtsgesellschaft ist ein langes Wort, und es steht hier allein unter vielen.", True),
        ("Ã© Ã¨ Ã  â€™ how many sides has a squ", False),
    ],
)
def test_a_text_layer_is_sound_if_its_characters_are_known_and_its_spaces_are_there(text, sound):
    assert is_sound(text) is sound


def test_text_outside_the_crop_box_is_not_read():
    paper = Paper().lines(SENTENCES).lines(["a secret answer"], y=100)
    paper.canvas.setCropBox((0, 300, WIDTH, HEIGHT))
    text = "\n".join(box.text for box in paper.layer().boxes)
    assert "degrees" in text
    assert "secret" not in text


def test_the_invisible_layer_of_a_good_ocr_is_read_and_that_of_a_poor_one_is_not():
    good = Paper().picture(0, 0, WIDTH, HEIGHT).lines(SENTENCES, mode=3).layer()
    assert good.fault is None
    poor = [f"{n}. 1n tl~e tr|an9le tl_e ang1e aT #h3 v3rt&x 1s &qu@l t0 {n} d3gr&&s" for n in range(8)]
    assert "no good reading" in Paper().picture(0, 0, WIDTH, HEIGHT).lines(poor, mode=3).layer().fault
    assert Paper().lines(poor).layer().fault is None  # printed so: it is what the page shows


def test_a_stamp_on_a_scan_is_no_text_layer():
    layer = Paper().picture(0, 0, WIDTH, HEIGHT).lines(["Scanned by the library of the school, 2019"]).layer()
    assert "picture covers the page" in layer.fault
    assert Paper().lines(["A short page: the answers are on the board."]).layer().fault is None


@pytest.mark.parametrize("turned", [90, 180, 270])
def test_a_page_printed_sideways_is_read_as_it_is_meant(turned):
    paper = Paper()
    paper.canvas.translate(*{90: (72, 72), 180: (WIDTH - 72, 72), 270: (WIDTH - 72, HEIGHT - 72)}[turned])
    paper.canvas.rotate(turned)
    if turned == 90:
        paper.canvas.translate(0, -400)
    paper.lines(TEXT, x=0, y=0 if turned != 180 else -600)
    paper.canvas.rect(20, -240, 150, 100)
    reading = paper.read()
    assert [line.text for line in reading.lines] == TEXT
    assert reading.turned_deg == turned
    assert (reading.width, reading.height) == ((WIDTH, HEIGHT) if turned == 180 else (HEIGHT, WIDTH))
    assert all(line.x1 - line.x0 > 5 * (line.y1 - line.y0) > 0 for line in reading.lines)


def test_options_on_one_row_are_pieces_of_their_own_and_one_line():
    paper = Paper().lines(SENTENCES)
    for k, option in enumerate(["A. 3", "B. 4", "C. 5"]):
        paper.canvas.drawString(72 + 120 * k, 500, option)
    data = paper.data()
    with opened(data) as pdf:
        assert {"A. 3", "B. 4", "C. 5"} <= {box.text for box in layer_of(page_of(pdf, 0)).boxes}
    (reading,) = read_page(PageJob("application/pdf", data, 0))
    assert reading.lines[-1].text == "A. 3 B. 4 C. 5"


def test_pictures_and_drawings_are_cut_in_points_and_rules_and_frames_of_text_are_not():
    paper = Paper().lines(SENTENCES).picture(300, 420, 150, 100)
    canvas = paper.canvas
    canvas.line(72, 590, 523, 590)  # a rule
    canvas.line(200, 615, 260, 615)  # a blank to fill in
    canvas.rect(30, 30, WIDTH - 60, HEIGHT - 60)  # a border
    canvas.circle(150, 300, 50)
    canvas.line(150, 300, 200, 300)
    canvas.drawString(147, 302, "O")
    canvas.rect(300, 100, 220, 80)  # a note
    for k in range(4):
        canvas.drawString(310, 160 - 16 * k, "Each answer is worth five points.")
    reading = paper.read()
    assert reading.engine == PDF_ENGINE
    picture, circle = reading.figures
    for figure, box in ((picture, (300, 322, 450, 422)), (circle, (100, 492, 200, 592))):
        assert all(abs(side - wanted) < 15 for side, wanted in zip(figure[1:], box, strict=True)), figure[1:]
    with Image.open(io.BytesIO(circle.png)) as image:
        assert image.width == pytest.approx((circle.x1 - circle.x0) * 200 / 72, abs=2)
    assert "O" in [line.text for line in reading.lines]


def test_a_ruled_table_is_a_figure_and_its_cells_stay_lines_of_text():
    paper = Paper().lines(SENTENCES)
    canvas = paper.canvas
    canvas.grid([100, 180, 260, 340, 420], [400, 430, 460, 490])
    for row in range(3):
        for column in range(4):
            canvas.drawString(130 + 80 * column, 410 + 30 * row, str(10 * row + column))
    reading = paper.read()
    (table,) = reading.figures
    assert table.x0 == pytest.approx(100, abs=8)
    assert table.x1 == pytest.approx(420, abs=8)
    assert {"13", "22"} <= {word for line in reading.lines for word in line.text.split()}


def test_the_same_page_gives_the_same_reading():
    first, second = (Paper().lines(SENTENCES).picture(300, 420, 150, 100).read() for _ in range(2))
    assert first == second
    assert first.figures
