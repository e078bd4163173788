"""Records on their way in, in a database of their own beside the real one, under the same key."""

import json
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from hermes.config.files import FILE_MODE
from hermes.store.base.portable import Record
from hermes.store.sqlite.connection import Connection, Database, connect, scalar, translated

_TABLE = """CREATE TABLE IF NOT EXISTS records (
  n INTEGER PRIMARY KEY, section TEXT NOT NULL, body TEXT NOT NULL)"""
_INDEX = "CREATE INDEX IF NOT EXISTS records_by_section ON records (section, n)"


class SqliteStage:
    def __init__(self, database: Database) -> None:
        self._path = database.path
        # SQLite gives its files the mode of the first: it must be there, and private, before.
        os.close(os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, FILE_MODE))
        self._path.chmod(FILE_MODE)
        self._connection: Connection = connect(database, writable=True)
        with translated(self._path):
            self._connection.execute(_TABLE)
            self._connection.execute(_INDEX)

    def count(self) -> int:
        return scalar(self._connection, "SELECT count(*) FROM records")

    def add(self, records: Sequence[tuple[str, Record]]) -> None:
        sql = "INSERT INTO records (section, body) VALUES (?, ?)"
        rows = [(section, json.dumps(body, ensure_ascii=False)) for section, body in records]
        with translated(self._path), self._connection:
            self._connection.executemany(sql, rows)

    def list_records(self, section: str, after: int, limit: int) -> list[tuple[int, Record]]:
        sql = "SELECT n, body FROM records WHERE section = ? AND n > ? ORDER BY n LIMIT ?"
        rows = list(self._connection.execute(sql, (section, after, limit)))
        return [(n, json.loads(body)) for n, body in rows]

    def close(self) -> None:
        self._connection.close()

    def discard(self) -> None:
        self.close()
        for end in ("", "-wal", "-shm", "-journal"):
            Path(f"{self._path}{end}").unlink(missing_ok=True)


def open_stage(database: Database, path: Path) -> SqliteStage:
    return SqliteStage(replace(database, path=path))
