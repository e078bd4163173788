"""Banks on SQLite."""

from hermes.errors import NotFound
from hermes.store.sqlite.connection import Connection
from hermes.types import Bank

_COLUMNS = """b.name, b.created_at, b.description,
  (SELECT count(*) FROM sessions s WHERE s.bank = b.id AND s.hidden_at IS NULL)"""


class SqliteBanks:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def ensure(self, name: str, now: int) -> None:
        self.number(name, now)

    def number(self, name: str, now: int) -> int:
        """The row of a bank, made when it is new."""
        known = self.find_number(name)
        if known is not None:
            return known
        sql = "INSERT INTO banks (name, created_at) VALUES (?, ?)"
        self._connection.execute(sql, (name, now))
        return self._connection.last_insert_rowid()

    def find_number(self, name: str) -> int | None:
        for (row,) in self._connection.execute("SELECT id FROM banks WHERE name = ?", (name,)):
            return int(row)
        return None

    def is_only(self, number: int) -> bool:
        """Whether no other bank exists, so that nothing needs to be told apart."""
        sql = "SELECT NOT EXISTS (SELECT 1 FROM banks WHERE id <> ?)"
        return any(only for (only,) in self._connection.execute(sql, (number,)))

    def add_text(self, number: int, messages: int, chars: int) -> None:
        sql = "UPDATE banks SET messages = messages + ?, chars = chars + ? WHERE id = ?"
        self._connection.execute(sql, (messages, chars, number))

    def describe(self, name: str, description: str) -> None:
        sql = "UPDATE banks SET description = ? WHERE name = ?"
        self._connection.execute(sql, (description, name))
        if not self._connection.changes():
            raise NotFound(f"There is no bank {name!r}.", "See `hermes bank list`.")

    def find(self, name: str) -> Bank | None:
        sql = f"SELECT {_COLUMNS} FROM banks b WHERE b.name = ?"
        return next((Bank(*row) for row in self._connection.execute(sql, (name,))), None)

    def list(self) -> list[Bank]:
        sql = f"SELECT {_COLUMNS} FROM banks b ORDER BY b.name"
        return [Bank(*row) for row in self._connection.execute(sql)]
