"""The books of what calls to models cost, on PostgreSQL."""

from collections.abc import Sequence
from dataclasses import astuple
from typing import Any

from hermes.store.base.spending import SpendingLine
from hermes.store.postgres.connection import Connection

_ADD = """INSERT INTO spending (day, who, role, model, calls, input_tokens, output_tokens,
    cached_tokens, usd, guessed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (profile, bank, day, who, role, model) DO UPDATE SET
    calls = spending.calls + excluded.calls,
    input_tokens = spending.input_tokens + excluded.input_tokens,
    output_tokens = spending.output_tokens + excluded.output_tokens,
    cached_tokens = spending.cached_tokens + excluded.cached_tokens,
    usd = spending.usd + excluded.usd,
    guessed = spending.guessed OR excluded.guessed"""
_LIST = """SELECT day, who, role, model, calls, input_tokens, output_tokens, cached_tokens, usd,
    guessed FROM spending WHERE who = ? AND day BETWEEN ? AND ? ORDER BY day, role, model"""


class PostgresSpending:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, line: SpendingLine) -> None:
        self._connection.execute(_ADD, astuple(line))

    def list(self, profile: str, since_day: str, until_day: str) -> list[SpendingLine]:
        found = self._connection.execute(_LIST, (profile, since_day, until_day))
        return [_line(row) for row in found]


def _line(row: Sequence[Any]) -> SpendingLine:
    return SpendingLine(*row)
