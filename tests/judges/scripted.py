"""A judge behind a real socket: it speaks the OpenAI format, keeps every request, and says what it is told.

`tests.wire` is for what providers do; this is for what a judge reads and says."""

import json
import re
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

REFUSES = "\0refuses"
RUNS_OUT = "\0runs out of tokens"


class Asked(NamedTuple):
    """One request: its whole body as text, the record that the reply has to be, the text and the number of figures."""

    body: str
    schema: str
    text: str
    figures: int

    @property
    def steps(self) -> int:
        """How many steps the judge is to mark."""
        found = re.search(r"The solution to judge has (\d+) steps|待评判的解答共有 (\d+) 步", self.text)
        return int(found[1] or found[2]) if found else 0


Says = Callable[[Asked], str]


def marks(scores: list[int], error: str | None = None, **said: Any) -> str:
    """A reply by the rubric `steps`."""
    steps = [
        {"step": k, "reason": f"reason {k}", "right": bool(score), "error": None if score else error}
        for k, score in enumerate(scores, start=1)
    ]
    return json.dumps({"steps": steps, "auxiliary": False, "concludes": True, **said})


def good(asked: Asked) -> str:
    """What a judge says who finds everything right, equal and aligned."""
    if asked.schema == "StepsReply":
        return marks([1] * asked.steps)
    if asked.schema == "AnswerReply":
        return json.dumps({"reason": "No difference.", "verdict": "equal"})
    return json.dumps({"reason": "No difference.", "aligned": True})


class JudgeServer:
    """The server; ends with its `with` block."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.says: Says = good
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers["content-length"])).decode()
                answer = json.dumps(outer._answer(raw)).encode()
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self) -> "JudgeServer":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def reset(self, says: Says = good) -> None:
        """Forget what was asked, and speak so from now on."""
        self.asked, self.says = [], says

    def _answer(self, raw: str) -> dict[str, Any]:
        body = json.loads(raw)
        asked = _read(raw, body)
        self.asked.append(asked)
        said = self.says(asked)
        refused, cut = said == REFUSES, said == RUNS_OUT
        message = {"role": "assistant", "content": None if refused else '{"steps": [' if cut else said}
        message["refusal"] = "I cannot help with that." if refused else None
        finish = "length" if cut else "stop"
        usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
        choice = {"index": 0, "message": message, "finish_reason": finish, "logprobs": None}
        head = {"id": "c", "object": "chat.completion", "created": 1_700_000_000, "model": body["model"]}
        return {**head, "choices": [choice], "usage": usage}


def _read(raw: str, body: dict[str, Any]) -> Asked:
    schema = (body.get("response_format") or {}).get("json_schema", {}).get("name", "")
    texts, figures = [], 0
    for message in body["messages"]:
        parts = message["content"]
        for part in [{"type": "text", "text": parts}] if isinstance(parts, str) else parts:
            figures += part["type"] == "image_url"
            texts.append(part.get("text", ""))
    return Asked(raw, schema, "\n".join(texts), figures)
