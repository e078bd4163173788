"""Postings of facts from FTS5, as `texts` gives those of messages."""

from collections.abc import Sequence

from hermes.store.base.texts import Postings, TextScope
from hermes.store.sqlite.banks import SqliteBanks
from hermes.store.sqlite.connection import Connection
from hermes.store.sqlite.texts import SqliteTexts, quoted
from hermes.store.text import index_form

_NEWEST = "SELECT rowid FROM fact_text WHERE fact_text MATCH ? ORDER BY rowid DESC LIMIT ?"
_DELETE = "INSERT INTO fact_text (fact_text, rowid, body, scope) VALUES ('delete', ?, ?, ?)"
_CURRENT = "retracted_at IS NULL AND superseded_by IS NULL"


class SqliteFactTexts:
    def __init__(self, connection: Connection, banks: SqliteBanks, texts: SqliteTexts) -> None:
        self._connection = connection
        self._banks = banks
        self._texts = texts

    def add(self, fact: int, text: str, bank: int) -> None:
        sql = "INSERT INTO fact_text (rowid, body, scope) VALUES (?, ?, ?)"
        self._connection.execute(sql, (fact, index_form(text), _scope(bank)))

    def remove(self, fact: int, text: str, bank: int) -> None:
        """Take a fact out of the index; the text must be what `add` was given."""
        self._connection.execute(_DELETE, (fact, index_form(text), _scope(bank)))

    def postings(self, word: str, scope: TextScope, limit: int) -> Postings:
        found = self._newest([word], scope, limit + 1)
        return Postings(found[:limit], len(found), complete=len(found) <= limit)

    def postings_all(self, words: Sequence[str], scope: TextScope, limit: int) -> list[int]:
        return self._newest(words, scope, limit) if words else []

    def size(self, scope: TextScope) -> tuple[int, int]:
        where, bindings = ("AND bank = ?", (self._bank(scope),)) if scope.bank else ("", ())
        sql = f"SELECT count(*), total(length(text)) FROM facts WHERE {_CURRENT} {where}"
        ((count, chars),) = list(self._connection.execute(sql, bindings))
        return int(count), int(chars)

    def tokens(self, text: str) -> list[str]:
        return self._texts.tokens(text)

    def _newest(self, words: Sequence[str], scope: TextScope, limit: int) -> list[int]:
        match = " AND ".join(f"body : {quoted(word)}" for word in words)
        if scope.bank:
            match += f' AND scope : "b{self._bank(scope)}"'
        return [int(row) for (row,) in self._connection.execute(_NEWEST, (match, limit))]

    def _bank(self, scope: TextScope) -> int:
        """The number of the bank; one that no row has, where there is no such bank."""
        return self._banks.find_number(scope.bank) or 0


def _scope(bank: int) -> str:
    return f"b{bank}"
