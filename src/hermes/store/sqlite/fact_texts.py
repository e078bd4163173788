"""The words of facts."""

from hermes.store.sqlite.banks import SqliteBanks
from hermes.store.sqlite.connection import Connection
from hermes.store.sqlite.row_texts import FACTS, SqliteRowTexts
from hermes.store.sqlite.texts import SqliteTexts


class SqliteFactTexts(SqliteRowTexts):
    def __init__(self, connection: Connection, banks: SqliteBanks, texts: SqliteTexts) -> None:
        super().__init__(connection, banks, texts, FACTS)
