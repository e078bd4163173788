"""What is noted of records that came in."""

from collections.abc import Sequence

from hermes.store.base.portable import Record
from hermes.store.sqlite.connection import Connection


def log_added(connection: Connection, kind: str, records: Sequence[Record]) -> None:
    sql = "INSERT INTO changes (kind, first, last, op) VALUES (?, ?, ?, 'add')"
    connection.execute(sql, (kind, records[0]["id"], records[-1]["id"]))
