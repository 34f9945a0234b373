"""What every record that was cut from a file is looked at for, whatever the file's format."""

from stepforge.sources._base import RawRecord

MAX_DEPTH = 40  # the deepest record of the known sources has 3 levels
EVIDENCE = 300  # characters of a record that are shown where it is refused


def _children(value: object) -> list[object]:
    if isinstance(value, dict):
        return [*value, *value.values()]
    return list(value) if isinstance(value, list) else []


def fault(value: object) -> str | None:
    """What makes a decoded value unusable: nesting too deep, or text that is no Unicode."""
    level, depth = [value], 0
    while level:
        if depth > MAX_DEPTH:
            return f"nested deeper than {MAX_DEPTH} levels"
        for part in level:
            if isinstance(part, str) and not part.isascii():
                try:
                    part.encode()
                except UnicodeEncodeError as error:
                    code = ord(part[error.start])
                    kind = (
                        f"the byte 0x{code - 0xDC00:02x}, no UTF-8" if 0xDC80 <= code <= 0xDCFF else "half a character"
                    )
                    return f"a text holds {kind} (U+{code:04X}) at character {error.start}: {part[:60]!a}"
        level = [child for part in level for child in _children(part)]
        depth += 1
    return None


def checked(locator: str, value: object, evidence: str, key: str | None = None, method: str = "json") -> RawRecord:
    """The decoded value as a record, or why it is none."""
    wrong = fault(value)
    if wrong is None and not isinstance(value, dict):
        wrong = f"is a {type(value).__name__}, not an object with fields"
    if wrong is not None:
        return RawRecord(locator, None, f"{wrong}; correct the record", evidence, method)
    return RawRecord(locator, value, None, evidence, method, key=key)  # type: ignore[arg-type]  # a dict here
