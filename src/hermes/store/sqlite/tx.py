"""One transaction on SQLite: the groups of queries of the protocol, each made when first used."""

from functools import cached_property
from typing import TYPE_CHECKING

from hermes.store.base import Change
from hermes.store.sqlite.banks import SqliteBanks
from hermes.store.sqlite.connection import Connection, scalar
from hermes.store.sqlite.conversations import SqliteConversations
from hermes.store.sqlite.entities import SqliteEntities
from hermes.store.sqlite.erase import SqliteErasures
from hermes.store.sqlite.events import SqliteEvents
from hermes.store.sqlite.extractions import SqliteExtractions
from hermes.store.sqlite.facts import SqliteFacts
from hermes.store.sqlite.jobs import SqliteJobs
from hermes.store.sqlite.overview import SqliteOverview
from hermes.store.sqlite.pending import SqlitePending
from hermes.store.sqlite.portable import SqlitePortable
from hermes.store.sqlite.reflections import SqliteReflections
from hermes.store.sqlite.spending import SqliteSpending
from hermes.store.sqlite.summaries import SqliteSummaries
from hermes.store.sqlite.texts import SqliteTexts
from hermes.store.sqlite.vectors import SqliteVectors
from hermes.store.tables.notes import NotesTable

if TYPE_CHECKING:
    from hermes.store.sqlite.recall_queries import SqliteRecallQueries


class SqliteChanges:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def latest(self) -> int:
        return scalar(self._connection, "SELECT max(seq) FROM changes")

    def since(self, seq: int, limit: int = 10_000) -> list[Change]:
        sql = "SELECT seq, kind, first, last, op FROM changes WHERE seq > ? ORDER BY seq LIMIT ?"
        return [Change(*row) for row in self._connection.execute(sql, (seq, limit))]

    def record(self, kind: str, first: int, last: int, op: str) -> int:
        sql = "INSERT INTO changes (kind, first, last, op) VALUES (?, ?, ?, ?)"
        self._connection.execute(sql, (kind, first, last, op))
        return self._connection.last_insert_rowid()


class SqliteTx:
    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def finish(self) -> None:
        """What must happen once before the transaction is committed."""
        self.texts.flush()

    @cached_property
    def changes(self) -> SqliteChanges:
        return SqliteChanges(self.connection)

    @cached_property
    def banks(self) -> SqliteBanks:
        return SqliteBanks(self.connection)

    @cached_property
    def texts(self) -> SqliteTexts:
        return SqliteTexts(self.connection, self.banks)

    @cached_property
    def conversations(self) -> SqliteConversations:
        return SqliteConversations(self.connection, self.banks, self.texts, self.changes)

    @cached_property
    def vectors(self) -> SqliteVectors:
        return SqliteVectors(self.connection, self.banks)

    @cached_property
    def recall(self) -> "SqliteRecallQueries":
        # numpy takes a tenth of a second to import, and only recall needs it
        from hermes.store.sqlite.recall_queries import SqliteRecallQueries  # noqa: PLC0415

        return SqliteRecallQueries(self.connection, self.banks)

    @cached_property
    def jobs(self) -> SqliteJobs:
        return SqliteJobs(self.connection)

    @cached_property
    def events(self) -> SqliteEvents:
        return SqliteEvents(self.connection)

    @cached_property
    def erasures(self) -> SqliteErasures:
        return SqliteErasures(self.connection, self.banks, self.texts)

    @cached_property
    def portable(self) -> SqlitePortable:
        return SqlitePortable(self.connection, self.banks, self.texts)

    @cached_property
    def extractions(self) -> SqliteExtractions:
        return SqliteExtractions(self.connection)

    @cached_property
    def facts(self) -> SqliteFacts:
        return SqliteFacts(self.connection, self.banks, self.texts)

    @cached_property
    def entities(self) -> SqliteEntities:
        return SqliteEntities(self.connection, self.banks)

    @cached_property
    def pending(self) -> SqlitePending:
        return SqlitePending(self.connection, self.banks)

    @cached_property
    def notes(self) -> NotesTable:
        return NotesTable(self.connection, self.changes)

    @cached_property
    def reflections(self) -> SqliteReflections:
        return SqliteReflections(self.connection, self.banks, self.texts)

    @cached_property
    def spending(self) -> SqliteSpending:
        return SqliteSpending(self.connection)

    @cached_property
    def summaries(self) -> SqliteSummaries:
        return SqliteSummaries(self.connection, self.banks, self.texts)

    @cached_property
    def overview(self) -> SqliteOverview:
        return SqliteOverview(self.connection, self.banks, self.facts, self.entities)
