"""The figures of the PostgreSQL store, each a ratio of two things measured in one run.

The server is whatever address is given, with rights to make databases; its settings, above all
`fsync`, are part of what is measured and are told in the notes.
"""

import multiprocessing
import secrets
import statistics
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from hermes.bench.corpus import NOW, Speech, turns
from hermes.bench.recall_speed import time_both
from hermes.bench.spine import Figure
from hermes.bench.vectors import TEXTS, Mixture, load_material
from hermes.clock import DAY_MS, FixedClock
from hermes.embed.base import Embedder, EmbedderOptions
from hermes.embed.local import open_embedder
from hermes.memory.recall.engine import Engine
from hermes.memory.recall.passage import stored_name
from hermes.memory.record import record_turns
from hermes.store.base import Store
from hermes.store.base.vectors import NewVector, VectorKind
from hermes.store.postgres import PostgresStore, Server, open_store
from hermes.store.postgres.plan import list_tables
from hermes.store.postgres.schema import migrate
from hermes.store.postgres.server import connect
from hermes.store.sqlite import Database
from hermes.store.sqlite import open_store as open_sqlite
from hermes.store.vectors.blocks import add_vectors
from hermes.store.vectors.coding import pack_row
from hermes.types import NewSession, Role, Turn, Utterance

ROLE = "hermes_bench"
BATCH = 1_000
DAEMONS, WRITERS, EACH = 8, 8, 50
ALONE = 300
SEEN = 200
ROUNDS = 3
_QUESTIONS = 40


@dataclass(frozen=True, slots=True)
class Place:
    """A server on which databases may be made."""

    address: str

    def new_server(self) -> Server:
        """A database of its own, with the schema, as an ordinary role."""
        name = f"hermes_bench_{secrets.token_hex(4)}"
        with psycopg.connect(self.address, autocommit=True) as raw:
            role = f"""DO $$ BEGIN CREATE ROLE {ROLE} LOGIN PASSWORD '{ROLE}';
              EXCEPTION WHEN duplicate_object THEN NULL; END $$"""
            raw.execute(role.encode())
            raw.execute(f"CREATE DATABASE {name} OWNER {ROLE}".encode())
        server = Server(make_conninfo(self.address, dbname=name, user=ROLE, password=ROLE))
        migrate(server)
        return server

    def settle(self) -> None:
        """Have written out what earlier parts left, so that every part begins alike."""
        with psycopg.connect(self.address, autocommit=True) as raw:
            with suppress(psycopg.errors.InsufficientPrivilege):
                raw.execute("CHECKPOINT")

    def drop(self, server: Server) -> None:
        """Remove a database: the server's own upkeep of it would go on beside the next part."""
        with psycopg.connect(self.address, autocommit=True) as raw:
            name = conninfo_to_dict(server.address)["dbname"]
            raw.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())

    def setting(self, name: str) -> str:
        with psycopg.connect(self.address) as raw:
            return str(raw.execute("SELECT current_setting(%s)", (name,)).fetchall()[0][0])


def measure_postgres(
    folder: Path, address: str, *, episodes: int, say: Callable[[str], None]
) -> Iterator[Figure]:
    """All figures, as they come."""
    place = Place(address)
    say("writers: one, and eight daemons of eight")
    yield measure_writers(place)
    say("how soon another daemon sees a change")
    yield measure_visibility(place)
    say(f"ingest of {episodes // 5:,} turns against a bare COPY")
    yield measure_ingest(place, episodes // 5)
    say(f"recall over {episodes:,} episodes, on SQLite and here")
    yield measure_recall(folder, place, episodes)


def measure_writers(place: Place) -> Figure:
    """The median of some rounds: a flush takes longer now and shorter then."""
    rounds = [
        (
            _writes_per_second(place, daemons=1, writers=1, count=ALONE),
            _writes_per_second(place, daemons=DAEMONS, writers=WRITERS, count=EACH),
        )
        for _ in range(ROUNDS)
    ]
    one, many = (statistics.median(rates) for rates in zip(*rounds, strict=True))
    ratios = [together / alone for alone, together in rounds]
    note = (
        f"{one:,.0f}/s alone, {many:,.0f}/s together; fsync {place.setting('fsync')}; "
        f"{_told(ratios)}"
    )
    ratio = statistics.median(ratios)
    return Figure("8 daemons x 8 writers / 1 writer", ratio, "x", ">= 4", ratio >= 4, note)


def _told(ratios: Sequence[float]) -> str:
    return f"rounds: {', '.join(f'{ratio:.2f}' for ratio in ratios)}"


def _writes_per_second(place: Place, *, daemons: int, writers: int, count: int) -> float:
    server = place.new_server()
    context = multiprocessing.get_context("spawn")
    ready, go = context.Semaphore(0), context.Event()
    jobs = [
        context.Process(target=write_as_daemon, args=(server, n, writers, count, ready, go))
        for n in range(daemons)
    ]
    for job in jobs:
        job.start()
    for _ in jobs:
        ready.acquire()
    place.settle()
    started = time.perf_counter()
    go.set()
    for job in jobs:
        job.join()
    if any(job.exitcode for job in jobs):
        raise RuntimeError("a daemon failed")
    took = time.perf_counter() - started
    place.drop(server)
    return daemons * writers * count / took


def write_as_daemon(
    server: Server, daemon: int, writers: int, count: int, ready: object, go: object
) -> None:
    """What each process of the measurement does."""
    store = open_store(server)
    speech = Speech(daemon)
    texts = [speech.text() for _ in range(count)]
    store.write(lambda tx: tx.changes.latest())
    ready.release()  # type: ignore[attr-defined]
    go.wait()  # type: ignore[attr-defined]

    def write(lane: int) -> None:
        for text in texts:
            said = (Utterance(Role.USER, text), Utterance(Role.ASSISTANT, "Noted."))
            record_turns(store, [Turn(NewSession(id=f"w{daemon}-{lane}"), said)], NOW)

    lanes = [threading.Thread(target=write, args=(lane,)) for lane in range(writers)]
    for lane in lanes:
        lane.start()
    for lane in lanes:
        lane.join()
    store.close()


def measure_visibility(place: Place) -> Figure:
    """From the acknowledgement here to a hint there, and what was kept read there."""
    server = place.new_server()
    writer, reader = open_store(server), open_store(server)
    heard = threading.Condition()
    latest = 0

    def on_change(seq: int) -> None:
        nonlocal latest
        with heard:
            latest = max(latest, seq)
            heard.notify()

    listener = reader.listen(on_change)
    listener.ready.wait()
    delays: list[float] = []
    for n in range(SEEN):
        said = Turn(NewSession(id="v"), (Utterance(Role.USER, f"change {n}"),))
        record_turns(writer, [said], NOW)
        seq = writer.read(lambda tx: tx.changes.latest())
        kept = time.perf_counter()
        with heard:
            heard.wait_for(lambda seq=seq: latest >= seq, 10)  # type: ignore[misc]
        reader.read(lambda tx: tx.changes.latest())
        delays.append(time.perf_counter() - kept)
    listener.close()
    writer.close()
    reader.close()
    p95 = statistics.quantiles(delays, n=20)[-1] * 1000
    return Figure("change seen by another daemon, p95", p95, "ms", "<= 250", p95 <= 250)


def measure_ingest(place: Place, count: int) -> Figure:
    """Turns recorded in batches, against a COPY of the rows that this left, with all indexes: the
    median of some rounds.
    """
    rounds = [_ingest(place, count) for _ in range(ROUNDS)]
    ours, bare, size = (statistics.median(each) for each in zip(*rounds, strict=True))
    ratios = [copied / recorded for recorded, copied, _ in rounds]
    rate = count / ours
    note = (
        f"{rate:,.0f} turns/s of two messages ({2 * rate:,.0f} messages/s), COPY "
        f"{count / bare:,.0f} turns/s; {size / count / 2:,.0f} bytes a message with its indexes; "
        f"{_told(ratios)}"
    )
    ratio = statistics.median(ratios)
    return Figure("batch ingest / bare COPY", ratio, "x", ">= 0.5", ratio >= 0.5, note)


def _ingest(place: Place, count: int) -> tuple[float, float, int]:
    """The seconds of recording and of copying, and the bytes they came to."""
    server, target = place.new_server(), place.new_server()
    said = list(turns(count))
    store = open_store(server)
    place.settle()
    started = time.perf_counter()
    for start in range(0, count, BATCH):
        record_turns(store, said[start : start + BATCH], NOW)
    ours = time.perf_counter() - started
    size = store.status().size_bytes
    store.close()
    bare = _copy_seconds(place, server, target)
    for made in (server, target):
        place.drop(made)
    return ours, bare, size


def _copy_seconds(place: Place, source: Server, target: Server) -> float:
    """How long it takes to copy every row into tables with the same indexes, COPY alone."""
    names = [table.name for table in list_tables()]
    one, other = connect(source), connect(target)
    for raw in (one, other):
        for name in names:  # COPY is not for tables whose rows are guarded
            raw.execute(f"ALTER TABLE {name} NO FORCE ROW LEVEL SECURITY".encode())
    parts = {name: _copied_out(one, name) for name in names}
    place.settle()
    started = time.perf_counter()
    with other.transaction():
        for name, rows in parts.items():
            copy = f"COPY {name} FROM STDIN (FORMAT BINARY)".encode()
            with other.cursor().copy(copy) as into:
                for row in rows:
                    into.write(row)
    took = time.perf_counter() - started
    one.close()
    other.close()
    return took


def _copied_out(raw: psycopg.Connection[tuple[object, ...]], table: str) -> list[bytes]:
    with raw.cursor().copy(f"COPY {table} TO STDOUT (FORMAT BINARY)".encode()) as rows:
        return [bytes(part) for part in rows]


def measure_recall(folder: Path, place: Place, episodes: int) -> Figure:
    embedder = open_embedder(EmbedderOptions())
    material = load_material(None)
    seeds = embedder.embed_passages(material.passages[:TEXTS])
    stores: list[Store] = [
        open_sqlite(Database(folder / "recall.db")),
        open_store(place.new_server()),
    ]
    for store in stores:
        build(store, Mixture(seeds, episodes))
        if isinstance(store, PostgresStore):
            store.purge()
    times = [recall_ms(store, embedder) for store in stores]
    for store in stores:
        store.close()
    embedder.close()
    (_, lite), (alone, here) = times
    note = f"{here:.1f} ms here, {lite:.1f} ms on SQLite; embedding the question {alone:.1f} ms"
    return Figure(
        f"recall / SQLite's, {episodes:,} episodes",
        here / lite,
        "x",
        "<= 2",
        here <= 2 * lite,
        note,
    )


def build(store: Store, mixture: Mixture) -> None:
    """A history with a vector for each message."""
    name = stored_name("e5-small-int8")
    space = store.write(lambda tx: tx.vectors.ensure_space("local", name, 384, 1))
    said = _single_turns()
    for _, rows in mixture:
        batch = list(islice(said, len(rows)))
        receipts = record_turns(store, batch, NOW)
        items = [number for receipt in receipts for number in receipt.message_ids]
        new = [
            NewVector(VectorKind.MESSAGE, item, 1, pack_row(row))
            for item, row in zip(items, rows, strict=True)
        ]
        store.write(lambda tx, new=new: add_vectors(tx, space.id, new))  # type: ignore[misc]
        store.write(
            lambda tx, last=items[-1]: tx.vectors.pass_over(  # type: ignore[misc]
                space.id, VectorKind.MESSAGE, [last]
            )
        )


def _single_turns() -> Iterator[Turn]:
    speech, number = Speech(3), 0
    while True:
        session = NewSession(id=f"s{number // 40}")
        role = Role.USER if number % 2 == 0 else Role.ASSISTANT
        yield Turn(session, (Utterance(role, speech.text(), NOW - 10**9 + number),))
        number += 1


def recall_ms(store: Store, embedder: Embedder) -> tuple[float, float]:
    """The median milliseconds of embedding a question, and of recalling for it."""
    engine = Engine(store, FixedClock(NOW + DAY_MS), embedder=embedder)
    speech = Speech(11)
    questions: Sequence[str] = [speech.question(8) for _ in range(_QUESTIONS)]
    engine.recall(questions[0], bank="default")
    found = time_both(engine, embedder, questions)
    engine.close()
    return found
