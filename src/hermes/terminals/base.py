"""What a terminal is: it runs a command and says how it ended. It knows no agent."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

MAX_OUTPUT_BYTES = 200_000


@dataclass(frozen=True, slots=True)
class Command:
    """A line for a shell, where it runs, and its limits.

    `limits` are hard limits of the system (`RLIMIT_…`) that hold for it and all it starts, where
    the system can set them.
    """

    line: str
    workdir: Path
    timeout_s: float = 180.0
    environ: Mapping[str, str] = field(default_factory=dict, repr=False)
    max_output_bytes: int = MAX_OUTPUT_BYTES
    limits: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Finished:
    """How a command ended; no exit code means it was stopped at its time limit.

    Of a long output the start and the end are kept; `dropped_bytes` tells how much lay between.
    """

    exit_code: int | None
    output: str
    seconds: float
    dropped_bytes: int = 0


class Terminal(Protocol):
    """A place that runs commands, one after another or side by side."""

    async def run(
        self, command: Command, on_output: Callable[[str], None] | None = None
    ) -> Finished:
        """Run to the end or the limit; cancelled, the command and its children are stopped."""
