"""Bytes of a file as text: which encoding they are in, or why that cannot be told.

UTF-8 with or without a mark, UTF-16 with one, and GB18030 where nothing else fits are read.  A file that is UTF-8 but
for a few bytes is read, and those bytes cost the records that hold them.
"""

import codecs
import re
from collections.abc import Iterator
from typing import NamedTuple

MAX_BAD_SHARE = 0.01  # of the bytes; a file with more is in another encoding, not damaged
BLOCK_BYTES = 2**20
MIN_HANZI = 20  # fewer tell no language
MIN_PAIRED_SHARE = 0.98  # of the two-byte characters: Chinese text keeps to GB 2312, where both bytes are 0xA1 or more
MIN_FREQUENT_SHARE = 0.05  # of the hanzi; GeoLaux has 0.57 in all, its problems of 20 hanzi and more 0.30 at least
MAX_KANA_SHARE = 0.02
UTF8_MARK = codecs.BOM_UTF8
_SAMPLE = 2**20
_BAD = re.compile(r"[\udc80-\udcff]")
_HANZI = re.compile(r"[\u3400-\u9fff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
# The most frequent characters of Chinese prose and of problems; no text that is Chinese by accident has them in number.
_FREQUENT = re.compile(
    "[的一是在不了有和人这中大为上个以到时们出就分对成可主年动同也能下过方多之后作里如所点角形图边求线数则若且]"
)
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


class Decoded(NamedTuple):
    """Text of a file; bytes that are no UTF-8 stand in it as lone surrogates.  `error`: why there is no text."""

    text: str
    error: str | None


class Utf8(NamedTuple):
    """A file as UTF-8 without a mark, with its few bytes that are none.  `error`: why it cannot be had."""

    data: bytes
    error: str | None


def _blocks(data: bytes, errors: str) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder("utf-8")(errors)
    for at in range(0, len(data), BLOCK_BYTES):
        yield decoder.decode(data[at : at + BLOCK_BYTES], at + BLOCK_BYTES >= len(data))


def _is_utf8(data: bytes) -> bool:
    try:
        for _text in _blocks(data, "strict"):
            pass
    except UnicodeDecodeError:
        return False
    return True


def _bad_bytes(data: bytes) -> int:
    return sum(len(_BAD.findall(text)) for text in _blocks(data, "surrogateescape"))


def _first_bad(data: bytes) -> int:
    for at in range(0, len(data), BLOCK_BYTES):
        try:
            data[at : at + BLOCK_BYTES + 3].decode()
        except UnicodeDecodeError as error:
            if error.start < BLOCK_BYTES:
                return at + error.start
    return len(data)


def is_gb18030(data: bytes) -> bool:
    """Whether bytes that are no UTF-8 are Chinese in GB18030, and no other encoding of East Asia."""
    try:
        text = data.decode("gb18030")
    except UnicodeDecodeError:
        return False
    sample = text[:_SAMPLE]
    encoded = [char.encode("gb18030") for char in sample if not char.isascii()]
    paired = sum(len(char) == 2 and char[1] >= 0xA1 for char in encoded)
    hanzi = len(_HANZI.findall(sample))
    return (
        hanzi >= MIN_HANZI
        and paired >= MIN_PAIRED_SHARE * len(encoded)
        and len(_KANA.findall(sample)) <= MAX_KANA_SHARE * hanzi
        and len(_FREQUENT.findall(sample)) >= MIN_FREQUENT_SHARE * hanzi
    )


def _marked(data: bytes) -> Utf8 | None:
    """A file that says by its first bytes that it is UTF-16 or UTF-32; None if it does not."""
    name = next((name for mark, name in _MARKS if data.startswith(mark)), None)
    if name is None:
        return None
    try:
        return Utf8(data.decode(name).encode(), None)
    except UnicodeDecodeError as error:
        why = f"byte {error.start} is no {name.upper()}, which the file's first bytes say it is"
    except UnicodeEncodeError as error:
        why = f"character {error.start} is half a character, no {name.upper()}"
    return Utf8(b"", f"{why}; save the file as UTF-8")


def utf8(data: bytes) -> Utf8:
    """The file as UTF-8; not copied where it is that already."""
    marked = _marked(data)
    if marked is not None:
        return marked
    data = data.removeprefix(UTF8_MARK)
    if b"\0" in data[:4]:
        return Utf8(b"", f"byte {data.index(0)} is 0, as in UTF-16 without a byte-order mark; save the file as UTF-8")
    bad = 0 if _is_utf8(data) else _bad_bytes(data)
    if bad <= max(1, MAX_BAD_SHARE * len(data)):
        return Utf8(data, None)
    if is_gb18030(data):
        return Utf8(data.decode("gb18030").encode(), None)
    first = _first_bad(data)
    where = f"byte {first} (0x{data[first]:02x})"
    others = f", nor are {bad - 1} others" if bad > 1 else ""
    return Utf8(b"", f"{where} is no UTF-8{others}, and the file is not clearly GB18030; save it as UTF-8")


def decode(data: bytes) -> Decoded:
    """The file's text, without a byte-order mark."""
    found = utf8(data)
    return Decoded(found.data.decode("utf-8", errors="surrogateescape"), found.error)
