"""Banks on SQLite."""

from hermes.store.sqlite.connection import Connection
from hermes.store.tables.banks import ADD_TEXT, BankTable


class SqliteBanks(BankTable):
    _connection: Connection

    def _insert(self, name: str, now: int) -> int:
        sql = "INSERT INTO banks (name, created_at) VALUES (?, ?)"
        self._connection.execute(sql, (name, now))
        return self._connection.last_insert_rowid()

    def is_only(self, number: int) -> bool:
        """Whether no other bank exists, so that nothing needs to be told apart."""
        sql = "SELECT NOT EXISTS (SELECT 1 FROM banks WHERE id <> ?)"
        return any(only for (only,) in self._connection.execute(sql, (number,)))

    def add_text(self, number: int, messages: int, chars: int) -> None:
        self._connection.execute(ADD_TEXT, (messages, chars, number))
