"""Postings of messages, facts and reflections from the index of words."""

from collections.abc import Sequence

import numpy as np

from hermes.store.base.texts import Postings, TextScope
from hermes.store.postgres.banks import PostgresBanks
from hermes.store.postgres.connection import Connection, scalar
from hermes.store.postgres.matching import Finder, Within
from hermes.store.postgres.tokens import tokens
from hermes.store.postgres.words import Places, WordTable
from hermes.store.rows import ROLE_NUMBER
from hermes.store.text import index_form
from hermes.types import Role


class PostgresTexts:
    """The words of messages."""

    def __init__(self, connection: Connection, banks: PostgresBanks, table: WordTable) -> None:
        self._connection = connection
        self._banks = banks
        self.table = table

    def postings(self, word: str, scope: TextScope, limit: int) -> Postings:
        within = self._within(scope)
        if within is None:
            return Postings([], 0, complete=True)
        ids = Finder(self.table, within).newest([word], limit)
        if len(ids) < limit:
            return Postings(ids, len(ids), complete=True)
        return Postings(ids, self._estimate(ids), complete=False)

    def postings_all(self, words: Sequence[str], scope: TextScope, limit: int) -> list[int]:
        within = self._within(scope)
        return [] if within is None else Finder(self.table, within).newest(words, limit)

    def _within(self, scope: TextScope) -> Within | None:
        """The scope as numbers, None where nothing can match: no such bank, or no such session."""
        banks = banks_of(self._banks, scope)
        items = self._items_of(scope.session_id) if scope.session_id else None
        if (scope.bank and not banks) or (scope.session_id and items is None):
            return None
        roles = tuple(ROLE_NUMBER[Role(role)] for role in scope.roles)
        return Within(banks, roles, scope.first_id, scope.last_id, items)

    def _items_of(self, session_id: str) -> Places | None:
        sql = """SELECT m.id FROM sessions s LEFT JOIN episodes e ON e.session = s.id
          LEFT JOIN messages m ON m.episode = e.id WHERE s.uid = ?"""
        found = self._connection.execute(sql, (session_id,))
        numbers = [number for (number,) in found if number is not None]
        return np.array(numbers, dtype=np.int64) if found else None

    def size(self, scope: TextScope) -> tuple[int, int]:
        where, values = ("WHERE name = ?", (scope.bank,)) if scope.bank else ("", ())
        sums = "coalesce(sum(messages), 0)::int8, coalesce(sum(chars), 0)::int8"
        sql = f"SELECT {sums} FROM banks {where}"
        ((messages, chars),) = self._connection.execute(sql, values)
        return int(messages), int(chars)

    def tokens(self, text: str) -> list[str]:
        return tokens(text)

    def _estimate(self, ids: Sequence[int]) -> int:
        """How many match in all, if the older ones lie as densely as the newest."""
        first = scalar(self._connection, "SELECT min(id) FROM messages")
        last = scalar(self._connection, "SELECT max(id) FROM messages")
        seen = max(1, last - ids[-1] + 1)
        return max(len(ids), round(len(ids) * (last - first + 1) / seen))


class PostgresLearntTexts:
    """The words of facts or of reflections; `size` is a query of (count, characters) of a bank."""

    def __init__(
        self, connection: Connection, banks: PostgresBanks, table: WordTable, size: str
    ) -> None:
        self._connection = connection
        self._banks = banks
        self.table = table
        self._size = size

    def add(self, number: int, text: str, bank: int) -> None:
        self.table.add([(bank, number, 0, index_form(text))])

    def remove(self, number: int, text: str, bank: int) -> None:
        """Take a row out of the index; the text must be what `add` was given."""
        self.table.remove([(bank, number, 0, index_form(text))])

    def postings(self, word: str, scope: TextScope, limit: int) -> Postings:
        found = self.postings_all([word], scope, limit + 1)
        return Postings(found[:limit], len(found), complete=len(found) <= limit)

    def postings_all(self, words: Sequence[str], scope: TextScope, limit: int) -> list[int]:
        within = Within(banks_of(self._banks, scope))
        return Finder(self.table, within).newest(words, limit)

    def size(self, scope: TextScope) -> tuple[int, int]:
        bank = (self._banks.find_number(scope.bank) or -1) if scope.bank else 0
        ((count, chars),) = self._connection.execute(self._size, (bank,))
        return int(count), int(chars)

    def tokens(self, text: str) -> list[str]:
        return tokens(text)


def banks_of(banks: PostgresBanks, scope: TextScope) -> tuple[int, ...]:
    """The numbers of the banks of a scope: none where there is no such bank."""
    if not scope.bank:
        return tuple(banks.list_numbers())
    number = banks.find_number(scope.bank)
    return () if number is None else (number,)
