"""The figures of the spine: durable writes, batch ingest, search, size, start of the program.

Every figure is a ratio of two things measured in one run on one machine.
"""

import os
import resource
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import apsw

from hermes.bench.corpus import NOW, Speech, turns
from hermes.memory.record import record_turns
from hermes.memory.sessions import SearchOptions, search_sessions
from hermes.store.sqlite import Database, SqliteStore, open_store
from hermes.types import NewSession, Role, Turn, Utterance

BATCH = 1_000
QUERIES = 100
SLOW_FLUSH_S = 0.004  # what a flush takes on the machine the target was set on


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of a report: what was measured, its value, and what it should be."""

    name: str
    value: float
    unit: str
    target: str
    met: bool
    note: str = ""


def measure_spine(folder: Path, *, messages: int, say: Callable[[str], None]) -> Iterator[Figure]:
    """All figures, as they come; `messages` is the size of the large history."""
    say("durable writes, 1 and 64 writers")
    yield from measure_writers(folder)
    say("batch ingest against a bare loop")
    yield from measure_ingest(folder)
    say(f"search at {messages // 10:,} and {messages:,} messages")
    yield from measure_search(folder, messages)
    say("hermes --help")
    yield measure_help()


def measure_writers(folder: Path) -> Iterator[Figure]:
    flush_s = _flush_seconds(folder)
    for name, vfs, note in (
        ("on this disk", None, f"its flush takes {flush_s * 1000:.2f} ms"),
        (
            f"flush of {SLOW_FLUSH_S * 1000:.0f} ms",
            _slow_vfs(),
            "as where the target was set",
        ),
    ):
        one = _writes_per_second(folder, writers=1, count=150, vfs=vfs)
        many = _writes_per_second(folder, writers=64, count=40, vfs=vfs)
        ratio = many / one
        counted = f"{one:,.0f}/s alone, {many:,.0f}/s together; {note}"
        yield Figure(f"64 writers / 1 writer, {name}", ratio, "x", ">= 20", ratio >= 20, counted)


def _writes_per_second(folder: Path, *, writers: int, count: int, vfs: str | None) -> float:
    store = _fresh_store(folder / "writers.db", vfs)
    speech = Speech(5)
    texts = [speech.text() for _ in range(count)]

    def write(n: int) -> None:
        for text in texts:
            said = (Utterance(Role.USER, text), Utterance(Role.ASSISTANT, "Noted."))
            record_turns(store, [Turn(NewSession(id=f"w{n}"), said)], NOW)

    threads = [threading.Thread(target=write, args=(n,)) for n in range(writers)]
    started = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took = time.perf_counter() - started
    store.close()
    return writers * count / took


def measure_ingest(folder: Path, messages: int = 60_000) -> Iterator[Figure]:
    """Interleaved, so that a busy moment of the machine meets both alike."""
    store = _fresh_store(folder / "ingest.db", None)
    bare = _bare_database(folder / "bare.db")
    source = turns(messages // 2)
    ours = theirs = 0.0
    chars = 0
    while batch := list(islice(source, BATCH)):
        chars += sum(len(m.text.encode()) for turn in batch for m in turn.messages)
        ours += _timed(lambda batch=batch: record_turns(store, batch, NOW))  # type: ignore[misc]
        theirs += _timed(lambda batch=batch: _insert_bare(bare, batch))  # type: ignore[misc]
    store.close()
    bare.close()
    ratio = theirs / ours
    rates = f"{messages / ours:,.0f} messages/s, bare {messages / theirs:,.0f}"
    yield Figure("batch ingest / bare loop", ratio, "x", ">= 0.6", ratio >= 0.6, rates)
    size = (folder / "ingest.db").stat().st_size / chars
    yield Figure("file / text", size, "x", "<= 1.6", size <= 1.6, f"{chars / 1e6:.0f} MB of text")


def measure_search(folder: Path, messages: int) -> Iterator[Figure]:
    path = folder / "search.db"
    store = _fresh_store(path, None)
    source = turns(messages // 2)
    small = _ingest(store, source, messages // 20)
    small_p95, _ = _search_percentiles(store)
    _ingest(store, source, messages // 2 - small)
    large_p95, large_p50 = _search_percentiles(store)
    store.close()
    ratio = large_p95 / small_p95
    name = f"search p95, {messages:,} / {messages // 10:,} messages"
    note = f"p95 {large_p95:.1f} ms and {small_p95:.1f} ms, p50 {large_p50:.1f} ms"
    yield Figure(name, ratio, "x", "<= 2", ratio <= 2, note)
    yield Figure(
        "search p95", large_p95, "ms", "about 25", large_p95 <= 40, f"1 to 5 terms, {note}"
    )


def _ingest(store: SqliteStore, source: Iterator[Turn], count: int) -> int:
    for _ in range(count // BATCH):
        record_turns(store, list(islice(source, BATCH)), NOW)
    return count


def _search_percentiles(store: SqliteStore) -> tuple[float, float]:
    speech = Speech(99)
    questions = [speech.question(n % 5 + 1) for n in range(QUERIES)]
    questions += ["the", "the to and", "what is the plan", "deploy meeting"]
    for question in questions[:5]:
        search_sessions(store, question, SearchOptions())
    took = [
        _timed(lambda q=q: search_sessions(store, q, SearchOptions())) * 1000  # type: ignore[misc]
        for q in questions
    ]
    ordered = sorted(took)
    return ordered[int(len(ordered) * 0.95)], statistics.median(ordered)


def measure_help() -> Figure:
    cpu = min(_help_seconds() for _ in range(3))
    return Figure("hermes --help", cpu, "s CPU", "<= 0.25", cpu <= 0.25)


def _help_seconds() -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "hermes", "--help"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 (our own program)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _fresh_store(path: Path, vfs: str | None) -> SqliteStore:
    for end in ("", "-wal", "-shm", ".mark"):
        Path(f"{path}{end}").unlink(missing_ok=True)
    return open_store(Database(path, os.urandom(32), vfs=vfs))


def _bare_database(path: Path) -> apsw.Connection:
    for end in ("", "-wal", "-shm"):
        Path(f"{path}{end}").unlink(missing_ok=True)
    connection = apsw.Connection(str(path))
    for setting in ("journal_mode = wal", "synchronous = full"):
        list(connection.execute(f"PRAGMA {setting}"))
    connection.execute(
        """CREATE TABLE messages (
          id INTEGER PRIMARY KEY, session TEXT, at INT, role TEXT, text TEXT);
        CREATE VIRTUAL TABLE words USING fts5 (
          text, tokenize = 'porter unicode61 remove_diacritics 2')"""
    )
    return connection


def _insert_bare(connection: apsw.Connection, batch: Sequence[Turn]) -> None:
    connection.execute("BEGIN IMMEDIATE")
    for turn in batch:
        for said in turn.messages:
            row = (turn.session.id, said.at, said.role.value, said.text)
            sql = "INSERT INTO messages (session, at, role, text) VALUES (?, ?, ?, ?)"
            connection.execute(sql, row)
            number = connection.last_insert_rowid()
            sql = "INSERT INTO words (rowid, text) VALUES (?, ?)"
            connection.execute(sql, (number, said.text))
    connection.execute("COMMIT")


def _flush_seconds(folder: Path) -> float:
    """The median time of an fsync after a small write."""
    took: list[float] = []
    with (folder / "flush").open("wb") as file:
        for _ in range(50):
            file.write(b"x" * 4096)
            file.flush()
            took.append(_timed(lambda: os.fsync(file.fileno())))
    return statistics.median(took)


class _SlowFile(apsw.VFSFile):
    def xSync(self, flags: int) -> None:
        time.sleep(SLOW_FLUSH_S)
        super().xSync(flags)


class _SlowVfs(apsw.VFS):
    """SQLite's own files, with a flush that takes as long as on a plain disk."""

    def __init__(self) -> None:
        self._base = apsw.vfs_names()[0]
        super().__init__("hermes-slow-flush", self._base)

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> _SlowFile:
        return _SlowFile(self._base, name, flags)


_slow: list[_SlowVfs] = []


def _slow_vfs() -> str:
    if not _slow:
        _slow.append(_SlowVfs())  # must live as long as connections use it
    return "hermes-slow-flush"
