"""Banks on PostgreSQL."""

from hermes.store.postgres.connection import Connection, scalar
from hermes.store.tables.banks import ADD_TEXT, BankTable


class PostgresBanks(BankTable):
    _connection: Connection

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self._numbers: dict[str, int] = {}

    def _insert(self, name: str, now: int) -> int:
        number = scalar(self._connection, "SELECT max(id) FROM banks") + 1
        sql = "INSERT INTO banks (id, name, created_at) VALUES (?, ?, ?)"
        self._connection.execute(sql, (number, name, now))
        self._numbers[name] = number
        return number

    def find_number(self, name: str) -> int | None:
        """Asked of the server once a transaction."""
        known = self._numbers.get(name) or super().find_number(name)
        if known is not None:
            self._numbers[name] = known
        return known

    def list_numbers(self) -> list[int]:
        return [int(row) for (row,) in self._connection.execute("SELECT id FROM banks ORDER BY id")]

    def add_text(self, number: int, messages: int, chars: int) -> None:
        self._connection.defer(ADD_TEXT, (messages, chars, number))
