"""What SQLite would do inside a commit now and then, done while nobody waits for one.

Every so many commits FTS5 merges a few megabytes of its index, and SQLite folds the log into the
file: whoever commits then waits a tenth of a second. Between two changes the writer does both in
steps of a millisecond or two, so that a commit finds nothing left to do. Where changes come without
a pause, as in an import, all stays as it was: what is due is done by the commit that makes it due.
"""

from contextlib import suppress

import apsw

from hermes.store.sqlite.connection import (
    BUSY_TIMEOUT_MS,
    LOG_PAGES,
    Connection,
    pragma,
    scalar,
)
from hermes.store.sqlite.maintenance import merge_step

FOLD_PAGES = LOG_PAGES // 4  # what is folded in between changes: well before a commit would
MERGE_PAGES = 16  # of the index in a step, 8 KB each
SEGMENTS = 7  # are merged here; the index itself merges eight (migration 0001)
_INDEX = "message_text"


class Upkeep:
    """Looks after the index and the log of the writing connection, on the writer's thread."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._logged_pages = 0
        self._is_merged = True
        self._is_set_up = False
        connection.set_wal_hook(self._note_commit)

    @property
    def is_due(self) -> bool:
        """Whether a step could have something to do."""
        return not self._is_merged or self._logged_pages >= FOLD_PAGES

    def set_up(self) -> None:
        """Have merging on request begin one segment earlier than merging inside a commit.

        Written along with a change: by itself it would be left in a log that was just emptied.
        """
        if self._is_set_up:
            return
        known = scalar(self._connection, f"SELECT v FROM {_INDEX}_config WHERE k = 'usermerge'")
        if known != SEGMENTS:
            sql = f"INSERT INTO {_INDEX} ({_INDEX}, rank) VALUES ('usermerge', ?)"
            self._connection.execute(sql, (SEGMENTS,))

    def note_change(self) -> None:
        """A change was committed, and with it what was set up: the index may have grown."""
        self._is_merged, self._is_set_up = False, True

    def step(self) -> None:
        """Do a little of what is due; nothing where another process is writing."""
        try:
            if not self._is_merged:
                self._is_merged = not self._merge_some()
            elif self._logged_pages >= FOLD_PAGES:
                self._fold()
        except (apsw.BusyError, apsw.FullError, apsw.ReadOnlyError):
            # Whoever commits next will meet the same, and tell: here it is only put off.
            self._is_merged, self._logged_pages = True, 0

    def _merge_some(self) -> bool:
        """Merge a few pages of the index; whether there was something to merge."""
        run = self._connection
        run.set_busy_timeout(0)  # a change that comes, or closing, would wait along
        try:
            run.execute("BEGIN IMMEDIATE")
        finally:
            run.set_busy_timeout(BUSY_TIMEOUT_MS)
        try:
            has_merged = merge_step(run, _INDEX, MERGE_PAGES)
            run.execute("COMMIT")
        except BaseException:
            if run.in_transaction:
                run.execute("ROLLBACK")
            raise
        return has_merged

    def _fold(self) -> None:
        """Copy the log into the file, as far as readers let it; never wait for them."""
        self._logged_pages = 0  # told anew by the next commit
        with suppress(apsw.LockedError):
            pragma(self._connection, "wal_checkpoint(PASSIVE)")

    def _note_commit(self, connection: apsw.Connection, name: str, pages: int) -> int:
        """Called after each commit in place of SQLite's own rule, which it keeps to.

        It never fails: the commit stands, and would be taken for undone and made again.
        """
        self._logged_pages = pages
        if pages >= LOG_PAGES:
            with suppress(apsw.Error):  # as SQLite does: whoever writes next meets the same
                self._fold()
        return apsw.SQLITE_OK
