"""The question's vector: waited for as long as there is time, and laid beside a bank's.

What cannot be had says why, and recall goes on by words.
"""

import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from concurrent.futures import TimeoutError as TooLate
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from hermes.embed.base import Asker, Space
from hermes.errors import HermesError
from hermes.memory.recall.banks import HeldBank
from hermes.memory.recall.bankvectors import ask_vectors
from hermes.memory.recall.former import Absent, Models
from hermes.memory.recall.meaning import Meaning
from hermes.memory.recall.outline import Floats, Outline
from hermes.memory.recall.passage import model_of
from hermes.memory.recall.stopwatch import Stopwatch
from hermes.memory.recall.threads import Threads, fulfil
from hermes.memory.spaces import advise_moved, find_moved, tell_former, tell_moved
from hermes.store.base import Tx
from hermes.store.base.vectors import VectorSpace

BEGIN_TIMEOUT_S = 0.005  # both threads may be busy with other questions
EMBED_TIMEOUT_MS = 30_000  # without a deadline; the first question also loads the model

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Heard:
    """The question's vector and the space it lies in, or why there is none.

    `absent` is the configured model where it is not that one which gave the vector.
    """

    query: Floats | None = None
    space: Space | None = None
    reason: str = ""
    absent: Absent | None = None


class Ear:
    """Makes the vectors of questions, each while its words are looked up on another thread."""

    def __init__(self, models: Models) -> None:
        self._models = models
        self._pool = Threads(2, "hermes-recall")

    def hear(self, text: str, watch: Stopwatch, look: Callable[[], T]) -> tuple[T, Heard]:
        """What looking gives, and the question's vector.

        A vector that nothing can delay is made here: who waits for another thread is woken late.
        """
        asker = self._models.choose()
        looked, heard = self._hear(asker, text, watch, look)
        absent = self._models.find_absent(asker)
        return looked, heard if absent is None else replace(heard, absent=absent)

    def _hear(
        self, asker: Asker, text: str, watch: Stopwatch, look: Callable[[], T]
    ) -> tuple[T, Heard]:
        if watch.has_deadline or not asker.is_at_hand:
            making = self._begin(asker, text, watch)
            return look(), _wait_for(making, watch)
        make = asker.prepare(text)
        looking = self._pool.submit(look)
        made: Future[Heard] = Future()
        fulfil(made, lambda: Heard(np.asarray(make()[0]), asker.embedder.space))
        # Not begun where every thread is busy with other questions, or was left behind by a fork.
        return look() if looking.cancel() else looking.result(), _wait_for(made, watch)

    def look_again(self) -> None:
        """The vectors in use turned out to be another model's."""
        self._models.look_again()

    def close(self) -> None:
        self._pool.close()
        self._models.close()

    def _begin(self, asker: Asker, text: str, watch: Stopwatch) -> "Future[Heard]":
        """Start on the question's vector, and wait until that no longer needs the interpreter.

        A thread that asks for it later waits up to 5 ms for one that is busy looking up words. Who
        sleeps meanwhile is woken on the core of the other, and both share it for milliseconds.
        """
        begun, make, cold = threading.Event(), asker.prepare(text), asker.cold

        def embed() -> Heard:
            begun.set()
            if cold is not None:
                with watch.beside("load"):
                    cold.load()
            return Heard(np.asarray(make()[0]), asker.embedder.space)

        making = self._pool.submit(embed)
        until = time.perf_counter() + BEGIN_TIMEOUT_S
        while not begun.is_set() and time.perf_counter() < until:
            time.sleep(0)
        return making


def _wait_for(making: "Future[Heard]", watch: Stopwatch) -> Heard:
    """The question's vector, waited for as long as the deadline allows."""
    try:
        error = making.exception(watch.left_ms(EMBED_TIMEOUT_MS) / 1000)
    except (TooLate, CancelledError):  # or it is being closed
        making.cancel()  # if it has not begun, nobody wants it any more
        return Heard(reason="embedding the question took too long")
    if error is None:
        return making.result()
    if not isinstance(error, Exception):  # somebody wants all of this to end
        raise error
    # Whatever a model's library raises, words are still there to go by.
    told = error.message if isinstance(error, HermesError) else f"{type(error).__name__}: {error}"
    return Heard(reason=f"the embedder failed: {told}")


def lay_beside(
    tx: Tx, held: HeldBank, outline: Outline, heard: Heard
) -> tuple[Meaning | None, str]:
    """The question's meaning in the bank, and why there is none, or what it leaves out."""
    if heard.query is None:
        return None, heard.reason
    space = held.vectors.space
    if space is not None and not is_of(space, heard.space):
        if heard.space is not None and (moved := find_moved(tx, heard.space)) is not None:
            return None, f"{tell_moved(moved, heard.space)}: {advise_moved(moved, heard.space)}"
        made_by = Space(space.provider, model_of(space.model), space.dimensions)
        told = f"the vectors are of {made_by}, not of {heard.space}"
        return None, f"{told}, until reindexing ends (`hermes memory reindex`)"
    asked = ask_vectors(tx, held.vectors, outline, heard.query)
    if asked is None:
        return None, "nothing has a vector yet"
    if heard.absent is None or heard.space is None:
        return Meaning(asked), held.vectors.tell_lacking(tx, outline)
    former = tell_former(tx, heard.space, heard.absent.space, heard.absent.trouble)
    lacking = held.vectors.tell_lacking(tx, outline, from_first=not former.is_passing)
    return Meaning(asked), "; ".join(filter(None, (former.told, lacking)))


def is_of(stored: VectorSpace | None, asked: Space | None) -> bool:
    """Whether a question may be compared with the vectors of a space, by whichever recipe."""
    if stored is None or asked is None:
        return False
    return Space(stored.provider, model_of(stored.model), stored.dimensions) == asked
