"""Numbers that are counted on, and the change sequence: kept in memory while a transaction lasts.

Only a transaction that holds its profile's lock counts, so what it read once stays true, and what
it counted is written in one go before the commit.
"""

from collections.abc import Sequence

from hermes.store.base import Change
from hermes.store.codec import SAMPLES
from hermes.store.postgres.connection import Connection, scalar

FIRST = {"dictionary": SAMPLES}  # the message count at which a dictionary is to be learnt
_SAVE = """INSERT INTO counters (name, value) SELECT * FROM unnest(?::text[], ?::int8[])
  ON CONFLICT (profile, bank, name) DO UPDATE SET value = excluded.value"""


class Counters:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._values: dict[str, int] | None = None
        self._counted: dict[str, int] = {}

    def get(self, name: str) -> int:
        return self._loaded().get(name, FIRST.get(name, 0))

    def take(self, name: str, count: int = 1) -> int:
        """The first of `count` numbers that nothing had before."""
        first = self.get(name) + 1
        self.set(name, first + count - 1)
        return first

    def set(self, name: str, value: int) -> None:
        self._loaded()[name] = value
        self._counted[name] = value

    def raise_to(self, name: str, value: int) -> None:
        """Let no number up to this be given again."""
        if value > self.get(name):
            self.set(name, value)

    def flush(self) -> None:
        if self._counted:
            self._connection.defer(_SAVE, (list(self._counted), list(self._counted.values())))
            self._counted = {}

    def _loaded(self) -> dict[str, int]:
        if self._values is None:
            found = self._connection.execute("SELECT name, value FROM counters")
            self._values = {str(name): int(value) for name, value in found}
        return self._values


class PostgresChanges:
    def __init__(self, connection: Connection, counters: Counters) -> None:
        self._connection = connection
        self._counters = counters
        self._pending: list[tuple[int, str, int, int, str]] = []
        self._latest = 0

    def latest(self) -> int:
        if self._pending:
            return self._pending[-1][0]
        return scalar(self._connection, "SELECT max(seq) FROM changes")

    def since(self, seq: int, limit: int = 10_000) -> list[Change]:
        self.flush()
        sql = "SELECT seq, kind, first, last, op FROM changes WHERE seq > ? ORDER BY seq LIMIT ?"
        return [Change(*row) for row in self._connection.execute(sql, (seq, limit))]

    def record(self, kind: str, first: int, last: int, op: str) -> int:
        seq = self._counters.take("change")
        self._pending.append((seq, kind, first, last, op))
        return seq

    def record_all(self, kind: str, ids: Sequence[int], op: str) -> None:
        """A line for each run of consecutive numbers."""
        start = 0
        for n in range(1, len(ids) + 1):
            if n == len(ids) or ids[n] != ids[n - 1] + 1:
                self.record(kind, ids[start], ids[n - 1], op)
                start = n

    def flush(self) -> int:
        """Write what was recorded; the number of the last line, 0 for none."""
        columns = "seq int8, kind text, first int8, last int8, op text"
        rows, self._pending = self._pending, []
        self._connection.insert("changes", columns, rows)
        self._latest = rows[-1][0] if rows else self._latest
        return self._latest
