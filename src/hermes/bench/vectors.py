"""The figures of embedding and of the vector index, each a ratio or a share of one run.

Texts are LoCoMo's turns where the file is at hand, else made up; a large history is mixed from
their vectors: each row two of them and some noise, which is harder than real texts because nothing
lies apart. Runs on the bundled model and the real store.
"""

import json
import os
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hermes.bench.corpus import Speech
from hermes.bench.spine import Figure
from hermes.embed.base import EmbedderOptions
from hermes.embed.e5 import MAX_TOKENS, Vectors
from hermes.embed.local import MODEL_DIR, LocalEmbedder, open_embedder
from hermes.embed.runtime import onnxruntime
from hermes.store.base.vectors import NewVector, VectorKind
from hermes.store.sqlite import Database, SqliteStore, open_store
from hermes.store.vectors.blocks import add_vectors
from hermes.store.vectors.coding import Places, pack_row
from hermes.store.vectors.index import VectorIndex
from hermes.types import NewSession, Role, Turn, Utterance

QUERIES = 60
NEIGHBOURS = 10
TEXTS = 2_000
EMBEDDED_AT_ONCE = 320
BARE_BATCH = 32
WRITTEN_AT_ONCE = 10_000
MEMORY_LIMIT_MB = 600


@dataclass(frozen=True, slots=True)
class Material:
    """What is measured with: texts that are stored, and questions."""

    passages: list[str]
    questions: list[str]


def measure_vectors(
    folder: Path, *, sizes: Sequence[int], data: Path | None, say: Callable[[str], None]
) -> Iterator[Figure]:
    """All figures, as they come, at each size of history."""
    material = load_material(data)
    embedder = open_embedder(EmbedderOptions())
    say("embedding against the bare loop")
    yield measure_throughput(embedder, material.passages[: TEXTS // 2])
    say("vectors to mix a history from")
    seeds = embedder.embed_passages(material.passages[:TEXTS])
    for size in sizes:
        say(f"{size:,} vectors")
        yield from measure_index(folder, embedder, Mixture(seeds, size), material.questions)


def load_material(data: Path | None) -> Material:
    """LoCoMo's turns and questions, or texts made up where it is not at hand."""
    path = None if data is None else data / "locomo10.json"
    if path is None or not path.exists():
        speech = Speech(3)
        return Material(
            [speech.text() for _ in range(TEXTS)], [speech.question(6) for _ in range(QUERIES)]
        )
    talks = json.loads(path.read_text("utf-8"))
    turns = [
        f"{turn['speaker']}: {turn['text']}"
        for talk in talks
        for session in talk["conversation"].values()
        if isinstance(session, list)
        for turn in session
    ]
    questions = [str(each["question"]) for talk in talks for each in talk["qa"]]
    step = len(questions) // QUERIES
    return Material(turns[:: max(1, len(turns) // TEXTS)], questions[::step][:QUERIES])


def measure_throughput(embedder: LocalEmbedder, texts: Sequence[str]) -> Figure:
    """Interleaved, so that a busy moment of the machine meets both alike."""
    bare = BareLoop(os.cpu_count() or 1)
    embedder.embed_passages(texts[:BARE_BATCH])
    bare.embed(texts[:BARE_BATCH])
    ours = theirs = 0.0
    for start in range(0, len(texts), EMBEDDED_AT_ONCE):
        some = texts[start : start + EMBEDDED_AT_ONCE]
        ours += _timed(lambda some=some: embedder.embed_passages(some))  # type: ignore[misc]
        theirs += _timed(lambda some=some: bare.embed(some))  # type: ignore[misc]
    ratio = theirs / ours
    rates = f"{len(texts) / ours:,.0f} texts/s, bare loop {len(texts) / theirs:,.0f}"
    return Figure("embedding / bare onnxruntime loop", ratio, "x", ">= 0.9", ratio >= 0.9, rates)


class BareLoop:
    """onnxruntime and the tokenizer, length-sorted batches of 32, all cores, nothing else."""

    def __init__(self, threads: int) -> None:
        from tokenizers import Tokenizer  # noqa: PLC0415 - only this class needs it

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        path = str(MODEL_DIR / "e5-small-int8.onnx")
        providers = ["CPUExecutionProvider"]
        self._session = onnxruntime.InferenceSession(path, options, providers=providers)
        self._tokenizer = Tokenizer.from_file(str(MODEL_DIR / "tokenizer.json"))
        self._tokenizer.enable_truncation(MAX_TOKENS)
        self._tokenizer.enable_padding()

    def embed(self, texts: Sequence[str]) -> None:
        ordered = sorted(("passage: " + text for text in texts), key=len)
        for start in range(0, len(ordered), BARE_BATCH):
            found = self._tokenizer.encode_batch(ordered[start : start + BARE_BATCH])
            ids = np.array([each.ids for each in found], dtype=np.int64)
            mask = np.array([each.attention_mask for each in found], dtype=np.int64)
            self._session.run(None, {"input_ids": ids, "attention_mask": mask})


class Mixture:
    """Many vectors from a few: the same rows for the same place, however they are asked for."""

    def __init__(self, seeds: Vectors, size: int) -> None:
        self._seeds = seeds
        self.size = size

    def picks(self, first: int) -> tuple[Places, Places, Vectors]:
        """What rows from `first` on, at most `WRITTEN_AT_ONCE`, are mixed of: two seeds, and how
        much of the first of them.
        """
        count = min(WRITTEN_AT_ONCE, self.size - first)
        dice = np.random.default_rng(first)
        one, two = dice.integers(0, len(self._seeds), (2, count))
        return one, two, dice.uniform(0.5, 1.0, (count, 1)).astype(np.float32)

    def rows(self, first: int) -> Vectors:
        one, two, share = self.picks(first)
        mixed = _unit(share * self._seeds[one] + (1 - share) * self._seeds[two])
        noise = np.random.default_rng((first, 1)).standard_normal(mixed.shape, dtype=np.float32)
        return _unit(mixed + np.float32(0.012) * noise)

    def __iter__(self) -> Iterator[tuple[int, Vectors]]:
        for first in range(0, self.size, WRITTEN_AT_ONCE):
            yield first, self.rows(first)


def measure_index(
    folder: Path, embedder: LocalEmbedder, mixture: Mixture, questions: Sequence[str]
) -> Iterator[Figure]:
    path = folder / f"vectors-{mixture.size}.db"
    store = open_store(Database(path, os.urandom(32)))
    # One by one, as they are asked: int8 activations make a vector depend a little on its batch.
    queries = np.concatenate([embedder.embed_queries([question]) for question in questions])
    truth = _fill(store, mixture, queries)
    index = VectorIndex()
    started = time.perf_counter()
    store.read(lambda tx: index.search(tx, queries[0], limit=NEIGHBOURS))
    opened_s = time.perf_counter() - started
    ratio, note, found = _time_searches(store, index, embedder, questions)
    memory = resident_mb()
    store.close()
    name = f"{mixture.size:,} vectors"
    limit = 1.0 if mixture.size <= 100_000 else 3.0
    target = f"<= {limit:.0f}, as part of recall"
    note = f"{note}; first search {opened_s:.2f} s"
    yield Figure(f"search / query embedding, {name}", ratio, "x", target, ratio <= limit, note)
    share = _mean_share(truth, found)
    yield Figure(f"recall@10 against an exact scan, {name}", share, "", ">= 0.99", share >= 0.99)
    met = memory <= MEMORY_LIMIT_MB
    stated = f"index states {index.status().memory_bytes / 1e6:.0f} MB"
    yield Figure(f"resident memory, {name}", memory, "MB", "<= 600", met, stated)


def _fill(store: SqliteStore, mixture: Mixture, queries: Vectors) -> list[set[int]]:
    """Record the messages, write their vectors, and find the true neighbours on the way."""
    space = store.write(lambda tx: tx.vectors.ensure_space("local", "e5-small-int8", 384, 1))
    best = [(np.empty(0, np.float32), np.empty(0, np.int64)) for _ in queries]
    for first, rows in mixture:
        items = _record(store, first, len(rows))
        new = [
            NewVector(VectorKind.MESSAGE, item, 1, pack_row(row))
            for item, row in zip(items, rows, strict=True)
        ]
        store.write(lambda tx, new=new: add_vectors(tx, space.id, new))  # type: ignore[misc]
        scores = queries @ rows.astype(np.float16).astype(np.float32).T
        best = [_best(*kept, scores[n], items) for n, kept in enumerate(best)]
    return [set(items.tolist()) for _, items in best]


def _best(scores: Vectors, items: Places, more: Vectors, new: list[int]) -> tuple[Vectors, Places]:
    """The nearest so far, and what is nearer among some more."""
    all_scores, all_items = np.r_[scores, more], np.r_[items, np.array(new, np.int64)]
    top = np.argsort(-all_scores, kind="stable")[:NEIGHBOURS]
    return all_scores[top], all_items[top]


def _record(store: SqliteStore, first: int, count: int) -> list[int]:
    said = tuple(Utterance(Role.USER, f"{first + n}") for n in range(count))
    turn = Turn(NewSession(id=f"s{first}"), said)
    return list(store.write(lambda tx: tx.conversations.record([turn], 1))[0].message_ids)


def _time_searches(
    store: SqliteStore, index: VectorIndex, embedder: LocalEmbedder, questions: Sequence[str]
) -> tuple[float, str, list[set[int]]]:
    """The ratio of the median times, a note on both, and what was found."""
    embedding, searching, found = [], [], []
    for question in questions:
        started = time.perf_counter()
        query = embedder.embed_queries([question])[0]
        between = time.perf_counter()
        near = store.read(
            lambda tx, query=query: index.search(tx, query, limit=NEIGHBOURS)  # type: ignore[misc]
        )
        searching.append(time.perf_counter() - between)
        embedding.append(between - started)
        found.append({each.item for each in near})
    query_ms, search_ms = (statistics.median(each) * 1000 for each in (embedding, searching))
    note = f"search {search_ms:.1f} ms, query embedding {query_ms:.1f} ms"
    return search_ms / query_ms, note, found


def _mean_share(truth: Sequence[set[int]], found: Sequence[set[int]]) -> float:
    return statistics.mean(
        len(true & got) / len(true) for true, got in zip(truth, found, strict=True)
    )


def resident_mb() -> float:
    """What this process holds now, the model included."""
    for line in Path("/proc/self/status").read_text("utf-8").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return float("nan")


def _unit(rows: Vectors) -> Vectors:
    scaled: Vectors = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return scaled


def _timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
