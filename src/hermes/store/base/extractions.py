"""The contract for keeping track of which conversations facts have yet to be extracted from."""

from typing import Protocol

from hermes.types import Session

EXTRACT = "extract"
"""The kind of job that extracts; its key is the session."""


class Extractions(Protocol):
    def list_due(self, *, now: int, idle_ms: int, limit: int) -> list[Session]:
        """Sessions with messages not yet extracted that ended, or were idle for `idle_ms`; the
        one that has waited longest first. Left out are those whose job is unfinished, or died
        and nothing was said since.
        """

    def count_pending(self) -> int:
        """How many sessions have messages not yet extracted, those still going on included."""

    def upto(self, session_id: str) -> int:
        """The last message of a session that was extracted, 0 for none."""

    def mark(self, session_id: str, upto: int, *, now: int) -> None:
        """Note that messages up to `upto` are extracted; it never goes back."""

    def reset(self, session_id: str) -> None:
        """Have a session extracted again from its start."""
