"""What is noted of records that came in."""

from collections.abc import Sequence

from hermes.store.base.portable import Record
from hermes.store.postgres.counters import PostgresChanges


def log_added(changes: PostgresChanges, kind: str, records: Sequence[Record]) -> None:
    changes.record(kind, records[0]["id"], records[-1]["id"], "add")
