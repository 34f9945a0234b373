"""`lean-check FILE…` and `lean-check doctor`.

Exit codes: 0 all accepted, 1 some rejected, 2 wrong usage or a file that cannot be read, 3 something here is missing or
broken (infrastructure), which goes before 1.
"""

import argparse
import math
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from lean_check.check import METHOD_VERSION, check
from lean_check.process import GIB
from lean_check.sandbox import GUARANTEES, probe
from lean_check.toolchains import Toolchain, describe, find
from lean_check.verdict import NOT_AUDITED, Message, Verdict

ACCEPTED, REJECTED, USAGE, INFRASTRUCTURE = 0, 1, 2, 3


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; its exit code."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    if list(arguments) == ["doctor"]:
        return doctor()
    options = _parser().parse_args(arguments)
    texts: list[tuple[str, bytes]] = []
    for file in options.files:
        try:
            texts.append((file, Path(file).read_bytes()))
        except (OSError, ValueError) as error:
            print(f"lean-check: {file} cannot be read: {error}", file=sys.stderr)
            return USAGE
    toolchain = find()
    verdicts = []
    for name, data in texts:
        verdict = check_bytes(name, data, options, toolchain)
        verdicts.append(verdict.verdict)
        _say(verdict.to_json() if options.json else _for_person(verdict))
    if "infrastructure" in verdicts:
        return INFRASTRUCTURE
    return REJECTED if "rejected" in verdicts else ACCEPTED


def check_bytes(name: str, data: bytes, options: argparse.Namespace, toolchain: Toolchain | None) -> Verdict:
    """The verdict for the bytes of a file, which may be no text at all."""
    try:
        source = data.decode("utf-8")
    except UnicodeDecodeError as error:
        message = Message("refused", data.count(b"\n", 0, error.start) + 1, None, f"byte {error.start} is not UTF-8")
        return Verdict(name, "rejected", ("invalid_utf8",), (message,), notes=(NOT_AUDITED,), method=METHOD_VERSION)
    return check(
        source,
        name=name,
        statement_only=options.statements_only,
        timeout_s=options.timeout,
        memory_bytes=int(options.memory * GIB),
        address_space_bytes=int(options.address_space * GIB),
        toolchain=toolchain,
        allow_unsandboxed=options.allow_unsandboxed,
    )


def doctor() -> int:
    """What is usable here, and how to add what is not; 0 when a text can be checked, else 3."""
    states = describe()
    for state in states:
        mark, version = ("usable", f" {state.version}") if state.usable else ("missing", "")
        _say(f"{mark:8} Lean{version} ({state.name}): {state.detail}")
        if not state.usable:
            _say(f"         to add it: {state.install}")
    box = probe()
    _say(f"{'usable' if box.works else 'missing':8} sandbox: {box.detail}")
    for _, guarantee in GUARANTEES:
        _say(f"         {'holds' if guarantee in box.guarantees else 'NOT SEEN TO HOLD'}: {guarantee}")
    if not box.works:
        _say(f"         to add it: {box.install}")
    _say(f"method {METHOD_VERSION}: {NOT_AUDITED}")
    return ACCEPTED if box.works and find() is not None else INFRASTRUCTURE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="lean-check",
        description="Asks Lean about each file, in a sandbox.  `lean-check doctor` says what is installed.",
        epilog="Exit codes: 0 all accepted, 1 some rejected, 2 usage or missing file, 3 infrastructure.  "
        f"Limits of this version: {NOT_AUDITED}.",
    )
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--json", action="store_true", help="one verdict a line")
    parser.add_argument("--statements-only", action="store_true", help="allow sorry: nothing is held to be proved")
    parser.add_argument(
        "--timeout",
        type=_positive,
        default=60.0,
        metavar="S",
        help="seconds a file, default 60; up to three times as long where a busy machine keeps it waiting",
    )
    parser.add_argument("--memory", type=_positive, default=4.0, metavar="GIB", help="private memory, default 4")
    parser.add_argument(
        "--address-space", type=_positive, default=8.0, metavar="GIB", help="default 8; Mathlib needs more"
    )
    parser.add_argument(
        "--allow-unsandboxed",
        action="store_true",
        help="where the sandbox does not work, run the files with your own rights: only for texts you trust",
    )
    return parser


def _positive(text: str) -> float:
    value = float(text)
    if not (math.isfinite(value) and value > 0):
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return value


def _for_person(verdict: Verdict) -> str:
    lines = [f"{verdict.file}: {verdict.verdict}" + (f" ({', '.join(verdict.reasons)})" if verdict.reasons else "")]
    for message in verdict.messages:
        place = "" if message.line is None else f"{message.line}:{message.column or 0}: "
        lines.append(f"  {place}{message.severity}: {message.text}")
    lines += [f"  note: {note}" for note in verdict.notes]
    return "\n".join(lines)


def _say(text: str) -> None:
    """Prints without control characters, which a hostile text could send to the terminal."""
    shown = "".join(char if char.isprintable() or char == "\n" else "�" for char in text)
    try:
        sys.stdout.buffer.write((shown + "\n").encode("utf-8", "replace"))
        sys.stdout.buffer.flush()
    except BrokenPipeError:  # the reader has left, as `| head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(ACCEPTED)


if __name__ == "__main__":
    sys.exit(main())
