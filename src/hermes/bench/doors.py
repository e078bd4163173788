"""What the doors can carry: durable turns a second over REST, idle connections, start and memory.

The daemon is a process of its own, as it is in use; the clients are plain sockets in this one, so
that what is measured is the server.
"""

import asyncio
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

from hermes.bench.spine import Figure
from hermes.config.paths import Home
from hermes.config.running import address_file, token_file

CLIENTS = 64
IDLE = 1_000
START_WAIT_S = 60.0
STOP_WAIT_S = 60.0
TURN = {
    "messages": [
        {"role": "user", "content": "Which of the two kayaks did we take down the Elbe in May?"},
        {"role": "assistant", "content": "The blue one; the red one was at the repair shop."},
    ]
}


@dataclass(frozen=True, slots=True)
class Daemon:
    """A daemon that runs, where it listens, and how long it took to be ready."""

    pid: int
    host: str
    port: int
    token: str
    start_s: float

    def rss_mb(self) -> float:
        """Its resident memory, as the system counts it."""
        text = Path(f"/proc/{self.pid}/status").read_text("ascii")
        line = next(line for line in text.splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) / 1_000


def measure_doors(folder: Path, *, seconds: float, say: Callable[[str], None]) -> Iterator[Figure]:
    """The figures of the doors, one after the other."""
    with _daemon(folder / "home") as daemon:
        start, idle = daemon.start_s, daemon.rss_mb()
        yield Figure("first request answered after", start, "s", "< 2", start < 2, "from `start`")
        yield Figure("daemon at rest", idle, "MB", "< 150", idle < 150, "resident, doors open")
        say(f"{CLIENTS} clients record for {seconds:g} s")
        rate, p95_ms = asyncio.run(_record(daemon, seconds))
        note = f"one turn a request, each on disk before it is answered; p95 {p95_ms:.0f} ms"
        yield Figure("durable turns over REST", rate, "/s", ">= 2,000", rate >= 2_000, note)
        say(f"{IDLE:,} connections that do nothing")
        grown = asyncio.run(_hold(daemon, IDLE))
        note = f"{IDLE:,} connections open, each after one request"
        yield Figure("daemon with idle connections", grown, "MB", "< 400", grown < 400, note)


@contextmanager
def _daemon(home: Path) -> Iterator[Daemon]:
    paths = Home(home).profile("default")
    environ = {k: v for k, v in os.environ.items() if not k.startswith("HERMES_")}
    environ |= {"HERMES_HOME": str(home)}
    flags = ["--set", "memory.embeddings.provider=none", "--set", "backups.enabled=false"]
    began = time.monotonic()
    process = subprocess.Popen(  # noqa: S603 (our own program, no shell)
        [sys.executable, "-m", "hermes", *flags, "start", "--foreground"],
        env=environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        while not address_file(paths).exists():
            if process.poll() is not None or time.monotonic() - began > START_WAIT_S:
                raise RuntimeError("the daemon did not come up")
            time.sleep(0.01)
        where = urlsplit(json.loads(address_file(paths).read_text("utf-8"))["url"])
        token = token_file(paths).read_text("ascii").strip()
        daemon = Daemon(process.pid, where.hostname or "", where.port or 0, token, 0.0)
        asyncio.run(_hold(daemon, 1))  # answered: all of it is loaded
        yield replace(daemon, start_s=time.monotonic() - began)
    finally:
        process.terminate()
        process.wait(STOP_WAIT_S)


class _Client:
    """One connection that sends requests and reads answers, with as little work as can be."""

    def __init__(self, daemon: Daemon) -> None:
        self._daemon = daemon

    async def open(self) -> None:
        daemon = self._daemon
        self._reader, self._writer = await asyncio.open_connection(daemon.host, daemon.port)

    async def ask(self, method: str, path: str, body: bytes = b"") -> int:
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: {self._daemon.host}\r\n"
            f"Authorization: Bearer {self._daemon.token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        self._writer.write(head.encode() + body)
        answer = await self._reader.readuntil(b"\r\n\r\n")
        length = answer.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]
        await self._reader.readexactly(int(length))
        return int(answer[9:12])

    def close(self) -> None:
        self._writer.close()


async def _record(daemon: Daemon, seconds: float) -> tuple[float, float]:
    """Turns a second that were acknowledged, and the 95th percentile of the wait, in ms."""
    took: list[float] = []
    until = 0.0

    async def work(number: int) -> None:
        client = _Client(daemon)
        await client.open()
        body = json.dumps(TURN | {"session": {"id": f"bench-{number}"}}).encode()
        await client.ask("POST", "/v1/turns", body)
        while (began := time.perf_counter()) < until:
            status = await client.ask("POST", "/v1/turns", body)
            if status != 201:
                raise RuntimeError(f"a turn was answered with {status}")
            took.append(time.perf_counter() - began)
        client.close()

    until = (began := time.perf_counter()) + seconds
    await asyncio.gather(*(work(number) for number in range(CLIENTS)))
    rate = len(took) / (time.perf_counter() - began)
    return rate, sorted(took)[len(took) * 95 // 100] * 1000


async def _hold(daemon: Daemon, count: int) -> float:
    """The daemon's memory while so many connections are open, each after one request."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 4 * IDLE), most))
    clients = [_Client(daemon) for _ in range(count)]
    for client in clients:
        await client.open()
        await client.ask("GET", "/healthz")
    grown = daemon.rss_mb()
    for client in clients:
        client.close()
    return grown
