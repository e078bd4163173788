"""What the tables ask of a store's connection and of its banks."""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

Test = tuple[str, tuple[object, ...]]


class Statements(Protocol):
    """A connection inside a transaction; `?` stands for a value."""

    def execute(self, sql: str, values: Any = (), /) -> Iterable[Any]: ...

    def executemany(self, sql: str, rows: Iterable[Any], /) -> object:
        """Run a statement that answers nothing for each row."""

    def changes(self) -> int:
        """How many rows the last statement changed."""

    def among(self, column: str, values: Sequence[object]) -> Test:
        """A test that a column holds one of these, and the values that go with it."""


class BankNumbers(Protocol):
    def number(self, name: str, now: int) -> int:
        """The number of a bank, made when it is new."""

    def find_number(self, name: str) -> int | None: ...


class ChangeLog(Protocol):
    def record(self, kind: str, first: int, last: int, op: str) -> int:
        """Append to the sequence of changes; the number given to this one."""


def count(connection: Statements, sql: str, values: tuple[object, ...] = ()) -> int:
    """The one number that a statement gives; 0 where it gives none."""
    return next((int(row[0] or 0) for row in list(connection.execute(sql, values))), 0)
