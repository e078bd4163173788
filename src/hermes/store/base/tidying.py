"""What is said of giving space back: how far it may go, and what came of it."""

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Watch:
    """Whether long work should stop, and who wants to hear of its steps."""

    is_stopped: Callable[[], bool] = field(default=lambda: False)
    on_step: Callable[[str], None] = field(default=lambda _: None)


@dataclass(frozen=True, slots=True)
class Tidied:
    before_bytes: int
    after_bytes: int
    merge_steps: int = 0
    freed_pages: int = 0
