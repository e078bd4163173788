"""Looking over a whole memory on PostgreSQL."""

from collections.abc import Iterable, Sequence

from hermes.store.tables.overview import Conditions, OverviewTable


class PostgresOverview(OverviewTable):
    _bank_of_message = "m.bank"

    def _shown(self, ids: Sequence[int], conditions: Conditions) -> Iterable[tuple[int]]:
        tests, values = conditions
        these, given = self._connection.among("m.id", ids)
        sql = f"""SELECT m.id FROM messages m JOIN sessions s ON s.id = m.session
          WHERE s.hidden_at IS NULL AND {these} AND {" AND ".join(tests)}"""
        return self._connection.execute(sql, (*given, *values))
