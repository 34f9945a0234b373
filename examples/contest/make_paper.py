"""Typesets the sample's contest paper.  Usage: python make_paper.py [FILE], default: paper.pdf beside this file.

Needs reportlab and the font DejaVu Sans (Debian: fonts-dejavu-core).  Same input, same bytes.
"""

import sys
from pathlib import Path

from reportlab.lib.pagesizes import A4
from reportlab.pdfbase.pdfmetrics import registerFont, stringWidth
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

FONT_FOLDERS = ("/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/dejavu-sans-fonts", "/usr/share/fonts/TTF")
LEFT_PT, TOP_PT, RIGHT_PT = 60, A4[1] - 64, A4[0] - 60
LEADING_PT = 15.5

# Each problem: its lines, options last; its answer; its solution, one line a step.
PROBLEMS: list[tuple[list[str], str, list[str]]] = [
    (
        ["What is the value of 3² + 4 × 5?", "A. 29    B. 35    C. 65    D. 25"],
        "A",
        ["The square is 3² = 9.", "The product is 4 × 5 = 20.", "The sum is 9 + 20 = 29, so the answer is A."],
    ),
    (
        ["Solve the equation 3x − 7 = 2x + 8 for x."],
        "15",
        ["Subtract 2x from both sides: x − 7 = 8.", "Add 7 to both sides: x = 8 + 7 = 15."],
    ),
    (
        ["The interior angles of a convex polygon add up to 1080°.", "How many sides does the polygon have?"],
        "8",
        [
            "The interior angles of a polygon with n sides add up to (n − 2) × 180°.",
            "So n − 2 = 1080 / 180 = 6.",
            "Therefore n = 6 + 2 = 8.",
        ],
    ),
    (
        [
            "A bag holds 4 red, 5 blue and 3 green balls. One ball is drawn at random.",
            "What is the probability that it is not blue?",
            "A. 5/12    B. 7/12    C. 1/4    D. 2/3",
        ],
        "B",
        [
            "There are 4 + 5 + 3 = 12 balls.",
            "Of these, 12 − 5 = 7 are not blue.",
            "The probability is 7/12, so the answer is B.",
        ],
    ),
    (
        ["A circle has area 36π. Find its circumference."],
        "12π",
        [
            "The area is πr², so r² = 36.",
            "The radius is positive, so r = √36 = 6.",
            "The circumference is 2πr = 2 × 6 × π = 12π.",
        ],
    ),
    (
        ["How many positive integers n ≤ 100 are divisible by 4 or by 6?"],
        "33",
        [
            "There are 25 multiples of 4, since 4 × 25 = 100.",
            "There are 16 multiples of 6, since 6 × 16 = 96.",
            "Multiples of 12 were counted twice; there are 8 of them, since 12 × 8 = 96.",
            "The count is 25 + 16 − 8 = 33.",
        ],
    ),
    (
        [
            "A right triangle has one leg of length √3 and a hypotenuse of length 2√3.",
            "Find the length of the other leg.",
        ],
        "3",
        [
            "The square of the hypotenuse is (2√3)² = 4 × 3 = 12.",
            "The square of the given leg is (√3)² = 3.",
            "The square of the other leg is 12 − 3 = 9.",
            "So the other leg is √9 = 3.",
        ],
    ),
    (
        ["What is the remainder when 2²⁰ is divided by 7?"],
        "4",
        [
            "Since 2³ = 8 and 8 = 7 + 1, the number 2³ leaves the remainder 1.",
            "The exponent is 20 = 3 × 6 + 2.",
            "So 2²⁰ leaves the same remainder as 2² = 4.",
            "The remainder is 4.",
        ],
    ),
]


def font_file(name: str) -> str:
    """Path of an installed font file, or an exit that says which package brings it."""
    for folder in FONT_FOLDERS:
        if (path := Path(folder) / name).is_file():
            return str(path)
    sys.exit(f"{name} was not found in {', '.join(FONT_FOLDERS)}; on Debian: apt install fonts-dejavu-core")


class Typesetter:
    """Lines from top to bottom of a page."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas
        self.y = TOP_PT

    def line(self, text: str, indent_pt: float = 0, size_pt: float = 10.5, bold: bool = False) -> None:
        """One line; refuses to run over the margin."""
        font = "Bold" if bold else "Text"
        if LEFT_PT + indent_pt + stringWidth(text, font, size_pt) > RIGHT_PT:
            raise ValueError(f"too long for one line: {text}")
        self.canvas.setFont(font, size_pt)
        self.canvas.drawString(LEFT_PT + indent_pt, self.y, text)
        self.y -= LEADING_PT * size_pt / 10.5

    def gap(self, lines: float = 0.6) -> None:
        """Vertical space."""
        self.y -= LEADING_PT * lines

    def page(self, number: int) -> None:
        """Ends the page with its number."""
        self.canvas.setFont("Text", 8.5)
        self.canvas.drawCentredString(A4[0] / 2, 36, f"Page {number} of 2")
        self.canvas.showPage()
        self.y = TOP_PT


def typeset(path: Path) -> None:
    """Writes the paper."""
    registerFont(TTFont("Text", font_file("DejaVuSans.ttf")))
    registerFont(TTFont("Bold", font_file("DejaVuSans-Bold.ttf")))
    # invariant: no time stamp; no compression: the bytes do not depend on the zlib at hand
    canvas = Canvas(str(path), pagesize=A4, invariant=1, pageCompression=0)
    canvas.setTitle("Stepforge sample contest")
    canvas.setSubject("Released under CC0-1.0")
    sheet = Typesetter(canvas)
    sheet.line("Stepforge Sample Contest", size_pt=16, bold=True)
    sheet.line("Eight problems, 60 minutes, no calculator. Released under CC0-1.0.")
    sheet.gap(1)
    for number, (question, _, _) in enumerate(PROBLEMS, 1):
        sheet.line(f"{number}. {question[0]}")
        for text in question[1:]:
            sheet.line(text, indent_pt=18)
        sheet.gap(1.6)
    sheet.page(1)
    sheet.line("Answers", size_pt=13, bold=True)
    for number, (_, answer, _) in enumerate(PROBLEMS, 1):
        sheet.line(f"{number}. {answer}", size_pt=9.5)
    sheet.gap()
    sheet.line("Solutions", size_pt=13, bold=True)
    for number, (_, _, steps) in enumerate(PROBLEMS, 1):
        sheet.line(f"{number}. {steps[0]}", size_pt=9.5)
        for step in steps[1:]:
            sheet.line(step, indent_pt=15, size_pt=9.5)
        sheet.gap(0.35)
    sheet.page(2)
    canvas.save()


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent / "paper.pdf"
    typeset(target)
    print(f"{target}: {len(PROBLEMS)} problems")
