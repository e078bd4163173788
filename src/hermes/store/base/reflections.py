"""The contract for reflections: rows, their words, and up to where sessions were reflected on.

How outcomes are told and when two lessons are the same is decided in `memory.reflect`.
"""

from collections.abc import Sequence
from typing import Protocol

from hermes.store.base.texts import TextIndex
from hermes.types import Reflection, Session

REFLECT = "reflect"
"""The kind of job that reflects; its key is the session."""


class Reflections(Protocol):
    def add(self, reflection: Reflection, *, lesson_key: str) -> Reflection:
        """Keep a new one; its `id` is not looked at."""

    def save(self, reflection: Reflection) -> None:
        """Keep its fields as they are now; type and lesson stay as they were."""

    def find(self, number: int) -> Reflection | None: ...

    def find_same(self, bank: str, task_type: str, lesson_key: str) -> Reflection | None:
        """The one with that lesson for that type of task."""

    def get_many(self, ids: Sequence[int]) -> dict[int, Reflection]: ...

    def delete(self, number: int, *, at: int) -> None:
        """Take it out of everything that shows or finds it; its number is not used again."""

    def restore(self, number: int) -> Reflection:
        """Bring a deleted one back as it was; NotFound if none is deleted under that number."""

    def count(self, bank: str = "") -> int: ...

    def count_types(self, bank: str) -> dict[str, int]:
        """How many there are of each type of task."""

    def list_due(self, limit: int) -> list[Session]:
        """Sessions read for facts that have messages not yet reflected on."""

    def upto(self, session_id: str) -> int:
        """The last message of a session that was reflected on, 0 for none."""

    def mark(self, session_id: str, upto: int) -> None: ...

    @property
    def texts(self) -> TextIndex:
        """The words of reflections; the numbers in postings are theirs."""

    def list(self, bank: str = "", *, task_type: str = "", limit: int = 1_000) -> list[Reflection]:
        """Newest first."""
