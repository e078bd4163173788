"""Which sessions facts have yet to be extracted from, on PostgreSQL.

Recording marks a session as pending whenever it grows, so finding the due ones reads only those.
"""

from hermes.store.base.extractions import EXTRACT
from hermes.store.postgres.connection import Connection, scalar
from hermes.store.rows import SESSION, session
from hermes.types import Session

# A session that was last active in the future was recorded by a clock gone wrong.
_DUE = f"""{SESSION} JOIN extractions x ON x.session = s.id
  WHERE x.pending AND s.hidden_at IS NULL AND
    (s.ended_at IS NOT NULL OR s.last_at <=  ?1 - ?2 OR s.last_at > ?1 + ?2)
    AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.kind = ?3 AND j.key = s.uid AND
      (j.state IN ('waiting', 'running') OR j.state = 'dead' AND j.finished_at >= s.last_at))
  ORDER BY s.last_at, s.id LIMIT ?4"""


class PostgresExtractions:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def list_due(self, *, now: int, idle_ms: int, limit: int) -> list[Session]:
        values = (now, idle_ms, EXTRACT, limit)
        return [session(row) for row in self._connection.execute(_DUE, values)]

    def count_pending(self) -> int:
        return scalar(self._connection, "SELECT count(*) FROM extractions WHERE pending")

    def upto(self, session_id: str) -> int:
        sql = """SELECT x.upto FROM extractions x JOIN sessions s ON s.id = x.session
          WHERE s.uid = ?"""
        return scalar(self._connection, sql, (session_id,))

    def mark(self, session_id: str, upto: int, *, now: int) -> None:
        sql = """UPDATE extractions SET upto = greatest(upto, ?1), at = ?2, pending = EXISTS
            (SELECT 1 FROM episodes e JOIN messages m ON m.episode = e.id
             WHERE e.session = extractions.session AND m.id > greatest(extractions.upto, ?1))
          WHERE session = (SELECT id FROM sessions WHERE uid = ?3)"""
        self._connection.execute(sql, (upto, now, session_id))

    def reset(self, session_id: str) -> None:
        sql = """UPDATE extractions SET upto = 0, pending = true
          WHERE session = (SELECT id FROM sessions WHERE uid = ?)"""
        self._connection.execute(sql, (session_id,))
