"""Vectors that are gone without the store being told: noticed, told of, and made again."""

import pytest

from fixed_embedder import WordEmbedder
from hermes.clock import FixedClock
from hermes.jobs.tasks.index import IndexWatch
from hermes.memory.indexing import count_backlog, index_pending
from hermes.memory.lost import notice_lost
from hermes.memory.recall.engine import Engine
from hermes.store.base import Store, Tx
from hermes.store.base.vectors import BLOCK_ROWS, VectorKind
from hermes.store.vectors.blocks import list_missing
from hermes.store.vectors.index import VectorIndex
from hermes.types import NewSession, Role, Turn, Utterance

EMBEDDER = WordEmbedder()
WANTED = EMBEDDER.space
MESSAGE = VectorKind.MESSAGE


def say(store: Store, *texts: str) -> None:
    said = (*(Utterance(Role.USER, text) for text in texts), Utterance(Role.SYSTEM, "Be brief."))
    turn = Turn(NewSession(id="s"), (*said, Utterance(Role.USER, " \n")))
    store.write(lambda tx: tx.conversations.record([turn], 1_000))


def remove(store: Store, sql: str) -> None:
    """Take rows away with a statement of one's own."""

    def work(tx: Tx) -> None:
        tx.vectors._connection.execute(sql)  # type: ignore[attr-defined]

    store.write(work)


def index(store: Store, *, is_told: bool = False) -> int:
    return index_pending(store, EMBEDDER, FixedClock(), is_told=is_told)


def is_found(store: Store, text: str) -> bool:
    query = EMBEDDER.embed_queries([text])[0]
    found = store.read(lambda tx: VectorIndex().search(tx, query, limit=1))
    return bool(found) and found[0].cosine > 0.99


def told(engine: Engine) -> str:
    return engine.recall("what of apple 7", bank="default").trace.reason


@pytest.mark.parametrize(
    "sql",
    ["DELETE FROM vectors", "DELETE FROM vectors WHERE item > 5", "DELETE FROM vector_spaces"],
)
@pytest.mark.parametrize("count", [30, BLOCK_ROWS + 10])
def test_what_is_gone_is_made_again_when_told(any_store: Store, sql: str, count: int) -> None:
    say(any_store, *(f"apple {n}" for n in range(count)))
    assert index(any_store) == count
    remove(any_store, sql)
    made = index(any_store, is_told=True)
    assert made == (count - 5 if "item" in sql else count)
    assert is_found(any_store, "apple 7")
    assert any_store.read(count_backlog) == 0
    space = any_store.read(lambda tx: tx.vectors.find_current())
    assert space is not None
    assert any_store.read(lambda tx: list_missing(tx, space.id)) == []
    assert not any_store.read(lambda tx: tx.vectors.has_retired())
    assert index(any_store, is_told=True) == 0


def test_what_is_gone_waits_once_it_is_noticed(any_store: Store) -> None:
    say(any_store, *(f"apple {n}" for n in range(30)))
    index(any_store)
    assert notice_lost(any_store, WANTED) == 0
    assert any_store.read(count_backlog) == 0
    remove(any_store, "DELETE FROM vectors WHERE item < 10")
    assert notice_lost(any_store, WANTED) == 9
    assert any_store.read(count_backlog) == 9
    assert notice_lost(any_store, WANTED) == 0
    assert index(any_store) == 9
    assert is_found(any_store, "apple 7")


def test_what_was_refused_is_not_lost(any_store: Store) -> None:
    say(any_store, "one", "two")
    index(any_store)
    remove(any_store, "DELETE FROM vectors")
    space = any_store.read(lambda tx: tx.vectors.list_spaces())[0]
    lost = any_store.read(lambda tx: tx.vectors.list_lost(space.id, MESSAGE, after=0, limit=9))
    worded = [text.item for text in lost if text.text in ("one", "two")]
    any_store.write(lambda tx: tx.vectors.refuse(space.id, MESSAGE, worded))
    assert notice_lost(any_store, WANTED) == 0


@pytest.mark.parametrize("sql", ["DELETE FROM vectors", "DELETE FROM vectors WHERE item < 29"])
def test_recall_says_what_lacks_a_vector(any_store: Store, sql: str) -> None:
    say(any_store, *(f"apple {n}" for n in range(30)))
    index(any_store)
    engine = Engine(any_store, FixedClock(), embedder=EMBEDDER)
    assert told(engine) == ""
    remove(any_store, sql)
    if any_store.status().backend != "sqlite":  # there what is open is not told of it
        engine.close()
        engine = Engine(any_store, FixedClock(), embedder=EMBEDDER)
    assert ("28 of 32" if "item" in sql else "nothing has a vector yet") in told(engine)
    notice_lost(any_store, WANTED)
    index(any_store)
    assert told(engine) == ""
    engine.close()


def test_the_daemon_notices_at_its_start_and_every_hour(any_store: Store) -> None:
    say(any_store, "one", "two")
    index(any_store)
    watch = IndexWatch(lambda: WANTED)
    watch.run(any_store, 1)
    remove(any_store, "DELETE FROM vectors")
    assert not any_store.read(count_backlog)
    watch.run(any_store, 1 + watch.lost_every_ms)
    assert any_store.read(count_backlog) == 2
