"""The question's vector: waited for as long as there is time, and laid beside a bank's.

What cannot be had says why, and recall goes on by words.
"""

from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooLate
from dataclasses import dataclass

from hermes.embed.base import Space
from hermes.errors import HermesError
from hermes.memory.recall.banks import HeldBank
from hermes.memory.recall.bankvectors import ask_vectors
from hermes.memory.recall.meaning import Meaning
from hermes.memory.recall.outline import Floats, Outline
from hermes.memory.recall.passage import model_of
from hermes.memory.recall.stopwatch import Stopwatch
from hermes.store.base import Tx
from hermes.store.base.vectors import VectorSpace

EMBED_TIMEOUT_MS = 30_000  # without a deadline; the first question also loads the model


@dataclass(frozen=True, slots=True)
class Heard:
    """The question's vector and the space it lies in, or why there is none."""

    query: Floats | None = None
    space: Space | None = None
    reason: str = ""


def hear(vector: "Future[Heard] | None", watch: Stopwatch) -> Heard:
    """Wait for the question's vector as long as the deadline allows."""
    if vector is None:
        return Heard(reason="no embedder is configured")
    try:
        error = vector.exception(watch.left_ms(EMBED_TIMEOUT_MS) / 1000)
    except TooLate:
        vector.cancel()  # if it has not begun, nobody wants it any more
        return Heard(reason="embedding the question took too long")
    if error is None:
        return vector.result()
    # Whatever a model's library raises, words are still there to go by.
    told = error.message if isinstance(error, HermesError) else f"{type(error).__name__}: {error}"
    return Heard(reason=f"the embedder failed: {told}")


def lay_beside(
    tx: Tx, held: HeldBank, outline: Outline, heard: Heard
) -> tuple[Meaning | None, str]:
    """The question's meaning in the bank, or why there is none."""
    if heard.query is None:
        return None, heard.reason
    space = held.vectors.space
    if space is not None and not is_of(space, heard.space):
        made_by = Space(space.provider, model_of(space.model), space.dimensions)
        return None, f"the vectors are of {made_by}, not of {heard.space}, until reindexing ends"
    asked = ask_vectors(tx, held.vectors, outline, heard.query)
    return (None, "nothing has a vector yet") if asked is None else (Meaning(asked), "")


def is_of(stored: VectorSpace | None, asked: Space | None) -> bool:
    """Whether a question may be compared with the vectors of a space, by whichever recipe."""
    if stored is None or asked is None:
        return False
    return Space(stored.provider, model_of(stored.model), stored.dimensions) == asked
