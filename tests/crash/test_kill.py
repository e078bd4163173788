"""Kill -9 in the midst of concurrent recording, two hundred times on one store.

What was acknowledged must be there, once; what was not may be sent again, and is then there, once.
"""

import os
import re
import select
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from nursery import answer

from hermes.store.base import Store
from places import Place
from talk import keep, messages_of, turn

KILLS = 200
CHECK_EVERY = 25
OVERLAP = 30  # how many keys before the newest are sent again by the next life
LONGEST_LIFE_S = 0.25


class Nursery:
    """The process that forks writers, and the lines it gives."""

    def __init__(self, place: Place) -> None:
        script = Path(__file__).with_name("nursery.py")
        self._process = subprocess.Popen(
            [sys.executable, str(script), place.render()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._rest = b""

    def life(self, first: int, life_s: float) -> list[int]:
        """Let a writer live for about `life_s` seconds; the keys it had acknowledged."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{first}\n".encode())
        self._process.stdin.flush()
        pid = 0
        acknowledged: list[int] = []
        deadline = time.monotonic() + 60
        while True:
            for word, number in self._lines(deadline - time.monotonic()):
                if word == "pid":
                    pid, deadline = number, time.monotonic() + life_s
                elif word == "ack":
                    acknowledged.append(number)
                elif word == "gone":
                    return acknowledged
            if time.monotonic() >= deadline:
                os.kill(pid, signal.SIGKILL)
                deadline = time.monotonic() + 60

    def _lines(self, timeout_s: float) -> list[tuple[str, int]]:
        """The whole lines that have come, after waiting for some at most so long."""
        assert self._process.stdout is not None
        ready, _, _ = select.select([self._process.stdout], [], [], max(0.0, timeout_s))
        if not ready:
            return []
        *lines, self._rest = (self._rest + os.read(self._process.stdout.fileno(), 1 << 16)).split(
            b"\n"
        )
        return [(word.decode(), int(number)) for word, number in map(bytes.split, lines)]

    def close(self) -> None:
        self._process.communicate(timeout=60)
        assert self._process.returncode == 0


def assert_kept(store: Store, acknowledged: set[int]) -> Counter[int]:
    """Every acknowledged turn is there; every turn that is there is whole, and there once."""
    kept: Counter[int] = Counter()
    for n in range(5):
        texts = [message.text for message in messages_of(store, f"s{n}", limit=1_000_000)]
        keys = [int(text) for text in texts[::2]]
        assert texts[1::2] == [answer(key) for key in keys]
        kept.update(keys)
    assert acknowledged - set(kept) == set()
    assert [key for key, times in kept.items() if times > 1] == []
    return kept


@pytest.mark.slow
def test_two_hundred_kills_lose_nothing_and_double_nothing(place: Place) -> None:
    dice = Random(20260105)
    nursery = Nursery(place)
    acknowledged: set[int] = set()
    busy_lives = 0
    for kill in range(1, KILLS + 1):
        first = max(0, max(acknowledged, default=0) - OVERLAP)
        heard = nursery.life(first, dice.uniform(0, LONGEST_LIFE_S))
        busy_lives += bool(heard)
        acknowledged.update(heard)
        if kill % CHECK_EVERY == 0:
            store = place.open()
            assert_kept(store, acknowledged)
            store.close()
    nursery.close()
    assert busy_lives > KILLS // 3, "too few lives got to record anything"
    _finish(place, acknowledged)


def _finish(place: Place, acknowledged: set[int]) -> None:
    """Send everything once more, as a client does that heard nothing; then look closely."""
    store = place.open()
    newest = max(assert_kept(store, acknowledged)) + OVERLAP
    turns = [
        turn(f"{key}", answer(key), session=f"s{key % 5}", key=f"key-{key}")
        for key in range(newest)
    ]
    keep(store, *turns)
    assert sorted(assert_kept(store, acknowledged)) == list(range(newest))
    assert [f for f in store.check() if f.level != "ok"] == []
    assert store.status().counts["messages"] == 2 * newest
    store.close()
    left = [file.name for file in Path(place.where).parent.iterdir()]
    assert [name for name in left if not re.fullmatch(r"memory\.db(\.mark)?", name)] == []
