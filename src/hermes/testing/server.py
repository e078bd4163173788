"""A server on this machine that speaks like OpenAI, Anthropic, Ollama or Voyage, by a script.

It is a real HTTP server in a thread of its own, so that clients are tested with their sockets.
"""

import json
import ssl
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self

from hermes.testing.replies import Reply, embed, list_models, render
from hermes.testing.steps import Fail, Step
from hermes.testing.wire import Counts

Script = Iterable[Step] | Callable[["Received"], Step | None]  # none: embed as ever
CHARS_PER_TOKEN = 4
EMBEDDING_PATHS = ("/v1/embeddings", "/api/embed")


@dataclass(frozen=True, slots=True)
class Received:
    """A request as it came in."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, object]


class ScriptedServer:
    """Answers each chat request with the next step of a script; embeds and lists models unscripted.

    With `api_key` any other key is turned away, with `models` any other model. What is left of the
    script also answers requests for embeddings, so that those can fail too. With `tls` it is https.
    """

    def __init__(
        self,
        script: Script = (),
        *,
        api_key: str = "",
        models: tuple[str, ...] = (),
        dimensions: int = 8,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._choose = script if callable(script) else None
        self._steps = [] if callable(script) else list(script)
        self._api_key = api_key
        self._lock = threading.Lock()
        self._prompts: list[str] = []
        self.models = models
        self.dimensions = dimensions
        self.requests: list[Received] = []
        self.closing = threading.Event()
        self._http = _HttpServer(("127.0.0.1", 0), _Exchange)
        self._http.script = self
        self._scheme = "https" if tls else "http"
        if tls:
            self._http.socket = tls.wrap_socket(self._http.socket, server_side=True)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)

    @property
    def url(self) -> str:
        return f"{self._scheme}://127.0.0.1:{self._http.server_port}"

    @property
    def base_url(self) -> str:
        """The address a model's or embedder's settings take."""
        return f"{self.url}/v1"

    def add(self, *steps: Step) -> None:
        """Put steps at the end of the script."""
        with self._lock:
            self._steps.extend(steps)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def answer(self, received: Received) -> Reply:
        """What to send back for a request."""
        with self._lock:
            self.requests.append(received)
            if problem := self._find_problem(received):
                return render(problem, received.path, received.body, Counts(0, 0, 0))
            if received.path == "/v1/models":
                return list_models(self.models)
            step = self._next_step(received)
            counts = self._count(received)
        if step is None:
            return embed(received.path, received.body, self.dimensions)
        return render(step, received.path, received.body, counts)

    def _find_problem(self, received: Received) -> Fail | None:
        key = received.headers.get("x-api-key") or received.headers.get("authorization", "")
        if self._api_key and key.removeprefix("Bearer ") != self._api_key:
            return Fail(401, "Incorrect API key provided.")
        model = received.body.get("model")
        if self.models and model is not None and model not in self.models:
            return Fail(404, f"The model '{model}' does not exist.")
        return None

    def _next_step(self, received: Received) -> Step | None:
        if self._choose is not None:
            return self._choose(received)
        if self._steps:
            return self._steps.pop(0)
        if received.path in EMBEDDING_PATHS:
            return None
        return Fail(501, "The script of the server is at its end.")

    def _count(self, received: Received) -> Counts:
        """Tokens sent, and those of them already seen at the start of an earlier request."""
        body = received.body
        prompt = json.dumps([body.get("system"), body.get("tools"), body.get("messages")])
        seen = max((_shared_start(prompt, earlier) for earlier in self._prompts), default=0)
        self._prompts.append(prompt)
        # Anthropic keeps only what it is asked to keep.
        is_kept = not received.path.endswith("/messages") or "cache_control" in prompt
        cached = seen // CHARS_PER_TOKEN if is_kept else 0
        return Counts(sent=len(prompt) // CHARS_PER_TOKEN + 1, cached=cached, written=7)


def _shared_start(one: str, other: str) -> int:
    """How many characters two texts have in common from the start."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(one), len(other)))


class _HttpServer(ThreadingHTTPServer):
    script: ScriptedServer
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up in the middle is what many tests are about."""


class _Exchange(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    # Without it every small piece waits 40 ms for the client's acknowledgement.
    disable_nagle_algorithm = True
    server: _HttpServer

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length", "0")))
        self._answer(json.loads(raw))

    def do_GET(self) -> None:
        self._answer({})

    def log_message(self, format: str, *args: object) -> None:
        """Keep quiet: tests read `requests`."""

    def _answer(self, body: Mapping[str, object]) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        reply = self.server.script.answer(Received(self.path, headers, body))
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for piece in reply.pieces:
            self._send(piece)
        if reply.hangs:
            self.server.script.closing.wait()
        if reply.is_whole:
            self.wfile.write(b"0\r\n\r\n")
        else:
            self.close_connection = True

    def _send(self, piece: bytes) -> None:
        self.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
        self.wfile.flush()
