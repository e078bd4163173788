"""Sessions as they are read and changed, the same on every store."""

from collections.abc import Iterable

from hermes.errors import NotFound
from hermes.store.base.conversations import SessionFilter
from hermes.store.base.portable import ARRIVING
from hermes.store.rows import SESSION, session
from hermes.store.tables.overview import MENTIONING, expect_anchor, older_than
from hermes.store.tables.statements import ChangeLog, Statements
from hermes.types import Session


class SessionTable:
    """The sessions behind a connection."""

    _connection: Statements
    _changes: ChangeLog

    def find_session(self, session_id: str) -> Session | None:
        sql = f"{SESSION} WHERE s.uid = ? AND s.hidden_at IS NULL"
        return next(map(session, self._connection.execute(sql, (session_id,))), None)

    def list_sessions(self, wanted: SessionFilter, limit: int) -> list[Session]:
        if wanted.before_id:
            expect_anchor(self._connection, wanted.before_id)
        where, bindings = _conditions(wanted)
        sql = f"{SESSION} WHERE {where} ORDER BY s.last_at DESC, s.id DESC LIMIT ?"
        return [session(row) for row in self._connection.execute(sql, (*bindings, limit))]

    def end_session(self, session_id: str, at: int) -> None:
        self._change_session(session_id, "ended_at = ?", at)

    def retitle_session(self, session_id: str, title: str) -> None:
        self._change_session(session_id, "title = ?", title)

    def hide_session(self, session_id: str, at: int) -> None:
        self._change_session(session_id, "hidden_at = ?", at)

    def restore_session(self, session_id: str) -> None:
        self._change_session(session_id, "hidden_at = ?", None)

    def _change_session(self, session_id: str, assignment: str, value: object) -> None:
        sql = f"""UPDATE sessions SET {assignment}
          WHERE uid = ? AND hidden_at IS DISTINCT FROM {ARRIVING} RETURNING id"""
        changed = [row for (row,) in self._connection.execute(sql, (value, session_id))]
        if not changed:
            hint = "See `hermes sessions list`."
            raise NotFound(f"There is no session {session_id!r}.", hint)
        self._changes.record("session", changed[0], changed[0], "change")


def _conditions(wanted: SessionFilter) -> tuple[str, list[object]]:
    hidden = "s.hidden_at >= 0" if wanted.deleted else "s.hidden_at IS NULL"
    pairs: Iterable[tuple[str, object]] = (
        ("b.name = ?", wanted.bank or None),
        ("s.platform = ?", wanted.platform or None),
        ("s.identity = ?", wanted.identity or None),
        ("s.parent = ?", wanted.parent_id or None),
        ("s.last_at >= ?", wanted.since_at),
        ("s.last_at < ?", wanted.before_at),
        (older_than(wanted.seen_at), wanted.before_id or None),
        (MENTIONING, wanted.entity_id),
    )
    used = [(condition, value) for condition, value in pairs if value is not None]
    where = " AND ".join([hidden, *(condition for condition, _ in used)])
    return where, [value for _, value in used]
