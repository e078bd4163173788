"""Looking over a whole memory on SQLite."""

from collections.abc import Iterator, Sequence

from hermes.store.tables.overview import Conditions, OverviewTable

_CHUNK = 500


class SqliteOverview(OverviewTable):
    def _shown(self, ids: Sequence[int], conditions: Conditions) -> Iterator[tuple[int]]:
        tests, values = conditions
        for start in range(0, len(ids), _CHUNK):
            these, given = self._connection.among("m.id", ids[start : start + _CHUNK])
            # CROSS keeps the planner from beginning with the sessions.
            sql = f"""SELECT m.id FROM messages m CROSS JOIN episodes e ON e.id = m.episode
              CROSS JOIN sessions s ON s.id = e.session
              WHERE s.hidden_at IS NULL AND {these} AND {" AND ".join(tests)}"""
            yield from self._connection.execute(sql, (*given, *values))
