"""Jobs on PostgreSQL."""

from collections.abc import Sequence
from typing import Any

from hermes.clock import DAY_MS
from hermes.store.postgres.connection import Connection, scalar
from hermes.store.postgres.counters import Counters
from hermes.store.tables.jobs import COLUMNS, UNFINISHED, JobTable

# A lease, or a wait between attempts, that ends later than any can was set by a clock gone wrong.
_DUE = f"""{UNFINISHED} AND (run_at <= ?1
  OR state = 'running' AND run_at > ?1 + 2 * lease_ms
  OR state = 'waiting' AND attempts > 0 AND run_at > ?1 + {DAY_MS})"""
_SKIP = "FOR UPDATE SKIP LOCKED"


class PostgresJobs(JobTable):
    _connection: Connection

    def __init__(self, connection: Connection, counters: Counters) -> None:
        super().__init__(connection)
        self._counters = counters

    def set_planned(self, name: str, at: int) -> None:
        sql = """INSERT INTO schedules (name, planned_at) VALUES (?, ?)
          ON CONFLICT (profile, bank, name) DO UPDATE SET planned_at = excluded.planned_at"""
        self._connection.execute(sql, (name, at))

    def _insert(self, values: tuple[object, ...]) -> int:
        sql = f"""INSERT INTO jobs (id, kind, key, payload, run_at, created_at, max_attempts)
          VALUES (?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT (profile, bank, kind, key) WHERE {UNFINISHED} DO UPDATE SET
            again_at = CASE WHEN jobs.state = 'running'
              THEN least(coalesce(jobs.again_at, excluded.run_at), excluded.run_at)
              ELSE jobs.again_at END,
            run_at = CASE WHEN jobs.state = 'running' THEN jobs.run_at
              ELSE least(jobs.run_at, excluded.run_at) END
          RETURNING id"""
        new = self._counters.take("job")  # left unused where a job of that key waits already
        return scalar(self._connection, sql, (new, *values))

    def _find_due(self, kinds: Sequence[str], now: int, *, claiming: bool) -> list[Any]:
        lock = _SKIP if claiming else ""
        sql = f"""SELECT {COLUMNS} FROM jobs WHERE {_DUE} AND kind = ANY(?2)
          ORDER BY run_at, id LIMIT 1 {lock}"""
        return self._connection.execute(sql, (now, list(kinds)))

    def _next_token(self) -> int:
        return self._counters.take("job_token")
