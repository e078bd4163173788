"""Two processes on one store at the same time, as a command line beside a daemon."""

import subprocess
import sys
from pathlib import Path

from places import Place
from talk import keep, texts_of, turn

CHILD = Path(__file__).with_name("store_child.py")
TIMEOUT_S = 120.0


def start(place: Place, *, threads: int, first: int, amount: int) -> "subprocess.Popen[str]":
    arguments = [place.render(), str(threads), str(first), str(amount)]
    return subprocess.Popen(
        [sys.executable, str(CHILD), *arguments], stdout=subprocess.PIPE, text=True
    )


def finish(child: "subprocess.Popen[str]") -> list[str]:
    out, _ = child.communicate(timeout=TIMEOUT_S)
    assert child.returncode == 0
    return out.split()


def numbers(place: Place) -> list[int]:
    store = place.open()
    found = [int(t) for n in range(5) for t in texts_of(store, f"s{n}") if t.isdigit()]
    assert {finding.level for finding in store.check()} == {"ok"}
    store.close()
    return sorted(found)


def test_a_process_sees_what_another_has_acknowledged(any_place: Place) -> None:
    store = any_place.open()
    keep(store, turn("10", "answer 10", session="s0", key="key-10"))
    said = finish(start(any_place, threads=1, first=10, amount=3))
    assert said == ["open", "10", "11", "12", "closed"]
    assert [texts_of(store, f"s{n}") for n in range(3)] == [
        ["10", "answer 10"],
        ["11", "answer 11"],
        ["12", "answer 12"],
    ]
    assert len(store.read(lambda tx: tx.changes.since(1))) == 2
    store.close()


def test_two_processes_write_at_once_and_nothing_is_lost_or_doubled(any_place: Place) -> None:
    """Half of the keys are sent by both."""
    children = [start(any_place, threads=4, first=first, amount=60) for first in (0, 30)]
    for child in children:
        assert finish(child)[-1] == "closed"
    assert numbers(any_place) == list(range(90))


def test_a_store_that_stays_open_writes_between_the_writes_of_others(any_place: Place) -> None:
    store = any_place.open()
    child = start(any_place, threads=2, first=0, amount=60)
    for key in range(1000, 1060):
        keep(store, turn(f"{key}", session=f"s{key % 5}", key=f"key-{key}"))
    finish(child)
    store.close()
    assert numbers(any_place) == [*range(60), *range(1000, 1060)]


def test_both_processes_may_make_the_store(any_place: Place) -> None:
    """The schema is made once, whoever comes first."""
    children = [start(any_place, threads=1, first=n, amount=1) for n in range(4)]
    for child in children:
        finish(child)
    assert numbers(any_place) == [0, 1, 2, 3]
