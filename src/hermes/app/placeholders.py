"""What stands in for a model whose key is not set: opened without a word, it fails when asked.

So a missing key stops what needs it, and memory goes a rung down and says why.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from hermes.embed.base import Embedder, Space, expected_space
from hermes.errors import UserError

if TYPE_CHECKING:
    from hermes.embed.base import Vectors


class KeylessEmbedder:
    """An `Embedder` that was opened without its key, and is never asked."""

    def __init__(self, embedder: Embedder, missing: UserError) -> None:
        self._embedder = embedder
        self._missing = missing

    @property
    def space(self) -> Space:
        self._fail()

    @property
    def expected_space(self) -> Space:
        return expected_space(self._embedder)

    @property
    def trouble(self) -> str:
        return self._missing.message

    def embed_queries(self, texts: Sequence[str]) -> "Vectors":
        self._fail()

    def embed_passages(self, texts: Sequence[str]) -> "Vectors":
        self._fail()

    def close(self) -> None:
        self._embedder.close()

    def _fail(self) -> NoReturn:
        raise UserError(self._missing.message, self._missing.hint)


class KeylessReranker:
    """A `Reranker` without its key."""

    def __init__(self, missing: UserError) -> None:
        self._missing = missing

    def score(self, task: str, texts: Sequence[str]) -> Sequence[float]:
        raise UserError(self._missing.message, self._missing.hint)

    def close(self) -> None: ...
