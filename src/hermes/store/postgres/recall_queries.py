"""Whole columns out of PostgreSQL, fast: as one copy of rows of one width, read by numpy."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from hermes.store.base.recall import LAST_ID, OutlineRows, Spoken, WordPostings
from hermes.store.postgres import rows
from hermes.store.postgres.banks import PostgresBanks
from hermes.store.postgres.connection import Connection
from hermes.store.postgres.matching import Finder, Within
from hermes.store.postgres.words import WordTable
from hermes.store.rows import parse_calls, spoken
from hermes.store.text import render_calls

Numbers = npt.NDArray[np.int64]

_HEAD_BYTES = 19  # of a binary copy: signature, flags, and the length of an extension
_END_BYTES = 2
_ROW = np.dtype([("fields", ">i2"), ("cells", [("bytes", ">i4"), ("value", ">i8")], (5,))])
_OUTLINE = """SELECT id, session, at, role::int8, size::int8 FROM messages
  WHERE bank = {bank} AND id > {after} ORDER BY id"""
_SPEAKERS = """SELECT speaker, string_agg(int8send(id), ''::bytea ORDER BY id) FROM messages
  WHERE bank = ? AND id > ? AND speaker IS NOT NULL GROUP BY speaker"""
_HIDDEN = "SELECT id FROM sessions WHERE bank = ? AND hidden_at IS NOT NULL ORDER BY id"


class PostgresRecallQueries:
    def __init__(self, connection: Connection, banks: PostgresBanks, table: WordTable) -> None:
        self._connection = connection
        self._banks = banks
        self._table = table

    def outline(self, bank: str, after_id: int = 0) -> OutlineRows:
        number = self._banks.find_number(bank) or 0
        sql = _OUTLINE.format(bank=int(number), after=int(after_id))
        copied = self._connection.copy_out(sql)
        table = np.frombuffer(copied[_HEAD_BYTES:-_END_BYTES], dtype=_ROW)["cells"]["value"]
        ids, sessions, at, roles, sizes = (
            np.ascontiguousarray(column, dtype=np.int64) for column in table.T
        )
        found = self._connection.execute(_SPEAKERS, (number, after_id))
        speakers = {name: _parse(listed) for name, listed in found}
        return OutlineRows(ids, sessions, at, roles, sizes, speakers)

    def hidden_sessions(self, bank: str) -> Numbers:
        found = self._connection.execute(_HIDDEN, (self._banks.find_number(bank) or 0,))
        return np.array([number for (number,) in found], dtype=np.int64)

    def postings(
        self, words: Sequence[str], bank: str, limit: int, *, up_to: int = LAST_ID
    ) -> list[WordPostings]:
        number = self._banks.find_number(bank)
        if number is None:
            return [WordPostings(word, _parse(b""), complete=True) for word in words]
        finder = Finder(self._table, Within((number,), last=up_to))
        finder.prepare(words)
        found = []
        for word in words:
            ids = np.array(finder.newest([word], limit)[::-1], dtype=np.int64)
            found.append(WordPostings(word, ids, complete=len(ids) < limit))
        return found

    def texts(self, ids: Sequence[int]) -> dict[int, str]:
        sql = "SELECT id, packed, text, calls FROM messages WHERE id = ANY(?)"
        found = self._connection.execute(sql, (list(ids),)) if ids else []
        return {
            number: rows.plain(self._connection, packed, text)
            or (render_calls(parse_calls(calls)) if calls else "")
            for number, packed, text, calls in found
        }

    def spoken(self, ids: Sequence[int]) -> dict[int, Spoken]:
        sql = f"{rows.SPOKEN} AND m.id = ANY(?)"
        found = self._connection.execute(sql, (list(ids),)) if ids else []
        return {
            row[0]: spoken(row, rows.plain(self._connection, packed, text))
            for *row, packed, text in found
        }


def _parse(listed: bytes) -> Numbers:
    return np.frombuffer(listed, dtype=">i8").astype(np.int64)
