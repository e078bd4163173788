"""The contract for copying a whole store, while it is being written, and for trusting the copy."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Copied:
    """What a copy holds: its schema, its last change, and how many rows of everything."""

    schema: int
    seq: int
    counts: Mapping[str, int]


class Copies(Protocol):
    def copy_to(self, target: Path) -> Copied:
        """Write all there is at one moment into a new file; nobody has to wait meanwhile.

        The copy is protected by the same key as the store.
        """
