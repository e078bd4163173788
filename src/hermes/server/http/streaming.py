"""Long answers as they are made: blocking code writes, the client reads, and neither runs ahead.

Nothing is kept on disk on the way: what is exported is encrypted at rest and must not lie about.
"""

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable, Iterable, Mapping

from hermes.errors import HermesError, Unavailable
from hermes.memory.portable.writing import Sink

CHUNK_BYTES = 1 << 18
AHEAD = 4
STALLED_S = 120.0


class _Pipe:
    """What blocking code writes to; it waits for a client that reads slowly."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._chunks: asyncio.Queue[bytes | BaseException | None] = asyncio.Queue(AHEAD)
        self._buffer = bytearray()
        self._gone = threading.Event()

    def write(self, content: bytes) -> int:
        self._buffer += content
        if len(self._buffer) >= CHUNK_BYTES:
            self.flush()
        return len(content)

    def flush(self) -> None:
        if self._buffer:
            self._put(bytes(self._buffer))
            self._buffer.clear()

    def end(self, error: BaseException | None = None) -> None:
        """Say that there is no more, or why; nobody may be there to hear it."""
        if not self._gone.is_set():
            self._put(error)

    def leave(self) -> None:
        """Nobody reads any more."""
        self._gone.set()
        while not self._chunks.empty():
            self._chunks.get_nowait()

    async def read(self) -> AsyncIterator[bytes]:
        while True:
            chunk = await self._chunks.get()
            if isinstance(chunk, BaseException):
                raise chunk
            if chunk is None:
                return
            yield chunk

    def _put(self, chunk: bytes | BaseException | None) -> None:
        if self._gone.is_set():
            raise Unavailable("The client has gone.", "Ask again.")
        put = asyncio.run_coroutine_threadsafe(self._chunks.put(chunk), self._loop)
        try:
            put.result(STALLED_S)
        except TimeoutError:
            put.cancel()
            raise Unavailable("The client does not read.", "Ask again.") from None


async def stream_out(write: Callable[[Sink], object]) -> AsyncIterator[bytes]:
    """What `write` writes, piece by piece, from a thread of its own."""
    pipe = _Pipe(asyncio.get_running_loop())

    def work() -> None:
        try:
            write(pipe)
            pipe.flush()
        except HermesError as error:
            pipe.end(error)
            return
        pipe.end()

    thread = threading.Thread(target=work, name="hermes-stream", daemon=True)
    thread.start()
    try:
        async for chunk in pipe.read():
            yield chunk
    finally:
        pipe.leave()


def render_lines(sink: Sink, lines: Iterable[Mapping[str, object]]) -> None:
    """Each value as a line of JSON."""
    for line in lines:
        sink.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
