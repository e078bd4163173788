"""What becomes of jobs: claimed, kept, finished, failed, cancelled; the same on every store.

Leases and their tokens are decided here once. A store adds how a row is inserted, how the next
one due is found, and where its numbers come from.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from hermes.errors import Conflict, NotFound
from hermes.store.base.jobs import (
    MAX_ATTEMPTS,
    Job,
    JobFilter,
    JobState,
    Lease,
    Progress,
)
from hermes.store.tables.statements import Statements

COLUMNS = """id, kind, key, payload, state, run_at, created_at, attempts, max_attempts, token,
  owner, started_at, finished_at, done, total, text, saved, error, cancelling"""
UNFINISHED = "state IN ('waiting', 'running')"

_HELD = "WHERE id = ? AND token = ? AND state = 'running'"
_DIED = "its worker died, or did not finish in time, at every attempt"


class JobTable:
    """The table of jobs behind a connection; a store finishes it."""

    def __init__(self, connection: Statements) -> None:
        self._connection = connection

    def add(
        self,
        kind: str,
        key: str = "",
        *,
        now: int,
        payload: Mapping[str, object] | None = None,
        run_at: int | None = None,
        max_attempts: int = MAX_ATTEMPTS,
    ) -> int:
        due_at = now if run_at is None else run_at
        return self._insert((kind, key, _render(payload or {}), due_at, now, max_attempts))

    def _insert(self, values: tuple[object, ...]) -> int:
        """Add a job, or bring the unfinished one of its kind and key forward; its number."""
        raise NotImplementedError

    def _find_due(self, kinds: Sequence[str], now: int, *, claiming: bool) -> list[Any]:
        """The row of the job that is due first, held against others while it is claimed."""
        raise NotImplementedError

    def _next_token(self) -> int:
        raise NotImplementedError

    def set_planned(self, name: str, at: int) -> None:
        raise NotImplementedError

    def claim(self, kinds: Sequence[str], lease: Lease) -> Job | None:
        while (job := self._first_due(kinds, lease.now, claiming=True)) is not None:
            if job.cancelling:
                self._end(job.id, JobState.CANCELLED, lease.now, job.error)
            elif job.attempts >= job.max_attempts:
                self._end(job.id, JobState.DEAD, lease.now, job.error or _DIED)
            else:
                return self._take(job.id, lease)
        return None

    def beat(self, job: Job, lease: Lease, progress: Progress | None = None) -> bool:
        sql = f"UPDATE jobs SET run_at = ?, lease_ms = ? {_HELD} RETURNING cancelling"
        until = lease.now + lease.for_ms
        wanted = self._held(job, sql, until, lease.for_ms)
        if progress is not None:
            sql = "UPDATE jobs SET done = ?, total = ?, text = ? WHERE id = ?"
            values = (progress.done, progress.total, progress.text, job.id)
            self._connection.execute(sql, values)
        return bool(wanted)

    def save(self, job: Job, saved: Mapping[str, object]) -> None:
        self._held(job, f"UPDATE jobs SET saved = ? {_HELD} RETURNING 1", _render(saved))

    def complete(self, job: Job, *, now: int) -> None:
        self._held(job, f"UPDATE jobs SET error = '' {_HELD} RETURNING 1")
        self._end(job.id, JobState.DONE, now, "")

    def fail(self, job: Job, error: str, *, now: int, retry_at: int | None) -> JobState:
        cancelling = self._held(
            job, f"UPDATE jobs SET error = ? {_HELD} RETURNING cancelling", error
        )
        if cancelling or retry_at is None:
            state = JobState.CANCELLED if cancelling else JobState.DEAD
            self._end(job.id, state, now, error)
            return state
        sql = "UPDATE jobs SET state = 'waiting', run_at = ?, owner = '' WHERE id = ?"
        self._connection.execute(sql, (retry_at, job.id))
        return JobState.WAITING

    def release(self, job: Job, *, now: int) -> None:
        sql = f"""UPDATE jobs SET state = 'waiting', run_at = ?, owner = '',
          attempts = attempts - 1 {_HELD} RETURNING 1"""
        self._held(job, sql, now)

    def release_owner(self, owner: str, *, now: int) -> int:
        sql = """UPDATE jobs SET state = 'waiting', run_at = ?, owner = ''
          WHERE state = 'running' AND owner = ?"""
        self._connection.execute(sql, (now, owner))
        return self._connection.changes()

    def cancel(self, number: int, *, now: int) -> JobState:
        job = self._get(number)
        if job.state is JobState.RUNNING:
            sql = "UPDATE jobs SET cancelling = ?, again_at = NULL WHERE id = ?"
            self._connection.execute(sql, (True, number))
            return JobState.RUNNING
        if job.state is not JobState.WAITING:
            raise Conflict(
                f"Job {number} is {job.state}.", "Only unfinished jobs can be cancelled."
            )
        self._end(number, JobState.CANCELLED, now, job.error)
        return JobState.CANCELLED

    def retry(self, number: int, *, now: int) -> None:
        job = self._get(number)
        if job.state is JobState.RUNNING:
            raise Conflict(f"Job {number} is running.", "Wait for it, or cancel it first.")
        twin = self._unfinished(job.kind, job.key)
        if twin not in (None, number):
            raise Conflict(
                f"Job {twin} does the same and is unfinished.", "See `hermes jobs list`."
            )
        sql = """UPDATE jobs SET state = 'waiting', run_at = ?, attempts = 0, cancelling = ?,
          finished_at = NULL, again_at = NULL WHERE id = ?"""
        self._connection.execute(sql, (now, False, number))

    def find(self, number: int) -> Job | None:
        return self._select("WHERE id = ?", number)

    def find_last(self, kind: str, key: str = "") -> Job | None:
        return self._select("WHERE kind = ? AND key = ? ORDER BY id DESC LIMIT 1", kind, key)

    def list(self, wanted: JobFilter, limit: int) -> list[Job]:
        pairs: list[tuple[str, object]] = [("kind = ?", wanted.kind)] if wanted.kind else []
        if wanted.key is not None:
            pairs.append(("key = ?", wanted.key))
        tests = [test for test, _ in pairs]
        if wanted.states:
            tests.append(f"state IN ({_marks(wanted.states)})")
        where = " AND ".join(tests) or "1 = 1"
        values = [value for _, value in pairs] + [str(state) for state in wanted.states]
        sql = f"""SELECT {COLUMNS} FROM jobs WHERE {where}
          ORDER BY ({UNFINISHED}) DESC, id DESC LIMIT ?"""
        return [_job(row) for row in self._connection.execute(sql, (*values, limit))]

    def count(self) -> dict[str, dict[JobState, int]]:
        counts: dict[str, dict[JobState, int]] = {}
        sql = "SELECT kind, state, count(*) FROM jobs GROUP BY kind, state"
        for kind, state, number in self._connection.execute(sql):
            counts.setdefault(kind, {})[JobState(state)] = number
        return counts

    def has_due(self, kinds: Sequence[str], *, now: int) -> bool:
        return self._first_due(kinds, now) is not None

    def prune(self, *, keep: int, before_at: int) -> int:
        over = "state IN ('done', 'cancelled')"
        sql = f"""DELETE FROM jobs WHERE {over} AND id <=
            (SELECT id FROM jobs WHERE {over} ORDER BY id DESC LIMIT 1 OFFSET ?)
          OR state = 'dead' AND finished_at < ?"""
        self._connection.execute(sql, (keep, before_at))
        return self._connection.changes()

    def last_planned(self, name: str) -> int | None:
        sql = "SELECT planned_at FROM schedules WHERE name = ?"
        return next(iter([int(at) for (at,) in self._connection.execute(sql, (name,))]), None)

    def _first_due(self, kinds: Sequence[str], now: int, *, claiming: bool = False) -> Job | None:
        rows = self._find_due(kinds, now, claiming=claiming)
        return _job(rows[0]) if rows else None

    def _take(self, number: int, lease: Lease) -> Job:
        token = self._next_token()
        sql = """UPDATE jobs SET state = 'running', token = ?, owner = ?, run_at = ?, lease_ms = ?,
          attempts = attempts + 1, started_at = ? WHERE id = ?"""
        until = lease.now + lease.for_ms
        values = (token, lease.owner, until, lease.for_ms, lease.now, number)
        self._connection.execute(sql, values)
        return self._get(number)

    def _end(self, number: int, state: JobState, now: int, error: str) -> None:
        """Finish a job; if it was asked for again while it ran, another follows."""
        sql = """UPDATE jobs SET state = ?, finished_at = ?, error = ?, owner = '' WHERE id = ?
          RETURNING kind, key, payload, again_at, max_attempts"""
        ((kind, key, payload, again_at, most),) = list(
            self._connection.execute(sql, (str(state), now, error, number))
        )
        if again_at is not None:
            values = json.loads(payload)
            self.add(kind, key, now=now, payload=values, run_at=again_at, max_attempts=most)

    def _held(self, job: Job, sql: str, *values: object) -> int:
        """Change a job that is still held under its token; what the change returns."""
        rows = list(self._connection.execute(sql, (*values, job.id, job.token)))
        if not rows:
            raise Conflict(
                f"Job {job.id} ({job.kind}) is no longer held by this worker.",
                "Another worker took it over; nothing of this attempt was kept.",
            )
        return int(rows[0][0])

    def _unfinished(self, kind: str, key: str) -> int | None:
        sql = f"SELECT id FROM jobs WHERE kind = ? AND key = ? AND {UNFINISHED}"
        return next((int(found) for (found,) in self._connection.execute(sql, (kind, key))), None)

    def _get(self, number: int) -> Job:
        job = self.find(number)
        if job is None:
            raise NotFound(f"There is no job {number}.", "See `hermes jobs list`.")
        return job

    def _select(self, where: str, *values: object) -> Job | None:
        rows = list(self._connection.execute(f"SELECT {COLUMNS} FROM jobs {where}", values))
        return _job(rows[0]) if rows else None


def _job(row: Sequence[Any]) -> Job:
    state = JobState(row[4])
    return Job(
        id=row[0],
        kind=row[1],
        key=row[2],
        payload=json.loads(row[3]),
        state=state,
        run_at=row[5],
        created_at=row[6],
        attempts=row[7],
        max_attempts=row[8],
        token=row[9],
        owner=row[10],
        leased_until_at=row[5] if state is JobState.RUNNING else None,
        started_at=row[11],
        finished_at=row[12],
        progress=Progress(row[13], row[14], row[15]),
        saved=json.loads(row[16]),
        error=row[17],
        cancelling=bool(row[18]),
    )


def _render(value: Mapping[str, object]) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))
