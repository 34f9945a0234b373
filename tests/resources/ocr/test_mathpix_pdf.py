"""Mathpix over v3/pdf: a page is paid for once, whatever is killed and when; a server of the published format."""

import email
import io
import json
import os
import re
import signal
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pypdfium2
import pytest
from PIL import Image, ImageDraw, ImageFont

from resources.home import Home
from resources.ocr import ENGINES, PageFault
from resources.ocr import mathpix_pdf as subject

LINES = [
    {
        "cnt": [[50, 20], [400, 20], [400, 60], [50, 60]],
        "region": {"top_left_x": 50, "top_left_y": 20, "width": 350, "height": 40},
        "line": 1,
        "column": 0,
        "type": "text",
        "text": "1. Find $x$ if $x^{2}=4$.",
        "confidence": 0.9,
        "confidence_rate": 0.98,
        "conversion_output": True,
        "is_printed": True,
    },
    {"cnt": [[60, 80], [90, 80], [90, 110], [60, 110]], "line": 2, "type": "diagram", "text": ""},
]
READ = """
import sys
from pathlib import Path
from resources.home import Home
from resources.ocr import ENGINES
print(ENGINES["mathpix-pdf"].remote(Home(Path(sys.argv[1])))(Path(sys.argv[2]).read_bytes()))
"""


def png(text="1. Find x"):
    image = Image.new("RGB", (900, 240), "white")
    ImageDraw.Draw(image).text((100, 40), text, fill="black", font=ImageFont.load_default(40))
    held = io.BytesIO()
    image.save(held, "PNG")
    return held.getvalue()


class Service:
    """The interface v3/pdf over a real socket.

    stall: where nothing is answered until `go` is set.  states: what a job says in turn, the last for ever."""

    def __init__(self, states=("completed",), stall=None):
        self.states, self.stall = list(states), stall
        self.jobs, self.asked, self.headers = {}, [], []
        self.wide, self.lines = 450, LINES
        self.reached, self.go = threading.Event(), threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                outer.sent(self)

            def do_GET(self):
                outer.got(self)

            def log_message(self, *_words):
                """Nothing is printed."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def answer(self, request, said, status=200):
        if self.stall and re.fullmatch(self.stall, f"{request.command} {urlsplit(request.path).path}"):
            self.reached.set()
            self.go.wait(30)
        data = said if isinstance(said, bytes) else json.dumps(said).encode()
        try:
            request.send_response(status)
            request.send_header("Content-Length", str(len(data)))
            request.end_headers()
            request.wfile.write(data)
        except OSError:
            """Whoever asked was killed."""

    def sent(self, request):
        self.headers.append(dict(request.headers))
        body = request.rfile.read(int(request.headers["Content-Length"]))
        form = email.message_from_bytes(b"Content-Type: " + request.headers["Content-Type"].encode() + b"\n\n" + body)
        parts = {part.get_param("name", header="content-disposition"): part for part in form.get_payload()}
        job = f"2024_01_15_{len(self.jobs)}"
        self.jobs[job] = (parts["file"].get_filename(), parts["file"].get_payload(decode=True))
        self.options = json.loads(parts["options_json"].get_payload(decode=True))
        self.answer(request, {"pdf_id": job})

    def got(self, request):
        path, query = urlsplit(request.path).path, parse_qs(urlsplit(request.path).query)
        self.asked.append(path)
        if path == "/v3/pdf-results":
            self.since = query["from_date"][0]
            rows = [{"id": job, "input_file": name, "status": "completed"} for job, (name, _) in self.jobs.items()]
            self.answer(request, {"pdfs": rows})
        elif (job := path.removeprefix("/v3/pdf/").removesuffix(".lines.json")) not in self.jobs:
            self.answer(request, {"error": "not found"}, 404)
        elif path.endswith(".lines.json"):
            page = {"image_id": f"{job}-1", "page": 1, "page_width": self.wide, "page_height": 120}
            self.answer(request, {"pages": [page | {"lines": self.lines}]})
        else:
            state = self.states.pop(0) if len(self.states) > 1 else self.states[0]
            self.answer(request, {"status": state, "num_pages": 1, "percent_done": 100})

    def close(self):
        self.go.set()
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def service(monkeypatch):
    running = []

    def start(**how):
        running.append(Service(**how))
        monkeypatch.setenv("MATHPIX_URL", running[-1].url)
        monkeypatch.setenv("MATHPIX_APP_ID", "an-id")
        monkeypatch.setenv("MATHPIX_APP_KEY", "a-secret-key")
        return running[-1]

    monkeypatch.setattr(subject, "FIRST_WAIT_S", 0.01)
    yield start
    for one in running:
        one.close()


@pytest.fixture
def home(tmp_path):
    return Home(tmp_path / "home").prepare()


def read(home, picture=None):
    return ENGINES["mathpix-pdf"].remote(home)(picture or png())


def test_a_page_is_sent_once_as_a_pdf_and_its_lines_are_in_its_own_pixels(home, service):
    running = service(states=["received", "split", "completed"])
    for _ in range(2):
        (box,) = read(Home(home.root))
        assert (box.text, box.confidence) == ("1. Find $x$ if $x^{2}=4$.", 0.98)
        assert (box.corners[0], box.corners[2]) == ((100, 40), (800, 120))  # their page is half as wide
    ((name, sent),) = running.jobs.values()
    assert re.fullmatch(r"[0-9a-f]{64}\.pdf", name)
    assert running.options["metadata"] == {"improve_mathpix": False}
    assert running.headers[0]["app_key"] == "a-secret-key"
    with pypdfium2.PdfDocument(sent) as pdf:
        shown = pdf[0].render(scale=200 / 72).to_pil().convert("RGB")
    assert shown.width == 900
    assert abs(shown.height - 240) <= 1
    assert shown.getpixel((5, 5)) == (255, 255, 255)
    assert min(shown.convert("L").tobytes()) < 60
    assert sent == subject.pdf_of(png())


@pytest.mark.parametrize("stall", ["POST /v3/pdf", r"GET /v3/pdf/[\w]+", r"GET /v3/pdf/[\w]+\.lines\.json"])
def test_a_process_that_is_killed_on_the_way_pays_nothing_twice(stall, home, service, tmp_path):
    running = service(stall=stall)
    picture = tmp_path / "page.png"
    picture.write_bytes(png())
    command = [sys.executable, "-c", READ, os.fspath(home.root), os.fspath(picture)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert running.reached.wait(60)
    child.send_signal(signal.SIGKILL)
    child.communicate()
    running.stall = None
    running.go.set()
    (box,) = read(home)
    assert box.text.startswith("1. Find")
    assert len(running.jobs) == 1
    assert ("/v3/pdf-results" in running.asked) is (stall == "POST /v3/pdf")


def test_two_processes_that_want_the_same_page_send_it_once(home, service):
    running = service(stall="POST /v3/pdf")
    found = []
    threads = [threading.Thread(target=lambda: found.append(read(Home(home.root)))) for _ in range(2)]
    for thread in threads:
        thread.start()
    assert running.reached.wait(30)
    running.stall = None
    running.go.set()
    for thread in threads:
        thread.join()
    assert len(running.jobs) == 1
    assert found[0] == found[1]


def test_a_job_that_failed_or_is_forgotten_is_asked_for_anew(home, service):
    running = service(states=["error", "completed"])
    with pytest.raises(PageFault, match="could not read the page"):
        read(home)
    assert len(read(home)) == 1
    assert len(running.jobs) == 2
    other = png("2. Another")
    running.states = ["processing"]
    subject_deadline, subject.DEADLINE_S = subject.DEADLINE_S, 0.05
    try:
        with pytest.raises(PageFault, match="still at work"):
            read(home, other)
    finally:
        subject.DEADLINE_S = subject_deadline
    running.jobs.popitem()
    running.states = ["completed"]
    with pytest.raises(PageFault, match="no longer knows"):
        read(home, other)
    assert len(read(home, other)) == 1


def test_what_is_no_reply_of_the_interface_is_no_reading_and_is_not_kept(home, service):
    running = service()
    for wide, lines, said in [(0, LINES, "without a width"), (450, [{"text": "a"}], "neither"), (450, "x", "list")]:
        running.wide, running.lines = wide, lines
        with pytest.raises(PageFault, match=said):
            read(home)
    running.wide, running.lines = 450, LINES
    assert len(read(home)) == 1


def test_an_id_that_would_lead_elsewhere_is_refused(home, service, monkeypatch):
    service()
    monkeypatch.setattr(Service, "sent", lambda self, request: self.answer(request, {"pdf_id": "../../account"}))
    with pytest.raises(PageFault, match="gave no job"):
        read(home)


def test_no_key_is_written_down_or_said(home, service):
    service()
    read(home)
    files = [path for path in home.root.rglob("*") if path.is_file()]
    assert any(path.suffix == ".json" for path in files)
    assert not any(b"a-secret-key" in path.read_bytes() for path in files)
