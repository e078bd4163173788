"""The books of what calls to models cost, on SQLite."""

from collections.abc import Sequence
from dataclasses import astuple, replace
from typing import Any

from hermes.store.base.spending import SpendingLine
from hermes.store.sqlite.connection import Connection

_ADD = """INSERT INTO spending (day, profile, role, model, calls, input_tokens, output_tokens,
    cached_tokens, usd, guessed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (day, profile, role, model) DO UPDATE SET
    calls = calls + excluded.calls,
    input_tokens = input_tokens + excluded.input_tokens,
    output_tokens = output_tokens + excluded.output_tokens,
    cached_tokens = cached_tokens + excluded.cached_tokens,
    usd = usd + excluded.usd,
    guessed = max(guessed, excluded.guessed)"""
_LIST = """SELECT day, profile, role, model, calls, input_tokens, output_tokens, cached_tokens, usd,
    guessed FROM spending WHERE profile = ? AND day BETWEEN ? AND ? ORDER BY day, role, model"""


class SqliteSpending:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, line: SpendingLine) -> None:
        self._connection.execute(_ADD, astuple(line))

    def list(self, profile: str, since_day: str, until_day: str) -> list[SpendingLine]:
        found = self._connection.execute(_LIST, (profile, since_day, until_day))
        return [_line(row) for row in found]


def _line(row: Sequence[Any]) -> SpendingLine:
    return replace(SpendingLine(*row), guessed=bool(row[-1]))
