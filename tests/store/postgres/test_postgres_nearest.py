"""The nearest vectors found inside the server: by bits, and by pgvector's HNSW."""

from collections.abc import Iterator

import numpy as np
import psycopg
import pytest

from fixed_embedder import WordEmbedder
from hermes.clock import FixedClock
from hermes.memory.indexing import index_pending
from hermes.memory.recall.banks import BankShelf
from hermes.memory.recall.engine import Engine
from hermes.memory.recall.result import Rung
from hermes.store.base import Tx
from hermes.store.base.vectors import BLOCK_ROWS, NewVector, VectorKind, VectorSpace
from hermes.store.postgres import PostgresStore, Server, open_store
from hermes.store.postgres.ann import build
from hermes.store.postgres.connection import scalar
from hermes.store.postgres.halves import near_sql, walk_index
from hermes.store.postgres.nearest import PostgresVectorSearch, Way
from hermes.store.postgres.schema import migrate
from hermes.store.postgres.server import connect
from hermes.store.postgres.tx import PostgresTx
from hermes.store.vectors.blocks import add_vectors
from hermes.store.vectors.coding import Floats, pack_row
from hermes.store.vectors.index import VectorIndex
from hermes.store.vectors.upkeep import keep_up
from postgres_server import execute, new_database, shared_address, within
from talk import NOW, keep, turn

DIMENSIONS = 64
BANKS = 3
COUNT = 6_000
COUNTING = "SELECT count(*) FROM"


def mixture(count: int) -> Floats:
    """Vectors in clusters, as texts lie, around a mean that is not the origin."""
    dice = np.random.default_rng(7)
    centres = dice.normal(size=(60, DIMENSIONS))
    rows = centres[dice.integers(0, 60, count)] + 0.8 * dice.normal(size=(count, DIMENSIONS)) + 0.7
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows.astype(np.float32)


ROWS = mixture(COUNT + 200)


def bank_of(number: int) -> int:
    """The last bank is small."""
    return 3 if number % 40 == 0 else 1 + number % 2


def add(tx: Tx, first: int, end: int) -> VectorSpace:
    space = tx.vectors.ensure_space("test", "clusters", DIMENSIONS, 5)
    new = [
        NewVector(VectorKind.MESSAGE, n + 1, bank_of(n), pack_row(ROWS[n]))
        for n in range(first, end)
    ]
    return add_vectors(tx, space.id, new)


@pytest.fixture(scope="module")
def server() -> Server:
    address = new_database()
    database = str(psycopg.conninfo.conninfo_to_dict(address)["dbname"])
    superuser = within(shared_address(), database, "postgres")
    execute(superuser, "CREATE EXTENSION vector SCHEMA public")
    return Server(address)


@pytest.fixture(scope="module")
def store(server: Server) -> Iterator[PostgresStore]:
    opened = open_store(server)
    names = "xyz"
    said = (
        turn(f"m {n}", bank=names[bank_of(n) - 1], session=names[bank_of(n) - 1])
        for n in range(COUNT + 200)
    )
    for name in names:  # so that their numbers are 1, 2, 3
        opened.write(lambda tx, name=name: tx.banks.ensure(name, NOW))  # type: ignore[misc]
    keep(opened, *said)
    opened.write(lambda tx: add(tx, 0, COUNT))
    yield opened
    opened.close()


def current(tx: PostgresTx) -> VectorSpace:
    space = tx.vectors.find_current()
    assert space is not None
    return space


def found_share(store: PostgresStore, bank: int, *, most_scanned: int, upto: int = COUNT) -> float:
    """The share of the true ten nearest that are found, over forty questions."""
    dice = np.random.default_rng(3)
    ours = np.array([n for n in range(upto) if bank_of(n) == bank])
    halves = ROWS.astype(np.float16).astype(np.float32)
    hits = 0
    for at in dice.choice(ours, 40, replace=False).tolist():
        query = ROWS[at] + 0.05 * dice.normal(size=DIMENSIONS).astype(np.float32)
        query = (query / np.linalg.norm(query)).astype(np.float32)
        exact = ours[np.argsort(-(halves[ours] @ query))[:10]]

        def look(tx: PostgresTx, query: Floats = query) -> set[int]:
            search = PostgresVectorSearch(tx.connection, most_scanned)
            return {n.number for n in search.nearest(current(tx), query, bank=bank, limit=10)}

        hits += len(set(exact.tolist()) & store.read(look))
    return hits / 400


def test_bits_and_exact_scores_find_the_nearest_without_an_extension(store: PostgresStore) -> None:
    assert (
        store.read(lambda tx: scalar(tx.connection, "SELECT count(*) FROM vector_codes")) == COUNT
    )
    for bank in (1, 2, 3):
        assert found_share(store, bank, most_scanned=10**9) >= 0.99


def test_the_key_of_the_codes_covers_what_is_counted(store: PostgresStore) -> None:
    def plan(tx: PostgresTx) -> str:
        tx.connection.execute("SET LOCAL enable_seqscan = off")
        lines = tx.connection.execute(
            """EXPLAIN SELECT number FROM vector_codes WHERE bank = 1 AND space = 1 AND coding = 1
            ORDER BY bit_count(signs # signs) LIMIT 5"""
        )
        return "\n".join(str(line) for (line,) in lines)

    assert "Index Only Scan using vector_codes_pkey" in store.read(plan)


def test_the_index_finds_the_nearest_and_follows_what_is_kept_and_removed(
    store: PostgresStore, server: Server
) -> None:
    assert store.read(lambda tx: _way(tx, bank=1, most_scanned=0)) is Way.BITS
    assert build(server)[0].startswith(f"HNSW index of {COUNT:,} vectors of {DIMENSIONS}")
    assert store.read(lambda tx: _way(tx, bank=1, most_scanned=0)) is Way.INDEX
    assert store.read(lambda tx: _way(tx, bank=1, most_scanned=10**6)) is Way.BITS
    assert found_share(store, 1, most_scanned=0) >= 0.99
    store.write(lambda tx: add(tx, COUNT, COUNT + 200))
    assert found_share(store, 2, most_scanned=0, upto=COUNT + 200) >= 0.99
    store.write(lambda tx: tx.vectors.forget(VectorKind.MESSAGE, COUNT + 2))

    def left(tx: PostgresTx) -> list[int]:
        counted = ("vectors", "vector_codes", f"vector_halves_{DIMENSIONS}")
        return [scalar(tx.connection, f"{COUNTING} {name}") for name in counted]

    assert store.read(left) == [COUNT + 199] * 3
    assert build(server) == [
        f"HNSW index of {COUNT + 199:,} vectors of {DIMENSIONS} dimensions (0 new)"
    ]


def test_only_numbers_up_to_one_are_found_though_there_is_an_index(store: PostgresStore) -> None:
    """The nearest of the first hundred, each of which has thousands of nearer ones after it."""
    ours = np.array([n for n in range(100) if bank_of(n) == 1])
    query = ROWS[COUNT - 1]
    exact = ours[np.argsort(-(ROWS[ours] @ query))[:10]]

    def look(tx: PostgresTx) -> list[int]:
        search = PostgresVectorSearch(tx.connection, 0)
        found = search.nearest(current(tx), query, bank=1, limit=10, up_to=99)
        return [each.number for each in found]

    assert store.read(look) == exact.tolist()


def _way(tx: PostgresTx, *, bank: int, most_scanned: int) -> Way:
    return PostgresVectorSearch(tx.connection, most_scanned).choose(current(tx), bank)


def test_hnsw_is_what_the_server_uses(store: PostgresStore) -> None:
    def plan(tx: PostgresTx) -> str:
        walk_index(tx.connection)
        asked = "[" + ",".join("0.1" for _ in range(DIMENSIONS)) + "]"
        sql = f"EXPLAIN (GENERIC_PLAN false) {near_sql(DIMENSIONS)}"
        lines = tx.connection.execute(sql, (asked, 1, 1, 10))
        return "\n".join(str(line) for (line,) in lines)

    assert f"Index Scan using vector_halves_{DIMENSIONS}_near" in store.read(plan)


def test_cosines_are_the_same_from_halves_and_from_rows(store: PostgresStore) -> None:
    numbers = [1, 5, 9, 10**9]

    def ask(tx: PostgresTx) -> dict[int, float]:
        return PostgresVectorSearch(tx.connection).cosines(current(tx), ROWS[5], numbers)

    by_halves = store.read(ask)
    store.write(lambda tx: tx.connection.execute("DELETE FROM meta WHERE name = 'ann'"))
    by_rows = store.read(ask)
    assert sorted(by_rows) == [1, 5, 9]
    assert by_halves == pytest.approx(by_rows, abs=2e-3)


def test_recall_answers_alike_with_codes_in_memory_and_in_the_server() -> None:
    store = open_store(Server(new_database()))
    topics = ("garden", "engine", "recipe", "letter", "window")
    for n in range(240):
        said = f"the {topics[n % 5]} number {n} needs {'paint' if n % 3 else 'oil'} today"
        keep(store, turn(said, session=f"s{n // 8}"), now=NOW + n * 60_000)
    embedder = WordEmbedder()
    index_pending(store, embedder, FixedClock())
    clock = FixedClock(NOW + 10**8)
    here = Engine(store, clock, embedder=embedder)
    there = Engine(store, clock, embedder=embedder, index=VectorIndex(most_in_memory=0))
    for question in (
        "which garden needs oil",
        "engine number 41",
        "paint for a window",
        "letter number 108",
    ):
        ours, _ = here.search(question, bank="default")
        theirs, trace = there.search(question, bank="default")
        assert trace.went_by is Rung.FULL
        if "number" in question:  # where many fit alike, estimates may change places
            assert theirs[0].ref == ours[0].ref
        assert len({item.ref for item in theirs} & {item.ref for item in ours}) >= 7
        early = NOW + 60 * 60_000
        ours, _ = here.search(question, bank="default", as_of=early)
        theirs, _ = there.search(question, bank="default", as_of=early)
        assert all(item.at <= early for item in theirs)
        assert len({item.ref for item in theirs} & {item.ref for item in ours}) >= 7
    shelves = BankShelf(VectorIndex()), BankShelf(VectorIndex(most_in_memory=0))
    opened = [store.read(lambda tx, at=at: at.open(tx, "default")) for at in shelves]  # type: ignore[misc]
    ground, other = (held.vectors.background for held in opened)
    assert ground is not None and other is not None
    assert (ground.messages, ground.scatter) == (other.messages, other.scatter)
    assert (ground.mean == other.mean).all()
    keep(store, turn("the engine hums a tune in the night", session="new"))
    index_pending(store, embedder, FixedClock())
    first = there.search("a tune in the night", bank="default", limit=1)[0][0]
    assert "hums a tune" in first.text
    here.close()
    there.close()
    store.close()


def test_vectors_kept_before_there_were_codes_get_them_all() -> None:
    """Those of full blocks and those after; until then codes in memory find them."""
    server = Server(new_database())
    count = BLOCK_ROWS + 100
    store = open_store(server)
    for name in "xyz":
        store.write(lambda tx, name=name: tx.banks.ensure(name, NOW))  # type: ignore[misc]
    keep(store, *(turn(f"m {n}", bank="x", session="x") for n in range(count)))
    space = store.write(lambda tx: add(tx, 0, count))
    store.write(lambda tx: tx.connection.execute("DELETE FROM meta WHERE name = 'codes.1'"))
    store.close()
    raw = connect(server)
    raw.execute("DROP TABLE vector_codes, note_pages, note_copies, vector_retries")
    raw.execute("CREATE TABLE vector_redo (profile int, bank int, message bigint, space bigint)")
    raw.execute("DELETE FROM schema_versions WHERE version >= 2")
    raw.close()
    assert migrate(server) == [2, 3, 4]
    store = open_store(server)
    index = VectorIndex(most_in_memory=0)
    assert store.read(lambda tx: index.search(tx, ROWS[count - 1], limit=1))[0].item == count
    assert index.status().memory_bytes > 0
    keep_up(store, space.id)
    codes = "SELECT count(*) FROM vector_codes"
    assert store.read(lambda tx: scalar(tx.connection, codes)) == count
    index.release()
    assert store.read(lambda tx: index.search(tx, ROWS[count - 1], limit=1))[0].item == count
    assert index.status().memory_bytes == 0
    store.close()


def test_stale_codes_are_swept_away_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hermes.store.postgres.codes.ROWS_AT_ONCE", 1_000)
    store = open_store(Server(new_database()))
    for name in "xyz":
        store.write(lambda tx, name=name: tx.banks.ensure(name, NOW))  # type: ignore[misc]
    keep(store, *(turn(f"m {n}", bank="x", session="x") for n in range(2_500)))
    store.write(lambda tx: add(tx, 0, 2_500))
    moved = store.write(lambda tx: tx.vectors.set_mean(1, ROWS[:2_500].mean(axis=0).tobytes()))

    def count(tx: PostgresTx) -> list[tuple[int, int]]:
        sql = "SELECT coding, count(*) FROM vector_codes GROUP BY 1 ORDER BY 1"
        return [(coding, found) for coding, found in tx.connection.execute(sql)]

    assert (moved.coding, 2_500) in store.read(count)
    assert len(store.read(count)) > 1
    keep_up(store, 1)
    assert store.read(count) == [(moved.coding, 2_500)]
    store.close()
