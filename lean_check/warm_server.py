"""Lean with a header read once: a program that runs in the sandbox, loads the packaged Lean, reads a header, and then
reads each text in a copy of itself (fork), which begins where the header ended.

Where a text is to be audited the copy also writes its `.olean`, after its messages and only where none is an error.

It is carried out as a script, from its text; see `lean_check.warm` for its other side.  It calls functions of the
shared library that Lean's own compiler made, whose signatures are no promise to anyone: they are those of Lean 4.35.0,
and are used for no other version.

Spoken over standard input and output: a line of JSON that gives the sizes of what follows it.
"""

import ctypes
import json
import os
import resource
import select
import shutil
import struct
import sys
import threading
import traceback
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

ANSWER_ROOM = 65536
PR_SET_DUMPABLE = 4
STACK_BYTES = 1024**3  # reserved, as the `lean` command has it: how deep a text may nest depends on it
TRUST_LEVEL = 1024  # as the `lean` command has it
ARRAY_TAG = 246
PRODUCT = "Item.olean"
Pointer = ctypes.c_void_p


def _box(number: int) -> int:
    return (number << 1) | 1


class Lean:
    """The library, begun once, and the state after a header.  Objects are addresses.  Nothing is given back to Lean's
    memory: what is read here lives as long as the process, or as its copy."""

    def __init__(self, library: str) -> None:
        self._library = ctypes.CDLL(library, mode=ctypes.RTLD_GLOBAL)
        self._library.lean_initialize()
        self._result(self._call("lean_init_search_path"))
        self._library.lean_enable_initializer_execution()
        self._library.lean_io_mark_end_initialization()
        self._options = self._default_options()
        empty = struct.pack("<iHBBQQ", 0, 0, 0, ARRAY_TAG, 0, 0)  # an array that counts no references, of no elements
        self._buffer = ctypes.create_string_buffer(empty, len(empty))
        self._state = 0
        self._parser_state = 0

    def read_header(self, text: bytes) -> list[str]:
        """Its messages as JSON.  Afterwards no thread of Lean's is left, so that the process can be copied."""
        self.start_threads()
        context, header, parser_state, log = self._parsed_header(text)
        empty = ctypes.addressof(self._buffer)
        module = self._call("l_Lean_Name_mkStr1", self._string(b"Item"))  # as the file is called
        loaded = self._result(
            self._call(
                "l_Lean_Elab_processHeader",
                *(header, self._options, log, self._kept(context)),
                *(ctypes.c_uint32(TRUST_LEVEL), empty, ctypes.c_uint8(0), module, _box(0)),
            )
        )
        if self._call("l_Lean_MessageLog_hasErrors", self._field(loaded, 1)) & 1:
            sys.exit("the header's imports cannot be loaded")
        begun = self._call(
            "l_Lean_Elab_Command_mkState", self._field(loaded, 0), self._field(loaded, 1), self._kept(self._options)
        )
        self._state = self._commands(context, parser_state, begun)
        self._parser_state = self._parsed_header(b"")[2]
        ctypes.c_void_p.from_address(self._parser_state + 8).value = _box(len(text))
        self._library.lean_finalize_task_manager()
        return self.messages(self._state)

    def start_threads(self) -> None:
        """Makes this thread one of Lean's, and starts Lean's own for its tasks."""
        self._library.lean_initialize_thread()
        self._library.lean_init_task_manager()

    def read(self, text: bytes) -> int:
        """The state after the text, which begins with the header; Lean goes on where that ended."""
        return self._commands(self._context(text), self._parser_state, self._kept(self._state))

    def messages(self, state: int) -> list[str]:
        """Its messages as Lean prints them with `--json`."""
        array = self._call("l_Lean_MessageLog_toArray", self._field(state, 1))
        size = ctypes.c_size_t.from_address(array + 8).value
        items = [ctypes.c_void_p.from_address(array + 24 + 8 * n).value or 0 for n in range(size)]
        return [self._text(self._call("l_Lean_Json_compress", self._json(item))) for item in items]

    def write_olean(self, state: int, path: Path) -> None:
        """What was declared up to this state, as `lean -o` writes it."""
        self._result(
            self._call("l_Lean_writeModule", self._field(state, 0), self._string(os.fsencode(path)), ctypes.c_uint8(0))
        )

    def _json(self, message: int) -> int:
        return self._call("l_Lean_Message_toJson", self._kept(message), _box(0))

    def _commands(self, context: int, parser_state: int, state: int) -> int:
        after = self._result(
            self._call("l_Lean_Elab_IO_processCommands", context, self._kept(parser_state), state, _box(0))
        )
        return self._field(after, 0)

    def _parsed_header(self, text: bytes) -> tuple[int, int, int, int]:
        """Input, syntax of the header, where the parser stands, messages."""
        context = self._context(text)
        parsed = self._result(self._call("l_Lean_Parser_parseHeader", self._kept(context), _box(0)))
        rest = self._field(parsed, 1)
        return context, self._field(parsed, 0), self._field(rest, 0), self._field(rest, 1)

    def _context(self, text: bytes) -> int:
        return self._call(
            "l_Lean_Parser_mkInputContext___redArg",
            *(self._string(text), self._string(b"Item.lean"), ctypes.c_uint8(1), _box(len(text))),
        )

    def _default_options(self) -> int:
        """What the `lean` command switches on by itself, and `lean_check.audit.OPTIONS`.  Without the second an aborted
        proof can leave no message."""
        options = self._global("l_Lean_Options_empty")
        for name, value in (
            ("l_Lean_internal_cmdlineSnapshots", 1),
            ("l_Lean_Elab_async", 1),
            ("l_Lean_Elab_relaxedAutoImplicit", 0),
        ):
            key = self._field(self._global(name), 0)
            options = self._call("l_Lean_Options_setBool", options, key, ctypes.c_uint8(value))
        return options

    def _global(self, name: str) -> int:
        return self._kept(ctypes.c_void_p.in_dll(self._library, name).value or 0)

    def _call(self, name: str, *arguments: Any) -> int:
        function = getattr(self._library, name)
        function.restype = Pointer
        return int(function(*(Pointer(a) if isinstance(a, int) else a for a in arguments)) or 0)

    def _string(self, text: bytes) -> int:
        return self._call("lean_mk_string_from_bytes", ctypes.c_char_p(text), ctypes.c_size_t(len(text)))

    def _text(self, string: int) -> str:
        size = ctypes.c_size_t.from_address(string + 8).value
        return ctypes.string_at(string + 32, size - 1).decode("utf-8", "replace")

    def _field(self, value: int, index: int) -> int:
        return self._kept(ctypes.c_void_p.from_address(value + 8 + 8 * index).value or 0)

    def _result(self, value: int) -> int:
        """What an action of Lean's returned; its error ends this process."""
        if ctypes.c_uint8.from_address(value + 7).value != 0:
            self._library.lean_io_result_show_error(Pointer(value))
            self.flush()
            os._exit(1)
        return self._field(value, 0)

    def _kept(self, value: int) -> int:
        """The object with one reference more, as every call takes one."""
        if not value & 1:
            count = ctypes.c_int.from_address(value)
            if count.value > 0:
                count.value += 1
            elif count.value < 0:  # shared between threads, none of which runs now: counted downwards
                count.value -= 1
        return value

    def flush(self) -> None:
        """What C holds in its buffers."""
        ctypes.CDLL(None).fflush(None)


class Asked(NamedTuple):
    """One text: `cpu_s` of computing and `output_bytes` of messages at most; `product_bytes`: of its `.olean` at most,
    None where it is not wanted."""

    size: int
    cpu_s: int
    output_bytes: int
    product_bytes: int | None


def _read_text(lean: Lean, text: bytes, asked: Asked, product: Path, ends: list[int]) -> None:
    """The copy's work: messages to standard output, what it came to through the other pipes, and an end that says
    whether there was an error."""
    null = os.open("/dev/null", os.O_RDONLY)
    for number, end in enumerate((null, *ends)):
        os.dup2(end, number)
    os.closerange(len(ends) + 1, 512)
    _, most_s = resource.getrlimit(resource.RLIMIT_CPU)
    cpu_s = asked.cpu_s if most_s == resource.RLIM_INFINITY else min(asked.cpu_s, most_s)
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s))
    threading.stack_size(STACK_BYTES)
    reader = threading.Thread(target=_write_messages, args=(lean, text, asked, product))
    reader.start()
    reader.join()


def _write_messages(lean: Lean, text: bytes, asked: Asked, product: Path) -> None:
    lean.start_threads()
    state = lean.read(text)
    messages = lean.messages(state)
    lean.flush()
    _write(1, "".join(f"{message}\n" for message in messages).encode())
    failed = any(json.loads(message)["severity"] == "error" for message in messages)
    if asked.product_bytes is not None and not failed:
        lean.write_olean(state, product)
        with product.open("rb") as file:
            _write(4, file.read(asked.product_bytes + 1))
    _write(3, str(_private_bytes()).encode())
    os._exit(1 if failed else 0)


def _write(end: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(end, rest) :]


def _private_bytes() -> int:
    """Anonymous and shared memory of this process, as `lean_check.process` counts it."""
    rows = (line.split() for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines())
    return sum(int(row[1]) * 1024 for row in rows if row and row[0] in ("RssAnon:", "RssShmem:"))


def _answer(lean: Lean, text: bytes, asked: Asked, product: Path) -> tuple[dict[str, int], bytes]:
    """How the copy ended, and what it wrote."""
    pipes = [os.pipe() for _ in range(4)]
    pid = os.fork()
    if pid == 0:
        try:
            _read_text(lean, text, asked, product, [writing for _, writing in pipes])
        except BaseException:  # noqa: BLE001 - this copy must not go on as the server
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(70)
    for _, writing in pipes:
        os.close(writing)
    most = (asked.output_bytes, asked.output_bytes, ANSWER_ROOM, (asked.product_bytes or 0) + 1)
    written, status = _listen(pid, {reading: size for (reading, _), size in zip(pipes, most, strict=True)})
    for reading, _ in pipes:
        os.close(reading)
    stdout, stderr, memory, olean = written
    sizes = {"code": os.waitstatus_to_exitcode(status), "stdout": len(stdout), "stderr": len(stderr)}
    sizes |= {"product": len(olean), "memory": int(memory) if memory.isdigit() else 0}
    return sizes, stdout + stderr + olean


def _listen(pid: int, most: dict[int, int]) -> tuple[list[bytes], int]:
    """What comes through each pipe, and the status of the copy, which is killed when it writes more than `most`."""
    written = {pipe: bytearray() for pipe in most}
    open_ends = set(most)
    status: int | None = None
    while open_ends:
        ready = select.select(list(open_ends), [], [], 0.05)[0]
        for end in ready:
            data = os.read(end, ANSWER_ROOM)
            if not data:
                open_ends.discard(end)
            written[end] += data
        if any(len(written[end]) > size for end, size in most.items()):
            os.kill(pid, 9)
            break
        if not ready and status is not None:  # it has ended, and another holds its pipes
            break
        if not ready:
            ended, code = os.waitpid(pid, os.WNOHANG)
            status = code if ended else None
    if status is None:
        status = os.waitpid(pid, 0)[1]
    return [bytes(written[pipe]) for pipe in most], status


def _say(out: BinaryIO, head: dict[str, int], data: bytes = b"") -> None:
    out.write(json.dumps(head).encode() + b"\n" + data)
    out.flush()


def _empty(folder: Path) -> None:
    """What a text left in the folder is not there for the next one."""
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def serve(library: str, scratch: Path) -> None:
    """Until standard input ends: first the header, then texts."""
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what Lean prints by itself is no answer
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)  # the copies can neither look into this process nor its pipes
    head = json.loads(requests.readline())
    lean = Lean(library)
    said = "".join(f"{message}\n" for message in lean.read_header(requests.read(head["size"]))).encode()
    _say(answers, {"stdout": len(said)}, said)
    while line := requests.readline():
        asked = Asked(**json.loads(line))
        sizes, data = _answer(lean, requests.read(asked.size), asked, scratch / PRODUCT)
        _empty(scratch)
        _say(answers, sizes, data)


if __name__ == "__main__":
    serve(sys.argv[1], Path(sys.argv[2]))
