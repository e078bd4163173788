"""Cursors left half-way around another query were never freed: their number must stay flat."""

import gc
from concurrent.futures import Future

import apsw

from hermes.bench.corpus import turns
from hermes.memory.sessions import SearchOptions, search_sessions
from hermes.store.base import SessionFilter, Store, Tx
from talk import NOW, keep, texts_of, turn

WRITES = 2_000


def cursors() -> int:
    gc.collect()
    return sum(isinstance(thing, apsw.Cursor) for thing in gc.get_objects())


def write(store: Store, amount: int) -> None:
    """Each turn is said again after 900 others, as an agent that is not sure of it does."""

    def change(n: int) -> Future[object]:
        said = turn(f"{n}", "x" * 60, session=f"s{n % 7}", key=f"w{n}")
        return store.submit(lambda tx: tx.conversations.record([said], NOW))

    for done in [change(n % 900) for n in range(amount)]:
        done.result()
    keep(store, turn("last"))


def look(store: Store) -> None:
    def query(tx: Tx) -> None:
        tx.conversations.list_sessions(SessionFilter(), 10)
        tx.conversations.find_session("s1")
        tx.conversations.list_episodes("default", limit=3)
        tx.conversations.get_messages([1, 2, 3])
        tx.conversations.list_payloads(1)
        tx.banks.find("default")
        tx.banks.list()
        tx.changes.since(0, 5)

    store.read(query)
    search_sessions(store, "the first x", SearchOptions())
    texts_of(store)


def test_cursors_stay_flat_over_thousands_of_writes(store: Store) -> None:
    keep(store, *turns(1_100))  # a dictionary is in use, loaded in the midst of other queries
    write(store, 50)
    look(store)
    before = cursors()
    write(store, WRITES)
    assert cursors() <= before + 2


def test_cursors_stay_flat_over_reads(store: Store) -> None:
    keep(store, *turns(1_100))
    keep(store, *turns(50, seed=2))
    look(store)
    before = cursors()
    for _ in range(100):
        look(store)
    assert cursors() <= before + 2


def test_cursors_are_counted_at_all() -> None:
    """Guards the tests above: a cursor that is held is seen."""
    before = cursors()
    held = [apsw.Connection(":memory:").execute("SELECT 1 UNION SELECT 2") for _ in range(5)]
    assert cursors() == before + len(held)
