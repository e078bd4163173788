"""Banks on PostgreSQL."""

from hermes.errors import NotFound
from hermes.store.postgres.connection import Connection, scalar
from hermes.types import Bank

_COLUMNS = """b.name, b.created_at, b.description,
  (SELECT count(*) FROM sessions s WHERE s.bank = b.id AND s.hidden_at IS NULL)"""


class PostgresBanks:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._numbers: dict[str, int] = {}

    def ensure(self, name: str, now: int) -> None:
        self.number(name, now)

    def number(self, name: str, now: int) -> int:
        """The number of a bank, made when it is new."""
        known = self.find_number(name)
        if known is not None:
            return known
        number = scalar(self._connection, "SELECT max(id) FROM banks") + 1
        sql = "INSERT INTO banks (id, name, created_at) VALUES (?, ?, ?)"
        self._connection.execute(sql, (number, name, now))
        self._numbers[name] = number
        return number

    def find_number(self, name: str) -> int | None:
        if name not in self._numbers:
            for (row,) in self._connection.execute("SELECT id FROM banks WHERE name = ?", (name,)):
                self._numbers[name] = int(row)
        return self._numbers.get(name)

    def list_numbers(self) -> list[int]:
        return [int(row) for (row,) in self._connection.execute("SELECT id FROM banks ORDER BY id")]

    def add_text(self, number: int, messages: int, chars: int) -> None:
        sql = "UPDATE banks SET messages = messages + ?, chars = chars + ? WHERE id = ?"
        self._connection.defer(sql, (messages, chars, number))

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
