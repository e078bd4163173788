"""Gives life to writers that are going to be killed: everything is imported once, then forked.

For each line on standard input, a number, a child opens the store and records turns with the keys
from that number on, several at a time. On standard output appear `pid N`, `ack KEY` once a turn is
acknowledged, and `gone N` when the child is dead. What a child wrote before it was killed stays in
the pipe.
"""

import os
import sys
import threading
from itertools import count
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from hermes.store.base import Store
from places import Place, parse_place
from talk import keep, turn

THREADS = 6


def say(text: str) -> None:
    os.write(1, f"{text}\n".encode())  # one write: whole lines only, whenever it is killed


def answer(key: int) -> str:
    """Long and like its neighbours, so that a dictionary is learnt and used."""
    return f"answer {key}: the plan for week {key % 52} is to test build {key * 7919 % 1000} today"


def record(store: Store, first: int) -> None:
    for key in count(first, THREADS):
        keep(store, turn(f"{key}", answer(key), session=f"s{key % 5}", key=f"key-{key}"))
        say(f"ack {key}")


def live(place: Place, first: int) -> None:
    store = place.open()
    for lane in range(THREADS):
        threading.Thread(target=record, args=(store, first + lane)).start()


def main(place: Place) -> None:
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            live(place, int(line))
            return
        say(f"pid {pid}")
        os.waitpid(pid, 0)
        say(f"gone {pid}")


if __name__ == "__main__":
    main(parse_place(sys.argv[1]))
