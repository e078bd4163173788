"""Which thread makes a question's vector, and which looks up its words."""

import os
import threading
from collections.abc import Callable
from functools import partial

import pytest

from fixed_embedder import WordEmbedder
from hermes.memory.recall.former import Models
from hermes.memory.recall.hearing import Ear
from hermes.memory.recall.stopwatch import Stopwatch
from hermes.store.base import Store
from hermes.store.vectors.coding import Floats

SLOW = "paper"


class ReadyEmbedder(WordEmbedder):
    """A model in memory that notes the thread it works on, and may take longer than looking."""

    is_loaded = True

    def __init__(self) -> None:
        super().__init__()
        self.worked_on = 0
        self.looks = threading.Semaphore(0)

    def load(self) -> None: ...

    def prepare_query(self, text: str) -> Callable[[], Floats]:
        return partial(self._run, text)

    def _run(self, text: str) -> Floats:
        self.worked_on = threading.get_ident()
        assert text != SLOW or self.looks.acquire(timeout=10)
        return self.embed_queries([text])

    def look(self) -> int:
        """Tell the thread that looks."""
        self.looks.release()
        return threading.get_ident()


def open_ear(store: Store, embedder: WordEmbedder) -> Ear:
    return Ear(Models(store, embedder, lambda _: None))


def test_a_model_at_hand_works_where_it_is_asked(store: Store) -> None:
    embedder = ReadyEmbedder()
    ear = open_ear(store, embedder)
    looked_on, heard = ear.hear(SLOW, Stopwatch(None), embedder.look)
    ear.close()
    assert heard.query is not None
    assert embedder.worked_on == threading.get_ident() != looked_on


def test_with_a_deadline_it_works_beside(store: Store) -> None:
    embedder = ReadyEmbedder()
    ear = open_ear(store, embedder)
    looked_on, heard = ear.hear(SLOW, Stopwatch(10_000), embedder.look)
    ear.close()
    assert heard.query is not None
    assert embedder.worked_on != threading.get_ident() == looked_on


def test_what_no_thread_has_begun_is_looked_up_here(store: Store) -> None:
    embedder, may_end, begun = ReadyEmbedder(), threading.Event(), threading.Semaphore(0)
    ear = open_ear(store, embedder)

    def look_long() -> None:
        embedder.look()
        begun.release()
        may_end.wait(10)

    others = [
        threading.Thread(target=ear.hear, args=(SLOW, Stopwatch(None), look_long)) for _ in range(2)
    ]
    for other in others:
        other.start()
    for _ in others:  # until no thread of the pool is left
        assert begun.acquire(timeout=10)
    looked_on, _ = ear.hear("soup", Stopwatch(None), threading.get_ident)
    may_end.set()
    for other in others:
        other.join(10)
    ear.close()
    assert looked_on == threading.get_ident()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing is forked here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_forked_child_goes_on_alone(store: Store) -> None:
    embedder = ReadyEmbedder()
    ear = open_ear(store, embedder)
    ear.hear(SLOW, Stopwatch(None), embedder.look)
    if not (child := os.fork()):
        looked, _ = ear.hear("soup", Stopwatch(None), lambda: 7)
        os._exit(looked)
    _, status = os.waitpid(child, 0)
    ear.close()
    assert os.waitstatus_to_exitcode(status) == 7
