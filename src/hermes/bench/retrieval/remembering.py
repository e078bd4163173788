"""An embedder that embeds a text once: LongMemEval's histories share most of their sessions.

Of S each session stands in several of the 500 histories, of M in a dozen; embedding them each time
would take most of a day.
"""

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np

from hermes.embed.base import Embedder, Space
from hermes.store.vectors.coding import Floats, pack_row, unpack_rows


class Remembering:
    """An `Embedder` of passages that keeps each vector as it will be stored, under its text."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[bytes, bytes] = {}

    @property
    def space(self) -> Space:
        return self._embedder.space

    def embed_queries(self, texts: Sequence[str]) -> Floats:
        return self._embedder.embed_queries(texts)

    def embed_passages(self, texts: Sequence[str]) -> Floats:
        keys = [
            blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
            for text in texts
        ]
        missing = {
            key: text for key, text in zip(keys, texts, strict=True) if key not in self._known
        }
        if missing:
            made = self._embedder.embed_passages(list(missing.values()))
            self._known.update(zip(missing, map(pack_row, made), strict=True))
        if not keys:
            return np.empty((0, self.space.dimensions), np.float32)
        return unpack_rows([self._known[key] for key in keys], self.space.dimensions)

    def close(self) -> None:
        self._known.clear()
