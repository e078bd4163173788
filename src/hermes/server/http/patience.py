"""How long a connection may take to say what it wants.

Uvicorn waits for ever for the rest of a request's head, and keeps as much of it as comes. So does
nobody here: a few thousand slow connections would keep everyone else out.
"""

from asyncio import TimerHandle, Transport

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_S = 20.0
HEAD_BYTES = 64 << 10
REFUSAL = "HTTP/1.1 {}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
TOO_SLOW = REFUSAL.format("408 Request Timeout").encode()
TOO_LONG = REFUSAL.format("431 Request Header Fields Too Large").encode()


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
        self._in_head = False
        super().on_headers_complete()

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
