"""The books of what calls to models cost, the same on every store."""

from dataclasses import astuple, replace
from typing import ClassVar

from hermes.store.base.spending import SpendingLine
from hermes.store.tables.statements import Statements

_ADDED = ("calls", "input_tokens", "output_tokens", "cached_tokens", "usd")
_COUNTS = ", ".join(_ADDED)
_SUMS = ", ".join(f"{name} = spending.{name} + excluded.{name}" for name in _ADDED)


class SpendingTable:
    """A line a day, profile, role and model; a store says what its columns are called."""

    _profile: ClassVar = "profile"
    _key: ClassVar = "day, profile, role, model"

    def __init__(self, connection: Statements) -> None:
        self._connection = connection

    def add(self, line: SpendingLine) -> None:
        sql = f"""INSERT INTO spending (day, {self._profile}, role, model, {_COUNTS}, guessed)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT ({self._key})
          DO UPDATE SET {_SUMS}, guessed = spending.guessed OR excluded.guessed"""
        self._connection.execute(sql, astuple(line))

    def list(self, profile: str, since_day: str, until_day: str) -> list[SpendingLine]:
        sql = f"""SELECT day, {self._profile}, role, model, {_COUNTS}, guessed FROM spending
          WHERE {self._profile} = ? AND day BETWEEN ? AND ? ORDER BY day, role, model"""
        found = self._connection.execute(sql, (profile, since_day, until_day))
        return [replace(SpendingLine(*row), guessed=bool(row[-1])) for row in found]
