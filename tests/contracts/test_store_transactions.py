"""Writing and reading at the same time, on every store: groups, futures, snapshots, closing."""

import asyncio
import threading
from concurrent.futures import Future, ThreadPoolExecutor, wait

import pytest

from hermes.errors import Conflict, HermesError, NotFound, Unavailable
from hermes.store.base import Recording, Store, Tx
from places import Place
from talk import NOW, keep, texts_of, turn

THREADS = 64
TIMEOUT_S = 60.0


class Gate:
    """A change that waits inside the store until it is let through, so that others pile up."""

    def __init__(self, store: Store) -> None:
        self._running = threading.Event()
        self._open = threading.Event()
        self.future = store.submit(self._change)
        assert self._running.wait(TIMEOUT_S)

    def _change(self, tx: Tx) -> str:
        self._running.set()
        assert self._open.wait(TIMEOUT_S)
        tx.conversations.record([turn("gate", session="gate")], NOW)
        return "through"

    def open(self) -> None:
        self._open.set()


def record(n: int, session: str = "s1") -> "Change":
    return Change(n, session)


class Change:
    """A change that records one turn, and how often it was run."""

    def __init__(self, n: int, session: str) -> None:
        self.n, self.session, self.runs = n, session, 0

    def __call__(self, tx: Tx) -> int:
        self.runs += 1
        tx.conversations.record([turn(f"{self.n}", session=self.session, key=f"{self.n}")], NOW)
        return self.n


def fails(tx: Tx) -> int:
    tx.conversations.record([turn("must not stay", session="s1")], NOW)
    raise Conflict("this one fails")


def test_sixty_four_threads_write_at_once(any_store: Store) -> None:
    with ThreadPoolExecutor(THREADS) as pool:
        receipts = list(
            pool.map(
                lambda n: keep(any_store, turn(f"{n}", session=f"s{n % 8}", key=f"{n}"))[0],
                range(THREADS * 4),
            )
        )
    assert len({r.message_ids[0] for r in receipts}) == THREADS * 4
    kept = [int(text) for n in range(8) for text in texts_of(any_store, f"s{n}")]
    assert sorted(kept) == list(range(THREADS * 4))


def test_the_same_key_from_many_threads_is_kept_once(any_store: Store) -> None:
    with ThreadPoolExecutor(THREADS) as pool:
        same = [pool.submit(keep, any_store, turn("hi", key="k")) for _ in range(THREADS)]
    receipts = [future.result()[0] for future in same]
    assert sum(not receipt.duplicate for receipt in receipts) == 1
    assert len({receipt.message_ids for receipt in receipts}) == 1
    assert texts_of(any_store) == ["hi"]


@pytest.mark.parametrize("place_of_failure", [0, 31, 63])
def test_one_failing_change_of_a_group_fails_alone(any_store: Store, place_of_failure: int) -> None:
    gate = Gate(any_store)
    changes = [record(n) for n in range(THREADS)]
    futures: list[Future[int]] = []
    for n, change in enumerate(changes):
        futures.append(any_store.submit(fails if n == place_of_failure else change))
    gate.open()
    with pytest.raises(Conflict, match="this one fails"):
        futures[place_of_failure].result(TIMEOUT_S)
    good = [n for n in range(THREADS) if n != place_of_failure]
    assert [futures[n].result(TIMEOUT_S) for n in good] == good
    assert sorted(map(int, texts_of(any_store))) == good


def test_recordings_of_a_group_are_kept_each_in_its_order(any_store: Store) -> None:
    gate = Gate(any_store)
    asked = [
        any_store.submit(Recording([turn(f"{n} a", f"{n} b", session=f"s{n % 5}")], NOW + n))
        for n in range(20)
    ]
    again = any_store.submit(Recording([turn("key", key="k"), turn("key", key="k")], NOW))
    gate.open()
    receipts = [future.result(TIMEOUT_S)[0] for future in asked]
    ids = [number for receipt in receipts for number in receipt.message_ids]
    assert ids == sorted(set(ids))
    for n in range(5):
        said = [text for m in range(n, 20, 5) for text in (f"{m} a", f"{m} b")]
        kept = texts_of(any_store, f"s{n}")
        assert [text for text in kept if text != "key"] == said
    first, second = again.result(TIMEOUT_S)
    assert (first.message_ids, second.duplicate) == (second.message_ids, True)


def test_a_recording_that_is_refused_fails_alone(any_store: Store) -> None:
    keep(any_store, turn("there", session="s1", bank="one"))
    gate = Gate(any_store)
    banks = ("one", "two", "one")
    asked = [
        any_store.submit(Recording([turn(f"in {bank}", session="s1", bank=bank)], NOW))
        for bank in banks
    ]
    gate.open()
    assert [type(future.exception(TIMEOUT_S)) for future in asked] == [
        type(None),
        Conflict,
        type(None),
    ]
    assert texts_of(any_store) == ["there", "in one", "in one"]


def test_several_failing_changes_each_get_their_own_error(any_store: Store) -> None:
    def not_found(tx: Tx) -> int:
        tx.conversations.end_session("nobody", NOW)
        return 0

    def stopped(tx: Tx) -> int:
        raise SystemExit("a change may raise anything")

    gate = Gate(any_store)
    futures = [
        any_store.submit(change) for change in (fails, record(1), not_found, stopped, record(2))
    ]
    gate.open()
    wait(futures, TIMEOUT_S)
    kinds = [type(future.exception(0)) for future in futures]
    assert kinds == [Conflict, type(None), NotFound, SystemExit, type(None)]
    assert texts_of(any_store) == ["1", "2"]


def test_a_cancelled_change_is_not_made_and_harms_no_other(any_store: Store) -> None:
    gate = Gate(any_store)
    dropped, kept = any_store.submit(record(1)), any_store.submit(record(2))
    assert dropped.cancel()
    gate.open()
    assert kept.result(TIMEOUT_S) == 2
    keep(any_store, turn("3"))
    assert texts_of(any_store) == ["2", "3"]


def test_a_change_being_made_cannot_be_cancelled(any_store: Store) -> None:
    gate = Gate(any_store)
    assert not gate.future.cancel()
    gate.open()
    assert gate.future.result(TIMEOUT_S) == "through"


def test_an_abandoned_wait_leaves_the_store_at_work(any_store: Store) -> None:
    """An async caller that gives up cancels the future it wrapped, whenever that may be."""

    async def give_up() -> None:
        gate = Gate(any_store)
        waits = [asyncio.ensure_future(asyncio.wrap_future(gate.future))]
        waits += [
            asyncio.ensure_future(asyncio.wrap_future(any_store.submit(lambda tx: "x")))
            for _ in range(3)
        ]
        await asyncio.sleep(0)
        for waiting in waits:
            waiting.cancel()
        await asyncio.gather(*waits, return_exceptions=True)
        gate.open()

    asyncio.run(give_up())
    keep(any_store, turn("still here"))
    assert texts_of(any_store) == ["still here"]


def test_a_future_is_done_when_the_change_is_kept(any_store: Store, any_place: Place) -> None:
    future = any_store.submit(record(7))
    assert future.result(TIMEOUT_S) == 7
    beside = any_place.open()
    assert texts_of(beside) == ["7"]
    beside.close()


def test_a_change_sees_its_own_writes_and_those_before_it(any_store: Store) -> None:
    def change(tx: Tx) -> list[str]:
        tx.conversations.record([turn("second")], NOW)
        return [m.text for m in tx.conversations.list_messages("s1")]

    keep(any_store, turn("first"))
    assert any_store.write(change) == ["first", "second"]


def test_a_change_that_would_wait_for_itself_is_refused(any_store: Store) -> None:
    with pytest.raises(HermesError, match="asked the store to write"):
        any_store.write(lambda tx: keep(any_store, turn("inner")))
    keep(any_store, turn("outer"))
    assert texts_of(any_store) == ["outer"]


def test_a_read_is_one_snapshot_while_others_write(any_store: Store) -> None:
    keep(any_store, turn("before"))

    def query(tx: Tx) -> tuple[list[str], list[str], int]:
        first = [m.text for m in tx.conversations.list_messages("s1")]
        keep(any_store, turn("meanwhile"))
        return first, [m.text for m in tx.conversations.list_messages("s1")], tx.changes.latest()

    first, second, seq = any_store.read(query)
    assert first == second == ["before"]
    assert texts_of(any_store) == ["before", "meanwhile"]
    assert any_store.read(lambda tx: tx.changes.latest()) > seq


def test_what_was_acknowledged_is_seen_by_the_next_read(any_store: Store) -> None:
    for n in range(50):
        keep(any_store, turn(f"{n}"))
        assert texts_of(any_store)[-1] == f"{n}"


def test_a_read_cannot_write(any_store: Store) -> None:
    with pytest.raises(Exception, match=r"(?i)read-?only|cannot be written"):
        any_store.read(lambda tx: tx.conversations.record([turn("sly")], NOW))
    assert texts_of(any_store) == []
    keep(any_store, turn("open"))
    assert texts_of(any_store) == ["open"]


def test_an_error_of_a_query_is_its_own_and_the_next_read_works(any_store: Store) -> None:
    def query(tx: Tx) -> None:
        tx.changes.latest()
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        any_store.read(query)
    assert texts_of(any_store) == []


def test_reads_and_writes_from_many_threads_agree(any_store: Store) -> None:
    """A reader never sees half of a batch of two."""
    done = threading.Event()
    odd: list[int] = []

    def look() -> None:
        while not done.is_set():
            seen = len(texts_of(any_store))
            if seen % 2:
                odd.append(seen)

    with ThreadPoolExecutor(4) as pool:
        readers = [pool.submit(look) for _ in range(3)]
        for n in range(40):
            keep(any_store, turn(f"a{n}"), turn(f"b{n}"))
        done.set()
        for reader in readers:
            reader.result(TIMEOUT_S)
    assert odd == []
    assert len(texts_of(any_store)) == 80


def test_closing_finishes_what_waits_and_refuses_the_rest(
    any_store: Store, any_place: Place
) -> None:
    gate = Gate(any_store)
    waiting = [any_store.submit(record(n)) for n in range(20)]
    closer = threading.Thread(target=any_store.close)
    closer.start()
    gate.open()
    closer.join(TIMEOUT_S)
    assert [future.result(0) for future in waiting] == list(range(20))
    for refused in (
        lambda: any_store.write(record(99)),
        lambda: any_store.submit(record(99)),
        lambda: any_store.read(lambda tx: tx.changes.latest()),
        any_store.status,
        any_store.check,
    ):
        with pytest.raises(Unavailable, match="closed"):
            refused()
    any_store.close()  # a second time is no error
    again = any_place.open()
    assert len(texts_of(again)) == 20
    again.close()


def test_a_store_is_closed_while_someone_reads(any_store: Store) -> None:
    reading, go_on = threading.Event(), threading.Event()

    def query(tx: Tx) -> int:
        reading.set()
        assert go_on.wait(TIMEOUT_S)
        return tx.changes.latest()

    keep(any_store, turn("hi"))
    with ThreadPoolExecutor(1) as pool:
        late = pool.submit(any_store.read, query)
        assert reading.wait(TIMEOUT_S)
        any_store.close()
        go_on.set()
        assert late.result(TIMEOUT_S) == 1


def test_a_closed_store_opens_again_with_everything(any_place: Place) -> None:
    for n in range(3):
        store = any_place.open()
        keep(store, turn(f"{n}"))
        store.close()
    store = any_place.open()
    assert texts_of(store) == ["0", "1", "2"]
    assert {finding.level for finding in store.check()} == {"ok"}
    store.close()
