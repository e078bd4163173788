"""The bundled model that says how well two texts go together, run here.

It is taught for one question, that of `hermes.memory.facts.clauses.pair`, but nothing here knows
what the texts are. It is loaded on first use and given back when idle, as the embedder is.
"""

import threading
from pathlib import Path
from typing import TYPE_CHECKING

from hermes.clock import SECOND_MS, Clock, SystemClock
from hermes.errors import Unavailable

if TYPE_CHECKING:
    from hermes.embed.minilm import MiniLM

MODEL_DIR = Path(__file__).parent / "model"
IDLE_S = 300.0


class Comparer:
    """MiniLM on this machine's processor; safe to share between threads."""

    def __init__(
        self, clock: Clock | None = None, *, model_dir: Path = MODEL_DIR, idle_s: float = IDLE_S
    ) -> None:
        self._clock = clock or SystemClock()
        self._model_dir = model_dir
        self._idle_ms = round(idle_s * SECOND_MS)
        self._lock = threading.Lock()
        self._model: MiniLM | None = None
        self._used_at = 0
        self._closed = False

    @property
    def is_loaded(self) -> bool:
        return self._model is not None

    def compare(self, first: str, second: str) -> float:
        """How likely they go together, in log odds.

        Raises `Unavailable` where the model cannot be run, `Corrupt` where it is damaged.
        """
        found = self._load().compare(first, second)
        self._used_at = self._clock.now()
        return found

    def release_if_idle(self, now: int) -> bool:
        with self._lock:
            if self._model is None or now - self._used_at < self._idle_ms:
                return False
            self._model = None  # a run under way keeps its own reference
            return True

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self._model = None

    def _load(self) -> "MiniLM":
        try:
            from hermes.embed.minilm import load_minilm  # noqa: PLC0415 - numpy, onnxruntime
        except ImportError as error:
            hint = "Install hermes-memory again."
            raise Unavailable(f"The reading gate cannot be run: {error}.", hint) from error
        with self._lock:
            if self._closed:
                raise Unavailable("The reading gate is closed.", "Open it again.")
            if self._model is None:
                self._model = load_minilm(self._model_dir)
            self._used_at = self._clock.now()
            return self._model
