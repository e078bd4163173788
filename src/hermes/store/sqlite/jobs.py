"""Jobs on SQLite."""

import json
from collections.abc import Sequence
from typing import Any

from hermes.clock import DAY_MS
from hermes.store.sqlite.connection import Connection, scalar
from hermes.store.tables.jobs import COLUMNS, UNFINISHED, JobTable

# A lease, or a wait between attempts, that ends later than any can was set by a clock gone wrong.
_DUE = f"""{UNFINISHED} AND (run_at <= :now
  OR state = 'running' AND run_at > :now + 2 * lease_ms
  OR state = 'waiting' AND attempts > 0 AND run_at > :now + {DAY_MS})"""


class SqliteJobs(JobTable):
    _connection: Connection

    def set_planned(self, name: str, at: int) -> None:
        sql = """INSERT INTO schedules (name, planned_at) VALUES (?, ?)
          ON CONFLICT (name) DO UPDATE SET planned_at = excluded.planned_at"""
        self._connection.execute(sql, (name, at))

    def _insert(self, values: tuple[object, ...]) -> int:
        sql = f"""INSERT INTO jobs (kind, key, payload, run_at, created_at, max_attempts)
          VALUES (?, ?, ?, ?, ?, ?)
          ON CONFLICT (kind, key) WHERE {UNFINISHED} DO UPDATE SET
            again_at = iif(state = 'running',
              min(ifnull(again_at, excluded.run_at), excluded.run_at), again_at),
            run_at = iif(state = 'running', run_at, min(run_at, excluded.run_at))
          RETURNING id"""
        return scalar(self._connection, sql, values)

    def _find_due(self, kinds: Sequence[str], now: int, *, claiming: bool) -> list[Any]:
        sql = f"""SELECT {COLUMNS} FROM jobs WHERE {_DUE}
          AND kind IN (SELECT value FROM json_each(:kinds)) ORDER BY run_at, id LIMIT 1"""
        values = {"now": now, "kinds": json.dumps(list(kinds))}
        return list(self._connection.execute(sql, values))

    def _next_token(self) -> int:
        sql = "UPDATE counters SET value = value + 1 WHERE name = 'job_token' RETURNING value"
        return scalar(self._connection, sql)
