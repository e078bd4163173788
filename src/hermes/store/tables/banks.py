"""Banks, the same on every store."""

from hermes.errors import NotFound
from hermes.store.tables.statements import Statements
from hermes.types import Bank

_COLUMNS = """b.name, b.created_at, b.description,
  (SELECT count(*) FROM sessions s WHERE s.bank = b.id AND s.hidden_at IS NULL)"""
ADD_TEXT = "UPDATE banks SET messages = messages + ?, chars = chars + ? WHERE id = ?"


class BankTable:
    """The table of banks behind a connection; a store adds how a new one gets its number."""

    def __init__(self, connection: Statements) -> None:
        self._connection = connection

    def ensure(self, name: str, now: int) -> None:
        self.number(name, now)

    def number(self, name: str, now: int) -> int:
        """The number of a bank, made when it is new."""
        known = self.find_number(name)
        return self._insert(name, now) if known is None else known

    def find_number(self, name: str) -> int | None:
        sql = "SELECT id FROM banks WHERE name = ?"
        return next((int(row) for (row,) in list(self._connection.execute(sql, (name,)))), None)

    def _insert(self, name: str, now: int) -> int:
        """Add a bank; its number."""
        raise NotImplementedError

    def describe(self, name: str, description: str) -> None:
        sql = "UPDATE banks SET description = ? WHERE name = ?"
        self._connection.execute(sql, (description, name))
        if not self._connection.changes():
            raise NotFound(f"There is no bank {name!r}.", "See `hermes bank list`.")

    def find(self, name: str) -> Bank | None:
        sql = f"SELECT {_COLUMNS} FROM banks b WHERE b.name = ?"
        return next((Bank(*row) for row in list(self._connection.execute(sql, (name,)))), None)

    def list(self) -> list[Bank]:
        sql = f"SELECT {_COLUMNS} FROM banks b ORDER BY b.name"
        return [Bank(*row) for row in self._connection.execute(sql)]
