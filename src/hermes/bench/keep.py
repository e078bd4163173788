"""The figures of keeping: backups of a live memory, and carrying one from file to file."""

import random
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
from hermes.config.paths import Home
from hermes.memory.record import record_prepared, record_turns
from hermes.types import NewSession, Payload, Role, Turn, Utterance

BATCH = 1_000
PAYLOAD_BYTES = 200_000
Say = Callable[[str], None]


def measure_keep(folder: Path, *, megabytes: int, episodes: int, say: Say) -> Iterator[Figure]:
    """All figures, as they come."""
    say(f"backup of {megabytes:,} MB while it is being written")
    yield from measure_backup(folder, megabytes)
    say(f"export and import of {episodes:,} episodes")
    yield from measure_carry(folder, episodes)


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
    took = (out_s + in_s) * 100_000 / episodes
    is_same = first.read_bytes() == second.read_bytes()
    size = first.stat().st_size / 1e6
    note = (
        f"{episodes:,} episodes, {size:,.0f} MB: out {out_s:.1f} s, in {in_s:.1f} s; "
        f"a second export is {'the same' if is_same else 'DIFFERENT'}"
    )
    met = took < 300 and is_same
    yield Figure("export + import, for 100,000 episodes", took, "s", "< 300", met, note)


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
