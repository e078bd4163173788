"""The log of events on SQLite."""

from hermes.store.chain import Head
from hermes.store.tables.events import EventTable


class SqliteEvents(EventTable):
    def head(self) -> Head:
        ((count, digest),) = list(self._connection.execute("SELECT count, hash FROM event_head"))
        return Head(count, bytes(digest))

    def _set_head(self, head: Head) -> None:
        sql = "UPDATE event_head SET count = ?, hash = ?"
        self._connection.execute(sql, (head.count, head.hash))
