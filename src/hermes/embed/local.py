"""The bundled embedding model, run here: no key, no service, no download.

The model is loaded on first use and given back when idle. Nothing here knows of stores or of what
the texts are for.
"""

import os
import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from hermes.clock import SECOND_MS, Clock, SystemClock
from hermes.embed.base import EmbedderOptions, Space
from hermes.errors import Unavailable, UserError

if TYPE_CHECKING:
    from hermes.embed.e5 import E5, Vectors

T = TypeVar("T")
SPACE = Space("local", "e5-small-int8", 384)
MODEL_DIR = Path(__file__).parent / "model"


def open_embedder(options: EmbedderOptions, clock: Clock | None = None) -> "LocalEmbedder":
    """The bundled embedder; nothing is read from disk before the first text."""
    if options.model not in ("", SPACE.model, "e5-small"):
        raise UserError(
            f"The local embedder has one model, {SPACE.model}, not {options.model!r}.",
            "Leave memory.embeddings.model out, or choose another provider.",
        )
    if options.dimensions not in (None, SPACE.dimensions):
        raise UserError(
            f"The local model gives {SPACE.dimensions} dimensions, not {options.dimensions}.",
            "Leave memory.embeddings.dimensions out.",
        )
    return LocalEmbedder(options, clock or SystemClock())


class LocalEmbedder:
    """E5-small on this machine's processor."""

    def __init__(self, options: EmbedderOptions, clock: Clock, model_dir: Path = MODEL_DIR) -> None:
        self._clock = clock
        self._model_dir = model_dir
        self._idle_ms = round(options.idle_s * SECOND_MS)
        self._threads = options.threads or min(2, os.cpu_count() or 1)
        self._batch_size = max(1, options.batch_size)
        self._lock = threading.Condition()
        self._runs = 0
        self._model: E5 | None = None
        self._used_at = 0
        self._closed = False

    @property
    def space(self) -> Space:
        return SPACE

    @property
    def is_loaded(self) -> bool:
        return self._model is not None

    def load(self) -> None:
        self._run(self._load)

    @property
    def is_busy(self) -> bool:
        return self._runs > 0

    def embed_queries(self, texts: Sequence[str]) -> "Vectors":
        return self._embed("query: ", texts)

    def prepare_query(self, text: str) -> "Callable[[], Vectors]":
        """The question's tokens, made now; nothing is loaded for them, for that takes long."""
        model = self._model
        if model is None:
            return partial(self.embed_queries, [text])
        self._used_at = self._clock.now()
        return partial(self._run, model.prepare("query: ", text))

    def embed_passages(self, texts: Sequence[str]) -> "Vectors":
        return self._embed("passage: ", texts)

    def release_if_idle(self, now: int) -> bool:
        with self._lock:
            if self._model is None or now - self._used_at < self._idle_ms:
                return False
            self._model = None  # a run under way keeps its own reference
            return True

    def close(self) -> None:
        """Wait for what is under way, too: the runtime may not outlive the interpreter."""
        with self._lock:
            self._closed = True
            self._model = None
            self._lock.wait_for(lambda: self._runs == 0)

    def _embed(self, prefix: str, texts: Sequence[str]) -> "Vectors":
        rows = self._run(lambda: self._load().embed(prefix, texts))
        self._used_at = self._clock.now()
        return rows

    def _run(self, work: Callable[[], T]) -> T:
        with self._lock:
            if self._closed:
                raise Unavailable("The embedder is closed.", "Open it again.")
            self._runs += 1
        try:
            return work()
        finally:
            with self._lock:
                self._runs -= 1
                self._lock.notify_all()

    def _load(self) -> "E5":
        from hermes.embed.e5 import load_e5  # noqa: PLC0415 - numpy, onnxruntime and tokenizers

        with self._lock:
            if self._model is None:
                self._model = load_e5(
                    self._model_dir, threads=self._threads, max_rows=self._batch_size
                )
            self._used_at = self._clock.now()
            return self._model
