"""How long recall takes, query embedding included, beside the query embedding alone.

The history is LoCoMo's turns, where the file is at hand, cut and joined anew so that no two
messages are alike; each message is an episode, forty a session. Vectors are mixed as for the index
(`bench.vectors`), of the same two turns as the text and by the same share: embedding a million
texts would take hours.
A history is built in one process and asked in another, so that the memory told is that of a process
which answers, not of one which has also made a million vectors.
Both times are taken in turn, question by question, so that a busy moment meets both alike.
"""

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from hermes.bench.spine import Figure
from hermes.bench.vectors import (
    MEMORY_LIMIT_MB,
    TEXTS,
    Mixture,
    load_material,
    resident_mb,
)
from hermes.clock import DAY_MS, MINUTE_MS, FixedClock
from hermes.embed.base import Embedder, EmbedderOptions
from hermes.embed.local import open_embedder
from hermes.memory.recall.engine import Engine
from hermes.memory.recall.passage import stored_name
from hermes.memory.record import record_turns
from hermes.store.base.vectors import NewVector, VectorKind
from hermes.store.sqlite import Database, open_store
from hermes.store.vectors.blocks import add_vectors
from hermes.store.vectors.coding import pack_row
from hermes.types import NewSession, Role, Turn, Utterance

START_AT = 1_735_689_600_000
PER_SESSION = 40
LIMITS = {100_000: 2.0, 1_000_000: 4.0}
ROUNDS = 3


def measure_recall(
    folder: Path, *, sizes: Sequence[int], data: Path | None, say: Callable[[str], None]
) -> Iterator[Figure]:
    """Time and memory at each size of history."""
    with ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=1) as apart:
        for size in sizes:
            say(f"a history of {size:,} episodes")
            path = folder / f"recall-{size}.db"
            if not path.exists():
                apart.submit(build_history, path, size, data).result()
            yield from apart.submit(measure_history, path, size, data).result()


def build_history(path: Path, size: int, data: Path | None) -> None:
    material = load_material(data)
    embedder = open_embedder(EmbedderOptions())
    seeds = embedder.embed_passages(material.passages[:TEXTS])
    embedder.close()
    build(path, material.passages, Mixture(seeds, size))


def measure_history(path: Path, size: int, data: Path | None) -> list[Figure]:
    embedder = open_embedder(EmbedderOptions())
    figures = list(measure(path, size, embedder, load_material(data).questions))
    embedder.close()
    return figures


def build(path: Path, texts: Sequence[str], mixture: Mixture) -> None:
    """Record a history, and give it its vectors."""
    store = open_store(Database(path))
    space = store.write(
        lambda tx: tx.vectors.ensure_space("local", stored_name("e5-small-int8"), 384, 1)
    )
    for first, rows in mixture:
        turns = list(_turns(texts, mixture, first))
        receipts = record_turns(store, turns, turns[-1].messages[-1].at or START_AT)
        items = [number for receipt in receipts for number in receipt.message_ids]
        new = [
            NewVector(VectorKind.MESSAGE, item, 1, pack_row(row))
            for item, row in zip(items, rows, strict=True)
        ]
        store.write(lambda tx, new=new: add_vectors(tx, space.id, new))  # type: ignore[misc]
        last = items[-1]
        store.write(
            lambda tx, last=last: tx.vectors.pass_over(space.id, VectorKind.MESSAGE, [last])  # type: ignore[misc]
        )
    store.close()


def _turns(texts: Sequence[str], mixture: Mixture, first: int) -> Iterator[Turn]:
    """The messages whose vectors are the rows from `first` on."""
    for number, (one, two, share) in enumerate(zip(*mixture.picks(first), strict=True), first):
        start, end = texts[one].split(), texts[two].split()
        cut = float(share[0])
        text = " ".join(start[: round(len(start) * cut) + 1] + end[round(len(end) * cut) :])
        at = START_AT + number * MINUTE_MS
        role = Role.USER if number % 2 == 0 else Role.ASSISTANT
        session = NewSession(id=f"s{number // PER_SESSION}", started_at=at)
        yield Turn(session, (Utterance(role, text, at),))


def measure(
    path: Path, size: int, embedder: Embedder, questions: Sequence[str]
) -> Iterator[Figure]:
    store = open_store(Database(path))
    engine = Engine(store, FixedClock(START_AT + size * MINUTE_MS + DAY_MS), embedder=embedder)
    started = time.perf_counter()
    engine.recall(questions[0], bank="default")
    first_s = time.perf_counter() - started
    alone, whole = time_both(engine, embedder, questions)
    memory = resident_mb()
    engine.close()
    store.close()
    ratio, limit = whole / alone, LIMITS.get(size, 4.0 if size > 100_000 else 2.0)
    note = f"{whole:.1f} ms, embedding alone {alone:.1f} ms; first {first_s:.1f} s"
    name = f"{size:,} episodes"
    yield Figure(
        f"recall / query embedding, {name}", ratio, "x", f"<= {limit:g}", ratio <= limit, note
    )
    met = memory <= MEMORY_LIMIT_MB
    yield Figure(f"resident memory, {name}", memory, "MB", f"<= {MEMORY_LIMIT_MB}", met)


def time_both(engine: Engine, embedder: Embedder, questions: Sequence[str]) -> tuple[float, float]:
    """The median milliseconds of embedding a question, and of recalling for it."""
    alone, whole = [], []
    for question in [*questions[:5], *list(questions) * ROUNDS]:
        started = time.perf_counter()
        embedder.embed_queries([question])
        between = time.perf_counter()
        engine.recall(question, bank="default")
        alone.append(between - started)
        whole.append(time.perf_counter() - between)
    return statistics.median(alone[5:]) * 1000, statistics.median(whole[5:]) * 1000
