"""Shared notes, the same on every store."""

from hermes.store.base.notes import KeptPage, PageCopy
from hermes.store.tables.statements import ChangeLog, Statements

_PAGES = "SELECT name, text, version, erased, at FROM note_pages"
_SETTLED = "notes.settled_seq"
_COPIES = "SELECT home, page, version, at FROM note_copies"


class NotesTable:
    """The tables of pages and of the homes that show them."""

    def __init__(self, connection: Statements, changes: ChangeLog) -> None:
        self._connection = connection
        self._changes = changes

    def find(self, page: str) -> KeptPage | None:
        rows = self._connection.execute(f"{_PAGES} WHERE name = ?", (page,))
        return next((KeptPage(*row) for row in rows), None)

    def save(self, page: str, text: str, *, now: int, erasing: bool = False) -> KeptPage:
        before = self.find(page)
        version = before.version + 1 if before else 1
        erased = version if erasing else before.erased if before else 0
        if before is None:
            sql = "INSERT INTO note_pages (text, version, erased, at, name) VALUES (?, ?, ?, ?, ?)"
        else:
            sql = "UPDATE note_pages SET text = ?, version = ?, erased = ?, at = ? WHERE name = ?"
        self._connection.execute(sql, (text, version, erased, now, page))
        self._changes.record("note", version, version, "change" if before else "add")
        return KeptPage(page, text, version, erased, now)

    def note_copy(self, copy: PageCopy) -> None:
        values = (copy.version, copy.at, copy.home, copy.page)
        update = "UPDATE note_copies SET version = ?, at = ? WHERE home = ? AND page = ?"
        self._connection.execute(update, values)
        if not self._connection.changes():
            add = "INSERT INTO note_copies (version, at, home, page) VALUES (?, ?, ?, ?)"
            self._connection.execute(add, values)

    def forget_home(self, home: str) -> int:
        self._connection.execute("DELETE FROM note_copies WHERE home = ?", (home,))
        return self._connection.changes()

    def list_copies(self, home: str = "") -> list[PageCopy]:
        sql = f"{_COPIES} WHERE ?1 = '' OR home = ?1 ORDER BY home, page"
        return [PageCopy(*row) for row in self._connection.execute(sql, (home,))]

    def get_settled(self) -> int:
        rows = self._connection.execute("SELECT value FROM meta WHERE name = ?", (_SETTLED,))
        return next((int(value) for (value,) in rows), 0)

    def note_settled(self, seq: int) -> None:
        self._connection.execute("DELETE FROM meta WHERE name = ?", (_SETTLED,))
        sql = "INSERT INTO meta (name, value) VALUES (?, ?)"
        self._connection.execute(sql, (_SETTLED, str(seq)))

    def list(self) -> list[KeptPage]:
        return [KeptPage(*row) for row in self._connection.execute(f"{_PAGES} ORDER BY name")]
