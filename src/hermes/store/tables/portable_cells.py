"""What records and rows have in common on their way in, on every store."""

import json
from typing import Any

from hermes.errors import UserError
from hermes.store.base.portable import Record
from hermes.store.tables.statements import BankNumbers
from hermes.types import Trust


def bank_number(banks: BankNumbers, name: str) -> int:
    number = banks.find_number(name)
    if number is None:
        raise wrong(f"bank {name!r} is not in the file")
    return number


def list_of(record: Record, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = record.get(name, [])
    return found


def trust_number(record: Record) -> int:
    return int(Trust[record["trust"].upper()])


def as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def wrong(what: str) -> UserError:
    return UserError(f"The file does not hold together: {what}.", "Export it anew.")
