"""What records and rows have in common on their way in."""

import json
from collections.abc import Sequence
from typing import Any

from hermes.errors import UserError
from hermes.store.base.portable import Record
from hermes.store.postgres.banks import PostgresBanks
from hermes.store.postgres.counters import PostgresChanges
from hermes.types import Trust


def bank_number(banks: PostgresBanks, name: str) -> int:
    number = banks.find_number(name)
    if number is None:
        raise wrong(f"bank {name!r} is not in the file")
    return number


def log_added(changes: PostgresChanges, kind: str, records: Sequence[Record]) -> None:
    changes.record(kind, records[0]["id"], records[-1]["id"], "add")


def list_of(record: Record, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = record.get(name, [])
    return found


def trust_number(record: Record) -> int:
    return int(Trust[record["trust"].upper()])


def as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def wrong(what: str) -> UserError:
    return UserError(f"The file does not hold together: {what}.", "Export it anew.")
