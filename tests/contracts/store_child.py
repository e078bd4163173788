"""A process beside the one under test: opens the same store and does as its arguments say.

    python store_child.py PLACE THREADS FIRST COUNT

The threads share the keys from FIRST on, COUNT of them (0: until killed), record a turn for each
and print the key once the turn is acknowledged.
"""

import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from hermes.store.base import Store
from places import parse_place
from talk import keep, turn

LOCK = threading.Lock()


def say(text: str) -> None:
    """One whole line at once, whatever other threads say."""
    with LOCK:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()


def record(store: Store, keys: Iterator[int]) -> None:
    for key in keys:
        keep(store, turn(f"{key}", f"answer {key}", session=f"s{key % 5}", key=f"key-{key}"))
        say(f"{key}")


def main(place: str, threads: str, first: str, amount: str) -> None:
    store = parse_place(place).open()
    say("open")
    start, size = int(first), int(amount)
    lanes = int(threads)
    with ThreadPoolExecutor(lanes) as pool:
        for lane in range(lanes):
            first_key = start + lane
            keys: Iterator[int] = iter(range(first_key, start + size, lanes))
            if not size:
                keys = count(first_key, lanes)
            pool.submit(record, store, keys).add_done_callback(lambda done: done.result())
    store.close()
    say("closed")


if __name__ == "__main__":
    main(*sys.argv[1:])
