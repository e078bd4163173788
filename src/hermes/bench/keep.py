"""The figures of keeping: backups of a live memory, and carrying one from file to file."""

import os
import random
import resource
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

from hermes.app import App, open_app
from hermes.bench.corpus import NOW, turns
from hermes.bench.spine import Figure
from hermes.clock import FixedClock
from hermes.config.paths import Home, ProfilePaths
from hermes.config.running import find_daemon
from hermes.errors import Unavailable
from hermes.memory.record import record_prepared, record_turns
from hermes.server.launch import Profile, start_daemon, stop_daemon
from hermes.types import NewSession, Payload, Role, Turn, Utterance

BATCH = 1_000
PAYLOAD_BYTES = 200_000
SETTLE_S = 5.0
IDLE_S = 30.0
Say = Callable[[str], None]


def measure_keep(folder: Path, *, megabytes: int, episodes: int, say: Say) -> Iterator[Figure]:
    """All figures, as they come."""
    say(f"backup of {megabytes:,} MB while it is being written")
    yield from measure_backup(folder, megabytes)
    say(f"export and import of {episodes:,} episodes")
    yield from measure_carry(folder, episodes)
    say(f"a daemon with nothing to do, for {IDLE_S:g} seconds")
    yield from measure_idle(folder / "idle")


def measure_backup(folder: Path, megabytes: int) -> Iterator[Figure]:
    """How long a backup takes, verified, and how long a writer has to wait meanwhile."""
    with _open(folder / "backup") as app:
        _fill(app, megabytes)
        size = app.store.status().size_bytes
        alone = _write_times(app, threading.Event(), count=100)
        done = threading.Event()
        meanwhile: list[float] = []
        writer = threading.Thread(target=lambda: meanwhile.extend(_write_times(app, done)))
        writer.start()
        started = time.perf_counter()
        app.backups.make()
        took = time.perf_counter() - started
        done.set()
        writer.join()
    scaled = took * 1e9 / size
    note = f"{size / 1e6:,.0f} MB in {took:.1f} s, made, encrypted and restored once"
    yield Figure("backup, for each GB", scaled, "s", "< 60", scaled < 60, note)
    longest = max(meanwhile) * 1000
    note = (
        f"{len(meanwhile):,} writes; median {statistics.median(meanwhile) * 1000:.1f} ms, "
        f"alone {statistics.median(alone) * 1000:.1f} ms, at most {max(alone) * 1000:.0f} ms"
    )
    yield Figure("longest write during a backup", longest, "ms", "< 250", longest < 250, note)


def measure_carry(folder: Path, episodes: int) -> Iterator[Figure]:
    """Export, import into an empty memory, and whether a second export is the same."""
    first, second = folder / "first.json", folder / "second.json"
    with _open(folder / "from") as app:
        source = turns(episodes)
        while batch := list(islice(source, BATCH)):
            record_turns(app.store, batch, NOW)
        out_s = _timed(lambda: app.portable.export_to(first))
    with _open(folder / "to") as app:
        in_s = _timed(lambda: app.portable.import_from(first))
        app.portable.export_to(second)
    waited = _waits(folder / "busy", first)
    took = (out_s + in_s) * 100_000 / episodes
    is_same = first.read_bytes() == second.read_bytes()
    size = first.stat().st_size / 1e6
    note = (
        f"{episodes:,} episodes, {size:,.0f} MB: out {out_s:.1f} s, in {in_s:.1f} s; "
        f"a second export is {'the same' if is_same else 'DIFFERENT'}"
    )
    met = took < 300 and is_same
    yield Figure("export + import, for 100,000 episodes", took, "s", "< 300", met, note)
    longest = max(waited) * 1000
    note = f"{len(waited):,} writes into the same memory; median {_median_ms(waited):.1f} ms"
    yield Figure("longest write during that import", longest, "ms", "< 250", longest < 250, note)


def _median_ms(took: list[float]) -> float:
    return statistics.median(took) * 1000


def _waits(folder: Path, file: Path) -> list[float]:
    """How long a writer in the same process waits while a file is taken in beside it."""
    with _open(folder) as app:
        _write_times(app, threading.Event(), count=20)
        done = threading.Event()
        took: list[float] = []
        writer = threading.Thread(target=lambda: took.extend(_write_times(app, done)))
        writer.start()
        app.portable.import_from(file)
        done.set()
        writer.join()
    return took


def measure_idle(folder: Path) -> Iterator[Figure]:
    """Start a real daemon on an empty memory, and see what it takes while nothing is to be done."""
    paths = Home(folder.resolve()).profile("default")
    with open_app(paths, {}) as app:
        app.store.status()
    profile = Profile(paths, dict(os.environ), {})
    start_s = _timed(lambda: start_daemon(profile))
    try:
        time.sleep(SETTLE_S)
        pid = _pid(paths)
        before = _cpu_s(pid)
        time.sleep(IDLE_S)
        share = (_cpu_s(pid) - before) / IDLE_S
        rss = _rss_bytes(pid)
    finally:
        stop_daemon(paths)
    yield Figure("start of the daemon until it is ready", start_s, "s", "< 2", start_s < 2, "")
    note = "with the HTTP server, the embedding model not loaded"
    yield Figure("memory of an idle daemon", rss / 1e6, "MB", "< 150", rss < 150e6, note)
    percent = 100 * share
    yield Figure("CPU of an idle daemon", percent, "%", "< 1", percent < 1, f"over {IDLE_S:g} s")


def _pid(paths: ProfilePaths) -> int:
    running = find_daemon(paths)
    if running is None:
        raise Unavailable("The daemon ended by itself.", "See its log.")
    return running.pid


def _cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _rss_bytes(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text("utf-8").split()[1]) * resource.getpagesize()


def _open(folder: Path) -> App:
    return open_app(Home(folder.resolve()).profile("default"), {}, clock=FixedClock(NOW))


def _fill(app: App, megabytes: int) -> None:
    """A memory of that size: conversations, and files attached to them."""
    dice = random.Random(3)
    source = turns(max(1_000, megabytes * 20))
    while batch := list(islice(source, BATCH)):
        record_turns(app.store, batch, NOW)
    left = megabytes * 1_000_000 - app.store.status().size_bytes
    for n in range(max(0, left) // (PAYLOAD_BYTES * 20)):
        files = [Payload("image/png", dice.randbytes(PAYLOAD_BYTES)) for _ in range(20)]
        said = tuple(Utterance(Role.USER, f"picture {n}", NOW, payloads=(file,)) for file in files)
        record_prepared(app.store, [Turn(NewSession(id=f"p{n}"), said)], NOW)


def _write_times(app: App, done: threading.Event, count: int = 0) -> list[float]:
    """How long each acknowledged write took, until told to stop or `count` times."""
    took: list[float] = []
    given = next(turns(1, seed=8))
    while not done.is_set() and not (count and len(took) == count):
        one = replace(given, key=f"{time.perf_counter_ns()}")
        took.append(_timed(lambda one=one: record_turns(app.store, [one], NOW)))  # type: ignore[misc]
        time.sleep(0.005)
    return took


def _timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
