"""A small OpenAI-compatible server on loopback, which behaves as a test tells it to."""

import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self


@dataclass(frozen=True)
class Received:
    """One request as it came in."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def text(self) -> str:
        """All that was sent."""
        return json.dumps([self.path, self.headers, self.body])

    @property
    def prompt(self) -> str:
        """The words of the user's turn."""
        return str(self.body["messages"][-1]["content"])


class Handler(BaseHTTPRequestHandler):
    server: "_Server"

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length", 0))
        received = Received(
            self.path,
            {name.lower(): value for name, value in self.headers.items()},
            json.loads(self.rfile.read(length)),
        )
        self.server.owner.play(received)(self)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  the library's name
        del format, args

    def send_body(
        self, status: int, body: bytes, kind: str = "application/json", **headers: str
    ) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    owner: "ModelServer"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is what some tests are about."""


Behaviour = Callable[[Handler], None]


def completion(text: str | None, **more: Any) -> dict[str, Any]:
    """A chat completion, with the parts that a test changes."""
    message = {"role": "assistant", "content": text, **more.pop("message", {})}
    choice = {"index": 0, "message": message, "finish_reason": more.pop("finish", "stop")}
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": "small-1",
        "choices": [choice],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
        **more,
    }


def answers(text: str | None = "{}", **more: Any) -> Behaviour:
    body = json.dumps(completion(text, **more)).encode()
    return lambda handler: handler.send_body(200, body)


def fails(status: int, message: str = "no", code: str | None = None, **headers: str) -> Behaviour:
    error = {"message": message, "type": "invalid_request_error", "param": None, "code": code}
    body = json.dumps({"error": error}).encode()
    return lambda handler: handler.send_body(status, body, **headers)


def sends(body: bytes, kind: str = "application/json", **headers: str) -> Behaviour:
    return lambda handler: handler.send_body(200, body, kind, **headers)


def points_to(url: str) -> Behaviour:
    return lambda handler: handler.send_body(307, b"", location=url)


def hangs_up(handler: Handler) -> None:
    """Promise more than is sent, and go."""
    handler.send_response(200)
    handler.send_header("content-type", "application/json")
    handler.send_header("content-length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"id": "c1", "choi')
    handler.close_connection = True


def pours(handler: Handler) -> None:
    """Send without an end, until the other side goes."""
    handler.send_response(200)
    handler.send_header("content-type", "application/json")
    handler.end_headers()
    while not handler.server.owner.closing.is_set():
        handler.wfile.write(b" " * (1 << 16))


def hangs(handler: Handler) -> None:
    """Say nothing before the server is closed."""
    handler.server.owner.hung.release()
    handler.server.owner.closing.wait()
    handler.close_connection = True


@dataclass
class ModelServer:
    """A context in which the server is up.

    Args:
        script: One behaviour a request, the last one for all further ones; or what picks it.
    """

    script: Sequence[Behaviour] | Callable[[Received], Behaviour]
    received: list[Received] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)
    hung: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    """Released once for each request that hangs."""

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), Handler)
        self._server.owner = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def play(self, received: Received) -> Behaviour:
        with self._lock:
            place = len(self.received)
            self.received.append(received)
        if callable(self.script):
            return self.script(received)
        return self.script[min(place, len(self.script) - 1)]

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
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
