"""What erasing leaves behind and cleans up, the same on every store."""

from collections.abc import Sequence
from typing import ClassVar

from hermes.store.archive import without_payloads
from hermes.store.base.erase import Tombstone
from hermes.store.tables.dictionaries import Dictionaries
from hermes.store.tables.statements import Statements


class ErasureTable:
    """Tombstones, archives and dictionaries behind a connection."""

    _connection: Statements
    _dictionaries: Dictionaries
    _newer_stone: ClassVar[str]  # what to do where a tombstone is there already

    def forget_keys(self) -> None:
        self._connection.execute("DELETE FROM keys")

    def add_tombstones(self, stones: Sequence[Tombstone]) -> None:
        sql = f"""INSERT INTO tombstones (digest, kind, at, words) VALUES (?, ?, ?, ?)
          {self._newer_stone}"""
        self._connection.executemany(sql, [(s.digest, s.kind, s.at, s.words) for s in stones])

    def list_tombstones(self) -> list[Tombstone]:
        sql = "SELECT digest, kind, at, words FROM tombstones ORDER BY digest"
        return [Tombstone(bytes(d), k, at, n) for d, k, at, n in self._connection.execute(sql)]

    def note_removed(self, texts: Sequence[str]) -> None:
        self._dictionaries.note_removed(texts)

    def renew_dictionary(self, now: int) -> bool:
        return self._dictionaries.renew(now)

    def fit_dictionary(self) -> bool:
        return self._dictionaries.fit()

    def reencode(self, after: int, limit: int) -> int:
        return self._dictionaries.reencode(after, limit)

    def _drop_archived_payloads(self, media_types: Sequence[str]) -> None:
        archives = list(self._connection.execute("SELECT summary, content FROM archives"))
        for number, blob in archives:
            kept = without_payloads(bytes(blob), media_types)
            if kept is not None:
                sql = "UPDATE archives SET content = ? WHERE summary = ?"
                self._connection.execute(sql, (kept, number))
