"""Compression killed anywhere leaves each cluster raw or summarised, and the way back whole."""

import random
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from hermes.clock import DAY_MS
from hermes.memory.compress.drafts import ExtractiveSummariser
from hermes.memory.compress.run import compress_old, undo
from hermes.memory.sample import load_sample
from hermes.store.base import Store, Tx
from hermes.types import Message
from places import Place
from talk import NOW, at, keep, messages_of, turn

LATER = NOW + 40 * DAY_MS
KILLS = 12
CHILD = """
import sys
sys.path.insert(0, sys.argv[1])
from places import parse_place
from hermes.memory.compress.drafts import ExtractiveSummariser
from hermes.memory.compress.run import compress_old, undo
store = parse_place(sys.argv[2]).open()
print("ready", flush=True)
while True:
    compress_old(store, int(sys.argv[3]), ExtractiveSummariser())
    numbers = [s.id for s in store.read(lambda tx: tx.summaries.list(limit=12))]
    undo(store, 0, numbers)
"""


def everything(store: Store) -> list[Sequence[Message]]:
    return [messages_of(store, name) for name in sorted({t.session.id for t in load_sample()})]


@pytest.mark.slow
def test_killed_anywhere_nothing_is_lost(place: Place) -> None:
    store = place.open()
    store.write(lambda tx: tx.conversations.record(load_sample(), NOW))
    keep(store, at(LATER, turn("still here", session="later")), now=LATER)

    def read_all(tx: Tx) -> None:
        for name in {t.session.id for t in load_sample()}:
            tx.extractions.mark(name, 1 << 40, now=NOW)

    store.write(read_all)
    before = everything(store)
    whole = compress_old(store, LATER, ExtractiveSummariser()).summaries
    undo(store, 0, [summary.id for summary in whole])
    assert everything(store) == before
    store.close()
    rolls = random.Random(7)
    command = [sys.executable, "-c", CHILD, str(Path(__file__).parents[1]), place.render()]
    for _ in range(KILLS):
        child = subprocess.Popen([*command, str(LATER)], stdout=subprocess.PIPE)
        assert child.stdout is not None
        child.stdout.readline()
        time.sleep(rolls.uniform(0.05, 0.9))  # the moment of the kill is what is tried
        child.kill()
        child.wait()
        child.stdout.close()
    store = place.open()
    made = [s.id for s in store.read(lambda tx: tx.summaries.list(limit=1 << 40))]
    undo(store, 0, made)
    assert everything(store) == before
    assert store.read(lambda tx: tx.summaries.count_episodes()).compressed == 0
    assert [f.level for f in store.check() if f.level == "failed"] == []
    assert len(compress_old(store, LATER, ExtractiveSummariser()).summaries) == len(whole) > 40
    store.close()
