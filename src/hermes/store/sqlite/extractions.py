"""Which sessions facts have yet to be extracted from, on SQLite.

A trigger marks a session as pending whenever it grows, so finding the due ones reads only those.
"""

from hermes.store.base.extractions import EXTRACT
from hermes.store.sqlite import rows
from hermes.store.sqlite.connection import Connection, scalar
from hermes.types import Session

# A session that was last active in the future was recorded by a clock gone wrong.
_DUE = f"""{rows.SESSION} JOIN extractions x ON x.session = s.id
  WHERE x.pending AND s.hidden_at IS NULL AND
    (s.ended_at IS NOT NULL OR s.last_at <= :now - :idle OR s.last_at > :now + :idle)
    AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.kind = :kind AND j.key = s.uid AND
      (j.state IN ('waiting', 'running') OR j.state = 'dead' AND j.finished_at >= s.last_at))
  ORDER BY s.last_at, s.id LIMIT :limit"""


class SqliteExtractions:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def list_due(self, *, now: int, idle_ms: int, limit: int) -> list[Session]:
        values = {"now": now, "idle": idle_ms, "limit": limit, "kind": EXTRACT}
        return [rows.session(row) for row in self._connection.execute(_DUE, values)]

    def count_pending(self) -> int:
        return scalar(self._connection, "SELECT count(*) FROM extractions WHERE pending")

    def upto(self, session_id: str) -> int:
        sql = """SELECT x.upto FROM extractions x JOIN sessions s ON s.id = x.session
          WHERE s.uid = ?"""
        return scalar(self._connection, sql, (session_id,))

    def mark(self, session_id: str, upto: int, *, now: int) -> None:
        sql = """UPDATE extractions SET upto = max(upto, :upto), at = :now, pending = EXISTS
            (SELECT 1 FROM episodes e JOIN messages m ON m.episode = e.id
             WHERE e.session = extractions.session AND m.id > max(extractions.upto, :upto))
          WHERE session = (SELECT id FROM sessions WHERE uid = :session)"""
        values = {"upto": upto, "now": now, "session": session_id}
        self._connection.execute(sql, values)

    def reset(self, session_id: str) -> None:
        sql = """UPDATE extractions SET upto = 0, pending = 1
          WHERE session = (SELECT id FROM sessions WHERE uid = ?)"""
        self._connection.execute(sql, (session_id,))
