"""Many processes on one database: nothing lost, nothing doubled, and each hears of the others."""

import subprocess
import sys
import threading
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from hermes.errors import Conflict
from hermes.store.base import Tx
from hermes.store.base.jobs import Lease
from hermes.store.postgres import Server, open_store
from places import Place, new_place
from postgres_server import new_cluster, new_database, wheel_bin
from talk import NOW, keep, texts_of, turn

CHILD = Path(__file__).parents[2] / "contracts" / "store_child.py"
DAEMONS, WRITERS, EACH = 8, 8, 64
TIMEOUT_S = 240.0
VISIBLE_P95_S = 0.250


def start(place: Place, *, threads: int, first: int, amount: int) -> "subprocess.Popen[str]":
    arguments = [place.render(), str(threads), str(first), str(amount)]
    return subprocess.Popen(
        [sys.executable, str(CHILD), *arguments], stdout=subprocess.PIPE, text=True
    )


@pytest.mark.slow
def test_eight_daemons_of_eight_writers_lose_and_double_nothing(tmp_path: Path) -> None:
    """Every second key is sent by two of them."""
    place = new_place("postgres", tmp_path)
    children = [
        start(place, threads=WRITERS, first=n * EACH // 2, amount=EACH) for n in range(DAEMONS)
    ]
    for child in children:
        out, _ = child.communicate(timeout=TIMEOUT_S)
        assert child.returncode == 0
        assert out.split()[-1] == "closed"
    store = place.open()
    kept = [int(t) for n in range(5) for t in texts_of(store, f"s{n}") if t.isdigit()]
    assert sorted(kept) == list(range((DAEMONS + 1) * EACH // 2))
    numbers = store.read(lambda tx: [c.seq for c in tx.changes.since(0)])
    assert numbers == list(range(1, len(numbers) + 1))
    assert {finding.level for finding in store.check()} == {"ok"}
    store.close()


def test_what_one_daemon_keeps_another_sees_within_a_moment(tmp_path: Path) -> None:
    place = new_place("postgres", tmp_path)
    server = Server(place.where, place.key)
    writer, reader = open_store(server), open_store(server)
    heard: dict[int, float] = {}
    news = threading.Condition()

    def on_change(seq: int) -> None:
        with news:
            heard[seq] = time.monotonic()
            news.notify()

    listener = reader.listen(on_change, "a daemon elsewhere")
    assert listener.ready.wait(10)
    assert writer.list_listeners() == ["a daemon elsewhere"]
    delays: list[float] = []
    for n in range(100):
        seq = writer.write(lambda tx, n=n: _keep(tx, n))  # type: ignore[misc]
        kept = time.monotonic()
        with news:
            assert news.wait_for(lambda seq=seq: seq in heard, 10)  # type: ignore[misc]
        assert texts_of(reader)[-1] == f"{n}"
        delays.append(max(0.0, heard[seq] - kept))
    listener.close()
    assert writer.list_listeners() == []
    writer.close()
    reader.close()
    assert sorted(delays)[94] <= VISIBLE_P95_S


def _keep(tx: Tx, n: int) -> int:
    tx.conversations.record([turn(f"{n}")], NOW)
    return tx.changes.latest()


def test_a_job_is_claimed_once_and_an_old_token_is_refused(tmp_path: Path) -> None:
    place = new_place("postgres", tmp_path)
    stores = [place.open() for _ in range(4)]
    for n in range(40):
        stores[0].write(lambda tx, n=n: tx.jobs.add("index", f"{n}", now=NOW))  # type: ignore[misc]
    taken: list[int] = []

    def claim(number: int) -> None:
        lease = Lease(f"daemon {number}", NOW, 60_000)
        while (job := stores[number].write(lambda tx: tx.jobs.claim(["index"], lease))) is not None:
            taken.append(job.id)

    threads = [threading.Thread(target=claim, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Counter(taken) == Counter(range(1, 41))
    late = Lease("late", NOW + 10**9, 1)
    stale = stores[0].read(lambda tx: tx.jobs.find(taken[0]))
    assert stale is not None
    assert stores[1].write(lambda tx: tx.jobs.claim(["index"], late)) is not None
    mine = stores[0].read(lambda tx: tx.jobs.find(1))
    assert mine is not None
    with pytest.raises(Conflict, match="no longer held"):
        stores[0].write(lambda tx: tx.jobs.complete(replace(mine, token=0), now=NOW))
    for store in stores:
        store.close()


@pytest.mark.slow
@pytest.mark.parametrize("how", ["fast", "immediate"])
def test_a_restart_of_the_server_is_survived(how: str) -> None:
    """Every acknowledged turn is there once, whatever moment the server went away at."""
    cluster = new_cluster(wheel_bin())
    server = Server(new_database(cluster.address))
    store = open_store(server)
    acknowledged: list[int] = []
    stop = threading.Event()

    def write(lane: int) -> None:
        n = lane
        while not stop.is_set():
            keep(store, turn(f"{n}", session=f"s{lane}"))  # without a key: retries are the store's
            acknowledged.append(n)
            n += 4

    lanes = [threading.Thread(target=write, args=(lane,)) for lane in range(4)]
    for lane in lanes:
        lane.start()
    for goal in (100, 200, 300):
        while len(acknowledged) < goal:
            time.sleep(0.01)
        cluster.stop(how)
        cluster.start()
    while len(acknowledged) < 400:
        time.sleep(0.01)
    stop.set()
    for lane in lanes:
        lane.join()
    kept = [int(text) for n in range(4) for text in texts_of(store, f"s{n}")]
    assert sorted(kept) == sorted(acknowledged)
    store.close()
    cluster.remove()
