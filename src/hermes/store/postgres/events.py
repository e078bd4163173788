"""The log of events on PostgreSQL."""

from hermes.store.chain import START, Head
from hermes.store.tables.events import EventTable


class PostgresEvents(EventTable):
    def head(self) -> Head:
        found = list(self._connection.execute("SELECT count, hash FROM event_head"))
        return Head(found[0][0], bytes(found[0][1])) if found else Head(0, START)

    def _set_head(self, head: Head) -> None:
        sql = """INSERT INTO event_head (count, hash) VALUES (?, ?)
          ON CONFLICT (profile, bank) DO UPDATE SET count = excluded.count, hash = excluded.hash"""
        self._connection.execute(sql, (head.count, head.hash))
