"""An embedder for tests: words in common bring texts near, and nothing is random."""

from collections.abc import Sequence

import numpy as np

from hermes.embed.base import Space
from hermes.store.vectors.coding import Floats
from hermes.testing import hash_vector


class WordEmbedder:
    """A text is the sum of its words' vectors, so that nearness can be foretold.

    Of what an unnamed user says only the words themselves count: not "user:", nor what it follows.
    """

    def __init__(self, model: str = "words", dimensions: int = 64) -> None:
        self.space = Space("test", model, dimensions)
        self.texts: list[str] = []

    def embed_queries(self, texts: Sequence[str]) -> Floats:
        return np.array([self._vector(text) for text in texts], dtype=np.float32).reshape(
            len(texts), self.space.dimensions
        )

    def embed_passages(self, texts: Sequence[str]) -> Floats:
        own = [text.rpartition("user: ")[2] for text in texts]
        self.texts.extend(own)
        return self.embed_queries(own)

    def close(self) -> None: ...

    def _vector(self, text: str) -> Floats:
        salt = self.space.model
        words = [hash_vector(f"{salt} {word}", self.space.dimensions) for word in text.split()]
        total = np.sum(words, axis=0) if words else np.ones(self.space.dimensions)
        unit: Floats = (total / np.linalg.norm(total)).astype(np.float32)
        return unit
