"""PDFs and images that are made to hang a reader, to eat its memory, or to lie about themselves."""

import io
import struct
import zlib

from PIL import Image

CATALOG, PAGES = b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>"
FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
WORDS = b"BT /F1 14 Tf 72 700 Td (1. How many sides has a square?) Tj ET"


def pdf_of(*objects, trailer=b""):
    """A PDF of numbered objects, the first of them the catalogue."""
    out, places = bytearray(b"%PDF-1.7\n"), []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, trailer, start)
    return bytes(out)


def stream(data, extra=b""):
    return b"<</Length %d%s>>\nstream\n" % (len(data), extra) + data + b"\nendstream"


def packed(data, extra=b""):
    return stream(zlib.compress(data, 1), b"/Filter/FlateDecode" + extra)


def page(content, box=b"0 0 595 842", resources=b"", extra=b""):
    """A PDF of one page; `content` is its content stream, object 4; the font is object 5."""
    own = b"<</Type/Page/Parent 2 0 R/MediaBox[%s]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>%s>>%s>>"
    return [CATALOG, PAGES, own % (box, resources, extra), content, FONT]


def twice_packed(size):
    """A stream of `size` blanks that is packed, and packed again: a thousandth of a thousandth of it."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = packer.compress(b" " * 2**20) + packer.flush(zlib.Z_FULL_FLUSH)  # stands for itself wherever it stands
    out = b"\x78\x9c" + block * (size // 2**20) + packer.flush()
    return stream(zlib.compress(out, 9), b"/Filter[/FlateDecode/FlateDecode]")


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png_of_size(width, height):
    """A PNG that says it is so large, and is some hundred bytes."""
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    body = zlib.compress(b"\0" * 10_000)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def tiff_in_a_loop():
    """A TIFF whose second frame is its first."""
    held = io.BytesIO()
    Image.new("L", (40, 40), 255).save(held, "TIFF")
    data = bytearray(held.getvalue())
    (first,) = struct.unpack_from("<I", data, 4)
    (entries,) = struct.unpack_from("<H", data, first)
    struct.pack_into("<I", data, first + 2 + 12 * entries, first)
    return bytes(data)


def gif_of(frames):
    held = io.BytesIO()
    first, *rest = [Image.new("L", (30, 30), k % 250) for k in range(frames)]
    first.save(held, "GIF", save_all=True, append_images=rest)
    return held.getvalue()


SELF_FORM = stream(WORDS + b" /X Do", b"/Type/XObject/Subtype/Form/BBox[0 0 595 842]/Resources<</XObject<</X 6 0 R>>>>")
HUGE_IMAGE = packed(
    b"\0" * 1000, b"/Type/XObject/Subtype/Image/Width 100000/Height 100000/ColorSpace/DeviceRGB/BitsPerComponent 8"
)

PDFS = {
    "a page tree that is its own child": lambda: pdf_of(CATALOG, b"<</Type/Pages/Kids[2 0 R 2 0 R]/Count 9>>"),
    "pages without number": lambda: pdf_of(CATALOG, b"<</Type/Pages/Kids[]/Count 2000000000>>"),
    "a page whose parent is itself": lambda: pdf_of(
        CATALOG, b"<</Type/Pages/Kids[3 0 R]/Count 1/Parent 3 0 R>>", b"<</Type/Page/Parent 3 0 R>>"
    ),
    "a form that draws itself": lambda: pdf_of(*page(stream(b"/X Do"), resources=b"/XObject<</X 6 0 R>>"), SELF_FORM),
    "contents that are an array of itself": lambda: pdf_of(*page(b"[4 0 R 4 0 R]")),
    "an xref table before itself": lambda: pdf_of(*page(stream(WORDS)), trailer=b"/Prev 9"),
    "a stream of four gigabytes": lambda: pdf_of(*page(twice_packed(2**32))),
    "a million drawn objects": lambda: pdf_of(
        *page(packed(WORDS + b"\n" + b"".join(b"%d %d 5 5 re f\n" % (k % 590, k % 840) for k in range(10**6))))
    ),
    "a million letters": lambda: pdf_of(*page(packed(b"BT /F1 1 Tf 9 9 Td (%s) Tj ET" % (b"ab " * 400_000)))),
    "an image of ten thousand million pixels": lambda: pdf_of(
        *page(stream(b"500 0 0 500 9 9 cm /I Do"), resources=b"/XObject<</I 6 0 R>>"), HUGE_IMAGE
    ),
    "a page of a million inches": lambda: pdf_of(*page(stream(WORDS), box=b"0 0 99999999 99999999")),
    "a page of no size": lambda: pdf_of(*page(stream(WORDS), box=b"0 0 0 0")),
    "a page whose size is no number": lambda: pdf_of(*page(stream(WORDS), box=b"nan inf 1e999 -1e999")),
    "a page as thin as a hair": lambda: pdf_of(*page(stream(WORDS), box=b"0 0 0.001 90000")),
    "a hundred thousand brackets": lambda: pdf_of(*page(b"[" * 100_000 + b"]" * 100_000)),
    "a hundred thousand dictionaries": lambda: pdf_of(*page(b"<</A" * 100_000 + b">>" * 100_000)),
    "a hundred thousand saved states": lambda: pdf_of(*page(packed(b"q " * 100_000 + WORDS))),
    "only a head": lambda: b"%PDF-1.7\n",
    "a user unit of a million": lambda: pdf_of(*page(stream(WORDS), extra=b"/UserUnit 1000000")),
}

IMAGES = {
    "a PNG of 2,500 million pixels": ("image/png", lambda: png_of_size(50_000, 50_000)),
    "a PNG of 49 million pixels and no data": ("image/png", lambda: png_of_size(7_000, 7_000)),
    "a PNG of no size": ("image/png", lambda: png_of_size(0, 10)),
    "a PNG as long as a street": ("image/png", lambda: png_of_size(2**31 - 1, 1)),
    "a TIFF in a loop": ("image/tiff", tiff_in_a_loop),
    "a GIF of many frames": ("image/gif", lambda: gif_of(210)),
    "a JPEG that ends at once": ("image/jpeg", lambda: b"\xff\xd8\xff\xe0\0\x10JFIF\0"),
}
