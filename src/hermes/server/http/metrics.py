"""What is measured of the daemon, as Prometheus reads it."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from starlette.types import Scope

from hermes import __version__
from hermes.app import App
from hermes.app.memory_status import read_memory_status

BOUNDS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """Requests that were answered, by route and status, and how long they took."""

    def __init__(self) -> None:
        self._answers: Counter[tuple[str, str, int]] = Counter()
        self._buckets: defaultdict[str, list[int]] = defaultdict(lambda: [0] * (len(BOUNDS_S) + 1))
        self._seconds: Counter[str] = Counter()

    def note(self, scope: Scope, status: int, took_s: float) -> None:
        route = getattr(scope.get("route"), "path", "other")
        method = scope["method"] if scope["method"] in _METHODS else "other"
        self._answers[method, route, status] += 1
        self._buckets[route][bisect_left(BOUNDS_S, took_s)] += 1
        self._seconds[route] += took_s  # type: ignore[assignment]

    def render(self, gauges: Mapping[str, float]) -> str:
        """The page Prometheus scrapes."""
        lines = [*_gauges(gauges), *self._requests(), *self._latencies()]
        return "\n".join(lines) + "\n"

    def _requests(self) -> Iterator[str]:
        yield "# HELP hermes_http_requests_total Requests that were answered."
        yield "# TYPE hermes_http_requests_total counter"
        for (method, route, status), count in sorted(self._answers.items()):
            labels = f'method="{method}",route="{route}",status="{status}"'
            yield f"hermes_http_requests_total{{{labels}}} {count}"

    def _latencies(self) -> Iterator[str]:
        yield "# HELP hermes_http_request_seconds How long answers took."
        yield "# TYPE hermes_http_request_seconds histogram"
        for route, buckets in sorted(self._buckets.items()):
            total = 0
            for bound, count in zip((*BOUNDS_S, "+Inf"), buckets, strict=True):
                total += count
                labels = f'route="{route}",le="{bound}"'
                yield f"hermes_http_request_seconds_bucket{{{labels}}} {total}"
            yield f'hermes_http_request_seconds_sum{{route="{route}"}} {self._seconds[route]:.6f}'
            yield f'hermes_http_request_seconds_count{{route="{route}"}} {total}'


HELP = {
    "hermes_up": "Always 1; the version is a label.",
    "hermes_store_bytes": "Size of the database on disk, in bytes.",
    "hermes_store_changes": "The number of the last change of the store.",
    "hermes_index_backlog": "Texts that wait for a vector.",
    "hermes_pending_writes": "Held writes that wait for the person's word.",
    "hermes_jobs_unfinished": "Background jobs that wait or run.",
    "hermes_jobs_dead": "Background jobs that gave up.",
    "hermes_jobs_oldest_seconds": "How long the oldest unfinished job has waited, in seconds.",
    "hermes_rows": "What is kept, by kind.",
    "hermes_vectors": "Vectors in the index, by kind of what they stand for.",
    "hermes_facts_junk_ratio": "Share of the extracted facts that a person deleted.",
}
_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


def read_gauges(app: App) -> dict[str, float]:
    """What is kept, how large it is, and what waits."""
    store, memory = app.store.status(), read_memory_status(app)
    daemon, tally = app.daemon.status(), app.facts.tally()
    found: dict[str, float] = {
        'hermes_up{version="' + __version__ + '"}': 1,
        "hermes_store_bytes": store.size_bytes,
        "hermes_store_changes": store.seq,
        "hermes_index_backlog": memory.backlog,
        "hermes_pending_writes": app.pending.count(),
        "hermes_jobs_unfinished": daemon.unfinished,
        "hermes_jobs_dead": daemon.dead,
        'hermes_rows{kind="facts"}': memory.facts,
        'hermes_rows{kind="reflections"}': memory.reflections,
        'hermes_rows{kind="raw_episodes"}': memory.raw,
        'hermes_rows{kind="compressed_episodes"}': memory.compressed,
        'hermes_vectors{kind="episodes"}': memory.message_vectors,
        'hermes_vectors{kind="facts"}': memory.fact_vectors,
    }
    found |= {f'hermes_rows{{kind="{kind}"}}': count for kind, count in store.counts.items()}
    if daemon.oldest_at is not None:
        found["hermes_jobs_oldest_seconds"] = (app.clock.now() - daemon.oldest_at) / 1000
    if tally.junk_rate is not None:
        found["hermes_facts_junk_ratio"] = tally.junk_rate
    return found


def _gauges(gauges: Mapping[str, float]) -> Iterator[str]:
    told: set[str] = set()
    for name, value in sorted(gauges.items()):
        family = name.partition("{")[0]
        if family not in told:
            told.add(family)
            yield f"# HELP {family} {HELP[family]}"
            yield f"# TYPE {family} gauge"
        yield f"{name} {value:g}" if value < 1e6 else f"{name} {value:.0f}"
