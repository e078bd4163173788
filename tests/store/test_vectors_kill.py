"""Killed at any moment, a store has a vector for each row it counts, and blocks that match them."""

import os
import random
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from fixed_embedder import WordEmbedder
from hermes.clock import FixedClock
from hermes.memory.indexing import count_backlog, index_pending
from hermes.store.base import Store, Tx
from hermes.store.base.vectors import BLOCK_ROWS, Block
from hermes.store.vectors.blocks import coding_of, encode_rows, list_missing, render_block
from hermes.store.vectors.index import VectorIndex
from hermes.types import NewSession, Role, Turn, Utterance
from places import Place

KILLS = 25
MESSAGES = 6 * BLOCK_ROWS


def write_until_killed(place: Place) -> None:
    """Embed what is pending, and say so after each batch that is on disk."""

    def told(_: object) -> None:
        sys.stdout.write("batch\n")
        sys.stdout.flush()

    store = place.open()
    index_pending(store, WordEmbedder(), FixedClock(), on_progress=told)
    store.close()
    sys.stdout.write("done\n")


def run_and_kill(place: Place, batches: int, delay_s: float) -> bool:
    """Kill the writer some time after so many batches; true if it had finished before."""
    code = (
        "import places, sys, test_vectors_kill as t;"
        "t.write_until_killed(places.parse_place(sys.argv[1]))"
    )
    folders = f"{Path(__file__).parent}{os.pathsep}{Path(__file__).parent.parent}"
    child = subprocess.Popen(
        [sys.executable, "-c", code, place.render()],
        env={**os.environ, "PYTHONPATH": folders, "OPENBLAS_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    finished = False
    for line in child.stdout:
        finished = line == "done\n"
        batches -= 1
        if batches <= 0:
            break
    with suppress(subprocess.TimeoutExpired):
        child.wait(delay_s)
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()
    return finished


def check_whole(tx: Tx) -> int:
    """Every counted vector is there, every full block too, and says what its rows say."""
    spaces = tx.vectors.list_spaces()
    if not spaces:
        return 0
    space = spaces[0]
    rows = tx.vectors.list_rows(space.id, 0, space.next)
    assert [row.number for row in rows] == list(range(space.next))
    assert [row.item for row in rows] == sorted({row.item for row in rows})
    assert tx.vectors.count_pending(space.id) == MESSAGES - space.next
    assert list_missing(tx, space.id) == []
    for block in tx.vectors.iter_blocks(space.id, space.coding):
        first = block.number * BLOCK_ROWS
        own = rows[first : first + BLOCK_ROWS]
        coded = encode_rows(coding_of(space), first, BLOCK_ROWS, own)
        assert_same(block, render_block(block.number, coded))
    return space.next


def assert_same(block: Block, expected: Block) -> None:
    assert (block.items, block.tags) == (expected.items, expected.tags)
    bits = np.frombuffer(block.signs, np.uint64) ^ np.frombuffer(expected.signs, np.uint64)
    assert np.bitwise_count(bits).sum() <= len(bits) // 1000  # a zero may round either way


def say_much(store: Store) -> None:
    texts = [f"line {n} of a long talk" for n in range(MESSAGES)]
    messages = tuple(Utterance(Role.USER, text) for text in texts)
    turn = Turn(NewSession(id="talk"), messages)
    store.write(lambda tx: tx.conversations.record([turn], 1))


@pytest.mark.slow
def test_a_kill_leaves_rows_and_codes_equal(place: Place) -> None:
    store = place.open()
    say_much(store)
    store.close()
    chance = random.Random(3)
    reached, kills = 0, 0
    for _ in range(KILLS):
        if run_and_kill(place, chance.randint(0, 2), chance.random() * 0.05):
            break
        kills += 1
        store = place.open()
        now = store.read(check_whole)
        store.close()
        assert now >= reached
        reached = now
    assert kills == KILLS or reached >= MESSAGES - 256
    store = place.open()
    index_pending(store, WordEmbedder(), FixedClock())
    assert store.read(count_backlog) == 0
    assert store.read(check_whole) == MESSAGES
    query = WordEmbedder().embed_queries(["line 9000 of a long talk"])[0]
    found = store.read(lambda tx: VectorIndex().search(tx, query, limit=1))
    assert found[0].cosine == pytest.approx(1.0, abs=1e-3)
    store.close()
