"""What every embedder offers: unit vectors for questions and for what is stored.

A vector means something only beside vectors of the same `Space`. Nothing here knows a model, a
network or a store; numpy is named in annotations only, so that naming an embedder costs no import.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Vectors = npt.NDArray[np.float32]

NONE = "none"  # the provider of those who want no vectors
PLAIN = "How long is a vector?"  # a text that nothing is wrong with


@dataclass(frozen=True, slots=True)
class Space:
    """Which vectors may be compared: the model that made them, and how long they are."""

    provider: str
    model: str
    dimensions: int

    def __str__(self) -> str:
        length = f"/{self.dimensions}" if self.dimensions else ""
        return f"{self.provider}/{self.model}{length}"

    def fits(self, other: "Space") -> bool:
        """Whether it is the other, as far as is known: 0 dimensions stand for any number."""
        is_sized = self.dimensions in (0, other.dimensions) or other.dimensions == 0
        return (self.provider, self.model) == (other.provider, other.model) and is_sized


@dataclass(frozen=True, slots=True)
class EmbedderOptions:
    """What a person may choose of an embedder; each embedder reads what concerns it."""

    provider: str = "local"
    model: str = ""
    dimensions: int | None = None
    batch_size: int = 32
    threads: int | None = None
    idle_s: float = 300.0
    base_url: str = ""
    api_key: str = field(default="", repr=False)
    timeout_s: float = 30.0


class Embedder(Protocol):
    """Turns texts into unit vectors, one row a text, in the order given.

    Safe to share between threads. Any string is a valid text: empty, huge, or not valid Unicode.
    Raises `Unavailable` where the model cannot be reached now, `Corrupt` where it is damaged.
    """

    @property
    def space(self) -> Space:
        """The space of the vectors; an embedder that must ask for it may raise `Unavailable`."""

    def embed_queries(self, texts: Sequence[str]) -> "Vectors":
        """Vectors of questions, to be compared with those of passages."""

    def embed_passages(self, texts: Sequence[str]) -> "Vectors":
        """Vectors of what is stored."""

    def close(self) -> None:
        """Release everything; the embedder may not be used again."""


@runtime_checkable
class ExpectsSpace(Protocol):
    """An embedder that must ask for its space, and knows beforehand what it can."""

    @property
    def expected_space(self) -> Space:
        """The space, with 0 dimensions while only the model could tell them."""


def expected_space(embedder: Embedder) -> Space:
    """The space of an embedder as far as it is known without asking anyone."""
    return embedder.expected_space if isinstance(embedder, ExpectsSpace) else embedder.space


@runtime_checkable
class TellsTrouble(Protocol):
    """An embedder that may be out of reach, and remembers what came of the last request."""

    @property
    def trouble(self) -> str:
        """Why it gives no vectors, as far as is known without asking anyone."""


def find_trouble(embedder: Embedder) -> str:
    """Why an embedder gives no vectors; empty where nothing is known to be wrong."""
    return embedder.trouble if isinstance(embedder, TellsTrouble) else ""


@runtime_checkable
class EmbedsInBatches(Protocol):
    """An embedder that sends so many texts in a request, and gains nothing from more at once."""

    @property
    def batch_size(self) -> int: ...


@runtime_checkable
class EmbedsOnce(Protocol):
    """An embedder whose server is asked again where its reply makes no sense."""

    def embed_once(self, texts: Sequence[str]) -> "Vectors":
        """Vectors of what is stored, of a server known to be well: such a reply is of the texts."""


@runtime_checkable
class LoadsModel(Protocol):
    """An embedder that has its model in memory only while it is used."""

    @property
    def is_loaded(self) -> bool: ...

    def load(self) -> None: ...


@runtime_checkable
class EmbedsInSteps(Protocol):
    """An embedder that can do what needs the interpreter first, and the long rest without it."""

    def prepare_query(self, text: str) -> "Callable[[], Vectors]":
        """What gives the row of a question, to be called on a thread of its own."""


class Asker:
    """An embedder as it is asked questions: what it can is looked up once, which takes longer than
    all else that recall does before a question is on its way.
    """

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder
        self._steps = embedder if isinstance(embedder, EmbedsInSteps) else None
        self._loads = embedder if isinstance(embedder, LoadsModel) else None

    @property
    def is_at_hand(self) -> bool:
        """Whether a question is embedded in milliseconds: on this machine, by a model in memory."""
        return self._steps is not None and self._loads is not None and self._loads.is_loaded

    @property
    def cold(self) -> LoadsModel | None:
        """The model that has to be loaded first, if it has to."""
        return None if self._loads is None or self._loads.is_loaded else self._loads

    def prepare(self, text: str) -> "Callable[[], Vectors]":
        """What gives the row of a question, as much of it done now as the embedder can."""
        if self._steps is not None:
            return self._steps.prepare_query(text)
        return lambda: self.embedder.embed_queries([text])
