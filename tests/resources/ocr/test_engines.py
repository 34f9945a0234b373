"""The OCR engines: one interface, and each engine's own way of failing."""

import io
import json
import os
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from resources.home import Home
from resources.ocr import ENGINES, PageFault, engine_named
from resources.ocr._mathpix_http import FOLDER
from resources.ocr.tesseract import boxes_of
from resources.ocr.vision_llm import boxes_of as placed
from stepforge.errors import BadRequest
from stepforge.records import TranscribedPage

REPLY = {
    "request_id": "r1",
    "text": "1. Find $x$.",
    "line_data": [
        {
            "type": "text",
            "cnt": [[10, 10], [300, 10], [300, 40], [10, 40]],
            "text": "1. Find $x$.",
            "confidence_rate": 0.97,
        }
    ],
}


@pytest.fixture
def home(tmp_path):
    return Home(tmp_path / "home").prepare()


def page(text="Find the sum of 12 and 30", width=900):
    image = Image.new("RGB", (width, 120), "white")
    ImageDraw.Draw(image).text((20, 30), text, fill="black", font=ImageFont.load_default(40))
    return image


def png(image=None):
    held = io.BytesIO()
    (image or page()).save(held, "PNG")
    return held.getvalue()


class Service:
    """A server of the interface v3/text over a real socket; `answers` are (status, body) in turn, the last for ever."""

    def __init__(self, *answers):
        self.answers, self.seen = list(answers), []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.seen.append((self.path, dict(self.headers), json.loads(body)))
                status, said = outer.answers.pop(0) if len(outer.answers) > 1 else outer.answers[0]
                data = said if isinstance(said, bytes) else json.dumps(said).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_words):
                """Nothing is printed."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def close(self):
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def service(monkeypatch):
    running = []

    def start(*answers):
        running.append(Service(*answers))
        monkeypatch.setenv("MATHPIX_URL", running[-1].url)
        monkeypatch.setenv("MATHPIX_APP_ID", "an-id")
        monkeypatch.setenv("MATHPIX_APP_KEY", "a-secret-key")
        return running[-1]

    yield start
    for one in running:
        one.close()


def test_every_engine_reads_in_exactly_one_way_and_says_its_version():
    assert [engine.name for engine in ENGINES] == ["mathpix", "mathpix-pdf", "rapidocr", "tesseract", "vision-llm"]
    assert all((engine.local is None) is not (engine.remote is None) for engine in ENGINES)


def test_an_engine_that_is_not_there_says_how_to_get_it(home, monkeypatch):
    monkeypatch.delenv("MATHPIX_APP_ID", raising=False)
    monkeypatch.delenv("MATHPIX_APP_KEY", raising=False)
    with pytest.raises(BadRequest, match="set MATHPIX_APP_ID and MATHPIX_APP_KEY in the environment"):
        engine_named("mathpix", home)
    with pytest.raises(BadRequest, match="a model that reads images"):
        engine_named("vision-llm", home)
    with pytest.raises(BadRequest, match="there are: mathpix, mathpix-pdf, rapidocr, tesseract, vision-llm"):
        engine_named("nothing", home)
    assert engine_named("rapidocr", home).version(home).startswith("rapidocr 3")


def test_tesseract_reads_a_page_with_boxes_and_confidence(home):
    engine = ENGINES["tesseract"]
    if (missing := engine.missing(home)) is not None:
        pytest.skip(missing)
    (box,) = engine.local(np.ascontiguousarray(np.asarray(page())[:, :, ::-1]))
    assert box.text == "Find the sum of 12 and 30"
    assert box.confidence > 0.7
    assert 10 < box.corners[0].x < 40
    assert 20 < box.corners[0].y < 60
    assert "tesseract" in engine.version(home)


def test_words_of_tesseracts_table_become_lines():
    head = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext"
    rows = [
        "4\t1\t1\t1\t1\t0\t5\t5\t90\t20\t-1\t",
        "5\t1\t1\t1\t1\t1\t5\t6\t30\t18\t90\tab",
        "5\t1\t1\t1\t1\t2\t40\t5\t30\t20\t60\tcd",
        "5\t1\t1\t1\t2\t1\t5\t40\t20\t20\t50\t三",
        "5\t1\t1\t1\t2\t2\t30\t40\t20\t20\t50\t角",
        "a broken row",
    ]
    first, second = boxes_of("\n".join([head, *rows]))
    assert (first.text, first.confidence, first.corners[0], first.corners[2]) == ("ab cd", 0.75, (5, 5), (70, 25))
    assert second.text == "三角"


def test_mathpix_is_asked_once_for_a_page_and_its_reply_survives(home, service):
    running = service((200, REPLY))
    for _ in range(2):
        (box,) = ENGINES["mathpix"].remote(Home(home.root))(png())
        assert (box.text, box.confidence, box.corners[2]) == ("1. Find $x$.", 0.97, (300, 40))
    ((path, headers, body),) = running.seen
    assert path == "/v3/text"
    assert headers["app_id"] == "an-id"
    assert headers["app_key"] == "a-secret-key"
    assert body["include_line_data"] is True
    assert body["src"].startswith("data:image/png;base64,")
    ENGINES["mathpix"].remote(home)(png(page("Another page")))
    assert len(running.seen) == 2


def test_a_busy_mathpix_is_asked_again(home, service):
    running = service((429, b""), (503, b""), (200, REPLY))
    assert [box.text for box in ENGINES["mathpix"].remote(home)(png())] == ["1. Find $x$."]
    assert len(running.seen) == 3


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ((401, b"no"), "refused the keys"),
        ((400, b"no"), "HTTP 400"),
        ((200, b"<html>"), "no JSON"),
        ((200, b"[" * 10_000), "no JSON"),
        ((200, [1]), "no object"),
        ((200, {"error": "Content not found"}), "Content not found"),
        ((200, {"line_data": [{"text": "a", "cnt": "x"}]}), "cannot be read|neither"),
    ],
)
def test_what_mathpix_says_wrongly_costs_the_page_and_shows_no_key(answer, said, home, service):
    service(answer)
    with pytest.raises(PageFault, match=said) as caught:
        ENGINES["mathpix"].remote(home)(png())
    assert "a-secret-key" not in str(caught.value)


def test_a_failure_of_the_service_is_asked_about_again(home, service):
    service((200, {"error": "Internal error"}), (200, REPLY))
    with pytest.raises(PageFault, match="Internal error"):
        ENGINES["mathpix"].remote(home)(png())
    assert ENGINES["mathpix"].remote(home)(png())[0].text == "1. Find $x$."


def test_no_key_lies_in_the_home(home, service):
    service((200, REPLY))
    ENGINES["mathpix"].remote(home)(png())
    found = subprocess.run(["grep", "-rl", "a-secret-key", os.fspath(home.root)], capture_output=True, check=False)
    assert found.stdout == b""
    assert list((home.root / FOLDER).rglob("*.json"))


def test_a_models_lines_are_placed_on_the_page_even_where_their_edges_are_exchanged():
    said = {"lines": [{"text": " a ", "left": 900, "top": 100, "right": 100, "bottom": 50}]}
    (box,) = placed(TranscribedPage.model_validate(said), png(page(width=1000)))
    assert box.text == "a"
    assert (box.corners[0], box.corners[2]) == ((100, 6), (900, 12))
    assert box.confidence is None


def test_a_model_reads_a_page_through_the_gateway_and_is_paid_once(tmp_path, wire, monkeypatch):
    monkeypatch.setenv("WIRE_KEY", "sk-1")
    root = Home(tmp_path / "home").prepare().root
    (root / "models.toml").write_text(
        f'[providers.wire]\nkind = "openai"\nbase_url = "{wire.openai_url}"\napi_key_env = "WIRE_KEY"\n'
        '[models.eyes]\nprovider = "wire"\n[roles.ocr]\nmodel = "eyes"\nmax_output_tokens = 500\n'
    )
    first, again = (list(ENGINES["vision-llm"].remote(Home(root))(png())) for _ in range(2))
    assert first == again
    assert set(wire.paid().values()) == {1}
    assert all(0 <= corner.x <= 900 and 0 <= corner.y <= 120 for box in first for corner in box.corners)
    assert ENGINES["vision-llm"].version(Home(root)) == "vision-llm eyes transcribe_page/v1"
