r"""JSON objects in a model's reply, read although they are not quite JSON.

Models quote LaTeX without doubling its backslashes, use single or typographic quotes, and leave a comma at the end.
Nothing is evaluated: the text is rewritten as JSON, then read by the standard library.
"""

import json
import re
from collections.abc import Iterator

MAX_OBJECTS = 200  # only the last opening braces are tried
MAX_REWRITTEN_CHARS = 6000  # of one object that is not JSON as it stands
MAX_REWRITES = 20  # objects of one reply that are rewritten

_DECODER = json.JSONDecoder(strict=False)  # a line end inside a string is kept
# \b, \f, \r and \t before a letter begin a LaTeX command: no reply needs those characters; \n only where one is known
_ESCAPE = re.compile(
    r'\\(?P<json>[\\"/]|u[0-9a-fA-F]{4}|[bfrt](?![a-zA-Z])|n(?!(?:'
    r"eq?|u|ot(?:in)?|abla|eg|i|mid|parallel|cong|leq?|geq?|exists|subseteq|sim|atural|ewline"
    r")(?![a-zA-Z])))?"
)
_FENCE = re.compile(r"```(?:json)?", re.IGNORECASE)
_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "＂": '"'})
_COLON = re.compile(r"""(?<=["'])(\s{0,9})：""")
_COMMA = re.compile(r"""，(?=\s{0,9}["'])""")
_LAST_COMMA = re.compile(r",(?=\s{0,20}[}\]])")
_KEY = re.compile(r"""(?<=[{,])(\s{0,20})(?:'([A-Za-z_]{1,30})'|([A-Za-z_]{1,30}))(?=\s{0,20}:)""")
_SINGLE = re.compile(r"""([:\[,]\s{0,20})'((?:[^'\\]|\\.|'(?!\s{0,20}[,}\]])){0,4000})'(?=\s{0,20}[,}\]])""", re.DOTALL)


def json_objects(text: str) -> list[dict[str, object]]:
    r"""The outermost JSON objects in `text`, in order, read tolerantly; only the last `MAX_OBJECTS` braces are tried.
    `\frac`, `\times`, `\neq` and their like in a string are LaTeX, not a form feed, a tab or a line end."""
    return [value for _, _, value in _located(text)]


def _located(text: str) -> list[tuple[int, int, dict[str, object]]]:
    found: list[tuple[int, int, dict[str, object]]] = []
    end = rewrites = 0
    for start in [match.start() for match in re.finditer(r"\{", text)][-MAX_OBJECTS:]:
        if start < end:
            continue
        value, stop = _decoded(text, start)
        if value is None and rewrites < MAX_REWRITES:
            rewrites += 1
            stop = _closing(text, start)
            value = _first_read(_rewritten(text[start:stop]))
        elif value is not None:
            value = _first_read(iter([doubled(text[start:stop])])) or value
        if value is not None:
            found.append((start, stop, value))
            end = stop
    return found


def without_objects(text: str) -> str:
    """The text without its JSON objects and code fences."""
    kept, at = [], 0
    for start, end, _ in _located(text):
        kept.append(text[at:start])
        at = end
    return _FENCE.sub("", "".join(kept) + text[at:])


def _decoded(text: str, start: int) -> tuple[dict[str, object] | None, int]:
    """The object that begins at `start`, and its end."""
    try:
        value, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None, start
    return (value, end) if isinstance(value, dict) else (None, start)


def _first_read(ways: Iterator[str]) -> dict[str, object] | None:
    return next((value for way in ways if (value := _decoded(way, 0)[0]) is not None), None)


def _closing(text: str, start: int) -> int:
    """End of the braces that open at `start`, of the text's window if they do not close in it."""
    depth = 0
    stop = min(len(text), start + MAX_REWRITTEN_CHARS)
    for at in range(start, stop):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return at + 1
    return stop


def doubled(text: str) -> str:
    """The text with each backslash doubled that begins no escape of JSON."""
    return _ESCAPE.sub(lambda match: match[0] if match["json"] else "\\\\", text)


def _rewritten(text: str) -> Iterator[str]:
    """The text as JSON, changed more and more."""
    yield doubled(text)
    text = text.removesuffix("\\}") + "}" if text.endswith("\\}") else text
    text = _COMMA.sub(",", _COLON.sub(r"\1:", text.translate(_QUOTES)))
    text = _LAST_COMMA.sub("", text)
    yield doubled(text)
    text = _KEY.sub(lambda match: f'{match[1]}"{match[2] or match[3]}"', text)
    text = _SINGLE.sub(lambda match: match[1] + '"' + match[2].replace("\\'", "'").replace('"', '\\"') + '"', text)
    yield doubled(text)
