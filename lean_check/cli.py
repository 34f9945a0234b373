"""`lean-check FILE…`, `lean-check --statements F.jsonl`, `lean-check doctor` and `lean-check schema`.

Exit codes: 0 all accepted, 1 some rejected, 2 wrong usage or a file that cannot be read, 3 something here is missing or
broken (infrastructure), which goes before 1.  Ended by a signal: 128 and its number.
"""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from lean_check.audit import Reference, why_not, why_not_itself
from lean_check.batch import Item, Settings, check_many
from lean_check.check import METHOD_VERSION
from lean_check.helpers import helpers
from lean_check.interrupted import own_folder_and_signals
from lean_check.memory import FileMemory, MemoryDamagedError
from lean_check.process import GIB
from lean_check.repl import NoReplError, named
from lean_check.sandbox import GUARANTEES, probe
from lean_check.schema import verdict_schema
from lean_check.screen import MAX_SOURCE_BYTES
from lean_check.statements import Row, placed, read_rows
from lean_check.toolchains import Toolchain, describe, find
from lean_check.verdict import NOT_AUDITED, Message, Verdict

ACCEPTED, REJECTED, USAGE, INFRASTRUCTURE = 0, 1, 2, 3
MOST = 1e6  # seconds or GiB: what is larger is no limit, and too much for the system's own numbers
MAX_ROWS_BYTES = GIB


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; its exit code."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    if list(arguments) == ["doctor"]:
        return doctor()
    if list(arguments) == ["schema"]:
        _say(json.dumps(verdict_schema(), indent=2, ensure_ascii=False))
        return ACCEPTED
    parser = _parser()
    options = parser.parse_args(arguments)
    if bool(options.files) == bool(options.statements):
        parser.error("name files, or one file of rows with --statements")
    if (options.reference is None) != (options.target is None) or (options.reference and options.statements):
        parser.error("--reference and --target go together, and with files")
    try:
        rows = _rows(options)
        with own_folder_and_signals(), _memory(options.remember) as memory:
            return _check_rows(rows, options, memory)
    except (OSError, ValueError, MemoryDamagedError, NoReplError) as error:
        print(f"lean-check: {error}", file=sys.stderr)
        return USAGE


def _rows(options: argparse.Namespace) -> list[Row]:
    """What to check, all of it read before anything runs.  Raises: OSError, ValueError."""
    if options.statements:
        rows = list(read_rows(_read(options.statements, MAX_ROWS_BYTES, "split it")))
        if not rows:
            raise ValueError(f"{options.statements} has no rows")
        return rows
    reference = None if options.reference is None else _reference(options.reference, options.target)
    return [
        _file_row(file, _read(file, MAX_SOURCE_BYTES), options.statements_only, reference) for file in options.files
    ]


def _reference(file: str, target: str) -> Reference:
    try:
        return Reference(_read(file, MAX_SOURCE_BYTES, "a reference is a text").decode("utf-8"), target)
    except UnicodeDecodeError as error:
        raise ValueError(f"{file} is not UTF-8: byte {error.start}") from None


def _read(file: str, most: int, otherwise: str | None = None) -> bytes:
    """Its bytes, and one more than `most` where there are more; with `otherwise` that is an error.  Raises:
    ValueError."""
    try:
        with Path(file).open("rb") as opened:
            data = opened.read(most + 1)
    except (OSError, ValueError) as error:
        raise ValueError(f"{file} cannot be read: {error}") from None
    if otherwise is not None and len(data) > most:
        raise ValueError(f"{file} has more than {most} bytes: {otherwise}")
    return data


def _file_row(name: str, data: bytes, statement_only: bool, reference: Reference | None) -> Row:
    """The bytes of a file, which may be no text at all."""
    if len(data) > MAX_SOURCE_BYTES:
        return _no_text(name, "too_large", None, f"more than {MAX_SOURCE_BYTES} bytes")
    try:
        return Row(Item(name, data.decode("utf-8"), statement_only, reference=reference))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return _no_text(name, "invalid_utf8", line, f"byte {error.start} is not UTF-8")


def _no_text(name: str, rule: str, line: int | None, detail: str) -> Row:
    message = Message("refused", line, None, f"{rule}: {detail}")
    return Row(None, verdict=Verdict(name, "rejected", (rule,), (message,), method=METHOD_VERSION))


def _memory(path: str | None) -> AbstractContextManager[FileMemory | None]:
    return nullcontext() if path is None else FileMemory(Path(path))


def _check_rows(rows: Sequence[Row], options: argparse.Namespace, memory: FileMemory | None) -> int:
    env = os.environ if options.project is None else {**os.environ, "LEAN_CHECK_PROJECT": options.project}
    toolchain = find(env)
    if toolchain is None and options.project is not None:
        raise ValueError(f"--project: {describe(env)[0].detail}")
    address_space = 8 * GIB if toolchain is None else toolchain.address_space_bytes
    settings = Settings(
        timeout_s=options.timeout,
        memory_bytes=int(options.memory * GIB),
        address_space_bytes=address_space if options.address_space is None else int(options.address_space * GIB),
        allow_unsandboxed=options.allow_unsandboxed,
        warm=not options.cold,
        repl=_repl(options, named(toolchain, env)),
    )
    items = [row.item for row in rows if row.item is not None]
    checked = check_many(items, settings, toolchain=toolchain, memory=memory, lanes=options.jobs)
    said = set()
    for row in rows:
        verdict = row.verdict or placed(row, next(checked))
        said.add(verdict.verdict)
        _say(verdict.to_json() if options.json else _for_person(verdict))
    if "infrastructure" in said:
        return INFRASTRUCTURE
    return REJECTED if "rejected" in said else ACCEPTED


def _repl(options: argparse.Namespace, named_by_environment: Path | None) -> Path | bool:
    if options.no_repl:
        return False
    return Path(options.repl) if options.repl else named_by_environment or False


def doctor() -> int:
    """What is usable here, and how to add what is not; 0 when a text can be checked, else 3."""
    states = describe()
    for state in (*states, *helpers()):
        mark, version = ("usable", f" {state.version}") if state.usable else ("missing", "")
        what = "Lean" if state in states else "helper"
        _say(f"{mark:8} {what}{version} ({state.name}): {state.detail}")
        if not state.usable:
            _say(f"         to add it: {state.install}")
    box = probe()
    _say(f"{'usable' if box.works else 'missing':8} sandbox: {box.detail}")
    for _, guarantee in GUARANTEES:
        _say(f"         {'holds' if guarantee in box.guarantees else 'NOT SEEN TO HOLD'}: {guarantee}")
    if not box.works:
        _say(f"         to add it: {box.install}")
    lean = find()
    if lean is not None:
        obstacle = why_not(lean)
        _say(
            f"{'usable' if obstacle is None else 'missing':8} audit with {lean.label}: {obstacle or _audited_by(lean)}"
        )
        if obstacle is not None:
            _say(f"         without it: {NOT_AUDITED}")
    _say(f"method {METHOD_VERSION}")
    return ACCEPTED if box.works and lean is not None else INFRASTRUCTURE


def _audited_by(lean: Toolchain) -> str:
    if why_not_itself(lean) is None:
        return "kernel, axioms"
    return f"{', '.join(name for name, _ in lean.checkers)}; axioms are not listed"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="lean-check",
        description="Asks Lean about each file, in a sandbox.  `lean-check doctor` says what is installed.",
        epilog="Exit codes: 0 all accepted, 1 some rejected, 2 usage or missing file, 3 infrastructure.",
    )
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument(
        "--statements",
        metavar="F.jsonl",
        help='rows instead of files: {"id": …, "statement": …}, and where it is wanted "header": … and "proof": true',
    )
    parser.add_argument("--reference", metavar="REF.lean", help="what the files have to prove, its proof left as sorry")
    parser.add_argument("--target", metavar="NAME", help="the theorem of the reference that is asked for")
    parser.add_argument("--json", action="store_true", help="one verdict a line")
    parser.add_argument("--statements-only", action="store_true", help="allow sorry: nothing is held to be proved")
    parser.add_argument(
        "--timeout",
        type=_positive,
        default=60.0,
        metavar="S",
        help="seconds a file, default 60; up to five times as long where a busy machine keeps it waiting",
    )
    parser.add_argument("--memory", type=_positive, default=4.0, metavar="GIB", help="private memory, default 4")
    parser.add_argument(
        "--address-space",
        type=_positive,
        metavar="GIB",
        help="reserved, most of it never used: default 8, a project 40",
    )
    parser.add_argument("--project", metavar="DIR", help="a built Lake project, such as one with Mathlib")
    first = parser.add_mutually_exclusive_group()
    first.add_argument(
        "--repl", metavar="DIR", help="a built REPL of the project, asked first; default LEAN_CHECK_REPL"
    )
    first.add_argument("--no-repl", action="store_true", help="ask no REPL first")
    parser.add_argument(
        "--jobs", type=_count, metavar="N", help="texts at once; default: as many as memory and cores allow"
    )
    parser.add_argument("--remember", metavar="FILE", help="verdicts known from before, and where new ones are put")
    parser.add_argument("--cold", action="store_true", help="start Lean anew for every text")
    parser.add_argument(
        "--allow-unsandboxed",
        action="store_true",
        help="where the sandbox does not work, run the files with your own rights: only for texts you trust",
    )
    return parser


def _positive(text: str) -> float:
    value = float(text)
    if not 0 < value <= MOST:  # nor is it when it is no number
        raise argparse.ArgumentTypeError(f"{text} is not a number above 0 and up to {MOST:g}")
    return value


def _count(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not 1 or more")
    return value


def _for_person(verdict: Verdict) -> str:
    file = verdict.file.replace("\n", "�")
    lines = [f"{file}: {verdict.verdict}" + (f" ({', '.join(verdict.reasons)})" if verdict.reasons else "")]
    for message in verdict.messages:
        place = "" if message.line is None else f"{message.line}:{message.column or 0}: "
        text = message.text.replace("\n", "\n    ")  # so that no message looks like a verdict
        lines.append(f"  {place}{message.severity}: {text}")
    if verdict.axioms is not None:
        lines.append(f"  axioms: {', '.join(verdict.axioms) or 'none'}")
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
