"""The bundled embedding model, run here: no key, no service, no download.

The model is loaded on first use and given back when idle. Nothing here knows of stores or of what
the texts are for.
"""

import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from hermes.clock import Clock, SystemClock
from hermes.embed.base import EmbedderOptions, Space
from hermes.embed.idle_model import Idling, StartTimer, start_timer
from hermes.errors import UserError

if TYPE_CHECKING:
    from hermes.embed.e5 import E5, Vectors

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

    def __init__(
        self,
        options: EmbedderOptions,
        clock: Clock,
        model_dir: Path = MODEL_DIR,
        *,
        timer: StartTimer = start_timer,
    ) -> None:
        self._model_dir = model_dir
        self._threads = options.threads or min(2, os.cpu_count() or 1)
        self._batch_size = max(1, options.batch_size)
        self._model = Idling("embedder", self._load, clock, options.idle_s, timer=timer)

    @property
    def space(self) -> Space:
        return SPACE

    @property
    def is_loaded(self) -> bool:
        return self._model.is_loaded

    def load(self) -> None:
        self._model.use(lambda _: None)

    @property
    def is_busy(self) -> bool:
        return self._model.is_busy

    def embed_queries(self, texts: Sequence[str]) -> "Vectors":
        return self._embed("query: ", texts)

    def prepare_query(self, text: str) -> "Callable[[], Vectors]":
        """The question's tokens, made now; nothing is loaded for them, for that takes long."""
        model = self._model.find()
        if model is None:
            return partial(self.embed_queries, [text])
        return partial(self._model.run, model.prepare("query: ", text))

    def embed_passages(self, texts: Sequence[str]) -> "Vectors":
        return self._embed("passage: ", texts)

    def close(self) -> None:
        self._model.close()

    def _embed(self, prefix: str, texts: Sequence[str]) -> "Vectors":
        return self._model.use(lambda model: model.embed(prefix, texts))

    def _load(self) -> "E5":
        from hermes.embed.e5 import load_e5  # noqa: PLC0415 - numpy, onnxruntime and tokenizers

        return load_e5(self._model_dir, threads=self._threads, max_rows=self._batch_size)
