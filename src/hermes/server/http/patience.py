"""How long a connection may take to say what it wants.

Uvicorn waits for ever for the rest of a request's head, and keeps as much of it as comes. So does
nobody here: a few thousand slow connections would keep everyone else out.
"""

import json
from asyncio import TimerHandle, Transport

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_S = 20.0
HEAD_BYTES = 64 << 10
LINE_BYTES = 4  # of a header besides its name and value


def _refusal(status: str, message: str, hint: str) -> bytes:
    """An answer whole, for requests that never reach the gate."""
    told = {"error": "UserError", "message": message, "hint": hint}
    body = json.dumps(told, separators=(",", ":")).encode()
    head = f"HTTP/1.1 {status}\r\nconnection: close\r\ncontent-type: application/json\r\n"
    return f"{head}content-length: {len(body)}\r\n\r\n".encode() + body


TOO_SLOW = _refusal("408 Request Timeout", "The request came too slowly.", "Send it again.")
TOO_LONG = _refusal(
    "431 Request Header Fields Too Large",
    f"The head of the request is longer than {HEAD_BYTES:,} bytes.",
    "Send long questions in the body: POST /v1/sessions/search, POST /v1/search.",
)


class PatientProtocol(HttpToolsProtocol):
    """HTTP whose heads must come within `head_s` and be at most `HEAD_BYTES` long."""

    head_s = HEAD_S
    _timer: TimerHandle | None = None
    _in_head = False
    _head_bytes = 0

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.transport.is_closing() or not self._is_waiting():
            self._stop_waiting()
            return
        self._wait()
        self._head_bytes += len(data) if self._in_head else 0
        if self._head_bytes > HEAD_BYTES:
            self._refuse(TOO_LONG)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_head, self._head_bytes = True, 0

    def on_headers_complete(self) -> None:
        """A head that came all at once is weighed here: one read may hold more than is allowed."""
        self._in_head = False
        fields = sum(len(name) + len(value) + LINE_BYTES for name, value in self.headers)
        if len(self.url) + fields > HEAD_BYTES:
            self._refuse(TOO_LONG)
            raise ValueError("the head is too long")  # ends the parser; nobody is told twice
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        if not self.transport.is_closing():
            super().send_400_response(msg)

    def _is_waiting(self) -> bool:
        """Whether a request is due: it has begun, or none is being answered."""
        return self._in_head or getattr(self.cycle, "response_complete", True)

    def _wait(self) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(self.head_s, self._refuse, TOO_SLOW)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _refuse(self, answer: bytes) -> None:
        self._stop_waiting()
        if not self.transport.is_closing():
            self.transport.write(answer)
            self.transport.close()


def patient_protocol(head_s: float) -> type[HttpToolsProtocol]:
    """The protocol with a patience of its own."""
    return type("PatientProtocol", (PatientProtocol,), {"head_s": head_s})
