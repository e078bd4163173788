"""The bundled model that says how well two texts go together, run here.

It is taught for one question, that of `hermes.memory.facts.clauses.pair`, but nothing here knows
what the texts are. It is loaded on first use and given back when idle, as the embedder is.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from hermes.clock import Clock, SystemClock
from hermes.embed.idle_model import Idling, StartTimer, start_timer
from hermes.errors import Unavailable

if TYPE_CHECKING:
    from hermes.embed.minilm import MiniLM

MODEL_DIR = Path(__file__).parent / "model"
IDLE_S = 300.0


class Comparer:
    """MiniLM on this machine's processor; safe to share between threads."""

    def __init__(
        self,
        clock: Clock | None = None,
        *,
        model_dir: Path = MODEL_DIR,
        idle_s: float = IDLE_S,
        timer: StartTimer = start_timer,
    ) -> None:
        self._model_dir = model_dir
        clock = clock or SystemClock()
        self._model = Idling("reading gate", self._load, clock, idle_s, timer=timer)

    @property
    def is_loaded(self) -> bool:
        return self._model.is_loaded

    def compare(self, first: str, second: str) -> float:
        """How likely they go together, in log odds.

        Raises `Unavailable` where the model cannot be run, `Corrupt` where it is damaged.
        """
        return self._model.use(lambda model: model.compare(first, second))

    def close(self) -> None:
        self._model.close()

    def _load(self) -> "MiniLM":
        try:
            from hermes.embed.minilm import load_minilm  # noqa: PLC0415 - numpy, onnxruntime
        except ImportError as error:
            hint = "Install hermes-memory again."
            raise Unavailable(f"The reading gate cannot be run: {error}.", hint) from error
        return load_minilm(self._model_dir)
