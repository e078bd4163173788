"""File contents kept once each, named by what they hold.

Knows bytes and digests, not what file they were or why they are kept.
"""

import hashlib
import os
import secrets
import threading
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import zstandard

from hermes.config.files import DIR_MODE, FILE_MODE, sync_dir, sync_file
from hermes.errors import Corrupt

_LEVEL = 3
_MANY = 50  # contents, from which on one sync of the disk takes less than one each


class Blobs:
    """Contents below one folder, compressed; the same bytes are stored once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._loose: deque[Path] = deque()
        self._flushing = threading.Lock()

    def put(self, content: bytes) -> str:
        """Keep `content` and return its digest; it is on the disk after the next `flush`."""
        digest = hashlib.sha256(content).hexdigest()
        path = self._path(digest)
        if not self._is_whole(digest):
            path.parent.mkdir(mode=DIR_MODE, parents=True, exist_ok=True)
            _write(path, zstandard.ZstdCompressor(level=_LEVEL).compress(content))
            self._loose.append(path)
        return digest

    def flush(self) -> None:
        """Return once all that was put is on the disk.

        Before a command thousands may be: then the whole disk is told once, as each by itself
        takes some milliseconds.
        """
        with self._flushing:
            count = len(self._loose)
            paths = [self._loose.popleft() for _ in range(count)]
            if count > _MANY:
                return os.sync()
            for path in paths:
                with suppress(FileNotFoundError):  # dropped meanwhile: nobody needs it
                    sync_file(path)
            for folder in {path.parent for path in paths}:
                sync_dir(folder)

    def has(self, digest: str) -> bool:
        return self._path(digest).exists()

    def get(self, digest: str) -> bytes:
        """The content kept under `digest`, proved to be what was kept."""
        try:
            content = zstandard.ZstdDecompressor().decompress(self._path(digest).read_bytes())
        except (FileNotFoundError, zstandard.ZstdError) as error:
            raise _lost(digest) from error
        if hashlib.sha256(content).hexdigest() != digest:
            raise _lost(digest)
        return content

    def _is_whole(self, digest: str) -> bool:
        try:
            self.get(digest)
        except Corrupt:
            return False
        return True

    def keep_only(self, digests: Iterable[str]) -> int:
        """Drop every content not in `digests`; returns how many went."""
        kept = set(digests)
        gone = [p for p in self._folder.glob("??/*") if p.parent.name + p.name not in kept]
        for path in gone:
            path.unlink(missing_ok=True)
        return len(gone)

    def _path(self, digest: str) -> Path:
        return self._folder / digest[:2] / digest[2:]


def _write(path: Path, packed: bytes) -> None:
    draft = path.with_name(f".{secrets.token_hex(6)}.tmp")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE)
    with os.fdopen(handle, "wb") as file:
        file.write(packed)
    draft.replace(path)


def _lost(digest: str) -> Corrupt:
    return Corrupt(
        f"a checkpointed content ({digest[:12]}) is missing or damaged",
        "The file it belongs to was left as it is; other files can still be rolled back.",
    )
