"""What the dashboard costs: how long an answer takes while someone types, and what pages weigh.

The server is the real one, on a socket, with its gate and login; the typist is a plain connection
that sends what htmx would send after each few letters.
"""

import http.client
import json
import random
import re
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from urllib.parse import quote, urlsplit

from hermes.app import App, open_app
from hermes.bench.corpus import NOW, Speech, turns
from hermes.bench.spine import Figure
from hermes.clock import FixedClock
from hermes.config.paths import Home
from hermes.config.running import token_file
from hermes.server.daemon import ensure_token
from hermes.server.http.serve import serving
from hermes.store.base import Tx
from hermes.types import Fact, FactKind, FactSource

BATCH = 1_000
FACTS = 20_000
QUESTIONS = 60
HEAVIEST_KB = 150
SLOWEST_MS = 60
PAGES = ("/", "/facts", "/facts/1", "/timeline", "/graph", "/sessions", "/user", "/health", "/care")


@dataclass(frozen=True, slots=True)
class Visitor:
    """A browser that is logged in, as far as bytes go."""

    connection: http.client.HTTPConnection
    cookie: str

    def get(self, path: str, **headers: str) -> bytes:
        self.connection.request("GET", path, headers={"cookie": self.cookie, **headers})
        answer = self.connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{path} was answered with {answer.status}")
        return body


def measure_dashboard(
    folder: Path, *, messages: int, say: Callable[[str], None]
) -> Iterator[Figure]:
    """The figures of the dashboard."""
    paths = Home(folder.resolve()).profile("default")
    flags = {"memory.embeddings.provider": "none", "backups.enabled": "false"}
    with open_app(paths, {}, flags=flags, clock=FixedClock(NOW)) as app:
        say(f"a memory of {messages:,} messages and {FACTS:,} facts")
        _fill(app, messages)
        ensure_token(token_file(paths))
        with serving(app) as url:
            visitor = _log_in(url, token_file(paths).read_text("ascii").strip())
            say(f"typing {QUESTIONS} questions")
            yield _first(visitor)
            yield _typing(visitor, messages)
            yield _weight(visitor)


def _fill(app: App, messages: int) -> None:
    said = turns(messages // 2)
    while batch := list(islice(said, BATCH)):
        app.conversations.record(batch)
    speech = Speech(9)
    for _ in range(FACTS // BATCH):
        texts = [f"User {' '.join(speech.text().split()[:12])}" for _ in range(BATCH)]
        app.store.write(lambda tx, texts=texts: _keep_facts(tx, texts))  # type: ignore[misc]


def _keep_facts(tx: Tx, texts: Sequence[str]) -> None:
    for text in texts:
        number, short = tx.facts.reserve()
        source = FactSource(text, at=NOW)
        fact = Fact(number, short, "default", text, FactKind.OTHER, NOW, "User", sources=(source,))
        tx.facts.add(fact, subject_key="user")


def _log_in(url: str, token: str) -> Visitor:
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)
    headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
    connection.request("POST", "/v1/login", b"{}", headers)
    link = urlsplit(json.loads(connection.getresponse().read())["url"])
    connection.request("GET", f"{link.path}?{link.query}")
    answer = connection.getresponse()
    answer.read()
    return Visitor(connection, (answer.getheader("set-cookie") or "").partition(";")[0])


def _first(visitor: Visitor) -> Figure:
    """The first search of a server, by someone who opens the page and types a second later."""
    visitor.get("/")
    time.sleep(1)
    began = time.perf_counter()
    visitor.get("/?q=d", **{"HX-Request-Type": "partial"})
    took_ms = (time.perf_counter() - began) * 1000
    note = "a second after the page was opened"
    return Figure(
        "the first search", took_ms, "ms", f"<= {SLOWEST_MS}", took_ms <= SLOWEST_MS, note
    )


def _typing(visitor: Visitor, messages: int) -> Figure:
    speech, dice = Speech(77), random.Random(3)
    questions = [speech.question(dice.randint(1, 4)) for _ in range(QUESTIONS)]
    typed = [text[:end] for text in questions for end in range(1, len(text) + 1, 3)]
    took: list[float] = []
    for text in typed:
        began = time.perf_counter()
        visitor.get(f"/?q={quote(text)}", **{"HX-Request-Type": "partial"})
        took.append((time.perf_counter() - began) * 1000)
    p95 = statistics.quantiles(took, n=20)[-1]
    note = f"{len(took)} requests at {messages:,} messages; median {statistics.median(took):.0f} ms"
    target = f"<= {SLOWEST_MS}"
    return Figure("search as you type, p95", p95, "ms", target, p95 <= SLOWEST_MS, note)


def _weight(visitor: Visitor) -> Figure:
    weights: dict[str, float] = {}
    for path in PAGES:
        page = visitor.get(path)
        files = set(re.findall(r'(?:href|src)="(/static/[^"]+)"', page.decode()))
        packed = sum(len(visitor.get(file, **{"Accept-Encoding": "gzip"})) for file in files)
        weights[path] = (len(page) + packed) / 1000
    path = max(weights, key=lambda each: weights[each])
    heaviest = weights[path]
    target, note = f"<= {HEAVIEST_KB}", f"{path}, with its scripts and styles, over the wire"
    return Figure("heaviest page", heaviest, "KB", target, heaviest <= HEAVIEST_KB, note)
