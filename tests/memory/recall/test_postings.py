"""What was there is listed, however much was said between it and what was recorded late."""

import pytest

from hermes.clock import DAY_MS, FixedClock
from hermes.memory.recall.banks import BankShelf
from hermes.memory.recall.postings import list_postings
from hermes.memory.record import record_turns
from hermes.store.base import Store, Tx
from hermes.store.vectors.index import VectorIndex
from hermes.types import NewSession, Role, Turn, Utterance

WORDS = ("cabin", "forget", "router", "nowhere")
THEN = (
    *("the cabin is cold", "forget the cabin", "the router hums"),
    *("scratch that, forget the router", "the cabin has a router"),
)


def say(store: Store, at: int, *texts: str) -> None:
    turns = [Turn(NewSession(id="s"), (Utterance(Role.USER, text, at),)) for text in texts]
    record_turns(store, turns, at)


def live(store: Store, clock: FixedClock, between: int) -> int:
    """Something old, much that is new, and something old that is recorded last."""
    now = clock.now()
    say(store, now - DAY_MS, *THEN)
    say(store, now, *(f"forget that the cabin of guest {n} has a router" for n in range(between)))
    say(store, now - DAY_MS, "an old note about a cabin")
    return now - DAY_MS


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 5])
def test_what_came_between_takes_no_room(store: Store, clock: FixedClock, limit: int) -> None:
    as_of = live(store, clock, 300)
    shelf = BankShelf(VectorIndex())

    def read(tx: Tx) -> list[tuple[str, list[int], bool]]:
        outline = shelf.open(tx, "default", as_of).outline
        ids = outline.column("ids").tolist()
        found = list_postings(tx, outline, WORDS, "default", limit)
        return [(e.word, [ids.index(n) for n in e.ids.tolist()], e.complete) for e in found]

    held = {"cabin": [0, 1, 4, 5], "forget": [1, 3], "router": [2, 3, 4], "nowhere": []}
    expected = [(word, held[word][-limit:], len(held[word]) < limit) for word in WORDS]
    assert store.read(read) == expected


def test_what_was_taken_back_then_is_known(store: Store, clock: FixedClock) -> None:
    as_of = live(store, clock, 300)
    takers = store.read(lambda tx: BankShelf(VectorIndex()).open(tx, "default", as_of).takers)
    assert len(takers.ids) == 2
