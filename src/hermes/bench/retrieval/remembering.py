"""An embedder that embeds a text once: LongMemEval's histories share most of their sessions.

Of S each session stands in several of the 500 histories, of M in a dozen; embedding them each time
would take most of a day. What was made lies in one file that only grows, so that a run that was
stopped can go on: each vector stands behind the digest of its text, and what a kill cut off at the
end is cut away.
"""

import fcntl
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO

import numpy as np

from hermes.embed.base import Embedder, Space
from hermes.errors import Conflict
from hermes.store.vectors.coding import HALF, Floats, pack_row, unpack_rows

KEY_BYTES = 16
READ_AT_ONCE = 4_096  # vectors


class Remembering:
    """An `Embedder` of passages that keeps each vector as it will be stored, under its text."""

    def __init__(self, embedder: Embedder, file: BinaryIO) -> None:
        self._embedder = embedder
        self._file = file
        self._row_bytes = embedder.space.dimensions * HALF.itemsize
        self._places: dict[bytes, int] = {}  # of each text, where its vector begins
        self._end = 0
        self._read_places()

    @property
    def space(self) -> Space:
        return self._embedder.space

    def embed_queries(self, texts: Sequence[str]) -> Floats:
        return self._embedder.embed_queries(texts)

    def embed_passages(self, texts: Sequence[str]) -> Floats:
        if not texts:
            return np.empty((0, self.space.dimensions), np.float32)
        keys = [_digest(text) for text in texts]
        missing = {
            key: text for key, text in zip(keys, texts, strict=True) if key not in self._places
        }
        if missing:
            made = self._embedder.embed_passages(list(missing.values()))
            self._keep(list(missing), [pack_row(row) for row in made])
        return unpack_rows([self._get(key) for key in keys], self.space.dimensions)

    def close(self) -> None:
        self._places.clear()
        self._file.close()

    def _keep(self, keys: Sequence[bytes], rows: Sequence[bytes]) -> None:
        self._file.write(b"".join(map(bytes.__add__, keys, rows)))
        self._file.flush()
        for key in keys:
            self._note(key)

    def _get(self, key: bytes) -> bytes:
        return os.pread(self._file.fileno(), self._row_bytes, self._places[key])

    def _read_places(self) -> None:
        size = KEY_BYTES + self._row_bytes
        self._file.seek(0)
        while read := self._file.read(size * READ_AT_ONCE):
            for start in range(0, len(read) - size + 1, size):
                self._note(read[start : start + KEY_BYTES])
        self._file.truncate(self._end)

    def _note(self, key: bytes) -> None:
        """Keep in mind where the vector of the next record stands."""
        self._places[key] = self._end + KEY_BYTES
        self._end += KEY_BYTES + self._row_bytes


@contextmanager
def open_remembering(embedder: Embedder, folder: Path | None) -> Iterator[Remembering]:
    """Vectors kept in a folder, those of each model in a file of their own; without one in a file
    that is gone at the end."""
    if folder is None:
        with tempfile.TemporaryFile(prefix="hermes-bench-") as file:
            yield Remembering(embedder, file)
        return
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"vectors-{_digest(repr(embedder.space)).hex()}.bin"
    with path.open("a+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            hint = "Wait for it, or give another folder."
            raise Conflict(f"Another run keeps its vectors in {folder}.", hint) from error
        yield Remembering(embedder, file)


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=KEY_BYTES).digest()
